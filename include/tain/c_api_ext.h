// SPDX-License-Identifier: Apache-2.0
// The binary contract, second half: what tain adds of its own.
//
// The word in front of an object that ties it to its mirror in a host language, registration units
// and the loading of libraries as transactions, and the side records that keep argument names,
// defaults and exact C++ kinds.
#pragma once

#include "tain/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- tain: memory and ties

/// The layout of the prefix, of the header's reserved word and of Function's private words.
#define TAIN_LAYOUT_VERSION 3

/// Bits of TainObject::reserved. A polymorphic C++ type has words (its vtable pointer, mixins)
/// before the header: the block's body starts `(reserved >> kTainHeaderOffsetShift) * 8` bytes
/// before the header, and the prefix ends there.
/// kTainHeaderCandidate: the host's collector holds a weak reference. The twelve bits from
/// kTainHeaderSetShift on say which TainOverrideSet the class of the live mirror has; 0: it
/// overrides nothing. Both are written under the host's lock.
enum {
  kTainHeaderHasPrefix = 1,
  kTainHeaderCandidate = 2,
  kTainHeaderSetShift = 2,
  kTainHeaderOffsetShift = 14
};

/// The 16 bytes before the body of an object made by tain.
typedef struct {
  uintptr_t tie;  ///< the live mirror in the host language, with flags in its low bits; atomic
  void (*delete_space)(void* body);  ///< frees the block that holds prefix and body
} TainObjectPrefix;

enum {
  kTainTieOwnsWrapper = 1,  ///< the object owns its mirror; who clears it owes that a reference
  kTainTieLock = 4,         ///< lock for free-threaded builds
  kTainTieMask = 7
};

/// Which virtual methods a class of the host overrides, for calls from C++ that hold no lock.
typedef struct {
  const uint32_t* version;  ///< a word of the host's that changes with the class; atomic
  uint32_t expected;        ///< its value for which `names` holds; 0: ask the host; atomic
  /// Bit h is set if the class overrides a method whose name has the hash h: the lowest 8 bits of
  /// FNV-1a (32 bits) of its UTF-8. Atomic.
  uint64_t names[4];
} TainOverrideSet;

enum { kTainOverrideSetCount = 4096, kTainOverrideSetAsk = 1 };
/// Written by the host. The first is not used; kTainOverrideSetAsk stands for all classes that have
/// none of their own.
TAIN_DLL extern TainOverrideSet TainOverrideSets[kTainOverrideSetCount];

/// Memory for an object of `size` bytes with a prefix before it, counted as one live object of
/// `type_index`; null if there is none to be had. The header is not written.
TAIN_DLL void* TainObjectAlloc(size_t size, size_t alignment, int32_t type_index) TAIN_NOEXCEPT;
/// Gives back memory of TainObjectAlloc whose constructor threw.
TAIN_DLL void TainObjectAbandon(void* body, int32_t type_index) TAIN_NOEXCEPT;
/// What every deleter of a tain object forwards to: hands a mirror back, bounds the nesting,
/// destroys (null: there is nothing to destroy), frees.
TAIN_DLL void TainObjectDelete(void* self, int flags, void (*destroy)(void* self)) TAIN_NOEXCEPT;

/// The body of an object that has a prefix.
static inline char* TainObjectBodyOf(const TainObject* object) TAIN_NOEXCEPT {
  return (char*)(uintptr_t)object - ((size_t)(object->reserved >> kTainHeaderOffsetShift) << 3);
}
/// The prefix of an object whose reserved word says that it has one.
static inline TainObjectPrefix* TainObjectPrefixOf(const TainObject* object) TAIN_NOEXCEPT {
  return (TainObjectPrefix*)TainObjectBodyOf(object) - 1;
}

/// Makes a text of the host; null with an error of the host set.
typedef void* (*TainTakeText)(const char* data, size_t size);

