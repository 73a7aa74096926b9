// SPDX-License-Identifier: Apache-2.0
// The open objects of a walk: those whose parts are being walked, from the root to the innermost.
//
// The first `held_` of them are held, because foreign code has run since they were opened. Each of
// the others has its parent's reference, and nothing has run that could drop it.
#pragma once

#include <vector>

#include "tain/signals.h"
#include "walk/walk_cursor.h"
#include "walk/walk_memory.h"

namespace tain::internal {

/// The base of walks. A Walk has `OpenPart(part, is_last)`, `OpenMade(field)` and `End()`, which ends
/// the innermost object. Each open one is a C, a WalkCursor; kAttributeOf returns the function of a
/// type.
template <class Walk, class Functor, class Memory, class C, auto kAttributeOf>
class OpenObjects : NotCopied {
 protected:
  using Cursor = C;
  static constexpr uint64_t kStepsPerCheck = 4096;

  explicit OpenObjects(Functor& functor) : functor_(functor), memory_(MemoryOf(functor)) {
    memory_.Begin(functor.forgets_ ? nullptr : &typeid(functor));
    outcome_ = functor.outcome_;
    in_expr_ = std::exchange(memory_.in_expr, nullptr);
  }

  /// Gives the functor back what the walk around this one had. Returns whether there is none.
  bool EndWalk() noexcept {
    memory_.in_expr = in_expr_;
    functor_.outcome_ = outcome_;
    return --memory_.depth == 0;
  }
  WalkEntry& EntryOf(const TainObject* object) {
    return memory_.EntryOf(object->type_index, [&](int32_t type_index) {
      return WalkMemory::Known{functor_.FindSlot(type_index), functor_.IsNode(type_index),
                               kAttributeOf(type_index)};
    });
  }
  /// Goes on as long as an object is open.
  void Finish() {
    while (!open_.empty()) {
      if (TAIN_UNLIKELY((++memory_.steps & (kStepsPerCheck - 1)) == 0)) {
        HoldAll();
        check_signals();
      }
      Step();
    }
  }
  /// Opens the next part of the innermost object, or ends that.
  void Step() {
    auto* const walk = static_cast<Walk*>(this);
    Cursor& top = open_.back();
    switch (top.form) {
      case PartsOf::kFields: {
        const auto count = static_cast<int64_t>(top.type->fields.size());
        while (top.next < count) {
          const WalkField& field = top.type->fields[static_cast<size_t>(top.next++)];
          if (TAIN_UNLIKELY(field.form == WalkForm::kGetter)) return walk->OpenMade(field);
          TainObject* part = FieldPart(top.object, field);
          if (part != nullptr) return walk->OpenPart(part, top.next == count);
        }
        break;
      }
      case PartsOf::kSequence:
        if (TainObject* part = NextOfSequence(top)) {
          return walk->OpenPart(part, top.next == SeqSize(top.object));
        }
        break;
      case PartsOf::kMap:
        if (TainObject* part = NextObjectInMap(top, maps_.back())) {
          return walk->OpenPart(part, false);
        }
        break;
      default: break;
    }
    walk->End();
  }
  /// Holds all open objects, because foreign code will run.
  void HoldAll() noexcept {
    for (; held_ < open_.size(); ++held_) IncRef(open_[held_].object);
  }
  /// Closes the innermost object.
  void CloseInnermost() noexcept {
    const WalkCursor top = open_.back();
    open_.pop_back();
    if (top.form == PartsOf::kMap) maps_.pop_back();
    if (open_.size() >= held_) return;
    held_ = open_.size();
    DecRef(top.object);
  }
  /// Returns the object that a getter makes of a field of the innermost object, which `made` holds;
  /// null if it is none.
  TainObject* MadePart(const WalkField& field, Any* made) {
    HoldAll();
    const TainAny view = FieldView(open_.back().object, *field.def, made);
    return view.type_index < kTainStaticObjectBegin ? nullptr : view.v_obj;
  }

  Functor& functor_;
  Memory& memory_;
  Outcome outcome_;  ///< of the walk around this one, as is `in_expr_`
  TainObject* in_expr_;
  std::vector<Cursor> open_;
  std::vector<MapCursor> maps_;  ///< one for each open map
  size_t held_ = 0;

 private:
  static Memory& MemoryOf(Functor& functor) {
    if (functor.memory_ == nullptr) functor.memory_ = std::make_unique<Memory>();
    return *functor.memory_;
  }
};

/// Whether an entry's object is a container without parts, which a walk need not open.
inline bool IsEmptyContainer(const TainObject* object, const WalkEntry& entry) noexcept {
  if (entry.action != WalkAction::kWalk) return false;
  return (entry.form == PartsOf::kSequence && SeqSize(object) == 0) ||
         (entry.form == PartsOf::kMap && MapSize(object) == 0);
}

}  // namespace tain::internal
