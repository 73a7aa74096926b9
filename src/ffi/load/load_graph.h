// SPDX-License-Identifier: Apache-2.0
// Builds a graph of what the readers of JSON and of the binary form find.
//
// The values of a node's fields stand in slots, one for each field of the type, until the node ends.
// A reference to a node that does not exist yet is a pending value: the object gets it at the end.
// So cycles may pass through containers and through objects that a default constructor makes.
#pragma once

#include <functional>
#include <unordered_set>

#include "load/load_complete.h"
#include "load/load_type.h"
#include "load/pending.h"

namespace tain::internal {

/// Type indices of slots without a value.
inline constexpr int32_t kSlotMissing = -101;
inline constexpr int32_t kSlotPending = -102;  ///< v_int64 is the node that is waited for

inline Any MissingSlot() noexcept {
  TainAny value{};
  value.type_index = kSlotMissing;
  return Any::Steal(value);
}
inline Any PendingSlot(int64_t target) noexcept {
  TainAny value{};
  value.type_index = kSlotPending;
  value.v_int64 = target;
  return Any::Steal(value);
}
inline bool IsPending(const Any& value) noexcept { return value.type_index() == kSlotPending; }

/// A value under a name that is no field of the type.
struct ExtraField {
  std::string name;
  Any value;
};

class GraphLoader {
 public:
  GraphLoader(const char* where, const LoadOptions& options) : where_(where), types_(options) {}

  /// Gives up the nodes of a load that failed: cuts the references between them, so that cycles are
  /// freed. If a hook or an upgrade function may have kept parts of the graph, leaves them to the
  /// collector of the host. Objects that the host has seen stay as they are, and those that only a
  /// complete constructor makes.
  void Discard(const std::vector<Any>& nodes) const noexcept;

  /// Returns a type for a node. Throws ValueError.
  LoadType& TypeOf(std::string_view key, int64_t version, uint64_t node);

  /// Pushes slots without a value for the fields of a type.
  void PushSlots(const LoadType& type);
  /// Pushes slots that hold None.
  void PushNones(const LoadType& type) { slots.resize(slots.size() + type.fields.size()); }
  /// Makes the object of a node that begins, if its type has a default constructor.
  Any Begin(LoadType& type, uint64_t node);
  /// Makes or completes the object of a node from the slots from `base` on, and pops them.
  Any Finish(LoadType& type, Any made, size_t base, std::vector<ExtraField>* extras, uint64_t node);
  /// Makes an object by the hook of its type.
  Any FinishData(LoadType& type, const Any& data, uint64_t node);

  /// Appends an element to an Array or List.
  void Push(TainObject* sequence, Any value);
  /// Adds an entry to a Map or Dict.
  void SetEntry(TainObject* map, Any key, Any value);
  /// Ends a load: resolves, and tells the collector of the host about the cycles.
  void End(const std::function<const Any*(int64_t)>& target);
  /// Gives all pending values to their objects. `target(number)` returns the node, or null.
  void Resolve(const std::function<const Any*(int64_t)>& target);
  /// Tells that a node for which pending values may wait has been made. Resolves all of them if none
  /// waits for another.
  void NoteMade(int64_t number, const std::function<const Any*(int64_t)>& target) {
    if (TAIN_LIKELY(awaited_.empty()) || awaited_.erase(number) == 0) return;
    if (WaitsForNothing()) Resolve(target);
  }
  /// A value refers to an object that is still being filled.
  void NoteOpen(const Any& object) { complete_.NoteOpen(object.data().v_obj); }
  /// An object has been filled. Returns whether the pending values that waited for it can be resolved.
  bool NoteEnd(const Any& object) {
    complete_.NoteEnd(object.data().v_obj);
    return TAIN_UNLIKELY(keys_wait_) && WaitsForNothing();
  }

  /// Throws an error that names the node.
  [[noreturn]] void FailAt(uint64_t node, const LoadType* type, const std::string& what) const;
  /// Throws an error, with the node before its message if it says that a value does not fit.
  [[noreturn]] void PassOn(const Error& error, uint64_t node, std::string_view field) const;

  std::vector<Any> slots;

 private:
  void FillMissing(LoadType& type, size_t base, uint64_t node);
  void Upgrade(LoadType& type, size_t base, std::vector<ExtraField>* extras, uint64_t node);
  void SetFields(LoadType& type, const Any& made, size_t base, uint64_t node);
  bool SetOne(const Any& made, const SaveField& field, Any* value, uint64_t node);
  Any MakeByCall(LoadType& type, size_t base, uint64_t node);
  /// Asks the conditions of a field that a constructor has set.
  void AskConditions(const Any& made, const TainFieldDef& field, uint64_t node);
  Any MakeByFields(LoadType& type, size_t base, uint64_t node);
  bool HasGaps(size_t base) const noexcept;
  void CheckNoPending(const LoadType& type, size_t base, uint64_t node) const;
  bool IsIncomplete(const Any& value) const noexcept;
  bool WaitsForNothing() const noexcept {
    return awaited_.empty() && !(keys_wait_ && complete_.HasOpen());
  }
  void AddPending(PendingValue pending);
  void CheckComplete(const Any& value, const LoadType& type, const std::string& what,
                     uint64_t node);

  const char* where_;
  LoadTypes types_;
  std::vector<PendingValue> pending_;
  std::unordered_set<int64_t> awaited_;  ///< the nodes of pending values
  CompleteObjects complete_;
  std::vector<TainAny> args_;
  bool keys_wait_ = false;   ///< an entry waits because its key is not complete
  bool called_out_ = false;  ///< a hook or an upgrade function has seen parts of the graph
  std::unordered_set<const TainObject*> incomplete_;  ///< containers with pending parts
  std::unordered_set<const TainObject*> late_;  ///< maps whose entries wait for an earlier one
};

}  // namespace tain::internal
