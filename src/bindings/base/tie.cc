// SPDX-License-Identifier: Apache-2.0
// The tie between a C++ object and its wrapper; see tie.h.
#include "base/tie.h"

namespace tain::bindings {

void SetForeignTie(TainObject* object, PyObject* wrapper) noexcept {
  uintptr_t* word = TainForeignTie(object, wrapper != nullptr ? 1 : 0);
  if (word == nullptr) return;  // if there is no memory, the next fetch makes another wrapper
  std::atomic_ref<uintptr_t>(*word).store(reinterpret_cast<uintptr_t>(wrapper),
                                          std::memory_order_release);
}

PyObject* FindWrapper(const TainObject* object) noexcept {
  return reinterpret_cast<PyObject*>(LoadTie(object) & ~uintptr_t{kTainTieMask});
}

PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept {
  if (type == nullptr || type->tp_dealloc == &InstanceDealloc) return type;
  PyObject* mro = type->tp_mro;  // null while the class is made
  const Py_ssize_t count = mro == nullptr ? 0 : PyTuple_GET_SIZE(mro);
  for (Py_ssize_t i = 1; i < count; ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
    if (base->tp_dealloc == &InstanceDealloc) return base;
  }
  return LayoutBase(type);  // a metaclass may have left it out of the MRO
}

PyTypeObject* LayoutBase(PyTypeObject* type) noexcept {
  while (type != nullptr && type->tp_dealloc != &InstanceDealloc) type = type->tp_base;
  return type;
}

}  // namespace tain::bindings
