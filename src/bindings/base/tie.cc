// SPDX-License-Identifier: Apache-2.0
// The tie between a C++ object and its Python mirror; see tie.h.
#include "base/tie.h"

namespace tain::bindings {

void SetTie(TainObject* object, PyObject* mirror) noexcept {
  const auto content = reinterpret_cast<uintptr_t>(mirror);
  if (TAIN_LIKELY(HasPrefix(object))) {
    std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie)
        .store(content, std::memory_order_release);
    return;
  }
  uintptr_t* word = TainForeignTie(object, mirror != nullptr ? 1 : 0);
  if (word == nullptr) return;  // without memory another mirror is made next time
  std::atomic_ref<uintptr_t>(*word).store(content, std::memory_order_release);
}

PyObject* LiveMirror(const TainObject* object) noexcept {
  return reinterpret_cast<PyObject*>(LoadTie(object) & ~uintptr_t{kTainTieMask});
}

PyTypeObject* GeneratedBase(PyTypeObject* type) noexcept {
  while (type != nullptr && type->tp_dealloc != &InstanceDealloc) type = type->tp_base;
  return type;
}

}  // namespace tain::bindings
