// SPDX-License-Identifier: Apache-2.0
// Substitution; see substitute.h.
#include "substitute.h"

#include <tain/graph/functor.h>
#include <tain/graph/visit.h>

#include "ops.h"

namespace tensorexpr {
namespace {

using tain::ObjectRef;

class Substituter
    : public tain::ExprMutator<ObjectRef, VarNode, BinaryNode, CastNode, ProducerLoadNode> {
 public:
  Substituter(const VarMap& vars, const LoadMap& loads) : vars_(vars), loads_(loads) {}

  ObjectRef VisitExpr_(const VarNode* op) override {
    const auto found = vars_.find(op);
    return found == vars_.end() ? tain::GetRef<ObjectRef>(op) : ObjectRef(found->second);
  }
  ObjectRef VisitExpr_(const BinaryNode* op) override {
    const PrimExpr a = Part(op->a), b = Part(op->b);
    if (a.same_as(op->a) && b.same_as(op->b)) return tain::GetRef<ObjectRef>(op);
    return RemakeBinary(*op, a, b);
  }
  ObjectRef VisitExpr_(const CastNode* op) override {
    const PrimExpr value = Part(op->value);
    if (value.same_as(op->value)) return tain::GetRef<ObjectRef>(op);
    return CastTo(value, op->dtype);
  }
  ObjectRef VisitExpr_(const ProducerLoadNode* op) override {  // what is below a tensor stays
    bool is_new = false;
    Exprs indices;
    for (const PrimExpr& one : op->indices) {
      indices.push_back(Part(one));
      is_new = is_new || !indices.back().same_as(one);
    }
    const auto load = is_new ? tain::Ref<ProducerLoadNode>(
                                   tain::make_object<ProducerLoadNode>(op->producer, indices))
                             : tain::GetRef<tain::Ref<ProducerLoadNode>>(op);
    return loads_ ? ObjectRef(loads_(*load)) : ObjectRef(load);
  }

 private:
  PrimExpr Part(const PrimExpr& e) { return tain::Downcast<PrimExpr>(this->Mutate(ObjectRef(e))); }

  const VarMap& vars_;
  const LoadMap& loads_;
};

}  // namespace

PrimExpr Substitute(const PrimExpr& e, const VarMap& vars, const LoadMap& loads) {
  return tain::Downcast<PrimExpr>(Substituter(vars, loads).Mutate(ObjectRef(e)));
}

Stmt Substitute(const Stmt& s, const VarMap& vars, const LoadMap& loads) {
  return tain::Downcast<Stmt>(Substituter(vars, loads).Mutate(ObjectRef(s)));
}

PrimExpr RewriteExpr(const PrimExpr& e,
                     const std::function<std::optional<PrimExpr>(const PrimExpr&)>& change) {
  std::optional<std::unordered_map<const VarNode*, Buffer>> buffers;  // found when one is met
  const auto find_buffers = [&] {
    buffers.emplace();
    tain::PreOrderVisit(e, [&](const tain::Any& node) {
      const auto* buffer = node.as<BufferNode>();
      if (buffer != nullptr) buffers->emplace(buffer->data.get(), tain::GetRef<Buffer>(buffer));
      return buffer == nullptr && node.as<DataProducerNode>() == nullptr;
    });
  };
  return tain::Rewrite(e, [&](const tain::Any& node) -> tain::Any {
    if (const auto* buffer = node.as<BufferNode>()) {
      if (!buffers) find_buffers();
      const auto found = buffers->find(buffer->data.get());
      return found == buffers->end() ? tain::Any() : tain::Any(found->second);
    }
    const auto* part = node.as<PrimExprNode>();
    if (part == nullptr) return {};
    std::optional<PrimExpr> made = change(tain::GetRef<PrimExpr>(part));
    return made ? tain::Any(*std::move(made)) : tain::Any();
  });
}

bool UsesVar(const PrimExpr& e, const std::function<bool(const VarNode*)>& test) {
  bool found = false;
  tain::PreOrderVisit(e, [&](const tain::Any& node) {
    if (const auto* var = node.as<VarNode>()) found = found || test(var);
    return !found && node.as<DataProducerNode>() == nullptr;
  });
  return found;
}

}  // namespace tensorexpr
