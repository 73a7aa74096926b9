// SPDX-License-Identifier: Apache-2.0
// The methods and properties of a type that can be overridden, and sets of their names.
#pragma once

#include <array>
#include <atomic>
#include <string_view>
#include <type_traits>

#include "base/py.h"
#include "tain/virtual.h"

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

/// The names in a set of overrides, as bits.
using NameBits = std::array<uint64_t, std::extent_v<decltype(TainOverrideSet::names)>>;
inline void AddName(std::string_view name, NameBits* names) noexcept {
  const uint32_t bit = internal::OverrideBit(name);
  (*names)[bit >> 6] |= uint64_t{1} << (bit & 63);
}
/// Stores the names of the set with an index.
inline void StoreNames(uint32_t index, const NameBits& names) noexcept {
  for (size_t i = 0; i < names.size(); ++i) {
    std::atomic_ref<uint64_t>(TainOverrideSets[index].names[i])
        .store(names[i], std::memory_order_relaxed);
  }
}

}  // namespace tain::bindings
