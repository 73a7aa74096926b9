// SPDX-License-Identifier: Apache-2.0
// The state of conversions of values. See base/state.h for its lifetime and its lock.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/state.h"

namespace tain::bindings {

struct DeclaredType;       // values/declared.cc
struct ArgumentProtocols;  // values/argument_protocols.cc

/// A container that was made for a call, and the Python object from which it was made. Both are
/// borrowed from the call.
struct GivenSource {
  const TainObject* made;
  PyObject* source;
#ifdef Py_GIL_DISABLED
  uintptr_t thread;  ///< that of the call (CPython's number)
#endif
};

/// A declared type that containers remember.
struct NumberedType {
  const DeclaredType* type;
  uint32_t of_copies;  ///< the number that a new container of the same elements gets
};

struct DeclaredCacheEntry {
  const std::string* text = nullptr;  ///< a key of DeclaredTable::types
  uint64_t generation = 0;            ///< of the registry when it was found
  const DeclaredType* type = nullptr;
};

/// Type expressions that say more than their values (values/declared.h).
struct DeclaredTable {
  std::unordered_map<std::string, const DeclaredType*> types;
  std::vector<NumberedType> numbered;  ///< those of containers, by their number - 1
  bool is_used = false;                ///< whether there are any of containers
  std::array<DeclaredCacheEntry, 64> cache{};
};

/// Where the next look-up in a map is expected (container_lookup.h). The map is only compared: a
/// position that is wrong for it is no entry, or one with another key.
struct ExpectedEntry {
  const TainObject* map = nullptr;
  uint64_t position = 0;
};

/// Conversions of values.
struct ValuesState {
  PyTypeObject* device_type = nullptr;   ///< tain.Device
  PyTypeObject* dtype_type = nullptr;    ///< tain.dtype
  PyTypeObject* ndarray_type = nullptr;  ///< numpy.ndarray, if its layout is the known one
  PyObject* void_pointer = nullptr;      ///< ctypes.c_void_p
  std::unordered_map<uint32_t, PyObject*> dtype_names;  ///< names as str, by the type's bits
  ExpectedEntry expected_entry;                         ///< a cache
  DeclaredTable declared;
  std::atomic<const ArgumentProtocols*> protocols{nullptr};  ///< what a package has set

  // Calls under way, as in objects/state.h.
#ifdef Py_GIL_DISABLED
  std::mutex sources_lock;  ///< guards `sources`; calls use it without the lock of the bridge
#endif
  std::vector<GivenSource> sources;    ///< the sources of containers of running calls
  std::vector<const PyObject*> quiet;  ///< operands whose repr messages do not contain
};
inline TAIN_HIDDEN Eternal<ValuesState> values_state;

inline ValuesState& GetValuesState() noexcept { return values_state.value; }

}  // namespace tain::bindings
