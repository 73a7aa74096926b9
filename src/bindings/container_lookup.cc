// SPDX-License-Identifier: Apache-2.0
// Keys of Map and Dict; see container_lookup.h.
#include "container_lookup.h"

namespace tain::bindings {

bool CheckHashableSlow(PyObject* key) noexcept {
  return PyObject_Hash(key) != -1 || !PyErr_Occurred();
}

int FindValue(TainObject* map, const TainAny& key, Any* value) noexcept {
  // The hash of an object can run any code, which may drop the map.
  const Held held = key.type_index >= kTainStaticObjectBegin ? Hold(map) : Held();
  return Guarded(-1, [&] {
    const internal::MapItem* item = internal::MapFind(map, key);
    if (item == nullptr) return 0;
    *value = Any(AnyView(item->value));
    return 1;
  });
}

void SetKeyError(PyObject* key) noexcept {
  const Own error(PyObject_CallOneArg(PyExc_KeyError, key));  // a tuple must not be unpacked
  if (error) PyErr_SetObject(PyExc_KeyError, error.get());
}

bool SetEntry(TainObject* map, PyObject* key, PyObject* value) noexcept {
  const Held held = Hold(map);
  Any new_key, new_value;
  if (!CheckHashable(key) || !AnyFromPython(key, &new_key)) return false;
  if (!AnyFromPython(value, &new_value)) return false;
  return Guarded(false, [&] {
    internal::MapSet(map, std::move(new_key), std::move(new_value));
    return true;
  });
}

}  // namespace tain::bindings
