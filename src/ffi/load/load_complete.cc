// SPDX-License-Identifier: Apache-2.0
// Finds what is not complete in a value; see load_complete.h.
#include "load/load_complete.h"

#include <new>

#include "tain/c_api_host.h"
#include "tain/signals.h"

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
    const int code = TainObjectVisitEdges(object, &AddTo, &children);
    if (code > 0) throw std::bad_alloc();
    ThrowIfFailed(code);
  }
}

}  // namespace tain::internal
