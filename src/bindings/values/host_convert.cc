// SPDX-License-Identifier: Apache-2.0
// Converts opaque Python objects to the forms that C++ parameters ask for; see host_convert.h.
//
// If a class lacks a protocol, or its method raises TypeError, the object does not have the form,
// and the caller makes the error. Other exceptions of the method are passed on.
#include "values/host_convert.h"

#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/gil.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "base/recursion.h"
#include "base/state.h"
#include "base/with_gil.h"
#include "objects/enums.h"
#include "values/container_convert.h"
#include "values/device_dtype.h"
#include "values/from_python.h"
#include "values/given.h"
#include "values/numpy_loss.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

[[noreturn]] void Raise() { throw nb::python_error(); }

/// Returns a new object; invalid if making it raised TypeError.
nb::object UnlessTypeError(PyObject* made) {
  if (made == nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) Raise();
    PyErr_Clear();
  }
  return nb::steal(made);
}

bool StoreMade(const nb::object& made, TainAny* out) {
  if (!made.is_valid()) return false;
  if (!OwnedFromPython(made.ptr(), out)) Raise();
  return true;
}

bool StoreObject(TainObject* made, TainAny* out) {
  if (made == nullptr) Raise();
  *out = internal::ViewOfObject(made);
  return true;
}

bool HasMethod(PyObject* object, const char* name) {
  const nb::object key = Checked(PyUnicode_InternFromString(name));
  return _PyType_Lookup(Py_TYPE(object), key.ptr()) != nullptr;
}

bool IsInstance(PyObject* object, const nb::object& cls) {
  const int is_one = ParkIfEnded([&] { return PyObject_IsInstance(object, cls.ptr()); });
  if (is_one < 0) Raise();
  return is_one != 0;
}

bool AsInt(PyObject* object, TainAny* out) {
  return PyIndex_Check(object) && !HasMaskedValue(object) &&
         StoreMade(UnlessTypeError(PyNumber_Index(object)), out);
}

/// Stores a number of an unsigned enum, which the opaque object owns from then on.
bool AsLargeMember(TainObject* opaque, PyObject* object, TainAny* out) noexcept {
  Any* kept = DrainedSlotOf(opaque);
  if (kept == nullptr) return false;
  if (kept->type_index() != kTainBigInt) {
    TainAny number{};
    if (!OwnedFromPython(object, &number)) {
      PyErr_Clear();
      return false;
    }
    *kept = Any::Steal(number);
  }
  *out = kept->data();
  return true;
}

/// Returns a view of the value that a member stores. Runs no Python code.
bool AsMember(TainObject* opaque, PyObject* object, TainAny* out) noexcept {
  if (!IsEnumMember(object)) return false;
  *out = TainAny{};
  if (PyLong_Check(object)) {
    int overflow = 0;
    out->type_index = kTainInt;
    out->v_int64 = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0 || AsLargeMember(opaque, object, out);
  }
  Py_ssize_t size = 0;
  out->type_index = kTainRawStr;
  out->v_c_str = PyUnicode_AsUTF8AndSize(object, &size);
  if (out->v_c_str == nullptr) PyErr_Clear();
  return out->v_c_str != nullptr && std::strlen(out->v_c_str) == static_cast<size_t>(size);
}

bool AsEnum(PyObject* object, TainAny* out) noexcept {
  if (!IsEnumMember(object)) return false;
  *out = TainAny{};
  out->type_index = kTainOpaquePtr;
  out->v_ptr = const_cast<TainEnumInfo*>(  // it is never changed
      InfoOfEnumClass(reinterpret_cast<PyObject*>(Py_TYPE(object))));
  return true;
}

bool AsFloat(PyObject* object, TainAny* out) {
  const PyNumberMethods* methods = Py_TYPE(object)->tp_as_number;
  if (methods == nullptr || (methods->nb_float == nullptr && methods->nb_index == nullptr)) {
    return false;
  }
  if (PySequence_Check(object)) {  // an array is a number only if it has no dimensions
    if (PySequence_Size(object) >= 0) return false;
    UnlessTypeError(nullptr);
  }
  if (HasComplexType(object) || HasMaskedValue(object)) return false;
  return StoreMade(UnlessTypeError(PyNumber_Float(object)), out);
}

bool AsComplex(PyObject* object, TainAny* out) {
  if (!PyComplex_Check(object) && !HasMethod(object, "__complex__")) return false;
  if (HasMaskedValue(object)) return false;
  const Py_complex value = PyComplex_AsCComplex(object);
  if (value.real == -1.0 && PyErr_Occurred()) {
    UnlessTypeError(nullptr);
    return false;
  }
  return StoreMade(nb::make_tuple(value.real, value.imag), out);
}

