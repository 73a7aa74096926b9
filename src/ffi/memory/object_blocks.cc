// SPDX-License-Identifier: Apache-2.0
// The blocks of objects: memory with tain's prefix in front of the body, and custom allocators.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "base/guard.h"
#include "memory/block_cache.h"
#include "memory/live_count.h"
#include "tain/object.h"

namespace tain::internal {
namespace {

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