/// A caller that would make a text of the host of a text result may offer that in the result slot:
/// beside None, kTainTextOffer in the padding and a TainTakeText in the payload. A callee that has
/// characters, but no String, may call that as the last thing it does, put what it returns into the
/// payload and kTainTakenText into the type index; every other callee writes its result over the
/// offer. The caller holds the host's lock over the call, and takes an offer that nobody wrote over
/// back.
enum { kTainTextOffer = 0x6f747874, kTainTakenText = -4 };

/// Forms in which a C++ parameter asks for a value that crosses as an opaque host object.
typedef enum {
  kTainHostInt,           ///< an int, if it is one by protocol
  kTainHostFloat,         ///< a float, if it converts to one
  kTainHostComplex,       ///< an Array of the real and the imaginary part
  kTainHostSequence,      ///< an Array of what it iterates over, unless it is a mapping or a set
  kTainHostCollection,    ///< the same, sets too
  kTainHostMapping,       ///< a Map of its entries
  kTainHostPath,          ///< the string or bytes of a path
  kTainHostMicroseconds,  ///< the length of a time span as an int
  kTainHostDataType,      ///< a data type
  kTainHostMember,        ///< of a member of an enum: its int, or its text (kTainRawStr), not owned
  kTainHostEnum           ///< of a member of an enum: its TainEnumInfo (kTainOpaquePtr)
} TainHostForm;

/// What a host language gives to the core. Called from any thread, with no lock held.
typedef struct {
  /// An object owned its mirror and lost its last reference: it has been revived with one strong
  /// reference, which now belongs to the mirror; kTainTieOwnsWrapper is cleared, and the object's
  /// reference to the mirror is the host's to drop.
  void (*release_mirror)(void* mirror);
  /// Calls method `name` on the mirror's class; *handled is 0 if the class does not override it.
  int (*call_override)(TainObject* object, const TainByteArray* name, const TainAny* args,
                       int32_t num_args, TainAny* result, int* handled);
  /// Asks the host whether a signal handler raised; 0 or -1.
  int (*check_signals)(void);
  /// Text of an opaque host object for messages and repr; writes an owned string value.
  int (*repr_opaque)(TainObject* object, TainAny* out);
  /// Copies an object whose mirror's class is written in the host language; *handled is 0 if it is
  /// not.
  int (*copy_mirrored)(TainObject* object, TainObject** out, int* handled);
  /// What the host's user gave for an object of a built-in type, for messages: writes the name of
  /// its class and a short text of it (string values; the text may stay None). Of other objects it
  /// writes the name of their mirror's class if that is written in the host language. *handled is 0
  /// if the object is all that is known.
  int (*describe)(TainObject* object, TainAny* type, TainAny* text, int* handled);
  /// The value of an opaque host object, or of a Function, in a TainHostForm; *handled is 0 if it
  /// has no such form. The forms of a member of an enum run nobody's code, cannot fail, and give
  /// what the member keeps; all others are owned by the caller.
  int (*convert_opaque)(TainObject* object, int32_t form, TainAny* out, int* handled);
  /// A value of the host language made of what convert_opaque gives for the form; *handled is 0 if
  /// the host makes none.
  int (*make_opaque)(const TainAny* parts, int32_t form, TainAny* out, int* handled);
  /// Calls `visit(object, context)` for each object that a call under way uses, the latest first,
  /// until it returns non-zero. The host's lock is held meanwhile.
  void (*visit_in_use)(int (*visit)(TainObject* object, void* context), void* context);
} TainHost;

/// Installs the host; a second, different host is an error.
TAIN_DLL int TainSetHost(const TainHost* host) TAIN_NOEXCEPT;
TAIN_DLL const TainHost* TainGetHost(void) TAIN_NOEXCEPT;
/// Virtual call dispatcher: *handled is 0 if the mirror does not override `name`.
TAIN_DLL int TainCallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                              int32_t num_args, TainAny* result, int* handled) TAIN_NOEXCEPT;
/// Asks the host, every 10 ms at most, whether a signal handler raised; 0, or -1 with its error
/// raised.
TAIN_DLL int TainCheckSignals(void) TAIN_NOEXCEPT;
/// Shallow copy: class and state of a host-language subclass are kept, else the C++ copy
/// constructor runs.
TAIN_DLL int TainObjectCopy(TainObject* object, TainObject** out) TAIN_NOEXCEPT;
/// Calls `visit(child, context)` for every counted reference that an object holds at an address
/// known to reflection or to a container; stops if it returns non-zero.
TAIN_DLL int TainObjectVisitEdges(TainObject* object,
                                  int (*visit)(TainObject* child, void* context),
                                  void* context) TAIN_NOEXCEPT;
