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

/// The base of walks. An Open is a WalkCursor.
template <class Open>
class OpenObjects {
 protected:
  static constexpr uint64_t kStepsPerCheck = 4096;

  /// Calls `step` as long as an object is open.
  template <class Step>
  void StepToEnd(WalkMemory& memory, Step&& step) {
    while (!open_.empty()) {
      if (TAIN_UNLIKELY((++memory.steps & (kStepsPerCheck - 1)) == 0)) {
        HoldAll();
        check_signals();
      }
      step();
    }
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

  std::vector<Open> open_;
  std::vector<MapCursor> maps_;  ///< one for each open map
  size_t held_ = 0;
};

/// Whether an entry's object is a container without parts, which a walk need not open.
inline bool IsEmptyContainer(const TainObject* object, const WalkEntry& entry) noexcept {
  if (entry.action != WalkAction::kWalk) return false;
  return (entry.form == PartsOf::kSequence && SeqSize(object) == 0) ||
         (entry.form == PartsOf::kMap && MapSize(object) == 0);
}

}  // namespace tain::internal
