// SPDX-License-Identifier: Apache-2.0
// Converts Python values to values of the core: all types but the exact built-in ones.
#include "values/from_python.h"

#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "objects/enums.h"
#include "objects/moved.h"
#include "values/container_convert.h"
#include "values/device_dtype.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

bool KeepMade(TainObject* made, TainAny* out, ArgExtra* extra) noexcept {
  if (made == nullptr) return false;
  SetObject(made, out);
  extra->owned = made;
  return true;
}

/// Stores an owned value (string, big integer) that the core made.
bool OwnValue(const TainAny& value, TainAny* out, ArgExtra* extra) noexcept {
  *out = value;
  if (value.type_index >= kTainStaticObjectBegin) extra->owned = value.v_obj;
  return true;
}

bool CoreFailed() noexcept {
  SetFromCore();
  return false;
}

/// Stores what a function of the core makes of bytes.
bool MakeOfBytes(int (*make)(const TainByteArray*, TainAny*), const TainByteArray& bytes,
                 TainAny* out, ArgExtra* extra) noexcept {
  TainAny made{};
  return make(&bytes, &made) == 0 ? OwnValue(made, out, extra) : CoreFailed();
}

/// Throws std::bad_alloc for a large number.
bool FromLong(PyObject* object, TainAny* out, ArgExtra* extra) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred()) return false;
    SetInt(value, out);
    return true;
  }
  const auto bits = static_cast<size_t>(_PyLong_NumBits(object));  // signed from 3.14 on
  if (bits == static_cast<size_t>(-1)) return false;
  std::vector<unsigned char> bytes(bits / 8 + 1);
#if PY_VERSION_HEX >= 0x030D0000
  const int code = _PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(object), bytes.data(),
                                       bytes.size(), 1, 1, 1);
#else
  const int code = _PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(object), bytes.data(),
                                       bytes.size(), 1, 1);
#endif
  if (code != 0) return false;
  const TainByteArray input{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return MakeOfBytes(&TainBigIntFromByteArray, input, out, extra);
}

