// SPDX-License-Identifier: Apache-2.0
// The objects that boxes keep, as a list or as one object; see kept_list.h.
#include "memory/kept_list.h"

#include <memory>

#include "base/fork.h"

namespace tain::internal {

std::mutex& KeptLock() {
  static auto* lock = new std::mutex;
  return *lock;
}

BoxKept*& ListOf(BoxObj* box) {
  if (box->kept == nullptr) {
    box->kept = new BoxKept;
  } else if (IsOneKept(box->kept)) {
    auto made = std::make_unique<BoxKept>();
    made->entries.reserve(1);
    ForEachKept(box->kept, [&](TainObject* object, bool is_lender, bool is_owner) {
      made->entries.push_back({RefAccess::Steal<Object>(object), is_lender, is_owner});
    });
    box->kept = made.release();
  }
  return box->kept;
}

void DropKeptOf(BoxKept* taken) noexcept {
  if (!IsOneKept(taken)) {
    delete taken;
  } else {
    DecRef(ObjectOfOne(taken));
  }
}

constinit const ForkSteps box_kept_fork = StepsFor<&KeptLock>();

}  // namespace tain::internal
