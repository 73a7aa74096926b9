#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The full matrix: the whole suite by Python x compiler x sanitizer.
#
# Usage: tools/matrix.sh [PART]...    (nothing: all of host, newest, built, sanitizers)
#
#   host        the Pythons of this machine, by its g++, against one libtain
#   newest      those of Debian's unstable suite, by its g++ and clang++ (tools/unstable.sh)
#   built       debug and free-threaded CPythons from Debian's sources (tools/cpython.sh)
#   sanitizers  this machine's Python and g++; for threads, a free-threaded CPython too; fuzzers
#
# PART/TEXT runs the rows of a part with TEXT in their names: host/3.10, newest/clang, built/debug.
#
# Prints one table, and writes it to docs/matrix.md: when, and on which commit, each row last passed.
# A row that this run leaves out keeps its entry. If there are uncommitted changes, the page is not
# written. TAIN_CPYTHON is the folder for the Pythons that this script builds.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/stages.sh
source tools/stages.sh

results="$TAIN_WORK/logs/matrix.tsv"
: >"$results"
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(host newest built sanitizers)
for part in "${parts[@]}"; do
  case "${part%%/*}" in
    host | newest | built | sanitizers) ;;
    *)
      echo "tools/matrix.sh: expected host, newest, built or sanitizers, got $part" >&2
      exit 2
      ;;
  esac
done

main_environment() {
  new_venv "$PYTHON" main
  use_venv main
  install_with
}

# built_on <x.y> <configure options> <pytest argument>...: a CPython of our own.
built_on() {
  # Each source alone, as in a developer's build.
  built_environment "$1" "$2" "cmake.build-type=Debug" "cmake.define.TAIN_UNITY=OFF"
  shift 2
  run_pytest "$@"
}

# reflection_row <x.y>: the tests of reflection, with the tain that the row of g++ has installed.
reflection_row() {
  [[ -d $TAIN_WORK/$1-g++ ]] || newest_on "$1" g++ --version
  reflection_on "$1"
}

export -f main_environment built_on reflection_row

# is_wanted <part> <title>: whether an argument asks for this row.
is_wanted() {
  local asked
  for asked in "${parts[@]}"; do
    [[ $asked == "$1" || ($asked == "$1"/* && $2 == *"${asked#*/}"*) ]] && return
  done
  return 1
}

# row <part> <python> <compiler> <sanitizer> <minutes> <function> [<argument>...]: run it if its
# part is asked for, and note what came of it.
row() {
  local part="$1" python="$2" compiler="$3" sanitizer="$4" minutes="$5" result="not run"
  local title="$2, $3, $4"
  shift 5
  if is_wanted "$part" "$title"; then
    if stage "$title" "$minutes" "$@"; then
      result="$stage_verdict"
    else
      result="failed"
    fi
  fi
  printf '%s\t%s\t%s\t%s\t%s\n' "$python" "$compiler" "$sanitizer" "$result" "$stage_log" >>"$results"
}

host_row() {
  if [[ -n "$(python_of "$1")" ]]; then
    row host "$1" "g++" none 40 bridge_on "$1" -q tests
  else
    row host "$1" "g++" none 1 not_here "no such interpreter (pyenv or python$1 on PATH)"
  fi
}

main_version="$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
echo "tain: environments and logs in $TAIN_WORK"
trap discard_work EXIT
stage "main environment" 15 main_environment
for version in "${HOST_VERSIONS[@]}"; do host_row "$version"; done
for version in "${NEWEST_VERSIONS[@]}"; do
  row newest "$version" "newest g++" none 60 newest_on "$version" g++ -q tests
done
row newest "${NEWEST_VERSIONS[-1]}" "newest clang++" none 60 \
  newest_on "${NEWEST_VERSIONS[-1]}" clang++ -q tests/python
row newest "${NEWEST_VERSIONS[-1]}" "newest g++, C++26 reflection" none 20 \
  reflection_row "${NEWEST_VERSIONS[-1]}"
most=(-q tests/python tests/threads)
row built "3.13, debug" "g++" none 90 built_on 3.13 --with-pydebug "${most[@]}"
row built "3.13, free-threaded" "g++" none 60 built_on 3.13 --disable-gil "${most[@]}"
row built "3.13, free-threaded, debug" "g++" none 120 \
  built_on 3.13 "--disable-gil --with-pydebug" "${most[@]}"
row sanitizers "no Python" "g++" thread 20 core_preset tsan
row sanitizers "3.13, free-threaded" "g++" thread 90 thread_sanitized -q tests/threads
row sanitizers "3.13, free-threaded, debug" "g++" "address, fuzzer" 90 \
  free_threaded_fuzzed --threads 4 --seed "$RANDOM" --seconds 3600
row sanitizers "no Python" "clang++" "address, fuzzer" 30 fuzz_loaders 900
row sanitizers "$main_version" "g++" "address, undefined" 90 sanitized "address;undefined" -q tests/python
stage_table
python3 tools/matrix_table.py "$results" docs/matrix.md
if [[ ${#tain_failed[@]} -gt 0 ]]; then
  printf '=== failed: %s\n' "${tain_failed[@]}"
  exit 1
fi
