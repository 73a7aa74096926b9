// SPDX-License-Identifier: Apache-2.0
// Types that were described by the functions of the ABI alone: uses their attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tain/function.h"

namespace tain::internal {

/// Registers a global function of libtain itself, while it is loaded. Returns a code.
int SetGlobalFunction(const char* name, const Function& function);

/// Makes an object with `__ffi_new__` or with the creator in the metadata; nothing if there is
/// neither. Passes on their exceptions, and throws TypeError for a result of another type.
std::optional<Any> MakeForeignDefault(const TainTypeRecord& record);
/// Makes a copy with `__ffi_shallow_copy__`; nothing if the type has none.
std::optional<Any> MakeForeignCopy(const TainTypeRecord& record, const TainObject* source);

/// Returns the object that precedes names and values in the arguments of `__ffi_init__`.
TainObject* KeywordArgumentsMarker() noexcept;

/// Returns the type expression of the schema in a field's metadata; `Any` if there is none.
std::string TypeFromMetadata(const TainByteArray& metadata);
/// The type expressions of a function.
struct FunctionTypes {
  std::string result;
  std::vector<std::string> parameters;
};
/// Returns the types in the metadata of a function or method, if it lists them.
std::optional<FunctionTypes> TypesFromMetadata(const TainByteArray& metadata);
/// Gives a function that nobody has described what its JSON text says: types and documentation. The
/// flags are kTainCallMethod, if the first parameter is the receiver, or 0.
void DescribeForeign(TainObject* function, std::string_view name, std::string_view doc,
                     const TainByteArray& metadata, int32_t flags);

}  // namespace tain::internal
