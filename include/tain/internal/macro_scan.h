// SPDX-License-Identifier: Apache-2.0
// TAIN_INTERNAL_SCAN: macros that go through a list of arguments, a step in each scan of the text.
//
// A step ends in `__VA_OPT__(STEP_AGAIN TAIN_INTERNAL_PARENS(...))`, where STEP_AGAIN() is STEP: a
// macro is not expanded inside of itself, but it is when the text is scanned again.
#pragma once

#define TAIN_INTERNAL_PARENS ()
// At most 86 arguments.
#define TAIN_INTERNAL_SCAN(...) \
  TAIN_INTERNAL_SCAN3(TAIN_INTERNAL_SCAN3(TAIN_INTERNAL_SCAN3(TAIN_INTERNAL_SCAN3(__VA_ARGS__))))
// At most 22 arguments.
#define TAIN_INTERNAL_SCAN3(...) \
  TAIN_INTERNAL_SCAN2(TAIN_INTERNAL_SCAN2(TAIN_INTERNAL_SCAN2(TAIN_INTERNAL_SCAN2(__VA_ARGS__))))
#define TAIN_INTERNAL_SCAN2(...) \
  TAIN_INTERNAL_SCAN1(TAIN_INTERNAL_SCAN1(TAIN_INTERNAL_SCAN1(TAIN_INTERNAL_SCAN1(__VA_ARGS__))))
#define TAIN_INTERNAL_SCAN1(...) __VA_ARGS__
