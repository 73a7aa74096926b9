#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds tain in an environment of its own and runs the tests of this folder: some four minutes.
#
#   bash tests/with_gpu/run.sh [arguments of pytest]
#
# Needs Linux with an NVIDIA GPU, nvcc, g++, and a python3 that has PyTorch with CUDA. Packages that
# it lacks are installed in the new environment, without the network if WHEELS is a folder of wheels.
# Variables: PYTHON (python3), WHEELS (.whl, if there is such a folder), WORK (a new temporary folder).
set -euo pipefail
cd "$(dirname "$0")/../.."

PYTHON="$(command -v "${PYTHON:-python3}")"
WORK="${WORK:-$(mktemp -d "${TMPDIR:-/tmp}/tain-gpu.XXXXXX")}"
WHEELS="${WHEELS:-.whl}"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONUNBUFFERED=1
export TAIN_CACHE_DIR="$WORK/cache"

begin=$SECONDS
step() { printf '=== %s (%s s)\n' "$1" "$((SECONDS - begin))"; }

step "the environment in $WORK"
# Programs of the environment that PyTorch is in (cmake, ninja), and CUDA's.
PATH="$(dirname "$PYTHON"):$PATH"
if ! command -v nvcc >/dev/null; then
  PATH="${CUDA_HOME:-/usr/local/cuda}/bin:$PATH"
fi
"$PYTHON" -m venv --without-pip "$WORK/venv"
# `--system-site-packages` gives the packages of the system, and not those of the environment that
# python3 itself may be in.
"$PYTHON" - "$WORK/venv" <<'EOF'
import glob, sys
folders = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
[own] = glob.glob(sys.argv[1] + "/lib/python3*/site-packages")
with open(own + "/of_the_machine.pth", "w") as file:
    file.writelines(f"import site; site.addsitedir({path!r})\n" for path in folders)
EOF
export PATH="$WORK/venv/bin:$PATH" VIRTUAL_ENV="$WORK/venv"

step "packages"
needs=("scikit-build-core>=0.11" "nanobind>=3,<4" packaging pathspec "pytest>=8" pytest-timeout
  hypothesis numpy filelock platformdirs)
for program in cmake ninja; do
  command -v "$program" >/dev/null || needs+=("$program")
done
from=()
if [[ -d "$WHEELS" ]]; then
  from=(--no-index --find-links "$WHEELS")
fi
python -m pip install -q --no-compile "${from[@]}" "${needs[@]}"
python - <<'EOF'
import importlib.metadata as metadata, platform, sys
names = ("torch", "cupy-cuda13x", "cupy-cuda12x", "numpy", "nanobind", "scikit-build-core", "pytest")
found = {one: metadata.version(one) for one in names if any(metadata.distributions(name=one))}
print(platform.python_version(), found)
EOF
nvcc --version | tail -n 2
"${CXX:-g++}" --version | head -n 1

step "tain"
CMAKE_BUILD_PARALLEL_LEVEL="$(nproc)" python -m pip install -q --no-index --no-deps \
  --no-build-isolation --no-compile -Cbuild-dir="$WORK/build" -Ccmake.define.TAIN_LTO=OFF .

step "the tests"
python -m pytest -q -p no:cacheprovider --no-skips --timeout=120 --durations=5 \
  tests/with_gpu "$@"
step "done"
