// SPDX-License-Identifier: Apache-2.0
// The state of calls. See base/state.h for its lifetime and its lock.
#pragma once

#include <array>
#include <atomic>
#include <new>
#include <utility>

#include "base/state.h"

namespace tain::bindings {

/// Where the values of a call stand, by parameter, the receiver included, if it has keywords or
/// leaves parameters to their defaults. Remembered for each function, number of positional arguments
/// and tuple of names, which is a constant of the calling code (arguments.h).
struct KeywordOrder {
  static constexpr Py_ssize_t kMost = 16;
  static constexpr uint8_t kDefault = 255;  ///< nobody gave it: the default of the author's
  static constexpr int32_t kNone = -1;      ///< as count: such calls need more than an order

  const TainFunctionInfo* info = nullptr;
  Own names;                ///< owned, so that no other tuple gets its address; may be null
  Py_ssize_t num_args = 0;  ///< those by position
  int32_t count = 0;        ///< how many are in `source`; the callee completes the rest
  uint8_t source[kMost] = {};
};

/// The orders of calls that were made, by an address that depends on the call: any may be lost.
class KeywordOrders {
 public:
  /// Returns the order of a call; null if it is not known. Needs no lock.
  const KeywordOrder* Find(const TainFunctionInfo* info, PyObject* names,
                           Py_ssize_t num_args) const noexcept {
#ifdef Py_GIL_DISABLED
    const KeywordOrder* known = entries_[PlaceOf(info, names)].load(std::memory_order_acquire);
    if (TAIN_UNLIKELY(known == nullptr)) return nullptr;
#else
    const KeywordOrder* known = &entries_[PlaceOf(info, names)];
#endif
    const bool is_it =
        known->info == info && known->names.get() == names && known->num_args == num_args;
    return TAIN_LIKELY(is_it) ? known : nullptr;
  }
  /// Enters an order. Returns it; null if it is not kept.
  const KeywordOrder* Enter(KeywordOrder made) noexcept {
    auto& entry = entries_[PlaceOf(made.info, made.names.get())];
#ifdef Py_GIL_DISABLED
    // Another thread may be reading the former one, so it stays. There is a bounded number of them.
    if (num_entered_ == kMostEntered) return nullptr;
    auto* kept = new (std::nothrow) KeywordOrder(std::move(made));
    if (kept == nullptr) return nullptr;
    ++num_entered_;
    entry.store(kept, std::memory_order_release);
    return kept;
#else
    std::swap(entry, made);  // dropping a tuple of str runs no code
    return &entry;
#endif
  }

 private:
  static constexpr size_t kSize = 128;
  static size_t PlaceOf(const TainFunctionInfo* info, PyObject* names) noexcept {
    const uintptr_t hash =
        (reinterpret_cast<uintptr_t>(info) >> 4) ^ (reinterpret_cast<uintptr_t>(names) >> 4);
    return hash % kSize;
  }
#ifdef Py_GIL_DISABLED
  static constexpr size_t kMostEntered = 64 * kSize;
  std::array<std::atomic<const KeywordOrder*>, kSize> entries_{};
  size_t num_entered_ = 0;
#else
  std::array<KeywordOrder, kSize> entries_{};
#endif
};

/// Calls.
struct CallsState {
  PyTypeObject* method_type = nullptr;  ///< the method descriptor
  KeywordOrders keyword_orders;         ///< a cache, as those of objects/state.h
};
inline TAIN_HIDDEN Eternal<CallsState> calls_state;

inline CallsState& GetCallsState() noexcept { return calls_state.value; }

}  // namespace tain::bindings
