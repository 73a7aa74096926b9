// SPDX-License-Identifier: Apache-2.0
// Equality and hash of values as Python's == and hash() have them, and of keys as Map and Dict do.
//
// Values: numbers are compared by value whatever their types, texts and containers by content,
// objects as their type says: by fields, by its own `__eq__` and `__hash__`, or by identity; but if
// the Python class of an object overrides `__eq__` or `__hash__`, it is asked. Nesting may have any
// depth and may lead back to where it began: nothing here recurses on the C stack. All functions
// throw what code of others throws.
#pragma once

#include "tain/internal/container_api.h"

namespace tain::internal {

TAIN_DLL bool ValueEqual(const TainAny& a, const TainAny& b);
/// TypeError if the value, or something in it, is unhashable; RecursionError if it contains itself.
TAIN_DLL int64_t ValueHash(const TainAny& value);
/// The same for two objects of one type, by their fields, whatever the host says of the two.
TAIN_DLL bool FieldsEqual(TainObject* a, TainObject* b);
TAIN_DLL int64_t FieldsHash(TainObject* object);

/// As MapFind, MapTake and MapSet; but if the key is a number and there is no entry of its type,
/// one of an int, bool or float of the same value serves, as in Python.
TAIN_DLL const MapItem* MapFindSame(const TainObject* map, const TainAny& key);
TAIN_DLL bool MapTakeSame(TainObject* map, const TainAny& key, Any* value);
TAIN_DLL void MapSetSame(TainObject* map, Any key, Any value);
/// Replaces the value of a key, and takes the new one out of `value`; false if there is no entry.
bool MapReplace(TainObject* map, const TainAny& key, Any* value);

/// What the host's class of an object says about it.
enum HostEqualityTrait {
  kHostEqual = 1,      ///< it overrides ==
  kHostHash = 2,       ///< it overrides the hash
  kHostUnhashable = 4  ///< it takes the hash away
};

/// How the host compares. Called from any thread, with no lock held.
struct HostEquality {
  /// The traits of the object's class, or of the class that it would get; 0 or -1.
  int (*traits)(TainObject* object, int* out);
  /// Whether the host finds two values equal.
  int (*equal)(const TainAny* a, const TainAny* b, int* out);
  int (*hash)(const TainAny* value, int64_t* out);
};

/// Installs the host's functions, which live for ever.
TAIN_DLL void SetHostEquality(const HostEquality* host) noexcept;
/// Fills `__any_hash__` and `__any_equal__` of a type (and of those that derive from it) with
/// functions that follow what the type and the host's classes say; those that are set stay.
TAIN_DLL void FillKeyColumns(int32_t type_index, bool with_children);
/// Says which TainOverrideSet the class has that objects of a type get when the host first sees
/// them; kTainOverrideSetAsk if it must be asked.
TAIN_DLL void SetClassOverrideSet(int32_t type_index, uint32_t set);

}  // namespace tain::internal
