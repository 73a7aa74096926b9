// SPDX-License-Identifier: Apache-2.0
// The state of generated classes. See base/state.h for its lifetime and its lock.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/state.h"

namespace tain::bindings {

class PicklePass;

/// The types and enums whose keys begin with the key of another type (nested_classes.cc).
struct NestedKeys {
  uint64_t generation = 0;  ///< of the registry, when the keys were listed
  std::unordered_map<std::string, std::vector<std::string>> of;  ///< by the key of the outer type
  PyTypeObject* type = nullptr;  ///< of the attributes that stand for nested classes
};

/// The attribute that a class puts before a member of its C++ type.
struct Override {
  PyObject* found;               ///< the attribute of the class; null if it overrides nothing
  const TainFunctionInfo* info;  ///< of the member, which lives for ever; null if there is none
  bool is_property;              ///< whether the member is a field or property
  uint64_t enum_args;            ///< bit i is set if the member's argument i is an enum
};

/// An override, looked up once for each version of the class: `found` is borrowed, and with it gone
/// the class has another version.
struct OverrideMemo {
  PyTypeObject* type;
  PyObject* name;
  unsigned version;
  Override override_;
};

/// The str of a name that C++ calls overrides by; kept even when another takes its place.
struct NameCacheEntry {
  const char* data;
  PyObject* text;
};

/// Generated classes, their overrides and pickles.
struct ClassesState {
  NestedKeys nested;

  // Caches, as in objects/state.h.
  std::array<NameCacheEntry, 256> override_names{};
  std::array<OverrideMemo, 256> override_memos{};

  // Calls under way, as in objects/state.h.
  std::vector<PyObject*> unfinished;          ///< wrappers whose __post_init__ is running
  std::vector<const PyObject*> initializing;  ///< dataclass objects in __init__; held by its caller
  std::vector<PicklePass*> pickle_passes;     ///< that wait for what the pickler does; borrowed
};
inline TAIN_HIDDEN Eternal<ClassesState> classes_state;

inline ClassesState& GetClassesState() noexcept { return classes_state.value; }

}  // namespace tain::bindings
