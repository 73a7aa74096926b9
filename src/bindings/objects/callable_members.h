// SPDX-License-Identifier: Apache-2.0
// Iterates over the methods and properties of a type that can be overridden.
#pragma once

#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// Calls `visit(name, info)` for each method and property of the type, without those of its
/// parents.
template <class F>
void ForEachCall(const TainTypeRecord* record, F&& visit) {
  for (int32_t i = 0; i < record->num_methods; ++i) {
    const TainMethodDef* method = record->methods[i];
    if (method->call != nullptr) visit(View(method->info.name), method->call);
  }
  for (int32_t i = 0; i < record->num_properties; ++i) {
    const TainPropertyDef* property = record->properties[i];
    const TainFunctionInfo* info = TainFunctionGetInfo(property->getter);
    if (info != nullptr) visit(View(property->name), info);
  }
}

/// The name of a member as an interned str; throws nb::python_error.
inline nb::str MemberName(std::string_view name) {
  PyObject* text = ToStr(name.data(), name.size());
  if (text == nullptr) throw nb::python_error();
  PyUnicode_InternInPlace(&text);
  return nb::steal<nb::str>(text);
}

}  // namespace tain::bindings
