// SPDX-License-Identifier: Apache-2.0
// Whether the registered fields of a type are all of its objects' state; see
// tain/internal/type_state.h.
//
// State is what a class's description marks, less the header, pointers to virtual functions, the
// fields of the type and its parents, and what transient parents have besides.
#include "tain/internal/type_state.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/guard.h"
#include "registry/type_facts.h"

namespace tain::internal {
namespace {

struct StatePlan {
  static constexpr auto kPart = TypePart::kState;
  int64_t unregistered = 0;  ///< bytes
  std::string place;         ///< of the first of them: ` (the first one is behind 'name')`
};

/// Bytes of an object, by their distance from the place from which its fields are counted.
class StateBytes {
 public:
  explicit StateBytes(const TainTypeState& state)
      : origin_(state.origin), bytes_(static_cast<size_t>(state.size)) {
    state.mark(bytes_.data());
    if ((state.flags & kTainStatePolymorphic) != 0) Clear(-origin_, sizeof(void*));
  }

  void Clear(int64_t offset, int64_t size) noexcept {
    const auto end = static_cast<int64_t>(bytes_.size());
    const int64_t from = std::clamp<int64_t>(offset + origin_, 0, end);
    const int64_t to = std::clamp<int64_t>(offset + size + origin_, from, end);
    std::fill(bytes_.begin() + from, bytes_.begin() + to, static_cast<unsigned char>(0));
  }
  /// Clears what another object has marked.
  void ClearAll(const StateBytes& other) noexcept {
    for (size_t i = 0; i < other.bytes_.size(); ++i) {
      if (other.bytes_[i] != 0) Clear(static_cast<int64_t>(i) - other.origin_, 1);
    }
  }
  /// Clears the marks in front of `offset` that are no more than the padding which a member of this
  /// alignment needs there.
  void ClearPadding(int64_t offset, int64_t alignment) noexcept {
    const int64_t end = offset + origin_;
    if (alignment <= 1 || end <= 0 || end > static_cast<int64_t>(bytes_.size())) return;
    int64_t begin = end;
    while (begin > 0 && bytes_[static_cast<size_t>(begin - 1)] != 0) --begin;
    if (begin > 0 && end - begin < alignment) Clear(begin - origin_, end - begin);
  }
  int64_t Count() const noexcept {
    return std::count_if(bytes_.begin(), bytes_.end(),
                         [](unsigned char byte) { return byte != 0; });
  }
  /// Returns the offset of the first marked byte.
  int64_t First() const noexcept {
    const auto first =
        std::find_if(bytes_.begin(), bytes_.end(), [](unsigned char byte) { return byte != 0; });
    return first - bytes_.begin() - origin_;
  }
  int64_t end() const noexcept { return static_cast<int64_t>(bytes_.size()) - origin_; }

 private:
  int64_t origin_;
  std::vector<unsigned char> bytes_;
};

template <class F>
void ForEachField(const TypeChain& chain, F&& visit) {
  for (const TainTypeRecord* record : chain) {
    for (int32_t i = 0; i < record->num_fields; ++i) visit(record->fields[i]->info);
  }
}

/// Says which field lies in front of a byte of the object.
std::string PlaceOf(const TypeChain& chain, int64_t offset) {
  const TainFieldInfo* nearest = nullptr;
  ForEachField(chain, [&](const TainFieldInfo& field) {
    if (field.size == 0 || field.offset >= offset) return;
    if (nearest == nullptr || field.offset > nearest->offset) nearest = &field;
  });
  if (nearest == nullptr) return {};
  return " (the first one is behind '" + std::string(View(nearest->name)) + "')";
}

void FindUnregistered(const TypeFacts& facts, StatePlan& plan) {
  const TypeChain& whole = facts.chain;
  // The objects of a type that Python defined begin with an object of its nearest compiled parent.
  const auto compiled =
      std::find_if(whole.begin(), whole.end(), [](const auto* type) { return type->state; });
  if (compiled == whole.end()) return;
  const TypeChain chain(compiled, whole.end());
  const TainTypeRecord& type = *chain.front();
  if ((type.def.flags & kTainTypeTransient) != 0) return;
  StateBytes bytes(*type.state);
  if ((type.def.flags & kTainTypeBoxed) == 0) bytes.Clear(0, sizeof(TainObject));
  for (size_t i = 1; i < chain.size(); ++i) {
    const TainTypeRecord& parent = *chain[i];
    if (parent.state == nullptr) continue;
    if ((parent.state->flags & kTainStatePolymorphic) != 0) {
      bytes.Clear(-parent.state->origin, sizeof(void*));
    }
    if ((parent.def.flags & kTainTypeTransient) != 0) bytes.ClearAll(StateBytes(*parent.state));
  }
  ForEachField(chain, [&](const TainFieldInfo& field) { bytes.Clear(field.offset, field.size); });
  if ((type.state->flags & kTainStateNoPadding) == 0) {
    ForEachField(chain, [&](const TainFieldInfo& field) {
      bytes.ClearPadding(field.offset, field.alignment);
    });
    bytes.ClearPadding(bytes.end(), type.request.alignment);
  }
  plan.unregistered = bytes.Count();
  if (plan.unregistered != 0) plan.place = PlaceOf(chain, bytes.First());
}

const StatePlan& StatePlanOf(int32_t type_index) {
  return FactsOf(type_index).Get<StatePlan>(&FindUnregistered);
}

}  // namespace

int64_t UnregisteredBytes(int32_t type_index) { return StatePlanOf(type_index).unregistered; }

std::string UnregisteredStateText(int32_t type_index, StateUse use) {
  static constexpr const char* kDone[] = {"pickled", "saved", "copied with other fields", "copied"};
  static constexpr const char* kHooks[] = {
      "define __getstate__ and __setstate__", "define __data_to_json__ and __data_from_json__",
      "make it by its constructor", "give the class a copy constructor"};
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  const std::string key = record == nullptr ? "?" : std::string(View(record->info->type_key));
  const StatePlan& plan = StatePlanOf(type_index);
  const int64_t count = plan.unregistered;
  const auto row = static_cast<size_t>(use);
  return key + " cannot be " + kDone[row] + ": " + std::to_string(count) +
         (count == 1 ? " byte" : " bytes") +
         " of its objects are no registered field and would be lost: register the members" +
         plan.place + ", " + kHooks[row] +
         ", or give its ObjectDef tain::transient() if they may be lost";
}

}  // namespace tain::internal
