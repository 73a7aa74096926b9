// SPDX-License-Identifier: Apache-2.0
// Mutators: walks that make new graphs; see tain/internal/graph_walk.h.
//
// The open objects are in a list, and what their parts have become is in another. An object is
// changed in place if its parent is, and if nobody else has a reference to it when its parts are
// done.
#include "values/value_plan.h"
#include "walk/open_objects.h"
#include "walk/walk_hook.h"
#include "walk/walk_rebuild.h"

namespace tain::internal {
/// The action of the walk at the end of an object, once its parts are done.
enum class MutateOrder : uint8_t {
  kBefore,  ///< rebuilds it; the methods were called before
  kAfter,   ///< calls the methods
  kRewrite  ///< rebuilds it and calls Rewritten
};

/// The result for an object.
struct Mutated {
  bool changed = false;
  Any value;
};

/// An open object.
struct OpenMutated : WalkCursor {
  size_t first_change;  ///< in the list of changes
  bool in_place;        ///< whether it may be changed itself
  bool noted;           ///< whether the results have an entry for it
  bool in_method;       ///< whether a walk around this one holds it, too
};

class MutateWalk
    : OpenObjects<MutateWalk, GraphMutator, MutatorMemory, OpenMutated, &MutateAttribute> {
 public:
  explicit MutateWalk(GraphMutator& mutator, MutateOrder order = MutateOrder::kBefore)
      : OpenObjects(mutator), order_(order) {
    in_method_ = std::exchange(memory_.in_method, nullptr);
    if (order == MutateOrder::kAfter) ++memory_.post_orders;
  }
  ~MutateWalk() {
    while (!open_.empty()) {
      if (open_.back().noted) Forget(open_.back().object);
      Close();
    }
    if (order_ == MutateOrder::kAfter) --memory_.post_orders;
    memory_.in_method = in_method_;
    if (EndWalk()) memory_.results.Clear();
  }

  Any From(Any root, Hook first, bool owned) {
    if (root.type_index() < kTainStaticObjectBegin) return root;
    TainObject* object = root.data().v_obj;
    Mutated result;
    if (first == Hook::kExpr || object != in_expr_) {
      Open(object, first, Any(), owned);
    } else if (CallHooks(object, first, false, &result)) {
      result_ = std::move(result);
    } else {
      Push(object, {}, false, false);
    }
    Finish();
    return result_.changed ? std::move(result_.value) : std::move(root);
  }
  Any Parts(TainObject* object) {
    if (!CallAttribute(object, &result_)) {
      Push(object, {}, object == in_method_, false);
      open_.back().in_method = true;
    }
    Finish();
    return result_.changed ? std::move(result_.value) : ShareObject(object);
  }

 private:
  friend OpenObjects;
  using Result = MutatorMemory::Result;
  using State = MutatorMemory::State;

  // ---------------------------------------------------------------- parts

  void OpenMade(const WalkField& field) {
    Any made;
    TainObject* part = MadePart(field, &made);
    if (part != nullptr) Open(part, Hook::kExpr, std::move(made), false);
  }

  void OpenPart(TainObject* part, bool /*is_last*/) {
    const bool in_place = open_.back().in_place;
    const WalkEntry& entry = EntryOf(part);
    if (entry.action == WalkAction::kLeaf) return;
    if (order_ != MutateOrder::kRewrite && IsEmptyContainer(part, entry)) return;
    Open(part, Hook::kExpr, Any(), in_place);
  }

  // ---------------------------------------------------------------- an object

  /// Opens an object, unless its result is known or a method gives it. `held` may hold it.
  void Open(TainObject* object, Hook first, Any held, bool in_place) {
    const WalkEntry entry = EntryOf(object);
    if (entry.action == WalkAction::kLeaf) return;
    const bool calls = entry.action == WalkAction::kCall;
    const int32_t own = held.type_index() == kTainNone ? 1 : 2;
    bool noted = false;
    if (ObjectAccess::FromHeader(object)->use_count() > own || (calls && memory_.post_orders > 0)) {
      if (IsKnown(object)) return;
      in_place = false;
      noted = true;
    }
    if (calls && order_ == MutateOrder::kBefore) {
      HoldAll();
      if (own == 1) held = ShareObject(object);
      Mutated result;
      bool handled = false;
      try {
        handled = CallHooks(object, first, in_place, &result);
      } catch (...) {
        if (noted) Forget(object);
        throw;
      }
      if (handled) {
        if (noted) Note(object, result);
        return Deliver(std::move(result));
      }
    }
    Push(object, std::move(held), in_place, noted);
  }

  /// Delivers the result of an object that was met before; else notes that it is under way.
  bool IsKnown(TainObject* object) {
    const auto [result, is_new] = memory_.results.Insert(object);
    if (is_new) return false;
    switch (result->state) {
      case State::kFailed: result->state = State::kUnderWay; return false;
      case State::kChanged: Deliver({true, result->value}); return true;
      case State::kSame: return true;
      default: result->state = State::kMetAgain; return true;
    }
  }
  void Note(TainObject* object, const Mutated& mutated) {
    Result* result = memory_.results.Find(object);
    if (result == nullptr) return;
    if (mutated.changed && result->state == State::kMetAgain) {
      TAIN_THROW(ValueError) << "mutate: " << TypeNameOf(ShareObject(object).data())
                             << " is part of a cycle, so nothing can take its place";
    }
    result->state = mutated.changed ? State::kChanged : State::kSame;
    result->value = mutated.value;
  }
  void Forget(TainObject* object) noexcept {
    if (Result* result = memory_.results.Find(object)) result->state = State::kFailed;
  }

  void Push(TainObject* object, Any held, bool in_place, bool noted) {
    const WalkEntry& entry = EntryOf(object);
    if (entry.form == PartsOf::kMap) maps_.emplace_back();
    open_.push_back({{object, entry.type, 0, entry.form}, changes_.size(), in_place, noted, false});
    if (held.type_index() == kTainNone) return;
    held_ = open_.size();  // those before it are held since `held` was made
    held.Release();
  }

  void Close() noexcept {
    changes_.resize(open_.back().first_change);
    CloseInnermost();
  }

  /// Ends the innermost object, whose parts are done.
  void End() {
    const OpenMutated top = open_.back();
    const bool has_changes = changes_.size() > top.first_change;
    if (!has_changes && order_ == MutateOrder::kBefore && !top.noted) return Close();
    Mutated result;
    if (has_changes || order_ != MutateOrder::kBefore) {
      HoldAll();
      const Any held = ShareObject(top.object);
      EndChanged(top, has_changes, &result);
    }
    if (top.noted) {
      Note(top.object, result);
      open_.back().noted = false;
    }
    // The changes of this object end before that of its parent is added.
    Close();
    Deliver(std::move(result));
  }

  void EndChanged(const OpenMutated& top, bool has_changes, Mutated* result) {
    const bool calls = EntryOf(top.object).action == WalkAction::kCall;
    if (order_ == MutateOrder::kAfter && calls &&
        CallHooks(top.object, Hook::kExpr, false, result)) {
      return;
    }
    if (has_changes) {
      // Of the references, one is the parent's, two are held here, one by the walk around.
      const bool in_place = top.in_place && BelongsToWalk(top.object, top.in_method ? 4 : 3);
      const std::span<PartChange> changes(changes_.data() + top.first_change,
                                          changes_.size() - top.first_change);
      result->value = WithParts(top.object, *top.type, top.form, changes, in_place);
      // The parent checks what was put in a container in place.
      result->changed = result->value.data().v_obj != top.object || top.form != PartsOf::kFields;
    }
    if (order_ == MutateOrder::kRewrite && EntryOf(top.object).is_node) {
      const Any node = result->changed ? result->value : ShareObject(top.object);
      Any rewritten = functor_.Rewritten(node);
      if (rewritten.same_as(node)) return;
      result->changed = true;
      result->value = std::move(rewritten);
    }
  }

  void Deliver(Mutated result) {
    if (open_.empty()) {
      result_ = std::move(result);
      return;
    }
    if (!result.changed) return;
    const OpenMutated& top = open_.back();
    // After a key the value is next.
    const bool is_key = top.form == PartsOf::kMap && maps_.back().at_value;
    changes_.push_back({top.next - 1, is_key, std::move(result.value)});
  }

  // ---------------------------------------------------------------- methods

  Any Call(Hook hook, int32_t slot, TainObject* object) {
    functor_.outcome_ = Outcome::kHandled;
    return functor_.CallHook(hook, slot, object);
  }

  /// Calls the methods for an object. Returns false if its parts are still to be mutated.
  bool CallHooks(TainObject* object, Hook first, bool in_place, Mutated* result) {
    const WalkEntry entry = EntryOf(object);
    const auto gives = [&](Any value) {
      if (functor_.outcome_ == Outcome::kDefault) return false;
      result->changed = value.type_index() < kTainStaticObjectBegin || value.data().v_obj != object;
      if (result->changed) result->value = std::move(value);
      return true;
    };
    if (first == Hook::kExpr && entry.is_node && !memory_.expr_is_default) {
      memory_.in_expr = object;
      const bool given = gives(Call(Hook::kExpr, 0, object));
      memory_.in_expr = nullptr;
      if (given) return true;
      memory_.expr_is_default = true;
    }
    if (!memory_.IsDefault(entry.slot)) {
      memory_.in_method = in_place ? object : nullptr;
      const bool given = gives(Call(Hook::kNode, entry.slot, object));
      memory_.in_method = nullptr;
      if (given) return true;
      memory_.SetDefault(entry.slot);
    }
    if (entry.is_node && !memory_.default_is_default) {
      memory_.in_method = in_place ? object : nullptr;
      const bool given = gives(Call(Hook::kDefault, 0, object));
      memory_.in_method = nullptr;
      if (given) return true;
      memory_.default_is_default = true;
    }
    memory_.Settle(EntryOf(object));
    return CallAttribute(object, result);
  }

  /// Lets the type's `__s_mutate__` give the result, if it has one.
  bool CallAttribute(TainObject* object, Mutated* result) {
    const WalkEntry entry = EntryOf(object);
    if (entry.attribute == nullptr) return false;
    HoldAll();
    Any value = CallWalkHook(
        *entry.attribute, &functor_, nullptr,
        [](void* mutator, const Any& child) {
          return static_cast<GraphMutator*>(mutator)->MutateFrom(child, Hook::kExpr, false);
        },
        object);
    result->changed = value.type_index() < kTainStaticObjectBegin || value.data().v_obj != object;
    if (result->changed) result->value = std::move(value);
    return true;
  }

  MutateOrder order_;
  TainObject* in_method_;
  Mutated result_;  ///< of the object with which the walk began
  std::vector<PartChange> changes_;
};

GraphMutator::GraphMutator() noexcept = default;
GraphMutator::~GraphMutator() = default;

Any GraphMutator::Rewritten(const Any& value) { return value; }

Any GraphMutator::MutateFrom(Any object, Hook first, bool owned) {
  return MutateWalk(*this).From(std::move(object), first, owned);
}
Any GraphMutator::MutatePostOrder(Any object) {
  return MutateWalk(*this, MutateOrder::kAfter).From(std::move(object), Hook::kExpr, false);
}
Any GraphMutator::MutateParts(TainObject* object) { return MutateWalk(*this).Parts(object); }
Any GraphMutator::RewriteAll(Any object, bool owned) {
  return MutateWalk(*this, MutateOrder::kRewrite).From(std::move(object), Hook::kExpr, owned);
}

}  // namespace tain::internal
