// SPDX-License-Identifier: Apache-2.0
// The program of the C++ tests: doctest's main, and nothing else.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
