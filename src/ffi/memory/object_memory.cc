// SPDX-License-Identifier: Apache-2.0
// Memory of objects: blocks with tain's prefix, deletion with bounded nesting, strong counts.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "base/guard.h"
#include "base/stack_bound.h"
#include "memory/block_cache.h"
#include "memory/foreign_object.h"
#include "memory/live_count.h"
#include "tain/internal/fast_tls.h"
#include "tain/object.h"

namespace tain::internal {
namespace {

// ---------------------------------------------------------------- blocks

constexpr size_t kPrefixSize = sizeof(TainObjectPrefix);
static_assert(kPrefixSize == 16 && offsetof(TainObjectPrefix, delete_space) == 8);
static_assert(alignof(std::max_align_t) >= kPrefixSize, "malloc aligns the body behind the prefix");

/// What stands in front of the prefix if the block is not simply one of malloc's.
struct BlockOrigin {
  void* block;                   ///< what the allocator returned
  void (*release)(void* block);  ///< gives it back
};

BlockOrigin* OriginOf(void* body) noexcept {
  return reinterpret_cast<BlockOrigin*>(static_cast<char*>(body) - kPrefixSize) - 1;
}

void DeleteSpaceMalloc(void* body) { std::free(static_cast<char*>(body) - kPrefixSize); }

template <size_t kClass>
void DeleteSpaceCached(void* body) {
  FreeBlock(static_cast<char*>(body) - kPrefixSize, kClass);
}

using DeleteSpace = void (*)(void* body);
/// How blocks of each class of the cache are freed.
constexpr auto kDeleteSpaceCached = []<size_t... kClass>(std::index_sequence<kClass...>) {
  return std::array<DeleteSpace, kBlockClasses>{&DeleteSpaceCached<kClass>...};
}(std::make_index_sequence<kBlockClasses>());

void DeleteSpaceOrigin(void* body) {
  const BlockOrigin origin = *OriginOf(body);
  origin.release(origin.block);
}

void ReleaseAligned(void* block) {
#if defined(_WIN32)
  _aligned_free(block);
#else
  std::free(block);
#endif
}

void* AllocateAligned(size_t size, size_t alignment) noexcept {
#if defined(_WIN32)
  return _aligned_malloc(size, alignment);
#else
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

/// The word in front of what an allocator returned.
struct AllocatorWord {
  void (*delete_space)(void* body);
};

/// Memory as any allocator gives it: a word, then the body.
void* AllocateFirst(size_t size, size_t alignment, int32_t, void*) {
  if (alignment < sizeof(AllocatorWord)) alignment = sizeof(AllocatorWord);
  if ((alignment & (alignment - 1)) != 0 || size > SIZE_MAX - 3 * alignment) return nullptr;
  // Before the word stands how far it is to the block, so that any alignment goes back.
  const size_t head = std::max(alignment, 2 * sizeof(AllocatorWord));
  auto* block = static_cast<char*>(AllocateAligned(head + size, alignment));
  if (block == nullptr) return nullptr;
  char* body = block + head;
  reinterpret_cast<size_t*>(body)[-2] = head;
  reinterpret_cast<AllocatorWord*>(body)[-1].delete_space = [](void* given) {
    ReleaseAligned(static_cast<char*>(given) - static_cast<size_t*>(given)[-2]);
  };
  return body;
}

TainCustomAllocator first_allocator{&AllocateFirst, nullptr};
std::atomic<TainCustomAllocator*> installed_allocator{&first_allocator};

/// The allocator that somebody installed, or null.
const TainCustomAllocator* GetCustomAllocator() noexcept {
  const TainCustomAllocator* installed = installed_allocator.load(std::memory_order_acquire);
  return TAIN_LIKELY(installed == &first_allocator) ? nullptr : installed;
}

/// Gives back what a custom allocator gave.
void ReleaseCustom(void* body) { (static_cast<AllocatorWord*>(body) - 1)->delete_space(body); }

void* InitPrefix(void* body, DeleteSpace delete_space) noexcept {
  auto* prefix = static_cast<TainObjectPrefix*>(body) - 1;
  prefix->tie = 0;
  prefix->delete_space = delete_space;
  return body;
}

/// A block whose origin must be remembered: over-aligned, or from the custom allocator.
TAIN_COLD void* AllocateWithOrigin(const TainCustomAllocator* custom, size_t size, size_t alignment,
                                   int32_t type_index) noexcept {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > (size_t{1} << 30)) {
    return nullptr;
  }
  if (alignment < alignof(BlockOrigin)) alignment = alignof(BlockOrigin);
  size_t head = kPrefixSize + sizeof(BlockOrigin);
  head = (head + alignment - 1) / alignment * alignment;
  if (size > SIZE_MAX - head - alignment) return nullptr;
  void* block = custom != nullptr
                    ? custom->allocate(head + size, alignment, type_index, custom->context)
                    : AllocateAligned(head + size, alignment);
  if (block == nullptr) return nullptr;
  void* body = static_cast<char*>(block) + head;
  *OriginOf(body) = {block, custom != nullptr ? &ReleaseCustom : &ReleaseAligned};
  return InitPrefix(body, &DeleteSpaceOrigin);
}

bool HasPrefix(const TainObject* object) noexcept {
  return (object->reserved & kTainHeaderHasPrefix) != 0;
}

/// The tie of an object that has one: all with a prefix, and those of others that a host has seen.
std::atomic_ref<uintptr_t> TieOf(TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    return std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie);
  }
  return std::atomic_ref<uintptr_t>(*TainForeignTie(object, 0));
}

