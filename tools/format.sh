#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Format all C++ and Python sources, and apply the safe fixes of ruff.
set -euo pipefail
cd "$(dirname "$0")/.."

find include src tests/cpp tests/testing_lib examples benchmarks \
  \( -name build -prune \) -o \( -name '*.h' -o -name '*.cc' \) -print0 |
  xargs -0 --no-run-if-empty clang-format -i
ruff check --fix --quiet .
ruff format --quiet .
