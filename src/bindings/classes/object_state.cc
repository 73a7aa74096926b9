// SPDX-License-Identifier: Apache-2.0
// The state of an object; see object_state.h.
#include "classes/object_state.h"

#include "base/error.h"
#include "base/given_text.h"
#include "base/loops.h"
#include "base/state.h"
#include "classes/field_descr.h"
#include "classes/visible_class.h"
#include "objects/attach.h"
#include "objects/class_table.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// Sets a field. The constructor may have given an equal value to a field that is const in C++.
void SetField(TainObject* object, const TainFieldDef* field, nb::handle value) {
  if ((field->info.flags & kTainFieldWritable) != 0) {
    if (SetFieldValue(object, field, value.ptr()) != 0) throw nb::python_error();
    return;
  }
  const nb::object current = Checked(GetFieldValue(object, field));
  if (current.is(value) || SetFieldValue(object, field, value.ptr()) == 0) return;
  nb::python_error refused;
  if (!refused.matches(PyExc_AttributeError) || !current.equal(value)) throw refused;
}

void SetAttributes(nb::handle self, nb::handle state) {
  if (state.is_none()) return;
  if (!nb::isinstance<nb::dict>(state)) ThrowType("the pickled state is not what __reduce__ gave");
  ForEachEntry(state,
               [self](nb::handle name, nb::handle value) { nb::setattr(self, name, value); });
}

}  // namespace

nb::dict CopyOf(const nb::dict& fields) {
  PyObject* copy = PyDict_Copy(fields.ptr());
  if (copy == nullptr) throw nb::python_error();
  return nb::steal<nb::dict>(copy);
}

bool HasDefault(const TainTypeRecord* record) noexcept {
  return TainTypeHasDefault(record->info->type_index) != 0;
}

const internal::MakePlan* PlanWith(const TainTypeRecord* record, const TypeConstructor& found) {
  return found ? internal::MakePlansOf(*record, found.info()).of_host() : nullptr;
}

FieldValues FieldsOf(TainObject* object, const TainTypeRecord* record, bool all_at_once) {
  FieldValues fields;
  const auto add = [&](const TainFieldDef* field, bool is_needed) {
    const nb::object value = Checked(GetFieldValue(object, field));
    (is_needed ? fields.needed : fields.rest)[Text(field->info.name)] = value;
  };
  const bool by_default = all_at_once || HasDefault(record);
  if (const auto* plan = by_default ? nullptr : PlanWith(record, ConstructorOf(record))) {
    for (const internal::MakePlan::Field& field : plan->fields) add(field.def, field.is_first);
  } else {
    for (const TainFieldDef* field : AllFields(record)) add(field, all_at_once);
  }
  return fields;
}

bool DiffersFromObject(nb::handle cls, const char* name) {
  const nb::handle base(reinterpret_cast<PyObject*>(GetState().object_type));
  return !nb::object(AttrOrNone(cls, name)).is(AttrOrNone(base, name));
}

bool IsDefinedInCpp(nb::handle self, const char* name) {
  const ClassRecord* known = RecordOfType(Py_TYPE(self.ptr()));
  if (known == nullptr) return false;
  const nb::handle generated(reinterpret_cast<PyObject*>(known->generated));
  return DiffersFromObject(generated, name) &&
         nb::object(AttrOrNone(self.type(), name)).is(AttrOrNone(generated, name));
}

bool TakesStateInCpp(nb::handle self) {
  return IsDefinedInCpp(self, "__getstate__") && IsDefinedInCpp(self, "__setstate__");
}

