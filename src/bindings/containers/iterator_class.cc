// SPDX-License-Identifier: Apache-2.0
// The step of C++ iterators, without a call of `__next__` and an exception; see iter.h.
#include "containers/iter.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/release_queue.h"
#include "objects/instance.h"
#include "tain/iterator.h"
#include "values/declared.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Returns the next element; null without an error at the end.
PyObject* NextOfCppIterator(PyObject* self) {
  DrainReleased();
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    TainObject* object = ObjectOf(self);
    if (object == nullptr) return nullptr;
    const AnyView view(ObjectPtr<Object>(internal::RefAccess::Share<Object>(object)));
    const auto iterator = view.cast<ObjectPtr<IteratorObj>>();  // its class may have been assigned
    Any element;
    if (!iterator->Next(&element)) return nullptr;
    const TainAny raw = element.data();
    const std::string_view type = iterator->element_type();
    if (!type.empty() && DeclaresMore(type)) {
      return DeclaredToPython(type, element.Release());
    }
    return ViewToPython(&raw);
  });
}

}  // namespace

void AddIteratorSlots(PyTypeObject* type, const TainTypeRecord* record) noexcept {
  if (View(record->info->type_key) != IteratorObj::_type_key) return;
  type->tp_iter = &PyObject_SelfIter;
  type->tp_iternext = kLocked<&NextOfCppIterator>;
}

}  // namespace tain::bindings