/// Takes those references out (pointers become null, values None, containers empty), then drops
/// them.
TAIN_DLL int TainObjectClearEdges(TainObject* object) TAIN_NOEXCEPT;
/// Whether objects of a type may hold such references.
TAIN_DLL int TainTypeCanReach(int32_t type_index) TAIN_NOEXCEPT;
/// Calls `visit(type_index, count, context)` for each type that has live objects (sums over all
/// threads).
TAIN_DLL void TainLiveObjects(void (*visit)(int32_t type_index, int64_t count, void* context),
                              void* context) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: what others made
//
// Objects whose memory does not come from TainObjectAlloc have no prefix: they are those of
// libraries that are compiled against other headers of the ABI, or against none.

/// The word that stands for the tie of a prefix, of an object without one; null if there is none.
/// `create` makes it: from then on the object counts as a live one, and its deleter is one of
/// libtain's that hands back a mirror which the object owns, and otherwise puts the old deleter
/// back and calls it. The caller has a strong reference; without memory the result is null.
TAIN_DLL uintptr_t* TainForeignTie(TainObject* object, int create) TAIN_NOEXCEPT;

/// Bits of TainObject::reserved in a Function, which has no set of overrides: what a host does with
/// its lock around calls of the function. With neither, the lock is released if the function's info
/// says so.
enum {
  kTainFunctionKeepsGil = 1 << kTainHeaderSetShift,
  kTainFunctionReleasesGil = 2 << kTainHeaderSetShift
};
/// Whether a host releases its lock around calls of a function: around those of functions that came
/// through TainFunctionCreate or have no prefix, and those that say so, unless it was set.
TAIN_DLL int TainFunctionReleasesGil(const TainObject* function) TAIN_NOEXCEPT;
TAIN_DLL int TainFunctionSetReleasesGil(TainObject* function, int releases) TAIN_NOEXCEPT;

/// Gives a type that the ABI's functions alone described the constructor that its attributes and
/// members say: `__ffi_init__`, else one that sets the fields of a default object. Nothing happens
/// to a type that has a constructor or an ObjectDef.
TAIN_DLL int TainTypeComplete(int32_t type_index) TAIN_NOEXCEPT;
/// Whether TainTypeConstructDefault makes objects of a type: by its default constructor, its
/// `__ffi_new__` or the creator of its metadata.
TAIN_DLL int TainTypeHasDefault(int32_t type_index) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: registration units
//
// While a unit is open on the thread, a library is being loaded or its static initializers run, a
// mistake found by a function that registers something (types and their members, attributes, enums,
// functions and their infos) is recorded with the unit, and the function returns 0: the load, or
// the next look-up, raises all of them together. Otherwise it raises the error and returns -1.

/// The first record of each library: how it was compiled and who it is.
typedef struct {
  uint32_t layout_version;  ///< TAIN_LAYOUT_VERSION
  uint32_t abi_major;       ///< TAIN_ABI_VERSION_MAJOR
  uint32_t abi_minor;       ///< TAIN_ABI_VERSION_MINOR
  uint32_t sizeof_any;      ///< sizeof(tain::Any)
  uint32_t sizeof_object;   ///< sizeof(tain::Object)
  const char* compiler;     ///< compiler tag
  const char* name;         ///< name compiled in, or null: the file's stem
} TainUnit;

