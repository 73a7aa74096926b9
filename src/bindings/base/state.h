// SPDX-License-Identifier: Apache-2.0
// The bridge's state: everything in src/bindings that changes, in one struct.
//
// Lifetime: State is made when tain._core is loaded and is never destroyed, because wrappers may
// die after static destructors ran. What a member holds stays as long, unless its comment says
// otherwise.
// Lock: the GIL guards every member, unless the comment of the member or its section says
// otherwise. On the day the GIL goes, this list is the plan.
//
// Outside of it stand:
// - `stack_limit` (recursion.cc): each thread has its own, and every call reads it;
// - `seen` (gil.cc): each thread has its own, and it tells whether the thread holds the GIL;
// - `has_ended` (single_interpreter.cc): it is read before there may be a State;
// - `is_inside` (error_class.cc): each thread has its own, while it reads the fields of an exception;
// - `depth_` and `known_` (containers/compare.cc): each thread has its own, while it compares or
//   hashes containers;
// - `innermost` (objects/direct_call.h): each thread has its own calls.
// tests/lint/test_state.py finds every other variable.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/py.h"

namespace tain::bindings {

class LastingUse;
class PicklePass;
struct ClassRecord;
struct EnumRecord;
struct ReleaseEntry;

/// A container that was made for a call, and the Python object from which it was made. Both are
/// borrowed from the call.
struct GivenSource {
  const TainObject* made;
  PyObject* source;
};

/// The objects in use by calls under way, once for each use (in_flight.h); borrowed from the calls.
struct UsedList {
  static constexpr size_t kFirstRoom = 64;

  const TainObject* first_room[kFirstRoom] = {};
  const TainObject** begin = first_room;  ///< null is stored there, before the first use
  const TainObject** end = first_room + 1;
  const TainObject** limit = first_room + kFirstRoom;
  size_t num_unlisted = 0;  ///< uses for which there was no memory
};

/// The class of one address, and what it or a class above it stands for (class_table.h).
struct ClassCacheEntry {
  PyTypeObject* type;
  ClassRecord* record;
};

/// The class to which a set of overrides belongs (override_sets.h).
struct OverrideSetOwner {
  PyTypeObject* type;  ///< borrowed until its weak reference dies; null if the set is free
  PyObject* weak;      ///< a weak reference to it, whose callback frees the set
  bool is_virtual;     ///< C++ calls methods of it
};

/// The sets of overrides and their classes. Entries live as long as their classes.
struct OverrideSetTable {
  static constexpr uint32_t kFirst = kTainOverrideSetAsk + 1;

