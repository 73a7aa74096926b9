// SPDX-License-Identifier: Apache-2.0
// Whether two expressions have the same value wherever both may stand.
#pragma once

#include "expr.h"

namespace tensorexpr {

/// Whether two expressions are built in the same way of the same variables, buffers and tensors. (Structural
/// equality is something else: there, a buffer may stand for another.) False, too, if that takes too long.
TAIN_DLL_EXPORT bool IsSame(const PrimExpr& a, const PrimExpr& b);

/// Whether a call does more than compute a value of its arguments.
TAIN_DLL_EXPORT bool HasEffects(const CallNode& call);
/// Whether a call in an expression does.
TAIN_DLL_EXPORT bool HasEffects(const PrimExpr& e);
/// Whether an expression has the same value wherever its variables have the same: it reads no memory, which
/// statements change, and calls nothing that has effects.
TAIN_DLL_EXPORT bool IsConstant(const PrimExpr& e);

struct SameExpr {
  bool operator()(const PrimExpr& a, const PrimExpr& b) const { return IsSame(a, b); }
};

}  // namespace tensorexpr
