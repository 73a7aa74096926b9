// SPDX-License-Identifier: Apache-2.0
// tain's own half of the binary contract, part one: objects and the host language.
//
// The prefix before an object holds the tie, the word that leads to the object's wrapper in the
// host language. A host is the table of hooks that this language gives to libtain. This file also
// covers objects of other libraries, which have no prefix, and errors and values. Types and
// functions are in c_api_registry.h.
#pragma once

#include "tain/c_api.h"

// A cast between pointers, of which neither C nor a warning of C++ complains.
#ifdef __cplusplus
#define TAIN_INTERNAL_CAST(type, value) reinterpret_cast<type>(value)
extern "C" {
#else
#define TAIN_INTERNAL_CAST(type, value) ((type)(value))
#endif

// ---------------------------------------------------------------- tain: memory and ties

/// The version of the layout of the prefix, the header's reserved word and Function's private
/// words.
#define TAIN_LAYOUT_VERSION 5

/// Bits of TainObject::reserved. A polymorphic C++ type has words (its vtable pointer, mixins)
/// before the header: the block's body starts `(reserved >> kTainHeaderOffsetShift) * 8` bytes
/// before the header, and the prefix ends there.
/// kTainHeaderCandidate means that the host's collector holds a weak reference. The twelve bits
/// from kTainHeaderSetShift on are the index of the TainOverrideSet of the live wrapper's class; 0
/// means that the class overrides nothing. Both are written under the host's lock.
enum {
  kTainHeaderHasPrefix = 1,
  kTainHeaderCandidate = 2,
  kTainHeaderSetShift = 2,
  kTainHeaderOffsetShift = 14
};

/// The 16 bytes before the body of an object made by tain.
typedef struct {
  uintptr_t tie;  ///< the live wrapper in the host language, with flags in its low bits; atomic
  void (*delete_space)(void* body);  ///< frees the block that holds prefix and body
} TainObjectPrefix;

enum {
  kTainTieOwnsWrapper = 1,  ///< the object owns a reference to its wrapper
  kTainTieLock = 4,         ///< the lock of the tie in free-threaded builds
  kTainTieMask = 7
};

/// The virtual methods that a class of the host overrides; calls from C++ read it without a lock.
typedef struct {
  const uint32_t* version;  ///< a word of the host that changes with the class; atomic
  uint32_t expected;        ///< the *version for which `names` is valid; 0: ask the host; atomic
  /// Bit h is set if the class overrides a method whose name has the hash h: the lowest 8 bits of
  /// FNV-1a (32 bits) of its UTF-8. Atomic.
  uint64_t names[4];
} TainOverrideSet;

enum { kTainOverrideSetCount = 4096, kTainOverrideSetAsk = 1 };
/// The override sets, which the host writes. Set 0 has the methods that were replaced in a class of
/// the host that stands for a C++ type itself. Classes without a set of their own share the set
/// kTainOverrideSetAsk.
TAIN_DLL extern TainOverrideSet TainOverrideSets[kTainOverrideSetCount];
/// A call of a virtual method looks at the override set of an object if its TainObject::reserved has
/// one of these bits: those of the set's index, and kTainHeaderHasPrefix as long as set 0 has
/// methods. The host writes it.
TAIN_DLL extern uint32_t TainOverrideMask;
enum { kTainOverrideMaskOfSets = (4096 - 1) << kTainHeaderSetShift };

/// Allocates memory for an object of `size` bytes, with a prefix before it, and counts it as one
/// live object of `type_index`. Returns null if there is no memory. Does not write the header.
TAIN_DLL void* TainObjectAlloc(size_t size, size_t alignment, int32_t type_index) TAIN_NOEXCEPT;
/// Frees memory from TainObjectAlloc after the object's constructor has thrown.
TAIN_DLL void TainObjectAbandon(void* body, int32_t type_index) TAIN_NOEXCEPT;
/// The common part of all deleters of tain objects: releases a wrapper that the object owns, limits
/// the depth of nested destructors, calls `destroy` unless it is null, and frees the memory.
TAIN_DLL void TainObjectDelete(void* self, int flags, void (*destroy)(void* self)) TAIN_NOEXCEPT;

/// Returns the reserved word of an object's header, for the bits that stay as they were made. Other bits
/// may change while other threads read it, which only ThreadSanitizer must be told: a load of a word
/// that the compiler may not merge with others costs time.
static inline uint32_t TainObjectWordOf(const TainObject* object) TAIN_NOEXCEPT {
#if defined(__SANITIZE_THREAD__)
  return __atomic_load_n(&object->reserved, __ATOMIC_RELAXED);
#else
  return object->reserved;
#endif
}
/// Returns the start of the body of an object that has a prefix.
static inline char* TainObjectBodyOf(const TainObject* object) TAIN_NOEXCEPT {
  const size_t words = TainObjectWordOf(object) >> kTainHeaderOffsetShift;
  return TAIN_INTERNAL_CAST(char*, TAIN_INTERNAL_CAST(uintptr_t, object)) - words * 8;
}
/// Returns the prefix of an object; the object must have kTainHeaderHasPrefix.
static inline TainObjectPrefix* TainObjectPrefixOf(const TainObject* object) TAIN_NOEXCEPT {
  return TAIN_INTERNAL_CAST(TainObjectPrefix*, TainObjectBodyOf(object)) - 1;
}

/// The part that follows the header and the DLTensor of a Tensor that has a prefix.
typedef struct TainTensorTail {
  uint64_t flags;  ///< bits of DLPACK_FLAG_BITMASK_*, and kTainTensorIsView, kTainTensorExpired
  void* owner;     ///< the object that keeps the memory alive; null for a view of memory of others
  void* array;     ///< the host's array that the tensor was made from, or null
  /// Drops owner and array; called once when the tensor dies, by any thread; may be null.
  void (*release)(struct TainTensorTail* self);
} TainTensorTail;

/// Bits of TainTensorTail::flags beside those of DLPack: the memory is lent for the length of a
/// call (a view of such a tensor has it as its owner); the call has returned.
enum { kTainTensorIsView = 1 << 16, kTainTensorExpired = 1 << 17 };

/// Makes a string of the host. Returns null with an error of the host set.
typedef void* (*TainTakeText)(const char* data, size_t size);

/// An offer to convert a text result to a string of the host without a String in between. The
/// caller writes the offer into the result slot: type index None, kTainTextOffer in the padding and
/// a TainTakeText in the payload. A callee that has characters may call the TainTakeText as its
/// last action, put the returned pointer into the payload and kTainTakenText into the type index.
/// Every other callee overwrites the offer with its result. The caller holds the host's lock during
/// the call, and clears an offer that is still there afterwards.
enum { kTainTextOffer = 0x6f747874, kTainTakenText = -4 };

/// A request in the padding of the result slot, whose type index is None: a callable of the host is
/// to return its result as an opaque host object. Other callees overwrite it.
enum { kTainObjectRequest = 0x6f626a72 };

/// The forms that a C++ parameter can ask for if the value crosses as an opaque host object.
typedef enum {
  kTainHostInt,           ///< an int, if the value converts to one by protocol
  kTainHostFloat,         ///< a float, if the value converts to one
  kTainHostComplex,       ///< an Array of the real and the imaginary part
  kTainHostSequence,      ///< an Array of the elements of an iterable that is no mapping and no set
  kTainHostCollection,    ///< as kTainHostSequence, but also for sets
  kTainHostMapping,       ///< a Map of the entries of a mapping
  kTainHostPath,          ///< the string or bytes of a path
  kTainHostMicroseconds,  ///< the length of a time span as an int
  kTainHostDataType,      ///< a data type
  kTainHostMember,        ///< for an enum member: its int, or its text (kTainRawStr); not owned
  kTainHostEnum,    ///< for an enum member: its TainEnumInfo (kTainOpaquePtr); made of an Array
                    ///< of that and a value
  kTainHostTensor,  ///< a Tensor that shares the memory of an array
  kTainHostTensorFault,  ///< the text why an array cannot be a Tensor
  kTainHostRuled,        ///< a Tensor of an array, or of what an array is made of, for a parameter:
                         ///< the caller writes the address of its TensorRules to *out
  kTainHostRuledFault,   ///< the text why there is no such Tensor
  kTainHostTruth = 32,   ///< a bool: the truth value, if the type of the value defines one
  kTainHostObject = 48,  ///< an opaque host object; made of any value
  kTainHostValue = 49    ///< the value that the object is where any value is declared
} TainHostForm;

/// The hooks of a host language. They are called from any thread, with no lock held.
typedef struct {
  /// Called after an object that owned its wrapper has lost its last reference. The object has been
  /// revived with one strong reference, which now belongs to the wrapper. kTainTieOwnsWrapper is
  /// cleared, and the host must drop the reference that the object had to its wrapper.
  void (*release_wrapper)(void* wrapper);
  /// Calls method `name` of the wrapper's class. Sets *handled to 0 if the class does not override
  /// it.
  int (*call_override)(TainObject* object, const TainByteArray* name, const TainAny* args,
                       int32_t num_args, TainAny* result, int* handled);
  /// Runs pending signal handlers. Returns -1 if one of them raised, else 0.
  int (*check_signals)(void);
  /// Writes the text of an opaque host object, for messages and repr, as an owned string value.
  int (*repr_opaque)(TainObject* object, TainAny* out);
  /// Copies an object whose wrapper's class is written in the host language. Sets *handled to 0 if
  /// the class is not.
  int (*copy_wrapped)(TainObject* object, TainObject** out, int* handled);
  /// Describes an object for messages. For an object of a built-in type it writes the class name
  /// and a short text of the host's value that it was made from (string values; the text may stay
  /// None). For other objects it writes the name of the wrapper's class if that is written in the
  /// host language. Sets *handled to 0 if the host knows nothing more about the object.
  int (*describe)(TainObject* object, TainAny* type, TainAny* text, int* handled);
  /// Converts an opaque host object, or a Function, to a TainHostForm. Sets *handled to 0 if it has
  /// no such form. The forms of an enum member run no user code, cannot fail, and are borrowed from
  /// the member; the caller owns the result of all other forms.
  int (*convert_opaque)(TainObject* object, int32_t form, TainAny* out, int* handled);
  /// Makes a value of the host language from the parts that convert_opaque returns for the form.
  /// Sets *handled to 0 if the host cannot make one.
  int (*make_opaque)(const TainAny* parts, int32_t form, TainAny* out, int* handled);
  /// Calls `visit(object, context)` for each object that a running call uses, the latest call
  /// first, until `visit` returns non-zero. The host's lock is held meanwhile.
  void (*visit_in_use)(int (*visit)(TainObject* object, void* context), void* context);
  /// Calls `run(context)`; if this thread holds the host's lock, it is released meanwhile. For waits
  /// on a lock under which other threads may run code of the host.
  void (*run_unlocked)(void (*run)(void* context), void* context);
  /// Releases the host's lock if this thread holds it. Returns what restore_lock takes; null if
  /// nothing was released.
  void* (*release_lock)(void);
  void (*restore_lock)(void* released);
  /// Takes the host's lock, also if this thread holds it already. Returns what drop_lock takes; null
  /// if the host is shutting down.
  void* (*take_lock)(void);
  void (*drop_lock)(void* taken);
  /// Whether this thread holds the lock while the host shuts down, so that other threads never get
  /// it again.
  int (*is_ending)(void);
  /// Issues a warning of a class of the host that `category` names. Returns -1 with an error raised
  /// if there is no such class, or if the warning becomes an error, else 0.
  int (*warn)(const TainByteArray* category, const TainByteArray* text);
  /// Takes this thread's raised error, which no code can handle, and reports it. `where` names the
  /// function that failed.
  void (*write_unraisable)(const TainByteArray* where);
} TainHost;

/// Installs the host. Installing a second, different host is an error.
TAIN_DLL int TainSetHost(const TainHost* host) TAIN_NOEXCEPT;
/// Returns the installed host, or null.
TAIN_DLL const TainHost* TainGetHost(void) TAIN_NOEXCEPT;
/// Calls the override of a virtual method. Sets *handled to 0 if the wrapper's class does not
/// override `name`.
TAIN_DLL int TainCallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                              int32_t num_args, TainAny* result, int* handled) TAIN_NOEXCEPT;
/// Lets the host run pending signal handlers, at most every 10 ms. Returns 0, or -1 with the error
/// of a handler raised.
TAIN_DLL int TainCheckSignals(void) TAIN_NOEXCEPT;
/// Lets the host issue a warning; without a host it is written to stderr. Returns 0, or -1 with an
/// error raised.
TAIN_DLL int TainWarn(const TainByteArray* category, const TainByteArray* text) TAIN_NOEXCEPT;
/// Makes a shallow copy. The copy of an object of a host-language subclass keeps class and state;
/// for other objects the C++ copy constructor runs.
TAIN_DLL int TainObjectCopy(TainObject* object, TainObject** out) TAIN_NOEXCEPT;
/// Calls `visit(child, context)` for each edge: each counted reference that the object holds in a
/// registered field or a container. Stops when `visit` returns non-zero.
TAIN_DLL int TainObjectVisitEdges(TainObject* object,
                                  int (*visit)(TainObject* child, void* context),
                                  void* context) TAIN_NOEXCEPT;