/// Opens the unit for the calling thread; 0, or -1 if it was compiled for another tain (the fault
/// is recorded).
TAIN_DLL int TainUnitEnter(const TainUnit* unit) TAIN_NOEXCEPT;
/// Closes what TainUnitEnter opened.
TAIN_DLL void TainUnitLeave(const TainUnit* unit) TAIN_NOEXCEPT;
/// Records a registration fault of the unit; it is raised by the load that is under way, or by the
/// next look-up.
TAIN_DLL void TainUnitFault(const TainUnit* unit, const char* message) TAIN_NOEXCEPT;
/// Raises faults that wait since a load outside of TainLibraryLoad (as one ImportError); 0 if there
/// are none.
TAIN_DLL int TainRaisePendingFaults(void) TAIN_NOEXCEPT;
/// Loads a shared library as one transaction: all of its registrations, or one ImportError and
/// none. *out receives the absolute path of the file that was opened (a string value). Loading a
/// file twice does nothing; a file whose content has changed is opened anew.
TAIN_DLL int TainLibraryLoad(const TainByteArray* path, TainAny* out) TAIN_NOEXCEPT;
/// Writes the files (a string value, joined by ` and `) if libtain is in the process more than
/// once, else None. Two copies have two type tables, so a host must refuse to start.
TAIN_DLL int TainCheckSingleCopy(TainAny* out_text) TAIN_NOEXCEPT;
/// Calls `visit(path, unit name, build, context)` for every unit that has registered something.
TAIN_DLL void TainListUnits(void (*visit)(const TainByteArray* file, const TainByteArray* name,
                                          int32_t build, void* context),
                            void* context) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: side records

/// The index of the marker in front of a call's Map of keywords; no value of a user's has it.
enum { kTainKeywords = 63 };

/// What a parameter is.
typedef enum {
  kTainArgHasDefault = 1,      ///< default_value is used when it is missing
  kTainArgFactory = 2,         ///< default_value is a Function that makes the default
  kTainArgKwOnly = 4,          ///< only by keyword
  kTainArgNamed = 8,           ///< may be given by keyword
  kTainArgVarPositional = 16,  ///< takes all further positional arguments
  kTainArgVarKeyword = 32,     ///< takes all further keyword arguments: behind the others stand a
                               ///< value of index kTainKeywords and a Map
  kTainArgUnchanged = 64  ///< missing, it is passed as kTainUnchanged: the callee knows better;
                          ///< default_value is what signatures show
} TainArgFlag;

/// A parameter of a function.
typedef struct {
  TainByteArray name;  ///< the author's name, or arg0, arg1 ...
  TainByteArray doc;
  TainByteArray type;  ///< type expression, such as `Array[geometry.Point]`
  TainAny default_value;
  int32_t flags;  ///< TainArgFlag
} TainArgInfo;

/// What a function is.
typedef enum {
  kTainCallReleaseGil = 1,  ///< the host's lock is released around the call
  kTainCallMethod = 2,      ///< the first parameter is the receiver
  kTainCallPacked = 4,      ///< takes any arguments; `args` says nothing
  kTainCallVirtual = 8,     ///< a mirror's class may override it
  kTainCallConstructor = 16,
  kTainCallReturnsEnum = 32,  ///< return_type is an enum's key, also `| None`: gives a member
  kTainCallOverloaded = 64,   ///< one of `overloads` takes the call; set by TainFunctionOverload
  kTainCallAbstract = 128,    ///< a class of the host must override it
  kTainCallFinal = 256        ///< a class of the host must not override it
} TainCallFlag;

struct TainOverload;

/// Names, defaults and documentation of a function; lives for ever.
typedef struct {
  TainByteArray name;  ///< as a user writes it: `geometry.Point.norm`
  TainByteArray doc;
  TainByteArray return_type;  ///< type expression
  const TainArgInfo* args;    ///< without the receiver
  int32_t num_args;
  int32_t flags;  ///< TainCallFlag
  /// For each parameter, the receiver included, whether a value is exactly what it takes; may be
  /// null. Overloads are tried in two rounds by it.
  int (*const* exact)(const TainAny* value);
  const struct TainOverload* overloads;  ///< of kTainCallOverloaded, in order of registration
  int32_t num_overloads;
} TainFunctionInfo;

