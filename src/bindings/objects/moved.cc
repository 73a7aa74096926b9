// SPDX-License-Identifier: Apache-2.0
// The result of `x._move()`; see moved.h.
#include "objects/moved.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "objects/in_flight.h"
#include "objects/instance.h"
#include "objects/state.h"

namespace tain::bindings {
namespace {

/// Owns one strong reference until a callee takes it.
struct MovedReference : internal::NotCopied {
  TainObject* object = nullptr;
  MovedReference() = default;
  ~MovedReference() {
    if (object != nullptr) internal::DecRef(object);
  }
};

}  // namespace

PyObject* MoveOut(PyObject* wrapper) noexcept {
  const TainObject* object = ObjectOf(wrapper);
  if (object == nullptr) return nullptr;
  if (Py_TYPE(wrapper)->tp_dealloc != &InstanceDealloc || HasWeakReferences(wrapper)) {
    PyErr_Format(PyExc_TypeError,
                 "%s._move(): the object has Python state (a Python subclass or a weak reference), "
                 "which a move would lose",
                 TypeName(wrapper));
    return nullptr;
  }
  if (object->type_index == kTainFunction) {
    PyErr_SetString(PyExc_TypeError,
                    "Function._move(): a function cannot be moved: a call of it may be under way");
    return nullptr;
  }
  return GuardedObject([&] {
    nb::object carrier = nb::cast(new MovedReference(), nb::rv_policy::take_ownership);
    const WordLock lock(wrapper);
    if (ObjectOf(wrapper) == nullptr || !CheckUnused(wrapper, "_move()")) throw nb::python_error();
    nb::inst_ptr<MovedReference>(carrier)->object = DetachMoved(AsInstance(wrapper));
    return carrier;
  });
}

TainObject** MovedSlot(PyObject* object) noexcept {
  if (TAIN_LIKELY(Py_TYPE(object) != GetObjectsState().moved_type)) return nullptr;
  return &nb::inst_ptr<MovedReference>(nb::handle(object))->object;
}

void InitMoved(CoreModule& m) {
  const CoreClass<MovedReference> made(
      m, "MovedReference", nb::is_final(),
      "A reference on its way into a call: what `x._move()` returns.");
  GetObjectsState().moved_type = reinterpret_cast<PyTypeObject*>(made.ptr());
}

}  // namespace tain::bindings
