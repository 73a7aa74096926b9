// SPDX-License-Identifier: Apache-2.0
// json::Parse and json::Stringify of tvm::ffi, by tain/graph/json_value.h.
#pragma once

#include "tain/container/optional.h"
#include "tain/graph/json_value.h"
#include "tain/string.h"

namespace tain::interop::ffi::json {

using Value = Any;
using Object = Map<Any, Any>;
using Array = ::tain::Array<Any>;

/// Returns the value of a text. Throws ValueError if it is malformed; if `error_msg` is given, it
/// receives the message instead (empty: no error), and the result is None.
inline Value Parse(const String& json_str, String* error_msg = nullptr) {
  if (error_msg == nullptr) return ParseJson(json_str);
  try {
    Value value = ParseJson(json_str);
    *error_msg = String();
    return value;
  } catch (const Error& error) {
    *error_msg = error.message();
    return Value();
  }
}
/// Returns the text of a value; with an indent it has lines.
inline String Stringify(const Value& value, const Optional<int>& indent = std::nullopt) {
  return WriteJson(value, indent.value_or(-1));
}

}  // namespace tain::interop::ffi::json
