// SPDX-License-Identifier: Apache-2.0
// Equality and hash as Python has them, for the core; see host_equality.h.
//
// An object compares by the `__eq__` and hashes by the `__hash__` of its mirror's class if that is
// not what the generated class has. An object that has no mirror goes by the class that it would
// get.
#include "values/host_equality.h"

#include "base/recursion.h"
#include "base/with_gil.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "objects/override_sets.h"
#include "tain/internal/value_ops.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// A name as an interned str that is kept for ever; null with an error set.
PyObject* Interned(const char* text) noexcept { return PyUnicode_InternFromString(text); }

int TraitsOfClass(PyTypeObject* type, PyTypeObject* generated) noexcept {
  static PyObject* const eq = Interned("__eq__");
  static PyObject* const hash = Interned("__hash__");
  if (type == generated || generated == nullptr || eq == nullptr || hash == nullptr) return 0;
  int traits = 0;
  if (_PyType_Lookup(type, eq) != _PyType_Lookup(generated, eq)) traits |= internal::kHostEqual;
  PyObject* found = _PyType_Lookup(type, hash);
  if (found != _PyType_Lookup(generated, hash)) {
    traits |= found == Py_None ? internal::kHostUnhashable : internal::kHostHash;
  }
  return traits;
}

int Traits(TainObject* object, int* out) noexcept {
  return WithPython([&] {
    PyObject* mirror = LiveMirror(object);
    PyTypeObject* type = mirror == nullptr ? ClassOf(object->type_index) : Py_TYPE(mirror);
    if (type == nullptr) return SetCoreFromPython();
    const Own held = Own::Share(reinterpret_cast<PyObject*>(type));  // looking up may run Python
    *out = TraitsOfClass(type, GeneratedBase(type));
    UpdateOwnOverrideSet(type);
    return 0;
  });
}

int Equal(const TainAny* a, const TainAny* b, int* out) noexcept {
  return WithPython([&] {
    const Own left(ViewToPython(a));
    const Own right(left ? ViewToPython(b) : nullptr);
    const Recursion level(" in comparison");
    const int equal =
        right && level ? PyObject_RichCompareBool(left.get(), right.get(), Py_EQ) : -1;
    *out = equal;
    return equal < 0 ? SetCoreFromPython() : 0;
  });
}

int Hash(const TainAny* value, int64_t* out) noexcept {
  return WithPython([&] {
    const Own object(ViewToPython(value));
    const Recursion level(" in hash()");
    const Py_hash_t hash = object && level ? PyObject_Hash(object.get()) : -1;
    *out = hash;
    return hash == -1 ? SetCoreFromPython() : 0;
  });
}

}  // namespace

void FollowSubclasses(int32_t type_index) { internal::FillKeyColumns(type_index, false); }

void FollowClass(int32_t type_index, PyTypeObject* type) {
  internal::FillKeyColumns(type_index, true);
  const bool is_generated = type->tp_dealloc == &InstanceDealloc;
  internal::SetClassOverrideSet(type_index, is_generated ? 0 : OverrideSetOf(type));
}

void InitHostEquality() {
  static const internal::HostEquality host = {&Traits, &Equal, &Hash};
  internal::SetHostEquality(&host);
}

}  // namespace tain::bindings
