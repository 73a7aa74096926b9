// SPDX-License-Identifier: Apache-2.0
// The record in a container of the C++ type of its elements, for the host.
//
// The number stands in the upper bits of the word that counts changes (container_version.h). A
// container made by another library has no such word and remembers nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tain/any.h"
#include "tain/internal/type_expr.h"

namespace tain::internal {

/// Numbers from this one on are not remembered.
inline constexpr uint32_t kMaxDeclaredNumber = 1u << 16;

/// Returns the number that the host gave to the declared type of an Array, List, Map or Dict; 0 if
/// there is none.
TAIN_DLL uint32_t DeclaredNumberOf(const TainObject* container) noexcept;
TAIN_DLL void SetDeclaredNumber(TainObject* container, uint32_t number) noexcept;

/// The type of the elements, keys or values of a declared List or Dict.
class ValueType;
/// Whether an expression is a type of any value.
TAIN_DLL bool TakesAnyValue(const TypeExpr& expr) noexcept;
/// Reads the type of a part; null if it takes any value, or has a key that is not registered, or more
/// than once.
TAIN_DLL std::shared_ptr<const ValueType> TypeOfPart(const TypeExpr& expr);
/// Returns a value as it is stored. Throws `where: expected float, got str ('x')`.
TAIN_DLL Any StoredPart(const ValueType& type, const Any& value, const std::string& where);

}  // namespace tain::internal