/// Removes the edges of an object (pointers become null, values None, containers empty), then drops
/// the references.
TAIN_DLL int TainObjectClearEdges(TainObject* object) TAIN_NOEXCEPT;
/// Whether objects of a type may have edges.
TAIN_DLL int TainTypeCanReach(int32_t type_index) TAIN_NOEXCEPT;
/// Calls `visit(type_index, count, context)` for each type that has live objects. The count is the
/// sum over all threads.
TAIN_DLL void TainLiveObjects(void (*visit)(int32_t type_index, int64_t count, void* context),
                              void* context) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: objects of other libraries
//
// Objects whose memory does not come from TainObjectAlloc have no prefix. They come from libraries
// that are compiled against other headers of the ABI, or against none.

/// Returns the tie word of an object that has no prefix; null if there is none. If `create` is not
/// 0, the word is made (null: no memory). From then on the object counts as live, and libtain
/// replaces its deleter: the new one releases a wrapper that the object owns, and otherwise
/// restores and calls the old deleter. The caller must hold a strong reference.
TAIN_DLL uintptr_t* TainForeignTie(TainObject* object, int create) TAIN_NOEXCEPT;

/// Bits of TainObject::reserved in a Function, which needs no override set: whether the host
/// releases its lock around calls of the function. If neither is set, kTainCallReleaseGil decides.
enum {
  kTainFunctionKeepsGil = 1 << kTainHeaderSetShift,
  kTainFunctionReleasesGil = 2 << kTainHeaderSetShift
};
/// Whether a host releases its lock around calls of a function. A value that was set by
/// TainFunctionSetReleasesGil decides. Otherwise it is true if the function was made by
/// TainFunctionCreate, has no prefix or is registered with kTainCallReleaseGil.
TAIN_DLL int TainFunctionReleasesGil(const TainObject* function) TAIN_NOEXCEPT;
/// Sets whether hosts release their lock around calls of this function object.
TAIN_DLL int TainFunctionSetReleasesGil(TainObject* function, int releases) TAIN_NOEXCEPT;

