// SPDX-License-Identifier: Apache-2.0
// Memory that is freed all at once: names, documentation and records of a registry.
//
// The default registry is never destroyed, so the content of its arena lives as long as the
// process. An arena is not thread-safe; the lock of its registry guards it. It calls no
// destructors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "tain/c_api.h"

namespace tain::internal {

class Arena {
 public:
  void* Allocate(size_t size, size_t alignment) {
    const uintptr_t start = (next_ + alignment - 1) & ~(static_cast<uintptr_t>(alignment) - 1);
    if (start + size > end_) return AllocateBlock(size, alignment);
    next_ = start + size;
    return reinterpret_cast<void*>(start);  // inside a block of chars
  }

  template <class T>
  T* New() {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (Allocate(sizeof(T), alignof(T))) T();
  }

  template <class T>
  T* NewArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return count == 0 ? nullptr : ::new (Allocate(sizeof(T) * count, alignof(T))) T[count]();
  }

  /// Returns a copy with a NUL after its end.
  TainByteArray Copy(std::string_view text) {
    if (text.empty()) return {"", 0};
    char* copy = static_cast<char*>(Allocate(text.size() + 1, 1));
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return {copy, text.size()};
  }

  /// Returns an array with room for at least one element more than `count`: `old` if it has room,
  /// else a larger copy. `old` stays unchanged for code that still reads it.
  template <class T>
  T* Grow(T* old, int32_t count, int32_t* capacity) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count < *capacity) return old;
    *capacity = count == 0 ? 2 : count * 2;
    T* larger = static_cast<T*>(Allocate(sizeof(T) * static_cast<size_t>(*capacity), alignof(T)));
    if (count != 0) std::memcpy(larger, old, sizeof(T) * static_cast<size_t>(count));
    return larger;
  }

 private:
  static constexpr size_t kBlockSize = 64 * 1024;

  /// Maps all pages of a block at once. Mapping each page on its first access would cost more than
  /// the rest of a registration. If the system cannot do this, the block works all the same.
  static void Populate([[maybe_unused]] char* block, [[maybe_unused]] size_t size) noexcept {
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
    constexpr uintptr_t kPage = 4096;
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
    const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + size) & ~(kPage - 1);
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#endif
  }

  void* AllocateBlock(size_t size, size_t alignment) {
    const size_t block_size = size + alignment > kBlockSize ? size + alignment : kBlockSize;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size));
    Populate(blocks_.back().get(), block_size);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(blocks_.back().get());
    const uintptr_t start = (begin + alignment - 1) & ~(static_cast<uintptr_t>(alignment) - 1);
    if (block_size == kBlockSize) {  // a larger request gets a block of its own
      next_ = start + size;
      end_ = begin + block_size;
    }
    return reinterpret_cast<void*>(start);
  }

  uintptr_t next_ = 0;  ///< first free byte of the current block
  uintptr_t end_ = 0;   ///< end of the current block
  std::vector<std::unique_ptr<char[]>> blocks_;
};

}  // namespace tain::internal
