// SPDX-License-Identifier: Apache-2.0
// The public headers, for libraries that add passes: nodes, what makes them, what is known of them.
//
//   tain.cpp.load("mine", sources="mine.cc", extra_include_paths=[tensorexpr.libinfo.include_dir()],
//                 extra_ldflags=tensorexpr.libinfo.libs())
// The README has a pass; with CMake, find_package(tensorexpr) gives the target tensorexpr::tensorexpr.
#pragma once

#include "arith/analyzer.h"
#include "passes/passes.h"
#include "tir/expr.h"
#include "tir/ops.h"
#include "tir/same.h"
#include "tir/stmt.h"
#include "tir/substitute.h"
