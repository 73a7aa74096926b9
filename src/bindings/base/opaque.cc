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

/// Whether this file made the object, as a T.
template <class T>
bool HasOurDeleter(const TainObject* object) noexcept {
  return object->deleter == &internal::DeleteObject<T>;
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
  Object* base = internal::ObjectAccess::FromHeader(object);
  if (object->type_index == kTainOpaquePyObject && HasOurDeleter<OpaqueObj>(object)) {
    return reinterpret_cast<PyObject**>(&static_cast<OpaqueObj*>(base)->cell.handle);
  }
  if (object->type_index == kTainFunction && HasOurDeleter<CallbackObj>(object)) {
    return &static_cast<CallbackObj*>(base)->callable;
  }
  return nullptr;
}

PyObject* ArrayBehind(const TainObject* object) noexcept {
  if (object->type_index != kTainTensor) return nullptr;
  const TainTensorTail* tail = internal::TensorTailOf(object);
  return tail == nullptr ? nullptr : static_cast<PyObject*>(tail->array);
}

Any* DrainedSlotOf(TainObject* object) noexcept {
  if (object->type_index != kTainOpaquePyObject || !HasOurDeleter<OpaqueObj>(object)) {
    return nullptr;
  }
  return &static_cast<OpaqueObj*>(internal::ObjectAccess::FromHeader(object))->drained;
}

}  // namespace tain::bindings
