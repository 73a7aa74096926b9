// SPDX-License-Identifier: Apache-2.0
// Wrong use: a compiler that is told to read C++17.
// expect: tain needs C++20: add -std=c++20
// options: -std=c++17
#include "tain/tain.h"
