// SPDX-License-Identifier: Apache-2.0
// Equality of expressions; see same.h.
#include "same.h"

#include <tain/graph/visit.h>

#include <cstring>

#include "buffer.h"

namespace tensorexpr {
namespace {

constexpr int kMostPairs = 2000;  ///< shared parts are met again and again
constexpr int kDeepest = 100;

class Comparison {
 public:
  bool Same(PrimExpr a, PrimExpr b, int depth) {
    const BinaryNode* x = nullptr;
    for (;; a = x->a) {  // long sums lean to the left
      if (a.same_as(b)) return true;
      if (a.type_index() != b.type_index() || !(a->dtype == b->dtype)) return false;
      if (depth > kDeepest || --left_ < 0) return false;
      x = a.as<BinaryNode>();
      if (x == nullptr) break;
      const auto* y = b.as<BinaryNode>();
      if (!Same(x->b, y->b, depth + 1)) return false;
      b = y->a;
    }
    if (const auto* x = a.as<IntImmNode>()) return x->value == b.as<IntImmNode>()->value;
    if (const auto* x = a.as<FloatImmNode>()) {
      return std::memcmp(&x->value, &b.as<FloatImmNode>()->value, sizeof(double)) == 0;
    }
    if (const auto* x = a.as<CastNode>()) return Same(x->value, b.as<CastNode>()->value, depth + 1);
    if (const auto* x = a.as<NotNode>()) return Same(x->a, b.as<NotNode>()->a, depth + 1);
    if (const auto* x = a.as<BroadcastNode>()) {
      return Same(x->value, b.as<BroadcastNode>()->value, depth + 1);
    }
    if (const auto* x = a.as<RampNode>()) {
      const auto* y = b.as<RampNode>();
      return Same(x->base, y->base, depth + 1) && Same(x->stride, y->stride, depth + 1);
    }
    if (const auto* x = a.as<SelectNode>()) {
      const auto* y = b.as<SelectNode>();
      return Same(x->condition, y->condition, depth + 1) &&
             Same(x->true_value, y->true_value, depth + 1) &&
             Same(x->false_value, y->false_value, depth + 1);
    }
    if (const auto* x = a.as<CallNode>()) {
      const auto* y = b.as<CallNode>();
      return !HasEffects(*x) && x->op == y->op && All(x->args, y->args, depth);
    }
    if (const auto* x = a.as<BufferLoadNode>()) {
      const auto* y = b.as<BufferLoadNode>();
      return x->buffer.same_as(y->buffer) && All(x->indices, y->indices, depth);
    }
    if (const auto* x = a.as<ProducerLoadNode>()) {
      const auto* y = b.as<ProducerLoadNode>();
      return x->producer.same_as(y->producer) && All(x->indices, y->indices, depth);
    }
    return false;
  }

 private:
  bool All(const Exprs& a, const Exprs& b, int depth) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Same(a[i], b[i], depth + 1)) return false;
    }
    return true;
  }

  int left_ = kMostPairs;
};

}  // namespace

bool HasEffects(const CallNode& call) {
  const std::string_view op(call.op);
  return op.starts_with("call_") || op.starts_with("tvm_");
}

bool HasEffects(const PrimExpr& e) {
  bool has_effects = false;
  tain::PreOrderVisit(e, [&](const tain::Any& node) {
    const auto* call = node.as<CallNode>();
    if (call != nullptr && HasEffects(*call)) has_effects = true;
    return !has_effects;
  });
  return has_effects;
}

bool IsConstant(const PrimExpr& e) {
  bool is_constant = true;
  tain::PreOrderVisit(e, [&](const tain::Any& node) {
    const auto* call = node.as<CallNode>();
    if (node.as<BufferLoadNode>() != nullptr || (call != nullptr && HasEffects(*call)))
      is_constant = false;
    return is_constant;
  });
  return is_constant;
}

bool IsSame(const PrimExpr& a, const PrimExpr& b) { return Comparison().Same(a, b, 0); }

}  // namespace tensorexpr
