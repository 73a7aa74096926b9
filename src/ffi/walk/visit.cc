// SPDX-License-Identifier: Apache-2.0
// Visitors: walks that change nothing; see tain/internal/graph_walk.h.
//
// The last part of an object closes it first, so a chain needs one place among the open objects.
#include "tain/container/array.h"
#include "values/value_plan.h"
#include "walk/open_objects.h"
#include "walk/walk_hook.h"

namespace tain::internal {

class VisitWalk : OpenObjects<VisitWalk, GraphVisitor, VisitorMemory, WalkCursor, &VisitAttribute> {
 public:
  explicit VisitWalk(GraphVisitor& visitor) : OpenObjects(visitor) { open_.swap(memory_.spare); }
  ~VisitWalk() {
    while (!open_.empty()) CloseInnermost();
    open_.swap(memory_.spare);
    if (nests_) --memory_.post_orders;
    if (EndWalk()) memory_.met.Clear();
  }

  void From(TainObject* object, Hook first) {
    if (first == Hook::kExpr || object != in_expr_) {
      Open(object, first, Any());
    } else if (!CallHooks(object, first)) {
      Push(object, false);
    }
    Finish();
  }
  void PostOrder(TainObject* object, bool nests) {
    nests_ = nests;
    if (nests) ++memory_.post_orders;
    in_post_order_ = true;
    Open(object, Hook::kExpr, Any());
    Finish();
  }
  void Parts(TainObject* object) {
    if (!CallAttribute(object)) Push(object, false);
    Finish();
  }

 private:
  friend OpenObjects;

  void OpenMade(const WalkField& field) {
    Any made;
    TainObject* part = MadePart(field, &made);
    if (part != nullptr) Open(part, Hook::kExpr, std::move(made));
  }

  void OpenPart(TainObject* part, bool is_last) {
    const WalkEntry& entry = EntryOf(part);
    if (entry.action == WalkAction::kLeaf || IsEmptyContainer(part, entry)) return;
    if (!is_last || in_post_order_) return Open(part, Hook::kExpr, Any());
    if (open_.size() > held_) {
      open_.pop_back();  // neither fields nor a sequence leave anything else behind
      return Open(part, Hook::kExpr, Any());
    }
    Any held = ShareObject(part);
    CloseInnermost();
    Open(part, Hook::kExpr, std::move(held));
  }

  /// Opens an object, unless it was met before or a method handles it. `held` may hold it.
  void Open(TainObject* object, Hook first, Any held) {
    const WalkEntry& entry = EntryOf(object);
    if (entry.action == WalkAction::kLeaf) return;
    const bool is_held = held.type_index() != kTainNone;
    const bool calls = entry.action == WalkAction::kCall;
    const int32_t references = ObjectAccess::FromHeader(object)->use_count();
    if (references > 1 + (is_held ? 1 : 0) || (calls && memory_.post_orders > 0)) {
      if (!memory_.met.Insert(object).second) return;
    }
    if (calls && !in_post_order_) {
      HoldAll();
      if (!is_held) held = ShareObject(object);
      if (CallHooks(object, first) || !EntryOf(object).has_parts()) return;
    }
    const bool give = held.type_index() != kTainNone;
    Push(object, give);
    if (give) held.Release();
  }

  void Push(TainObject* object, bool held) {
    const WalkEntry& entry = EntryOf(object);
    if (entry.form == PartsOf::kNothing && !in_post_order_) return Drop(object, held);
    if (entry.form == PartsOf::kMap) maps_.emplace_back();
    open_.push_back({object, entry.type, 0, entry.form});
    if (held) held_ = open_.size();
  }
  static void Drop(TainObject* object, bool held) noexcept {
    if (held) DecRef(object);
  }

  void End() {
    if (in_post_order_) return CloseAndCall();
    CloseInnermost();
  }
  void CloseAndCall() {
    TainObject* object = open_.back().object;
    if (EntryOf(object).action != WalkAction::kCall) return CloseInnermost();
    HoldAll();
    const Any held = ShareObject(object);
    CloseInnermost();
    CallHooks(object, Hook::kExpr);
  }

  Outcome Call(Hook hook, int32_t slot, TainObject* object) {
    functor_.outcome_ = Outcome::kHandled;
    functor_.CallHook(hook, slot, object);
    return functor_.outcome_;
  }

  /// Calls the methods for an object. Returns false if its parts are still to be walked.
  bool CallHooks(TainObject* object, Hook first) {
    const WalkEntry entry = EntryOf(object);
    Outcome outcome = Outcome::kDefault;
    if (first == Hook::kExpr && entry.is_node && !memory_.expr_is_default) {
      memory_.in_expr = object;
      outcome = Call(Hook::kExpr, 0, object);
      memory_.in_expr = nullptr;
      if (outcome == Outcome::kDefault) memory_.expr_is_default = true;
    }
    if (outcome == Outcome::kDefault && !memory_.IsDefault(entry.slot)) {
      outcome = Call(Hook::kNode, entry.slot, object);
      if (outcome == Outcome::kDefault) memory_.SetDefault(entry.slot);
    }
    if (outcome == Outcome::kDefault && entry.is_node && !memory_.default_is_default) {
      outcome = Call(Hook::kDefault, 0, object);
      if (outcome == Outcome::kDefault) memory_.default_is_default = true;
    }
    if (outcome == Outcome::kHandled) return true;
    if (outcome == Outcome::kDefault) memory_.Settle(EntryOf(object));
    return !in_post_order_ && CallAttribute(object);
  }

  /// Lets the type's `__s_visit__` name the children, if it has one.
  bool CallAttribute(TainObject* object) {
    const WalkEntry entry = EntryOf(object);
    if (entry.attribute == nullptr) return false;
    HoldAll();
    Array<Any> children;
    CallWalkHook(
        *entry.attribute, &children,
        [](void* found, const Any& child) {
          static_cast<Array<Any>*>(found)->push_back(child);
          return Any();
        },
        nullptr, object);
    TainObject* list = RefAccess::Release(children);
    if (list != nullptr) Push(list, true);
    return true;
  }

  bool in_post_order_ = false;
  bool nests_ = false;
};

GraphVisitor::GraphVisitor() noexcept = default;
GraphVisitor::~GraphVisitor() = default;

void GraphVisitor::WalkFrom(TainObject* object, Hook first) {
  VisitWalk(*this).From(object, first);
}
void GraphVisitor::WalkPostOrder(TainObject* object, bool nests) {
  VisitWalk(*this).PostOrder(object, nests);
}
void GraphVisitor::WalkParts(TainObject* object) { VisitWalk(*this).Parts(object); }

}  // namespace tain::internal
