// SPDX-License-Identifier: Apache-2.0
// register_object; see register_class.h.
#include "register_class.h"

#include <algorithm>
#include <vector>

#include "class_factory.h"
#include "class_table.h"
#include "constructor.h"
#include "error.h"
#include "instance.h"

namespace tain::bindings {
namespace {

PyTypeObject* AsType(nb::handle cls) noexcept { return reinterpret_cast<PyTypeObject*>(cls.ptr()); }
nb::handle Handle(PyTypeObject* type) noexcept { return reinterpret_cast<PyObject*>(type); }

[[noreturn]] void ThrowType(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

/// Whether a class has a C++ parent that is none of the key's.
void CheckParent(const std::string& key, PyTypeObject* cls, const ClassRecord* record) {
  const ClassRecord* base = RecordOfType(cls);
  const TainTypeInfo* want = record->record->info;
  const bool fits = base != nullptr && (base->type_index == record->type_index ||
                                        TainTypeIsInstance(want->type_index, base->type_index));
  if (!fits) {
    ThrowType("register_object('" + key + "'): the class " + cls->tp_name + " derives from " +
              (base == nullptr ? "no registered type" : base->generated->tp_name) +
              ", which is no parent of " + key);
  }
}

/// Points the `__class__` cell of a function at the rebuilt class, so that super() works in it.
void RepointCells(nb::handle value, nb::handle before, nb::handle after, int depth) {
  if (depth > 8) return;
  for (const char* name : {"__func__", "fget", "fset", "fdel", "__wrapped__", "func"}) {
    const nb::object inner = nb::getattr(value, name, nb::none());
    if (!inner.is_none() && inner.ptr() != value.ptr()) {
      RepointCells(inner, before, after, depth + 1);
    }
  }
  const nb::object closure = nb::getattr(value, "__closure__", nb::none());
  if (!nb::isinstance<nb::tuple>(closure)) return;
  for (nb::handle cell : closure) {
    const nb::object content = nb::getattr(cell, "cell_contents", nb::none());
    if (content.is(before)) {
      nb::setattr(cell, "cell_contents", after);
    } else if (nb::hasattr(content, "__closure__") && !content.is(value)) {
      RepointCells(content, before, after, depth + 1);
    }
  }
}

/// The class made again with other bases, where CPython cannot change them in place; without a
/// `__dict__` if `slots` says so.
nb::object RebuildClass(nb::handle cls, const nb::tuple& bases, bool slots_only) {
  nb::dict body;
  const nb::object slots = nb::getattr(cls, "__slots__", nb::tuple());
  const nb::object slot_names =
      nb::isinstance<nb::str>(slots) ? nb::object(nb::make_tuple(slots)) : slots;
  const nb::object items = nb::module_::import_("builtins").attr("dict")(cls.attr("__dict__"));
  for (auto [name, value] : nb::cast<nb::dict>(items)) {
    const std::string text = nb::str(name).c_str();
    if (text == "__dict__" || text == "__weakref__") continue;
    if (nb::cast<bool>(slot_names.attr("__contains__")(name))) continue;  // made anew by __slots__
    body[name] = value;
  }
  body["__qualname__"] = cls.attr("__qualname__");
  if (slots_only && !body.contains("__slots__")) body["__slots__"] = nb::make_tuple();
  const nb::object made = nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(cls.ptr())))(
      cls.attr("__name__"), bases, body);
  for (auto [name, value] : nb::cast<nb::dict>(items)) RepointCells(value, cls, made, 0);
  return made;
}

/// The bases of a class with the generated one among them: in the place of the first registered
/// class, else first.
nb::tuple BasesWith(nb::handle cls, const ClassRecord* record) {
  const nb::object own = nb::borrow(Handle(record->own));
  nb::list bases;
  bool placed = false;
  for (nb::handle base : cls.attr("__bases__")) {
    const bool registered =
        PyType_Check(base.ptr()) && PyType_IsSubtype(AsType(base), GetState().object_type);
    if (registered && !placed) {
      bases.append(own);
      placed = true;
      // The registered class of a parent key stays in the MRO behind the generated class.
      if (!PyType_IsSubtype(record->own, AsType(base))) bases.append(base);
    } else if (base.ptr() != reinterpret_cast<PyObject*>(&PyBaseObject_Type)) {
      bases.append(base);
    }
  }
  if (!placed) bases.insert(0, own);
  return nb::tuple(bases);
}

/// The class with the generated one as its parent: itself, re-parented, or rebuilt.
nb::object Reparent(nb::object cls, const ClassRecord* record, bool slots) {
  if (PyType_IsSubtype(AsType(cls), record->generated)) return cls;
  const nb::tuple bases = BasesWith(cls, record);
  if (slots) return RebuildClass(cls, bases, true);
  if (PyObject_SetAttrString(cls.ptr(), "__bases__", bases.ptr()) == 0) return cls;
  PyErr_Clear();
  return RebuildClass(cls, bases, false);
}

/// The record of a key that a user's class may stand for.
ClassRecord* RecordOfKey(const char* caller, const std::string& key) {
  const nb::object known = nb::steal(ClassOfKey(key));
  const TainByteArray bytes{key.data(), key.size()};
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) ThrowFromCore();
  if (index < kTainDynObjectBegin) {
    ThrowType(std::string(caller) + "('" + key + "'): a built-in type");
  }
  ClassRecord* record = RecordOf(index);
  if (record == nullptr) throw nb::python_error();
  return record;
}

