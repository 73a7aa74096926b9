// SPDX-License-Identifier: Apache-2.0
// The bridge's state: one struct, all of it guarded by the GIL and kept for the life of the
// process.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/py.h"

namespace tain::bindings {

struct ClassRecord;

/// A container made for a call, and the Python object it was made of; both borrowed from the call.
struct GivenSource {
  const TainObject* made;
  PyObject* source;
};

/// Everything the bridge remembers. An address of an object stands here no longer than the object
/// lives: it is held, or its holder takes it out before letting go.
struct State {
  // What lower parts of the bridge call of higher ones; set while tain._core is initialized.
  /// Makes and enters the class of a type index, parents first; null with an error set.
  ClassRecord* (*build_class)(int32_t type_index) noexcept = nullptr;
  /// Completes a new mirror of a Function, or one whose function is to be called in another way.
  void (*init_function)(PyObject* self) noexcept = nullptr;
  /// Frees closed cycles of C++ objects; the number of objects freed.
  int64_t (*collect_candidates)() noexcept = nullptr;

  PyTypeObject* object_type = nullptr;    ///< tain.Object
  PyTypeObject* function_type = nullptr;  ///< tain.Function
  PyTypeObject* method_type = nullptr;    ///< the method descriptor
  PyObject* error_class = nullptr;        ///< tain.Error
  PyObject* module = nullptr;             ///< tain._core as it was first imported
  PyObject* on_missing = nullptr;  ///< called with (kind, name) when a name is unknown, or null
  std::vector<TainObject*> candidates;  ///< objects that a cycle alone may keep; weak references
  size_t candidate_limit = 1024;        ///< the dead are dropped at this many
  bool full_collection = true;          ///< whether the one under way looks at all there is
  size_t partial_collections = 0;       ///< since the last full one
  size_t trial_size = 0;                ///< how many objects the last search for cycles looked at
  PyObject* gc_callbacks = nullptr;     ///< gc.callbacks, once there was something to look at
  PyObject* gc_callback = nullptr;      ///< what we put there
  PyObject* gc_probe = nullptr;         ///< an empty instance that the collector traverses
  int probe_visits = -1;             ///< in the collection under way; -1: gc.callbacks told of none
  bool will_watch = false;           ///< whether a call waits that sees to gc.callbacks
  std::vector<GivenSource> sources;  ///< what containers of calls under way were made of
  std::vector<const PyObject*> quiet;         ///< operands whose repr is not asked for
  std::vector<PyObject*> unfinished;          ///< instances whose __post_init__ is under way
  std::vector<const PyObject*> initializing;  ///< dataclasses in their __init__; held by its caller
  int64_t live_instances = 0;                 ///< instances tied to an object
  std::vector<ClassRecord*> classes;          ///< by type index; null until the class is made
  /// Generated and registered classes.
  std::unordered_map<PyTypeObject*, ClassRecord*> class_of_type;
  std::unordered_map<std::string, PyObject*> enums;          ///< enum classes by key
  std::unordered_map<std::string, PyObject*> error_classes;  ///< exception classes by kind
  std::unordered_map<std::string, std::string> adopted;  ///< namespace -> module that adopted it
};

/// Kept for ever: mirrors may die after static destructors ran.
union EternalState {
  EternalState() : state() {}
  ~EternalState() {}
  State state;
};
inline EternalState eternal_state;

inline State& GetState() noexcept { return eternal_state.state; }

}  // namespace tain::bindings