/// Converts text with lone surrogates, which UTF-8 cannot encode: each surrogate becomes three
/// bytes.
bool FromSurrogates(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  PyErr_Clear();
  const Own encoded(PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass"));
  return encoded && MakeOfBytes(&TainStringFromByteArray, BytesIn(encoded.get()), out, extra);
}

bool FromText(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  Py_ssize_t size = 0;
  const char* text;
  if (TAIN_LIKELY(PyUnicode_IS_COMPACT_ASCII(object))) {  // its characters are its UTF-8
    text = static_cast<const char*>(PyUnicode_DATA(object));
    size = PyUnicode_GET_LENGTH(object);
  } else {
    text = PyUnicode_AsUTF8AndSize(object, &size);
  }
  if (text == nullptr) return FromSurrogates(object, out, extra);
  *out = TainAny{};
  if (size <= 7) {
    out->type_index = kTainSmallStr;
    out->small_str_len = static_cast<uint32_t>(size);
    std::memcpy(out->v_bytes, text, static_cast<size_t>(size));
    return true;
  }
  if (TAIN_LIKELY(std::strlen(text) == static_cast<size_t>(size))) {
    out->type_index = kTainRawStr;  // the str keeps its UTF-8 as long as it lives
    out->v_c_str = text;
    return true;
  }
  return MakeOfBytes(&TainStringFromByteArray, {text, static_cast<size_t>(size)}, out, extra);
}

bool FromBytes(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  const auto size = static_cast<size_t>(PyBytes_GET_SIZE(object));
  *out = TainAny{};
  if (size <= 7) {
    out->type_index = kTainSmallBytes;
    out->small_str_len = static_cast<uint32_t>(size);
    std::memcpy(out->v_bytes, PyBytes_AS_STRING(object), size);
    return true;
  }
  return FromLongBytes(object, out, &extra->bytes);
}

/// Converts bytearray and memoryview to a copy, because they may change during the call. The copy is
/// an object at any size, so that messages can name what it was made from (given.h).
bool FromBuffer(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  const Own copy(PyBytes_FromObject(object));
  if (!copy) return false;
  const TainByteArray bytes = BytesIn(copy.get());
  constexpr size_t kObjectFrom = 8;  // fewer bytes stand in the value itself
  char few[kObjectFrom] = {};
  const bool is_short = bytes.size < kObjectFrom;
  if (is_short) std::memcpy(few, bytes.data, bytes.size);
  const TainByteArray input = is_short ? TainByteArray{few, kObjectFrom} : bytes;
  if (!MakeOfBytes(&TainBytesFromByteArray, input, out, extra)) return false;
  reinterpret_cast<TainByteArray*>(out->v_obj + 1)->size = bytes.size;  // nobody else has it yet
  return true;
}

/// Converts numpy's scalars. Recognizes them by name, so that numpy need not be imported. Returns 0
/// if it is none, 1 if done, -1 with an error set.
int FromNumpyScalar(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  const char* name = TypeName(object);
  if (std::strncmp(name, "numpy.", 6) != 0) return 0;
  name += 6;
  if (std::strcmp(name, "bool_") == 0 || std::strcmp(name, "bool") == 0) {
    const int truth = PyObject_IsTrue(object);
    if (truth < 0) return -1;
    SetBool(truth != 0, out);
    return 1;
  }
  if (std::strncmp(name, "int", 3) == 0 || std::strncmp(name, "uint", 4) == 0 ||
      std::strcmp(name, "longlong") == 0 || std::strcmp(name, "ulonglong") == 0) {
    const Own number(PyNumber_Index(object));
    return number && FromLong(number.get(), out, extra) ? 1 : -1;
  }
  if (std::strncmp(name, "float", 5) == 0 || std::strcmp(name, "longdouble") == 0) {
    const Own number(PyNumber_Float(object));
    if (!number) return -1;
    SetFloat(PyFloat_AS_DOUBLE(number.get()), out);
    // A long double that is not exactly a double stays an opaque object. NaN does not equal itself.
    const bool is_wide = std::strcmp(name, "longdouble") == 0 || std::strcmp(name, "float128") == 0;
    return is_wide && out->v_float64 == out->v_float64
               ? PyObject_RichCompareBool(object, number.get(), Py_EQ)
               : 1;
  }
  return 0;
}

/// Converts a numpy.ndarray: to a Tensor, or to an opaque object if its elements are no numbers.
bool FromNumpyArray(PyObject* object, TainAny* out, ArgExtra* extra) {
  const int made = GetHooks().tensor_from_array(object, false, out, nullptr);
  if (made == 0) return KeepMade(MakeOpaque(object), out, extra);
  if (made > 0) extra->owned = out->v_obj;
  return made > 0;
}

/// Converts what has no other form: arrays, callables, and any other object as an opaque value.
bool FromLast(PyObject* object, TainAny* out, ArgExtra* extra) {
  TainAny array{};
  const int tensor = GetHooks().tensor_from_array(object, false, &array, nullptr);
  if (tensor != 0) return tensor > 0 && OwnValue(array, out, extra);
  if (PyCallable_Check(object)) return KeepMade(MakeCallback(object), out, extra);
  if (IsVoidPointer(object)) {
    const Own value(PyObject_GetAttrString(object, "value"));
    if (!value) return false;
    *out = TainAny{};
    if (value.get() != Py_None) {
      out->type_index = kTainOpaquePtr;
      out->v_ptr = PyLong_AsVoidPtr(value.get());
    }
    return !PyErr_Occurred();
  }
  return KeepMade(MakeOpaque(object), out, extra);
}

/// Converts what is of no built-in class: numbers of numpy, exceptions, classes with methods that
/// convert, and what has no other form.
bool FromOther(PyObject* object, TainAny* out, ArgExtra* extra) {
  if (Py_TYPE(object) == &PyFunction_Type) return KeepMade(MakeCallback(object), out, extra);
  const int numpy = FromNumpyScalar(object, out, extra);
  if (numpy != 0) return numpy > 0;
  if (PyExceptionInstance_Check(object)) return KeepMade(ErrorOf(object), out, extra);
  if (DeviceOrDType(object, out)) return true;
  TainAny own_way{};
  const int converted = ConvertByMethods(object, &own_way);
  if (converted != 0) return converted > 0 && OwnValue(own_way, out, extra);
  return FromLast(object, out, extra);
}

/// Makes few bytes a value without an object, as all bytes that are stored.
bool ShortenBytes(TainAny* value) noexcept {
  const auto* cell = reinterpret_cast<const TainByteArray*>(value->v_obj + 1);
  if (cell->size > 7) return true;
  const Any object = Any::Steal(*value);
  *value = TainAny{};
  return TainBytesFromByteArray(cell, value) == 0 || CoreFailed();
}

/// Whether a declared type begins with a name, which ends there.
template <size_t kSize>
bool BeginsWith(std::string_view type, const char (&name)[kSize]) noexcept {
  constexpr size_t kLength = kSize - 1;
  if (type.size() < kLength || std::memcmp(type.data(), name, kLength) != 0) return false;
  return type.size() == kLength || type[kLength] == ' ' || type[kLength] == '[';
}

/// Whether a parameter with tain::Convert gets an object as it is, because what it has read of it
/// would be read again: lists, numbers, iterables.
bool IsForConvert(std::string_view type, PyObject* object) noexcept {
  return type[0] == 'A' && object != Py_None && !IsWrapper(object);
}

/// Converts an object for a parameter that views a tensor, which takes more than `Any`: whatever
/// has a buffer, and subclasses of numpy.ndarray.
bool FromPythonForTensor(std::string_view type, PyObject* object, TainAny* out,
                         ArgExtra* extra) noexcept {
  extra->owned = nullptr;
  *out = TainAny{};
  const int made = GetHooks().tensor_from_array(object, true, out, nullptr);
  if (made == 0) {
    if (IsForConvert(type, object)) return KeepMade(MakeOpaque(object), out, extra);
    return FromPython(object, out, extra);
  }
  if (made > 0) extra->owned = out->v_obj;
  return made > 0;
}

}  // namespace

