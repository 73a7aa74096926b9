// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects; see pickle.h.
//
// An object is rebuilt by its default constructor, or else by its constructor with the fields that
// it asks for. The other fields are set when the object is there, by __setstate__, so that cycles
// that pass through them come back; so does the Python state.
#include "pickle.h"

#include <string>
#include <vector>

#include "call.h"
#include "class_table.h"
#include "constructor.h"
#include "error.h"
#include "field_descr.h"
#include "in_flight.h"
#include "instance.h"
#include "pickle_graph.h"
#include "recursion.h"
#include "state.h"
#include "type_constructor.h"
#include "visible_class.h"

namespace tain::bindings {
namespace {

std::string KeyOf(const TainTypeRecord* record) {
  return std::string(View(record->info->type_key));
}

[[noreturn]] void ThrowType(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

nb::object NameOf(const TainByteArray& bytes) {
  nb::object name = nb::steal(ToStr(bytes));
  if (!name.is_valid()) throw nb::python_error();
  return name;
}

/// The name of a parameter that the constructor must have and that is no field; empty if there is
/// none.
std::string MissingField(const TainTypeRecord* record, const TainFunctionInfo* info) {
  for (int32_t i = 0; i < info->num_args; ++i) {
    const TainArgInfo& arg = info->args[i];
    if ((arg.flags & kTainArgHasDefault) != 0) continue;
    bool found = false;
    for (const TainFieldDef* field : AllFields(record)) {
      found = found || View(field->info.name) == View(arg.name);
    }
    if (!found || (arg.flags & kTainArgNamed) == 0) return std::string(View(arg.name));
  }
  return "";
}

/// Whether an object can be made without arguments, to be given its fields.
bool HasDefault(const TainTypeRecord* record) noexcept {
  return TainTypeHasDefault(record->info->type_index) != 0;
}

/// The constructor's parameters; of overloads, those of the first that needs nothing but fields.
const TainFunctionInfo* ConstructorInfo(const TainTypeRecord* record) {
  const TainFunctionInfo* info = ConstructorOf(record).info();
  if (info == nullptr || info->num_overloads == 0) return info;
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    const TainFunctionInfo* one = info->overloads[i].info;
    if (one->num_args > 0 && MissingField(record, one).empty()) return one;
  }
  return info->overloads[0].info;
}

/// Refuses types that cannot be rebuilt, before anything is written.
void CheckRebuildable(const TainTypeRecord* record) {
  if (HasDefault(record)) return;
  const TainFunctionInfo* info = ConstructorInfo(record);
  if (info == nullptr) ThrowType("cannot pickle " + KeyOf(record) + ": it has no constructor");
  const std::string missing = MissingField(record, info);
  if (!missing.empty()) {
    ThrowType("cannot pickle " + KeyOf(record) + ": its constructor needs '" + missing +
              "', which is no field");
  }
}

/// The fields of an object: those that its constructor must have, and the rest, which is set when
/// the object is known already, so that cycles may pass through it.
struct FieldValues {
  nb::dict needed = NewDict();
  nb::dict rest = NewDict();
};

/// Whether the constructor must be given the field. `info` is what it takes, null for a default
/// constructor.
bool IsNeeded(const TainFunctionInfo* info, const TainFieldDef* field) noexcept {
  if (info == nullptr) return false;
  for (int32_t i = 0; i < info->num_args; ++i) {
    if (View(info->args[i].name) != View(field->info.name)) continue;
    return (info->args[i].flags & kTainArgHasDefault) == 0 ||
           (field->info.flags & kTainFieldWritable) == 0;
  }
  return false;
}

FieldValues FieldsOf(TainObject* object, const TainTypeRecord* record, bool all_at_once) {
  FieldValues fields;
  const bool by_default = HasDefault(record);
  const TainFunctionInfo* info = by_default ? nullptr : ConstructorInfo(record);
  for (const TainFieldDef* field : AllFields(record)) {
    const nb::object value = nb::steal(GetFieldValue(object, field));
    if (!value.is_valid()) throw nb::python_error();
    const bool needed = all_at_once || IsNeeded(info, field);
    (needed ? fields.needed : fields.rest)[NameOf(field->info.name)] = value;
  }
  return fields;
}

bool HasOwn(nb::handle cls, const char* name) {
  const nb::handle base(reinterpret_cast<PyObject*>(GetState().object_type));
  return !nb::object(nb::getattr(cls, name, nb::none())).is(nb::getattr(base, name, nb::none()));
}

/// What Python's own pickling keeps: None, __dict__, or (__dict__, slots).
nb::object PythonState(nb::handle self) {
  const nb::object own = nb::getattr(self, "__getstate__", nb::none());  // since 3.11 of object
  if (!own.is_none()) return own();
  nb::object dict = nb::getattr(self, "__dict__", nb::none());
  if (!dict.is_none() && nb::len(dict) == 0) dict = nb::none();
  const nb::object names = nb::module_::import_("copyreg").attr("_slotnames")(self.type());
  nb::dict slots = NewDict();
  for (nb::handle name : names) {
    const nb::object value = nb::getattr(self, name, nb::none());
    if (nb::hasattr(self, name)) slots[name] = value;
  }
  return nb::len(slots) == 0 ? dict : nb::object(nb::make_tuple(dict, slots));
}

nb::object Reduce(PyObject* self) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) throw nb::python_error();
  const auto holder = internal::RefAccess::Share<Object>(object);  // __getstate__ may replace it
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  CheckRebuildable(record);
  PyTypeObject* type = VisibleClass(Py_TYPE(self));  // the one that can be found by its name
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));
  const nb::object rebuild = nb::module_::import_("tain._core").attr("_rebuild");
  if (TakeShell(self)) {
    return nb::make_tuple(rebuild, nb::make_tuple(cls, FieldsOf(object, record, false).needed));
  }
  const nb::object state = PythonState(self);
  // A class with its own __setstate__ gets its own state only.
  const bool own_setter = HasOwn(cls, "__setstate__");
  const FieldValues fields = FieldsOf(object, record, own_setter);
  const nb::object args = nb::make_tuple(cls, fields.needed);
  if (own_setter) {
    return state.is_none() ? nb::make_tuple(rebuild, args) : nb::make_tuple(rebuild, args, state);
  }
  if (nb::len(fields.rest) == 0 && state.is_none()) return nb::make_tuple(rebuild, args);
  const nb::object graph = GraphOf(self, fields.rest, state);
  return nb::make_tuple(rebuild, args,
                        graph.is_none() ? nb::make_tuple(fields.rest, state)
                                        : nb::make_tuple(graph, fields.rest, state));
}

