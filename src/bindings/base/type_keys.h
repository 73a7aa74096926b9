// SPDX-License-Identifier: Apache-2.0
// Type keys and other registered names: similar names, the module of a key, unknown names,
// attributes of types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/py.h"
#include "tain/internal/near_matches.h"

namespace tain::bindings {

/// Raises the faults of libraries that were not loaded by load_library; throws nb::python_error.
void RaisePendingFaults();
/// Calls the on_missing hook for an unknown name, which may register it. Whatever the hook does, look
/// again: another thread may have registered the name since it was looked up.
void AskForMissing(const char* kind, std::string_view name);
using internal::NearMatches;
/// Returns the key of a type index; empty if there is no such type.
std::string_view KeyOfIndex(int32_t type_index) noexcept;
/// Returns the type index of a key, or -1. Loads no library and raises no fault.
int32_t FindTypeIndex(std::string_view key) noexcept;
/// Returns the enum of a key; null if there is none.
const TainEnumInfo* FindEnum(std::string_view key) noexcept;
/// Returns the global function of a name as a new strong reference; null if there is none.
TainObject* FindGlobalFunction(std::string_view name);
/// The names of all global functions, in no order.
std::vector<std::string> GlobalFunctionNames();
/// Throws ValueError, with similar keys, because no type has a key.
[[noreturn]] void ThrowUnknownKey(std::string_view key);
/// Keys that start with a prefix, sorted.
std::vector<std::string> TypeKeys(std::string_view prefix);
/// Returns the name of a key's class: what stands after the last dot, or `_`.
std::string_view ClassNameOfKey(std::string_view key) noexcept;
/// Returns the key of the type in which the class of a key is nested: `geometry.Expr` for
/// `geometry.Expr.Kind`. Empty if there is no such type, if it has a member `Kind`, or if a module
/// adopted `geometry.Expr` as a namespace.
std::string_view OuterKeyOf(std::string_view key);
/// Returns the `__qualname__` of a key's class: `Point`; `Expr.Kind` for a nested class.
std::string QualNameOfKey(std::string_view key);
/// Returns the module of a key's class: the module that adopted the namespace, or
/// tain.types.<namespace>; for a nested class that of the outer one.
std::string ModuleOfKey(std::string_view key);
/// Returns the value of a type's own attribute, or null.
const TainAny* TypeAttr(int32_t type_index, const char* name) noexcept;

}  // namespace tain::bindings