/// Converts any iterable but text and mappings. An iterator is read once, and its elements are
/// stored.
bool AsSequence(TainObject* opaque, PyObject* object, bool sets, TainAny* out) {
  if (Py_TYPE(object)->tp_iter == nullptr && !PySequence_Check(object)) return false;
  if (PyType_Check(object) || IsEnumMember(object)) return false;
  if (!sets && PyAnySet_Check(object)) return false;
  Any* drained = DrainedSlotOf(opaque);
  if (drained != nullptr && drained->type_index() == kTainArray) {
    *out = Any(*drained).Release();
    return true;
  }
  if (IsInstance(object, nb::module_::import_("collections.abc").attr("Mapping"))) return false;
  const nb::object iterator = UnlessTypeError(PyObject_GetIter(object));
  if (!iterator.is_valid()) return false;
  StoreObject(SeqFromIterable(iterator.ptr(), kTainArray), out);
  if (drained != nullptr && PyIter_Check(object)) *drained = Any(AnyView(*out));
  return true;
}

bool AsMapping(PyObject* object, TainAny* out) {
  if (PyType_Check(object) || IsEnumMember(object) || !HasMethod(object, "keys") ||
      !HasMethod(object, "__getitem__")) {
    return false;
  }
  auto made = internal::RefAccess::Steal<Object>(internal::MapNew(kTainMap, 0));
  if (!UpdateMap(internal::RefAccess::Header(made), object)) Raise();
  return StoreObject(internal::RefAccess::Release(made), out);
}

bool AsPath(PyObject* object, TainAny* out) {
  return HasMethod(object, "__fspath__") && StoreMade(UnlessTypeError(PyOS_FSPath(object)), out);
}

bool AsMicroseconds(PyObject* object, TainAny* out) {
  const nb::object module = ImportedModule("datetime");
  if (!module.is_valid()) return false;
  const nb::object cls = module.attr("timedelta");
  if (!IsInstance(object, cls)) return false;
  const nb::object unit = cls.attr("resolution");
  return StoreMade(Checked(ParkIfEnded([&] { return PyNumber_FloorDivide(object, unit.ptr()); })),
                   out);
}

/// Converts numpy.dtype, torch.dtype and numpy's scalar classes, as tain.dtype does.
bool AsDataType(PyObject* object, TainAny* out) {
  const std::string_view name = TypeName(object);
  const bool likely = PyType_Check(object) || name.rfind("numpy.dtype", 0) == 0 ||
                      name == "numpy.dtypes" || name == "torch.dtype";
  if (!likely) return false;
  const nb::object cls = nb::module_::import_("tain._core").attr("dtype");
  const nb::object made =
      UnlessTypeError(ParkIfEnded([&] { return PyObject_CallOneArg(cls.ptr(), object); }));
  return made.is_valid() && DeviceOrDType(made.ptr(), out);
}

/// Only types that define `__bool__` have a truth value; that of others says whether they are empty.
bool AsTruth(PyObject* object, TainAny* out) {
  const PyNumberMethods* methods = Py_TYPE(object)->tp_as_number;
  if (methods == nullptr || methods->nb_bool == nullptr) return false;
  const int truth = ParkIfEnded([&] { return PyObject_IsTrue(object); });
  if (truth < 0) Raise();
  SetBool(truth != 0, out);
  return true;
}

bool AsTensor(PyObject* object, TainAny* out) {
  const int made = GetHooks().tensor_from_array(object, true, out, nullptr);
  if (made < 0) Raise();
  return made > 0;
}

/// Returns the text why an array cannot be a tensor; false if the object is no array.
bool AsTensorFault(PyObject* object, TainAny* out) {
  std::string fault;
  TainAny tensor{};
  const int made = GetHooks().tensor_from_array(object, true, &tensor, &fault);
  if (made < 0) Raise();
  if (made > 0) internal::DecRef(tensor.v_obj);
  if (fault.empty()) return false;
  internal::TextToAny(fault, out);
  return true;
}

/// Makes a Tensor for the rules of a parameter, or the text why there is none.
bool AsRuled(PyObject* object, const void* rules, bool explain, TainAny* out) {
  const int made = GetHooks().tensor_for_rules(object, rules, explain, out);
  if (made < 0) Raise();
  return made > 0;
}

PyObject* ComplexOf(const TainAny& parts) {
  return PyComplex_FromDoubles(internal::SeqAt(parts.v_obj, 0).v_float64,
                               internal::SeqAt(parts.v_obj, 1).v_float64);
}

/// Makes an enum's member of [TainEnumInfo*, value]; a value that no member has stays a value.
int MemberForCore(const TainAny& parts, TainAny* out, int* handled) {
  const auto* info = static_cast<const TainEnumInfo*>(internal::SeqAt(parts.v_obj, 0).v_ptr);
  nb::object plain = BorrowedToPython(internal::SeqAt(parts.v_obj, 1));
  const nb::object member = Checked(EnumMember(View(info->key), plain.release().ptr()));
  *handled = StoreObject(MakeOpaque(member.ptr()), out) ? 1 : 0;
  return 0;
}

