// SPDX-License-Identifier: Apache-2.0
// TypeColumn: a type attribute that libtain reads. It is looked up once and read without a lock.
#pragma once

#include <atomic>

#include "tain/base.h"

namespace tain::internal {

/// The values of one attribute. A column never changes its address, so it is looked up once.
class TypeColumn {
 public:
  constexpr explicit TypeColumn(const char* name) noexcept : name_(name) {}

  /// Returns the value for a type, or null.
  const TainAny* Find(int32_t type_index) noexcept {
    const TainTypeAttrColumn* column = column_.load(std::memory_order_acquire);
    if (TAIN_UNLIKELY(column == nullptr)) {
      const TainByteArray name = Bytes(name_);
      column = TainGetTypeAttrColumn(&name);
      if (column == nullptr) return nullptr;
      column_.store(column, std::memory_order_release);
    }
    // A column grows without a lock: its size is published after its data, and the type of a value
    // after its payload.
    auto& writable = const_cast<TainTypeAttrColumn&>(*column);
    const int64_t offset = int64_t{type_index} - writable.begin_index;
    const int32_t size = std::atomic_ref<int32_t>(writable.size).load(std::memory_order_acquire);
    if (offset < 0 || offset >= size) return nullptr;
    const TainAny* data =
        std::atomic_ref<const TainAny*>(writable.data).load(std::memory_order_acquire);
    auto& value = const_cast<TainAny&>(data[offset]);
    const int32_t type = std::atomic_ref<int32_t>(value.type_index).load(std::memory_order_acquire);
    return type == kTainNone ? nullptr : &value;
  }

 private:
  const char* name_;
  std::atomic<const TainTypeAttrColumn*> column_{nullptr};
};

}  // namespace tain::internal
