// SPDX-License-Identifier: Apache-2.0
// Conversion by the table that a package has set; see argument_protocols.h.
#include "values/argument_protocols.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/given_text.h"
#include "base/recursion.h"
#include "objects/noted_classes.h"
#include "values/from_python.h"
#include "values/host_convert.h"
#include "values/state.h"

namespace tain::bindings {

/// The form in which a method returns the value.
enum class ProtocolForm { kValue, kInt, kFloat, kPointer, kDType, kDevice, kStream };

/// The table that a package has set; never freed.
struct ArgumentProtocols {
  std::vector<std::pair<PyObject*, ProtocolForm>> methods;  ///< by name
  std::vector<std::pair<PyObject*, PyObject*>> classes;  ///< with functions that return the value
  /// Versions of classes for which this table and ConvertByProtocol have nothing, each with bits of the
  /// address of its class. CPython gives a class another version when the class or a base changes.
  mutable std::array<std::atomic<uint64_t>, 64> nothing{};
};

namespace {

Eternal<ArgumentProtocols> no_protocols;  ///< the table until a package sets one

const ArgumentProtocols& CurrentTable() noexcept {
  const ArgumentProtocols* set = GetValuesState().protocols.load(std::memory_order_acquire);
  return set == nullptr ? no_protocols.value : *set;
}

/// The word that notes a version of a class.
uint64_t NoteOf(const PyTypeObject* type, uint32_t version) noexcept {
  return uint64_t{version} << 32 | static_cast<uint32_t>(reinterpret_cast<uintptr_t>(type) >> 4);
}

std::atomic<uint64_t>& PlaceOf(const ArgumentProtocols& table, uint32_t version) noexcept {
  return table.nothing[version % table.nothing.size()];
}

constexpr std::array<std::pair<std::string_view, ProtocolForm>, 7> kForms{{
    {"value", ProtocolForm::kValue},
    {"int", ProtocolForm::kInt},
    {"float", ProtocolForm::kFloat},
    {"pointer", ProtocolForm::kPointer},
    {"dtype", ProtocolForm::kDType},
    {"device", ProtocolForm::kDevice},
    {"stream", ProtocolForm::kStream},
}};

ProtocolForm FormOf(const std::string& name) {
  const auto* known = std::find_if(kForms.begin(), kForms.end(),
                                   [&](const auto& one) { return one.first == name; });
  if (known != kForms.end()) return known->second;
  throw nb::value_error(
      ("set_argument_protocols: '" + name +
       "' is no form: expected value, int, float, pointer, dtype, device or stream")
          .c_str());
}

constexpr const char* kTableSetter = "set_argument_protocols";

void SetArgumentProtocols(nb::dict methods, nb::dict classes) {
  auto table = std::make_unique<ArgumentProtocols>();
  for (const auto [name, form] : methods) {
    const std::string text = TextFrom(name, kTableSetter);
    const ProtocolForm read = FormOf(TextFrom(form, kTableSetter));
    table->methods.emplace_back(Checked(PyUnicode_InternFromString(text.c_str())).release().ptr(),
                                read);
  }
  for (const auto [cls, convert] : classes) {
    if (!PyType_Check(cls.ptr()) || !PyCallable_Check(convert.ptr())) {
      throw nb::type_error("set_argument_protocols: expected classes, and functions for them");
    }
    table->classes.emplace_back(cls.inc_ref().ptr(), convert.inc_ref().ptr());
  }
  GetValuesState().protocols.store(table.release(), std::memory_order_release);
}

/// Writes the numbers of a tuple such as `__dlpack_device__()` returns, each in 0..limit; false with an
/// error set.
template <size_t kCount>
bool NumbersIn(PyObject* tuple, const char* what, const std::array<int64_t, kCount>& limits,
               std::array<int64_t, kCount>* out) {
  if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != static_cast<Py_ssize_t>(kCount)) {
    PyErr_Format(PyExc_TypeError, "expected %s as a tuple of %zd numbers, got %s", what, kCount,
                 TypeName(tuple));
    return false;
  }
  for (size_t i = 0; i < kCount; ++i) {
    const Own number(PyNumber_Index(PyTuple_GET_ITEM(tuple, static_cast<Py_ssize_t>(i))));
    if (!number) return false;
    (*out)[i] = PyLong_AsLongLong(number.get());
    if ((*out)[i] == -1 && PyErr_Occurred()) return false;
    if ((*out)[i] < 0 || (*out)[i] > limits[i]) {
      PyErr_Format(PyExc_ValueError, "number %zu of %s: expected 0..%lld, got %lld", i, what,
                   static_cast<long long>(limits[i]), static_cast<long long>((*out)[i]));
      return false;
    }
  }
  return true;
}

bool PointerIn(PyObject* number, TainAny* out) {
  const Own index(PyNumber_Index(number));
  if (!index) return false;
  void* address = PyLong_AsVoidPtr(index.get());
  if (address == nullptr && PyErr_Occurred()) return false;
  *out = TainAny{};
  if (address == nullptr) return true;  // None
  out->type_index = kTainOpaquePtr;
  out->v_ptr = address;
  return true;
}

/// Writes what a method has returned as an owned value; false with an error set.
bool Read(PyObject* value, ProtocolForm form, TainAny* out) {
  *out = TainAny{};
  switch (form) {
    case ProtocolForm::kValue: return OwnedFromPython(value, out);
    case ProtocolForm::kInt: {
      const Own number(PyNumber_Index(value));
      return number && OwnedFromPython(number.get(), out);
    }
    case ProtocolForm::kFloat: {
      out->v_float64 = PyFloat_AsDouble(value);  // a text is no number here
      if (out->v_float64 == -1.0 && PyErr_Occurred()) return false;
      out->type_index = kTainFloat;
      return true;
    }
    case ProtocolForm::kPointer: return PointerIn(value, out);
    case ProtocolForm::kDType: {
      std::array<int64_t, 3> parts{};
      if (!NumbersIn(value, "a data type", {255, 255, 65535}, &parts)) return false;
      out->type_index = kTainDataType;
      out->v_dtype = {static_cast<uint8_t>(parts[0]), static_cast<uint8_t>(parts[1]),
                      static_cast<uint16_t>(parts[2])};
      return true;
    }
    case ProtocolForm::kDevice: {
      std::array<int64_t, 2> parts{};
      if (!NumbersIn(value, "a device", {INT32_MAX, INT32_MAX}, &parts)) return false;
      out->type_index = kTainDevice;
      out->v_device = {static_cast<DLDeviceType>(parts[0]), static_cast<int32_t>(parts[1])};
      return true;
    }
    case ProtocolForm::kStream:
      if (!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 2) {
        PyErr_Format(PyExc_TypeError, "expected a stream as a tuple (version, address), got %s",
                     TypeName(value));
        return false;
      }
      return PointerIn(PyTuple_GET_ITEM(value, 1), out);
  }
  return false;
}

bool IsArrayClass(PyTypeObject* type) noexcept {
  return _PyType_Lookup(type, GetState().names.dlpack) != nullptr;
}

/// Converts by the first of the table's methods that the class of the object has, else by a class.
int ConvertByTable(const ArgumentProtocols& table, PyObject* object, TainAny* out) noexcept {
  PyTypeObject* type = Py_TYPE(object);
  for (const auto& [name, form] : table.methods) {
    if (_PyType_Lookup(type, name) == nullptr) continue;
    // Arrays have a device, too, and cross as arrays.
    if (form == ProtocolForm::kDevice && IsArrayClass(type)) continue;
    const Recursion level(" in a method that converts an argument");
    if (!level) return -1;
    const Own value(PyObject_CallMethodNoArgs(object, name));
    if (!value) return -1;
    if (value.get() == object) {
      PyErr_Format(PyExc_TypeError,
                   "%s.%U(): expected the value to pass instead, got the object itself",
                   type->tp_name, name);
      return -1;
    }
    return Read(value.get(), form, out) ? 1 : -1;
  }
  for (const auto& [cls, convert] : table.classes) {
    if (!PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(cls))) continue;
    const Own value(PyObject_CallOneArg(convert, object));
    return value && OwnedFromPython(value.get(), out) ? 1 : -1;
  }
  return 0;
}

}  // namespace

bool IsFormless(PyTypeObject* type) noexcept {
  const uint32_t version = VersionOf(type);
  const uint64_t note = PlaceOf(CurrentTable(), version).load(std::memory_order_relaxed);
  return version != 0 && note == NoteOf(type, version);
}

int ConvertByMethods(PyObject* object, TainAny* out) noexcept {
  const ArgumentProtocols& table = CurrentTable();
  PyTypeObject* type = Py_TYPE(object);
  const uint32_t before = VersionOf(type);
  int code = ConvertByProtocol(object, out);
  if (code == 0) code = ConvertByTable(table, object, out);
  if (code != 0) return code;
  if (const uint32_t version = VersionOfNames(type, before)) {
    PlaceOf(table, version).store(NoteOf(type, version), std::memory_order_relaxed);
  }
  return 0;
}

void DefineArgumentProtocols(CoreModule& m) {
  m.def("set_argument_protocols", &SetArgumentProtocols, nb::arg("methods"), nb::arg("classes"),
        nb::sig("def set_argument_protocols(methods: dict[str, str], classes: dict[type, "
                "collections.abc.Callable[[typing.Any], object]]) -> None"),
        "Sets the methods and classes by which objects cross that tain knows nothing of.");
}

}  // namespace tain::bindings
