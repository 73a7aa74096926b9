// SPDX-License-Identifier: Apache-2.0
// Defines the Python classes of Array, List, Map, Dict and Shape; see containers.h.
#include "containers/containers.h"

#include "base/bridge_lock.h"
#include "containers/class_parts.h"
#include "objects/class_table.h"
#include "values/container_access.h"
#include "values/host_equality.h"

namespace tain::bindings {
namespace {

/// The abstract base class with which a container's class is registered.
const char* AbstractName(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainList: return "MutableSequence";
    case kTainMap: return "Mapping";
    case kTainDict: return "MutableMapping";
    default: return "Sequence";
  }
}

}  // namespace

unsigned long ContainerTypeFlags(int32_t type_index) noexcept {
  if (!IsContainerIndex(type_index)) return 0;
  return IsAnySeq(type_index) ? Py_TPFLAGS_SEQUENCE : Py_TPFLAGS_MAPPING;
}

void AddContainerSlots(int32_t type_index, std::vector<PyType_Slot>* slots) {
  if (!IsContainerIndex(type_index)) return;
  auto* methods = new std::vector<PyMethodDef>();  // never freed, as classes are
  if (IsAnySeq(type_index)) {
    AddSeqMembers(slots, methods);
  } else {
    AddMapMembers(slots, methods);
  }
  if (type_index == kTainArray) AddBufferMembers(slots, methods);
  if (type_index == kTainList) AddListMembers(slots, methods);
  if (type_index == kTainDict) AddDictMembers(slots, methods);
  AddCopyMethods(methods);
  methods->push_back({nullptr, nullptr, 0, nullptr});
  SetSlots(slots, {Slot(Py_tp_methods, methods->data())});
  AddBuildSlots(type_index, slots);
}

void FinishContainerClass(int32_t type_index, PyTypeObject* type) {
  type->tp_vectorcall = kLocked<&ContainerVectorcall>;
  // The interpreter imports this module before any other code runs; collections.abc is its alias.
  nb::module_::import_("_collections_abc")
      .attr(AbstractName(type_index))
      .attr("register")(nb::handle(reinterpret_cast<PyObject*>(type)));
}

void InitContainers() {
  InitKeys();
  InitHostEquality();
}

}  // namespace tain::bindings
