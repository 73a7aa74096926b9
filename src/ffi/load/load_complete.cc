// SPDX-License-Identifier: Apache-2.0
// Finds what is not complete in a value; see load_complete.h.
#include "load/load_complete.h"

#include <new>

#include "tain/c_api_host.h"
#include "tain/signals.h"
#include "values/any_equal.h"

namespace tain::internal {
namespace {

int AddTo(TainObject* child, void* context) noexcept {
  try {
    static_cast<std::vector<TainObject*>*>(context)->push_back(child);
    return 0;
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

}  // namespace

void AddParts(TainObject* object, std::vector<TainObject*>* parts) {
  const int code = TainObjectVisitEdges(object, &AddTo, parts);
  if (code > 0) throw std::bad_alloc();
  ThrowIfFailed(code);
}

/// Adds an object whose parts are to be looked at, unless it is known.
void CompleteObjects::Add(TainObject* object) {
  if (!complete_.insert(object).second) return;
  held_.emplace_back(AnyView(ViewOfObject(object)));
}

const TainObject* CompleteObjects::FindIncomplete(const TainAny& value) {
  if (TAIN_LIKELY(open_.empty() && waiting_.empty())) return nullptr;
  if (value.type_index < kTainStaticObjectBegin || value.v_obj == nullptr) return nullptr;
  std::vector<TainObject*> children = {value.v_obj};
  for (;;) {
    for (TainObject* child : children) {
      if (IsIncomplete(child)) return child;
      Add(child);
    }
    children.clear();
    if (next_ == held_.size()) return nullptr;
    if (next_ % 4096 == 0) check_signals();
    TainObject* object = held_[next_++].data().v_obj;
    AddParts(object, &children);
  }
}

bool CompleteObjects::IsIncompleteKey(const TainAny& key) const {
  if (TAIN_LIKELY(open_.empty() && waiting_.empty()) || !RunsCodeAsKey(key)) return false;
  std::unordered_set<const TainObject*> known;
  std::vector<TainObject*> todo = {key.v_obj};
  while (!todo.empty()) {
    TainObject* object = todo.back();
    todo.pop_back();
    if (!TypeRunsCodeAsKey(object->type_index) || !known.insert(object).second) continue;
    if (IsIncomplete(object)) return true;
    if (known.size() % 4096 == 0) check_signals();
    AddParts(object, &todo);
  }
  return false;
}

}  // namespace tain::internal