/// Returns the name of a kind of devices of DLPack (`cuda` for 2), or null for an unknown one.
TAIN_DLL const char* TainDeviceTypeName(int32_t device_type) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: modules of other libraries
//
// A module that another library made has the index of Module and no prefix, and its C++ class is that
// of the library. What is asked of it goes to a table of operations, which a library that knows the
// class sets; without one such a module is no Module of tain's, and its use raises TypeError.

/// What is asked of a module of another library, with its arguments and result.
typedef enum {
  kTainModuleKind,                ///< () -> str
  kTainModulePropertyMask,        ///< () -> int
  kTainModuleGetFunction,         ///< (name) -> Function | None
  kTainModuleImplementsFunction,  ///< (name) -> bool
  kTainModuleFunctionDoc,         ///< (name) -> str | None
  kTainModuleFunctionMetadata,    ///< (name) -> str | None
  kTainModuleWriteToFile,         ///< (file, format) -> None
  kTainModuleWriteFormats,        ///< () -> Array[str]
  kTainModuleSaveToBytes,         ///< () -> bytes
  kTainModuleSource,              ///< (format) -> str
  kTainModuleImports,             ///< () -> Array of modules, or None
  kTainModuleImport,              ///< (module) -> None
  kTainModuleClearImports,        ///< () -> None
  kTainModuleLookUp               ///< (name) -> Function, which the module owns: for its code
} TainModuleOperation;

