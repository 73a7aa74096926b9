// SPDX-License-Identifier: Apache-2.0
// Blocks of small objects that a thread keeps for the next object of the same size.
//
// Most objects are small and short-lived. Reusing a kept block costs a sixth of malloc and free. If
// a thread frees a block that another thread made, the freeing thread keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tain/internal/fast_tls.h"

namespace tain::internal {

inline constexpr size_t kBlockStep = 16;         ///< sizes are rounded up to multiples
inline constexpr size_t kBlockClasses = 16;      ///< so blocks up to 256 bytes are kept
inline constexpr int32_t kBlocksPerClass = 128;  ///< at most, in each thread

/// The blocks that one thread keeps. Class c holds blocks of (c + 1) * kBlockStep bytes.
struct BlockCache {
  struct Block {
    Block* next;
  };
  Block* free[kBlockClasses];
  int32_t room[kBlockClasses];  ///< how many more blocks each class may keep
};

/// A cache without room and blocks, for threads that have not freed a block yet or are ending.
extern constinit BlockCache empty_block_cache;
extern constinit TAIN_FAST_THREAD_LOCAL BlockCache* block_cache;

/// Makes the cache of the thread, if it may have one, and then keeps or frees the block.
void FreeBlockSlow(void* block, size_t size_class) noexcept;

inline size_t BlockClass(size_t size) noexcept { return (size - 1) / kBlockStep; }

/// Returns memory of class `size_class`, with malloc's alignment; null if there is none.
inline void* AllocateBlock(size_t size_class) noexcept {
  BlockCache* cache = block_cache;
  BlockCache::Block* block = cache->free[size_class];
  if (block == nullptr) return std::malloc((size_class + 1) * kBlockStep);
  cache->free[size_class] = block->next;
  ++cache->room[size_class];
  return block;
}

inline void FreeBlock(void* memory, size_t size_class) noexcept {
  BlockCache* cache = block_cache;
  if (cache->room[size_class] == 0) return FreeBlockSlow(memory, size_class);
  auto* block = static_cast<BlockCache::Block*>(memory);
  block->next = cache->free[size_class];
  cache->free[size_class] = block;
  --cache->room[size_class];
}

}  // namespace tain::internal
