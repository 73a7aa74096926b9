// SPDX-License-Identifier: Apache-2.0
// The end of objects: deletion with limited nesting, wrappers that are handed back, strong counts.
#include <atomic>
#include <cstdlib>

#include "base/guard.h"
#include "base/stack_bound.h"
#include "base/unlocked_call.h"
#include "memory/foreign_object.h"
#include "memory/kept_outside.h"
#include "memory/live_count.h"
#include "memory/unlocked_end.h"
#include "tain/internal/fast_tls.h"
#include "tain/object.h"

namespace tain::internal {
namespace {

bool HasPrefix(const TainObject* object) noexcept {
  return (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0;
}

/// The tie of an object. The object must have a prefix, or be known to a host.
std::atomic_ref<uintptr_t> TieOf(TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    return std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie);
  }
  return std::atomic_ref<uintptr_t>(*TainForeignTie(object, 0));
}

void FreeSpace(TainObject* object) noexcept {
  if (!HasPrefix(object)) return;  // the memory belongs to another library
  void* body = TainObjectBodyOf(object);
  (static_cast<TainObjectPrefix*>(body) - 1)->delete_space(body);
}

constexpr int32_t kMaxNesting = 200;  // fewer in threads with a small stack

/// A wrapper that waits to be given back. Its object has been revived for it already.
struct WaitingWrapper {
  void* wrapper;
  WaitingWrapper* next;
};

/// The running deletions of a thread.
struct Deletions {
  int32_t depth;             ///< nested deletions
  TainObject* queue;         ///< objects to delete, linked through their tie words
  WaitingWrapper* wrappers;  ///< wrappers to give back
  TainObject* turn;          ///< taken from the queue; does not wait again
};

constinit TAIN_FAST_THREAD_LOCAL Deletions deletions{0, nullptr, nullptr, nullptr};

/// Whether an object that dies now must wait for the end of the outermost deletion.
bool MustWait() noexcept {
  return deletions.depth >= kMaxNesting || (deletions.depth > 0 && StackIsLow());
}

/// The same for an object. An object that was taken from the queue does not wait again, because the
/// outermost deletion must end even if little of the stack is left.
bool MustWait(const TainObject* object) noexcept {
  if (TAIN_LIKELY(!MustWait())) return false;
  if (object != deletions.turn) return true;
  deletions.turn = nullptr;
  return false;
}

/// Bit 0 of a queue link: the object was queued with kTainDeleteStrong alone.
constexpr uintptr_t kLinkStrongOnly = 1;

/// Puts a dying object without a wrapper into the queue. The tie word can store the link, because
/// no code can reach the object any more; weak references only see the counts.
void Enqueue(TainObject* object, int flags) noexcept {
  uintptr_t link = reinterpret_cast<uintptr_t>(deletions.queue);
  if ((flags & kTainDeleteWeak) == 0) {
    // The caller drops one weak reference on return. This one keeps the memory until the queue is
    // emptied.
    std::atomic_ref<uint64_t>(object->combined_ref_count)
        .fetch_add(kWeakOne, std::memory_order_relaxed);
    link |= kLinkStrongOnly;
  }
  TieOf(object).store(link, std::memory_order_relaxed);
  deletions.queue = object;
}

void DeleteQueued(TainObject* object) noexcept {
  const uintptr_t link = TieOf(object).exchange(0, std::memory_order_relaxed);
  deletions.queue = reinterpret_cast<TainObject*>(link & ~kLinkStrongOnly);
  deletions.turn = object;
  if ((link & kLinkStrongOnly) == 0) {
    object->deleter(object, kTainDeleteBoth);
  } else {
    object->deleter(object, kTainDeleteStrong);
    DecWeak(object);
  }
  deletions.turn = nullptr;
}

void ReleaseWrapper(void* wrapper) noexcept {
  if (const auto release = HostFunction<&TainHost::release_wrapper>()) release(wrapper);
}

/// Handles the death of an object that owns its wrapper: the wrapper becomes the owner, and goes
/// to the host. First the object is revived, with a new strong reference, as if it had never lost
/// the last one. Then the code that clears the tie's owner bit gives a reference to the wrapper and
/// gets the object's reference to the wrapper; this is the present thread, unless the host was
/// faster. Afterwards the object belongs to the wrapper, and this function does not touch it.
TAIN_COLD void HandWrapperBack(TainObject* object, int flags) noexcept {
  // With kTainDeleteStrong the caller drops one weak reference on return.
  const uint64_t back = (flags & kTainDeleteWeak) != 0 ? 1 : 1 + kWeakOne;
  std::atomic_ref<uint64_t>(object->combined_ref_count).fetch_add(back, std::memory_order_acq_rel);
  const uintptr_t tie =
      TieOf(object).fetch_and(~uintptr_t{kTainTieOwnsWrapper}, std::memory_order_acq_rel);
  if ((tie & kTainTieOwnsWrapper) == 0) return DecRef(object);
  auto* wrapper = reinterpret_cast<void*>(tie & ~uintptr_t{kTainTieMask});
  if (MustWait()) {
    if (auto* waiting = static_cast<WaitingWrapper*>(std::malloc(sizeof(WaitingWrapper)))) {
      *waiting = {wrapper, deletions.wrappers};
      deletions.wrappers = waiting;
      return;
    }
  }
  ReleaseWrapper(wrapper);
}

/// Empties both queues. The loop also deletes objects that are queued meanwhile.
TAIN_COLD void Drain() noexcept {
  while (true) {
    if (deletions.queue != nullptr) {
      DeleteQueued(deletions.queue);
    } else if (WaitingWrapper* waiting = deletions.wrappers) {
      deletions.wrappers = waiting->next;
      void* wrapper = waiting->wrapper;
      std::free(waiting);
      ReleaseWrapper(wrapper);
    } else {
      return;
    }
  }
}

void LeaveDeletion() noexcept {
  if (deletions.depth == 1 &&
      TAIN_UNLIKELY(deletions.queue != nullptr || deletions.wrappers != nullptr)) {
    Drain();
  }
  --deletions.depth;
}

}  // namespace