/// nb::dict(fields) would be the same dict.
nb::dict CopyOf(const nb::dict& fields) {
  PyObject* copy = PyDict_Copy(fields.ptr());
  if (copy == nullptr) throw nb::python_error();
  return nb::steal<nb::dict>(copy);
}

/// Makes the object by its constructor with the parameters that are fields; the names it used leave
/// `fields`.
TainObject* ByConstructor(const TainTypeRecord* record, nb::dict& fields) {
  const TainFunctionInfo* info = ConstructorInfo(record);
  if (info == nullptr) ThrowType(KeyOf(record) + " has no constructor to unpickle with");
  std::vector<nb::object> values;
  std::vector<nb::object> names;
  for (int32_t i = 0; i < info->num_args; ++i) {
    const nb::object name = NameOf(info->args[i].name);
    if (!fields.contains(name)) continue;
    names.push_back(name);
    values.push_back(fields[name]);
    nb::del(fields[name]);
  }
  const nb::object kwnames = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
  if (!kwnames.is_valid()) throw nb::python_error();
  std::vector<PyObject*> args;
  for (size_t i = 0; i < names.size(); ++i) {
    PyTuple_SET_ITEM(kwnames.ptr(), static_cast<Py_ssize_t>(i),
                     nb::object(names[i]).release().ptr());
    args.push_back(values[i].ptr());
  }
  TainAny result{};
  const TypeConstructor found = ConstructorOf(record);
  if (!found) ThrowType(KeyOf(record) + " has no constructor to unpickle with");
  if (CallCoreRaw(found.get(), found.info(), args.data(), 0, kwnames.ptr(), &result) != 0) {
    throw nb::python_error();
  }
  if (result.type_index < kTainStaticObjectBegin ||
      TainTypeIsInstance(result.type_index, record->info->type_index) == 0) {
    const Any wrong = Any::Steal(result);
    ThrowType(KeyOf(record) + ": the constructor returned " + internal::TypeNameOf(result) +
              ", expected " + KeyOf(record));
  }
  return result.v_obj;
}

/// Whether a read-only field, which may be const, holds a value already.
bool HasValue(TainObject* object, const TainFieldDef* field, nb::handle value) {
  if ((field->info.flags & kTainFieldWritable) != 0) return false;
  const nb::object current = nb::steal(GetFieldValue(object, field));
  if (!current.is_valid()) throw nb::python_error();
  return current.equal(value);
}

/// Sets the fields that `fields` names; TypeError about names that are none.
void SetFields(TainObject* object, const TainTypeRecord* record, nb::dict fields) {
  fields = CopyOf(fields);
  for (const TainFieldDef* field : AllFields(record)) {
    const nb::object name = NameOf(field->info.name);
    if (!fields.contains(name)) continue;
    const nb::object value = fields[name];
    if (!HasValue(object, field, value) && SetFieldValue(object, field, value.ptr()) != 0) {
      throw nb::python_error();
    }
    nb::del(fields[name]);
  }
  for (auto [name, value] : fields) {
    ThrowType(KeyOf(record) + " has no field '" + TextFrom(nb::str(name), "pickle") +
              "' that the pickle holds");
  }
}

