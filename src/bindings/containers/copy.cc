// SPDX-License-Identifier: Apache-2.0
// copy, deepcopy and pickle of containers. They keep shared references and cycles.
//
// A mutable container is made empty and entered in the memo before its elements are copied, so
// cycles are copied as cycles. An immutable container is made after its elements, as a tuple is. If
// a cycle leads back to it, its copy is in the memo by then. If no element changed, it is its own
// copy.
#include "containers/class_parts.h"

#include "base/bridge_lock.h"
#include "base/hooks.h"
#include "base/recursion.h"
#include "containers/iter.h"
#include "tain/container/map_base.h"
#include "values/container_convert.h"
#include "values/container_lookup.h"

namespace tain::bindings {
namespace {

TainObject* ContainerReceiver(PyObject* self) noexcept {
  TainObject* container = ContainerOf<&IsContainerIndex>(self);
  if (container == nullptr) SetReceiverError(self, "a container");
  return container;
}

/// Whether the class is the generated one, so that the object has no attributes and no other
/// __init__.
bool IsPlain(PyObject* self) noexcept { return Py_TYPE(self)->tp_dealloc == &InstanceDealloc; }

/// Copies as the module copy does with __reduce_ex__; for Python subclasses.
PyObject* Reconstruct(PyObject* self, PyObject* memo) noexcept {
  return Guarded<PyObject*>(nullptr, [&] {
    const nb::handle object(self);
    const nb::object parts = object.attr("__reduce_ex__")(4);
    const nb::object make = nb::module_::import_("copy").attr("_reconstruct");
    return make(object, nb::handle(memo), *parts).release().ptr();
  });
}

PyObject* Copy(PyObject* self, PyObject*) {
  const TainObject* source = ContainerReceiver(self);
  if (source == nullptr) return nullptr;
  if (!IsPlain(self)) return Reconstruct(self, Py_None);
  if (!internal::IsMutableContainer(source->type_index)) return Py_NewRef(self);
  return CopyMutable(source);
}

// ---------------------------------------------------------------- deepcopy

/// copy.deepcopy with a memo.
class DeepCopier {
 public:
  explicit DeepCopier(PyObject* memo) noexcept : memo_(memo) {
    const Own module(PyImport_ImportModule("copy"));
    if (module) function_ = Own(PyObject_GetAttrString(module.get(), "deepcopy"));
  }
  explicit operator bool() const noexcept { return static_cast<bool>(function_); }
  /// Copies an element deeply; sets `changed` if the copy is not the element itself.
  bool Run(const TainAny& element, Any* out, bool* changed) const noexcept {
    const Own object(ElementToPython(element));
    if (!object) return false;
    PyObject* const args[] = {object.get(), memo_};
    const Own copy(PyObject_Vectorcall(function_.get(), args, 2, nullptr));
    if (!copy) return false;
    if (copy.get() == object.get()) {
      *out = Any(AnyView(element));
      return true;
    }
    *changed = true;
    return AnyFromPython(copy.get(), out);
  }
  /// Enters the copy of an object in the memo; false with an error set.
  bool Remember(PyObject* self, PyObject* copy) const noexcept {
    const Own id(PyLong_FromVoidPtr(self));
    return id && PyObject_SetItem(memo_, id.get(), copy) == 0;
  }
  /// Returns the copy of an object from the memo; null, with or without an error set, if there is
  /// none.
  Own Recall(PyObject* self) const noexcept {
    const Own id(PyLong_FromVoidPtr(self));
    if (!id) return Own();
    Own found(PyObject_GetItem(memo_, id.get()));
    if (!found && PyErr_ExceptionMatches(PyExc_KeyError)) PyErr_Clear();
    return found;
  }

