// SPDX-License-Identifier: Apache-2.0
// The bridge's state: one struct, all of it guarded by the GIL and kept for the life of the
// process.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "py.h"

namespace tain::bindings {

struct ClassRecord;

/// A container made for a call, and the Python object it was made of; both borrowed from the call.
struct GivenSource {
  const TainObject* made;
  PyObject* source;
};

/// Everything the bridge remembers.
struct State {
  PyTypeObject* object_type = nullptr;    ///< tain.Object
  PyTypeObject* function_type = nullptr;  ///< tain.Function
  PyTypeObject* method_type = nullptr;    ///< the method descriptor
  PyObject* error_class = nullptr;        ///< tain.Error
  PyObject* module = nullptr;             ///< tain._core as it was first imported
  PyObject* on_missing = nullptr;  ///< called with (kind, name) when a name is unknown, or null
  std::vector<TainObject*> candidates;  ///< objects that a cycle alone may keep; weak references
  size_t candidate_limit = 1024;        ///< the dead are dropped at this many
  int collecting_generation = 2;     ///< of the collection under way, as far as gc.callbacks said
  bool subscribed = false;           ///< whether gc.callbacks knows us
  bool will_subscribe = false;       ///< whether a pending call will see to that
  std::vector<GivenSource> sources;  ///< what containers of calls under way were made of
  const PyObject* quiet_operand = nullptr;    ///< whose repr is not asked for; compared only
  std::vector<const TainObject*> unfinished;  ///< those whose __post_init__ is under way
  int64_t live_instances = 0;                 ///< instances tied to an object
  std::vector<ClassRecord*> classes;          ///< by type index; null until the class is made
  std::unordered_map<PyTypeObject*, ClassRecord*>
      class_of_type;                                         ///< generated and registered classes
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
