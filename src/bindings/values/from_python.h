// SPDX-License-Identifier: Apache-2.0
// Converts Python values to values of the core: exact built-in types first, protocols afterwards.
//
// A converted argument is a view that is valid as long as the Python object and its ArgExtra live;
// long text is not copied.
#pragma once

#include <bit>
#include <cstring>

#include "objects/in_flight.h"
#include "objects/instance.h"
#include "values/argument_protocols.h"
#include "values/given.h"

#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

namespace tain::bindings {

/// The memory that a converted argument needs in addition to its 16 bytes.
struct ArgExtra {
  TainByteArray bytes;  ///< the target of a kTainByteArrayPtr
  TainObject* owned;    ///< an object that was made for the call, or null
};

/// Converts any object; false with a Python error set. Always writes both outputs.
bool FromPythonSlow(PyObject* object, TainAny* out, ArgExtra* extra) noexcept;
/// Converts an object of a class for which IsFormless is true.
bool FromFormless(PyObject* object, TainAny* out, ArgExtra* extra) noexcept;
/// Converts to a value that owns its data.
bool OwnedFromPythonSlow(PyObject* object, TainAny* out) noexcept;

/// Returns a Function of a Python callable: a new strong reference, or null if there is no memory
/// (callback.cc).
TainObject* MakeCallback(PyObject* callable) noexcept;

/// Stores a view of an object. One store of 16 bytes: `Any` copies the whole value, and a load waits
/// long for several stores that it spans.
inline void SetObject(TainObject* object, TainAny* out) noexcept {
#if defined(__GNUC__)
  if constexpr (std::endian::native == std::endian::little) {
    using Words = uint64_t __attribute__((vector_size(16)));
    const Words words = {static_cast<uint32_t>(object->type_index),
                         reinterpret_cast<uintptr_t>(object)};
    std::memcpy(static_cast<void*>(out), &words, sizeof words);
    return;
  }
#endif
  out->type_index = object->type_index;
  out->zero_padding = 0;
  out->v_obj = object;
}

inline void SetInt(int64_t value, TainAny* out) noexcept {
  out->type_index = kTainInt;
  out->zero_padding = 0;
  out->v_int64 = value;
}

inline void SetBool(bool value, TainAny* out) noexcept {
  out->type_index = kTainBool;
  out->zero_padding = 0;
  out->v_int64 = value ? 1 : 0;
}

inline void SetFloat(double value, TainAny* out) noexcept {
  out->type_index = kTainFloat;
  out->zero_padding = 0;
  out->v_float64 = value;
}

/// Converts an int of one digit without a call; false for larger numbers.
inline bool CompactInt(PyObject* object, int64_t* out) noexcept {
  auto* number = reinterpret_cast<PyLongObject*>(object);
#if PY_VERSION_HEX >= 0x030C0000
  if (!PyUnstable_Long_IsCompact(number)) return false;
  *out = PyUnstable_Long_CompactValue(number);
  return true;
#else
  const Py_ssize_t size = Py_SIZE(object);
  if (size == 0) {
    *out = 0;
    return true;
  }
  if (size != 1 && size != -1) return false;
  *out = size * static_cast<int64_t>(number->ob_digit[0]);
  return true;
#endif
}

/// Converts an int of two digits without a call; false for others.
inline bool TwoDigitInt(PyObject* object, int64_t* out) noexcept {
  auto* number = reinterpret_cast<PyLongObject*>(object);
#if PY_VERSION_HEX >= 0x030C0000
  constexpr uintptr_t kSign = 3, kSizeShift = 3;  // CPython's parts of the tag
  const uintptr_t tag = number->long_value.lv_tag;
  const digit* digits = number->long_value.ob_digit;
  if ((tag >> kSizeShift) != 2) return false;
  const bool negative = (tag & kSign) == 2;
#else
  const Py_ssize_t size = Py_SIZE(object);
  const digit* digits = number->ob_digit;
  if (size != 2 && size != -2) return false;
  const bool negative = size < 0;
#endif
  static_assert(2 * PyLong_SHIFT < 63);
  const int64_t value = int64_t{digits[0]} | int64_t{digits[1]} << PyLong_SHIFT;
  *out = negative ? -value : value;
  return true;
}

/// Converts an int; false, without an error, if it does not fit into int64.
inline bool WideInt(PyObject* object, int64_t* out) noexcept {
  if (TAIN_LIKELY(TwoDigitInt(object, out))) return true;
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

/// Converts bytes that do not fit into the value itself to a view; false, without an error, for
/// shorter ones.
inline bool FromLongBytes(PyObject* object, TainAny* out, TainByteArray* room) noexcept {
  *room = BytesIn(object);
  out->type_index = kTainByteArrayPtr;
  out->zero_padding = 0;
  out->v_ptr = room;
  return room->size > 7;
}

/// Converts text whose characters are its UTF-8 (ASCII), to a small string or to a view. The text
/// ends at its first NUL. False, without an error, for other text.
inline bool FromAscii(PyObject* object, TainAny* out) noexcept {
  if (TAIN_UNLIKELY(!PyUnicode_IS_COMPACT_ASCII(object))) return false;
  const char* text = static_cast<const char*>(PyUnicode_DATA(object));
  const auto size = static_cast<size_t>(PyUnicode_GET_LENGTH(object));
  if (size > 7) {
    out->type_index = kTainRawStr;  // the str keeps its characters as long as it lives
    out->zero_padding = 0;
    out->v_c_str = text;
    return TAIN_LIKELY(std::strlen(text) == size);
  }
  out->v_uint64 = 0;
  if (size >= 4) {  // two copies of four bytes, which overlap
    std::memcpy(out->v_bytes, text, 4);
    std::memcpy(out->v_bytes + size - 4, text + size - 4, 4);
  } else {
    for (size_t i = 0; i < size; ++i) out->v_bytes[i] = text[i];
  }
  out->type_index = kTainSmallStr;
  out->small_str_len = static_cast<uint32_t>(size);
  return true;
}

/// Converts the most frequent arguments: small ints and wrappers. Returns false, without an error,
/// for other objects. Small enough to be inlined where FromPythonFast is called.
inline bool FromPythonAtOnce(PyObject* object, TainAny* out) noexcept {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    int64_t value;
    if (TAIN_UNLIKELY(!CompactInt(object, &value))) return false;
    SetInt(value, out);
    return true;
  }
  if (type->tp_dealloc != &InstanceDealloc) return false;
  TainObject* target = ReadyObject(object);
  if (TAIN_UNLIKELY(target == nullptr)) return false;
  SetObject(target, out);
  return true;
}

/// Converts objects that need no new object: int, float, wrapper, ASCII text, None, bool, bytes.
/// `room` must live as long as `out`. False, without an error, for other objects.
inline bool FromPythonFast(PyObject* object, TainAny* out, TainByteArray* room) noexcept {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    int64_t value;
    if (TAIN_UNLIKELY(!CompactInt(object, &value) && !WideInt(object, &value))) return false;
    SetInt(value, out);
    return true;
  }
  if (type == &PyFloat_Type) {
    SetFloat(PyFloat_AS_DOUBLE(object), out);
    return true;
  }
  if (IsWrapper(object)) {
    TainObject* target = ReadyObject(object);
    if (TAIN_UNLIKELY(target == nullptr)) return false;  // FromPythonSlow handles it
    SetObject(target, out);
    return true;
  }
  if (type == &PyUnicode_Type) return FromAscii(object, out);
  if (object == Py_None) {
    *out = TainAny{};
    return true;
  }
  if (type == &PyBool_Type) {
    SetBool(object == Py_True, out);
    return true;
  }
  return type == &PyBytes_Type && FromLongBytes(object, out, room);
}

