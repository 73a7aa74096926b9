// SPDX-License-Identifier: Apache-2.0
// Values of a graph that wait for a node, and their places. When the nodes exist, each value is put
// in its place after what decides how it is taken: a map finds an entry by the content of its key, and
// a field checks the content of a container.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tain/any.h"
#include "tain/c_api.h"

namespace tain::internal {

struct PendingValue {
  enum class Kind : uint8_t { kField, kElement, kEntry } kind;
  Any holder;
  const TainFieldDef* field = nullptr;
  int64_t index = 0;
  Any key;
  Any value;
  uint64_t node = 0;

  TainObject* holder_object() const noexcept { return holder.data().v_obj; }
};

/// Puts values, whose nodes are known, in their places; `set_field` does so with a field.
class PendingPlaces {
 public:
  using SetField = std::function<void(PendingValue& pending)>;

  explicit PendingPlaces(SetField set_field) : set_field_(std::move(set_field)) {}
  void Put(std::vector<PendingValue> all);

 private:
  using Objects = std::unordered_set<const TainObject*>;

  void PutInto(const TainObject* holder);
  /// Completes the content of a key, or the containers that a field's value consists of.
  void Complete(const Any& value, bool is_key);

  SetField set_field_;
  std::vector<PendingValue> all_;
  std::unordered_map<const TainObject*, std::vector<size_t>> waiting_;  ///< of all_, by the holder
  Objects complete_keys_;
  Objects complete_values_;
  std::vector<Any> held_;  ///< the objects of both, so that no other gets an address
  int64_t steps_ = 0;
};

}  // namespace tain::internal
