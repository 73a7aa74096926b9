// SPDX-License-Identifier: Apache-2.0
// register_object; see register_class.h.
#include "classes/register_class.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/loops.h"
#include "classes/class_parts.h"
#include "classes/constructor.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/found_names.h"
#include "objects/instance.h"
#include "objects/state.h"
#include "values/host_equality.h"

namespace tain::bindings {
namespace {

PyTypeObject* AsType(nb::handle cls) noexcept { return reinterpret_cast<PyTypeObject*>(cls.ptr()); }
nb::handle HandleOf(PyTypeObject* type) noexcept { return reinterpret_cast<PyObject*>(type); }

/// Throws if a class has a C++ parent that is not a parent of the key.
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

/// Throws if a class is, or was, registered for another key.
void CheckOtherKeys(const std::string& key, PyTypeObject* cls, const ClassRecord* record) {
  const auto& known = GetObjectsState().class_of_type;
  const auto found = known.find(cls);
  if (found == known.end() || found->second == record) return;
  ThrowType("register_object('" + key + "'): the class " + cls->tp_name + " stands for " +
            std::string(View(found->second.load()->record->info->type_key)) + " already");
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
    } else if (!AttrOrNone(content, "__closure__").is_none() && !content.is(value)) {
      RepointCells(content, before, after, depth + 1);
    }
  }
}

/// Makes the class again with other bases, if CPython cannot change them in place; with `slots`,
/// without a `__dict__`.
nb::object RebuildClass(nb::handle cls, const nb::tuple& bases, bool slots_only) {
  nb::dict body = NewDict();
  const nb::object slots = nb::getattr(cls, "__slots__", nb::tuple());
  const nb::object slot_names =
      nb::isinstance<nb::str>(slots) ? nb::object(nb::make_tuple(slots)) : slots;
  const nb::object items = nb::module_::import_("builtins").attr("dict")(cls.attr("__dict__"));
  const nb::dict members = nb::cast<nb::dict>(items);
  ForEachEntry(members, [&](nb::handle name, nb::handle value) {
    if (IsText(name.ptr(), "__dict__") || IsText(name.ptr(), "__weakref__")) return;
    if (nb::cast<bool>(slot_names.attr("__contains__")(name))) return;  // __slots__ makes it
    body[name] = value;
  });
  body["__qualname__"] = cls.attr("__qualname__");
  if (slots_only && !body.contains("__slots__")) body["__slots__"] = nb::make_tuple();
  const nb::object made = nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(cls.ptr())))(
      cls.attr("__name__"), bases, body);
  ForEachEntry(members, [&](nb::handle, nb::handle value) { RepointCells(value, cls, made, 0); });
  return made;
}

/// Returns the bases of a class with the generated class among them: in the place of the first
/// registered class, else first.
nb::tuple BasesWith(nb::handle cls, const ClassRecord* record) {
  const nb::object own = nb::borrow(HandleOf(record->own));
  nb::list bases = NewList();
  bool placed = false;
  for (nb::handle base : cls.attr("__bases__")) {
    const bool registered =
        PyType_Check(base.ptr()) && PyType_IsSubtype(AsType(base), GetState().object_type);
    if (registered && !placed) {
      bases.append(own);
      placed = true;
      // The registered class of a parent key stays in the MRO after the generated class.
      if (!PyType_IsSubtype(record->own, AsType(base))) bases.append(base);
    } else if (base.ptr() != reinterpret_cast<PyObject*>(&PyBaseObject_Type)) {
      bases.append(base);
    }
  }
  if (!placed) bases.insert(0, own);
  return nb::tuple(bases);
}

/// Returns the class with the generated one as its parent: the same class with new bases, or a
/// rebuilt class.
nb::object ReparentClass(nb::object cls, const ClassRecord* record, bool slots) {
  if (PyType_IsSubtype(AsType(cls), record->generated)) return cls;
  const nb::tuple bases = BasesWith(cls, record);
  if (slots) return RebuildClass(cls, bases, true);
  if (PyObject_SetAttrString(cls.ptr(), "__bases__", bases.ptr()) == 0) return cls;
  PyErr_Clear();
  return RebuildClass(cls, bases, false);
}

/// Returns the record of a key for which a class may be registered.
ClassRecord* RecordOfKey(const char* caller, const std::string& key) {
  const nb::object known = nb::steal(ClassOfKey(key));
  const TainByteArray bytes{key.data(), key.size()};
  if (TainGetEnum(&bytes) != nullptr) {
    ThrowValue(std::string(caller) + "('" + key + "'): " + key + " is an enum; tain.py_class('" +
               key + "') makes an enum class with the same members stand for it");
  }
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) ThrowFromCore();
  if (index < kTainDynObjectBegin) {
    ThrowType(std::string(caller) + "('" + key + "'): a built-in type");
  }
  ClassRecord* record = RecordOf(index);
  if (record == nullptr) throw nb::python_error();
  return record;
}