  std::vector<OverrideSetOwner> owners;  ///< by index; empty until there is a set: it is large
  std::unordered_map<PyTypeObject*, uint32_t> index_of;
  std::array<std::pair<PyTypeObject*, uint32_t>, 64> recent{};  ///< before the map, by address
  uint32_t without_virtual = 0;  ///< how many sets belong to classes that only compare and hash
  uint32_t next = kFirst;        ///< where to look for a free one: the longest unused comes first
  PyObject* on_death = nullptr;  ///< the callback of the weak references, once there is one
};

/// When cycles of C++ objects are searched for next (gc_pace.h).
struct GcPace {
  int64_t base = 0;        ///< living objects after the last search, or fewer that lived since
  int64_t kept = 0;        ///< living objects that the last search visited in vain
  int32_t candidates = 0;  ///< since the objects were counted
  bool is_due = false;
  std::chrono::steady_clock::time_point counted;  ///< when that was
};

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

/// What a class puts before a member of its C++ type.
struct Override {
  PyObject* found;               ///< what stands on the class; null if it overrides nothing
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

/// What a place in C++ that names an enum (by an address that stays) was found to mean.
struct EnumCacheEntry {
  const char* key = nullptr;
  uint64_t generation = 0;  ///< of the registry when it was found
  const EnumRecord* record = nullptr;
};

/// The enums that have Python classes (enums.h).
struct EnumTable {
  std::unordered_map<std::string, const EnumRecord*> records;  ///< the newest of each key
  std::unordered_map<PyObject*, const TainEnumInfo*> info_of_class;
  std::array<EnumCacheEntry, 64> cache{};  ///< emptied when a class is entered
  PyObject* str_enum = nullptr;            ///< what enum.StrEnum is, before CPython 3.11
};

/// What names were found to mean (found_names.h). An owner is borrowed: it is held by its own dict, or
/// takes itself out when it dies.
struct FoundNames {
  std::unordered_map<PyObject*, PyObject*> dicts;  ///< owner -> dict of its names; owned
  uint64_t generation = 0;                         ///< of the registry, when they were found
  uint64_t changes = 0;                            ///< how often all names were forgotten
  PyTypeObject* library_type = nullptr;            ///< the class of the modules of libraries
  getattrofunc library_getattro = nullptr;         ///< its look-up, which keeps nothing
};

/// The types and enums whose keys begin with the key of another type (nested_classes.h).
struct NestedKeys {
  uint64_t generation = 0;  ///< of the registry, when the keys were listed
  std::unordered_map<std::string, std::vector<std::string>> of;  ///< by the key of the outer type
  PyTypeObject* type = nullptr;  ///< of the attributes that stand for nested classes
};

struct DeclaredType;  // values/declared.cc
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

/// Where the values of a call stand, by parameter, the receiver included, if it has keywords or
/// leaves parameters to their defaults. Remembered for each function, number of positional arguments
/// and tuple of names, which is a constant of the calling code (arguments.h).
struct KeywordOrder {
  static constexpr Py_ssize_t kMost = 16;
  static constexpr uint8_t kDefault = 255;  ///< nobody gave it: the default of the author's
  static constexpr int32_t kNone = -1;      ///< as count: such calls need more than an order

  const TainFunctionInfo* info = nullptr;
  Own names;                ///< owned, so that no other tuple gets its address; may be null
  Py_ssize_t num_args = 0;  ///< those by position
  int32_t count = 0;        ///< how many are in `source`; the callee completes the rest
  uint8_t source[kMost] = {};
};

/// The thread that signal handlers run on, as far as is known: in a forked child it is another one.
/// Read without the GIL; `process` is written last.
struct MainThread {
  std::atomic<unsigned long> ident{0};
  std::atomic<long> process{0};
};

struct ExchangeApi;

/// A class of arrays that are exchanged by DLPack's functions in C.
struct ArrayClass {
  PyTypeObject* type;      ///< owned
  const ExchangeApi* api;  ///< lives for ever; null if the class has none
  bool is_torch;           ///< torch.Tensor or a class derived from it
};

/// How the library of an array works on the device of the array.
struct ArrayWork {
  bool has_stream = false;  ///< whether the library tells it
  void* stream = nullptr;
  TainTensorAllocator allocator = nullptr;  ///< of new tensors; null if the library has none
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

/// The state of the bridge. It never stores the address of an object after the object's death:
/// either it holds a reference, or the owner removes the address before it drops the object.
struct State {
  // Hooks: what lower folders of the bridge call of higher ones. Set while tain._core is
  // initialized and read only from then on.
  /// Makes and registers the class of a type index, after those of its parents; null with an error
  /// set.
  ClassRecord* (*build_class)(int32_t type_index) noexcept = nullptr;
  /// Initializes a new wrapper of a Function, or updates one whose function changed.
  void (*init_function)(PyObject* self) noexcept = nullptr;
  /// Frees unreachable cycles of C++ objects; returns the number of freed objects.
  int64_t (*collect_candidates)() noexcept = nullptr;
  /// Fills the set of replaced methods again; null as long as no class is watched.
  void (*update_replaced)() noexcept = nullptr;
  /// Converts an array; see tensors/array_import.h.
  int (*tensor_from_array)(PyObject* object, bool typed, TainAny* out,
                           std::string* fault) noexcept = nullptr;
  /// Makes a Tensor for a parameter with `rules` (internal::TensorRules) of an array or a list, or
  /// with `explain` the text why there is none. Returns 1 if that is done, 0 if not, and -1 with an
  /// error set; see tensors/ruled_import.h.
  int (*tensor_for_rules)(PyObject* object, const void* rules, bool explain,
                          TainAny* out) noexcept = nullptr;
  /// Converts a Tensor to a numpy.ndarray that shares its memory. Takes over the reference.
  PyObject* (*tensor_to_numpy)(TainObject* tensor) noexcept = nullptr;
  /// Converts a Tensor to the array that it was made from, or to its wrapper. Takes over the
  /// reference.
  PyObject* (*tensor_to_python)(TainObject* tensor) noexcept = nullptr;
  /// Converts an argument of a call of a Python callable, a Tensor: by its name, or by its index if
  /// `name` is null. Borrows it.
  PyObject* (*tensor_argument)(PyObject* callable, int32_t index, PyObject* name,
                               TainObject* tensor) noexcept = nullptr;
  /// Ends the loan of a DLTensor that an argument of a Python callable viewed; -1 with an error set
  /// if an array of it is left.
  int (*end_tensor_view)(PyObject* wrapper) noexcept = nullptr;
  /// Makes the result of a call, a Tensor, one of the library whose array is the first tensor among
  /// the arguments; false with an error set.
  bool (*adopt_tensor)(const TainAny* args, int32_t num_args, TainAny* result) noexcept = nullptr;
  /// Asks the library of the array that a Tensor was made from how it works on the array's device;
  /// false with an error set.
  bool (*work_of_array)(TainObject* tensor, ArrayWork* out) noexcept = nullptr;