/// One of the functions behind an overloaded name.
typedef struct TainOverload {
  TainObject* function;
  const TainFunctionInfo* info;
  /// Of a constructor that builds in place, or null.
  int (*construct)(void* body, const TainFunctionInfo* info, const TainAny* args, int32_t num_args);
} TainOverload;

/// The words after the cell of a Function made by tain (header bit kTainHeaderHasPrefix).
typedef struct {
  TainFunctionCell cell;
  const TainFunctionInfo* info;  ///< null until the function is registered
} TainFunctionBody;

/// Copies `info` to process-lifetime memory and hangs it on the function; the first call wins.
TAIN_DLL int TainFunctionSetInfo(TainObject* function, const TainFunctionInfo* info) TAIN_NOEXCEPT;
/// Makes a function that calls the first of two or more that takes the arguments: those of `known`,
/// if it is such a function itself, then `next`. Both need an info. *out receives a new reference.
TAIN_DLL int TainFunctionOverload(TainObject* known, TainObject* next,
                                  TainObject** out) TAIN_NOEXCEPT;
/// The info of a function, or null.
TAIN_DLL const TainFunctionInfo* TainFunctionGetInfo(const TainObject* function) TAIN_NOEXCEPT;

/// The exact C++ kind of a field that may be read and written at its offset.
typedef enum {
  kTainFieldOpaque = 0,  ///< through getter and setter only
  kTainFieldBool,
  kTainFieldInt8,
  kTainFieldInt16,
  kTainFieldInt32,
  kTainFieldInt64,
  kTainFieldUInt8,
  kTainFieldUInt16,
  kTainFieldUInt32,
  kTainFieldUInt64,
  kTainFieldFloat32,
  kTainFieldFloat64,
  kTainFieldString,  ///< tain::String: a TainAny
  kTainFieldAny,     ///< tain::Any: a TainAny
  kTainFieldObject   ///< one object pointer; null reads as None
} TainFieldKind;

/// How a field of kind kTainFieldObject is written.
typedef enum {
  kTainFieldDirectWrite = 1,  ///< an instance of object_type_index may be stored as it is
  kTainFieldNullable = 2      ///< None may be stored
} TainFieldAccess;

/// A field as tain's headers register it.
typedef struct {
  TainFieldInfo info;
  int32_t kind;               ///< TainFieldKind
  int32_t access;             ///< TainFieldAccess, for objects
  int32_t object_type_index;  ///< the declared class, for objects
  int32_t is_enum;            ///< `type` is an enum's key, or that `| None`: values are members
  TainByteArray type;         ///< type expression
  int32_t declaring_type;     ///< filled by the table: the type it was registered for
  /// For fields whose kind does not say which references they hold (std::vector<Ref<T>>): calls
  /// `visit` for each until it returns no 0; or null.
  int (*visit_edges)(void* field, int (*visit)(TainObject* child, void* context), void* context);
  void (*clear_edges)(void* field);  ///< drops what visit_edges shows
} TainFieldDef;

/// A method or static method as tain's headers register it.
typedef struct {
  TainMethodInfo info;
  const TainFunctionInfo* call;  ///< filled by the table
  int32_t declaring_type;        ///< filled by the table
} TainMethodDef;

/// A property: functions of the receiver.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainByteArray type;
  TainObject* getter;  ///< Function(self)
  TainObject* setter;  ///< Function(self, value), or null
  int32_t declaring_type;
} TainPropertyDef;

/// A constant of a class.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainAny value;
} TainConstantDef;

/// Flags of a type.
typedef enum {
  kTainTypeEq = 1,          ///< == compares fields
  kTainTypeOrder = 2,       ///< < <= > >= compare fields in order
  kTainTypeHash = 4,        ///< hash over fields
  kTainTypeFrozen = 8,      ///< no field can be assigned
  kTainTypeFinal = 16,      ///< no subclass
  kTainTypeAbstract = 32,   ///< cannot be constructed
  kTainTypeFieldInit = 64,  ///< the constructor takes the fields by keyword
  kTainTypeDead = 128,      ///< the index stands for a registration that failed
  kTainTypeDefined = 256    ///< an ObjectDef described it
} TainTypeFlag;

