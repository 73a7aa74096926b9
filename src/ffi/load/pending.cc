// SPDX-License-Identifier: Apache-2.0
// Puts values in their places; see pending.h.
#include "load/pending.h"

#include "base/key_level.h"
#include "load/load_complete.h"
#include "tain/signals.h"
#include "values/any_equal.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

struct NoPendingNotes {};

}  // namespace

void PendingPlaces::Put(std::vector<PendingValue> all) {
  all_ = std::move(all);
  for (size_t i = 0; i < all_.size(); ++i) {
    PendingValue& pending = all_[i];
    if (pending.kind == PendingValue::Kind::kElement) {
      SeqSet(pending.holder_object(), pending.index, std::move(pending.value));
    } else {
      waiting_[pending.holder_object()].push_back(i);
    }
  }
  for (const PendingValue& pending : all_) PutInto(pending.holder_object());
}

void PendingPlaces::PutInto(const TainObject* holder) {
  const auto found = waiting_.find(holder);
  if (found == waiting_.end()) return;
  const std::vector<size_t> begun = std::move(found->second);
  waiting_.erase(found);  // a cycle ends here
  for (const size_t i : begun) {
    if (++steps_ % 4096 == 0) check_signals();
    PendingValue& pending = all_[i];
    if (pending.kind == PendingValue::Kind::kField) {
      Complete(pending.value, false);
      set_field_(pending);
    } else {
      const KeyLevel<NoPendingNotes> level("a key of a map", "maps are nested in keys of maps");
      Complete(pending.key, true);
      MapSet(pending.holder_object(), std::move(pending.key), std::move(pending.value));
    }
  }
}

void PendingPlaces::Complete(const Any& value, bool is_key) {
  if (value.type_index() < kTainStaticObjectBegin) return;
  Objects& complete = is_key ? complete_keys_ : complete_values_;
  std::vector<TainObject*> todo = {value.data().v_obj};
  while (!todo.empty()) {
    TainObject* object = todo.back();
    todo.pop_back();
    const int32_t index = object->type_index;
    if (is_key ? !TypeRunsCodeAsKey(index) : !IsSeq(index) && !IsMap(index)) continue;
    if (!complete.insert(object).second) continue;
    held_.emplace_back(AnyView(ViewOfObject(object)));
    if (++steps_ % 4096 == 0) check_signals();
    PutInto(object);
    AddParts(object, &todo);
  }
}

}  // namespace tain::internal
