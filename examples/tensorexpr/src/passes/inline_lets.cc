// SPDX-License-Identifier: Apache-2.0
// The pass that puts the values of let-bound variables in their places; see passes.h.
#include <tain/graph/visit.h>

#include "passes/passes.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

/// Whether a value may be computed again, and wherever the variable stands: it reads no memory, which a
/// statement may have changed, and calls nothing.
bool MayMove(const PrimExpr& value) {
  bool may = true;
  tain::PreOrderVisit(value, [&](const tain::Any& node) {
    may = may && node.as<BufferLoadNode>() == nullptr && node.as<CallNode>() == nullptr;
    return may;
  });
  return may;
}

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
      if (!goes || !MayMove(let->value)) return {};
      return Substitute(let->body, {{let->var.get(), let->value}});
    }
    if (const auto* let = node.as<LetStmtNode>()) {
      const bool goes = IsSmall(let->value) || !IsUsed(let->var.get(), tain::Any(let->body));
      if (!goes || !MayMove(let->value)) return {};
      return Substitute(let->body, {{let->var.get(), let->value}});
    }
    return {};
  });
}

}  // namespace tensorexpr
