// SPDX-License-Identifier: Apache-2.0
// Visits and rewrites a graph with a function; see tain/graph/visit.h.
#include "tain/graph/visit.h"
#include "tain/reflection/global_def.h"
#include "walk/walk_memory.h"

namespace tain::internal {
namespace {

class FunctionVisitor final : public GraphVisitor {
 public:
  using Visit = bool (*)(void* context, const Any& node);
  FunctionVisitor(void* context, Visit visit) noexcept : context_(context), visit_(visit) {}
  void Run(const Any& root, bool post_order) {
    if (root.type_index() < kTainStaticObjectBegin) return;
    TainObject* object = root.data().v_obj;
    if (post_order) return WalkPostOrder(object, false);
    WalkFrom(object, Hook::kExpr);
  }

 private:
  void CallHook(Hook, int32_t, TainObject* object) override {
    const bool goes_on = visit_(context_, ShareObject(object));
    outcome_ = goes_on ? Outcome::kGoOn : Outcome::kHandled;
  }
  int32_t FindSlot(int32_t) override { return 0; }
  bool IsNode(int32_t type_index) override { return IsGraphNode(type_index); }

  void* context_;
  Visit visit_;
};

class FunctionMutator final : public GraphMutator {
 public:
  using Rewrite = Any (*)(void* context, const Any& node);
  FunctionMutator(void* context, Rewrite rewrite) noexcept : context_(context), rewrite_(rewrite) {}
  Any Run(Any root) { return RewriteAll(std::move(root), true); }

 private:
  Any CallHook(Hook, int32_t, TainObject* object) override { return ShareObject(object); }
  Any Rewritten(const Any& node) override {
    Any made = rewrite_(context_, node);
    return made == nullptr ? node : made;
  }
  int32_t FindSlot(int32_t) override { return 0; }
  bool IsNode(int32_t type_index) override { return IsGraphNode(type_index); }

  void* context_;
  Rewrite rewrite_;
};

/// Whether a result is the bool false.
bool IsFalse(const Any& value) noexcept {
  return value.type_index() == kTainBool && value.data().v_int64 == 0;
}

void VisitWithFunction(const Any& root, const Function& fn, const String& order) {
  const bool post = order == "post";
  if (!post && order != "pre") {
    TAIN_THROW(ValueError) << "visit: argument order: expected 'pre' or 'post', got "
                           << TypeAndValue(Any(order).data());
  }
  const auto call = [&](const Any& node) { return !IsFalse(fn(node)); };
  post ? PostOrderVisit(root, call) : PreOrderVisit(root, call);
}

Any RewriteWithFunction(Any root, const Function& fn) {
  return Rewrite(std::move(root), [&](const Any& node) { return fn(node); });
}

}  // namespace

void VisitGraph(const Any& root, bool post_order, void* context, FunctionVisitor::Visit visit) {
  FunctionVisitor(context, visit).Run(root, post_order);
}

Any RewriteGraph(Any root, void* context, FunctionMutator::Rewrite rewrite) {
  return FunctionMutator(context, rewrite).Run(std::move(root));
}

}  // namespace tain::internal

TAIN_REGISTER {
  using tain::arg;
  // Not thread_safe: the nodes of a graph can be changed, and `fn` may be any function.
  tain::reflection::GlobalDef()
      .def("tain.visit", &tain::internal::VisitWithFunction, arg("obj"), arg("fn"),
           arg("order") = "pre", "Calls a function for each node of a graph.")
      .def("tain.rewrite", &tain::internal::RewriteWithFunction, arg("obj"), arg("fn"),
           "Returns a graph of what a function makes of each node.");
}
