// SPDX-License-Identifier: Apache-2.0
// Python values that C++ holds; see opaque.h.
#include "base/opaque.h"

#include <new>

#include "base/release_queue.h"
#include "tain/tensor.h"

namespace tain::bindings {
namespace {

class OpaqueObj : public Object {
 public:
  explicit OpaqueObj(PyObject* object) noexcept { cell.handle = Py_NewRef(object); }
  ~OpaqueObj() { ReleasePython(static_cast<PyObject*>(cell.handle)); }
  TainOpaqueCell cell{};
  Any drained;  ///< an Array, if the object is an iterator that C++ has read
  static int32_t RuntimeTypeIndex() noexcept { return kTainOpaquePyObject; }
};

/// Returns an object that this file made as a T, whose type index is given; null for any other.
template <class T>
T* AsOurs(TainObject* object, int32_t type_index) noexcept {
  if (object->type_index != type_index || object->deleter != &internal::DeleteObject<T>) {
    return nullptr;
  }
  return static_cast<T*>(internal::ObjectAccess::FromHeader(object));
}

template <class T, class... Args>
TainObject* MakeOpaqueOf(Args... args) noexcept {
  try {
    ObjectPtr<T> made = make_object<T>(args...);
    return internal::RefAccess::Release(made);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return nullptr;
  }
}

}  // namespace

CallbackObj::~CallbackObj() { ReleasePython(callable); }

TainObject* MakeOpaque(PyObject* object) noexcept { return MakeOpaqueOf<OpaqueObj>(object); }
TainObject* MakeCallbackWith(PyObject* callable, TainSafeCall call) noexcept {
  return MakeOpaqueOf<CallbackObj>(callable, call);
}

PyObject** PythonSlotOf(TainObject* object) noexcept {
  if (auto* opaque = AsOurs<OpaqueObj>(object, kTainOpaquePyObject)) {
    return reinterpret_cast<PyObject**>(&opaque->cell.handle);
  }
  auto* callback = AsOurs<CallbackObj>(object, kTainFunction);
  return callback == nullptr ? nullptr : &callback->callable;
}

PyObject* ArrayBehind(const TainObject* object) noexcept {
  if (object->type_index != kTainTensor) return nullptr;
  const TainTensorTail* tail = internal::TensorTailOf(object);
  return tail == nullptr ? nullptr : static_cast<PyObject*>(tail->array);
}

Any* DrainedSlotOf(TainObject* object) noexcept {
  auto* opaque = AsOurs<OpaqueObj>(object, kTainOpaquePyObject);
  return opaque == nullptr ? nullptr : &opaque->drained;
}

}  // namespace tain::bindings
