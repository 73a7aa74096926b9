// SPDX-License-Identifier: Apache-2.0
// Construction; see constructor.h. Slots of generated classes.
#include "classes/constructor.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/protocols.h"
#include "base/state.h"
#include "calls/call.h"
#include "calls/method_descr.h"
#include "classes/dataclass_init.h"
#include "classes/state.h"
#include "classes/subclass.h"
#include "classes/undescribed.h"
#include "classes/visible_class.h"
#include "objects/attach.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "objects/state.h"
#include "objects/type_constructor.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

void SetNoConstructorError(const ClassRecord* record) {
  const TainTypeRecord* type = record->record;
  const char* text = "%s has no constructor";
  if ((type->def.flags & kTainTypeAbstract) != 0) {
    text =
        type->constructor != nullptr
            ? "%s is abstract: make an object of a subclass, which overrides its abstract methods"
            : "%s is abstract and has no constructor";
  } else if (IsUndescribed(type)) {
    text = "%s has no constructor: no ObjectDef describes its C++ class";
  }
  PyErr_Format(PyExc_TypeError, text, KeyOf(type).c_str());
}

void SetWrongResultError(const ClassRecord* record, const TainAny& result) {
  PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s",
               KeyOf(record->record).c_str(), internal::TypeNameOf(result).c_str(),
               KeyOf(record->record).c_str());
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

/// Calls the function that constructs a type; an error if there is none.
TainObject* ConstructBy(const TypeConstructor& found, const ClassRecord* record,
                        PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  if (found) return MakeObject(record, found.get(), found.info(), args, nargs, kwnames);
  SetNoConstructorError(record);
  return nullptr;
}

TainObject* Construct(const ClassRecord* record, PyObject* const* args, Py_ssize_t nargs,
                      PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(record->constructor == nullptr)) {
    return ConstructBy(ConstructorOf(record->record), record, args, nargs, kwnames);
  }
  return MakeObject(record, record->constructor, record->constructor_info, args, nargs, kwnames);
}

/// Calls __post_init__, the last step of construction; -1 with an error set.
int CallPostInit(const ClassRecord* record, PyObject* self) noexcept {
  if (TAIN_LIKELY(!record->has_post_init)) return 0;
  const Own result(PostInit(self, nullptr, 0));
  return result ? 0 : -1;
}

const ClassRecord* RecordOfWrapper(PyObject* self) noexcept {
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

/// The arguments of tp_init in vectorcall form.
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

/// Whether `type` is the class of `record` itself, and not a plain Python subclass of it.
bool IsOwnClass(const ClassRecord* record, PyTypeObject* type) noexcept {
  return type == record->type || IsMadeFor(*record, type);
}

/// Whether a function can be called without arguments.
bool NeedsNothing(const TainFunctionInfo* info) noexcept {
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    if (NeedsNothing(info->overloads[i].info)) return true;
  }
  if (info->num_overloads != 0) return false;
  for (int32_t i = 0; i < info->num_args; ++i) {
    constexpr int32_t kOptional =
        kTainArgHasDefault | kTainArgOptional | kTainArgVarPositional | kTainArgVarKeyword;
    if ((info->args[i].flags & kOptional) == 0) return false;
  }
  return true;
}

/// Whether an object can be made without arguments.
bool NeedsNothing(const ClassRecord* record) noexcept {
  if (TainTypeHasDefault(record->type_index) != 0) return true;
  const TainFunctionInfo* info = ConstructorOf(record->record).info();
  return info != nullptr && NeedsNothing(info);
}

/// Makes an object without arguments and attaches it to an empty wrapper; null with an error set.
TainObject* AttachWithoutArguments(const ClassRecord* record, PyObject* self) noexcept {
  return Guarded(static_cast<TainObject*>(nullptr), [&]() -> TainObject* {
    TainObject* object = TainTypeHasDefault(record->type_index) != 0
                             ? MakeDefault(record->record)
                             : Construct(record, nullptr, 0, nullptr);
    if (object == nullptr || AttachFresh(self, object, "__init__()") != 0) return nullptr;
    return object;
  });
}

/// The same if the wrapper is empty and its type can be made so; -1 with an error set.
int MakeWithoutArguments(PyObject* self) noexcept {
  if (!IsWrapper(self) || !IsEmpty(self)) return 0;
  const ClassRecord* record = RecordOfType(GeneratedBase(Py_TYPE(self)));
  if (record == nullptr || !NeedsNothing(record)) return 0;
  return AttachWithoutArguments(record, self) == nullptr ? -1 : 0;
}

/// The tp_init of a dataclass with a generated __init__: makes the C++ object if it can be made
/// without arguments, then calls that __init__.
int DataclassInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  return Guarded(-1, [&] {
    if (MakeWithoutArguments(self) != 0) return -1;
    const Initializing initializing(self);  // the caller holds it
    const Own init(PyObject_GetAttrString(self, "__init__"));
    const Own result(init ? PyObject_Call(init.get(), args, kwargs) : nullptr);
    if (result && result.get() != Py_None) {
      PyErr_Format(PyExc_TypeError, "__init__() should return None, not '%s'",
                   TypeName(result.get()));
      return -1;
    }
    return result ? 0 : -1;
  });
}