#ifdef Py_GIL_DISABLED
/// Keeps the MROs of a class and its subclasses for ever. Threads read them without a reference, in CPython
/// too (PyType_IsSubtype), and CPython frees them when bases are set.
void KeepMros(nb::handle cls) {
  Own::Share(AsType(cls)->tp_mro).release();
  const nb::object subclasses =
      nb::handle(reinterpret_cast<PyObject*>(&PyType_Type)).attr("__subclasses__")(cls);
  for (nb::handle subclass : subclasses) KeepMros(subclass);
}
#endif

/// Sets the bases of a class in place; false with an error set if that is impossible.
bool SetBases(PyTypeObject* type, const nb::tuple& bases) {
  for (nb::handle base : bases) {
    // CPython does not check this, and subclasses would have an inconsistent `__dict__`.
    if (AsType(base)->tp_dictoffset == 0 || type->tp_dictoffset != 0) continue;
    PyErr_Format(PyExc_TypeError, "objects of %s have a __dict__, those of %s have none",
                 AsType(base)->tp_name, type->tp_name);
    return false;
  }
#ifdef Py_GIL_DISABLED
  KeepMros(HandleOf(type));
#endif
  return PyObject_SetAttrString(HandleOf(type).ptr(), "__bases__", bases.ptr()) == 0;
}

/// Returns the bases of a class with the parent key's class after the generated class.
nb::tuple BasesBehind(PyTypeObject* type, const ClassRecord* record, const ClassRecord* parent) {
  PyTypeObject* before = parent->generated == record->above ? nullptr : record->above;
  nb::list bases = NewList();
  bool stands = parent->type == parent->generated;  // no class is registered for it
  const nb::object present = nb::borrow(type->tp_bases);
  for (nb::handle base : present) {
    if (AsType(base) == before) continue;
    stands = stands || (AsType(base) != record->generated &&
                        PyType_IsSubtype(AsType(base), parent->type) != 0);
    bases.append(base);
  }
  nb::list placed = NewList();
  for (nb::handle base : bases) {
    placed.append(base);
    if (!stands && AsType(base) == record->generated) placed.append(HandleOf(parent->type));
  }
  return nb::tuple(placed);
}

/// Throws an error of the registration in place of CPython's refusal of new bases.
[[noreturn]] void ThrowTooLate(PyTypeObject* type, const ClassRecord* record,
                               const ClassRecord* parent) {
  nb::python_error why;
  nb::raise_from(why, PyExc_TypeError,
                 "%s stands for %s already and cannot derive from %s any more; register %s first",
                 type->tp_name, std::string(View(record->record->info->type_key)).c_str(),
                 parent->type->tp_name, parent->type->tp_name);
  throw why;  // never reached
}

/// Makes the user's class of a key derive from the present class of the parent key.
void RebaseRegistered(const ClassRecord* record, const ClassRecord* parent) {
  const nb::object mro = nb::borrow(record->type->tp_mro);
  for (nb::handle cls : mro) {
    PyTypeObject* type = AsType(cls);
    const nb::object bases = nb::borrow(type->tp_bases);
    if (type == record->own ||
        !PySequence_Contains(bases.ptr(), HandleOf(record->generated).ptr())) {
      continue;
    }
    // CPython cannot add the memory for slots that the class does not have.
    if (!SetBases(type, BasesBehind(type, record, parent))) ThrowTooLate(type, record, parent);
  }
}

/// Makes tain's own class of a key derive from the present class of the parent key.
void RebaseOwn(ClassRecord* record, const ClassRecord* parent) {
  PyTypeObject* const above = parent->type;
  const bool combined = record->own != record->generated && above != parent->generated;
  const bool used = record->type != record->own && PyType_IsSubtype(record->type, record->own);
  // If no code holds the class by name, it is made again with the right metaclass instead.
  const bool fits = PyType_IsSubtype(Py_TYPE(record->own), Py_TYPE(above)) != 0;
  if (combined && (used || fits)) {
    const nb::tuple bases = nb::make_tuple(HandleOf(record->generated), HandleOf(above));
    if (SetBases(record->own, bases)) return;
    if (used) ThrowTooLate(record->type, record, parent);
    PyErr_Clear();
  }
  PyTypeObject* before = std::exchange(record->own, OwnClass(record->generated, *parent));
  record->made.push_back(record->own);
  SetRecordOf(record->own, record);
  if (record->type == before) record->type = record->own;  // otherwise the user's class stays
}