bool HandBackIfOwned(TainObject* object, int flags) noexcept {
  if ((TieOf(object).load(std::memory_order_acquire) & kTainTieOwnsWrapper) == 0) return false;
  ++deletions.depth;
  HandWrapperBack(object, flags);
  LeaveDeletion();
  return true;
}

ForeignDeletion::ForeignDeletion() noexcept { ++deletions.depth; }
ForeignDeletion::~ForeignDeletion() { LeaveDeletion(); }

}  // namespace tain::internal

using namespace tain::internal;

extern "C" void TainObjectDelete(void* self, int flags, void (*destroy)(void* self)) noexcept {
  if (TAIN_UNLIKELY(self == nullptr)) return;
  auto* object = static_cast<TainObject*>(self);
  if ((flags & kTainDeleteStrong) == 0) {
    if ((flags & kTainDeleteWeak) != 0) FreeSpace(object);
    return;
  }
  if (TAIN_LIKELY(HasPrefix(object))) {
    if (TAIN_UNLIKELY(TieOf(object).load(std::memory_order_acquire) & kTainTieOwnsWrapper)) {
      ++deletions.depth;
      HandWrapperBack(object, flags);
      return LeaveDeletion();
    }
    if (destroy == nullptr) {  // nothing below it dies
      CountLive(object->type_index, -1);
      if (TAIN_LIKELY((flags & kTainDeleteWeak) != 0)) return FreeSpace(object);
      return DropKeptOutside(object);
    }
    if (TAIN_UNLIKELY(MustWait(object))) return Enqueue(object, flags);
    CountLive(object->type_index, -1);
  }
  ++deletions.depth;
  bool destroyed = true;
  if (destroy != nullptr) {
    if (TAIN_LIKELY(!unlocked_ends_exist.load(std::memory_order_relaxed))) {
      destroy(self);
    } else {
      destroyed = DestroyUnlocked(object, self, destroy);
    }
  }
  if (TAIN_LIKELY(destroyed)) {
    if (TAIN_LIKELY((flags & kTainDeleteWeak) != 0)) {
      FreeSpace(object);
    } else {
      DropKeptOutside(object);
    }
  }
  LeaveDeletion();
}

extern "C" int TainObjectIncRef(TainObject* object) noexcept {
  return Guard([&] { IncRef(&NotNull(object, "TainObjectIncRef", "an object")); });
}

extern "C" int TainObjectDecRef(TainObject* object) noexcept {
  return Guard([&] { DecRef(&NotNull(object, "TainObjectDecRef", "an object")); });
}
