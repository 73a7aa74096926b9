// SPDX-License-Identifier: Apache-2.0
// The list of all threads' counters, the sums of finished threads, and the query.
#include "memory/live_count.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/fork.h"
#include "base/guard.h"
#include "base/thread_end.h"
#include "tain/c_api.h"

namespace tain::internal {

constinit LiveCounts empty_live_counts{};
constinit TAIN_FAST_THREAD_LOCAL LiveCounts* live_counts = &empty_live_counts;

namespace {

/// The shared data.
struct LiveState {
  std::mutex mutex;                  ///< guards the members below and the creation of pages
  std::vector<LiveCounts*> threads;  ///< counters of running threads
  LiveCounts finished{};             ///< sums of threads that have ended
};

LiveState& AllLiveCounts() { return NeverDestroyed<LiveState>(); }

LiveCounts::Page* PageOf(LiveCounts& counts, int32_t type_index) {
  std::atomic<LiveCounts::Page*>& slot = counts.pages[type_index >> kLivePageBits];
  LiveCounts::Page* page = slot.load(std::memory_order_relaxed);
  if (page == nullptr) {
    page = new LiveCounts::Page[kLivePageSize]();
    slot.store(page, std::memory_order_release);
  }
  return page;
}

void AddToCounts(LiveCounts& counts, int32_t type_index, int64_t delta) {
  std::atomic<int64_t>& count = PageOf(counts, type_index)[type_index & (kLivePageSize - 1)];
  count.store(count.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
}

template <class F>
void ForEachCount(const LiveCounts& counts, F&& visit) {
  for (int32_t p = 0; p < kLivePages; ++p) {
    const LiveCounts::Page* page = counts.pages[p].load(std::memory_order_acquire);
    if (page == nullptr) continue;
    for (int32_t i = 0; i < kLivePageSize; ++i) {
      const int64_t count = page[i].load(std::memory_order_relaxed);
      if (count != 0) visit((p << kLivePageBits) + i, count);
    }
  }
}

thread_local bool thread_counts_no_more = false;

/// Adds the thread's counters to `finished` when the thread ends.
void FoldCounts() noexcept {
  LiveCounts* mine = std::exchange(live_counts, &empty_live_counts);
  thread_counts_no_more = true;
  if (mine == &empty_live_counts) return;
  LiveState& state = AllLiveCounts();
  {
    std::lock_guard lock(state.mutex);
    std::erase(state.threads, mine);
    ForEachCount(*mine,
                 [&](int32_t type, int64_t count) { AddToCounts(state.finished, type, count); });
  }
  for (auto& page : mine->pages) delete[] page.load(std::memory_order_relaxed);
  delete mine;
}
constinit thread_local ThreadEnd counts_end{&FoldCounts};

}  // namespace

// The counters of threads that do not exist in the child stay, because their objects live there
// too.
constinit const ForkSteps live_count_fork = StepsFor<&AllLiveCounts>();

void CountLiveSlow(int32_t type_index, int64_t delta) noexcept {
  try {
    LiveState& state = AllLiveCounts();
    std::lock_guard lock(state.mutex);
    if (thread_counts_no_more) return AddToCounts(state.finished, type_index, delta);
    if (live_counts == &empty_live_counts) {
      AtThreadEnd(&counts_end);
      auto fresh = std::make_unique<LiveCounts>();
      state.threads.push_back(fresh.get());
      live_counts = fresh.release();
    }
    AddToCounts(*live_counts, type_index, delta);
  } catch (...) {
    // There is no memory, so this count is lost.
  }
}

}  // namespace tain::internal

extern "C" void TainLiveObjects(void (*visit)(int32_t type_index, int64_t count, void* context),
                                void* context) noexcept {
  using namespace tain::internal;
  if (visit == nullptr) return;
  GuardVoid([&] {
    std::vector<int64_t> sums;
    auto add = [&](int32_t type, int64_t count) {
      if (static_cast<size_t>(type) >= sums.size()) sums.resize(static_cast<size_t>(type) + 1);
      sums[static_cast<size_t>(type)] += count;
    };
    {
      LiveState& state = AllLiveCounts();
      std::lock_guard lock(state.mutex);
      ForEachCount(state.finished, add);
      for (const LiveCounts* counts : state.threads) ForEachCount(*counts, add);
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] > 0) visit(static_cast<int32_t>(i), sums[i], context);
    }
  });
}