void SetAttributes(nb::handle self, nb::handle state) {
  if (state.is_none()) return;
  if (!nb::isinstance<nb::dict>(state)) ThrowType("the pickled state is not what __reduce__ gave");
  for (auto [name, value] : nb::borrow<nb::dict>(state)) nb::setattr(self, name, value);
}

/// Restores __dict__ and slots.
void RestorePython(PyObject* self, const nb::object& own) {
  if (own.is_none()) return;
  if (nb::isinstance<nb::dict>(own)) {
    const nb::object dict = nb::getattr(nb::handle(self), "__dict__", nb::none());
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

void Restore(PyObject* self, nb::handle state) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) throw nb::python_error();
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  if (object->type_index < kTainDynObjectBegin) {  // a container, rebuilt of its elements
    return RestorePython(self, nb::borrow(state));
  }
  const size_t parts = PyTuple_Check(state.ptr()) ? nb::len(state) : 0;
  const size_t own = parts == 3 ? 1 : 0;  // behind the graph
  if (parts != own + 2 || !nb::isinstance<nb::dict>(state[own])) {
    ThrowType(KeyOf(record) + ".__setstate__: expected what __reduce__ gave, got " +
              TypeName(state.ptr()));
  }
  const auto holder = internal::RefAccess::Share<Object>(object);
  if (parts == 3) RestoreGraph(state[0]);
  SetFields(object, record, nb::borrow<nb::dict>(state[own]));
  RestorePython(self, state[own + 1]);
}

nb::object Rebuild(nb::handle cls, nb::dict fields) {
  if (!PyType_Check(cls.ptr())) ThrowType("_rebuild: expected a class");
  auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  const ClassRecord* found = RecordOfType(type);
  if (found == nullptr || found->type_index < kTainDynObjectBegin) {
    ThrowType("_rebuild: expected a class of a registered type");
  }
  const TainTypeRecord* record = found->record;
  fields = CopyOf(fields);
  TainObject* object = HasDefault(record) ? MakeDefault(record) : ByConstructor(record, fields);
  const auto holder = internal::RefAccess::Steal<Object>(object);
  SetFields(object, record, fields);
  internal::IncRef(object);
  return InstanceFor(type, object);
}

}  // namespace

nb::object InstanceFor(PyTypeObject* type, TainObject* object) {
  auto owned = internal::RefAccess::Steal<Object>(object);
  const ClassRecord* known = RecordOfType(type);
  if (known != nullptr && (type == known->type || IsMadeFor(*known, type))) {
    nb::object made = nb::steal(Wrap(internal::RefAccess::Release(owned)));
    if (!made.is_valid()) throw nb::python_error();
    return made;
  }
  const nb::handle cls(reinterpret_cast<PyObject*>(type));
  const nb::object self = cls.attr("__new__")(cls);
  if (!PyObject_TypeCheck(self.ptr(), type) || !IsInstance(self.ptr())) {
    ThrowType(std::string(type->tp_name) + ".__new__: expected an instance of " + type->tp_name +
              ", got " + TypeName(self.ptr()));
  }
  if (AttachFresh(self.ptr(), internal::RefAccess::Release(owned), "_rebuild") != 0) {
    throw nb::python_error();
  }
  return self;
}

nb::object PythonStateOf(nb::handle self) { return PythonState(self); }

ObjectState StateOf(nb::handle self) {
  TainObject* object = ObjectOf(self.ptr());
  if (object == nullptr) throw nb::python_error();
  const auto holder = internal::RefAccess::Share<Object>(object);
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  return {FieldsOf(object, record, false).rest, PythonState(self)};
}

bool PicklesAsTain(PyTypeObject* type) {
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));  // metaclasses run Python
  return !HasOwn(cls, "__reduce__") && !HasOwn(cls, "__reduce_ex__") &&
         !HasOwn(cls, "__setstate__");
}

void RestoreParts(nb::handle self, nb::handle fields, nb::handle own) {
  if (!IsInstance(self.ptr()) || !nb::isinstance<nb::dict>(fields)) {
    ThrowType("the pickled state is not what __reduce__ gave");
  }
  Restore(self.ptr(), nb::make_tuple(fields, own));
}

PyObject* ReduceInstance(PyObject* self) noexcept {
  if (!CheckStack(" in pickling")) return nullptr;
  return GuardedObject([&] { return Reduce(self); });
}

PyObject* RestoreInstance(PyObject* self, PyObject* state) noexcept {
  return GuardedObject([&] {
    Restore(self, state);
    return nb::none();
  });
}

void InitPickle(nb::module_& m) {
  InitPickleGraph(m);
  m.def("_rebuild", &Rebuild, nb::arg("cls"), nb::arg("fields"),
        "Rebuilds a pickled object from its fields.");
  // The functions of _core have a type that is tain's own (NB_DOMAIN): they are pickled by name.
  nb::module_::import_("copyreg").attr("pickle")(
      m.attr("_rebuild").type(), nb::module_::import_("operator").attr("attrgetter")("__name__"));
}

}  // namespace tain::bindings
