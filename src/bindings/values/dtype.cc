// SPDX-License-Identifier: Apache-2.0
// The class tain.dtype: names, and conversions from and to numpy, which is imported only when
// needed.
#include "values/device_dtype.h"

#include <nanobind/stl/string.h>

#include <limits>
#include <new>
#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

DLDataType ParseName(std::string_view text) {
  const TainByteArray bytes{text.data(), text.size()};
  DLDataType value{};
  if (TainDataTypeFromString(&bytes, &value) != 0) ThrowFromCore();
  return value;
}

std::string NameOf(const DLDataType& value) {
  TainAny made{};
  if (TainDataTypeToString(&value, &made) != 0) ThrowFromCore();
  std::string_view text;
  internal::TextOf(&made, &text);
  std::string name(text);
  if (made.type_index >= kTainStaticObjectBegin) internal::DecRef(made.v_obj);
  return name;
}

/// Returns the name as str. A process uses few types, so their names are cached.
nb::str NameText(const DLDataType& value) {
  auto& names = GetValuesState().dtype_names;
  constexpr size_t kMaxNames = 1024;
  const uint32_t number = value.code | uint32_t{value.bits} << 8 | uint32_t{value.lanes} << 16;
  const auto found = names.find(number);
  if (found != names.end()) return nb::borrow<nb::str>(found->second);
  const std::string name = NameOf(value);
  nb::str text(name.c_str(), name.size());
  if (names.size() < kMaxNames) names.emplace(number, nb::str(text).release().ptr());
  return text;
}

/// Returns the lanes as a signed number, which is negative for vectors of scalable length.
int LanesOf(const DType& self) noexcept { return static_cast<int16_t>(self.value.lanes); }

int ItemSize(const DType& self) {
  const int lanes = LanesOf(self);
  if (lanes >= 0) return (self.value.bits * lanes + 7) / 8;
  throw nb::value_error("dtype: a vector of scalable length has no fixed size");
}

DLDataType WithLanes(DLDataType value, int64_t lanes) {
  if (lanes < 1 || lanes > std::numeric_limits<int16_t>::max()) {
    ThrowError(PyExc_ValueError, "dtype: lanes: expected int in 1..32767, got %lld",
               static_cast<long long>(lanes));
  }
  value.lanes = static_cast<uint16_t>(lanes);
  return value;
}

/// Returns the numpy.dtype of an object: of a numpy.dtype, or of a class such as numpy.float32.
/// Invalid for other objects.
nb::object AsNumpyDType(nb::handle object) {
  const nb::object numpy = ImportedModule("numpy");
  if (!numpy.is_valid()) return nb::object();
  const nb::object dtype_class = numpy.attr("dtype");
  if (nb::isinstance(object, dtype_class)) return nb::borrow(object);
  if (!PyType_Check(object.ptr())) return nb::object();
  const int is_scalar = PyObject_IsSubclass(object.ptr(), nb::object(numpy.attr("generic")).ptr());
  if (is_scalar < 0) throw nb::python_error();
  return is_scalar != 0 ? dtype_class(object) : nb::object();
}

[[noreturn]] void ThrowNumpy(nb::handle dtype, const char* why) {
  ThrowError(PyExc_ValueError, "dtype: %R: %s", dtype.ptr(), why);
}

DLDataType FromNumpy(const nb::object& dtype) {
  const nb::object part = dtype.attr("subdtype");
  if (!part.is_none()) {  // a subarray, which becomes lanes
    const nb::object shape = part[1];
    if (nb::len(shape) != 1) ThrowNumpy(dtype, "only one dimension can be lanes");
    return WithLanes(FromNumpy(nb::object(part[0])), nb::cast<int64_t>(nb::object(shape[0])));
  }
  if (!nb::cast<bool>(dtype.attr("isnative"))) ThrowNumpy(dtype, "its byte order is not native");
  const std::string name = TextFrom(nb::object(dtype.attr("name")), "dtype");
  const char kind = TextFrom(nb::object(dtype.attr("kind")), "dtype").front();
  const bool is_wide =
      name == "float96" || name == "float128" || name == "complex192" || name == "complex256";
  if (is_wide || kind == 'O' || kind == 'M' || kind == 'm' || kind == 'S' || kind == 'U') {
    ThrowNumpy(dtype, "it has no counterpart among the data types");
  }
  return ParseName(name);
}

/// Parses `torch.float32`. torch writes lanes with an underscore before the x.
DLDataType FromTorch(std::string_view name) {
  std::string text(name.substr(name.find('.') + 1));
  const size_t lanes = text.find("_x");
  if (lanes != std::string::npos) text.erase(lanes, 1);
  return ParseName(text);
}

DLDataType DTypeFrom(nb::handle object) {
  if (nb::isinstance<DType>(object)) return nb::inst_ptr<DType>(object)->value;
  if (PyUnicode_Check(object.ptr())) {
    const std::string text = TextFrom(object, "dtype");
    return text.rfind("torch.", 0) == 0 ? FromTorch(text) : ParseName(text);
  }
  if (std::string_view(TypeName(object.ptr())) == "torch.dtype") {
    return FromTorch(TextFrom(nb::str(object), "dtype"));
  }
  if (const nb::object numpy = AsNumpyDType(object); numpy.is_valid()) return FromNumpy(numpy);
  ThrowGiven("dtype: expected the name of a data type, a numpy.dtype or a torch.dtype", object);
}

