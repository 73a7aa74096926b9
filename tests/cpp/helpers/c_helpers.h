// SPDX-License-Identifier: Apache-2.0
// What tests of the C functions share: byte arrays, the raised error as text, live counts,
// callbacks.
#pragma once

#include <string>
#include <string_view>

#include "tain/any.h"
#include "tain/c_api.h"

namespace tain_test {

/// A byte array that views a literal or a string that lives longer.
inline TainByteArray Text(std::string_view text) { return {text.data(), text.size()}; }

inline std::string Str(const TainByteArray& bytes) { return std::string(bytes.data, bytes.size); }

/// Takes the thread's raised error as `Kind: message`; empty if there is none.
inline std::string TakeError() {
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error == nullptr) return "";
  const auto* cell = reinterpret_cast<const TainErrorCell*>(error + 1);
  std::string text = Str(cell->kind) + ": " + Str(cell->message);
  TainObjectDecRef(error);
  return text;
}

/// Number of live objects of a type.
inline int64_t Live(int32_t type_index) {
  struct Query {
    int32_t type_index;
    int64_t count;
  } query{type_index, 0};
  TainLiveObjects(
      [](int32_t type, int64_t count, void* context) {
        auto* q = static_cast<Query*>(context);
        if (type == q->type_index) q->count = count;
      },
      &query);
  return query.count;
}

/// A Function that returns the number of its arguments.
inline TainObject* MakeCounter() {
  TainObject* function = nullptr;
  TainFunctionCreate(
      nullptr,
      [](void*, const TainAny*, int32_t num_args, TainAny* result) {
        result->type_index = kTainInt;
        result->v_int64 = num_args;
        return 0;
      },
      nullptr, &function);
  return function;
}

/// A view of a Function as a value.
inline TainAny FunctionValue(TainObject* function) {
  TainAny value{};
  value.type_index = kTainFunction;
  value.v_obj = function;
  return value;
}

inline TainAny IntValue(int64_t number) {
  TainAny value{};
  value.type_index = kTainInt;
  value.v_int64 = number;
  return value;
}

/// A request for a dynamic child of ffi.Object.
inline TainTypeRequest Request(std::string_view key, const TainUnit* unit = nullptr) {
  TainTypeRequest request{};
  request.key = Text(key);
  request.static_index = -1;
  request.parent = kTainObject;
  request.depth = 1;
  request.child_slots_can_overflow = 1;
  request.size = 40;
  request.alignment = 8;
  request.unit = unit;
  return request;
}

/// A unit record as tain's headers make it.
inline TainUnit MakeUnit(const char* name) {
  return {TAIN_LAYOUT_VERSION,
          TAIN_ABI_VERSION_MAJOR,
          TAIN_ABI_VERSION_MINOR,
          sizeof(TainAny),
          sizeof(TainObject),
          TAIN_COMPILER_TAG,
          name};
}

}  // namespace tain_test
