// SPDX-License-Identifier: Apache-2.0
// Names of data types, and their output to streams, for sources for tvm::ffi.
#pragma once

#include <string_view>

#include "tain/stl/ostream.h"
#include "tain/string.h"

namespace tain::interop::ffi {

/// Returns the data type of a name such as float32 or int8x4. Throws ValueError.
inline DLDataType StringToDLDataType(std::string_view name) {
  const TainByteArray bytes{name.data(), name.size()};
  DLDataType dtype{};
  internal::ThrowIfFailed(TainDataTypeFromString(&bytes, &dtype));
  return dtype;
}
/// Returns the name of a data type.
inline String DLDataTypeToString(DLDataType dtype) {
  String name;
  internal::ThrowIfFailed(TainDataTypeToString(&dtype, &internal::CellAccess::Get(name)));
  return name;
}

}  // namespace tain::interop::ffi
