// SPDX-License-Identifier: Apache-2.0
// Puts expressions in the places of variables and of elements of tensors.
#pragma once

#include <functional>
#include <unordered_map>

#include "stmt.h"

namespace tensorexpr {

using VarMap = std::unordered_map<const VarNode*, PrimExpr>;
/// Returns what an element of a tensor becomes. The indices have been replaced already.
using LoadMap = std::function<PrimExpr(const ProducerLoadNode&)>;

PrimExpr Substitute(const PrimExpr& e, const VarMap& vars, const LoadMap& loads = nullptr);
Stmt Substitute(const Stmt& s, const VarMap& vars, const LoadMap& loads = nullptr);
/// Whether a variable for which `test` holds occurs in an expression.
bool UsesVar(const PrimExpr& e, const std::function<bool(const VarNode*)>& test);

}  // namespace tensorexpr
