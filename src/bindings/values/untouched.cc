// SPDX-License-Identifier: Apache-2.0
// Python objects that cross as they are, where C++ declares `object` (tain::PythonObject), also as
// elements of containers.
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/opaque.h"
#include "tain/container/array.h"
#include "tain/container/map.h"
#include "tain/internal/type_expr.h"
#include "values/container_convert.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

using internal::TypeExpr;

/// One conversion; it lets signal handlers run.
class Untouched {
 public:
  Any Part(const TypeExpr& type, PyObject* object) {
    if (type.kind == TypeExpr::Kind::kUnion) return Alternative(type, object);
    if (IsObject(type)) return Opaque(object);
    const bool is_sequence = PyList_Check(object) || PyTuple_Check(object);
    if (is_sequence && type.name == "tuple" && type.parts.size() != 1) return Tuple(type, object);
    if (is_sequence && type.parts.size() == 1) return Elements(type.parts[0], object);
    if (PyDict_Check(object) && type.parts.size() == 2) return Entries(type, object);
    return Value(object);
  }

 private:
  static bool IsObject(const TypeExpr& type) {
    return type.kind == TypeExpr::Kind::kName && !type.has_brackets && type.name == "object";
  }
  static Any Opaque(PyObject* object) {
    if (object == Py_None) return Any();
    TainObject* made = MakeOpaque(object);
    if (made == nullptr) throw nb::python_error();
    TainAny value{};
    SetObject(made, &value);
    return Any::Steal(value);
  }
  static Any Value(PyObject* object) {
    TainAny made{};
    if (!OwnedFromPythonForAny(object, &made)) throw nb::python_error();
    return Any::Steal(made);
  }
  /// Takes the one alternative beside None. Among several, C++ looks at the value.
  Any Alternative(const TypeExpr& type, PyObject* object) {
    const TypeExpr* only = nullptr;
    size_t others = 0;
    for (const TypeExpr& part : type.parts) {
      if (part.name == "None") continue;
      only = &part;
      ++others;
    }
    if (object == Py_None) return Any();
    return others == 1 ? Part(*only, object) : Value(object);
  }
  Any Tuple(const TypeExpr& type, PyObject* object) {
    Array<Any> made;
    const nb::object held = Checked(Readable(object).release());
    object = held.ptr();
    // The elements may change while code of Python runs.
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
      const Own item = Own::Share(PySequence_Fast_GET_ITEM(object, i));
      const auto at = static_cast<size_t>(i);
      made.push_back(at < type.parts.size() ? Part(type.parts[at], item.get()) : Value(item.get()));
    }
    return made;
  }
  Any Elements(const TypeExpr& type, PyObject* object) {
    std::vector<Any> made;
    const nb::object held = Checked(Readable(object).release());
    object = held.ptr();
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
      const Own item = Own::Share(PySequence_Fast_GET_ITEM(object, i));
      made.push_back(Part(type, item.get()));
      if (!signals_.CheckSignals()) throw nb::python_error();
    }
    return Array<Any>(made.begin(), made.end());
  }
  Any Entries(const TypeExpr& type, PyObject* object) {
    const nb::object items = Checked(PyDict_Items(object));
    std::vector<std::pair<Any, Any>> made;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.ptr()); ++i) {
      PyObject* pair = PyList_GET_ITEM(items.ptr(), i);
      Any key = Part(type.parts[0], PyTuple_GET_ITEM(pair, 0));
      made.emplace_back(std::move(key), Part(type.parts[1], PyTuple_GET_ITEM(pair, 1)));
      if (!signals_.CheckSignals()) throw nb::python_error();
    }
    return Map<Any, Any>(made.begin(), made.end());
  }

  Conversion signals_;
};

}  // namespace

bool FromPythonUntouched(std::string_view type, PyObject* object, TainAny* out,
                         ArgExtra* extra) noexcept {
  if (!internal::NamesObject(type)) return FromPythonFor(type, object, out, extra);
  extra->owned = nullptr;
  *out = TainAny{};
  return Guarded(false, [&] {
    const std::optional<TypeExpr> parsed = internal::ParseTypeExpr(type);
    if (!parsed) return FromPythonFor(type, object, out, extra);
    *out = Untouched().Part(*parsed, object).Release();
    if (out->type_index >= kTainStaticObjectBegin) extra->owned = out->v_obj;
    return true;
  });
}

}  // namespace tain::bindings
