// SPDX-License-Identifier: Apache-2.0
// The Python mirror of a C++ object; see instance.h. Raw Python types: slots of generated classes.
#include "instance.h"

#include <unordered_map>

#include "call.h"
#include "class_table.h"
#include "constructor.h"
#include "gc.h"
#include "gc_candidates.h"
#include "override_sets.h"
#include "release_queue.h"
#include "state.h"

namespace tain::bindings {
namespace {

/// Mirrors of objects that have no prefix, made by other runtimes. An entry lives while its mirror
/// lives; guarded by the GIL.
std::unordered_map<const TainObject*, PyObject*>& ForeignMirrors() {
  static auto* table = new std::unordered_map<const TainObject*, PyObject*>();
  return *table;
}

void SetTie(TainObject* object, PyObject* mirror) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    TieOf(object).store(reinterpret_cast<uintptr_t>(mirror), std::memory_order_release);
  } else if (mirror == nullptr) {
    ForeignMirrors().erase(object);
  } else {
    ForeignMirrors()[object] = mirror;
  }
}

bool IsPythonClass(const PyTypeObject* type) noexcept {
  return TAIN_UNLIKELY(type->tp_dealloc == &SubclassDealloc);
}

/// Notes which class written in Python C++ asks for overrides.
void NoteClass(TainObject* object, PyTypeObject* type) noexcept {
  if (HasPrefix(object)) SetOverrideSet(object, HasVirtual(type) ? OverrideSetOf(type) : 0);
}

/// Whether a cycle may keep the object: what it holds may hold references too.
bool MayCycle(const TainObject* object) noexcept {
  const auto& classes = GetState().classes;
  const auto index = static_cast<size_t>(object->type_index);
  return index < classes.size() && classes[index] != nullptr && classes[index]->may_cycle;
}

/// Whether a new mirror in its place would be noticed.
bool Noticeable(const Instance* self) noexcept {
  return self->weaklist != nullptr || Py_TYPE(self)->tp_dealloc != &InstanceDealloc;
}

/// TryFlip for an object that others hold too.
TAIN_COLD bool TryFlipShared(Instance* self) noexcept {
  TainObject* object = self->object;
  if (!HasPrefix(object) || !Noticeable(self)) return false;
  auto* mirror = reinterpret_cast<PyObject*>(self);
  Py_SET_REFCNT(mirror, 1);
  if (PyType_IS_GC(Py_TYPE(mirror)) && !PyObject_GC_IsTracked(mirror)) PyObject_GC_Track(mirror);
  TieOf(object).fetch_or(kTainTieOwnsWrapper, std::memory_order_acq_rel);
  if (MayCycle(object)) NoteCandidate(object);
  internal::DecRef(object);
  return true;
}

/// Turns the ownership round if C++ still holds the object and someone could tell. Then `self`
/// lives on, and must not be touched by the caller: it may already have died a second time.
inline bool TryFlip(Instance* self) noexcept {
  if (TAIN_LIKELY(self->object == nullptr || StrongCount(self->object) <= 1)) return false;
  return TryFlipShared(self);
}

/// Drops the object of a dying instance.
inline void ReleaseObject(Instance* self) noexcept {
  TainObject* object = Detach(self);
  if (object == nullptr) return;
  if (TAIN_UNLIKELY(StrongCount(object) > 1) && HasPrefix(object) && MayCycle(object)) {
    NoteCandidate(object);
  }
  internal::DecRef(object);
}

/// Clears the slots that `__slots__` of one class made.
void ClearSlots(PyTypeObject* type, PyObject* self) noexcept {
  const PyMemberDef* member = type->tp_members;
  if (member == nullptr || Py_SIZE(type) == 0) return;
  for (Py_ssize_t i = 0; i < Py_SIZE(type) && member->name != nullptr; ++i, ++member) {
    // 16 is T_OBJECT_EX (Py_T_OBJECT_EX from 3.12 on), 1 is READONLY.
    if (member->type != 16 || (member->flags & 1) != 0) continue;
    auto** slot = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + member->offset);
    Py_CLEAR(*slot);
  }
}

