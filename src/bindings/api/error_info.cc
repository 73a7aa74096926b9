// SPDX-License-Identifier: Apache-2.0
// The classes ErrorInfo and ErrorFieldInfo, and the hooks for values of fields.
#include "api/init.h"

#include <nanobind/stl/string.h>

#include <string>

#include "api/member_info.h"
#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/error_class.h"
#include "base/hooks.h"
#include "describe/annotation.h"
#include "tain/any.h"
#include "tain/internal/dotted_name.h"
#include "values/declared.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

PyObject* DeclaredValue(std::string_view type, const TainAny& value) noexcept {
  return GuardedObject([&]() -> nb::object {
    if (value.type_index != kTainArray) return ValueOfExpression(value, type);
    return Checked(DeclaredToPython(type, Any(AnyView(value)).Release()));
  });
}

bool DeclaredFromPython(std::string_view type, PyObject* object, TainAny* out) noexcept {
  ArgFrame<1> frame(1);
  if (!frame.Add(object, type)) return false;
  return Succeeds([&] { internal::CopyToOwned(frame.values()[0], out); });
}

/// Returns `CycleError.cell` for messages.
std::string WhereOf(const ErrorFieldInfo& self) {
  return std::string(internal::LastPart(self.record->key())) + "." + self.field->name();
}

nb::object ConvertField(const ErrorFieldInfo& self, nb::handle value) {
  const std::string type = self.field->type()();
  ArgFrame<1> frame(1);
  if (!frame.Add(value.ptr(), type)) throw nb::python_error();
  const Any fit = self.field->Convert(AnyView(frame.values()[0]), WhereOf(self));
  return Checked(DeclaredValue(type, fit.data()));
}

/// Returns the message of an exception, of which C++ would make its own.
std::string MessageOf(nb::handle exception) {
  const nb::object args = nb::getattr(exception, "args");
  if (!nb::isinstance<nb::tuple>(args) || nb::len(args) != 1) return "";
  const nb::object first = args[0];
  return PyUnicode_CheckExact(first.ptr()) ? Utf8Of(first) : "";
}

/// Returns the default of a field, and keeps it as an attribute: a List stays the same one.
nb::object DefaultOfField(const nb::object& self_object, nb::handle exception) {
  const auto& self = nb::cast<const ErrorFieldInfo&>(self_object);
  if (exception.is_none()) return self_object;
  if (!PyExceptionInstance_Check(exception.ptr())) {
    ThrowType(WhereOf(self) + ": expected an exception as self");
  }
  const Map<String, Any> defaults = self.record->Defaults(MessageOf(exception));
  const auto found = defaults.find(String(self.field->name()));
  if (found == defaults.end()) return nb::none();
  const nb::object made = Checked(DeclaredValue(self.field->type()(), (*found).second.data()));
  const nb::object own = nb::getattr(exception, "__dict__");
  if (!PyDict_Check(own.ptr())) return made;  // the class of a user has something else there
  return Checked(
      Py_XNewRef(PyDict_SetDefault(own.ptr(), Text(self.field->name()).ptr(), made.ptr())));
}

}  // namespace

void InitErrorFields() {
  GetHooks().declared_to_python = &DeclaredValue;
  GetHooks().declared_from_python = &DeclaredFromPython;
}

void DefineErrorInfo(CoreModule& m) {
  CoreClass<ErrorInfo> info(m, "ErrorInfo", nb::is_final(), "What C++ says of an exception class.");
  AddIdentity(info, &ErrorInfo::record);
  info.def("__repr__", [](const ErrorInfo& e) { return "ErrorInfo(" + e.record->key() + ")"; })
      .def_prop_ro("key", [](const ErrorInfo& e) { return Text(e.record->key()); });
  using F = ErrorFieldInfo;
  CoreClass<F> cls(m, "ErrorFieldInfo", nb::is_final(), "A field of an exception class.");
  AddIdentity(cls, &F::field);
  cls.def("__repr__",
          [](const F& f) {
            return "ErrorFieldInfo(" + f.field->name() + ": " + f.field->type()() + ")";
          })
      .def(
          "__get__",
          [](const nb::object& self, nb::handle exception, nb::handle) {
            return DefaultOfField(self, exception);
          },
          nb::arg("instance").none(), nb::arg("owner").none() = nb::none(),
          nb::sig("def __get__(self, instance: object, owner: object = None, /) -> typing.Any"))
      .def("convert", &ConvertField, nb::arg("value").none(),
           nb::sig("def convert(self, value: object, /) -> typing.Any"),
           "Return a value as the field holds it; TypeError or OverflowError if it does not fit.")
      .def_prop_ro("name", [](const F& f) { return Text(f.field->name()); })
      .def_prop_ro("doc", [](const F& f) { return Text(f.field->doc()); })
      .def_prop_ro(
          "type", [](const F& f) { return Text(f.field->type()()); },
          "The type as an expression: `Array[geometry.Point]`.")
      .def_prop_ro(
          "annotation", [](const F& f) { return TypeFromExpression(f.field->type()()); },
          "The type as a Python object.")
      .def_prop_ro(
          "has_default", [](const F& f) { return f.record->can_make(); },
          "Whether an exception that was not given the field has what a new C++ exception has; "
          "else it has None.");
}

}  // namespace tain::bindings
