// SPDX-License-Identifier: Apache-2.0
// The passes that unroll and vectorize loops; see passes.h.
#include <tain/graph/functor.h>
#include <tain/graph/visit.h>

#include "passes/passes.h"
#include "tir/ops.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

Stmt WithKind(const ForNode& loop, ForKind kind) {
  return Stmt(tain::make_object<ForNode>(loop.loop_var, loop.min, loop.extent, kind, loop.body));
}

/// The number of statements in a statement.
int64_t Size(const Stmt& s) {
  int64_t size = 0;
  tain::PreOrderVisit(s, [&](const tain::Any& node) {
    size += node.as<StmtNode>() != nullptr ? 1 : 0;
    return node.as<PrimExprNode>() == nullptr;
  });
  return size;
}

/// Puts vectors in the place of a loop variable. A part that has no vector form ends the attempt.
class Vectorizer
    : public tain::ExprFunctor<PrimExpr(const PrimExpr&), VarNode, IntImmNode, FloatImmNode,
                               AddNode, SubNode, MulNode, DivNode, MinNode, MaxNode, CastNode,
                               BufferLoadNode, CallNode, SelectNode, ComparisonNode> {
 public:
  struct Impossible {};

  /// The steps of a loop from `first` on, `lanes` many.
  Vectorizer(const ForNode& loop, int64_t first, int64_t lanes)
      : var_(loop.loop_var.get()),
        lanes_(lanes),
        ramp_(Ramp(Add(loop.min, IntConst(first, loop.loop_var->dtype)),
                   IntConst(1, loop.loop_var->dtype), lanes)) {}

  Stmt Store(const BufferStoreNode& s) {
    Exprs indices = Indices(s.indices);
    if (indices.empty() || indices.back()->dtype.lanes == 1) throw Impossible();
    return Stmt(tain::make_object<BufferStoreNode>(s.buffer, Broadcast(VisitExpr(s.value), lanes_),
                                                   indices));
  }

  PrimExpr VisitExpr_(const VarNode* e) override {
    return e == var_ ? ramp_ : tain::GetRef<PrimExpr>(e);
  }
  PrimExpr VisitExpr_(const IntImmNode* e) override { return tain::GetRef<PrimExpr>(e); }
  PrimExpr VisitExpr_(const FloatImmNode* e) override { return tain::GetRef<PrimExpr>(e); }
  PrimExpr VisitExpr_(const AddNode* e) override {
    const auto [a, b] = Parts(e);
    if (const auto* ramp = a.as<RampNode>(); ramp != nullptr && b->dtype.lanes == 1) {
      return Ramp(Add(ramp->base, b), ramp->stride, lanes_);
    }
    if (const auto* ramp = b.as<RampNode>(); ramp != nullptr && a->dtype.lanes == 1) {
      return Ramp(Add(a, ramp->base), ramp->stride, lanes_);
    }
    return Both(*e, a, b);
  }
  PrimExpr VisitExpr_(const SubNode* e) override {
    const auto [a, b] = Parts(e);
    if (const auto* ramp = a.as<RampNode>(); ramp != nullptr && b->dtype.lanes == 1) {
      return Ramp(Sub(ramp->base, b), ramp->stride, lanes_);
    }
    return Both(*e, a, b);
  }
  PrimExpr VisitExpr_(const MulNode* e) override {
    const auto [a, b] = Parts(e);
    if (const auto* ramp = a.as<RampNode>(); ramp != nullptr && b->dtype.lanes == 1) {
      return Ramp(Mul(ramp->base, b), Mul(ramp->stride, b), lanes_);
    }
    if (const auto* ramp = b.as<RampNode>(); ramp != nullptr && a->dtype.lanes == 1) {
      return Ramp(Mul(a, ramp->base), Mul(a, ramp->stride), lanes_);
    }
    return Both(*e, a, b);
  }
  PrimExpr VisitExpr_(const DivNode* e) override {
    const auto [a, b] = Parts(e);
    if (!IsFloat(e->dtype) && (a->dtype.lanes != 1 || b->dtype.lanes != 1)) throw Impossible();
    return Both(*e, a, b);
  }
  PrimExpr VisitExpr_(const MinNode* e) override { return Chosen(e); }
  PrimExpr VisitExpr_(const MaxNode* e) override { return Chosen(e); }
  PrimExpr VisitExpr_(const ComparisonNode* e) override {
    const PrimExpr made = Plain(e);
    if (made->dtype.lanes != 1) throw Impossible();  // only Select knows the size of masks
    return made;
  }
  PrimExpr VisitExpr_(const SelectNode* e) override {
    const auto* test = e->condition.as<ComparisonNode>();
    if (test == nullptr || test->a->dtype.bits != e->dtype.bits || IsBool(test->a->dtype))
      throw Impossible();
    CheckWidth(e->dtype);
    const auto [a, b] = Parts(test);
    const PrimExpr x = VisitExpr(e->true_value), y = VisitExpr(e->false_value);
    // A mask has as many lanes as what it chooses from, also if the condition is the same for all.
    const int lanes = std::max({a->dtype.lanes, b->dtype.lanes, x->dtype.lanes, y->dtype.lanes});
    return Select(RemakeBinary(*test, Broadcast(a, lanes), Broadcast(b, lanes)), x, y);
  }
  PrimExpr VisitExpr_(const CastNode* e) override {
    const PrimExpr value = VisitExpr(e->value);
    if (value->dtype.lanes != 1 && (IsBool(e->dtype) || IsBool(value->dtype))) throw Impossible();
    return CastTo(value, WithLanes(e->dtype, value->dtype.lanes));
  }
  PrimExpr VisitExpr_(const BufferLoadNode* e) override {
    return PrimExpr(tain::make_object<BufferLoadNode>(e->buffer, Indices(e->indices)));
  }
  PrimExpr VisitExpr_(const CallNode* e) override {
    const std::string_view op(e->op);
    if (!IsFloat(e->dtype) || op == "if_then_else" || op.starts_with("call_")) return Unmoved(e);
    Exprs args;
    int lanes = 1;
    for (const PrimExpr& one : e->args) {
      args.push_back(VisitExpr(one));
      lanes = std::max<int>(lanes, args.back()->dtype.lanes);
    }
    Exprs wide;
    for (const PrimExpr& one : args) wide.push_back(Broadcast(one, lanes));
    return PrimExpr(tain::make_object<CallNode>(WithLanes(e->dtype, lanes), e->op, wide));
  }
  PrimExpr VisitExprDefault_(const tain::Object* e) override {
    return Unmoved(static_cast<const PrimExprNode*>(e));
  }

 private:
  /// An expression of any kind that does not use the variable.
  PrimExpr Unmoved(const PrimExprNode* e) {
    const PrimExpr self = tain::GetRef<PrimExpr>(e);
    if (UsesVar(self, [&](const VarNode* var) { return var == var_; })) throw Impossible();
    return self;
  }
  std::pair<PrimExpr, PrimExpr> Parts(const BinaryNode* e) {
    return {VisitExpr(e->a), VisitExpr(e->b)};
  }
  PrimExpr Plain(const BinaryNode* e) {
    const auto [a, b] = Parts(e);
    return Both(*e, a, b);
  }
  /// A choice by masks. Of vectors that are wider than a register, gcc 12 makes no code of some.
  PrimExpr Chosen(const BinaryNode* e) {
    CheckWidth(e->dtype);
    return Plain(e);
  }
  void CheckWidth(DType dtype) const {
    if (lanes_ * dtype.bits / 8 > 64) throw Impossible();
  }
  PrimExpr Both(const BinaryNode& e, const PrimExpr& a, const PrimExpr& b) {
    const int lanes = std::max<int>(a->dtype.lanes, b->dtype.lanes);
    if (lanes != 1 && IsBool(a->dtype)) throw Impossible();
    return RemakeBinary(e, Broadcast(a, lanes), Broadcast(b, lanes));
  }
  /// Indices whose last one alone may be a vector, of equal steps.
  Exprs Indices(const Exprs& all) {
    Exprs made;
    for (size_t i = 0; i < all.size(); ++i) {
      made.push_back(VisitExpr(all[i]));
      const bool is_vector = made.back()->dtype.lanes != 1;
      if (is_vector && (i + 1 != all.size() || made.back().as<RampNode>() == nullptr))
        throw Impossible();
    }
    return made;
  }

  const VarNode* var_;
  int64_t lanes_;
  PrimExpr ramp_;
};

