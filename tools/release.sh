#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what is published: the source distribution and a wheel for each Python found, into dist/.
#
# The version is that of include/tain/version.h, to be raised before; it must stand in CHANGELOG.md,
# and everything must be committed. The wheels are for the Linux they were built on.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/stages.sh
source tools/stages.sh

version="$(sed -n 's/^#define TAIN_VERSION "\(.*\)"$/\1/p' include/tain/version.h)"
grep -qF "## [$version]" CHANGELOG.md || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }
[[ -z "$(git status --porcelain)" ]] || { echo "uncommitted changes" >&2; exit 1; }

rm -rf dist
new_venv "$PYTHON" release
(
  use_venv release
  pip install -q build "nanobind>=3,<4"
  python tools/third_party_notices.py --check
  python -m build --sdist --outdir dist .
)
for minor in "${HOST_VERSIONS[@]}" "${NEWEST_VERSIONS[@]}"; do
  python="$(python_of "$minor")" || { echo "no Python $minor: no wheel for it"; continue; }
  "$python" -m pip wheel -q --no-deps --wheel-dir dist "dist/tain-$version.tar.gz"
done
ls -l dist
echo "next: git tag v$version, and publish dist/"
