// SPDX-License-Identifier: Apache-2.0
// Types that the ABI's functions alone described: what their attributes make of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/any.h"

namespace tain::internal {

/// An object made by `__ffi_new__` or by the creator of the metadata; nothing if there is neither.
/// Throws what they raise, and TypeError about a result of another type.
std::optional<Any> MakeForeignDefault(const TainTypeRecord& record);
/// A copy made by `__ffi_shallow_copy__`; nothing if the type has none.
std::optional<Any> MakeForeignCopy(const TainTypeRecord& record, const TainObject* source);

/// The object that stands before names and values in the arguments of `__ffi_init__`.
TainObject* KeywordArgumentsMarker() noexcept;

/// The type expression of a schema in a field's metadata; `Any` if there is none to be read.
std::string TypeFromMetadata(const TainByteArray& metadata);
/// The types of the parameters that a method's metadata lists, if it does.
std::optional<std::vector<std::string>> ParametersFromMetadata(const TainByteArray& metadata);

}  // namespace tain::internal
