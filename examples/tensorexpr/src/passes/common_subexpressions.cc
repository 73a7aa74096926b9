// SPDX-License-Identifier: Apache-2.0
// The pass that computes equal parts of an expression once; see passes.h.
#include <tain/graph/structural.h>
#include <tain/graph/visit.h>

#include <unordered_map>
#include <unordered_set>

#include "passes/passes.h"
#include "tir/ops.h"
#include "tir/same.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

/// Whether computing an expression twice, or earlier, changes nothing but time.
bool IsPure(const PrimExpr& e) {
  const auto* call = e.as<CallNode>();
  return call == nullptr || !HasEffects(*call);
}

bool IsWorth(const PrimExpr& e) {
  const bool is_leaf = e.as<VarNode>() != nullptr || e.as<IntImmNode>() != nullptr ||
                       e.as<FloatImmNode>() != nullptr || e.as<StringImmNode>() != nullptr ||
                       e.as<BufferLoadNode>() != nullptr || e.as<BroadcastNode>() != nullptr ||
                       e.as<RampNode>() != nullptr;
  return !is_leaf && !(IsBool(e->dtype) && e->dtype.lanes != 1);
}

/// The parts of an expression that are always computed when it is: what stands behind a condition may not
/// be computed where the condition does not hold.
std::vector<PrimExpr> PartsOf(const PrimExpr& e) {
  if (const auto* logic = e.as<LogicNode>()) return {logic->a};
  if (const auto* binary = e.as<BinaryNode>()) return {binary->a, binary->b};
  if (const auto* cast = e.as<CastNode>()) return {cast->value};
  if (const auto* no = e.as<NotNode>()) return {no->a};
  if (const auto* select = e.as<SelectNode>()) {
    return {select->condition, select->true_value, select->false_value};
  }
  if (const auto* load = e.as<BufferLoadNode>())
    return {load->indices.begin(), load->indices.end()};
  if (const auto* call = e.as<CallNode>()) {
    if (std::string_view(call->op) == "if_then_else") return {call->args[0]};
    return {call->args.begin(), call->args.end()};
  }
  return {};
}

/// Counts the places of equal parts of an expression.
class Counter {
 public:
  explicit Counter(const PrimExpr& root) {
    std::vector<PrimExpr> open{root};
    std::unordered_set<const PrimExprNode*> known;
    for (size_t next = 0; next < open.size(); ++next) {
      const PrimExpr e = open[next];
      if (!IsPure(e)) continue;
      for (const PrimExpr& part : PartsOf(e)) {
        if (IsWorth(part) && ++counts_[part] == 1) order_.push_back(part);
        if (known.insert(part.get()).second) open.push_back(part);
      }
    }
  }

  /// Returns a part that occurs twice and is in no larger one that does, if there is one.
  std::optional<PrimExpr> Repeated() const {
    for (const PrimExpr& one : order_) {
      if (counts_.at(one) > 1) return one;
    }
    return std::nullopt;
  }

 private:
  std::unordered_map<PrimExpr, int, tain::StructuralHash, SameExpr> counts_;
  std::vector<PrimExpr> order_;
};

PrimExpr Shared(const PrimExpr& e, int limit) {
  const std::optional<PrimExpr> part = Counter(e).Repeated();
  if (!part || limit == 0) return e;
  const Var var(tain::make_object<VarNode>(tain::String("cse"), (*part)->dtype));
  const PrimExpr body = RewriteExpr(e, [&](const PrimExpr& one) -> std::optional<PrimExpr> {
    if (!IsSame(one, *part)) return std::nullopt;
    return var;
  });
  return PrimExpr(
      tain::make_object<LetNode>(var, Shared(*part, limit - 1), Shared(body, limit - 1)));
}

}  // namespace

Stmt ShareSubexpressions(const Stmt& s) {
  return tain::Rewrite(s, [](const tain::Any& node) -> tain::Any {
    const auto* store = node.as<BufferStoreNode>();
    if (store == nullptr) return {};
    const PrimExpr value = Shared(store->value, 256);
    if (value.same_as(store->value)) return {};
    return Stmt(tain::make_object<BufferStoreNode>(store->buffer, value, store->indices));
  });
}

}  // namespace tensorexpr
