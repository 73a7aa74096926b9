// SPDX-License-Identifier: Apache-2.0
// Makes objects from the record of their type.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// Allocates memory for objects of a type, from its record.
struct ObjectMaker {
  explicit ObjectMaker(const TainTypeRecord& record) noexcept
      : type_index(record.info->type_index),
        size(static_cast<size_t>(record.request.size)),
        alignment(static_cast<size_t>(record.request.alignment)),
        header_offset(record.def.header_offset),
        deleter(record.def.deleter) {}

  /// Returns memory for an object; if there is none, raises MemoryError and returns null.
  void* Allocate() const noexcept {
    void* body = TainObjectAlloc(size, alignment, type_index);
    if (body == nullptr) TainErrorSetRaisedFromCStr("MemoryError", "out of memory");
    return body;
  }
  /// Returns the header of an object that a constructor has built.
  TainObject* HeaderOf(void* body) const noexcept {
    return reinterpret_cast<TainObject*>(static_cast<char*>(body) + header_offset);
  }
  /// Turns the memory in which a constructor has built an object into a value with one reference.
  TainAny Finish(void* body) const noexcept {
    TainObject* header = HeaderOf(body);
    header->type_index = type_index;
    header->deleter = deleter;
    header->reserved = kTainHeaderHasPrefix |
                       (static_cast<uint32_t>(header_offset >> 3) << kTainHeaderOffsetShift);
    return ViewOfObject(header);
  }

  /// Makes an object with `construct(body)`, which returns a code. Returns 0, or -1 with the error
  /// raised.
  template <class F>
  int Make(F&& construct, TainAny* result) const {
    void* body = Allocate();
    if (body == nullptr) return -1;
    if (construct(body) != 0) {
      TainObjectAbandon(body, type_index);
      return -1;
    }
    *result = Finish(body);
    return 0;
  }

  int32_t type_index;
  size_t size;
  size_t alignment;
  int64_t header_offset;
  void (*deleter)(void* self, int flags);
};

/// Makes an object with the type's default constructor; TypeError if it has none. Exceptions of the
/// constructor pass through.
Any MakeDefault(const TainTypeRecord& record);
/// Throws TypeError if objects of the type must not be copied.
void CheckMayCopy(const TainTypeRecord& record);
/// Makes an object with the type's copy constructor; TypeError if it has none.
Any MakeCopy(const TainTypeRecord& record, const TainObject* source);

}  // namespace tain::internal
