// SPDX-License-Identifier: Apache-2.0
// Blocks of small objects that a thread keeps for the next object of the same size.
//
// Most objects are small and short-lived: taking the block of the last one costs a sixth of malloc
// and free. A block may be freed by another thread than the one that made it; it then stays there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tain/internal/fast_tls.h"

namespace tain::internal {

inline constexpr size_t kBlockStep = 16;         ///< sizes are rounded up to multiples
inline constexpr size_t kBlockClasses = 16;      ///< so blocks up to 256 bytes are kept
inline constexpr int32_t kBlocksPerClass = 128;  ///< at most, in each thread

/// Blocks one thread keeps. Class c holds blocks of (c + 1) * kBlockStep bytes.
struct BlockCache {
  struct Block {
    Block* next;
  };
  Block* free[kBlockClasses];
  int32_t room[kBlockClasses];  ///< how many more may be kept
};

/// Without room or blocks: what a thread has before it frees its first block, and after its end.
extern constinit BlockCache empty_block_cache;
extern constinit TAIN_FAST_THREAD_LOCAL BlockCache* block_cache;

/// Makes the thread's cache if it may have one, then keeps the block or frees it.
void FreeBlockSlow(void* block, size_t size_class) noexcept;

inline size_t BlockClass(size_t size) noexcept { return (size - 1) / kBlockStep; }

/// Memory of class `size_class`, aligned as malloc does it; null if there is none to be had.
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
