// SPDX-License-Identifier: Apache-2.0
// The bridge's state: everything in src/bindings that changes, in one struct for each folder. This
// is the one of `base`; the others are in state.h of their folders and in objects/gc_state.h.
//
// Lifetime: they are made when tain._core is loaded and are never destroyed, because wrappers may
// die after static destructors ran. A member never stores the address of an object after the
// object's death: either it holds a reference, which stays as long, or the owner removes the address
// before it drops the object.
// Lock: the GIL, or what stands in its place (bridge_lock.h), guards every member, unless the
// comment of the member or its section says otherwise.
//
// Outside of them stand:
// - `stack_limit` (recursion.cc): each thread has its own, and every call reads it;
// - `seen` (gil.cc): each thread has its own, and it tells whether the thread holds the GIL;
// - `has_ended`, `of_main` (single_interpreter.cc): they are read before there may be a State;
// - `is_inside` (error_class.cc): each thread has its own, while it reads the fields of an exception;
// - `is_inside` (bridge_lock.h): each thread has its own, while it shares the lock;
// - those of NestedNotes (containers/compare.cc): each thread has its own, while it compares or hashes
//   containers;
// - `innermost` (objects/direct_call.h): each thread has its own calls;
// - `is_tracking` (objects/instance.cc): each thread has its own, while it hands over a wrapper, in debug builds;
// - `own_sources` (values/given.h): each thread has its own calls;
// - `no_protocols` (values/argument_protocols.cc): its words are read and written as atomics.
// tests/lint/test_state.py finds every other variable.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/py.h"

namespace tain::bindings {

struct ClassRecord;
struct ReleaseEntry;

/// Generated classes with methods that C++ calls (replaced_members.h).
struct ReplacedMembers {
  std::vector<ClassRecord*> watched;
#if PY_VERSION_HEX >= 0x030C0000
  int watcher = -1;  ///< its number in CPython
#else
  std::vector<const unsigned int*> tags;  ///< the version tags that change with them
  static constexpr unsigned int kNeverChanges = 1;
  const unsigned int* first_tag = &kNeverChanges;  ///< the first of them
  bool has_more_tags = false;
#endif
  bool is_stale = false;  ///< a class has changed since the set 0 was filled
};

/// Names that classes are asked for, as interned str.
struct Names {
  PyObject* asobject = nullptr;          ///< `asobject`, the older name of the next
  PyObject* convert = nullptr;           ///< `__tain_convert__`
  PyObject* dlpack = nullptr;            ///< `__dlpack__`
  PyObject* exchange_api = nullptr;      ///< `__dlpack_c_exchange_api__`
  PyObject* dataclass_params = nullptr;  ///< `__dataclass_params__`
  PyObject* eq = nullptr;                ///< `__eq__`
  PyObject* hash = nullptr;              ///< `__hash__`
  PyObject* init = nullptr;              ///< `__init__`
  PyObject* post_init = nullptr;         ///< `__post_init__`
  PyObject* replaced = nullptr;          ///< `_replaced_object`, see protocols.h
  PyObject* s_equal = nullptr;           ///< `__s_equal__`
  PyObject* s_hash = nullptr;            ///< `__s_hash__`
};

/// The state of the folder `base`: what all others need.
struct State {
  // Objects that are made while tain._core is initialized and are read only from then on.
  PyTypeObject* object_type = nullptr;    ///< tain.Object
  PyTypeObject* function_type = nullptr;  ///< tain.Function
  PyObject* error_class = nullptr;        ///< tain.Error
  PyObject* module = nullptr;             ///< the first module object of tain._core
  Names names;
  PyObject* lock = nullptr;  ///< the object whose mutex is the lock of the bridge; null with a GIL

  // Objects that are made when they are first needed.
  /// The descriptors of class attributes that are computed, by their `__get__` (protocols.h).
  std::unordered_map<PyMethodDef*, PyObject*> class_attributes;

  // Tables that grow with the registered types.
  ReplacedMembers replaced;
  std::unordered_map<std::string, PyObject*> error_classes;  ///< exception classes by kind
  /// Kinds without a class, with the text that says which kinds they are like; few.
  std::unordered_map<std::string, std::string> unknown_kinds;
  std::unordered_map<std::string, std::string> adopted;  ///< namespace -> module that adopted it
  PyObject* on_missing = nullptr;  ///< called with (kind, name) when a name is unknown, or null

  // Without a lock.
  std::atomic<int32_t> readers{0};  ///< threads that share the lock (BridgeReading)
#if PY_VERSION_HEX < 0x030C0000
  std::mutex entering_threads;  ///< held while CPython gets a state for a thread of C++ (gil.cc)
#endif
#ifdef Py_GIL_DISABLED
  PyMutex first_reader{};  ///< held by a reader while it takes the lock for all of them
  bool is_forked = false;  ///< whether fork() made this process; set before it has other threads
#endif
  std::atomic<ReleaseEntry*> released{nullptr};  ///< lock-free list (release_queue.h)
  /// The terminate handler before ours: set by the import, read by a thread that ends the process.
  std::terminate_handler previous_terminate = nullptr;
};

/// A variable that is never destroyed. Those of states are hidden, so that a member costs no more
/// than a static variable.
template <class T>
union Eternal {
  Eternal() : value() {}
  ~Eternal() {}
  T value;
};
inline TAIN_HIDDEN Eternal<State> base_state;

inline State& GetState() noexcept { return base_state.value; }

/// Returns the module that adopted a namespace; null if none did.
const std::string* AdoptedModule(std::string_view space);
/// Makes the names; throws nb::python_error.
void InitNames();

/// Defines the classes that tain._core defines when one of them is first used (api/module.cc); to be
/// called before C++ makes an object of one. Throws nb::python_error.
void DefineRestOfModule();

}  // namespace tain::bindings
