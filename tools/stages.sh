# SPDX-License-Identifier: Apache-2.0
# Steps shared by .ci/run and tools/matrix.sh: virtual environments, builds, runs of tests, stages.
#
# To be sourced by bash from the root of the repository. A stage is one function with a time limit,
# run in a shell of its own; its output goes to a log, of which the end is shown if it fails.
# A stage that cannot run on this machine returns 75 and is reported as left out. Variables:
# TAIN_WORK (environments and logs; if it is not given, a folder is made, of which discard_work
# leaves the logs alone), PYTHON (the main interpreter), TAIN_TIME_SCALE (multiplies the
# limits, for slow machines), TAIN_UNSTABLE (the folder of Debian's unstable suite),
# TAIN_CPYTHON (interpreters that are built here, once for a machine),
# TAIN_STAGES_MINUTES (what has not ended by then is left out; no limit if it is empty).

made_work=""
if [[ -z ${TAIN_WORK:-} ]]; then
  TAIN_WORK="$(mktemp -d "${TMPDIR:-/tmp}/tain.XXXXXX")"
  made_work="$TAIN_WORK"
fi
TAIN_TIME_SCALE="${TAIN_TIME_SCALE:-1}"
PYTHON="${PYTHON:-python3}"
TAIN_UNSTABLE="${TAIN_UNSTABLE:-$TAIN_WORK/unstable}"
TAIN_CPYTHON="${TAIN_CPYTHON:-${XDG_CACHE_HOME:-$HOME/.cache}/tain/cpython}"
export TAIN_WORK TAIN_TIME_SCALE PYTHON TAIN_UNSTABLE TAIN_CPYTHON
# The Pythons that tain supports: those looked for on this machine, and those of the unstable suite.
HOST_VERSIONS=(3.10 3.11 3.12 3.13) NEWEST_VERSIONS=(3.14 3.15)
TAIN_CLANG="${TAIN_CLANG:-clang++-19}"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1
# The newest release that has a wheel, rather than compiling a newer one.
export PIP_PREFER_BINARY=1
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
mkdir -p "$TAIN_WORK/logs"

# The same sources are compiled for several environments; what is the same is compiled once.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1 CCACHE_BASEDIR="$PWD"
fi

# discard_work: remove the environments that a run made, some ten GB; the logs stay.
discard_work() {
  [[ -n $made_work ]] || return 0
  find "$made_work" -mindepth 1 -maxdepth 1 ! -name logs -exec rm -rf --one-file-system {} +
}

# check_space <GB>: say loudly that the disk is too full for the stages.
check_space() {
  local free
  free=$(df --output=avail -B 1G "$TAIN_WORK" | tail -n 1)
  ((free >= $1)) || echo "WARNING: $((free)) GB free for $TAIN_WORK, the stages need $1"
}

# system_packages <package>...: install what is missing, and only then need the network.
system_packages() {
  local package missing=() sudo=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" ||
      missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && { echo "all installed: $*"; return; }
  [[ $(id -u) -eq 0 ]] || sudo=(sudo)
  echo "installing: ${missing[*]}"
  "${sudo[@]}" apt-get update -q
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -qy --no-install-recommends \
    "${missing[@]}"
}

# new_venv <python> <name>: a new virtual environment.
new_venv() {
  rm -rf "${TAIN_WORK:?}/$2"
  "$1" -m venv "$TAIN_WORK/$2"
}

# use_venv <name>: make it the active one, as its activate script does.
use_venv() {
  export VIRTUAL_ENV="$TAIN_WORK/$1"
  export PATH="$VIRTUAL_ENV/bin:$PATH"
}