void ClearDict(PyTypeObject* type, PyObject* self) noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT)) {
    PyObject_ClearManagedDict(self);
    return;
  }
#elif PY_VERSION_HEX >= 0x030C0000
  if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT)) {
    _PyObject_ClearManagedDict(self);
    return;
  }
#endif
  if (type->tp_dictoffset == 0) return;
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
}

/// The part of a Python subclass's death that comes after its finalizer.
void TearDown(PyTypeObject* type, PyObject* self) noexcept {
  if (AsInstance(self)->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  for (PyTypeObject* base = type; base->tp_dealloc == &SubclassDealloc; base = base->tp_base) {
    ClearSlots(base, self);
  }
  ClearDict(type, self);
  ReleaseObject(AsInstance(self));
  type->tp_free(self);
  Py_DECREF(type);
}

/// Runs __del__; true if the object lives on.
bool Finalize(PyTypeObject* type, PyObject* self) noexcept {
  if (type->tp_finalize == nullptr) return false;
  const bool gc = PyType_IS_GC(type);
  if (gc) PyObject_GC_Track(self);
  if (PyObject_CallFinalizerFromDealloc(self) < 0) return true;
  // __del__ may have given the object to C++.
  if (TryFlip(AsInstance(self))) return true;
  if (gc) PyObject_GC_UnTrack(self);
  return false;
}

/// The death of a Python subclass that is no GC type.
void PlainSubclassDealloc(PyTypeObject* type, PyObject* self) noexcept {
  if (!Finalize(type, self)) TearDown(type, self);
}

}  // namespace

void InstanceDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (TryFlip(AsInstance(self))) return;
  if (PyType_IS_GC(type)) PyObject_GC_UnTrack(self);
  if (AsInstance(self)->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  ReleaseObject(AsInstance(self));
  type->tp_free(self);
  Py_DECREF(type);
}

// CPython's subtype_dealloc clears __dict__ and slots before a base's dealloc runs; the flip must
// come first, so this stands in its place. The trashcan bounds the C stack when mirrors hold
// mirrors through their attributes.
void SubclassDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (TryFlip(AsInstance(self))) return;
  if (!PyType_IS_GC(type)) {
    PlainSubclassDealloc(type, self);
    return;
  }
  PyObject_GC_UnTrack(self);
  Py_TRASHCAN_BEGIN(self, SubclassDealloc);
  if (!Finalize(type, self)) TearDown(type, self);
  Py_TRASHCAN_END
}

void SetEmptyError(PyObject* instance) noexcept {
  PyErr_Format(PyExc_ValueError,
               "%s object is empty: its __init__ was not called (a subclass must call "
               "super().__init__(...)) or it was moved away with _move()",
               TypeName(instance));
}

TainObject* ObjectOf(PyObject* instance) noexcept {
  TainObject* object = AsInstance(instance)->object;
  if (TAIN_UNLIKELY(object == nullptr)) SetEmptyError(instance);
  return object;
}

PyObject* LiveMirror(const TainObject* object) noexcept {
  if (HasPrefix(object)) {
    return reinterpret_cast<PyObject*>(TieOf(object).load(std::memory_order_acquire) &
                                       ~uintptr_t{kTainTieMask});
  }
  const auto& table = ForeignMirrors();
  const auto found = table.find(object);
  return found == table.end() ? nullptr : found->second;
}

void Attach(Instance* instance, TainObject* object) noexcept {
  auto* mirror = reinterpret_cast<PyObject*>(instance);
  instance->object = object;
  SetTie(object, mirror);
  if (IsPythonClass(Py_TYPE(mirror))) NoteClass(object, Py_TYPE(mirror));
  ++GetState().live_instances;
}

void NoteNewClass(Instance* instance) noexcept {
  if (instance->object != nullptr) NoteClass(instance->object, Py_TYPE(instance));
}