void FreeSpace(TainObject* object) noexcept {
  if (!HasPrefix(object)) return;  // somebody else's memory
  void* body = TainObjectBodyOf(object);
  (static_cast<TainObjectPrefix*>(body) - 1)->delete_space(body);
}

// ---------------------------------------------------------------- deletion

constexpr int32_t kMaxNesting = 200;  // and less in threads with a small stack

/// A mirror that waits to be handed back; its object has been revived for it already.
struct WaitingMirror {
  void* mirror;
  WaitingMirror* next;
};

/// Deletions under way on a thread.
struct Deletions {
  int32_t depth;           ///< nested deletions
  TainObject* queue;       ///< objects to delete, linked through their tie words
  WaitingMirror* mirrors;  ///< mirrors to hand back
  TainObject* turn;        ///< has left the queue and waits no more
};

constinit TAIN_FAST_THREAD_LOCAL Deletions deletions{0, nullptr, nullptr, nullptr};

/// Whether what dies now has to wait for the outermost deletion under way.
bool MustWait() noexcept {
  return deletions.depth >= kMaxNesting || (deletions.depth > 0 && StackIsLow());
}

/// The same for an object. One whose turn it is does not wait again: however little of the stack is
/// left, the outermost deletion must come to an end.
bool MustWait(const TainObject* object) noexcept {
  if (TAIN_LIKELY(!MustWait())) return false;
  if (object != deletions.turn) return true;
  deletions.turn = nullptr;
  return false;
}

/// Bit 0 of a queue link: the object was queued with kTainDeleteStrong alone.
constexpr uintptr_t kLinkStrongOnly = 1;

