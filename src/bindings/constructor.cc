// SPDX-License-Identifier: Apache-2.0
// Construction; see constructor.h. Slots of generated classes.
#include "constructor.h"

#include <algorithm>
#include <string>
#include <vector>

#include "call.h"
#include "class_table.h"
#include "error.h"
#include "in_flight.h"
#include "instance.h"
#include "method_descr.h"
#include "overrides.h"
#include "to_python.h"

namespace tain::bindings {
namespace {

std::string KeyOf(const ClassRecord* record) {
  return std::string(View(record->record->info->type_key));
}

void SetNoConstructorError(const ClassRecord* record) {
  const bool abstract = (record->record->def.flags & kTainTypeAbstract) != 0;
  PyErr_Format(PyExc_TypeError,
               abstract ? "%s is abstract and has no constructor" : "%s has no constructor",
               KeyOf(record).c_str());
}

void SetWrongResultError(const ClassRecord* record, const TainAny& result) {
  PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s",
               KeyOf(record).c_str(), internal::TypeNameOf(result).c_str(), KeyOf(record).c_str());
}

void ReleaseValue(const TainAny& value) noexcept {
  if (value.type_index >= kTainStaticObjectBegin) internal::DecRef(value.v_obj);
}

/// Calls a function that must make an object of the record's type; null with a Python error set.
TainObject* MakeObject(const ClassRecord* record, TainObject* function,
                       const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t nargs,
                       PyObject* kwnames) noexcept {
  TainAny result{};
  if (CallCoreRaw(function, info, args, nargs, kwnames, &result) != 0) return nullptr;
  if (TAIN_LIKELY(result.type_index == record->type_index)) return result.v_obj;
  if (result.type_index < kTainStaticObjectBegin ||
      TainTypeIsInstance(result.type_index, record->type_index) == 0) {
    SetWrongResultError(record, result);
    ReleaseValue(result);
    return nullptr;
  }
  return result.v_obj;
}

TainObject* Construct(const ClassRecord* record, PyObject* const* args, Py_ssize_t nargs,
                      PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(record->constructor == nullptr)) {
    SetNoConstructorError(record);
    return nullptr;
  }
  return MakeObject(record, record->constructor, record->constructor_info, args, nargs, kwnames);
}

/// Gives a fresh object to an instance; -1 with TypeError set if it belongs to another already.
int AttachFresh(const ClassRecord* record, PyObject* self, TainObject* object) noexcept {
  if (LiveMirror(object) != nullptr) {
    PyErr_Format(PyExc_TypeError,
                 "%s.__init__: the constructor of %s returned an object that already has a Python "
                 "object; call %s(...) itself to get it",
                 TypeName(self), KeyOf(record).c_str(), KeyOf(record).c_str());
    internal::DecRef(object);
    return -1;
  }
  if (!CheckUnused(self, "__init__")) {
    internal::DecRef(object);
    return -1;
  }
  if (TainObject* old = Detach(AsInstance(self))) {  // __init__ called twice: the last one counts
    Attach(AsInstance(self), object);
    internal::DecRef(old);
    return 0;
  }
  Attach(AsInstance(self), object);
  return 0;
}

/// The last step of construction; -1 with an error set if it failed.
int CallPostInit(const ClassRecord* record, PyObject* self) noexcept {
  if (TAIN_LIKELY(!record->has_post_init)) return 0;
  const Own result(PostInit(self, nullptr, 0));
  return result ? 0 : -1;
}

const ClassRecord* RecordOfInstance(PyObject* self) noexcept {
  const ClassRecord* record = RecordOfType(Py_TYPE(self));
  if (record == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s is not a registered type", TypeName(self));
  }
  return record;
}

int SetAbstractError(PyTypeObject* type) noexcept {
  const Own names(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__abstractmethods__"));
  if (!names) return -1;
  const Own sorted(PySequence_List(names.get()));
  if (!sorted || PyList_Sort(sorted.get()) != 0) return -1;
  const Own comma(PyUnicode_FromString("', '"));
  const Own joined(comma ? PyUnicode_Join(comma.get(), sorted.get()) : nullptr);
  if (!joined) return -1;
  PyErr_Format(PyExc_TypeError,
               "Can't instantiate abstract class %s without an implementation for abstract "
               "method%s '%U'",
               type->tp_name, PyList_GET_SIZE(sorted.get()) == 1 ? "" : "s", joined.get());
  return -1;
}

/// Arguments of tp_init in vectorcall form.
class VectorArgs {
 public:
  VectorArgs(PyObject* args, PyObject* kwargs) {
    nargs_ = PyTuple_GET_SIZE(args);
    items_ = reinterpret_cast<PyTupleObject*>(args)->ob_item;  // the caller holds the tuple
    if (kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0) return;
    values_.assign(items_, items_ + nargs_);
    names_ = Own(PyTuple_New(PyDict_GET_SIZE(kwargs)));
    if (!names_) return;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; PyDict_Next(kwargs, &at, &key, &value); ++i) {
      PyTuple_SET_ITEM(names_.get(), i, Py_NewRef(key));
      values_.push_back(value);
    }
    items_ = values_.data();
  }
  PyObject* const* values() const noexcept { return items_; }
  Py_ssize_t nargs() const noexcept { return nargs_; }
  PyObject* names() const noexcept { return names_.get(); }

 private:
  PyObject* const* items_;
  std::vector<PyObject*> values_;  ///< the items, if there are keywords
  Py_ssize_t nargs_ = 0;
  Own names_;
};

