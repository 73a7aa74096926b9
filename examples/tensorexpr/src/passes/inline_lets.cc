// SPDX-License-Identifier: Apache-2.0
// The pass that puts the values of let-bound variables in their places; see passes.h.
#include <tain/graph/visit.h>

#include "passes/passes.h"
#include "tir/same.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

bool IsUsed(const VarNode* var, const tain::Any& body) {
  bool found = false;
  tain::PreOrderVisit(body, [&](const tain::Any& node) {
    found = found || node.as<VarNode>() == var;
    return !found;
  });
  return found;
}

bool IsSmall(const PrimExpr& value) {
  return value.as<VarNode>() != nullptr || value.as<IntImmNode>() != nullptr ||
         value.as<FloatImmNode>() != nullptr;
}

}  // namespace

Stmt InlineLets(const Stmt& s) {
  return tain::Rewrite(s, [](const tain::Any& node) -> tain::Any {
    if (const auto* let = node.as<LetNode>()) {
      const bool goes = IsSmall(let->value) || !IsUsed(let->var.get(), tain::Any(let->body));
      if (!goes || !IsConstant(let->value)) return {};
      return Substitute(let->body, {{let->var.get(), let->value}});
    }
    if (const auto* let = node.as<LetStmtNode>()) {
      const bool goes = IsSmall(let->value) || !IsUsed(let->var.get(), tain::Any(let->body));
      if (!goes || !IsConstant(let->value)) return {};
      return Substitute(let->body, {{let->var.get(), let->value}});
    }
    return {};
  });
}

}  // namespace tensorexpr