  /// Converts a borrowed value of a declared type: an Array may be a tuple there, an int a member of
  /// an enum. Null with an error set.
  PyObject* (*declared_to_python)(std::string_view type, const TainAny& value) noexcept = nullptr;
  /// Converts an object for a place of a declared type to a value that owns its data; false with an
  /// error set.
  bool (*declared_from_python)(std::string_view type, PyObject* object,
                               TainAny* out) noexcept = nullptr;

  // Objects that are made while tain._core is initialized and are read only from then on.
  PyTypeObject* object_type = nullptr;    ///< tain.Object
  PyTypeObject* function_type = nullptr;  ///< tain.Function
  PyTypeObject* method_type = nullptr;    ///< the method descriptor
  PyTypeObject* device_type = nullptr;    ///< tain.Device
  PyTypeObject* dtype_type = nullptr;     ///< tain.dtype
  PyObject* error_class = nullptr;        ///< tain.Error
  PyObject* module = nullptr;             ///< the first module object of tain._core
  Names names;

  // Objects that are made when they are first needed.
  PyTypeObject* iterator_type = nullptr;  ///< of containers (iter.cc)
  PyTypeObject* ndarray_type = nullptr;   ///< numpy.ndarray, if its layout is the known one
  void** numpy_functions = nullptr;       ///< the table of numpy's C API (numpy_make.cc)
  bool knows_ndarray = false;             ///< whether the layout was checked
  PyObject* void_pointer = nullptr;       ///< ctypes.c_void_p
  PyObject* class_fields = nullptr;       ///< `__dataclass_fields__` of generated classes
  PyObject* class_params = nullptr;       ///< `__dataclass_params__` of generated classes
  PyObject* class_signature = nullptr;    ///< `__signature__` of generated classes

  // Tables that grow with what is registered and used. The bridge enters a class once, in the
  // order in which it becomes complete: who takes the GIL's place guards them by one lock for
  // writers, and by the pointers of `classes` as atomic words for readers.
  std::vector<ClassRecord*> classes;  ///< by type index; null until the class is made
  /// Generated and registered classes.
  std::unordered_map<PyTypeObject*, ClassRecord*> class_of_type;
  EnumTable enums;
  NestedKeys nested;
  OverrideSetTable override_sets;
  ReplacedMembers replaced;
  std::unordered_map<std::string, PyObject*> error_classes;  ///< exception classes by kind
  /// Kinds without a class, with the text that says which kinds they are like; few.
  std::unordered_map<std::string, std::string> unknown_kinds;
  std::vector<ArrayClass> array_classes;  ///< classes of arrays; few, and never removed
  std::unordered_map<std::string, std::string> adopted;  ///< namespace -> module that adopted it
  std::unordered_map<uint32_t, PyObject*> dtype_names;   ///< names as str, by the type's bits
  PyObject* on_missing = nullptr;  ///< called with (kind, name) when a name is unknown, or null