/// The ordinary way of calling a class: __new__, then __init__.
PyObject* OrdinaryCall(PyObject* type, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  const Own tuple(PyTuple_New(nargs));
  if (!tuple) return nullptr;
  for (Py_ssize_t i = 0; i < nargs; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  Own dict;
  if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) {
    dict = Own(PyDict_New());
    if (!dict) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {
      if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(kwnames, i), args[nargs + i]) != 0) {
        return nullptr;
      }
    }
  }
  return PyType_Type.tp_call(type, tuple.get(), dict.get());
}

/// Whether `type` stands for `record` itself, not for a plain Python subclass of it.
bool IsOwnClass(const ClassRecord* record, PyTypeObject* type) noexcept {
  return type == record->type || type == record->generated;
}

/// Whether a function can be called without arguments.
bool NeedsNothing(const TainFunctionInfo* info) noexcept {
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    if (NeedsNothing(info->overloads[i].info)) return true;
  }
  if (info->num_overloads != 0) return false;
  for (int32_t i = 0; i < info->num_args; ++i) {
    constexpr int32_t kOptional = kTainArgHasDefault | kTainArgVarPositional | kTainArgVarKeyword;
    if ((info->args[i].flags & kOptional) == 0) return false;
  }
  return true;
}

/// Whether the constructor can be called without arguments.
bool NeedsNothing(const ClassRecord* record) noexcept {
  return record->constructor != nullptr && record->constructor_info != nullptr &&
         NeedsNothing(record->constructor_info);
}

/// Whether a Python class between the instance's and the generated one is a dataclass.
bool IsDataclass(PyTypeObject* type, PyTypeObject* generated) noexcept {
  const Own name(PyUnicode_InternFromString("__dataclass_params__"));
  if (!name) return false;
  PyObject* found = _PyType_Lookup(type, name.get());
  return found != nullptr && found != _PyType_Lookup(generated, name.get());
}

/// Refuses a class whose generated bases are unrelated; -1 with TypeError set.
int CheckBases(PyTypeObject* type) noexcept {
  PyTypeObject* first = nullptr;
  PyObject* mro = type->tp_mro;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
    if (base->tp_dealloc != &InstanceDealloc) continue;
    if (first == nullptr) {
      first = base;
    } else if (!PyType_IsSubtype(first, base)) {
      PyErr_Format(
          PyExc_TypeError,
          "%s: the C++ types %s and %s are unrelated, so one object cannot be both; derive "
          "from one and hold the other in an attribute",
          type->tp_name, first->tp_name, base->tp_name);
      return -1;
    }
  }
  return 0;
}

/// What tp_new does for a class whose objects can be made.
PyObject* NewInstance(PyTypeObject* type) {
  // Neither dealloc: __init_subclass__ did not see this class.
  if (TAIN_UNLIKELY(type->tp_dealloc != &InstanceDealloc && type->tp_dealloc != &SubclassDealloc)) {
    if (AdmitSubclass(type) != 0) return nullptr;
  }
  if (TAIN_UNLIKELY((type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) != 0)) {
    SetAbstractError(type);
    return nullptr;
  }
  return NewEmpty(type);
}

}  // namespace

