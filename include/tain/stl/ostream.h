// SPDX-License-Identifier: Apache-2.0
// Opt-in: operator<< of std::ostream for values, objects, data types and devices, also in messages.
//
//   std::cout << value;                                // a tain::Any, as Python's repr writes it
//   TAIN_THROW(TypeError) << "got " << tensor.dtype();  // float32
// A String is written as it is without this header. The umbrella tain.h does not include this file.
#pragma once

#include <ostream>
#include <type_traits>

#include "tain/container/optional.h"
#include "tain/container/variant.h"
#include "tain/reflection/inspect.h"

namespace tain {

/// Writes a value as Python's repr does.
template <class T>
  requires(std::is_base_of_v<AnyValue, T>)
std::ostream& operator<<(std::ostream& out, const T& value) {
  return out << Repr(AnyView(value));
}
/// Writes an object as Python's repr does; a null handle is None.
template <class T>
  requires(std::is_base_of_v<ObjectRef, T> && internal::Crosses<T>)
std::ostream& operator<<(std::ostream& out, const T& object) {
  return out << Repr(AnyView(object));
}
template <class T>
std::ostream& operator<<(std::ostream& out, const Optional<T>& value) {
  return out << Repr(Any(value));
}
template <class... T>
std::ostream& operator<<(std::ostream& out, const Variant<T...>& value) {
  return out << Repr(Any(value));
}

}  // namespace tain

// The structs of DLPack stand in the global namespace, where the compiler finds these operators.
#ifndef TAIN_NO_DLPACK_OPERATORS
/// Writes the name of a data type, such as float32.
inline std::ostream& operator<<(std::ostream& out, DLDataType dtype) {
  tain::String name;
  tain::internal::ThrowIfFailed(
      TainDataTypeToString(&dtype, &tain::internal::CellAccess::Get(name)));
  return out << name;
}
/// Writes a device as Python's repr does.
inline std::ostream& operator<<(std::ostream& out, DLDevice device) {
  return out << tain::Repr(tain::AnyView(device));
}
#endif
