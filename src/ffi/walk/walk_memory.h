// SPDX-License-Identifier: Apache-2.0
// The memory of the walks of one functor: shared objects, types, and which methods are overridden.
#pragma once

#include <typeinfo>
#include <utility>
#include <vector>

#include "tain/internal/graph_walk.h"
#include "values/container_detail.h"
#include "walk/walk_cursor.h"
#include "walk/walk_type.h"

namespace tain::internal {

inline Any ShareObject(TainObject* object) noexcept {
  IncRef(object);
  return Any::Steal(ViewOfObject(object));
}

/// Whether objects of a type are nodes for functions and visitors that list no types: all but
/// texts, numbers and opaque values of the host.
inline bool IsGraphNode(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainStr:
    case kTainBytes:
    case kTainBigInt:
    case kTainOpaquePyObject: return false;
    default: return type_index >= kTainStaticObjectBegin;
  }
}

/// A table of objects, which it keeps alive, with a Value for each.
template <class Value>
class HeldTable : NotCopied {
 public:
  HeldTable() noexcept = default;
  ~HeldTable() { Clear(); }

  /// Returns the entry of an object, and whether it is new. Valid until the next Insert.
  std::pair<Value*, bool> Insert(TainObject* object) {
    if (2 * (size_ + 1) > slots_.size()) Grow();
    Slot& slot = slots_[PlaceOf(object)];
    if (slot.key != nullptr) return {&slot.value, false};
    IncRef(object);
    slot.key = object;
    ++size_;
    return {&slot.value, true};
  }
  /// Returns the entry of an object, or null.
  Value* Find(TainObject* object) noexcept {
    if (size_ == 0) return nullptr;
    Slot& slot = slots_[PlaceOf(object)];
    return slot.key == nullptr ? nullptr : &slot.value;
  }
  /// Drops all entries. This may run foreign code.
  void Clear() noexcept {
    if (size_ == 0) return;
    size_ = 0;
    std::vector<Slot> old;
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.key == nullptr) continue;
      slot.value = Value();
      DecRef(slot.key);
    }
  }

 private:
  struct Slot {
    TainObject* key = nullptr;
    [[no_unique_address]] Value value;
  };
  size_t PlaceOf(const TainObject* object) const noexcept {
    const size_t mask = slots_.size() - 1;
    size_t at = (reinterpret_cast<uintptr_t>(object) * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (slots_[at].key != nullptr && slots_[at].key != object) at = (at + 1) & mask;
    return at;
  }
  void Grow() {
    std::vector<Slot> larger(std::max<size_t>(16, 2 * slots_.size()));
    larger.swap(slots_);
    for (Slot& slot : larger) {
      if (slot.key != nullptr) slots_[PlaceOf(slot.key)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  size_t size_ = 0;
};

/// The action of a walk on objects of a type.
enum class WalkAction : uint8_t {
  kUnknown,
  kLeaf,  ///< nothing
  kWalk,  ///< goes through the parts
  kCall   ///< calls methods first
};

/// The record of a functor about a type.
struct WalkEntry {
  const WalkType* type = nullptr;
  const TainAny* attribute = nullptr;  ///< `__s_visit__` or `__s_mutate__`
  uint32_t run = 0;                    ///< the outermost walk that has looked last
  int32_t slot = 0;
  WalkAction action = WalkAction::kUnknown;
  PartsOf form = PartsOf::kNothing;
  bool is_node = false;

  bool has_parts() const noexcept {
    return attribute != nullptr ||
           (form == PartsOf::kFields ? !type->fields.empty() : form != PartsOf::kNothing);
  }
};

/// The memory of visitors and mutators.
struct WalkMemory {
  std::vector<WalkEntry> entries;      ///< by type index
  std::vector<bool> default_slots;     ///< VisitExpr_ methods that nobody overrides
  bool expr_is_default = false;        ///< the same of VisitExpr
  bool default_is_default = false;     ///< the same of VisitExprDefault_
  const std::type_info* of = nullptr;  ///< the class of which the above is known
  uint32_t run = 0;                    ///< outermost walks so far
  uint32_t steps = 0;                  ///< since signals were checked
  int32_t depth = 0;                   ///< walks under way
  int32_t post_orders = 0;             ///< those in post-order among them
  const void* thread = nullptr;        ///< in which they are
  TainObject* in_expr = nullptr;       ///< whose VisitExpr is called
  TainObject* in_method = nullptr;     ///< whose method is called, if it may be changed in place

  /// Returns what is known of a type. `functor` has FindSlot and IsNode.
  template <class Functor>
  WalkEntry& EntryOf(int32_t type_index, Functor&& functor) {
    const auto at = static_cast<size_t>(type_index);
    if (TAIN_UNLIKELY(at >= entries.size() || entries[at].run != run)) {
      Look(type_index, functor(type_index));
    }
    return entries[at];
  }
  /// Sets the action of a type, once its methods were called.
  void Settle(WalkEntry& entry) const noexcept;
  bool IsDefault(int32_t slot) const noexcept {
    return slot == 0 || (static_cast<size_t>(slot) < default_slots.size() &&
                         default_slots[static_cast<size_t>(slot)]);
  }
  void SetDefault(int32_t slot);
  /// Begins a walk of a functor of a class; null if its methods can change. Throws RuntimeError in
  /// another thread, RecursionError if little of the C stack is left.
  void Begin(const std::type_info* functor);

  /// The answer of the functor about a type.
  struct Known {
    int32_t slot;
    bool is_node;
    const TainAny* attribute;
  };
  void Look(int32_t type_index, const Known& known);
};

struct VisitorMemory : WalkMemory {
  struct Nothing {};
  HeldTable<Nothing> met;         ///< objects that are not visited again
  std::vector<WalkCursor> spare;  ///< memory for the next walk
};

struct MutatorMemory : WalkMemory {
  enum class State : uint8_t { kUnderWay, kMetAgain, kFailed, kSame, kChanged };
  struct Result {
    State state = State::kUnderWay;
    Any value;
  };
  HeldTable<Result> results;
};

}  // namespace tain::internal
