// SPDX-License-Identifier: Apache-2.0
// Copies of objects with other values in some fields.
//
// The core copies objects whose class tain made. An object of a Python subclass is taken apart as
// for a pickle and put together with the new values, so that its class and attributes stay, and a
// constructor gets the values of const members.
#include "graphs/init.h"

#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/loops.h"
#include "classes/object_state.h"
#include "classes/pickle.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/graph/copy.h"
#include "tain/internal/make_plan.h"
#include "tain/internal/type_members.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// The functions of the module, as messages name them.
constexpr const char* kCopyWith = "copy_with()";
constexpr const char* kCheckConditions = "check_conditions()";

/// Returns the object that was given to a function.
TainObject* GivenObject(nb::handle self, const char* function) {
  TainObject* object = IsWrapper(self.ptr()) ? ObjectOf(self.ptr()) : nullptr;
  if (object == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (object == nullptr || object->type_index < kTainDynObjectBegin) {
    ThrowGiven(std::string(function) + ": expected an object of a registered type", self);
  }
  return object;
}

const TainFieldDef* FieldOf(const TainTypeRecord* record, nb::handle name, const char* function) {
  if (!PyUnicode_Check(name.ptr())) {
    ThrowGiven(std::string(function) + ": expected names of fields", name);
  }
  const std::string wanted = TextFrom(nb::borrow<nb::str>(name), function);
  for (const TainFieldDef* field : AllFields(record)) {
    if (View(field->info.name) == wanted) return field;
  }
  ThrowType(KeyOf(record) + " has no field '" + wanted + "'");
}

nb::object CopySubclass(PyObject* self, TainObject* object, const TainTypeRecord* record,
                        const nb::dict& changes) {
  FieldValues fields = FieldsOf(object, record, false);
  ForEachEntry(changes, [&](nb::handle name, nb::handle value) {
    (fields.needed.contains(name) ? fields.needed : fields.rest)[name] = value;
  });
  const nb::object state = PythonStateOf(self);
  const nb::handle cls(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  nb::object made = RebuildObject(cls, fields.needed);
  RestoreParts(made, fields.rest, state);
  return made;
}

nb::object CopyObjectByCore(TainObject* object, const TainTypeRecord* record,
                            const nb::dict& changes) {
  Map<String, Any> values;
  ForEachEntry(changes, [&](nb::handle name, nb::handle value) {
    const TainFieldDef* field = FieldOf(record, name, kCopyWith);
    ArgFrame<1> frame(1);
    if (!frame.AddUntouched(value.ptr(), View(field->type))) throw nb::python_error();
    values.Set(String(View(field->info.name)), Any(AnyView(frame.values()[0])));
  });
  const Any made = CopyWith(AnyView(internal::ViewOfObject(object)).cast<ObjectRef>(), values);
  return Checked(ToPython(Any(made).Release()));
}

nb::object CopyWithChanges(nb::handle self, const nb::dict& changes) {
  TainObject* object = GivenObject(self, kCopyWith);
  const auto holder = internal::RefAccess::Share<Object>(object);
  internal::CheckFieldsAreState(object->type_index, internal::StateUse::kReplace);
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  ForEachEntry(changes,
               [record](nb::handle name, nb::handle) { FieldOf(record, name, kCopyWith); });
  PyTypeObject* type = Py_TYPE(self.ptr());
  if (type->tp_dealloc != &InstanceDealloc && PicklesAsTain(type)) {
    return CopySubclass(self.ptr(), object, record, CopyOf(changes));
  }
  return CopyObjectByCore(object, record, CopyOf(changes));
}

void CheckConditionsOf(nb::handle self, const nb::list& names) {
  TainObject* object = GivenObject(self, kCheckConditions);
  const auto holder = internal::RefAccess::Share<Object>(object);
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  for (nb::handle name : nb::list(names)) {
    internal::CheckConditions(object, *FieldOf(record, name, kCheckConditions));
  }
}

void CheckReplaceableClass(nb::handle cls) {
  const ClassRecord* record =
      PyType_Check(cls.ptr()) ? RecordOfType(reinterpret_cast<PyTypeObject*>(cls.ptr())) : nullptr;
  if (record == nullptr) ThrowGiven("check_replaceable(): expected a registered class", cls);
  internal::CheckFieldsAreState(record->type_index, internal::StateUse::kReplace);
}

}  // namespace

void DefineRebuildObject(CoreModule& m) {
  m.def("check_replaceable", &CheckReplaceableClass, nb::arg("cls"),
        nb::sig("def check_replaceable(cls: type) -> None"),
        "Raises TypeError if objects with other values in their fields would lose state.");
  m.def(
      "check_conditions", &CheckConditionsOf, nb::arg("object"), nb::arg("names"),
      nb::sig("def check_conditions(object: object, names: list[str]) -> None"),
      "Raises ValueError if the values of fields with these names do not fulfil their conditions.");
  m.def("copy_with", &CopyWithChanges, nb::arg("object"), nb::arg("changes"),
        nb::sig("def copy_with(object: object, changes: dict[str, typing.Any]) -> typing.Any"),
        "Returns a copy of an object with other values in some fields, read-only ones too.");
}

}  // namespace tain::bindings
