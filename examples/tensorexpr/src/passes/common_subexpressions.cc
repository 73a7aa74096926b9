// SPDX-License-Identifier: Apache-2.0
// The pass that computes equal parts of an expression once; see passes.h.
#include <tain/graph/functor.h>
#include <tain/graph/structural.h>
#include <tain/graph/visit.h>

#include <algorithm>
#include <unordered_map>

#include "passes/passes.h"
#include "tir/ops.h"
#include "tir/same.h"
#include "tir/stack.h"
#include "tir/substitute.h"

namespace tensorexpr {
namespace {

using tain::ObjectRef;

bool IsWorth(const PrimExpr& e) {
  const bool is_leaf = e.as<VarNode>() != nullptr || e.as<IntImmNode>() != nullptr ||
                       e.as<FloatImmNode>() != nullptr || e.as<StringImmNode>() != nullptr ||
                       e.as<BroadcastNode>() != nullptr || e.as<RampNode>() != nullptr;
  if (const auto* load = e.as<BufferLoadNode>()) {  // one whose place is loaded itself
    return std::any_of(load->indices.begin(), load->indices.end(),
                       [](const PrimExpr& one) { return !IsConstant(one); });
  }
  return !is_leaf && !(IsBool(e->dtype) && e->dtype.lanes != 1);
}

/// The parts that are computed when an expression is, and those that stand behind a condition or need a
/// variable that is bound there.
struct Parts {
  std::vector<PrimExpr> always, sometimes;
};

Parts PartsOf(const PrimExpr& e) {
  if (const auto* logic = e.as<LogicNode>()) return {{logic->a}, {logic->b}};
  if (const auto* binary = e.as<BinaryNode>()) return {{binary->a, binary->b}, {}};
  if (const auto* cast = e.as<CastNode>()) return {{cast->value}, {}};
  if (const auto* no = e.as<NotNode>()) return {{no->a}, {}};
  if (const auto* let = e.as<LetNode>()) return {{let->value}, {let->body}};
  if (const auto* select = e.as<SelectNode>()) {
    return {{select->condition, select->true_value, select->false_value}, {}};
  }
  if (const auto* load = e.as<BufferLoadNode>())
    return {{load->indices.begin(), load->indices.end()}, {}};
  if (const auto* call = e.as<CallNode>()) {
    if (std::string_view(call->op) == "if_then_else")
      return {{call->args[0]}, {call->args.begin() + 1, call->args.end()}};
    return {{call->args.begin(), call->args.end()}, {}};
  }
  return {};
}

/// Tells which parts of an expression are equal.
class Classes {
 public:
  explicit Classes(const PrimExpr& root) {
    std::unordered_multimap<uint64_t, const PrimExprNode*> found;
    tain::PostOrderVisit(root, [&](const tain::Any& node) {
      const auto* part = node.as<PrimExprNode>();
      if (part == nullptr) return;
      const auto e = tain::GetRef<PrimExpr>(part);
      const uint64_t hash = hashes_[part] = HashOf(e);
      if (!IsWorth(e)) return;
      const auto [begin, end] = found.equal_range(hash);
      const auto same = std::find_if(begin, end, [&](const auto& other) {
        return IsSame(tain::GetRef<PrimExpr>(other.second), e);
      });
      first_[part] = same == end ? found.emplace(hash, part)->second : same->second;
    });
  }
  /// Returns the first of the parts that are equal to one; null if it is not worth a variable.
  const PrimExprNode* Of(const PrimExpr& e) const {
    const auto known = first_.find(e.get());
    return known == first_.end() ? nullptr : known->second;
  }
  /// Throws ValueError if the parts that stand behind several conditions are too many to be written out.
  void Spend() {
    if (--left_ >= 0) return;
    TAIN_THROW(ValueError)
        << "an expression is too large: parts that stand behind several conditions "
           "are written out for each of them; compute them in a stage of their own";
  }

 private:
  /// A hash of the class and of the hashes of the parts, so that a chain takes linear time.
  uint64_t HashOf(const PrimExpr& e) const {
    const Parts parts = PartsOf(e);
    if (parts.always.empty()) return tain::StructuralHash()(e);
    auto hash = static_cast<uint64_t>(e.type_index());
    for (const std::vector<PrimExpr>* some : {&parts.always, &parts.sometimes}) {
      for (const PrimExpr& part : *some)
        hash = (hash ^ hashes_.at(part.get())) * 0x9E3779B97F4A7C15;
    }
    return hash;
  }

  std::unordered_map<const PrimExprNode*, uint64_t> hashes_;
  std::unordered_map<const PrimExprNode*, const PrimExprNode*> first_;
  int left_ = 10'000'000;
};

/// Binds the parts of an expression that stand in several places to variables.
class Sharing : tain::ExprMutator<ObjectRef> {
 public:
  explicit Sharing(Classes* classes, const Sharing* outer = nullptr)
      : classes_(classes), outer_(outer) {}

  PrimExpr Run(const PrimExpr& e) {
    Count(e);
    PrimExpr made = Part(e);
    for (auto one = bound_.rbegin(); one != bound_.rend(); ++one) {
      made = PrimExpr(tain::make_object<LetNode>(one->first, one->second, made));
    }
    return made;
  }