/// Sets that slot again. CPython replaces it by a look-up of `__init__` whenever the method is
/// assigned.
void InstallDataclassInit(PyTypeObject* type) noexcept {
  if (type->tp_init == &InstanceInit || type->tp_init == &DataclassInit) return;
  PyTypeObject* generated = GeneratedBase(type);
  if (IsDataclass(type, generated) && HasWrittenInit(type, generated)) {
    type->tp_init = &DataclassInit;
  }
}

/// Calls a class in the ordinary way: __new__, then __init__.
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

/// Returns the record of a class if it is the class of a key, and not derived from one or a
/// container, which is made of Python values; null for any other object.
const ClassRecord* RecordOfClassItself(PyObject* object) noexcept {
  if (!PyType_Check(object)) return nullptr;
  const auto& known = GetObjectsState().class_of_type;
  const auto found = known.find(reinterpret_cast<PyTypeObject*>(object));
  if (found == known.end() || found->second->type_index < kTainDynObjectBegin) return nullptr;
  return found->second;
}

/// Drops the object if it is not of the record's type; false with TypeError set.
bool CheckResult(const ClassRecord* record, TainObject* object) noexcept {
  if (TainTypeIsInstance(object->type_index, record->type_index) != 0) return true;
  TainAny result{};
  result.type_index = object->type_index;
  result.v_obj = object;
  SetWrongResultError(record, result);
  internal::DecRef(object);
  return false;
}

/// The tp_new of a class whose objects can be made.
PyObject* NewToInitialize(PyTypeObject* type) {
  // The class has neither of the two tp_dealloc functions, because __init_subclass__ was not called
  // for it.
  if (TAIN_UNLIKELY(type->tp_dealloc != &InstanceDealloc && type->tp_dealloc != &SubclassDealloc)) {
    if (AdmitSubclass(type) != 0) return nullptr;
  }
  if (TAIN_UNLIKELY((type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) != 0)) {
    SetAbstractError(type);
    return nullptr;
  }
  InstallDataclassInit(type);  // the caller runs tp_init next
  return NewEmpty(type);
}

}  // namespace

PyObject* PostInit(PyObject* self, PyObject* const* args, size_t num_args) noexcept {
  const Own method(PyObject_GetAttr(self, GetState().names.post_init));
  if (!method) return nullptr;
  auto& unfinished = GetClassesState().unfinished;
  try {
    unfinished.push_back(self);  // the caller holds it until this returns
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  PyObject* result = PyObject_Vectorcall(method.get(), args, num_args, nullptr);
  unfinished.erase(std::find(unfinished.begin(), unfinished.end(), self));
  return result;
}

TainObject* MakeDefault(const TainTypeRecord* record) {
  TainObject* made = nullptr;
  if (TainTypeConstructDefault(record->info->type_index, &made) != 0) ThrowFromCore();
  return made;
}

TainObject* BeginDataclass(PyObject* self) noexcept {
  if (!IsWrapper(self) || !IsEmpty(self)) return nullptr;
  PyTypeObject* generated = GeneratedBase(Py_TYPE(self));
  const ClassRecord* record = RecordOfType(generated);
  const auto begins = [&] {
    const nb::error_scope pending;  // a look-up would take the error for its own
    // An __init__ of a class that is defined in Python may set the fields one by one.
    return record->record->layout != nullptr || IsDataclass(Py_TYPE(self), generated);
  };
  if (record == nullptr || !begins()) return nullptr;
  PyErr_Clear();
  if (!NeedsNothing(record)) {
    PyErr_Format(PyExc_TypeError,
                 "%s is a dataclass, but its base %s cannot be constructed without arguments: give "
                 "the dataclass an __init__ that calls super().__init__(...)",
                 TypeName(self), generated->tp_name);
    return nullptr;
  }
  return AttachWithoutArguments(record, self);
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
  // Another class may have been registered for the key of a class that tain made. A subclass with
  // its own __init__ is no such class, so it needs no look-up.
  return NewToInitialize(type->tp_init == &InstanceInit ? VisibleClass(type) : type);
}

int Initialize(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
               PyObject* kwnames) noexcept {
  const ClassRecord* record = RecordOfWrapper(self);
  if (record == nullptr) return -1;
  TainObject* object = Construct(record, args, nargs, kwnames);
  if (object == nullptr || AttachFresh(self, object, "__init__()") != 0) return -1;
  return CallPostInit(record, self);
}

int InstanceInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  return Guarded(-1, [&] {
    const VectorArgs vector(args, kwargs);
    if (PyErr_Occurred()) return -1;
    return Initialize(self, vector.values(), vector.nargs(), vector.names());
  });
}