bool IsTensorType(std::string_view type) noexcept {
  switch (type.empty() ? '\0' : type.front()) {
    case 'T': return BeginsWith(type, "Tensor");
    case 'A': return BeginsWith(type, "ArrayLike");
    case 'n': return BeginsWith(type, "numpy.ndarray");
    default: return false;
  }
}

bool FromPythonSlow(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  extra->owned = nullptr;
  *out = TainAny{};
  return Guarded(false, [&] {
    if (IsFormless(Py_TYPE(object))) return FromLast(object, out, extra);
    if (Py_TYPE(object) == GetValuesState().ndarray_type) return FromNumpyArray(object, out, extra);
    if (PyUnicode_Check(object)) return FromText(object, out, extra);
    if (PyBool_Check(object)) {
      SetBool(object == Py_True, out);
      return true;
    }
    if (PyLong_Check(object)) return FromLong(object, out, extra);
    if (PyFloat_Check(object)) {
      SetFloat(PyFloat_AS_DOUBLE(object), out);
      return true;
    }
    if (IsWrapper(object)) {
      TainObject* target = ObjectOf(object);
      if (target != nullptr) SetObject(target, out);
      return target != nullptr;
    }
    if (PyBytes_Check(object)) return FromBytes(object, out, extra);
    if (PyList_Check(object) || PyTuple_Check(object)) {
      return KeepMade(SequenceFromPython(object), out, extra);
    }
    if (PyDict_Check(object)) return KeepMade(MappingFromPython(object), out, extra);
    if (PyByteArray_Check(object) || PyMemoryView_Check(object)) {
      return FromBuffer(object, out, extra);
    }
    if (TainObject** slot = MovedSlot(object)) {
      if (*slot == nullptr) {
        PyErr_SetString(PyExc_ValueError, "the reference made by _move() was used already");
        return false;
      }
      out->type_index = kTainRValueRef;
      out->v_ptr = slot;
      return true;
    }
    return FromOther(object, out, extra);
  });
}

bool FromFormless(PyObject* object, TainAny* out, ArgExtra* extra) noexcept {
  extra->owned = nullptr;
  *out = TainAny{};
  return Guarded(false, [&] { return FromLast(object, out, extra); });
}

bool OwnDataInPlace(TainAny* value) noexcept {
  const TainAny view = std::exchange(*value, TainAny{});
  return Succeeds([&] { internal::CopyToOwned(view, value); });
}

bool OwnedFromPythonSlow(PyObject* object, TainAny* out) noexcept {
  ArgExtra extra;
  const bool is_fast = FromPythonFast(object, out, &extra.bytes);
  if (TAIN_LIKELY(is_fast)) {
    if (out->type_index < kTainRawStr || out->type_index == kTainSmallStr) return true;
  } else if (!FromPythonSlow(object, out, &extra)) {
    if (extra.owned != nullptr) internal::DecRef(extra.owned);
    *out = TainAny{};
    return false;
  } else if (extra.owned != nullptr) {
    if (TAIN_UNLIKELY(out->type_index == kTainBytes)) return ShortenBytes(out);
    return true;
  }
  return OwnInPlace(out);
}

bool FromPythonFor(std::string_view type, PyObject* object, TainAny* out,
                   ArgExtra* extra) noexcept {
  if (Py_TYPE(object) == GetValuesState().ndarray_type) {
    extra->owned = nullptr;
    *out = TainAny{};
    return FromNumpyArray(object, out, extra);
  }
  if (TAIN_LIKELY(!CrossesAsItself(object, type))) {
    if (TAIN_LIKELY(!IsTensorType(type))) return FromPython(object, out, extra);
    return FromPythonForTensor(type, object, out, extra);
  }
  extra->owned = nullptr;
  return KeepMade(MakeOpaque(object), out, extra);
}

bool OwnedFromPythonForAny(PyObject* object, TainAny* out) noexcept {
  if (TAIN_LIKELY(!IsEnumMember(object))) return OwnedFromPython(object, out);
  ArgExtra extra{};
  return KeepMade(MakeOpaque(object), out, &extra);
}

}  // namespace tain::bindings
