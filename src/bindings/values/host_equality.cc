// SPDX-License-Identifier: Apache-2.0
// Equality and hash by Python's `__eq__` and `__hash__`, for the core; see host_equality.h.
//
// If the class of an object's wrapper has another `__eq__` or `__hash__` than the generated class,
// the object is compared or hashed by them. If an object has no wrapper, the class of its next
// wrapper counts.
#include "values/host_equality.h"

#include "base/recursion.h"
#include "base/state.h"
#include "base/with_gil.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "objects/override_sets.h"
#include "tain/internal/value_ops.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

int TraitsOfClass(PyTypeObject* type, PyTypeObject* generated) noexcept {
  if (type == generated || generated == nullptr) return 0;
  const Names& names = GetState().names;
  int traits = 0;
  if (_PyType_Lookup(type, names.eq) != _PyType_Lookup(generated, names.eq)) {
    traits |= internal::kHostEqual;
  }
  PyObject* found = _PyType_Lookup(type, names.hash);
  if (found != _PyType_Lookup(generated, names.hash)) {
    traits |= found == Py_None ? internal::kHostUnhashable : internal::kHostHash;
  }
  for (const auto& [name, trait] : {std::pair(names.s_equal, internal::kHostStructuralEqual),
                                    std::pair(names.s_hash, internal::kHostStructuralHash)}) {
    if (_PyType_Lookup(type, name) != _PyType_Lookup(generated, name)) traits |= trait;
  }
  return traits;
}

int EqualityTraits(TainObject* object, int* out) noexcept {
  return WithPython([&] {
    const Own wrapper = HoldWrapper(object);
    PyTypeObject* type = wrapper ? Py_TYPE(wrapper.get()) : ClassOf(object->type_index);
    if (type == nullptr) return SetCoreFromPython();
    const Own held = Own::Share(reinterpret_cast<PyObject*>(type));  // look-ups may run Python code
    *out = TraitsOfClass(type, GeneratedBase(type));
    UpdateOwnOverrideSet(type);
    return 0;
  });
}

int EqualByPython(const TainAny* a, const TainAny* b, int* out) noexcept {
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

int HashByPython(const TainAny* value, int64_t* out) noexcept {
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
  static constexpr internal::HostEquality host = {&EqualityTraits, &EqualByPython, &HashByPython};
  internal::SetHostEquality(&host);
}

}  // namespace tain::bindings
