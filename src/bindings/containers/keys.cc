// SPDX-License-Identifier: Apache-2.0
// Python objects as keys of Map and Dict: the core calls Python for their hash and equality.
//
// Each conversion of a Python object that the core treats as opaque makes a new opaque value or
// callback. Two of them are the same key if their Python objects are equal.
#include "containers/class_parts.h"

#include "base/opaque.h"
#include "base/with_gil.h"

namespace tain::bindings {
namespace {

/// Returns the Python object that a value of the core holds as a new reference; null if it holds
/// none.
Own PythonOf(const TainAny& value) noexcept {
  PyObject** slot = PythonSlotOf(value.v_obj);
  return slot == nullptr ? Own() : Own(Py_XNewRef(*slot));
}

/// C++ functions are compared by identity.
int HashKey(void*, const TainAny* args, int32_t, TainAny* result) noexcept {
  return WithPython([&] {
    result->type_index = kTainInt;
    result->v_uint64 = args[0].v_uint64;
    const Own object = PythonOf(args[0]);
    if (!object) return 0;
    const Py_hash_t hash = PyObject_Hash(object.get());
    if (hash == -1 && PyErr_Occurred()) {
      *result = TainAny{};
      return SetCoreFromPython();
    }
    result->v_int64 = hash;
    return 0;
  });
}

int EqualKeys(void*, const TainAny* args, int32_t, TainAny* result) noexcept {
  return WithPython([&] {
    const Own a = PythonOf(args[0]);
    const Own b = PythonOf(args[1]);
    int equal = args[0].v_obj == args[1].v_obj ? 1 : 0;
    if (a && b) equal = PyObject_RichCompareBool(a.get(), b.get(), Py_EQ);
    if (equal < 0) return SetCoreFromPython();
    result->type_index = kTainBool;
    result->v_int64 = equal;
    return 0;
  });
}

void RegisterKeyFunction(const char* name, TainSafeCall call) {
  TainAny value{};
  value.type_index = kTainFunction;
  if (TainFunctionCreate(nullptr, call, nullptr, &value.v_obj) != 0) ThrowFromCore();
  TainFunctionSetReleasesGil(value.v_obj, 0);
  const Any owned = Any::Steal(value);
  const TainByteArray text = internal::Bytes(name);
  for (const int32_t type_index : {kTainOpaquePyObject, kTainFunction}) {
    if (TainTypeRegisterAttr(type_index, &text, &owned.data()) != 0) ThrowFromCore();
  }
}

}  // namespace

void InitKeys() {
  RegisterKeyFunction("__any_hash__", &HashKey);
  RegisterKeyFunction("__any_equal__", &EqualKeys);
}

}  // namespace tain::bindings