/// Returns the numpy.dtype of a data type. ml_dtypes provides those that numpy lacks.
nb::object ToNumpy(const DType& self) {
  const nb::object make = nb::module_::import_("numpy").attr("dtype");
  DLDataType scalar = self.value;
  scalar.lanes = 1;
  const std::string name = NameOf(scalar);
  nb::object made;
  try {
    const bool is_own =
        scalar.code <= kDLFloat || scalar.code == kDLComplex || scalar.code == kDLBool;
    made = is_own && scalar.bits >= 8 ? make(name)
                                      : make(nb::module_::import_("ml_dtypes").attr(name.c_str()));
  } catch (nb::python_error& e) {
    nb::raise_from(e, PyExc_TypeError, "numpy has no data type for %s%s", name.c_str(),
                   scalar.code != kDLOpaqueHandle && e.matches(PyExc_ImportError)
                       ? "; install ml_dtypes"
                       : "");
  }
  if (LanesOf(self) == 1) return made;
  ItemSize(self);  // throws for scalable vectors
  return make(nb::make_tuple(made, nb::make_tuple(LanesOf(self))));
}

nb::object DTypeEqual(const DType& self, nb::handle other) {
  if (nb::isinstance<DType>(other)) {
    const DLDataType& value = nb::inst_ptr<DType>(other)->value;
    return nb::bool_(self.value.code == value.code && self.value.bits == value.bits &&
                     self.value.lanes == value.lanes);
  }
  if (!PyUnicode_Check(other.ptr())) {
    const bool is_torch = std::string_view(TypeName(other.ptr())) == "torch.dtype";
    const nb::object numpy = is_torch ? nb::borrow(other) : AsNumpyDType(other);
    if (!numpy.is_valid()) return nb::borrow(Py_NotImplemented);
    try {
      return DTypeEqual(self, nb::cast(DType{DTypeFrom(numpy)}));
    } catch (nb::python_error& e) {
      if (!e.matches(PyExc_ValueError)) throw;
      return nb::bool_(false);  // a data type that tain does not have
    }
  }
  // Compares with the canonical name only, because equal objects must have equal hashes.
  return nb::bool_(NameText(self.value).equal(other));
}

bool IsFloat(const DType& self) noexcept {
  const uint8_t code = self.value.code;
  return code == kDLFloat || code == kDLBfloat ||
         (code >= kDLFloat8_e3m4 && code <= kDLFloat4_e2m1fn);
}

void AddAttributes(CoreClass<DType>& cls) {
  cls.def_prop_ro(
         "code", [](const DType& self) { return static_cast<int>(self.value.code); },
         "The number of the kind in DLPack: 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool "
         "...")
      .def_prop_ro(
          "type_code", [](const DType& self) { return static_cast<int>(self.value.code); },
          "The same as code.")
      .def_prop_ro(
          "bits", [](const DType& self) { return static_cast<int>(self.value.bits); },
          "Bits of one lane.")
      .def_prop_ro(
          "is_bool", [](const DType& self) { return self.value.code == kDLBool; },
          "Whether it is a truth value.")
      .def_prop_ro(
          "is_integer",
          [](const DType& self) { return self.value.code == kDLInt || self.value.code == kDLUInt; },
          "Whether it is an integer, with or without a sign.")
      .def_prop_ro("is_float", &IsFloat, "Whether it is a floating-point number of any format.")
      .def_prop_ro(
          "is_handle", [](const DType& self) { return self.value.code == kDLOpaqueHandle; },
          "Whether it is an opaque handle, or void.")
      .def_prop_ro("lanes", &LanesOf,
                   "Number of lanes: 1 for scalars, below zero for vectors of scalable length.")
      .def_prop_ro("itemsize", &ItemSize,
                   "Bytes of one element, all its lanes together, rounded up.")
      .def(
          "with_lanes",
          [](const DType& self, int64_t lanes) { return DType{WithLanes(self.value, lanes)}; },
          nb::arg("lanes"), nb::sig("def with_lanes(self, lanes: int) -> dtype"),
          "The same data type with another number of lanes.")
      .def("numpy", &ToNumpy, nb::sig("def numpy(self) -> typing.Any"),
           "The numpy.dtype. ml_dtypes provides those that numpy lacks, such as bfloat16.")
      .def_prop_ro("__numpy_dtype__", &ToNumpy, "For numpy from version 2.4 on.")
      .def_prop_ro("dtype", &ToNumpy, "For numpy before version 2.4.");
}

}  // namespace

void DefineDType(CoreModule& m) {
  CoreClass<DType> cls(m, "dtype", nb::is_final(),
                       "The type of the elements of an array.\n\n"
                       "Made from a name (\"float32\", \"float32x4\"), a numpy.dtype or a "
                       "torch.dtype; equal to its name.");
  cls.def(
         "__init__", [](DType* self, nb::handle dtype) { new (self) DType{DTypeFrom(dtype)}; },
         nb::arg("dtype").none(), nb::sig("def __init__(self, dtype: object) -> None"))
      .def("__str__", [](const DType& self) { return NameText(self.value); })
      .def("__repr__", [](const DType& self) { return "dtype('" + NameOf(self.value) + "')"; })
      .def("__eq__", &DTypeEqual, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const DType& self) { return nb::hash(NameText(self.value)); })
      .def(
          "__reduce__",
          [](nb::handle_t<DType> self) {
            return nb::make_tuple(self.type(),
                                  nb::make_tuple(NameText(nb::inst_ptr<DType>(self)->value)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  AddAttributes(cls);
}

}  // namespace tain::bindings
