// SPDX-License-Identifier: Apache-2.0
// Keys of Map and Dict: what Python gives, as the core looks it up.
#pragma once

#include "values/container_access.h"

namespace tain::bindings {

bool CheckHashableSlow(PyObject* key) noexcept;
/// Whether Python could use the object as a key; false with TypeError set. The core would take
/// anything, by identity.
inline bool CheckHashable(PyObject* key) noexcept {
  const PyTypeObject* type = Py_TYPE(key);
  return type == &PyUnicode_Type || type == &PyLong_Type || CheckHashableSlow(key);
}

/// A key to look up: text is not copied.
class LookupKey {
 public:
  LookupKey() noexcept = default;
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;
  ~LookupKey() {
    if (extra_.owned != nullptr) internal::DecRef(extra_.owned);
  }
  /// False with a Python error set.
  bool Read(PyObject* key) noexcept {
    if (!CheckHashable(key) || !FromPython(key, &view_, &extra_)) return false;
    view_ = internal::Referred(view_);
    return true;
  }
  const TainAny& view() const noexcept { return view_; }

 private:
  TainAny view_{};
  ArgExtra extra_{};
};

/// The value of a key: 1 if found, 0 if not, -1 with an error set. A number that is not there is
/// looked up as an int, bool and float of the same value.
int FindValue(TainObject* map, const TainAny& key, Any* value) noexcept;

/// dict(m) takes all keys and then looks up one after the other, as many loops do. So a walk over
/// the keys notes where it began, and a look-up tries the next entry in order before it searches.
void ExpectInOrder(const TainObject* map) noexcept;
/// The entry of a key (an int or ASCII text) if it is the expected one, or null.
const internal::MapItem* FindExpected(const TainObject* map, PyObject* key) noexcept;
/// Sets KeyError(key).
void SetKeyError(PyObject* key) noexcept;
/// Sets an entry; false with an error set. `is_new`: no number in the map equals the key.
bool SetEntry(TainObject* map, PyObject* key, PyObject* value, bool is_new = false) noexcept;

}  // namespace tain::bindings
