// SPDX-License-Identifier: Apache-2.0
// Keys of Map and Dict: converts Python objects to keys and looks them up.
#pragma once

#include "tain/internal/value_ops.h"
#include "values/container_access.h"

namespace tain::bindings {

class Conversion;

bool CheckHashableSlow(PyObject* key) noexcept;
/// Whether Python can hash the object; false with TypeError set. The core would compare any object
/// by identity.
inline bool CheckHashable(PyObject* key) noexcept {
  const PyTypeObject* type = Py_TYPE(key);
  return type == &PyUnicode_Type || type == &PyLong_Type || CheckHashableSlow(key);
}

/// A key for a look-up. Its text is not copied.
class LookupKey : internal::NotCopied {
 public:
  LookupKey() noexcept = default;
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

/// Looks up the value of a key: 1 if found, 0 if not, -1 with an error set. If a number is not
/// found, looks up an int, bool and float of the same value.
int FindValue(TainObject* map, const TainAny& key, Any* value) noexcept;

/// Tells that the next look-ups probably follow the order of the keys, as in dict(m). A look-up
/// then compares the next entry in order before it searches.
void ExpectInOrder(const TainObject* map) noexcept;
/// Returns the entry of a key (an int or ASCII text) if it is the expected entry, else null.
const internal::MapItem* FindExpected(const TainObject* map, PyObject* key) noexcept;
/// Sets KeyError(key).
void SetKeyError(PyObject* key) noexcept;
/// Moves an entry into a map, after its conversion to the declared types unless the map
/// `takes_anything`. `is_new`: the map has no key that is an equal number. May throw.
inline void StoreEntry(TainObject* map, Any& key, Any& value, bool is_new, bool takes_anything) {
  if (!takes_anything) StoreEntryAsDeclared(map, &key, &value);
  if (is_new) {
    internal::MapSet(map, std::move(key), std::move(value));
  } else {
    internal::MapSetSame(map, std::move(key), std::move(value));
  }
}
/// Sets an entry; false with an error set.
bool SetEntry(TainObject* map, PyObject* key, PyObject* value) noexcept;
/// The same for a map that the caller holds, in a conversion of more entries. `is_new` is as above.
bool SetEntryOfHeld(TainObject* map, PyObject* key, PyObject* value, bool is_new,
                    Conversion* conversion) noexcept;

}  // namespace tain::bindings
