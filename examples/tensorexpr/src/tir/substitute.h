// SPDX-License-Identifier: Apache-2.0
// Puts expressions in the places of variables and of elements of tensors.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "stmt.h"

namespace tensorexpr {

using VarMap = std::unordered_map<const VarNode*, PrimExpr>;
/// Returns what an element of a tensor becomes. The indices have been replaced already.
using LoadMap = std::function<PrimExpr(const ProducerLoadNode&)>;

TAIN_DLL_EXPORT PrimExpr Substitute(const PrimExpr& e, const VarMap& vars,
                                    const LoadMap& loads = nullptr);
TAIN_DLL_EXPORT Stmt Substitute(const Stmt& s, const VarMap& vars, const LoadMap& loads = nullptr);
/// Replaces the parts of an expression, each after its own parts, by what a function returns for them; none
/// is changed without a result. Buffers and tensors stay: each is one object for all that reads and writes
/// it.
TAIN_DLL_EXPORT PrimExpr RewriteExpr(
    const PrimExpr& e, const std::function<std::optional<PrimExpr>(const PrimExpr&)>& change);
/// Whether a variable for which `test` holds occurs in an expression.
TAIN_DLL_EXPORT bool UsesVar(const PrimExpr& e, const std::function<bool(const VarNode*)>& test);

}  // namespace tensorexpr
