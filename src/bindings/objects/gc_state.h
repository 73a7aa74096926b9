// SPDX-License-Identifier: Apache-2.0
// The state of garbage collection. See base/state.h for its lifetime and its lock.
#pragma once

#include <atomic>
#include <chrono>
#include <unordered_set>
#include <vector>

#include "base/state.h"
#include "objects/edge_counts.h"

namespace tain::bindings {

/// When cycles of C++ objects are searched for next (gc_pace.h).
struct GcPace {
  int64_t base = 0;        ///< living objects after the last search, or fewer that lived since
  int64_t kept = 0;        ///< living objects that the last search visited in vain
  int32_t candidates = 0;  ///< since the objects were counted
  bool is_due = false;
  std::chrono::steady_clock::time_point counted;  ///< when that was
};

/// How many wrappers are tied to an object. Threads count in places of their own, or without a GIL they
/// would wait for each other.
class WrapperCount {
 public:
  void Add(int64_t difference) noexcept {
#ifdef Py_GIL_DISABLED
    constexpr int kBitsOfPage = 12;
    const size_t thread =
        _Py_ThreadId() >> kBitsOfPage;  // an address in memory of the thread's own
    places_[thread % kPlaces].count.fetch_add(difference, std::memory_order_relaxed);
#else
    count_ += difference;
#endif
  }
  int64_t Sum() const noexcept {
#ifdef Py_GIL_DISABLED
    int64_t sum = 0;
    for (const Place& place : places_) sum += place.count.load(std::memory_order_relaxed);
    return sum;
#else
    return count_;
#endif
  }

 private:
#ifdef Py_GIL_DISABLED
  static constexpr size_t kPlaces = 64;
  struct alignas(64) Place {  // a cache line
    std::atomic<int64_t> count{0};
  };
  Place places_[kPlaces];
#else
  int64_t count_ = 0;
#endif
};

/// Garbage collection. CPython collects in one thread while it holds the GIL, or stops the others.
struct GcState {
  using Cycles = std::unordered_set<TainObject*>;

  std::vector<TainObject*> candidates;  ///< objects that may be in garbage cycles; weak references
  size_t candidate_limit = 1024;        ///< at this size, dead objects are removed
  /// An object of each cycle that was alive in a search; weak references.
  Cycles cycles;
  size_t cycles_size = 0;    ///< how many objects a search for these visits
  size_t cycles_waited = 0;  ///< how many the collections since the last such search might have
  GcPace gc_pace;
  bool full_collection = true;       ///< whether the present collection is a full one
  size_t partial_collections = 0;    ///< since the last full one
  size_t trial_size = 0;             ///< how many objects the last search for cycles visited
  PyObject* gc_callbacks = nullptr;  ///< gc.callbacks; null until there is a candidate
  PyObject* gc_callback = nullptr;   ///< the callback that the bridge added to gc.callbacks
  PyObject* gc_probe = nullptr;      ///< an empty wrapper that the collector traverses
  int probe_visits = -1;         ///< visits in this collection; -1: gc.callbacks did not report it
  bool will_watch = false;       ///< whether a pending call will add the callback
  bool told_of_failure = false;  ///< whether it was reported that gc.callbacks cannot be used
  WrapperCount live_wrappers;    ///< may be used without a lock
  /// Of the last exploration, for the next; null while one uses it.
  std::atomic<ExplorationMemory*> exploration_memory{nullptr};
  traverseproc subtype_traverse = nullptr;  ///< of CPython, for classes of class statements
};
inline TAIN_HIDDEN Eternal<GcState> gc_state;

inline GcState& GetGc() noexcept { return gc_state.value; }

}  // namespace tain::bindings