/// The bytes of a vector register of this processor. Of wider vectors gcc makes slow code.
int64_t RegisterBytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 64;
  if (__builtin_cpu_supports("avx2")) return 32;
#endif
  return 16;
}

/// Returns the body of a loop as steps on vectors, or nothing.
std::optional<Stmt> Vectorized(const ForNode& loop) {
  const std::optional<int64_t> lanes = AsInt(loop.extent);
  if (!lanes || *lanes < 2 || *lanes > 64 || (*lanes & (*lanes - 1)) != 0) return std::nullopt;
  std::vector<Stmt> parts{loop.body};
  if (const auto* seq = loop.body.as<SeqStmtNode>()) parts.assign(seq->seq.begin(), seq->seq.end());
  std::vector<Stmt> made;
  try {
    for (const Stmt& one : parts) {
      const auto* store = one.as<BufferStoreNode>();
      if (store == nullptr || store->value->dtype.lanes != 1 || IsBool(store->buffer->dtype))
        return std::nullopt;
      const int64_t fit = std::max<int64_t>(RegisterBytes() * 8 / store->buffer->dtype.bits, 2);
      const int64_t step = std::min(*lanes, fit);
      for (int64_t first = 0; first < *lanes; first += step) {
        made.push_back(Vectorizer(loop, first, step).Store(*store));
      }
    }
  } catch (const Vectorizer::Impossible&) {
    return std::nullopt;
  }
  return Sequence(made);
}

}  // namespace

Stmt UnrollLoops(const Stmt& s, int64_t max_steps) {
  return tain::Rewrite(s, [max_steps](const tain::Any& node) -> tain::Any {
    const auto* loop = node.as<ForNode>();
    if (loop == nullptr || loop->kind != ForKind::kUnrolled) return {};
    const std::optional<int64_t> steps = AsInt(loop->extent);
    if (!steps || *steps > max_steps / Size(loop->body)) return WithKind(*loop, ForKind::kUnrolled);
    std::vector<Stmt> parts;
    for (int64_t i = 0; i < *steps; ++i) {
      const PrimExpr at = Add(loop->min, IntConst(i, loop->loop_var->dtype));
      parts.push_back(Substitute(loop->body, {{loop->loop_var.get(), at}}));
    }
    return Sequence(parts);
  });
}

Stmt VectorizeLoops(const Stmt& s, bool is_on) {
  return tain::Rewrite(s, [is_on](const tain::Any& node) -> tain::Any {
    const auto* loop = node.as<ForNode>();
    if (loop == nullptr || loop->kind != ForKind::kVectorized) return {};
    if (!is_on) return WithKind(*loop, ForKind::kSerial);
    std::optional<Stmt> made = Vectorized(*loop);
    return made ? tain::Any(*made) : tain::Any();
  });
}

}  // namespace tensorexpr
