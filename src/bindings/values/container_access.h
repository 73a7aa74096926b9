// SPDX-License-Identifier: Apache-2.0
// Common helpers for the slots of containers: receivers, elements, errors of the core.
//
// A slot reads its receiver after it has converted its arguments, because a conversion can run any
// Python code, which may move the receiver's object away. Code that runs Python between two
// accesses to a container holds a reference to the container and reads its size again.
#pragma once

#include "base/error.h"
#include "objects/class_table.h"
#include "tain/internal/container_api.h"
#include "tain/internal/container_declared.h"
#include "values/declared.h"
#include "values/from_python.h"
#include "values/state.h"
#include "values/to_python.h"

namespace tain::bindings {

/// A counted reference to a container's object.
using Held = ObjectPtr<Object>;
inline Held Hold(TainObject* object) noexcept { return internal::RefAccess::Share<Object>(object); }
inline Held StealHeld(TainObject* object) noexcept {
  return internal::RefAccess::Steal<Object>(object);
}
/// Holds the container that `make` returns; null with an error set.
template <class F>
Held HoldMade(F&& make) noexcept {
  return StealHeld(Guarded<TainObject*>(nullptr, make));
}
/// Returns the wrapper of the container that `make` returns; null with an error set.
template <class F>
PyObject* WrapMade(F&& make) noexcept {
  TainObject* made = Guarded<TainObject*>(nullptr, make);
  return made == nullptr ? nullptr : Wrap(made);
}
inline TainObject* HeaderOf(const Held& held) noexcept { return internal::RefAccess::Header(held); }
inline TainObject* ReleaseHeld(Held& held) noexcept { return internal::RefAccess::Release(held); }

// ---------------------------------------------------------------- receivers

inline bool IsAnySeq(int32_t index) noexcept {
  return internal::IsSeq(index) || index == kTainShape;
}
/// Whether a type index is that of Array, List, Map, Dict or Shape.
inline bool IsContainerIndex(int32_t index) noexcept {
  return internal::IsContainer(index) || index == kTainShape;
}
inline bool IsList(int32_t index) noexcept { return index == kTainList; }
inline bool IsDict(int32_t index) noexcept { return index == kTainDict; }

/// Returns the object of a wrapper if its type index is accepted; otherwise null without an
/// error.
template <bool (*kAccepts)(int32_t)>
inline TainObject* ContainerOf(PyObject* self) noexcept {
  if (!IsWrapper(self)) return nullptr;
  TainObject* object = ObjectOrNull(self);
  return object != nullptr && kAccepts(object->type_index) ? object : nullptr;
}
/// Sets the error for a receiver that ContainerOf refused.
void SetReceiverError(PyObject* self, const char* expected) noexcept;

/// Returns the receiver of a method of containers; null with an error set that names those expected.
template <bool (*kAccepts)(int32_t)>
inline TainObject* Receiver(PyObject* self, const char* expected) noexcept {
  TainObject* container = ContainerOf<kAccepts>(self);
  if (TAIN_UNLIKELY(container == nullptr)) SetReceiverError(self, expected);
  return container;
}
inline TainObject* SeqReceiver(PyObject* self) noexcept {
  return Receiver<&IsAnySeq>(self, "Array, List or Shape");
}
inline TainObject* ListReceiver(PyObject* self) noexcept { return Receiver<&IsList>(self, "List"); }
inline TainObject* MapReceiver(PyObject* self) noexcept {
  return Receiver<&internal::IsMap>(self, "Map or Dict");
}
inline TainObject* DictReceiver(PyObject* self) noexcept { return Receiver<&IsDict>(self, "Dict"); }
/// The name of a built-in type in Python, such as `Array`.
const char* ContainerName(int32_t type_index) noexcept;

// ---------------------------------------------------------------- elements

/// Converts an element to a Python object; the element stays in its container.
inline PyObject* ElementToPython(const TainAny& element) noexcept {
  const TainAny copy = element;  // the conversion may run Python code that changes the container
  if (TAIN_LIKELY(copy.type_index == kTainInt)) return PyLong_FromLongLong(copy.v_int64);
  if (copy.type_index == kTainSmallStr) return SmallTextToPython(copy);
  if (copy.type_index >= kTainStaticObjectBegin) internal::IncRef(copy.v_obj);
  return ToPython(copy);
}
/// The same for an element of a container, whose type may be declared.
inline PyObject* ElementToPython(const TainObject* container, ElementRole role,
                                 const TainAny& element) noexcept {
  if (TAIN_LIKELY(!GetValuesState().declared.is_used)) return ElementToPython(element);
  return DeclaredElement(container, role, element);
}
/// Converts an element that was copied or taken out of the container `self`.
inline PyObject* TakenToPython(PyObject* self, ElementRole role, Any element) noexcept {
  const TainObject* container =
      TAIN_LIKELY(!GetValuesState().declared.is_used) ? nullptr : ObjectOrNull(self);
  if (container == nullptr) return ToPython(element.Release());
  return DeclaredElement(container, role, element.data());
}
/// Gives a new container, made of elements of another one, the declared type of that. A Shape has
/// none.
inline TainObject* OfSameType(const TainObject* source, TainObject* made) noexcept {
  if (!GetValuesState().declared.numbered.empty() && source->type_index != kTainShape) {
    internal::SetDeclaredNumber(made, NumberOfCopies(source));
  }
  return made;
}
/// Converts a Python object to an element that will be stored; false with a Python error set.
inline bool AnyFromPython(PyObject* object, Any* out) noexcept {
  TainAny raw{};
  if (!OwnedFromPython(object, &raw)) return false;
  *out = Any::Steal(raw);
  return true;
}

/// Returns the result of == or != (`op`) for whether two objects are equal; null for -1, with an error
/// set.
inline PyObject* EqualityResult(int equal, int op) noexcept {
  return equal < 0 ? nullptr : PyBool_FromLong((equal == 1) == (op == Py_EQ));
}

inline const TainShapeCell* ShapeCellOf(const TainObject* shape) noexcept {
  return reinterpret_cast<const TainShapeCell*>(shape + 1);  // the cell follows the header
}
/// Number of elements of an Array, List or Shape.
inline int64_t LengthOf(const TainObject* seq) noexcept {
  return seq->type_index == kTainShape ? static_cast<int64_t>(ShapeCellOf(seq)->size)
                                       : internal::SeqCellOf(seq)->size;
}
/// Returns an element as a Python object. The index must be in range.
inline PyObject* ItemOf(const TainObject* seq, int64_t index) noexcept {
  if (TAIN_LIKELY(seq->type_index != kTainShape)) {
    return ElementToPython(seq, ElementRole::kItem, internal::SeqData(seq)[index]);
  }
  return PyLong_FromLongLong(ShapeCellOf(seq)->data[index]);
}

// ---------------------------------------------------------------- arguments

/// Checks that a method got between `least` and `most` arguments; false with TypeError set.
bool CheckCount(const char* method, Py_ssize_t given, Py_ssize_t least, Py_ssize_t most) noexcept;

}  // namespace tain::bindings
