// SPDX-License-Identifier: Apache-2.0
// Wrong use: TAIN_REFLECT with a compiler that has no reflection.
// expect: "auto.h needs C++26 with reflection: gcc 16 or later, -std=c++26 -freflection"
#include "tain/reflection/auto.h"
