// SPDX-License-Identifier: Apache-2.0
// A check for functions of expressions that call themselves.
#pragma once

#include <tain/graph/functor.h>

#include "expr.h"

namespace tensorexpr {

/// Throws RecursionError if the C stack is nearly used up.
inline void CheckStack(const PrimExpr& e) {
  struct Check : tain::ExprFunctor<void(const PrimExpr&)> {
    void VisitExprDefault_(const tain::Object*) override {}
  };
  Check().VisitExpr(e);  // which checks it, as every functor does
}

}  // namespace tensorexpr
