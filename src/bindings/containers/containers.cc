// SPDX-License-Identifier: Apache-2.0
// Defines the Python classes of Array, List, Map, Dict and Shape; see containers.h.
#include "containers/containers.h"

#include "containers/buffer.h"
#include "containers/build.h"
#include "containers/compare.h"
#include "containers/copy.h"
#include "containers/keys.h"
#include "containers/list.h"
#include "containers/map.h"
#include "containers/seq.h"
#include "objects/class_table.h"
#include "values/container_access.h"
#include "values/host_equality.h"

namespace tain::bindings {
namespace {

/// The methods of a class; never freed, as classes are.
PyMethodDef* MethodsOf(int32_t type_index) {
  auto* methods = new std::vector<PyMethodDef>();
  if (IsAnySeq(type_index)) {
    AddSeqMethods(methods);
  } else {
    AddMapMethods(methods);
  }
  if (type_index == kTainArray) AddBufferMethods(methods);
  if (type_index == kTainList) AddListMethods(methods);
  if (type_index == kTainDict) AddDictMethods(methods);
  AddCopyMethods(methods);
  methods->push_back({nullptr, nullptr, 0, nullptr});
  return methods->data();
}

std::vector<PyType_Slot> SlotsOf(int32_t type_index) {
  std::vector<PyType_Slot> slots = {{Py_tp_methods, MethodsOf(type_index)}};
  if (IsAnySeq(type_index)) {
    slots.push_back(Slot(Py_tp_hash, &SeqHash));
    AddSeqSlots(&slots);
  } else {
    slots.push_back(Slot(Py_tp_hash, &MapHash));
    AddMapSlots(&slots);
  }
  if (type_index == kTainArray) AddBufferSlots(&slots);
  if (type_index == kTainList) AddListSlots(&slots);
  if (type_index == kTainDict) AddDictSlots(&slots);
  AddBuildSlots(type_index, &slots);
  return slots;
}

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
  for (const PyType_Slot& slot : SlotsOf(type_index)) SetSlot(slots, slot);
}

void FinishContainerClass(int32_t type_index, PyTypeObject* type) {
  type->tp_vectorcall = &ContainerVectorcall;
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