/// Puts the registered class into the MRO of the classes of derived keys, parents first.
void RebaseDerived(const ClassRecord* record) {
  std::vector<ClassRecord*> derived;
  for (ClassRecord* other : GetState().classes) {
    if (other != nullptr && other != record &&
        TainTypeIsInstance(other->type_index, record->type_index) != 0) {
      derived.push_back(other);
    }
  }
  std::sort(derived.begin(), derived.end(), [](const ClassRecord* a, const ClassRecord* b) {
    return a->record->info->type_depth < b->record->info->type_depth;
  });
  for (ClassRecord* other : derived) RebaseClass(other);
}

/// Makes a class that fits stand for the record's key.
nb::object StandFor(ClassRecord* record, nb::object cls, bool slots) {
  nb::object made = Reparent(std::move(cls), record, slots);
  PyTypeObject* type = AsType(made);
  if (type->tp_dealloc != &InstanceDealloc && AdmitSubclass(type) != 0) throw nb::python_error();
  if (type->tp_new == &InstanceNew && type->tp_init == &InstanceInit) {
    type->tp_vectorcall = &ConstructVectorcall;
  }
  made.inc_ref();  // kept for ever, as every class of the table
  GetState().class_of_type[type] = record;
  record->type = type;
  RebaseDerived(record);
  return made;
}

}  // namespace

nb::object RegisterClass(const std::string& key, nb::object cls) {
  if (!PyType_Check(cls.ptr()) || !PyType_IsSubtype(AsType(cls), GetState().object_type)) {
    ThrowType("register_object('" + key + "'): expected a subclass of tain.Object, got " +
              nb::repr(cls).c_str());
  }
  ClassRecord* record = RecordOfKey("register_object", key);
  if (AsType(cls) == record->type) return cls;
  CheckParent(key, AsType(cls), record);
  return StandFor(record, std::move(cls), false);
}

nb::object GraftClass(const std::string& key, nb::object cls, bool slots, bool post_init) {
  if (!PyType_Check(cls.ptr())) ThrowType("py_class('" + key + "'): expected a class");
  ClassRecord* record = RecordOfKey("py_class", key);
  record->has_post_init = post_init;
  return StandFor(record, std::move(cls), slots);
}

}  // namespace tain::bindings
