// SPDX-License-Identifier: Apache-2.0
// Counts the living objects of each type exactly, without an atomic read-modify-write per object.
//
// Each thread owns pages of counters, indexed by type index. If a thread frees an object that
// another thread made, its counter becomes negative. A query sums over all threads and the finished
// ones, so the sum is exact if no thread is just changing a counter.
#pragma once

#include <atomic>
#include <cstdint>

#include "tain/internal/fast_tls.h"

namespace tain::internal {

inline constexpr int32_t kLivePageBits = 9;
inline constexpr int32_t kLivePageSize = 1 << kLivePageBits;
inline constexpr int32_t kLivePages = 1 << 11;  ///< as many as TypeTable has room for

/// The counters of one thread. Only this thread writes them, so plain loads and stores suffice;
/// they are atomic because queries in other threads read them.
struct LiveCounts {
  using Page = std::atomic<int64_t>;
  std::atomic<Page*> pages[kLivePages];
};

/// The counters of a thread that has not counted anything yet: a table of empty pages.
extern LiveCounts empty_live_counts;
extern constinit TAIN_FAST_THREAD_LOCAL LiveCounts* live_counts;

/// Allocates the page. If the thread's counters are gone already, counts in the common table.
void CountLiveSlow(int32_t type_index, int64_t delta) noexcept;

inline void CountLive(int32_t type_index, int64_t delta) noexcept {
  const uint32_t page_index = static_cast<uint32_t>(type_index) >> kLivePageBits;
  if (page_index >= static_cast<uint32_t>(kLivePages)) return;  // there is no such type
  LiveCounts::Page* page = live_counts->pages[page_index].load(std::memory_order_relaxed);
  if (page == nullptr) return CountLiveSlow(type_index, delta);
  std::atomic<int64_t>& count = page[type_index & (kLivePageSize - 1)];
  count.store(count.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
}

}  // namespace tain::internal
