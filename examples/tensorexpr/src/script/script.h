// SPDX-License-Identifier: Apache-2.0
// Programs as text: as Python would write them.
#pragma once

#include "tir/stmt.h"

namespace tensorexpr {

inline constexpr const char* kScriptDoc = "The program as text, as Python would write it.";

std::string ExprScript(const PrimExpr& e);
/// Extents as a tuple of Python.
std::string ShapeScript(const Exprs& shape);
std::string StmtScript(const Stmt& s);
std::string FunctionScript(const PrimFunc& f);
std::string ModuleScript(const IRModule& m);

}  // namespace tensorexpr
