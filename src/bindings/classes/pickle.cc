// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects; see pickle.h.
//
// An object is rebuilt by its default constructor, else by its constructor with the fields that it
// needs. __setstate__ sets the other fields and the Python state after the object exists, so cycles
// may pass through them.
#include "classes/pickle.h"

#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/recursion.h"
#include "calls/call.h"
#include "classes/init.h"
#include "classes/make_object.h"
#include "classes/object_state.h"
#include "classes/pickle_graph.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/type_members.h"

namespace tain::bindings {
namespace {

/// Refuses types that cannot be rebuilt, before anything is written.
void CheckRebuildable(const TainTypeRecord* record, bool own_setter) {
  if ((record->def.flags & kTainTypeBoxed) != 0 && AllFields(record).empty() && !own_setter) {
    ThrowType("cannot pickle " + KeyOf(record) +
              ": its class is boxed and has no fields: register fields, or define __getstate__ "
              "and __setstate__");
  }
  if (!own_setter) {
    internal::CheckFieldsAreState(record->info->type_index, internal::StateUse::kPickle);
  }
  if (HasDefault(record)) return;
  const internal::MakePlan* plan = PlanWith(record, ConstructorOf(record));
  if (plan == nullptr) ThrowType("cannot pickle " + KeyOf(record) + ": it has no constructor");
  if (plan->missing != nullptr) {
    ThrowType("cannot pickle " + KeyOf(record) + ": its constructor needs '" +
              std::string(View(plan->missing->name)) + "', which is no field");
  }
}

nb::object Reduce(PyObject* self) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) throw nb::python_error();
  const auto holder = internal::RefAccess::Share<Object>(object);  // __getstate__ may replace it
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  PyTypeObject* type = VisibleClass(Py_TYPE(self));  // the class that its name finds
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));
  // A class that defines __setstate__ gets only its own state.
  const bool own_setter = DiffersFromObject(cls, "__setstate__");
  CheckRebuildable(record, own_setter);
  const nb::module_ core = nb::module_::import_("tain._core");
  const nb::object rebuild = core.attr("_rebuild");
  const GraphEntry entry = TakeEntry(self);
  if (entry == GraphEntry::kShell) {
    return nb::make_tuple(rebuild, nb::make_tuple(cls, FieldsOf(object, record, false).needed));
  }
  const nb::object python = PythonStateOf(self);
  const bool own_getter = IsDefinedInCpp(self, "__getstate__");
  const nb::object state = own_getter ? nb::handle(self).attr("__getstate__")() : python;
  const FieldValues fields = FieldsOf(object, record, own_setter);
  GraphLists lists;
  if (entry == GraphEntry::kNone) {
    lists = GraphOf(self, fields.needed, fields.rest, state, own_setter);
  }
  const nb::object make = lists.before.is_none()
                              ? nb::make_tuple(rebuild, nb::make_tuple(cls, fields.needed))
                              : nb::make_tuple(core.attr("_rebuild_after"),
                                               nb::make_tuple(lists.before, cls, fields.needed));
  if (!python.is_none() && TakesStateInCpp(self)) {
    const nb::object added = nb::module_::import_("tain._added_state").attr("AddedState");
    return make + nb::make_tuple(added(nb::handle(self), python, state));
  }
  if (own_setter) return state.is_none() ? make : make + nb::make_tuple(state);
  if (!lists.in_state.is_none()) {
    return make + nb::make_tuple(nb::make_tuple(lists.in_state, fields.rest, state));
  }
  if (nb::len(fields.rest) == 0 && state.is_none()) return make;
  return make + nb::make_tuple(nb::make_tuple(fields.rest, state));
}

/// Makes the object by its constructor with the parameters that are fields, and removes their names
/// from `fields`.
TainObject* ByConstructor(const TainTypeRecord* record, nb::dict& fields) {
  const TypeConstructor found = ConstructorOf(record);
  const internal::MakePlan* plan = PlanWith(record, found);
  if (plan == nullptr) ThrowType(KeyOf(record) + " has no constructor to unpickle with");
  std::vector<nb::object> values;
  std::vector<nb::object> names;
  std::vector<bool> taken(plan->fields.size());
  for (size_t i = 0; i < plan->field_of_param.size(); ++i) {
    const nb::object name = Checked(ToStr(plan->info->args[i].name));
    if (!fields.contains(name)) continue;
    names.push_back(name);
    values.push_back(fields[name]);
    nb::del(fields[name]);
    const int32_t field = plan->field_of_param[i];
    if (field >= 0) taken[static_cast<size_t>(field)] = true;
  }
  const nb::object kwnames = Checked(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
  std::vector<PyObject*> args;
  for (size_t i = 0; i < names.size(); ++i) {
    PyTuple_SET_ITEM(kwnames.ptr(), static_cast<Py_ssize_t>(i),
                     nb::object(names[i]).release().ptr());
    args.push_back(values[i].ptr());
  }
  TainAny result{};
  if (CallCoreRaw(found.get(), found.info(), args.data(), 0, kwnames.ptr(), &result) != 0) {
    throw nb::python_error();
  }
  Any made = Any::Steal(result);
  internal::CheckMade(*record, result);
  // The other fields still have what the constructor gave them; their setters will ask.
  for (size_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) internal::CheckConditions(result.v_obj, *plan->fields[i].def);
  }
  return made.Release().v_obj;
}