nb::object PythonStateOf(nb::handle self) {
  const nb::object own = AttrOrNone(self, "__getstate__");  // of object from 3.11 on
  if (!own.is_none() && !IsDefinedInCpp(self, "__getstate__")) return own();
  nb::object dict = AttrOrNone(self, "__dict__");
  if (!dict.is_none() && nb::len(dict) == 0) dict = nb::none();
  const nb::object names = nb::module_::import_("copyreg").attr("_slotnames")(self.type());
  nb::dict slots = NewDict();
  for (nb::handle name : names) {
    const nb::object value = nb::steal(PyObject_GetAttr(self.ptr(), name.ptr()));
    if (value.is_valid()) {
      slots[name] = value;
    } else if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
      PyErr_Clear();  // the slot is empty
    } else {
      throw nb::python_error();
    }
  }
  return nb::len(slots) == 0 ? dict : nb::object(nb::make_tuple(dict, slots));
}

void SetFields(TainObject* object, const TainTypeRecord* record, nb::dict fields) {
  fields = CopyOf(fields);
  for (const TainFieldDef* field : AllFields(record)) {
    const nb::object name = Text(field->info.name);
    if (!fields.contains(name)) continue;
    const nb::object value = fields[name];
    SetField(object, field, value);
    nb::del(fields[name]);
  }
  ForEachEntry(fields, [record](nb::handle name, nb::handle) {
    ThrowType(KeyOf(record) + " has no field '" + TextFrom(nb::str(name), "pickle") +
              "' that the pickle holds");
  });
}

void RestorePython(PyObject* self, const nb::object& own) {
  if (own.is_none()) return;
  if (nb::isinstance<nb::dict>(own)) {
    const nb::object dict = AttrOrNone(nb::handle(self), "__dict__");
    if (dict.is_none()) return SetAttributes(self, own);
    dict.attr("update")(own);
  } else if (PyTuple_Check(own.ptr()) && nb::len(own) == 2) {
    SetAttributes(self, own[0]);
    SetAttributes(self, own[1]);
  } else {
    ThrowType(std::string(TypeName(self)) +
              " has a __getstate__ of its own, so it needs a __setstate__ too");
  }
}

void RestoreParts(nb::handle self, nb::handle fields, nb::handle own) {
  if (!IsWrapper(self.ptr()) || !nb::isinstance<nb::dict>(fields)) {
    ThrowType("the pickled state is not what __reduce__ gave");
  }
  TainObject* object = ObjectOf(self.ptr());
  if (object == nullptr) throw nb::python_error();
  if (object->type_index >= kTainDynObjectBegin) {  // otherwise a container
    const auto holder = internal::RefAccess::Share<Object>(object);
    SetFields(object, TainGetTypeRecord(object->type_index), nb::borrow<nb::dict>(fields));
  }
  RestorePython(self.ptr(), nb::borrow(own));
}

nb::object WrapperFor(PyTypeObject* type, TainObject* object) {
  auto owned = internal::RefAccess::Steal<Object>(object);
  const ClassRecord* known = RecordOfType(type);
  if (known != nullptr && (type == known->type || IsMadeFor(*known, type))) {
    return Checked(Wrap(internal::RefAccess::Release(owned)));
  }
  const nb::handle cls(reinterpret_cast<PyObject*>(type));
  const nb::object self = cls.attr("__new__")(cls);
  if (!PyObject_TypeCheck(self.ptr(), type) || !IsWrapper(self.ptr())) {
    ThrowGiven(std::string(type->tp_name) + ".__new__(): expected an instance of " + type->tp_name,
               self);
  }
  if (AttachFresh(self.ptr(), internal::RefAccess::Release(owned), "_rebuild()") != 0) {
    throw nb::python_error();
  }
  return self;
}

ObjectState StateOf(nb::handle self) {
  TainObject* object = ObjectOf(self.ptr());
  if (object == nullptr) throw nb::python_error();
  const auto holder = internal::RefAccess::Share<Object>(object);
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  return {FieldsOf(object, record, false).rest, PythonStateOf(self)};
}

bool PicklesAsTain(PyTypeObject* type) {
  // A metaclass may run Python code.
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));
  return !DiffersFromObject(cls, "__reduce__") && !DiffersFromObject(cls, "__reduce_ex__") &&
         !DiffersFromObject(cls, "__setstate__");
}

}  // namespace tain::bindings