 private:
  struct Places {
    int count = 0;
    bool is_always = false;  ///< whether one of them is always computed
  };

  /// Counts the places of equal parts. What stands in a part that has several places is counted once.
  void Count(const PrimExpr& root) {
    bool is_always = true;
    std::vector<PrimExpr> open{root}, sometimes;
    const auto add = [&](const PrimExpr& part) {
      const PrimExprNode* first = classes_->Of(part);
      Places& places = places_[first != nullptr ? first : part.get()];
      places.is_always = places.is_always || is_always;
      if (++places.count == 1) open.push_back(part);
    };
    for (;;) {
      while (!open.empty()) {
        const Parts parts = PartsOf(open.back());
        classes_->Spend();
        open.pop_back();
        for (const PrimExpr& part : parts.always) add(part);
        sometimes.insert(sometimes.end(), parts.sometimes.begin(), parts.sometimes.end());
      }
      if (sometimes.empty()) return;
      is_always = false;  // all that is always computed is known
      const PrimExpr part = std::move(sometimes.back());
      sometimes.pop_back();
      add(part);
    }
  }

  ObjectRef VisitExpr(const ObjectRef& part) override {
    if (part.as<PrimExprNode>() != nullptr) return Part(tain::Downcast<PrimExpr>(part));
    const bool stays = part.as<BufferNode>() != nullptr || part.as<DataProducerNode>() != nullptr;
    return stays ? part : ExprMutator::VisitExpr(part);
  }

  PrimExpr Part(const PrimExpr& e) {
    CheckStack(e);
    classes_->Spend();
    const PrimExprNode* first = classes_->Of(e);
    if (first == nullptr) return e.as<VarNode>() != nullptr ? e : WithParts(e);
    for (const Sharing* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto found = scope->vars_.find(first);
      if (found != scope->vars_.end()) return found->second;
    }
    const auto found = places_.find(first);
    PrimExpr made = WithParts(e);
    if (found == places_.end() || found->second.count == 1 || !found->second.is_always) return made;
    const Var var(tain::make_object<VarNode>(tain::String("cse"), e->dtype));
    bound_.emplace_back(var, made);
    vars_.emplace(first, var);
    return var;
  }

  PrimExpr WithParts(const PrimExpr& e) {
    if (const auto* logic = e.as<LogicNode>()) {
      const PrimExpr a = Part(logic->a);
      return RemakeBinary(*logic, a, Behind(logic->b));
    }
    if (const auto* binary = e.as<BinaryNode>()) {
      const PrimExpr a = Part(binary->a);
      return RemakeBinary(*binary, a, Part(binary->b));
    }
    if (const auto* let = e.as<LetNode>()) {
      const PrimExpr value = Part(let->value), body = Behind(let->body);
      const bool is_same = value.same_as(let->value) && body.same_as(let->body);
      return is_same ? e : PrimExpr(tain::make_object<LetNode>(let->var, value, body));
    }
    if (const auto* call = e.as<CallNode>();
        call != nullptr && std::string_view(call->op) == "if_then_else") {
      Exprs args;
      args.push_back(Part(call->args[0]));
      bool is_same = args[0].same_as(call->args[0]);
      for (size_t i = 1; i < call->args.size(); ++i) {
        args.push_back(Behind(call->args[i]));
        is_same = is_same && args[i].same_as(call->args[i]);
      }
      return is_same ? e : PrimExpr(tain::make_object<CallNode>(call->dtype, call->op, args));
    }
    return tain::Downcast<PrimExpr>(ExprMutator::VisitExprDefault_(e.get()));
  }
  PrimExpr Behind(const PrimExpr& e) const { return Sharing(classes_, this).Run(e); }

  Classes* classes_;
  const Sharing* outer_;
  std::unordered_map<const PrimExprNode*, Places> places_;
  std::unordered_map<const PrimExprNode*, Var> vars_;
  /// The values, in the order in which they are computed.
  std::vector<std::pair<Var, PrimExpr>> bound_;
};

/// Goes through statements.
class StatementSharing : public tain::ExprMutator<ObjectRef, PrimExprNode, CallNode, BufferNode> {
 public:
  ObjectRef VisitExpr_(const PrimExprNode* op) override {
    const auto e = tain::GetRef<PrimExpr>(op);
    // What has effects is done as often as it is written.
    if (HasEffects(e)) return e;
    Classes classes(e);
    return Sharing(&classes).Run(e);
  }
  ObjectRef VisitExpr_(const CallNode* op) override {
    if (HasEffects(*op)) return ExprMutator::VisitExpr_(op);
    return VisitExpr_(static_cast<const PrimExprNode*>(op));
  }
  ObjectRef VisitExpr_(const BufferNode* op) override { return tain::GetRef<ObjectRef>(op); }
};

}  // namespace

Stmt ShareSubexpressions(const Stmt& s) {
  return tain::Downcast<Stmt>(StatementSharing().Mutate(ObjectRef(s)));
}

}  // namespace tensorexpr
