#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The public Python tests of apache-tvm-ffi, run on tain through tain_tvm_ffi; prints a table of what
# fails by cause. Needs an environment with tain and tain-tvm-ffi, and an index with the package.
#
#   tools/peer_suite.sh [WORK [pytest argument]...]
set -euo pipefail
version=0.1.15.post2
work="${1:-$(mktemp -d)}"
shift || true
mkdir -p "$work"
work="$(cd "$work" && pwd)"
here="$(cd "$(dirname "$0")" && pwd)"

# The tests are in the source distribution, the library with the types they use in the wheel.
if [[ ! -d "$work/sdist" ]]; then
  # Its build requirements are not needed: nothing is built.
  python "$here/peer_suite.py" download "$version" "$work"
fi
cd "$work/sdist/tests/python"
PYTHONPATH="$here:${PYTHONPATH:-}" TAIN_PEER="$work/wheel" \
  exec python -m tain_tvm_ffi run -m pytest -q -p no:cacheprovider -p peer_suite --timeout=120 "$@"
