// SPDX-License-Identifier: Apache-2.0
// The memory of objects: blocks with tain's prefix, deletion with limited nesting, strong counts.
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
#include "memory/kept_outside.h"
#include "memory/live_count.h"
#include "memory/unlocked_end.h"
#include "tain/internal/fast_tls.h"
#include "tain/object.h"

namespace tain::internal {
namespace {

// ---------------------------------------------------------------- blocks

constexpr size_t kPrefixSize = sizeof(TainObjectPrefix);
static_assert(kPrefixSize == 16 && offsetof(TainObjectPrefix, delete_space) == 8);
static_assert(alignof(std::max_align_t) >= kPrefixSize, "malloc aligns the body behind the prefix");

/// Precedes the prefix of a block that is not plainly from malloc.
struct BlockOrigin {
  void* block;                   ///< the memory that the allocator returned
  void (*release)(void* block);  ///< frees it
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
/// The functions that free blocks, by class of the cache.
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

/// The word before the memory that an allocator returned.
struct AllocatorWord {
  void (*delete_space)(void* body);
};

/// Allocates memory in the form of all allocators: a word, then the body.
void* AllocateFirst(size_t size, size_t alignment, int32_t, void*) {
  if (alignment < sizeof(AllocatorWord)) alignment = sizeof(AllocatorWord);
  if ((alignment & (alignment - 1)) != 0 || size > SIZE_MAX - 3 * alignment) return nullptr;
  // Before the word, the distance to the block is stored, so blocks of any alignment can be freed.
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

/// Returns the installed allocator, or null.
const TainCustomAllocator* GetCustomAllocator() noexcept {
  const TainCustomAllocator* installed = installed_allocator.load(std::memory_order_acquire);
  return TAIN_LIKELY(installed == &first_allocator) ? nullptr : installed;
}

/// Frees the memory of a custom allocator.
void ReleaseCustom(void* body) { (static_cast<AllocatorWord*>(body) - 1)->delete_space(body); }

void* InitPrefix(void* body, DeleteSpace delete_space) noexcept {
  auto* prefix = static_cast<TainObjectPrefix*>(body) - 1;
  prefix->tie = 0;
  prefix->delete_space = delete_space;
  return body;
}

/// Allocates a block that needs a BlockOrigin: over-aligned, or from the custom allocator.
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

// ---------------------------------------------------------------- deletion

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
  const TainHost* host = TainGetHost();
  if (host != nullptr && host->release_wrapper != nullptr) host->release_wrapper(wrapper);
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

namespace {

// ---------------------------------------------------------------- opaque objects

/// An object that holds a handle of the host or of a library.
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
