#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The full matrix: the whole suite on each supported Python, and under the sanitizers.
#
# Usage: tools/matrix.sh [python | sanitizers]...    (nothing: both)
#
# All bridges run against one libtain, built by the main interpreter. PYTHON_PYDEBUG names an
# interpreter configured --with-pydebug, which takes part if it is given. To make one (minutes):
#   apt-get source python3.11            # with a deb-src line for apt; or a release of python.org
#   cd python3.11-3.11.*; ./configure --prefix="$HOME/pydebug" --with-pydebug -q
#   make -s && make -s commoninstall bininstall
#   PYTHON_PYDEBUG="$HOME/pydebug/bin/python3.11d" tools/matrix.sh python
# Debian's sources leave out ensurepip: `python3.11d -m venv --without-pip DIR`, then
# `pip install --target DIR/lib/python3.11/site-packages --python-version 3.11
# --only-binary :all: PACKAGE...` from another interpreter; wheels of release builds load, numpy too.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/stages.sh
source tools/stages.sh

versions=(3.10 3.11 3.12 3.13)

main_environment() {
  new_venv "$PYTHON" main
  use_venv main
  pip install -q ".[test]"
}

pydebug() {
  new_venv "$PYTHON_PYDEBUG" pydebug
  use_venv pydebug
  install_with "cmake.build-type=Debug" "build-dir=build/pydebug"
  run_pytest -q tests/python
}

export -f main_environment pydebug

matrix_python() {
  local version
  for version in "${versions[@]}"; do
    if [[ -n "$(python_of "$version")" ]]; then
      stage "suite on $version" 30 bridge_on "$version" -q tests || true
    else
      echo "=== suite on $version: left out, no such interpreter (pyenv or python$version on PATH)"
    fi
  done
  if [[ -n "${PYTHON_PYDEBUG:-}" ]]; then
    stage "suite on pydebug" 60 pydebug || true
  else
    echo "=== suite on pydebug: left out, PYTHON_PYDEBUG names no interpreter"
  fi
}

matrix_sanitizers() {
  stage "core, tsan" 20 core_preset tsan || true
  stage "core and suite, asan" 60 sanitized address -q tests/python || true
}

echo "tain: environments and logs in $TAIN_WORK"
stage "main environment" 15 main_environment
[[ $# -gt 0 ]] || set -- python sanitizers
for part in "$@"; do
  case "$part" in
    python | sanitizers) "matrix_$part" ;;
    *) echo "tools/matrix.sh: expected python or sanitizers, got $part" >&2; exit 2 ;;
  esac
done
stage_table
if [[ ${#tain_failed[@]} -gt 0 ]]; then
  printf '=== failed: %s\n' "${tain_failed[@]}"
  exit 1
fi
