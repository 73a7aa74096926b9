// SPDX-License-Identifier: Apache-2.0
// The table of the built-in types: their indices, and their names in every place that names types.
#pragma once

#include <string>
#include <string_view>

#include "tain/any.h"

namespace tain::internal {

/// The conversions to a built-in type: those of TypeTraits<T> for one T.
struct ValueLeaf {
  bool (*is_exact)(const TainAny* value);
  bool (*convert)(const TainAny* value, Any* out);
  Explain explain;
};

/// The parts in brackets that may follow the name of a type in an expression.
enum class BuiltinForm {
  kLeaf,      ///< none
  kSequence,  ///< the type of the elements
  kMapping,   ///< those of keys and values
  kTuple,     ///< one for each element
  kCallable,  ///< `[[A, B], R]` or `[..., R]`
  kArray,     ///< what an array must be: `Tensor[float32, ndim=2]`
  kPython     ///< a class of Python alone, with what its documentation says
};

/// The objects to which values of a type may lead.
enum class BuiltinRefs {
  kAny,
  kOfParts,  ///< those of the types in brackets, because its values never change
  kNone
};

/// A name of type expressions, which texts for users have too. A new built-in type is a row.
struct BuiltinType {
  int32_t index;               ///< of the type of converted values; kTainAny if that is open
  std::string_view key;        ///< of the binary contract, for the rows that are its types
  std::string_view name = {};  ///< in type expressions; empty if none may say it
  // What follows is asked of the first row of a name only.
  std::string_view schema = {};
  std::string_view module = {};     ///< where Python has it
  std::string_view attribute = {};  ///< its name there
  BuiltinForm form = BuiltinForm::kLeaf;
  BuiltinRefs refs = BuiltinRefs::kAny;
  const ValueLeaf* leaf = nullptr;  ///< null if no value is converted to it by this name
};

/// The number of types in the brackets of a container; 0 for other forms.
constexpr size_t NumParts(BuiltinForm form) noexcept {
  return form == BuiltinForm::kSequence ? 1 : form == BuiltinForm::kMapping ? 2 : 0;
}

/// All rows, in an order in which the first row of a name is the one to use.
struct BuiltinRows {
  const BuiltinType* first;
  const BuiltinType* last;
  const BuiltinType* begin() const noexcept { return first; }
  const BuiltinType* end() const noexcept { return last; }
};
TAIN_DLL BuiltinRows BuiltinTypes() noexcept;
/// Returns the row of a name in type expressions; null if it is none.
TAIN_DLL const BuiltinType* FindBuiltin(std::string_view name) noexcept;
/// Returns the row of the type that has an index; null if it is no built-in type.
TAIN_DLL const BuiltinType* BuiltinOfIndex(int32_t index) noexcept;
/// Whether a type expression names a built-in type of this form.
inline bool HasForm(std::string_view name, BuiltinForm form) noexcept {
  const BuiltinType* type = FindBuiltin(name);
  return type != nullptr && type->form == form;
}
/// Whether values of a type expression lead to no other objects.
TAIN_DLL bool LeadsNowhere(std::string_view type);

/// Adds a row, which is copied. Returns false if the table is full. Nobody may read it meanwhile:
/// tests of what reads the table call this.
TAIN_DLL bool AddBuiltinType(const BuiltinType& type) noexcept;

}  // namespace tain::internal
