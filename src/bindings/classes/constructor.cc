// SPDX-License-Identifier: Apache-2.0
// Construction; see constructor.h. Slots of generated classes.
#include "classes/constructor.h"

#include <algorithm>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/protocols.h"
#include "base/state.h"
#include "calls/free_call.h"
#include "calls/method_descr.h"
#include "classes/class_parts.h"
#include "classes/dataclass_init.h"
#include "classes/make_object.h"
#include "classes/overrides.h"
#include "classes/state.h"
#include "classes/visible_class.h"
#include "objects/attach.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "objects/noted_classes.h"
#include "objects/state.h"

namespace tain::bindings {
namespace {

/// Calls __post_init__, the last step of construction; -1 with an error set.
int CallPostInit(const ClassRecord* record, PyObject* self) noexcept {
  if (TAIN_LIKELY(!record->has_post_init)) return 0;
  const Own result(PostInit(self, nullptr, 0));
  return result ? 0 : -1;
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
  // The caller runs tp_init next.
  if (type->tp_init != &InstanceInit && !NeedsNothingNoted(type)) {
    const uint32_t before = VersionOf(type);
    InstallDataclassInit(type);
    NoteNeedsNothing(type, before);
  }
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

PyObject* InstanceNew(PyTypeObject* type, PyObject*, PyObject*) {
#ifdef Py_GIL_DISABLED
  if (type->tp_init != &InstanceInit && type->tp_dealloc == &SubclassDealloc &&
      (type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) == 0 && NeedsNothingNoted(type)) {
    return NewEmpty(type);
  }
#endif
  const BridgeLock lock;
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
  const BridgeLock lock;
  return Guarded(-1, [&] {
    const VectorArgs vector(args, kwargs);
    if (PyErr_Occurred()) return -1;
    return Initialize(self, vector.values(), vector.nargs(), vector.names());
  });
}

namespace {

#ifdef Py_GIL_DISABLED
/// Whether threads may construct objects of a record at the same time: its constructor is thread-safe, and
/// nothing else is called.
inline bool IsMadeFreely(const ClassRecord* record) noexcept {
  return record != nullptr && record->constructs_freely && !record->has_post_init;
}

/// Constructs an object without the lock of the bridge. Returns false if that needs the lock. Else `code`
/// and `result` are what the constructor returned.
[[gnu::always_inline]] inline bool ConstructFreely(const ClassRecord* record, PyObject* const* args,
                                                   Py_ssize_t num_args, PyObject* kwnames,
                                                   int* code, TainAny* result) noexcept {
  HeldArgs held;
  const int32_t count = ConvertFreely(&held, record->constructor_info, args, num_args, kwnames);
  if (TAIN_UNLIKELY(count < 0)) return false;
  TainObject* function = record->constructor;
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  *result = TainAny{};
  *code = cell->safe_call(function, held.values(), count, result);
  return true;
}

/// Makes an empty instance of a class written in Python the wrapper of a new object of the record's type, and
/// takes over the reference; false, without any effect, if that needs the lock.
bool AttachFreely(PyObject* self, const ClassRecord* record, TainObject* object) noexcept {
  // If C++ calls overrides, AttachFresh looks at the box.
  if (!IsFresh(object) || record->is_overridden) return false;
  const WordLock lock(self);
  const uint32_t set = RecentSetOf(Py_TYPE(self));
  return set != 0 && AsInstance(self)->word == 0 && AttachKnown(AsInstance(self), object, set);
}

/// Initialize without the lock of the bridge; -2 if that needs the lock, and nothing was done.
int InitializeFreely(PyObject* self, PyObject* const* args, Py_ssize_t num_args,
                     PyObject* kwnames) noexcept {
  if (!IsWrapper(self) || AsInstance(self)->word != 0) return -2;
  const ClassRecord* record = NotedRecordOf(Py_TYPE(self));
  int code;
  TainAny result;
  if (!IsMadeFreely(record) || !ConstructFreely(record, args, num_args, kwnames, &code, &result)) {
    return -2;
  }
  // A constructor may return anything, even None.
  const bool as_usual = code == 0 && result.type_index == record->type_index;
  if (TAIN_LIKELY(as_usual && AttachFreely(self, record, result.v_obj))) return 0;
  const BridgeLock lock;
  if (code != 0) {
    SetFromCore();
    return -1;
  }
  TainObject* object = ObjectFrom(record, result);
  return object == nullptr ? -1 : AttachFresh(self, object, "__init__()");
}
#endif

/// The method `__init__`. It is no C++ method and does what the constructor of the class does.
PyObject* InitMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  PyTypeObject* owner = OwnerOfMethod(self);
  const Py_ssize_t num_args = PyVectorcall_NARGS(nargsf);
  if (num_args == 0) {
    return PyErr_Format(PyExc_TypeError, "descriptor '__init__' of '%s' object needs an argument",
                        owner->tp_name);
  }
  if (TAIN_UNLIKELY(!PyObject_TypeCheck(args[0], owner))) {
    return PyErr_Format(PyExc_TypeError,
                        "descriptor '__init__' requires a '%s' object but received a '%s'",
                        owner->tp_name, Py_TYPE(args[0])->tp_name);
  }
#ifdef Py_GIL_DISABLED
  const int done = InitializeFreely(args[0], args + 1, num_args - 1, kwnames);
  if (done == 0) Py_RETURN_NONE;
  if (done == -1) return nullptr;
#endif
  const BridgeLock lock;
#ifdef Py_GIL_DISABLED
  const ClassRecord* record = NotedRecordOf(Py_TYPE(args[0]));
  if (IsMadeFreely(record)) RememberOrder(record->constructor_info, num_args - 1, kwnames);
#endif
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

namespace {

/// Makes the result of `type(...)`, whose constructor returned `object`, and takes over the reference.
[[gnu::always_inline]] inline PyObject* WrapNew(const ClassRecord* record, PyTypeObject* type,
                                                TainObject* object) {
  if (TAIN_LIKELY(IsOwnClass(record, type))) {
    const bool as_usual = object->type_index == record->type_index && IsFresh(object);
    return TAIN_LIKELY(as_usual) ? NewWrapper(record->type, object) : Wrap(object);
  }
  PyObject* self = NewToInitialize(type);
  if (self == nullptr) {
    internal::DecRef(object);
    return nullptr;
  }
  if (AttachFresh(self, object, "__init__()") != 0) Py_CLEAR(self);
  return self;
}

[[gnu::always_inline]] inline PyObject* CallClass(PyObject* callable, PyObject* const* args,
                                                  size_t nargsf, PyObject* kwnames) {
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
  PyObject* self = WrapNew(record, type, object);
  if (TAIN_UNLIKELY(record->has_post_init) && self != nullptr && CallPostInit(record, self) != 0) {
    Py_CLEAR(self);
  }
  return self;
}

#ifdef Py_GIL_DISABLED
/// Whether `type(...)` does nothing but construct and wrap an object.
inline bool CallsNothing(const ClassRecord* record, const PyTypeObject* type) noexcept {
  return IsMadeFreely(record) && type->tp_new == &InstanceNew && type->tp_init == &InstanceInit &&
         (type->tp_flags & Py_TPFLAGS_IS_ABSTRACT) == 0;
}

/// Makes an instance of a class written in Python, and takes over the reference; null, without an error or
/// any effect, if that needs the lock.
PyObject* FreeInstance(const ClassRecord* record, PyTypeObject* type, TainObject* object) noexcept {
  PyObject* self = NewEmpty(type);
  if (TAIN_LIKELY(self != nullptr && AttachFreely(self, record, object))) return self;
  Py_XDECREF(self);
  PyErr_Clear();
  return nullptr;
}

/// WrapNew for what a constructor returned, with the lock.
PyObject* LockedResult(const ClassRecord* record, PyTypeObject* type, int code,
                       const TainAny& result) noexcept {
  const BridgeLock lock;
  if (code != 0) {
    SetFromCore();
    return nullptr;
  }
  TainObject* object = ObjectFrom(record, result);
  return object == nullptr ? nullptr : WrapNew(record, type, object);
}
#endif

}  // namespace

PyObject* ConstructVectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
#ifdef Py_GIL_DISABLED
  auto* type = reinterpret_cast<PyTypeObject*>(callable);
  const ClassRecord* record = CachedRecordOf(type);
  const bool is_own = record != nullptr;
  if (TAIN_UNLIKELY(!is_own)) record = NotedRecordOf(type);
  const Py_ssize_t num_args = PyVectorcall_NARGS(nargsf);
  int code;
  TainAny result;
  if (TAIN_LIKELY(CallsNothing(record, type) && (record->type == type || !is_own) &&
                  ConstructFreely(record, args, num_args, kwnames, &code, &result))) {
    if (TAIN_LIKELY(code == 0 && result.type_index == record->type_index)) {
      if (PyObject* self =
              is_own ? FreeWrap(result.v_obj) : FreeInstance(record, type, result.v_obj)) {
        return self;
      }
    }
    return LockedResult(record, type, code, result);
  }
  if (record != nullptr && record->constructs_freely) {
    const BridgeLock lock;
    RememberOrder(record->constructor_info, num_args, kwnames);
    return CallClass(callable, args, nargsf, kwnames);
  }
#endif
  const BridgeLock lock;
  return CallClass(callable, args, nargsf, kwnames);
}

}  // namespace tain::bindings
