// SPDX-License-Identifier: Apache-2.0
// Arrays that C++ declares as tuples; see declared.h.
#include "values/declared.h"

#include <optional>

#include "base/error.h"
#include "tain/any.h"
#include "tain/internal/container_api.h"
#include "tain/internal/type_expr.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

using internal::TypeExpr;

/// Returns the type of a tuple with `size` elements in an expression; null if there is none.
const TypeExpr* TupleIn(const TypeExpr& type, int64_t size) noexcept {
  if (type.kind == TypeExpr::Kind::kUnion) {
    for (const TypeExpr& part : type.parts) {
      if (const TypeExpr* found = TupleIn(part, size)) return found;
    }
    return nullptr;
  }
  if (type.kind != TypeExpr::Kind::kName || type.name != "tuple" || !type.has_brackets) {
    return nullptr;
  }
  const bool is_empty = type.parts.size() == 1 && type.parts[0].name == "()";
  return size == (is_empty ? 0 : static_cast<int64_t>(type.parts.size())) ? &type : nullptr;
}

/// Converts a value that the caller owns. Expressions are at most 64 levels deep.
nb::object Convert(const TypeExpr& type, const TainAny& value) {
  const bool is_array = value.type_index == kTainArray;
  const int64_t size = is_array ? internal::SeqSize(value.v_obj) : 0;
  const TypeExpr* tuple = is_array ? TupleIn(type, size) : nullptr;
  if (tuple == nullptr) return Checked(ViewToPython(&value));
  const nb::object made = Checked(PyTuple_New(static_cast<Py_ssize_t>(size)));
  for (int64_t i = 0; i < size; ++i) {
    const TainAny& element = internal::SeqData(value.v_obj)[i];  // an Array never changes
    nb::object item = Convert(tuple->parts[static_cast<size_t>(i)], element);
    PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
  }
  return made;
}

}  // namespace

PyObject* DeclaredToPython(std::string_view type, const TainAny& value) noexcept {
  if (value.type_index != kTainArray || !NamesTuple(type)) return ToPython(value);
  return GuardedObject([&]() -> nb::object {
    const Any held = Any::Steal(value);
    const std::optional<TypeExpr> parsed = internal::ParseTypeExpr(type);
    return parsed ? Convert(*parsed, held.data()) : Checked(ViewToPython(&held.data()));
  });
}

}  // namespace tain::bindings
