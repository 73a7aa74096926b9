// SPDX-License-Identifier: Apache-2.0
// Converts values of the core to Python objects; see to_python.h.
#include "values/to_python.h"

#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "tain/tensor.h"
#include "values/device_dtype.h"

namespace tain::bindings {
namespace {

PyObject* FromBigInt(const TainAny& value) noexcept {
  const TainByteArray bytes = TainBigIntGetContentByteArray(&value);
  return _PyLong_FromByteArray(reinterpret_cast<const unsigned char*>(bytes.data), bytes.size, 1,
                               1);
}

/// Converts objects that have a Python equivalent: bytes, numbers, exceptions, opaque values.
PyObject* FromStaticObject(const TainAny& value) noexcept {
  std::string_view text;
  TainObject* object = value.v_obj;
  switch (value.type_index) {
    case kTainBytes:
      internal::BytesOf(&value, &text);
      return PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    case kTainBigInt: return FromBigInt(value);
    case kTainError: return ExceptionOf(object);
    case kTainOpaquePyObject:
      if (PyObject** slot = PythonSlotOf(object)) {
        return Py_NewRef(*slot == nullptr ? Py_None : *slot);
      }
      break;
    default: break;
  }
  internal::IncRef(object);  // Wrap takes one, and the caller drops one
  return Wrap(object);
}

/// Makes a Tensor of a DLTensor that is lent for the length of a call.
PyObject* LentTensor(const TainAny& value) noexcept {
  if (value.v_ptr == nullptr) return Py_NewRef(Py_None);
  return Guarded<PyObject*>(nullptr, [&] {
    TainTensorTail tail{};
    tail.flags = kTainTensorIsView;
    auto made = internal::MakeTensor(*static_cast<const DLTensor*>(value.v_ptr), tail);
    return Wrap(internal::RefAccess::Release(made));
  });
}

}  // namespace

PyObject* SmallTextToPython(const TainAny& text) noexcept {
  const size_t size = text.small_str_len;
  // ASCII is by far the most frequent case, and unused bytes are zero.
  if (TAIN_UNLIKELY((text.v_uint64 & 0x8080808080808080u) != 0 || size < 2)) {
    return ToStr(text.v_bytes, size);
  }
  PyObject* str = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);
  if (str != nullptr) std::memcpy(PyUnicode_DATA(str), text.v_bytes, size);
  return str;
}

PyObject* TextToPython(TainObject* text) noexcept {
  const auto* cell = reinterpret_cast<const TainByteArray*>(text + 1);  // it follows the header
  PyObject* str = ToStr(cell->data, cell->size);
  internal::DecRef(text);
  return str;
}

PyObject* ToPythonSlow(const TainAny& value) noexcept {
  std::string_view text;
  switch (value.type_index) {
    case kTainNone:
    case kTainInt:
    case kTainBool:
    case kTainFloat:
    case kTainSmallStr:
    case kTainStr: return ToPython(value);
    case kTainRawStr: internal::TextOf(&value, &text); return ToStr(text.data(), text.size());
    case kTainSmallBytes:
    case kTainByteArrayPtr:
      internal::BytesOf(&value, &text);
      return PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    case kTainOpaquePtr: return OpaquePointer(value.v_ptr);
    case kTainDataType:
    case kTainDevice: return DeviceOrDTypeToPython(value);
    default: break;
  }
  if (value.type_index >= kTainStaticObjectBegin) {
    if (value.type_index == kTainFunction) {
      PyObject** slot = PythonSlotOf(value.v_obj);
      if (slot == nullptr || *slot == nullptr || !PyType_Check(*slot)) return Wrap(value.v_obj);
      PyObject* cls = Py_NewRef(*slot);  // a class stays itself, although it is callable
      internal::DecRef(value.v_obj);
      return cls;
    }
    if (value.type_index == kTainArray || value.type_index == kTainList) {
      return Wrap(value.v_obj);
    }
    if (value.type_index == kTainTensor) return GetHooks().tensor_to_python(value.v_obj);
    PyObject* made = FromStaticObject(value);
    internal::DecRef(value.v_obj);
    return made;
  }
  if (value.type_index == kTainDLTensorPtr) return LentTensor(value);
  PyErr_Format(PyExc_TypeError, "a value of type index %d cannot be returned to Python",
               value.type_index);
  return nullptr;
}

PyObject* ViewToPython(const TainAny* view) noexcept {
  if (view->type_index == kTainRValueRef) {
    auto** slot = static_cast<TainObject**>(view->v_ptr);
    TainObject* object = std::exchange(*slot, nullptr);
    if (object == nullptr) return Py_NewRef(Py_None);
    return ToPython(internal::ViewOfObject(object));
  }
  if (TAIN_LIKELY(view->type_index >= kTainDynObjectBegin)) return WrapBorrowed(view->v_obj);
  if (view->type_index >= kTainStaticObjectBegin) internal::IncRef(view->v_obj);
  return ToPython(*view);
}

}  // namespace tain::bindings