/// Converts any object; false with a Python error set.
inline bool FromPython(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  extra->owned = nullptr;
  return TAIN_LIKELY(FromPythonFast(object, out, &extra->bytes)) ||
         FromPythonSlow(object, out, extra);
}

/// Whether a declared type is Tensor, or Tensor or None.
bool IsTensorType(std::string_view type) noexcept;
/// FromPython for a place with a declared C++ type. For `Any` a member of an enum stays a member;
/// for other types it becomes its int or str.
bool FromPythonFor(std::string_view type, PyObject* object, TainAny* out, ArgExtra* extra) noexcept;
/// FromPythonFor for a type of which a part may be `object`, a Python object as it is
/// (values/untouched.cc).
bool FromPythonUntouched(std::string_view type, PyObject* object, TainAny* out,
                         ArgExtra* extra) noexcept;
/// The same for `Any`, with a result that owns its data.
bool OwnedFromPythonForAny(PyObject* object, TainAny* out) noexcept;

/// Converts to a value that owns its data; false with a Python error set.
inline bool OwnedFromPython(PyObject* object, TainAny* out) noexcept {
  int64_t number;
  if (Py_TYPE(object) == &PyLong_Type && CompactInt(object, &number)) {
    SetInt(number, out);
    return true;
  }
  return OwnedFromPythonSlow(object, out);
}

/// Returns a value that owns its data; throws nb::python_error.
inline Any AnyFrom(nb::handle object) {
  TainAny made{};
  if (!OwnedFromPython(object.ptr(), &made)) throw nb::python_error();
  return Any::Steal(made);
}