TainObject* Detach(Instance* instance) noexcept {
  TainObject* object = std::exchange(instance->object, nullptr);
  if (object == nullptr) return nullptr;
  --GetState().live_instances;
  if (IsPythonClass(Py_TYPE(instance)) && HasPrefix(object)) SetOverrideSet(object, 0);
  if (HasPrefix(object) &&
      (TieOf(object).load(std::memory_order_acquire) & kTainTieOwnsWrapper) != 0) {
    // The object owned its mirror (someone reached it through a weak reference): the mirror has no
    // reference to give, and the object's reference on the mirror goes. The caller holds another.
    internal::IncRef(object);
    SetTie(object, nullptr);
    Py_DECREF(reinterpret_cast<PyObject*>(instance));
    return object;
  }
  SetTie(object, nullptr);
  return object;
}

PyObject* NewEmpty(PyTypeObject* type) noexcept {
  if (TAIN_UNLIKELY(type->tp_basicsize != sizeof(Instance) || PyType_IS_GC(type) ||
                    type->tp_alloc != &PyType_GenericAlloc)) {
    return type->tp_alloc(type, 0);
  }
  // What PyType_GenericAlloc does for this layout, without the general case.
  Instance* self = PyObject_New(Instance, type);
  if (TAIN_UNLIKELY(self == nullptr)) return nullptr;
  self->object = nullptr;
  self->weaklist = nullptr;
  return reinterpret_cast<PyObject*>(self);
}

PyObject* NewMirror(PyTypeObject* type, TainObject* object) noexcept {
  PyObject* self = NewEmpty(type);
  if (TAIN_UNLIKELY(self == nullptr)) {
    internal::DecRef(object);
    return nullptr;
  }
  Attach(AsInstance(self), object);
  if (TAIN_UNLIKELY(object->type_index == kTainFunction)) InitFunctionInstance(self);
  return self;
}

PyObject* Wrap(TainObject* object) noexcept {
  if (TAIN_LIKELY(HasPrefix(object))) {
    const uintptr_t tie = TieOf(object).load(std::memory_order_acquire);
    if (tie != 0) {
      auto* mirror = reinterpret_cast<PyObject*>(tie & ~uintptr_t{kTainTieMask});
      if (TAIN_UNLIKELY((tie & kTainTieOwnsWrapper) != 0)) {
        // Flip back: the mirror takes over the caller's strong reference, the caller the object's
        // on the mirror.
        TieOf(object).fetch_and(~uintptr_t{kTainTieOwnsWrapper}, std::memory_order_acq_rel);
        return mirror;
      }
      Py_INCREF(mirror);
      internal::DecRef(object);
      return mirror;
    }
  } else if (PyObject* mirror = LiveMirror(object)) {
    Py_INCREF(mirror);
    internal::DecRef(object);
    return mirror;
  }
  PyTypeObject* type = ClassOf(object->type_index);
  if (TAIN_UNLIKELY(type == nullptr)) {
    internal::DecRef(object);
    return nullptr;
  }
  return NewMirror(type, object);
}

void AdoptSubclass(PyTypeObject* type) noexcept {
  for (; type != nullptr && type->tp_dealloc != &InstanceDealloc; type = type->tp_base) {
    type->tp_dealloc = &SubclassDealloc;
    AdoptTraverse(type);
    InheritInit(type);
    AddOverrideSet(type);
  }
}

PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept {
  while (type != nullptr && type->tp_dealloc != &InstanceDealloc) type = type->tp_base;
  return type;
}

// The core has turned the ownership round already: the mirror owns the revived reference, and the
// object's reference on the mirror is ours. Releasing it ends both unless __del__ saves them.
void ReleaseMirror(TainObject* object) noexcept { ReleasePython(LiveMirror(object)); }

int64_t LiveInstances() noexcept { return GetState().live_instances; }

}  // namespace tain::bindings