/// The operations on modules of other libraries.
typedef struct {
  /// Asks a module for a TainModuleOperation. The arguments are borrowed; the caller owns *result.
  int (*call)(TainObject* module, int32_t operation, const TainAny* args, int32_t num_args,
              TainAny* result);
  /// Makes the object as which other libraries get a module of tain's. The caller owns *out.
  int (*dress)(TainObject* module, TainObject** out);
  /// Returns the module of tain's behind an object that `dress` made, borrowed; null for others.
  TainObject* (*undress)(TainObject* module);
} TainModuleOperations;

/// Sets the operations, which stay valid until the process ends. Setting others is an error.
TAIN_DLL int TainSetModuleOperations(const TainModuleOperations* operations) TAIN_NOEXCEPT;
/// Returns the operations, or null.
TAIN_DLL const TainModuleOperations* TainGetModuleOperations(void) TAIN_NOEXCEPT;
/// Whether another library made a function, so that it knows modules in that library's layout.
TAIN_DLL int TainFunctionIsForeign(const TainObject* function) TAIN_NOEXCEPT;
/// Calls `visit(name, address, context)` for each address that loaded code gets; see
/// TainEnvModRegisterContextSymbol.
TAIN_DLL int TainListContextSymbols(void (*visit)(const char* name, void* address, void* context),
                                    void* context) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: errors and values

