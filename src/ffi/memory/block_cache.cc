// SPDX-License-Identifier: Apache-2.0
// Creates and destroys a thread's block cache; see block_cache.h.
#include "memory/block_cache.h"

#include <new>
#include <utility>

#include "base/thread_end.h"

namespace tain::internal {

constinit BlockCache empty_block_cache{};
constinit TAIN_FAST_THREAD_LOCAL BlockCache* block_cache = &empty_block_cache;

namespace {

// A sanitizer must see the allocation and the release of each object.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeepsBlocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kKeepsBlocks = false;
#else
constexpr bool kKeepsBlocks = true;
#endif
#else
constexpr bool kKeepsBlocks = true;
#endif

thread_local bool thread_has_ended = false;

/// Frees the thread's blocks when the thread ends.
void FreeCache() noexcept {
  thread_has_ended = true;
  BlockCache* mine = std::exchange(block_cache, &empty_block_cache);
  if (mine == &empty_block_cache) return;
  for (BlockCache::Block* block : mine->free) {
    while (block != nullptr) std::free(std::exchange(block, block->next));
  }
  delete mine;
}
constinit thread_local ThreadEnd cache_end{&FreeCache};

}  // namespace

void FreeBlockSlow(void* block, size_t size_class) noexcept {
  if (kKeepsBlocks && block_cache == &empty_block_cache && !thread_has_ended) {
    if (auto* fresh = new (std::nothrow) BlockCache{}) {
      AtThreadEnd(&cache_end);
      for (int32_t& room : fresh->room) room = kBlocksPerClass;
      block_cache = fresh;
      return FreeBlock(block, size_class);
    }
  }
  std::free(block);
}

}  // namespace tain::internal
