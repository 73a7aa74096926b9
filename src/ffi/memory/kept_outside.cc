// SPDX-License-Identifier: Apache-2.0
// The table of what objects keep alive that are in no box; see kept_outside.h.
#include "memory/kept_outside.h"

#include <algorithm>

#include "base/fork.h"

namespace tain::internal {

KeptOutside& KeptOutside::Get() { return NeverDestroyed<KeptOutside>(); }

BoxKept*& KeptOutside::OfShared(const std::weak_ptr<const void>& owner) {
  is_used_.store(true, std::memory_order_relaxed);
  return shared_[owner];
}
BoxKept*& KeptOutside::OfObject(TainObject* owner) {
  is_used_.store(true, std::memory_order_relaxed);
  OfObjectPart& part = objects_[owner];
  if (part.kept == nullptr) part.owner = RefAccess::Share<Object>(owner);
  return part.kept;
}
BoxKept*& KeptOutside::OfStatic(const void* place) {
  is_used_.store(true, std::memory_order_relaxed);
  return static_[place];
}

const BoxKept* KeptOutside::FindShared(const std::shared_ptr<const void>& owner) const {
  const auto found = shared_.find(owner);
  return found == shared_.end() ? nullptr : found->second;
}
const BoxKept* KeptOutside::FindObject(TainObject* owner) const {
  const auto found = objects_.find(owner);
  return found == objects_.end() ? nullptr : found->second.kept;
}
const BoxKept* KeptOutside::FindStatic(const void* place) const {
  const auto found = static_.find(place);
  return found == static_.end() ? nullptr : found->second;
}

void KeptOutside::TakeOf(TainObject* owner, Ended* ended) {
  if (const auto found = objects_.find(owner); found != objects_.end()) {
    ended->objects.push_back(objects_.extract(found));
  }
}

void KeptOutside::TakeEnded(Ended* ended) {
  ended->shared.reserve(shared_.size());
  ended->objects.reserve(objects_.size());
  for (auto at = shared_.begin(); at != shared_.end();) {
    const auto next = std::next(at);
    if (at->first.expired()) ended->shared.push_back(shared_.extract(at));
    at = next;
  }
  for (auto at = objects_.begin(); at != objects_.end();) {
    const auto next = std::next(at);
    if (at->second.owner.expired()) ended->objects.push_back(objects_.extract(at));
    at = next;
  }
  next_tidy_ = std::max<size_t>(64, 2 * (shared_.size() + objects_.size()));
}

KeptOutside::Ended::~Ended() {
  for (const auto& one : shared) delete one.mapped();
  for (const auto& one : objects) delete one.mapped().kept;
}

void DropKeptOutside(TainObject* ended_object) noexcept {
  KeptOutside& outside = KeptOutside::Get();
  if (TAIN_LIKELY(!outside.IsUsed())) return;
  KeptOutside::Ended ended;
  try {
    const std::lock_guard lock(KeptLock());
    outside.TakeOf(ended_object, &ended);
  } catch (const std::bad_alloc&) {  // when ended objects are looked for
  }
}

int VisitKeptOutside(TainObject* object, int (*visit)(TainObject* child, void* context),
                     void* context) {
  const KeptOutside& outside = KeptOutside::Get();
  if (TAIN_LIKELY(!outside.IsUsed())) return 0;
  const std::lock_guard lock(KeptLock());
  const BoxKept* kept = outside.FindObject(object);
  if (kept == nullptr) return 0;
  for (const BoxKept::Entry& entry : kept->entries) {
    if (const int code = visit(ObjectAccess::Header(entry.object.get()), context)) return code;
  }
  return 0;
}

}  // namespace tain::internal
