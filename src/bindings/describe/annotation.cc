// SPDX-License-Identifier: Apache-2.0
// Type expressions as Python objects; see annotation.h.
#include "describe/annotation.h"

#include <algorithm>
#include <string>

#include "base/bridge_lock.h"
#include "base/type_keys.h"
#include "objects/class_table.h"
#include "objects/enums.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/enum_key.h"
#include "tain/internal/type_expr.h"
#include "values/to_python.h"

namespace tain::bindings {

using internal::BuiltinForm;
using internal::BuiltinType;
using internal::FindBuiltin;
using internal::HasForm;
using internal::ParseTypeExpr;
using internal::TypeExpr;
using internal::WriteTypeExpr;

namespace {

bool IsOfTain(const BuiltinType& type) noexcept { return type.module == "tain"; }

/// Returns the row of a name that stands for an attribute of a module; null if there is none.
const BuiltinType* FindNamed(std::string_view name) noexcept {
  const BuiltinType* found = FindBuiltin(name);
  return found != nullptr && !found->module.empty() ? found : nullptr;
}

/// Whether a name stands for a value: None, or `...`.
bool IsConstant(std::string_view name) noexcept { return name == "None" || name == "..."; }

/// Returns the object of a name; a str with the name if nothing has it.
nb::object ResolveName(std::string_view name) {
  if (name == "None") return nb::none();
  if (name == "...") return nb::borrow(Py_Ellipsis);
  nb::object cls;
  if (const BuiltinType* found = FindNamed(name)) {
    if (IsOfTain(*found)) cls = ClassObject(found->index);
    if (cls.is_valid()) return cls;
    const char* module = IsOfTain(*found) ? "tain._core" : found->module.data();
    return nb::module_::import_(module).attr(found->attribute.data());
  }
  if (FindEnum(name) != nullptr) {
    cls = nb::steal(EnumClass(name));
  } else if (const int32_t index = FindTypeIndex(name); index >= 0) {
    cls = ClassObject(index);
  }
  return cls.is_valid() ? cls : Text(name);
}

nb::object Resolve(const TypeExpr& expr);

nb::list ResolveAll(const std::vector<TypeExpr>& parts) {
  nb::list all = NewList();
  for (const TypeExpr& part : parts) all.append(Resolve(part));
  return all;
}

/// Makes `A | B`, where one of them may be a str.
nb::object ResolveUnion(const TypeExpr& expr) {
  const nb::list parts = ResolveAll(expr.parts);
  const auto is_text = [](nb::handle part) { return PyUnicode_Check(part.ptr()) != 0; };
  if (std::none_of(parts.begin(), parts.end(), is_text)) {
    nb::object all = parts[0];
    for (size_t i = 1; i < parts.size() && all.is_valid(); ++i) {
      all = nb::steal(PyNumber_Or(all.ptr(), nb::object(parts[i]).ptr()));
    }
    if (all.is_valid()) return all;
    PyErr_Clear();  // one of them does not support `|`
  }
  return nb::module_::import_("typing").attr("Union")[nb::tuple(parts)];
}

/// Whether an expression says in brackets what an array must be: `Tensor[float32, ndim=2]`.
bool IsRuled(const TypeExpr& expr) noexcept { return HasForm(expr.name, BuiltinForm::kArray); }

/// Makes `typing.Annotated[tain.Tensor, 'float32, ndim=2']`, and of what a parameter converts
/// `typing.Annotated[typing.Any, 'ArrayLike[float32, ndim=2]']`.
nb::object ResolveRuled(const TypeExpr& expr) {
  std::string text = WriteTypeExpr(expr);
  const nb::object base = ResolveName(expr.name);
  if (IsOfTain(*FindBuiltin(expr.name))) {  // the class says what it is
    text = text.substr(expr.name.size() + 1, text.size() - expr.name.size() - 2);
  }
  return nb::module_::import_("typing").attr("Annotated")[nb::make_tuple(base, Text(text))];
}

/// `Array[int]`, `tuple[int, ...]`, `Callable[[int], str]`.
nb::object ResolveBrackets(const TypeExpr& expr) {
  if (IsRuled(expr)) return ResolveRuled(expr);
  const nb::object base = ResolveName(expr.name);
  if (PyUnicode_Check(base.ptr())) return Text(WriteTypeExpr(expr));
  const nb::tuple args(ResolveAll(expr.parts));
  const BuiltinType* builtin = FindNamed(expr.name);
  if (builtin == nullptr || IsOfTain(*builtin)) {
    return nb::module_::import_("types").attr("GenericAlias")(base, args);
  }
  return nb::object(base[args]);
}

nb::object Resolve(const TypeExpr& expr) {
  switch (expr.kind) {
    case TypeExpr::Kind::kUnion: return ResolveUnion(expr);
    case TypeExpr::Kind::kList: return ResolveAll(expr.parts);
    default: return expr.has_brackets ? ResolveBrackets(expr) : ResolveName(expr.name);
  }
}

/// Whether an expression names built-in types only.
bool IsBuiltin(const TypeExpr& expr) {
  if (IsRuled(expr)) return true;
  if (expr.kind == TypeExpr::Kind::kName && !IsConstant(expr.name)) {
    const BuiltinType* builtin = FindNamed(expr.name);
    if (builtin == nullptr) return false;
    if (builtin->module == "numpy") return false;  // imported when the type is asked for
  }
  return std::all_of(expr.parts.begin(), expr.parts.end(), &IsBuiltin);
}

bool IsKnownName(std::string_view name) {
  return IsConstant(name) || FindNamed(name) != nullptr || FindEnum(name) != nullptr ||
         FindTypeIndex(name) >= 0;
}
/// Whether all names in an expression are known.
bool IsKnown(const TypeExpr& expr) {
  if (IsRuled(expr)) return true;
  if (expr.kind == TypeExpr::Kind::kName && !IsKnownName(expr.name)) return false;
  return std::all_of(expr.parts.begin(), expr.parts.end(), &IsKnown);
}

/// Returns a Python expression for a name that can be evaluated in any module.
std::string EvaluableName(std::string_view name) {
  if (IsConstant(name)) return std::string(name);
  if (const BuiltinType* found = FindNamed(name)) {
    const std::string_view module = found->module;
    // Built-in names too: typing.get_type_hints looks names up in the class first, where a field
    // may be named `int`. __import__("collections.abc") returns collections.
    const size_t dot = module.find('.');
    const std::string rest(dot == std::string_view::npos ? std::string_view() : module.substr(dot));
    return "__import__('" + std::string(module) + "')" + rest + "." + std::string(found->attribute);
  }
  if (!IsKnownName(name)) {
    return "__import__('typing').Any";
  }
  return std::string("__import__('tain').get_class(") + nb::repr(Text(name)).c_str() + ")";
}

/// Whether what stands for a built-in type exists.
bool IsUsed(const BuiltinType& type) {
  return type.index < kTainStaticObjectBegin || !IsOfTain(type) ||
         ClassOfStaticIndex(type.index) != nullptr ||
         GetObjectsState().classes.Find(type.index) != nullptr;
}

}  // namespace

nb::object TypeFromExpression(std::string_view expression) {
  const auto expr = ParseTypeExpr(expression);
  if (!expr) return ResolveName(expression);  // a key with brackets, for example
  try {
    return Resolve(*expr);
  } catch (nb::python_error& e) {
    // If typing refuses it (a key that is not a Python expression, a wrong number of parts), it
    // stays a str.
    if (!e.matches(PyExc_TypeError) && !e.matches(PyExc_SyntaxError)) throw;
    return Text(expression);
  }
}

nb::object AnnotationFromExpression(std::string_view expression) {
  const auto expr = ParseTypeExpr(expression);
  if (!expr) return Text(EvaluableName(expression));
  if (IsBuiltin(*expr)) return TypeFromExpression(expression);
  return Text(WriteTypeExpr(*expr, &EvaluableName));
}

nb::object HintFromExpression(std::string_view expression) {
  const auto expr = ParseTypeExpr(expression);
  const nb::object any = nb::module_::import_("typing").attr("Any");
  const bool known = expr ? IsKnown(*expr) : IsKnownName(expression);
  if (!known) return any;
  nb::object hint = TypeFromExpression(expression);
  return PyUnicode_Check(hint.ptr()) ? any : hint;
}

nb::object ValueOfExpression(const TainAny& value, std::string_view expression) {
  nb::object made = BorrowedToPython(value);
  if (!PyLong_CheckExact(made.ptr()) && !PyUnicode_CheckExact(made.ptr())) return made;
  const TainEnumInfo* info = internal::EnumOfType(expression);
  if (info == nullptr) return made;
  nb::object member = nb::steal(EnumMember(View(info->key), nb::object(made).release().ptr()));
  if (member.is_valid()) return member;
  PyErr_Clear();  // show it as it is passed to Python
  return made;
}

void DefineBuiltinTypes(CoreModule& m) {
  m.def(
      "builtin_types",
      [] {
        nb::list rows = NewList();
        for (const BuiltinType& type : internal::BuiltinTypes()) {
          if (type.leaf == nullptr || FindBuiltin(type.name) != &type) continue;
          const nb::object meaning = IsUsed(type) ? ResolveName(type.name) : Text(type.key);
          rows.append(nb::make_tuple(Text(type.name), meaning, internal::NumParts(type.form)));
        }
        return rows;
      },
      nb::sig("def builtin_types() -> list[tuple[str, object, int]]"),
      "The built-in types to which values are converted: the name in type expressions, the object "
      "of\n"
      "Python (the key of a class that nobody has used yet: each class that is watched has a "
      "cost), and\n"
      "how many types a container has in brackets.");
}

}  // namespace tain::bindings