# python_of <x.y>: print the path of that interpreter; fails if there is none.
python_of() {
  local candidate
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python "python$1"; do
    if "$candidate" -c '' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# install_with <setting>...: tain and what its tests need (the extra TAIN_EXTRA), built with these
# settings.
# (Spelt out: the pip of Python 3.10 does not know -C.)
install_with() {
  pip install -q ".[${TAIN_EXTRA:-test}]" "${@/#/--config-settings=}"
}

# tested_with <python>: say in the log which versions a run is of, for the table of the matrix.
tested_with() {
  echo "tested with: $1, $("${CXX:-g++}" --version | head -n 1)"
}

# not_here <reason>: what a stage does that cannot run on this machine.
not_here() {
  echo "$1"
  return 75
}

# run_pytest <argument>...: tests on all processors, each file on one; a skipped test is a failure.
run_pytest() {
  tested_with "$(python -VV | head -n 1)"
  python -m pytest -p no:cacheprovider -n "$(nproc)" --dist loadfile --max-worker-restart=0 \
    --no-skips --timeout="$((300 * TAIN_TIME_SCALE))" "$@"
}

# package_dir: print where the libraries of the installed tain are.
package_dir() {
  (cd / && python -c "import pathlib, tain._core as core; print(pathlib.Path(core.__file__).parent)")
}

# core_preset <preset>: configure, build and test the core.
core_preset() {
  use_venv main # for the newest cmake
  tested_with "no Python"
  cmake --workflow --preset "$1"
}

# headers_alone: each public header compiles as the first one of a file.
headers_alone() {
  find include -name "*.h" ! -path "*/interop/*" ! -name auto.h -print0 |
    xargs -0 -P "$(nproc)" -I{} "$TAIN_CLANG" -std=c++20 -fsyntax-only -Wall -Wextra -Werror \
      -I include -I include/tain_compat -include {} -x c++ /dev/null
}

# bridge_on <x.y> <pytest argument>...: the bridge on another Python, against the same libtain.
bridge_on() {
  local version="$1" python libraries
  shift
  python="$(python_of "$version")"
  libraries="$(use_venv main && package_dir)"
  new_venv "$python" "py$version"
  use_venv "py$version"
  install_with "cmake.define.TAIN_PREBUILT=$libraries" "build-dir=build/bridge-{wheel_tag}"
  cmp "$libraries/lib/libtain.so" "$(package_dir)/lib/libtain.so"
  run_pytest "$@"
}

# built_environment <x.y> <configure options> <setting>...: tain on a CPython of our own. TAIN_BUILT_AS
# names another environment of the same interpreter.
built_environment() {
  local interpreter name="${TAIN_BUILT_AS:-built$1${2// /}}" options
  read -ra options <<<"$2"
  interpreter="$(tools/cpython.sh "$TAIN_CPYTHON/$1${2// /}" "$1" "${options[@]}")"
  shift 2
  new_venv "$interpreter" "$name"
  use_venv "$name"
  TAIN_EXTRA=test-python install_with "build-dir=build/$name" "$@"
}

# free_threaded <pytest argument>...: a CPython without a GIL, in which importing tain switches none on.
free_threaded() {
  tools/cpython.sh "$TAIN_CPYTHON/3.13--disable-gil" 3.13 --disable-gil ||
    not_here "CPython 3.13 without a GIL could not be built: no sources, or no compiler"
  built_environment 3.13 --disable-gil
  python -c "import sys, tain; assert not sys._is_gil_enabled()"
  run_pytest "$@"
}

# free_threaded_fuzzed <argument>...: tests/fuzz in a CPython without a GIL that checks itself
# (--with-pydebug), with core and bridge under AddressSanitizer.
free_threaded_fuzzed() {
  local options=(--disable-gil --with-pydebug) environment
  tools/cpython.sh "$TAIN_CPYTHON/3.13$(printf %s "${options[@]}")" 3.13 "${options[@]}" ||
    not_here "CPython 3.13 without a GIL could not be built: no sources, or no compiler"
  TAIN_BUILT_AS=fuzzed-free built_environment 3.13 "${options[*]}" \
    "cmake.define.TAIN_SANITIZE=address" "cmake.build-type=RelWithDebInfo" \
    "cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" "install.strip=false"
  # A CPython without a GIL has an allocator of its own.
  mapfile -t environment < <(sanitized_env address | grep -v ^PYTHONMALLOC)
  # A thread that fills the memory keeps the others of CPython from ending the process.
  (
    export "${environment[@]}"
    ASAN_OPTIONS+=":hard_rss_limit_mb=8192" python tests/fuzz "$@"
  )
}

# thread_sanitized <pytest argument>...: CPython without a GIL, core and bridge under ThreadSanitizer.
# Whatever is reported fails, but for what CPython lists as its own, and tests/threads/tsan_suppressions.txt.
thread_sanitized() {
  local options=(--disable-gil --with-thread-sanitizer) folder reports="$TAIN_WORK/logs/tsan"
  folder="$TAIN_CPYTHON/3.13$(printf %s "${options[@]}")"
  export TSAN_OPTIONS="report_bugs=0" # neither the build of CPython nor pip is tested
  tools/cpython.sh "$folder" 3.13 "${options[@]}" ||
    not_here "CPython 3.13 for ThreadSanitizer could not be built: no sources, or no compiler"
  built_environment 3.13 "${options[*]}" "cmake.define.TAIN_SANITIZE=thread" \
    "cmake.build-type=RelWithDebInfo" "cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
    "install.strip=false"
  rm -rf "$reports"
  mkdir -p "$reports"
  # fork() takes more locks than the search for deadlocks can follow. A process that the tests let crash
  # for a bug of CPython's is not reported.
  export TSAN_OPTIONS="detect_deadlocks=0:handle_segv=0:history_size=7:log_path=$reports/process"
  TSAN_OPTIONS+=":suppressions=$TAIN_WORK/tsan_suppressions.txt"
  cat "$folder/sources/Tools/tsan/suppressions_free_threading.txt" \
    tests/threads/tsan_suppressions.txt >"$TAIN_WORK/tsan_suppressions.txt"
  run_pytest --timeout=1200 -m "not forks" "$@"
  if [[ -n "$(find "$reports" -type f)" ]]; then
    cat "$reports"/*
    return 1
  fi
}

# in_unstable <function> [<argument>...]: a step in Debian's unstable suite, made if it is missing.
in_unstable() {
  # shellcheck disable=SC2016
  tools/unstable.sh "$TAIN_UNSTABLE" bash -euo pipefail -c 'source tools/stages.sh; "$@"' step "$@"
}

# newest_on <x.y> <compiler> <pytest argument>...: core and bridge by a compiler of that suite.
newest_on() {
  in_unstable newest_inside "$@"
}

newest_inside() {
  local version="$1" compiler="$2" name
  shift 2
  name="$version-$compiler"
  new_venv "python$version" "$name"
  use_venv "$name"
  export CXX="$compiler"
  install_with "build-dir=build/$name"
  run_pytest "$@"
}

# reflection_on <x.y>: types that C++26 reflection lists, and the examples of them, with the tain that
# `newest_on <x.y> g++` has installed.
reflection_on() {
  in_unstable reflection_inside "$@"
}

reflection_inside() {
  use_venv "$1-g++"
  export CXX=g++
  system_packages libasio-dev # for examples/foreign_auto
  run_pytest -q tests/with_reflection
  pip install -q --no-build-isolation --no-deps ./examples/geometry_auto ./examples/foreign_auto
  python -m pytest -q -p no:cacheprovider examples/geometry examples/foreign_auto
}

# sanitized_env <address|thread>: what an uninstrumented python needs to load instrumented libraries.
# libstdc++ too: the sanitizer finds the functions that throw when the process starts, or not at all.
sanitized_env() {
  local runtime=libasan.so
  [[ $1 == thread ]] && runtime=libtsan.so
  echo "LD_PRELOAD=$(g++ -print-file-name=$runtime) $(g++ -print-file-name=libstdc++.so)"
  # Python itself never frees everything; the tests count tain's objects.
  echo "ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1:allocator_may_return_null=1"
  echo "UBSAN_OPTIONS=print_stacktrace=1"
  # One malloc per Python object: a use after free of a wrapper is seen.
  echo "PYTHONMALLOC=malloc"
}

# sanitized <list> <pytest argument>...: core and bridge under sanitizers, from one build. The list is
# "address", "thread" or "address;undefined", which takes GCC nearly twice as long to compile.
sanitized() {
  local list="$1" which="${1%%;*}" environment
  shift
  new_venv "$PYTHON" "sanitized-$which"
  use_venv "sanitized-$which"
  install_with "cmake.define.TAIN_SANITIZE=$list" "build-dir=build/$which" \
    "cmake.build-type=RelWithDebInfo" "cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
    "cmake.define.TAIN_BUILD_TESTS=ON" "install.strip=false"
  ctest --test-dir "build/$which" --output-on-failure --no-tests=error -j "$(nproc)"
  mapfile -t environment < <(sanitized_env "$which")
  (export "${environment[@]}" && run_pytest --timeout=600 "$@")
}

# fuzzed <argument>...: tests/fuzz with what `sanitized address` has built.
fuzzed() {
  local environment
  use_venv sanitized-address
  mapfile -t environment < <(sanitized_env address)
  # The worker cannot limit its address space, which the sanitizer needs.
  (
    export "${environment[@]}"
    ASAN_OPTIONS+=":soft_rss_limit_mb=4096" python tests/fuzz "$@"
  )
}

# fuzz_loaders [<seconds> [<seed>]]: libFuzzer with AddressSanitizer on what load_json and load_binary
# get; the corpus and what makes it fail stay in $TAIN_WORK/fuzz_loaders. Seed 0 is another one each time.
fuzz_loaders() {
  local work="$TAIN_WORK/fuzz_loaders" seconds="${1:-60}" seed="${2:-0}" compiler="$TAIN_CLANG"
  command -v "$compiler" >/dev/null || return 75
  mkdir -p "$work/objects" "$work/corpus" "$work/artifacts"
  # A folder of libtain is one file, as in a wheel (cmake/unity.cmake).
  local folder source
  for folder in src/ffi/*/; do
    {
      echo '#include "tain/tain.h"'
      for source in "$folder"*.cc; do echo "#include \"$PWD/$source\""; done
    } >"$work/objects/$(basename "$folder").cc"
  done
  cp tests/fuzz/loaders/fuzz_loaders.cc "$work/objects/"
  printf '%s\n' "$work"/objects/*.cc |
    xargs -P "$(nproc)" -I{} "$compiler" -std=c++20 -O1 -g1 -I include -I src/ffi -DTAIN_EXPORTS \
      -fvisibility=hidden -fsanitize=fuzzer-no-link,address -c {} -o {}.o
  "$compiler" -fsanitize=fuzzer,address "$work"/objects/*.o -ldl -pthread -o "$work/fuzz_loaders"
  # One process is enough: what a stage may take is bounded by time. Graphs with cycles through
  # objects that nobody cuts are no leak of the loaders.
  TAIN_FUZZ_SEEDS="$work/corpus" ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1" \
    "$work/fuzz_loaders" "$work/corpus" -seed="$seed" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$work/artifacts/"
}

tain_failed=()
tain_left_out=()
tain_table=()

# stage <title> <minutes> <function> [<argument>...]: run with a limit, report, go on after a failure;
# stage_verdict and stage_log tell what came of it. A slow machine still reaches what comes after the
# stages, because they end after TAIN_STAGES_MINUTES.
stage() {
  local title="$1" limit="$(($2 * TAIN_TIME_SCALE * 60))" status=0 started=$SECONDS log left
  local late="the stages may take no more than ${TAIN_STAGES_MINUTES:-} minutes"
  shift 2
  log="$TAIN_WORK/logs/$(tr -c 'A-Za-z0-9.\n' '-' <<<"$title").log"
  left="$limit"
  [[ -z ${TAIN_STAGES_MINUTES:-} ]] ||
    left="$((TAIN_STAGES_MINUTES * TAIN_TIME_SCALE * 60 - started))"
  ((left < limit)) || left="$limit"
  printf '\n=== %s (limit %d s)\n' "$title" "$left"
  if ((left < 5)); then
    echo "$late" >"$log"
    status=75
  else
    # shellcheck disable=SC2016
    timeout --kill-after=10 "$left" bash -euo pipefail -c \
      'source tools/stages.sh; "$@"' stage "$@" >"$log" 2>&1 </dev/null || status=$?
    if [[ $left -lt $limit && ($status -eq 124 || $status -eq 137) ]]; then
      echo "$late" >>"$log"
      status=75
    fi
  fi
  stage_log="$log"
  stage_verdict="ok"
  if [[ $status -eq 75 ]]; then
    stage_verdict="LEFT OUT ($(tail -n 1 "$log"))"
    tain_left_out+=("$title: $(tail -n 1 "$log")")
    status=0
  elif [[ $status -ne 0 ]]; then
    stage_verdict="FAILED (status $status)"
    [[ $status -eq 124 || $status -eq 137 ]] && stage_verdict="FAILED (time limit)"
    tain_failed+=("$title")
    tail -n 80 "$log"
    printf -- '--- the whole log: %s\n' "$log"
  else
    tail -n 1 "$log"
  fi
  tain_table+=("$(printf '%6d s  %-24s %s' "$((SECONDS - started))" "$title" "$stage_verdict")")
  printf '=== %s: %s, %d s\n' "$title" "$stage_verdict" "$((SECONDS - started))"
  return "$((status != 0))"
}

# lane_begin <function>: run stages beside those that follow. What they print comes at lane_end.
lane_begin() {
  (
    tain_failed=() tain_left_out=() tain_table=()
    "$1"
    declare -p tain_failed tain_left_out tain_table >"$TAIN_WORK/lane.results"
  ) >"$TAIN_WORK/logs/lane.log" 2>&1 </dev/null &
  tain_lane=$!
}

# lane_end: wait for them, and add their results to those of this shell.
lane_end() {
  local results="$TAIN_WORK/lane.results" script
  if ! wait "$tain_lane" || [[ ! -s $results ]]; then
    tain_failed+=("the stages beside the others did not end")
  fi
  cat "$TAIN_WORK/logs/lane.log"
  [[ -s $results ]] || return 0
  # The names of the lane's arrays are those of this shell.
  script="$(sed 's/^declare -a tain_/local -a of_lane_/' "$results")"
  eval "$script"
  tain_failed+=("${of_lane_failed[@]}")
  tain_left_out+=("${of_lane_left_out[@]}")
  tain_table+=("${of_lane_table[@]}")
}

# stage_table: what ran so far, and loudly what did not.
stage_table() {
  printf '\n=== stages so far\n'
  printf '%s\n' "${tain_table[@]}"
  [[ ${#tain_left_out[@]} -eq 0 ]] || printf '!!! NOT TESTED, left out: %s\n' "${tain_left_out[@]}"
}
