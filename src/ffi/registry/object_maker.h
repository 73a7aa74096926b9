// SPDX-License-Identifier: Apache-2.0
// Objects made from the record of their type.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// Memory of a type's objects, from its record.
struct ObjectMaker {
  explicit ObjectMaker(const TainTypeRecord& record) noexcept
      : type_index(record.info->type_index),
        size(static_cast<size_t>(record.request.size)),
        alignment(static_cast<size_t>(record.request.alignment)),
        header_offset(record.def.header_offset),
        deleter(record.def.deleter) {}

  /// Memory for an object; on failure null and MemoryError is raised.
  void* Allocate() const noexcept {
    void* body = TainObjectAlloc(size, alignment, type_index);
    if (body == nullptr) TainErrorSetRaisedFromCStr("MemoryError", "out of memory");
    return body;
  }
  /// Where the constructor has put the header of an object.
  TainObject* HeaderOf(void* body) const noexcept {
    return reinterpret_cast<TainObject*>(static_cast<char*>(body) + header_offset);
  }
  /// Makes what a constructor has built an object with one reference, as a value.
  TainAny Finish(void* body) const noexcept {
    TainObject* header = HeaderOf(body);
    header->type_index = type_index;
    header->deleter = deleter;
    header->reserved = kTainHeaderHasPrefix |
                       (static_cast<uint32_t>(header_offset >> 3) << kTainHeaderOffsetShift);
    TainAny value{};
    value.type_index = type_index;
    value.v_obj = header;
    return value;
  }

  int32_t type_index;
  size_t size;
  size_t alignment;
  int64_t header_offset;
  void (*deleter)(void* self, int flags);
};

/// A new object made by the type's default constructor; TypeError if it has none. Throws what the
/// constructor raises.
Any MakeDefault(const TainTypeRecord& record);
/// A new object made by the type's copy constructor; TypeError if it has none.
Any MakeCopy(const TainTypeRecord& record, const TainObject* source);

}  // namespace tain::internal