struct TainTypeRecord;

/// What tain's headers say about a whole type.
typedef struct {
  TainByteArray doc;
  int64_t flags;          ///< TainTypeFlag
  int64_t header_offset;  ///< bytes from the body to the header: 0 unless polymorphic
  /// Runs the destructor in place. Here and below, `type` is the record that the pointer stands in.
  void (*destroy)(void* body, const struct TainTypeRecord* type);
  /// def_init in place, or null; set by TainTypeDefConstructor. `info` names the parameters for
  /// messages and defaults.
  int (*construct)(void* body, const TainFunctionInfo* info, const TainAny* args, int32_t num_args);
  /// Default constructor in place, or null.
  int (*construct_default)(void* body, const struct TainTypeRecord* type);
  /// Copy constructor in place, or null.
  int (*copy)(void* body, const void* source, const struct TainTypeRecord* type);
  void (*deleter)(void* self, int flags);  ///< the type's deleter
} TainTypeDef;

/// A request for a type index.
typedef struct {
  TainByteArray key;
  int32_t static_index;  ///< -1: dynamic
  int32_t parent;        ///< parent's index, -1 for the root
  int32_t depth;
  int32_t child_slots;
  int32_t child_slots_can_overflow;
  int32_t flags;      ///< kTainTypeFinal
  int64_t size;       ///< sizeof, 0 if unknown
  int64_t alignment;  ///< alignof
  const TainUnit* unit;
} TainTypeRequest;

/// Everything the table knows of a type. Never freed; arrays hold the type's own members in order
/// of registration.
typedef struct TainTypeRecord {
  const TainTypeInfo* info;
  TainTypeRequest request;  ///< as accepted; flags as registered
  TainTypeDef def;
  TainByteArray unit_name;
  TainByteArray unit_file;
  int32_t build;  ///< 1 for the first definition of the key by its unit, then 2 ...
  /// Indices of [type_index, child_slots_end) are this type or its children.
  int32_t child_slots_end;
  int32_t num_fields;
  int32_t num_methods;
  int32_t num_properties;
  int32_t num_constants;
  const TainFieldDef* const* fields;
  const TainMethodDef* const* methods;
  const TainPropertyDef* const* properties;
  const TainConstantDef* const* constants;
  TainObject* constructor;  ///< Function that returns a new object, or null
  const void* layout;       ///< private to libtain; not null: TainTypeDefineDynamic made the type
} TainTypeRecord;