/// Makes the opaque object of a value. A container that was made of a list or dict for the call that
/// is under way is that list or dict. What is lent for a call must not be kept: it has no object.
int ObjectForCore(const TainAny& value, TainAny* out, int* handled) {
  if (value.type_index == kTainDLTensorPtr || (!HoldsGil() && Finalizing())) return 0;
  return WithGil([&] {
    nb::object object;
    if (value.type_index >= kTainStaticObjectBegin) {
      object = nb::steal(SourceOfContainer(value.v_obj).release());
    }
    if (!object.is_valid()) object = BorrowedToPython(value);
    *out = TainAny{};
    *handled = object.is_none() || StoreObject(MakeOpaque(object.ptr()), out) ? 1 : 0;
    return 0;
  });
}

/// Does the same as os.fsencode, for a text in UTF-8.
PyObject* PathBytes(const TainAny& text) {
  return PyUnicode_AsEncodedString(BorrowedToPython(text).ptr(), "utf-8", "surrogateescape");
}

bool ConvertByForm(TainObject* opaque, PyObject* object, int32_t form, TainAny* out) {
  switch (form) {
    case kTainHostInt: return AsInt(object, out);
    case kTainHostFloat: return AsFloat(object, out);
    case kTainHostComplex: return AsComplex(object, out);
    case kTainHostSequence: return AsSequence(opaque, object, false, out);
    case kTainHostCollection: return AsSequence(opaque, object, true, out);
    case kTainHostMapping: return AsMapping(object, out);
    case kTainHostPath: return AsPath(object, out);
    case kTainHostMicroseconds: return AsMicroseconds(object, out);
    case kTainHostDataType: return AsDataType(object, out);
    case kTainHostMember: return AsMember(opaque, object, out);
    case kTainHostEnum: return AsEnum(object, out);
    case kTainHostTensor: return AsTensor(object, out);
    case kTainHostTensorFault: return AsTensorFault(object, out);
    case kTainHostTruth: return AsTruth(object, out);
    case kTainHostValue:
      if (!OwnedFromPythonForAny(object, out)) Raise();
      return true;
    default: return false;
  }
}

/// Returns the array that a Tensor was made from, else its tain.Tensor.
PyObject* ArrayOrTensor(TainObject* tensor) noexcept {
  internal::IncRef(tensor);
  return GetHooks().tensor_to_python(tensor);
}

/// ConvertForCore for the forms that have rules, which *out holds.
int RuledForCore(TainObject* object, int32_t form, TainAny* out, int* handled) {
  const void* rules = std::exchange(*out, TainAny{}).v_ptr;
  if (!HoldsGil() && Finalizing()) return 0;
  return WithGil([&] {
    const TainAny value = internal::ViewOfObject(object);
    const Own held(ViewToPython(&value));
    if (!held) Raise();
    *handled = AsRuled(held.get(), rules, form == kTainHostRuledFault, out) ? 1 : 0;
    return 0;
  });
}

}  // namespace

int ConvertForCore(TainObject* object, int32_t form, TainAny* out, int* handled) {
  *handled = 0;
  if (form == kTainHostRuled || form == kTainHostRuledFault) {
    return RuledForCore(object, form, out, handled);
  }
  const bool is_tensor = object->type_index == kTainTensor;
  PyObject** slot = PythonSlotOf(object);
  if ((slot == nullptr && !is_tensor) || (!HoldsGil() && Finalizing())) return 0;
  return WithGil([&] {
    if (!is_tensor && *slot == nullptr) return 0;
    const Own held = is_tensor ? Own(ArrayOrTensor(object)) : Own::Share(*slot);
    if (!held) Raise();
    *handled = ConvertByForm(object, held.get(), form, out) ? 1 : 0;
    return 0;
  });
}

int MakeForCore(const TainAny* parts, int32_t form, TainAny* out, int* handled) {
  *handled = 0;
  if (form == kTainHostEnum) {
    if (!HoldsGil() && Finalizing()) return 0;
    return WithGil([&] { return MemberForCore(*parts, out, handled); });
  }
  if (form == kTainHostObject) return ObjectForCore(*parts, out, handled);
  if (form != kTainHostComplex && form != kTainHostPath) return 0;
  return WithGil([&] {
    const nb::object made = Checked(form == kTainHostPath ? PathBytes(*parts) : ComplexOf(*parts));
    *handled = StoreMade(made, out) ? 1 : 0;
    return 0;
  });
}

int ConvertByProtocol(PyObject* object, TainAny* out) noexcept {
  const Names& names = GetState().names;
  PyTypeObject* type = Py_TYPE(object);
  PyObject* name = names.convert;
  if (_PyType_Lookup(type, name) == nullptr) {
    name = names.asobject;
    if (_PyType_Lookup(type, name) == nullptr) return 0;
  }
  const Recursion level(" in __tain_convert__");
  if (!level) return -1;
  int code = -1;
  if (const Own value{PyObject_CallMethodNoArgs(object, name)}) {
    if (value.get() == object || value.get() == Py_NotImplemented) {
      PyErr_Format(PyExc_TypeError, "%s.%U(): expected the value to pass instead, got %s",
                   type->tp_name, name,
                   value.get() == object ? "the object itself" : "NotImplemented");
    } else {
      code = OwnedFromPython(value.get(), out) ? 1 : -1;
    }
  }
  return code;
}

}  // namespace tain::bindings