namespace {

/// The method `__init__`. It is no C++ method and does what the constructor of the class does.
PyObject* InitMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  PyTypeObject* owner = OwnerOfMethod(self);
  const Py_ssize_t num_args = PyVectorcall_NARGS(nargsf);
  if (num_args == 0) {
    PyErr_Format(PyExc_TypeError, "descriptor '__init__' of '%s' object needs an argument",
                 owner->tp_name);
    return nullptr;
  }
  if (TAIN_UNLIKELY(!PyObject_TypeCheck(args[0], owner))) {
    PyErr_Format(PyExc_TypeError,
                 "descriptor '__init__' requires a '%s' object but received a '%s'", owner->tp_name,
                 Py_TYPE(args[0])->tp_name);
    return nullptr;
  }
  if (Initialize(args[0], args + 1, num_args - 1, kwnames) != 0) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace

PyObject* NewInit(PyTypeObject* owner, TainObject* constructor, const TainByteArray& doc) {
  auto* def = new TainMethodDef{};  // never freed, like its class
  def->info.name = internal::Bytes("__init__");
  def->info.doc = doc;
  TainFunctionInfo* info = nullptr;
  if (const TainFunctionInfo* known = TainFunctionGetInfo(constructor)) {
    info = new TainFunctionInfo(*known);      // likewise
    info->return_type = internal::Bytes("");  // inspect shows the signature as the class's
  }
  return NewMethodLike(owner, def, constructor, info, &InitMethod);
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
  if (TAIN_UNLIKELY(kwnames != nullptr && IsReplacing(kwnames))) {
    return CallReplaced(type, args, nargsf, kwnames);
  }
  TainObject* object = Construct(record, args, PyVectorcall_NARGS(nargsf), kwnames);
  if (TAIN_UNLIKELY(object == nullptr)) return nullptr;
  PyObject* self;
  if (TAIN_LIKELY(IsOwnClass(record, type))) {
    const bool as_usual = object->type_index == record->type_index && IsFresh(object);
    self = TAIN_LIKELY(as_usual) ? NewWrapper(record->type, object) : Wrap(object);
  } else {
    self = NewToInitialize(type);
    if (self == nullptr) {
      internal::DecRef(object);
      return nullptr;
    }
    if (AttachFresh(self, object, "__init__()") != 0) Py_CLEAR(self);
  }
  if (TAIN_UNLIKELY(record->has_post_init) && self != nullptr && CallPostInit(record, self) != 0) {
    Py_CLEAR(self);
  }
  return self;
}

namespace {

/// Whether an object is a container that is hashed by its elements.
bool IsImmutable(const TainObject* object) noexcept {
  return object->type_index == kTainArray || object->type_index == kTainMap ||
         object->type_index == kTainShape;
}

}  // namespace

PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames) {
  if (nargs < 1) {
    PyErr_SetString(PyExc_TypeError,
                    "__init_handle_by_constructor__(f, *args, **kwargs): f is missing");
    return nullptr;
  }
  if (Py_TYPE(self) == GetState().function_type) {
    PyErr_SetString(PyExc_TypeError,
                    "Function.__init_handle_by_constructor__(): a function stays what it is: a "
                    "call of it may be under way");
    return nullptr;
  }
  if (const TainObject* present = ObjectOrNull(self); present != nullptr && IsImmutable(present)) {
    PyErr_Format(PyExc_TypeError,
                 "%s is immutable: __init_handle_by_constructor__ must not be called again",
                 TypeName(self));
    return nullptr;
  }
  if (const ClassRecord* named = RecordOfClassItself(args[0])) {
    // A registered class stands for the function that makes its objects; calling the class would
    // call this __init__ again.
    TainObject* object =
        ConstructBy(NamedConstructorOf(named->record), named, args + 1, nargs - 1, kwnames);
    if (object == nullptr) return nullptr;
    const ClassRecord* record = RecordOfWrapper(self);
    if (record == nullptr) {
      internal::DecRef(object);
      return nullptr;
    }
    if (!CheckResult(record, object)) return nullptr;
    if (AttachFresh(self, object, "__init_handle_by_constructor__()") != 0) return nullptr;
    Py_RETURN_NONE;
  }
  const Own called(PyObject_Vectorcall(args[0], args + 1, static_cast<size_t>(nargs - 1), kwnames));
  if (!called) return nullptr;
  // The call made another wrapper; its object moves to `self`.
  const ClassRecord* record = RecordOfWrapper(self);
  if (record == nullptr) return nullptr;
  const TainObject* made = IsWrapper(called.get()) ? ObjectOrNull(called.get()) : nullptr;
  if (made == nullptr || TainTypeIsInstance(made->type_index, record->type_index) == 0) {
    PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s", TypeName(self),
                 TypeName(called.get()), KeyOf(record->record).c_str());
    return nullptr;
  }
  // A wrapper that was made by the call has the class of new wrappers and no state.
  PyTypeObject* type = Py_TYPE(called.get());
  const bool is_new_wrapper =
      type->tp_dealloc == &InstanceDealloc || type == ClassOf(made->type_index);
  if (Py_REFCNT(called.get()) != 1 || !is_new_wrapper) {
    PyErr_Format(PyExc_TypeError,
                 "%s: the constructor returned an object that already has a Python object",
                 TypeName(self));
    return nullptr;
  }
  TainObject* object = Detach(AsInstance(called.get()));
  if (AttachFresh(self, object, "__init_handle_by_constructor__()") != 0) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace tain::bindings