/// Makes the classes of a key derive from the present class of its parent key.
void RebaseClass(ClassRecord* record) {
  const ClassRecord* parent = RecordOf(record->record->request.parent);
  if (parent == nullptr) throw nb::python_error();
  if (record->above != parent->type) {
    if (record->type != record->own) RebaseRegistered(record, parent);
    RebaseOwn(record, parent);
    record->above = parent->type;
  }
  // CPython puts its own functions into the slots when the bases of a class or of its bases change.
  PyTypeObject* const present = record->type;
  for (PyTypeObject* type : {record->own, present}) {
    if (type->tp_dealloc != &InstanceDealloc && AdmitSubclass(type) != 0) throw nb::python_error();
  }
}

/// Adds the registered class to the MRO of the classes of derived keys, parents first.
void RebaseDerived(const ClassRecord* record) {
  std::vector<ClassRecord*> derived;
  for (ClassRecord* other : GetObjectsState().classes.Entered()) {
    if (other != record && TainTypeIsInstance(other->type_index, record->type_index) != 0) {
      derived.push_back(other);
    }
  }
  std::sort(derived.begin(), derived.end(), [](const ClassRecord* a, const ClassRecord* b) {
    return a->record->info->type_depth < b->record->info->type_depth;
  });
  for (ClassRecord* other : derived) RebaseClass(other);
}

/// Makes `type` the class of new wrappers, and gives the classes behind it its names; restores the old
/// class and throws if it cannot be a base of the classes of derived keys.
void ReplaceType(ClassRecord* record, PyTypeObject* type, const ClassNames& names) {
  PyTypeObject* before = record->type;
  record->type = type;
  try {
    RebaseDerived(record);
  } catch (nb::python_error&) {
    record->type = before;
    RebaseDerived(record);
    throw;
  }
  GiveNames(*record, names);
  FollowClass(record->type_index, record->type);
  ForgetNames();
  UpdateNestedClasses();
}

/// Registers a suitable class for the record's key.
nb::object UseClassFor(ClassRecord* record, nb::object cls, bool slots) {
  nb::object made = ReparentClass(std::move(cls), record, slots);
  // A metaclass may have returned any object.
  if (!PyType_Check(made.ptr()) || !PyType_IsSubtype(AsType(made), record->generated) ||
      GeneratedBase(AsType(made)) != record->generated) {
    ThrowGiven("the class of " + std::string(View(record->record->info->type_key)) +
                   ": expected a subclass of " + record->generated->tp_name,
               made);
  }
  PyTypeObject* type = AsType(made);
  if (type->tp_dealloc != &InstanceDealloc && AdmitSubclass(type) != 0) throw nb::python_error();
  if (type->tp_new == &InstanceNew && type->tp_init == &InstanceInit) {
    type->tp_vectorcall = &ConstructVectorcall;
  }
  const ClassNames names = NamesOf(type);
  InheritDoc(type, *record);
  made.inc_ref();  // never freed, like every class of the table
  SetRecordOf(type, record);
  ReplaceType(record, type, names);
  return made;
}

/// Undoes the registration of the user's class: tain's own class is the class of the key again.
nb::object StandAlone(ClassRecord* record, const std::string& key) {
  ReplaceType(record, record->own, NamesOfKey(key));
  return nb::borrow(HandleOf(record->type));
}

}  // namespace

nb::object RegisterClass(const std::string& key, nb::object cls) {
  if (!PyType_Check(cls.ptr()) || !PyType_IsSubtype(AsType(cls), GetState().object_type)) {
    ThrowGiven("register_object('" + key + "'): expected a subclass of tain.Object", cls);
  }
  ClassRecord* record = RecordOfKey("register_object", key);
  if (AsType(cls) == record->type) return cls;
  CheckParent(key, AsType(cls), record);
  CheckOtherKeys(key, AsType(cls), record);
  if (IsMadeFor(*record, AsType(cls))) return StandAlone(record, key);
  return UseClassFor(record, std::move(cls), false);
}

nb::object AttachClass(const std::string& key, nb::object cls, bool slots, bool post_init) {
  if (!PyType_Check(cls.ptr())) ThrowType("py_class('" + key + "'): expected a class");
  ClassRecord* record = RecordOfKey("py_class", key);
  record->has_post_init = post_init;
  return UseClassFor(record, std::move(cls), slots);
}

}  // namespace tain::bindings