/// Makes a view of text, bytes or a tensor own its data; false with an error set.
bool OwnDataInPlace(TainAny* value) noexcept;
/// Makes any view own its data; false with an error set, and then the value is none.
inline bool OwnInPlace(TainAny* value) noexcept {
  if (value->type_index >= kTainStaticObjectBegin) {
    internal::IncRef(value->v_obj);
    return true;
  }
  const bool is_complete =
      value->type_index < kTainDLTensorPtr || value->type_index > kTainRValueRef;
  return TAIN_LIKELY(is_complete) || OwnDataInPlace(value);
}

/// The result of a conversion that was tried.
enum class Tried { kDone, kNotPossible, kFailed };

/// Converts an object to a value that owns its data, if that runs no code of Python, and does not
/// change the target otherwise as far as its owner can see: `out` may be memory behind the last
/// element of a container. kFailed: with an error set.
inline Tried OwnedFromPythonFast(PyObject* object, TainAny* out) noexcept {
  TainByteArray bytes;
  if (!FromPythonFast(object, out, &bytes)) return Tried::kNotPossible;
  return OwnInPlace(out) ? Tried::kDone : Tried::kFailed;
}

/// The converted arguments of one call. Calls with few arguments need no heap memory.
template <int kInline>
class ArgFrame : internal::NotCopied {
 public:
  explicit ArgFrame(Py_ssize_t capacity) noexcept
      : values_(capacity <= kInline ? inline_values_ : New<TainAny>(capacity)),
        extras_(capacity <= kInline ? inline_extras_ : New<ArgExtra>(capacity)),
        in_flight_(values_, 0) {
    if (TAIN_UNLIKELY(!ok())) PyErr_NoMemory();
  }
  ~ArgFrame() {
    in_flight_.Clear();
    for (Py_ssize_t i = used_; i-- > 0;) {
      if (TAIN_UNLIKELY(extras_[i].owned != nullptr)) Drop(extras_[i].owned);
    }
    if (TAIN_UNLIKELY(values_ != inline_values_)) {
      PyMem_Free(values_);
      PyMem_Free(extras_);
    }
  }
  /// False, with MemoryError set, if there was no memory for the arguments.
  bool ok() const noexcept { return values_ != nullptr && extras_ != nullptr; }
  /// Converts the next argument; false with a Python error set. No type means any type but `Any`.
  bool Add(PyObject* object, std::string_view type = {}) noexcept {
    return Added(FromPythonFor(type, object, &values_[used_], &extras_[used_]), object);
  }
  /// Add, quicker for an object that is certainly no value of a built-in class.
  bool AddFormless(PyObject* object, std::string_view type) noexcept {
    if (!IsFormless(Py_TYPE(object)) || IsTensorType(type)) return Add(object, type);
    return Added(FromFormless(object, &values_[used_], &extras_[used_]), object);
  }
  /// Add for a type of which a part may be `object`.
  bool AddUntouched(PyObject* object, std::string_view type) noexcept {
    return Added(FromPythonUntouched(type, object, &values_[used_], &extras_[used_]), object);
  }
  /// Adds a borrowed value as the next argument.
  void AddView(const TainAny& value) noexcept {
    values_[used_] = value;
    extras_[used_].owned = nullptr;
    ++used_;
    in_flight_.Grow(size());
  }
  /// Adds a value as the next argument and takes over its reference.
  void AddOwned(const TainAny& value) noexcept {
    values_[used_] = value;
    extras_[used_].owned = value.type_index >= kTainStaticObjectBegin ? value.v_obj : nullptr;
    ++used_;
    in_flight_.Grow(size());
  }
  TainAny* values() noexcept { return values_; }
  int32_t size() const noexcept { return static_cast<int32_t>(used_); }

 private:
  bool Added(bool good, PyObject* object) noexcept {
    const ArgExtra& extra = extras_[used_];
    if (TAIN_UNLIKELY(extra.owned != nullptr)) RememberSource(extra.owned, object);
    ++used_;
    if (TAIN_LIKELY(good)) in_flight_.Grow(size());
    return good;
  }
  static void Drop(TainObject* made) noexcept {
    ForgetSource(made);
    internal::DecRef(made);
  }
  template <class T>
  static T* New(Py_ssize_t count) noexcept {
    return static_cast<T*>(PyMem_Malloc(sizeof(T) * static_cast<size_t>(count)));
  }
  TainAny inline_values_[kInline];
  ArgExtra inline_extras_[kInline];
  TainAny* values_;
  ArgExtra* extras_;
  Py_ssize_t used_ = 0;
  InFlight in_flight_;
};

}  // namespace tain::bindings
