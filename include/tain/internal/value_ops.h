// SPDX-License-Identifier: Apache-2.0
// Equality and hash of values, as Python's == and hash(), and of keys, as in Map and Dict.
//
// Numbers are compared by value, whatever their types; texts and containers by content. The type of
// an object defines how it is compared: by fields, by its own `__eq__` and `__hash__`, or by
// identity. If the Python class of an object overrides `__eq__` or `__hash__`, the override is
// used. Values may be nested to any depth and contain cycles, because the nesting uses no C stack.
// All functions throw any error of user code that they call.
#pragma once

#include "tain/internal/container_api.h"

namespace tain::internal {

TAIN_DLL bool ValueEqual(const TainAny& a, const TainAny& b);
/// Returns the hash of a value. Throws TypeError if the value or a part of it is unhashable,
/// RecursionError if it contains itself.
TAIN_DLL int64_t ValueHash(const TainAny& value);
/// Equality of two objects of one type by their fields, even if their Python class overrides it.
TAIN_DLL bool FieldsEqual(TainObject* a, TainObject* b);
TAIN_DLL int64_t FieldsHash(TainObject* object);

/// Returns the memory behind the last entry of a map in the small form, and for how many entries it
/// has room; null without room. MapExtend makes the first `count` entries there part of the map; the
/// keys must not be in the map and must differ.
TAIN_DLL MapItem* MapRoom(TainObject* map, uint64_t* room) noexcept;
TAIN_DLL void MapExtend(TainObject* map, uint64_t count) noexcept;
/// MapFind, MapTake and MapSet with Python's rule for numbers: if a number has no entry of its own
/// type, the entry of an int, bool or float of the same value is used.
TAIN_DLL const MapItem* MapFindSame(const TainObject* map, const TainAny& key);
TAIN_DLL bool MapTakeSame(TainObject* map, const TainAny& key, Any* value);
TAIN_DLL void MapSetSame(TainObject* map, Any key, Any value);
/// Replaces the value of a key by moving from `*value`. Returns false if there is no entry.
bool MapReplace(TainObject* map, const TainAny& key, Any* value);

/// Flags of the host class of an object: which functions it overrides.
enum HostEqualityTrait {
  kHostEqual = 1,            ///< it overrides ==
  kHostHash = 2,             ///< it overrides the hash
  kHostUnhashable = 4,       ///< it makes its objects unhashable
  kHostStructuralEqual = 8,  ///< it has `__s_equal__`
  kHostStructuralHash = 16   ///< it has `__s_hash__`
};

/// The comparison functions of the host. They are called from any thread, with no lock held.
struct HostEquality {
  /// Writes the HostEqualityTraits of the object's host class, or of the class that it would get.
  /// Returns 0 or -1.
  int (*traits)(TainObject* object, int* out);
  /// Writes whether the host considers two values equal. Returns 0 or -1.
  int (*equal)(const TainAny* a, const TainAny* b, int* out);
  int (*hash)(const TainAny* value, int64_t* out);
};

/// Installs the host's functions, which must stay valid until the process ends.
TAIN_DLL void SetHostEquality(const HostEquality* host) noexcept;
/// Sets `__any_hash__` and `__any_equal__` of a type, and of its derived types if `with_children`
/// is set, to functions that follow the rules of the type and of the host's classes. Existing
/// values stay.
TAIN_DLL void FillKeyColumns(int32_t type_index, bool with_children);
/// Sets the TainOverrideSet of the class that objects of a type get when the host first sees them;
/// kTainOverrideSetAsk if the host must be asked.
TAIN_DLL void SetClassOverrideSet(int32_t type_index, uint32_t set);

}  // namespace tain::internal