/// Stores the C++ exception that is being handled as this thread's raised error and returns -1.
/// Must be called inside a catch block of code that uses the C++ runtime of libtain: tain's headers,
/// which are compiled into each library, do without it.
TAIN_DLL int TainErrorSetFromException(void) TAIN_NOEXCEPT;
/// The failure of the operating system that an error of kind OSError reports. The error's message
/// states the same facts.
typedef struct TainSystemError {
  int64_t number;        ///< errno
  TainByteArray reason;  ///< the message without the number and the files
  TainByteArray file;    ///< empty if the error is not about a file
  TainByteArray file2;   ///< empty if the error is not about two files
} TainSystemError;
/// Writes the failure of the operating system that an error reports, and returns 1. Returns 0 if
/// the error was not made from a std::system_error with an errno. The texts live as long as the
/// error.
TAIN_DLL int TainErrorGetSystemError(TainObject* error, TainSystemError* out) TAIN_NOEXCEPT;
/// Writes the repr of a value as an owned string value. Cycles and deep nesting are cut off.
TAIN_DLL int TainAnyRepr(const TainAny* value, TainAny* out) TAIN_NOEXCEPT;
/// Equality and hash of values as Map and Dict use them.
TAIN_DLL int TainAnyEqual(const TainAny* a, const TainAny* b) TAIN_NOEXCEPT;
TAIN_DLL uint64_t TainAnyHash(const TainAny* value) TAIN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"

#if TAIN_IS_64_BIT
static_assert(sizeof(TainObjectPrefix) == 16);
#endif
#endif