void RestoreState(PyObject* self, nb::handle state) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) throw nb::python_error();
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  if (object->type_index < kTainDynObjectBegin) {  // a container, rebuilt from its elements
    return RestorePython(self, nb::borrow(state));
  }
  const Py_ssize_t parts = PyTuple_CheckExact(state.ptr()) ? PyTuple_GET_SIZE(state.ptr()) : 0;
  const Py_ssize_t own = parts == 3 ? 1 : 0;  // after the graph
  const bool fits = parts == own + 2 && PyDict_Check(PyTuple_GET_ITEM(state.ptr(), own));
  if (!fits) ThrowGiven(KeyOf(record) + ".__setstate__(): expected what __reduce__ gave", state);
  const auto holder = internal::RefAccess::Share<Object>(object);
  if (parts == 3) RestoreGraph(state[0]);
  SetFields(object, record, nb::borrow<nb::dict>(state[own]));
  RestorePython(self, state[own + 1]);
}

}  // namespace

nb::object RebuildObject(nb::handle cls, nb::dict fields) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  const ClassRecord* found = PyType_Check(cls.ptr()) ? RecordOfType(type) : nullptr;
  if (found == nullptr || found->type_index < kTainDynObjectBegin) {
    ThrowGiven("_rebuild(): expected a class of a registered type", cls);
  }
  const TainTypeRecord* record = found->record;
  fields = CopyOf(fields);
  TainObject* object = HasDefault(record) ? MakeDefault(record) : ByConstructor(record, fields);
  const auto holder = internal::RefAccess::Steal<Object>(object);
  SetFields(object, record, fields);
  internal::IncRef(object);
  return WrapperFor(type, object);
}

namespace {

nb::object RebuildAfter(nb::handle before, nb::handle cls, nb::dict fields) {
  RestoreGraph(before);
  return RebuildObject(cls, std::move(fields));
}

/// Restores what a Python subclass added, and returns the state for C++.
nb::object RestoreAdded(nb::handle self, const nb::object& added, nb::object state) {
  if (!IsWrapper(self.ptr())) ThrowGiven("restore_added(): expected a registered type", self);
  RestorePython(self.ptr(), added);
  return state;
}

PyObject* NameOfFunction(PyObject* self, PyObject*) noexcept {
  return PyObject_GetAttrString(self, "__name__");
}
PyMethodDef reduce_function = {"__reduce__", kLocked<&NameOfFunction>, METH_NOARGS, nullptr};

}  // namespace

PyObject* ReduceWrapper(PyObject* self, PyObject*) noexcept {
  if (!CheckStack(" in pickling")) return nullptr;
  return GuardedObject([&] { return Reduce(self); });
}

PyObject* RestoreWrapper(PyObject* self, PyObject* state) noexcept {
  return GuardedObject([&] {
    RestoreState(self, state);
    return nb::none();
  });
}

void DefinePickle(CoreModule& m) {
  DefinePickleGraph(m);
  m.def("_rebuild", &RebuildObject, nb::arg("cls"), nb::arg("fields"),
        "Rebuilds a pickled object from its fields.");
  m.def("_rebuild_after", &RebuildAfter, nb::arg("before"), nb::arg("cls"), nb::arg("fields"),
        "Rebuilds a pickled object after the objects that it needs.");
  m.def("restore_added", &RestoreAdded, nb::arg("self"), nb::arg("added").none(),
        nb::arg("state").none(),
        "Restores what a Python subclass added; returns the state for C++.");
}

void InitPickle(const CoreModule& m) {
  // The functions of _core have a type of tain's own (NB_DOMAIN): pickle writes them by name.
  AddPlainMethod(Py_TYPE(nb::object(m.attr("get_global_func")).ptr()), &reduce_function);
}

}  // namespace tain::bindings
