// SPDX-License-Identifier: Apache-2.0
// Exact number of live objects of each type, without an atomic read-modify-write on the hot path.
//
// Each thread owns pages of counters, found by type index; an object freed by another thread than
// the one that made it makes that thread's counter negative. A query sums over all threads and over
// what finished threads left behind, so the sum is exact whenever no thread is in the middle of a
// change.
#pragma once

#include <atomic>
#include <cstdint>

#include "tain/internal/fast_tls.h"

namespace tain::internal {

inline constexpr int32_t kLivePageBits = 9;
inline constexpr int32_t kLivePageSize = 1 << kLivePageBits;
inline constexpr int32_t kLivePages = 1 << 11;  ///< as many as TypeTable has room for

/// Counters of one thread. Only the owner writes, so plain loads and stores are enough; they are
/// atomic because a query reads them from another thread.
struct LiveCounts {
  using Page = std::atomic<int64_t>;
  std::atomic<Page*> pages[kLivePages];
};

/// The calling thread's counters; a table of empty pages until the thread counts something.
extern LiveCounts empty_live_counts;
extern constinit TAIN_FAST_THREAD_LOCAL LiveCounts* live_counts;

/// Allocates the page or, in a thread whose counters are gone already, counts in the common table.
void CountLiveSlow(int32_t type_index, int64_t delta) noexcept;

inline void CountLive(int32_t type_index, int64_t delta) noexcept {
  const uint32_t page_index = static_cast<uint32_t>(type_index) >> kLivePageBits;
  if (page_index >= static_cast<uint32_t>(kLivePages)) return;  // no such type
  LiveCounts::Page* page = live_counts->pages[page_index].load(std::memory_order_relaxed);
  if (page == nullptr) return CountLiveSlow(type_index, delta);
  std::atomic<int64_t>& count = page[type_index & (kLivePageSize - 1)];
  count.store(count.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
}

}  // namespace tain::internal