 private:
  PyObject* memo_;
  Own function_;
};

bool NeedsNoCopy(const TainAny& element) noexcept {
  return element.type_index < kTainStaticObjectBegin || element.type_index == kTainStr ||
         element.type_index == kTainBytes || element.type_index == kTainBigInt;
}

bool CopyElement(const DeepCopier& copier, const Any& element, Any* out, bool* changed) noexcept {
  if (!NeedsNoCopy(element.data())) return copier.Run(element.data(), out, changed);
  *out = element;
  return true;
}

bool CopySeq(const DeepCopier& copier, const Held& source, const Held& target,
             bool* changed) noexcept {
  const TainObject* from = HeaderOf(source);
  for (int64_t i = 0; i < internal::SeqSize(from); ++i) {
    const Any element{AnyView(internal::SeqData(from)[i])};
    Any copy;
    if (!CopyElement(copier, element, &copy, changed)) return false;
    if (!Succeeds([&] { internal::SeqPush(HeaderOf(target), std::move(copy)); })) return false;
  }
  return true;
}

bool CopyMap(const DeepCopier& copier, const Held& source, const Held& target,
             bool* changed) noexcept {
  return Guarded(false, [&] {
    return internal::EachEntry(HeaderOf(source), [&](const Any& key, const Any& value) {
      Any new_key, new_value;
      if (!CopyElement(copier, key, &new_key, changed)) return false;
      if (!CopyElement(copier, value, &new_value, changed)) return false;
      internal::MapSet(HeaderOf(target), std::move(new_key), std::move(new_value));
      return true;
    });
  });
}

PyObject* DeepCopy(PyObject* self, PyObject* memo) {
  TainObject* object = ContainerReceiver(self);
  if (object == nullptr) return nullptr;
  const Recursion level(" in copy.deepcopy()");
  if (!level) return nullptr;
  if (!IsPlain(self)) return Reconstruct(self, memo);
  if (object->type_index == kTainShape) return Py_NewRef(self);
  bool failed = false;
  PyObject* by_core = GetHooks().deep_copy(self, memo, &failed);
  if (by_core != nullptr || failed) return by_core;
  const bool is_map = internal::IsMap(object->type_index);
  const Held source = Hold(object);
  Held target = HoldMade([&] {
    return OfSameType(object,
                      is_map ? internal::MapNew(object->type_index, internal::MapSize(object))
                             : internal::SeqNew(object->type_index, internal::SeqSize(object)));
  });
  if (!target) return nullptr;
  const DeepCopier copier(memo);
  if (!copier) return nullptr;
  Own copy;
  if (internal::IsMutableContainer(object->type_index)) {
    Held shared = target;
    copy = Own(Wrap(ReleaseHeld(shared)));
    if (!copy || !copier.Remember(self, copy.get())) return nullptr;
  }
  bool changed = false;
  const bool good = is_map ? CopyMap(copier, source, target, &changed)
                           : CopySeq(copier, source, target, &changed);
  if (!good) return nullptr;
  if (copy) return copy.release();
  if (!changed) return Py_NewRef(self);
  copy = copier.Recall(self);  // a cycle through a mutable element has copied it already
  if (copy || PyErr_Occurred()) return copy.release();
  return Wrap(ReleaseHeld(target));
}

// ---------------------------------------------------------------- pickle

/// Returns the attributes of a Python subclass in the form that pickle expects, or None.
Own StateOf(PyObject* self) noexcept {
  if (IsPlain(self)) return Own::Share(Py_None);
#if PY_VERSION_HEX >= 0x030B0000
  return Own(PyObject_CallMethod(self, "__getstate__", nullptr));
#else
  Own state(PyObject_GetAttrString(self, "__getstate__"));
  if (state) return Own(PyObject_CallNoArgs(state.get()));
  PyErr_Clear();
  state = Own(PyObject_GetAttrString(self, "__dict__"));
  if (state && PyObject_Size(state.get()) > 0) return state;
  PyErr_Clear();
  return Own::Share(Py_None);
#endif
}

/// Returns an iterator over the elements or the entries of a container.
Own ContentOf(PyObject* self, int32_t type_index) noexcept {
  const bool is_map = internal::IsMap(type_index);
  return Own(is_map ? NewMapIter(self, MapPart::kItems, false) : NewSeqIter(self, false));
}

/// Returns (class, (content,), state). For mutable containers (class, (), state, elements,
/// entries), so that pickle enters the container in its memo before it pickles the elements.
PyObject* Reduce(PyObject* self, PyObject*) {
  const TainObject* object = ContainerReceiver(self);
  if (object == nullptr) return nullptr;
  if (!CheckStack(" in pickling")) return nullptr;
  const int32_t index = object->type_index;
  const Own state = StateOf(self);
  if (!state) return nullptr;
  const Own held = Own::Share(reinterpret_cast<PyObject*>(Py_TYPE(self)));  // __class__ may change
  PyObject* cls = held.get();
  const Own items = ContentOf(self, index);
  if (!items) return nullptr;
  if (index == kTainList) return Py_BuildValue("O()OO", cls, state.get(), items.get());
  if (index == kTainDict) return Py_BuildValue("O()OOO", cls, state.get(), Py_None, items.get());
  const Own content(PySequence_List(items.get()));
  if (!content) return nullptr;
  if (state.get() == Py_None) return Py_BuildValue("O(O)", cls, content.get());
  return Py_BuildValue("O(O)O", cls, content.get(), state.get());
}

}  // namespace

PyObject* CopyMutable(const TainObject* source) noexcept {
  if (source == nullptr) return nullptr;
  return WrapMade([&] {
    return OfSameType(source, source->type_index == kTainList
                                  ? internal::SeqCopy(source, kTainList, 0)
                                  : internal::MapCopy(source, kTainDict));
  });
}

void AddCopyMethods(std::vector<PyMethodDef>* methods) {
  methods->insert(
      methods->end(),
      {{"__copy__", kLocked<&Copy>, METH_NOARGS, "__copy__($self, /)\n--\n\ncopy.copy."},
       {"__deepcopy__", kLocked<&DeepCopy>, METH_O,
        "__deepcopy__($self, memo, /)\n--\n\ncopy.deepcopy."},
       {"__reduce__", kLocked<&Reduce>, METH_NOARGS, "__reduce__($self, /)\n--\n\nPickle."}});
}

}  // namespace tain::bindings