/// Puts a dying object without a mirror into the queue. The tie word is free for the link, because
/// nobody can reach the object any more: weak references only see the counts.
void Enqueue(TainObject* object, int flags) noexcept {
  uintptr_t link = reinterpret_cast<uintptr_t>(deletions.queue);
  if ((flags & kTainDeleteWeak) == 0) {
    // The caller drops one weak reference on return; this one keeps the memory until the drain.
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

void ReleaseMirror(void* mirror) noexcept {
  const TainHost* host = TainGetHost();
  if (host != nullptr && host->release_mirror != nullptr) host->release_mirror(mirror);
}

/// The object owned its mirror and lost its last reference: the mirror owns the object again and
/// goes to the host. In order: first the object is alive again, with a reference of ours, as if it
/// had never lost the last one. Then whoever clears the bit gives a reference to the mirror and
/// gets the object's reference to the mirror, and that is us unless the host was faster. From then
/// on the object is the mirror's and is not touched here.
TAIN_COLD void HandMirrorBack(TainObject* object, int flags) noexcept {
  // With kTainDeleteStrong the caller drops one weak reference on return.
  const uint64_t back = (flags & kTainDeleteWeak) != 0 ? 1 : 1 + kWeakOne;
  std::atomic_ref<uint64_t>(object->combined_ref_count).fetch_add(back, std::memory_order_acq_rel);
  const uintptr_t tie =
      TieOf(object).fetch_and(~uintptr_t{kTainTieOwnsWrapper}, std::memory_order_acq_rel);
  if ((tie & kTainTieOwnsWrapper) == 0) return DecRef(object);
  auto* mirror = reinterpret_cast<void*>(tie & ~uintptr_t{kTainTieMask});
  if (MustWait()) {
    if (auto* waiting = static_cast<WaitingMirror*>(std::malloc(sizeof(WaitingMirror)))) {
      *waiting = {mirror, deletions.mirrors};
      deletions.mirrors = waiting;
      return;
    }
  }
  ReleaseMirror(mirror);
}

/// Empties both queues; what is queued meanwhile is deleted by this loop too.
TAIN_COLD void Drain() noexcept {
  while (true) {
    if (deletions.queue != nullptr) {
      DeleteQueued(deletions.queue);
    } else if (WaitingMirror* waiting = deletions.mirrors) {
      deletions.mirrors = waiting->next;
      void* mirror = waiting->mirror;
      std::free(waiting);
      ReleaseMirror(mirror);
    } else {
      return;
    }
  }
}

void LeaveDeletion() noexcept {
  if (deletions.depth == 1 &&
      TAIN_UNLIKELY(deletions.queue != nullptr || deletions.mirrors != nullptr)) {
    Drain();
  }
  --deletions.depth;
}

}  // namespace

bool HandBackIfOwned(TainObject* object, int flags) noexcept {
  if ((TieOf(object).load(std::memory_order_acquire) & kTainTieOwnsWrapper) == 0) return false;
  ++deletions.depth;
  HandMirrorBack(object, flags);
  LeaveDeletion();
  return true;
}

ForeignDeletion::ForeignDeletion() noexcept { ++deletions.depth; }
ForeignDeletion::~ForeignDeletion() { LeaveDeletion(); }

namespace {

// ---------------------------------------------------------------- opaque objects

/// An object that holds a foreign thing.
struct OpaqueObject {
  TainObject header;
  TainOpaqueCell cell;
  void (*release)(void* handle);  ///< or null
};

void DeleteOpaque(void* self, int flags) {
  TainObjectDelete(self, flags, [](void* header) {
    auto* opaque = static_cast<OpaqueObject*>(header);
    if (opaque->release != nullptr) opaque->release(opaque->cell.handle);
  });
}

void CheckOpaqueType(int32_t type_index) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  const bool fits = type_index == kTainOpaquePyObject ||
                    (record != nullptr && type_index >= kTainDynObjectBegin &&
                     record->request.size == 0 && record->info->num_fields == 0);
  if (!fits) {
    TAIN_THROW(TypeError) << "TainObjectCreateOpaque: type index " << type_index
                          << " is not a type of opaque objects";
  }
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" void* TainObjectAlloc(size_t size, size_t alignment, int32_t type_index) noexcept {
  const TainCustomAllocator* custom = GetCustomAllocator();
  void* body;
  if (TAIN_LIKELY(custom == nullptr && alignment <= kPrefixSize)) {
    if (TAIN_UNLIKELY(size > SIZE_MAX - kPrefixSize)) return nullptr;
    const size_t size_class = BlockClass(size + kPrefixSize);
    const bool cached = TAIN_LIKELY(size_class < kBlockClasses);
    void* block = cached ? AllocateBlock(size_class) : std::malloc(size + kPrefixSize);
    if (TAIN_UNLIKELY(block == nullptr)) return nullptr;
    body = InitPrefix(static_cast<char*>(block) + kPrefixSize,
                      cached ? kDeleteSpaceCached[size_class] : &DeleteSpaceMalloc);
  } else {
    body = AllocateWithOrigin(custom, size, alignment, type_index);
    if (body == nullptr) return nullptr;
  }
  CountLive(type_index, 1);
  return body;
}

extern "C" void TainObjectAbandon(void* body, int32_t type_index) noexcept {
  if (body == nullptr) return;
  CountLive(type_index, -1);
  (static_cast<TainObjectPrefix*>(body) - 1)->delete_space(body);
}

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
      HandMirrorBack(object, flags);
      return LeaveDeletion();
    }
    if (destroy == nullptr) {  // nothing below it dies
      CountLive(object->type_index, -1);
      if ((flags & kTainDeleteWeak) != 0) FreeSpace(object);
      return;
    }
    if (TAIN_UNLIKELY(MustWait(object))) return Enqueue(object, flags);
    CountLive(object->type_index, -1);
  }
  ++deletions.depth;
  if (destroy != nullptr) destroy(self);
  if ((flags & kTainDeleteWeak) != 0) FreeSpace(object);
  LeaveDeletion();
}

extern "C" int TainObjectIncRef(TainObject* object) noexcept {
  return Guard([&] { IncRef(&NotNull(object, "TainObjectIncRef", "an object")); });
}

extern "C" int TainObjectDecRef(TainObject* object) noexcept {
  return Guard([&] { DecRef(&NotNull(object, "TainObjectDecRef", "an object")); });
}

extern "C" int TainObjectCreateOpaque(void* handle, int32_t type_index,
                                      void (*deleter)(void* handle), TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainObjectCreateOpaque", "a place for the result");
    CheckOpaqueType(type_index);
    void* body = TainObjectAlloc(sizeof(OpaqueObject), alignof(OpaqueObject), type_index);
    if (body == nullptr) throw std::bad_alloc();
    auto* opaque = ::new (body) OpaqueObject{
        {kBothOne, type_index, kTainHeaderHasPrefix, &DeleteOpaque}, {handle}, deleter};
    result = &opaque->header;
  });
}

extern "C" int TainSetCustomAllocator(TainCustomAllocator* allocator) noexcept {
  return Guard([&] {
    if (allocator != nullptr && allocator->allocate == nullptr) {
      TAIN_THROW(TypeError) << "TainSetCustomAllocator: expected a function that allocates, got "
                               "null";
    }
    installed_allocator.store(allocator == nullptr ? &first_allocator : allocator,
                              std::memory_order_release);
  });
}

extern "C" TainCustomAllocator* TainGetCustomAllocator(void) noexcept {
  return installed_allocator.load(std::memory_order_acquire);
}