/// The index for a request; on a fault a private dead index, and the fault is recorded with the
/// unit.
TAIN_DLL int32_t TainTypeRequestIndex(const TainTypeRequest* request) TAIN_NOEXCEPT;
/// The record of an index, or null.
TAIN_DLL const TainTypeRecord* TainGetTypeRecord(int32_t type_index) TAIN_NOEXCEPT;
/// Opens the description of a type: a second ObjectDef for the same index is a fault.
TAIN_DLL int TainTypeDefine(int32_t type_index, const TainTypeDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefField(int32_t type_index, const TainFieldDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefMethod(int32_t type_index, const TainMethodDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefProperty(int32_t type_index, const TainPropertyDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefConstant(int32_t type_index, const TainConstantDef* def) TAIN_NOEXCEPT;
/// Sets the function that makes a new object from the arguments of `Cls(...)`, and the code that
/// does it in place (or null).
TAIN_DLL int TainTypeDefConstructor(int32_t type_index, TainObject* function,
                                    int (*construct)(void* body, const TainFunctionInfo* info,
                                                     const TainAny* args,
                                                     int32_t num_args)) TAIN_NOEXCEPT;

/// A new object made by the default constructor of a type; TypeError if it has none.
TAIN_DLL int TainTypeConstructDefault(int32_t type_index, TainObject** out) TAIN_NOEXCEPT;

/// A field of a type that is laid out at run time. Its memory follows from its type: an int64_t for
/// `int`, a double for `float`, a bool, a string, a pointer for a registered class, a container or
/// that `| None`, else a TainAny.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainByteArray type;     ///< type expression; values are converted to it or refused
  int64_t flags;          ///< TainFieldFlag, without kTainFieldSetterIsFunction
  TainAny default_value;  ///< or the Function that makes it, with kTainFieldDefaultFactory
} TainDynamicField;

/// A type that is laid out at run time: the memory of its parent, then that of its fields. A parent
/// that was compiled is built by its own constructor and destroyed by its own destructor.
typedef struct {
  TainByteArray key;
  TainByteArray doc;
  TainByteArray unit_name;  ///< a later definition of the key by a unit of this name replaces it
  TainByteArray unit_file;  ///< where it is written, for messages
  int32_t parent;           ///< type index
  int32_t num_fields;
  int64_t flags;  ///< TainTypeFlag
  const TainDynamicField* fields;
} TainDynamicType;

/// Makes a type from a description: fields, a constructor that takes the parent's arguments and the
/// fields, copying, destruction. A mistake is raised, and nothing is registered then.
TAIN_DLL int TainTypeDefineDynamic(const TainDynamicType* type, int32_t* out) TAIN_NOEXCEPT;

/// The kind of Python enum a C++ enum becomes.
typedef enum { kTainEnumInt = 0, kTainEnumFlag = 1, kTainEnumStr = 2 } TainEnumKind;

/// A member of an enum.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  int64_t value;       ///< the C++ value
  TainByteArray text;  ///< the value of a string enum
} TainEnumMember;

/// An enum; lives for ever once registered.
typedef struct {
  TainByteArray key;
  TainByteArray doc;
  int32_t kind;  ///< TainEnumKind
  int32_t num_members;
  const TainEnumMember* members;
} TainEnumInfo;

TAIN_DLL int TainEnumDefine(const TainEnumInfo* info) TAIN_NOEXCEPT;
/// The same for an enum that is described at run time: a mistake is raised, and a later definition
/// by a unit of this name replaces it.
TAIN_DLL int TainEnumDefineDynamic(const TainEnumInfo* info, const TainByteArray* unit_name,
                                   const TainByteArray* unit_file) TAIN_NOEXCEPT;
/// The enum of a key, or null.
TAIN_DLL const TainEnumInfo* TainGetEnum(const TainByteArray* key) TAIN_NOEXCEPT;

/// Calls `visit(key, type index or -1 for an enum, context)` for every live key; stops if it
/// returns non-zero.
TAIN_DLL int TainListTypeKeys(int (*visit)(const TainByteArray* key, int32_t type_index,
                                           void* context),
                              void* context) TAIN_NOEXCEPT;
/// Calls `visit(name, context)` for every global function; stops if it returns non-zero.
TAIN_DLL int TainListGlobalNames(int (*visit)(const TainByteArray* name, void* context),
                                 void* context) TAIN_NOEXCEPT;
/// Removes a global function; *out says whether there was one.
TAIN_DLL int TainFunctionRemoveGlobal(const TainByteArray* name, int* out) TAIN_NOEXCEPT;
/// A number that grows with every change of the name maps (keys, enums, functions).
TAIN_DLL uint64_t TainRegistryGeneration(void) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: helpers of the C++ headers

/// Turns the C++ exception being handled into this thread's raised error and returns -1. Call
/// inside catch.
TAIN_DLL int TainErrorSetFromException(void) TAIN_NOEXCEPT;
/// repr of a value as text (safe on cycles and depth); an owned string value.
TAIN_DLL int TainAnyRepr(const TainAny* value, TainAny* out) TAIN_NOEXCEPT;
/// Equality and hash of values as Map and Dict use them.
TAIN_DLL int TainAnyEqual(const TainAny* a, const TainAny* b) TAIN_NOEXCEPT;
TAIN_DLL uint64_t TainAnyHash(const TainAny* value) TAIN_NOEXCEPT;
/// Whether an object of type `type_index` is an instance of `parent`: equality, child range,
/// ancestors.
TAIN_DLL int TainTypeIsInstance(int32_t type_index, int32_t parent) TAIN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"

static_assert(sizeof(TainObjectPrefix) == 16);
#endif
