// SPDX-License-Identifier: Apache-2.0
// The refusal of what would take an object from under a call; see in_flight.h.
#include "in_flight.h"

#include "instance.h"

namespace tain::bindings {

bool CheckUnused(PyObject* instance, const char* what) noexcept {
  const TainObject* object = AsInstance(instance)->object;
  if (TAIN_LIKELY(object == nullptr || !InFlight::Uses(object))) return true;
  PyErr_Format(PyExc_TypeError,
               "%s.%s: the object is in use by a call that has not returned, or by a buffer",
               TypeName(instance), what);
  return false;
}

}  // namespace tain::bindings