  // Caches: any entry may be lost at any time. Without a GIL each thread would have its own.
  std::array<ClassCacheEntry, 256> class_cache{};
  std::array<NameCacheEntry, 256> override_names{};
  std::array<OverrideMemo, 256> override_memos{};
  ExpectedEntry expected_entry;
  std::array<KeywordOrder, 128> keyword_orders{};
  FoundNames found_names;

  // Calls under way. Entries live as long as their calls; without a GIL each thread would have its
  // own lists, and who takes an object away would ask all of them.
  UsedList used;
  LastingUse* lasting_uses = nullptr;         ///< the first one; each takes itself out
  std::vector<GivenSource> sources;           ///< the sources of containers of running calls
  std::vector<const PyObject*> quiet;         ///< operands whose repr messages do not contain
  std::vector<PyObject*> unfinished;          ///< wrappers whose __post_init__ is running
  std::vector<const PyObject*> initializing;  ///< dataclass objects in __init__; held by its caller
  /// Copies deeply, without Python if that is possible (graphs/deep_copy): returns null if it is
  /// not, or with `failed` and an error set. Null until the classes exist.
  PyObject* (*deep_copy)(PyObject* self, PyObject* memo, bool* failed) noexcept = nullptr;
  std::vector<PicklePass*> pickle_passes;  ///< that wait for what the pickler does; borrowed

  // Garbage collection. CPython collects in one thread while it holds the GIL, or stops the others.
  std::vector<TainObject*> candidates;  ///< objects that may be in garbage cycles; weak references
  size_t candidate_limit = 1024;        ///< at this size, dead objects are removed
  GcPace gc_pace;
  bool full_collection = true;       ///< whether the present collection is a full one
  size_t partial_collections = 0;    ///< since the last full one
  size_t trial_size = 0;             ///< how many objects the last search for cycles visited
  PyObject* gc_callbacks = nullptr;  ///< gc.callbacks; null until there is a candidate
  PyObject* gc_callback = nullptr;   ///< the callback that the bridge added to gc.callbacks
  PyObject* gc_probe = nullptr;      ///< an empty wrapper that the collector traverses
  int probe_visits = -1;         ///< visits in this collection; -1: gc.callbacks did not report it
  bool will_watch = false;       ///< whether a pending call will add the callback
  bool told_of_failure = false;  ///< whether it was reported that gc.callbacks cannot be used
  int64_t live_wrappers = 0;     ///< wrappers tied to an object
  traverseproc subtype_traverse = nullptr;  ///< what CPython gives to classes of class statements

  // Without the GIL.
  std::atomic<ReleaseEntry*> released{nullptr};  ///< lock-free list (release_queue.h)
  MainThread main_thread;
  /// The terminate handler before ours: set by the import, read by a thread that ends the process.
  std::terminate_handler previous_terminate = nullptr;
  DeclaredTable declared;
};

/// Never destroyed, because wrappers may die after static destructors have run.
union EternalState {
  EternalState() : state() {}
  ~EternalState() {}
  State state;
};
// Hidden, so that a member costs no more than a static variable.
extern TAIN_HIDDEN EternalState eternal_state;

inline State& GetState() noexcept { return eternal_state.state; }

/// Makes the names; throws nb::python_error.
void InitNames();

/// Defines the classes that tain._core defines when one of them is first used (api/module.cc); to be
/// called before C++ makes an object of one. Throws nb::python_error.
void DefineRestOfModule();

}  // namespace tain::bindings
