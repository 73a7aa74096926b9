// SPDX-License-Identifier: Apache-2.0
// Values whose declared type says more than the value: an Array that C++ declares as a tuple.
#pragma once

#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// Whether values of a type expression may be tuples. Where C++ declares std::pair, std::tuple or
/// Tuple, Python gets a tuple; the value itself is an Array.
inline bool NamesTuple(std::string_view type) noexcept {
  return type.size() >= 6 &&
         (type.substr(0, 6) == "tuple[" || type.find("| tuple[") != std::string_view::npos);
}
/// Converts an owned Array of a declared type and takes over its reference; null with an error set.
PyObject* DeclaredToPython(std::string_view type, const TainAny& value) noexcept;

}  // namespace tain::bindings