PyObject* PostInit(PyObject* self, PyObject* const* args, size_t num_args) noexcept {
  static PyObject* name = PyUnicode_InternFromString("__post_init__");
  if (name == nullptr) return nullptr;
  const Own method(PyObject_GetAttr(self, name));
  if (!method) return nullptr;
  auto& unfinished = GetState().unfinished;
  const TainObject* object = AsInstance(self)->object;
  try {
    unfinished.push_back(object);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  PyObject* result = PyObject_Vectorcall(method.get(), args, num_args, nullptr);
  unfinished.erase(std::find(unfinished.begin(), unfinished.end(), object));
  return result;
}

TainObject* MakeDefault(const TainTypeRecord* record) {
  TainObject* made = nullptr;
  if (TainTypeConstructDefault(record->info->type_index, &made) != 0) ThrowFromCore();
  return made;
}

TainObject* BeginDataclass(PyObject* self) noexcept {
  if (!IsInstance(self) || AsInstance(self)->object != nullptr) return nullptr;
  PyTypeObject* generated = GeneratedBase(Py_TYPE(self));
  PyObject *type, *value, *traceback;  // a look-up would take the error for its own
  PyErr_Fetch(&type, &value, &traceback);
  const ClassRecord* record = RecordOfType(generated);
  // An __init__ of a class that is defined in Python may set its fields one by one.
  const bool begins = record != nullptr &&
                      (record->record->layout != nullptr || IsDataclass(Py_TYPE(self), generated));
  PyErr_Restore(type, value, traceback);
  if (!begins) return nullptr;
  PyErr_Clear();
  const bool by_default = record->record->def.construct_default != nullptr;
  if (!by_default && !NeedsNothing(record)) {
    PyErr_Format(PyExc_TypeError,
                 "%s is a dataclass, but its base %s cannot be constructed without arguments: give "
                 "the dataclass an __init__ that calls super().__init__(...)",
                 TypeName(self), generated->tp_name);
    return nullptr;
  }
  try {
    TainObject* object =
        by_default ? MakeDefault(record->record) : Construct(record, nullptr, 0, nullptr);
    if (object == nullptr || AttachFresh(record, self, object) != 0) return nullptr;
    return object;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  return nullptr;
}

int AdmitSubclass(PyTypeObject* type) noexcept {
  if (CheckBases(type) != 0 || CheckOverrides(type) != 0) return -1;
  AdoptSubclass(type);
  return 0;
}

PyObject* InstanceNew(PyTypeObject* type, PyObject*, PyObject*) {
  // A class written in Python may get an object of a child of the C++ type.
  if (type->tp_dealloc == &InstanceDealloc) {
    const ClassRecord* record = RecordOfType(type);
    if (record != nullptr && (record->record->def.flags & kTainTypeAbstract) != 0) {
      SetNoConstructorError(record);
      return nullptr;
    }
  }
  return NewInstance(type);
}

int Initialize(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
               PyObject* kwnames) noexcept {
  const ClassRecord* record = RecordOfInstance(self);
  if (record == nullptr) return -1;
  TainObject* object = Construct(record, args, nargs, kwnames);
  if (object == nullptr || AttachFresh(record, self, object) != 0) return -1;
  return CallPostInit(record, self);
}

int InstanceInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  try {
    const VectorArgs vector(args, kwargs);
    if (PyErr_Occurred()) return -1;
    return Initialize(self, vector.values(), vector.nargs(), vector.names());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return -1;
  }
}

void InheritInit(PyTypeObject* type) noexcept {
  static PyObject* name = PyUnicode_InternFromString("__init__");
  PyObject* found = name == nullptr ? nullptr : _PyType_Lookup(type, name);
  if (found != nullptr && IsInit(found)) type->tp_init = &InstanceInit;
}

PyObject* ConstructVectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  auto* type = reinterpret_cast<PyTypeObject*>(callable);
  if (TAIN_UNLIKELY(type->tp_new != &InstanceNew || type->tp_init != &InstanceInit)) {
    return OrdinaryCall(callable, args, nargsf, kwnames);
  }
  const ClassRecord* record = RecordOfType(type);
  if (TAIN_UNLIKELY(record == nullptr)) return OrdinaryCall(callable, args, nargsf, kwnames);
  if (TAIN_UNLIKELY((type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) != 0)) {
    SetAbstractError(type);
    return nullptr;
  }
  TainObject* object = Construct(record, args, PyVectorcall_NARGS(nargsf), kwnames);
  if (TAIN_UNLIKELY(object == nullptr)) return nullptr;
  PyObject* self;
  if (TAIN_LIKELY(IsOwnClass(record, type))) {
    const bool as_usual = object->type_index == record->type_index && IsFresh(object);
    self = TAIN_LIKELY(as_usual) ? NewMirror(record->type, object) : Wrap(object);
  } else {
    self = NewInstance(type);
    if (self == nullptr) {
      internal::DecRef(object);
      return nullptr;
    }
    if (AttachFresh(record, self, object) != 0) Py_CLEAR(self);
  }
  if (TAIN_UNLIKELY(record->has_post_init) && self != nullptr && CallPostInit(record, self) != 0) {
    Py_CLEAR(self);
  }
  return self;
}

PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames) {
  const ClassRecord* record = RecordOfInstance(self);
  if (record == nullptr) return nullptr;
  if (nargs < 1) {
    PyErr_SetString(PyExc_TypeError,
                    "__init_handle_by_constructor__(f, *args, **kwargs): f is missing");
    return nullptr;
  }
  const Own called(PyObject_Vectorcall(args[0], args + 1, static_cast<size_t>(nargs - 1), kwnames));
  if (!called) return nullptr;
  // The call made a mirror of its own; its object moves over to `self`.
  if (!IsInstance(called.get()) || AsInstance(called.get())->object == nullptr ||
      TainTypeIsInstance(AsInstance(called.get())->object->type_index, record->type_index) == 0) {
    PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s", TypeName(self),
                 TypeName(called.get()), KeyOf(record).c_str());
    return nullptr;
  }
  // A mirror that was made just now has the class of new mirrors and no state of its own.
  PyTypeObject* type = Py_TYPE(called.get());
  const bool is_new_mirror = type->tp_dealloc == &InstanceDealloc ||
                             type == ClassOf(AsInstance(called.get())->object->type_index);
  if (Py_REFCNT(called.get()) != 1 || !is_new_mirror) {
    PyErr_Format(PyExc_TypeError,
                 "%s: the constructor returned an object that already has a Python object",
                 TypeName(self));
    return nullptr;
  }
  TainObject* object = Detach(AsInstance(called.get()));
  if (AttachFresh(record, self, object) != 0) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace tain::bindings
