// SPDX-License-Identifier: Apache-2.0
// tain's own half of the binary contract, part two: registration.
//
// A unit is one library with everything that it registered; libraries are loaded as transactions.
// The records of functions, types and enums hold what the ecosystem's records have no room for:
// names and defaults of parameters, exact C++ kinds of fields, constructors. Objects and the host
// language are in c_api_host.h.
#pragma once

#include "tain/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- tain: registration units
//
// The functions that register something (types and their members, attributes, enums, functions and
// their infos) report a mistake in two ways. While a unit is open on the thread, a library is being
// loaded or static initializers of a library run, the mistake is recorded with the unit and the
// function returns 0; the load or the next look-up raises all recorded mistakes together. At any
// other time the function raises the error and returns -1.

/// The identity of a library: its name and how it was compiled.
typedef struct {
  uint32_t layout_version;  ///< TAIN_LAYOUT_VERSION
  uint32_t abi_major;       ///< TAIN_ABI_VERSION_MAJOR
  uint32_t abi_minor;       ///< TAIN_ABI_VERSION_MINOR
  uint32_t sizeof_any;      ///< sizeof(tain::Any)
  uint32_t sizeof_object;   ///< sizeof(tain::Object)
  const char* compiler;     ///< compiler tag
  const char* name;         ///< the compiled-in name, or null: the file's name without suffix
} TainUnit;

/// Opens the unit for the calling thread. Returns 0, or -1 after recording a fault if the unit was
/// compiled for an incompatible version of tain.
TAIN_DLL int TainUnitEnter(const TainUnit* unit) TAIN_NOEXCEPT;
/// Closes the unit that TainUnitEnter opened.
TAIN_DLL void TainUnitLeave(const TainUnit* unit) TAIN_NOEXCEPT;
/// Records a registration fault of the unit. The running load raises it, or else the next look-up.
TAIN_DLL void TainUnitFault(const TainUnit* unit, const char* message) TAIN_NOEXCEPT;
/// Raises the faults of loads outside of TainLibraryLoad, such as dlopen, as one ImportError.
/// Returns 0 if there are none.
TAIN_DLL int TainRaisePendingFaults(void) TAIN_NOEXCEPT;
/// Loads a shared library as one transaction: either all of its registrations take effect, or none
/// and an ImportError is raised. *out receives the absolute path of the opened file (a string
/// value). Loading a file again does nothing, unless its content has changed.
TAIN_DLL int TainLibraryLoad(const TainByteArray* path, TainAny* out) TAIN_NOEXCEPT;
/// Writes None if the process has one copy of libtain, else the files of all copies (a string
/// value, joined by ` and `). Two copies have two type tables, so a host must refuse to start.
TAIN_DLL int TainCheckSingleCopy(TainAny* out_text) TAIN_NOEXCEPT;
/// Calls `visit(path, context)` for each file of the process that defines a C symbol, whether or not
/// the loader would find it.
TAIN_DLL int TainListDefinitions(const TainByteArray* symbol,
                                 void (*visit)(const TainByteArray* file, void* context),
                                 void* context) TAIN_NOEXCEPT;
/// Calls `visit(path, unit name, build, context)` for every unit that has registered something.
TAIN_DLL void TainListUnits(void (*visit)(const TainByteArray* file, const TainByteArray* name,
                                          int32_t build, void* context),
                            void* context) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: functions

/// The type index of the marker before a call's Map of keywords; no user value has it.
enum { kTainKeywords = 63 };

/// Flags of a parameter.
typedef enum {
  kTainArgHasDefault = 1,      ///< default_value replaces a missing argument
  kTainArgFactory = 2,         ///< default_value is a Function that makes the default
  kTainArgKwOnly = 4,          ///< must be given by keyword
  kTainArgNamed = 8,           ///< may be given by keyword
  kTainArgVarPositional = 16,  ///< takes all further positional arguments
  kTainArgVarKeyword = 32,     ///< takes all further keyword arguments: the last two values are one
                               ///< of index kTainKeywords and a Map
  kTainArgUnchanged = 64,  ///< a missing argument is passed as kTainUnchanged: the callee knows the
                           ///< default; signatures show default_value
  kTainArgOptional = 128,  ///< may be missing if all later ones are: the callee then gets fewer
                           ///< arguments and knows the default; signatures show `...`
  kTainArgNotNone = 256,   ///< None is refused, although the type can be null
  kTainArgLenient = 1 << 14  ///< takes what tain::lenient() says
} TainArgFlag;

/// A parameter of a function.
typedef struct {
  TainByteArray name;  ///< the name that the author gave, or arg0, arg1 ...
  TainByteArray doc;
  TainByteArray type;  ///< type expression, such as `Array[geometry.Point]`
  TainAny default_value;
  int32_t flags;  ///< TainArgFlag
} TainArgInfo;

/// Flags of a function.
typedef enum {
  kTainCallReleaseGil = 1,  ///< the host's lock is released around the call
  kTainCallMethod = 2,      ///< the first parameter is the receiver
  kTainCallPacked = 4,      ///< takes any arguments; `args` are shown only
  kTainCallVirtual = 8,     ///< a wrapper's class may override it
  kTainCallConstructor = 16,
  kTainCallReturnsEnum = 32,  ///< returns an enum member: return_type is its key, or that `| None`
  kTainCallOverloaded = 64,   ///< one of `overloads` takes the call; set by TainFunctionOverload
  kTainCallAbstract = 128,    ///< a class of the host must override it
  kTainCallFinal = 256,       ///< a class of the host must not override it
  kTainCallKeepsNothing = 512,  ///< boxes keep no argument of the call alive
  /// Threads may call it at the same time. A host without a lock of its own takes none for it.
  kTainCallThreadSafe = 1 << 10,
  /// Threads may call it at the same time for different receivers: a host without a lock of its own
  /// takes one of the receiver.
  kTainCallLockReceiver = 1 << 11,
  /// A parameter takes the object away from its argument (std::unique_ptr), which only works if the
  /// argument alone refers to it. A host that holds arguments during calls must not hold these.
  kTainCallTakesAway = 1 << 12,
  /// Tensors in the result are arrays of numpy: return_type says numpy.ndarray.
  kTainCallAsNumpy = 1 << 13,
  kTainCallLenient = 1 << 14,     ///< all parameters have kTainArgLenient
  kTainCallTakesObject = 1 << 15  ///< a parameter takes host objects as they are; set by libtain
} TainCallFlag;

struct TainOverload;

/// Names, defaults and documentation of a function. Never freed.
typedef struct {
  TainByteArray name;  ///< the full name: `geometry.Point.norm`
  TainByteArray doc;
  TainByteArray return_type;  ///< type expression
  const TainArgInfo* args;    ///< without the receiver
  int32_t num_args;
  int32_t flags;  ///< TainCallFlag
  /// For each parameter, including the receiver, a function that returns how well a value fits: 1
  /// if it has exactly the parameter's type, else 0 or another Fit of tain/traits.h; may be null.
  /// The overload search calls the candidate that fits best.
  int (*const* exact)(const TainAny* value);
  const struct TainOverload* overloads;  ///< if kTainCallOverloaded: in order of registration
  int32_t num_overloads;
  /// Up to four pairs of 16 bits, which say which object of a call keeps which one alive: the number
  /// of the keeper in the lower byte, that of the kept in the upper one. 0 is the result; 1 and later
  /// are the values of the call, with the receiver. 0 ends the pairs.
  uint64_t keeps;
} TainFunctionInfo;

/// One of the functions behind an overloaded name.
typedef struct TainOverload {
  TainObject* function;
  const TainFunctionInfo* info;
  /// If the function is a constructor: builds the object in place. Otherwise null.
  int (*construct)(void* body, const TainFunctionInfo* info, const TainAny* args, int32_t num_args);
} TainOverload;

/// The words after the cell of a Function made by tain (header bit kTainHeaderHasPrefix).
typedef struct {
  TainFunctionCell cell;
  const TainFunctionInfo* info;  ///< null until the function is registered
} TainFunctionBody;

/// Copies `info` to memory that is never freed and sets it as the function's info. Only the first
/// call for a function has an effect.
TAIN_DLL int TainFunctionSetInfo(TainObject* function, const TainFunctionInfo* info) TAIN_NOEXCEPT;
/// Makes an overloaded function of `known` and `next`, which calls the first candidate that takes
/// the arguments. If `known` is overloaded itself, all its candidates precede `next`. Both
/// functions need an info. *out receives a new reference.
TAIN_DLL int TainFunctionOverload(TainObject* known, TainObject* next,
                                  TainObject** out) TAIN_NOEXCEPT;
/// Returns the info of a function, or null if it has none.
TAIN_DLL const TainFunctionInfo* TainFunctionGetInfo(const TainObject* function) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: types

/// The exact C++ kind of a field that may be read and written at its offset.
typedef enum {
  kTainFieldOpaque = 0,  ///< accessed through getter and setter only
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

/// How a field is read and written.
typedef enum {
  kTainFieldDirectWrite = 1,  ///< any instance of object_type_index may be stored as it is
  kTainFieldNullable = 2,     ///< None may be stored
  /// Getter and setter take a TainFieldPlace instead of the field's address. The kind is opaque.
  kTainFieldPlaced = 4,
  /// The setter, a Function, checks the value: nothing is written without it. The documentation of
  /// the Function says what it asks for.
  kTainFieldChecked = 8,
  /// The value points to objects that others own: a copy points to the same ones.
  kTainFieldRefers = 16
} TainFieldAccess;

/// A field of an object, for accessors that need the object itself: because the field is in memory
/// to which the object refers, or because the value keeps the object alive.
typedef struct {
  TainObject* object;
  int64_t offset;  ///< TainFieldInfo::offset
} TainFieldPlace;

/// A field as tain's headers register it.
typedef struct {
  TainFieldInfo info;
  int32_t kind;               ///< TainFieldKind
  int32_t access;             ///< TainFieldAccess
  int32_t object_type_index;  ///< the declared class, for objects
  int32_t is_enum;            ///< values are enum members: `type` is its key, or that `| None`
  TainByteArray type;         ///< type expression
  int32_t declaring_type;     ///< set by the type table: the type that registered the field
  /// For fields whose kind does not tell which references they hold (std::vector<Ref<T>>), else
  /// null: calls `visit` for each reference until `visit` returns non-zero.
  int (*visit_edges)(void* field, int (*visit)(TainObject* child, void* context), void* context);
  void (*clear_edges)(void* field);  ///< drops the references that visit_edges visits
} TainFieldDef;

/// A method or static method as tain's headers register it.
typedef struct {
  TainMethodInfo info;
  const TainFunctionInfo* call;  ///< set by the type table
  int32_t declaring_type;        ///< set by the type table
} TainMethodDef;

/// A property: a getter function and, unless it is read-only, a setter function.
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
  kTainTypeDead = 128,      ///< the index belongs to a registration that failed
  kTainTypeDefined = 256,   ///< described by an ObjectDef
  kTainTypeBoxed = 512,     ///< its objects are boxes of a foreign class
  /// The destructor runs without the host's lock, also that of a child.
  kTainTypeDestroyWithoutGil = 1024,
  kTainTypeTransient = 2048,      ///< state that is no registered field may be lost
  kTainTypeNoCopy = 4096,         ///< its objects cannot be copied
  kTainTypeAsNumpy = 1 << 13,     ///< its methods, properties and fields have kTainCallAsNumpy
  kTainTypeOverridden = 1 << 14,  ///< C++ calls overrides of any of its methods
  /// Its functions, methods and properties have kTainCallThreadSafe or kTainCallLockReceiver unless
  /// they say something else about threads.
  kTainTypeThreadSafe = 1 << 15,
  kTainTypeLockReceiver = 1 << 19,
  kTainTypeStructural = 7 << 16  ///< the bits that hold the author's TainStructuralKind
} TainTypeFlag;
enum { kTainTypeStructuralShift = 16 };

struct TainTypeRecord;

/// A type as a whole, as tain's headers register it.
typedef struct {
  TainByteArray doc;
  int64_t flags;          ///< TainTypeFlag
  int64_t header_offset;  ///< bytes from the body to the header: 0 unless polymorphic
  /// Runs the destructor in place. Here and below, `type` is the record that holds this pointer.
  void (*destroy)(void* body, const struct TainTypeRecord* type);
  /// Runs the constructor of def_init in place, or null; set by TainTypeDefConstructor. `info` has
  /// the names and defaults of the parameters.
  int (*construct)(void* body, const TainFunctionInfo* info, const TainAny* args, int32_t num_args);
  /// Runs the default constructor in place, or null.
  int (*construct_default)(void* body, const struct TainTypeRecord* type);
  /// Runs the copy constructor in place, or null.
  int (*copy)(void* body, const void* source, const struct TainTypeRecord* type);
  void (*deleter)(void* self, int flags);  ///< the type's deleter
} TainTypeDef;

/// Flags of TainTypeState.
typedef enum {
  kTainStatePolymorphic = 1,  ///< the memory begins with a pointer to the virtual functions
  kTainStateNoPadding = 2     ///< `mark` does not mark padding
} TainTypeStateFlag;

/// The memory in which objects of a type have their state. For a box it is that of its object.
typedef struct {
  int64_t size;    ///< in bytes
  int64_t origin;  ///< the place in it from which the offsets of fields are counted
  int64_t flags;   ///< TainTypeStateFlag
  /// Writes a byte for each byte of the memory: not 0 if it holds state, or may hold it.
  void (*mark)(unsigned char* bytes);
} TainTypeState;

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

/// The record of a type. Never freed. The arrays hold the type's own members, without those of its
/// parents, in order of registration.
typedef struct TainTypeRecord {
  const TainTypeInfo* info;
  TainTypeRequest request;  ///< as accepted by the type table
  TainTypeDef def;
  TainByteArray unit_name;
  TainByteArray unit_file;
  int32_t build;  ///< 1 for the first definition of the key by its unit, 2 for the second ...
  /// The indices in [type_index, child_slots_end) belong to this type and its children.
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
  const void* layout;       ///< private to libtain; null unless TainTypeDefineDynamic made the type
  const TainTypeState* state;  ///< null if the type's description does not say
} TainTypeRecord;

/// Returns the index for a request. After a mistake the fault is recorded with the unit, and the
/// result is the index of a type with kTainTypeDead.
TAIN_DLL int32_t TainTypeRequestIndex(const TainTypeRequest* request) TAIN_NOEXCEPT;
/// Returns the record of an index, or null if there is none.
TAIN_DLL const TainTypeRecord* TainGetTypeRecord(int32_t type_index) TAIN_NOEXCEPT;
/// Whether an object of type `type_index` is an instance of `parent`. Compares the indices, then
/// the range of the parent's child slots, then the ancestors.
TAIN_DLL int TainTypeIsInstance(int32_t type_index, int32_t parent) TAIN_NOEXCEPT;
/// Opens the description of a type: a second ObjectDef for the same index is a fault.
TAIN_DLL int TainTypeDefine(int32_t type_index, const TainTypeDef* def) TAIN_NOEXCEPT;
/// Says where objects of a described type have state, so that it is known whether the fields are all
/// of it.
TAIN_DLL int TainTypeDefState(int32_t type_index, const TainTypeState* state) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefField(int32_t type_index, const TainFieldDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefMethod(int32_t type_index, const TainMethodDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefProperty(int32_t type_index, const TainPropertyDef* def) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeDefConstant(int32_t type_index, const TainConstantDef* def) TAIN_NOEXCEPT;
/// Sets the function that makes a new object from the arguments of `Cls(...)`, and the code that
/// builds it in place, which may be null.
TAIN_DLL int TainTypeDefConstructor(int32_t type_index, TainObject* function,
                                    int (*construct)(void* body, const TainFunctionInfo* info,
                                                     const TainAny* args,
                                                     int32_t num_args)) TAIN_NOEXCEPT;

/// Makes an object by the default constructor of its type. Raises TypeError if there is none.
TAIN_DLL int TainTypeConstructDefault(int32_t type_index, TainObject** out) TAIN_NOEXCEPT;
/// Gives a constructor to a type that only functions of the ABI have described: `__ffi_init__` if
/// the type has it, else one that makes a default object and sets its fields. Does nothing if the
/// type has a constructor or an ObjectDef.
TAIN_DLL int TainTypeComplete(int32_t type_index) TAIN_NOEXCEPT;
/// Whether TainTypeConstructDefault can make objects of a type: it has a default constructor, an
/// `__ffi_new__` or a creator in its metadata.
TAIN_DLL int TainTypeHasDefault(int32_t type_index) TAIN_NOEXCEPT;

/// A field of a type that is laid out at run time. Its type determines its memory: an int64_t for
/// `int`, a double for `float`, a bool, a string, a pointer for a registered class or a container
/// (also with `| None`), else a TainAny.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainByteArray type;     ///< type expression; values are converted to it or refused
  int64_t flags;          ///< TainFieldFlag, without kTainFieldSetterIsFunction
  TainAny default_value;  ///< with kTainFieldDefaultFactory the Function that makes it
} TainDynamicField;

/// A type that is laid out at run time: the memory of its parent, then that of its fields. A parent
/// that was compiled is built by its own constructor and destroyed by its own destructor.
typedef struct {
  TainByteArray key;
  TainByteArray doc;
  TainByteArray unit_name;  ///< a later definition of the key by the same unit replaces the type
  TainByteArray unit_file;  ///< the file of the definition, for messages
  int32_t parent;           ///< type index
  int32_t num_fields;
  int64_t flags;  ///< TainTypeFlag
  const TainDynamicField* fields;
} TainDynamicType;

/// Makes a type from a description. The type gets the fields, a constructor that takes the parent's
/// arguments and the fields, a copy constructor and a destructor. If the description has a mistake,
/// the error is raised and nothing is registered.
TAIN_DLL int TainTypeDefineDynamic(const TainDynamicType* type, int32_t* out) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tain: enums and names

/// The kind of Python enum a C++ enum becomes. A definition adds kTainEnumUnsigned if the C++ type
/// is unsigned, and its bits, shifted by kTainEnumBitsShift; 0 bits are 64. Registered enums have
/// the kind alone.
typedef enum {
  kTainEnumInt = 0,
  kTainEnumFlag = 1,
  kTainEnumStr = 2,
  kTainEnumUnsigned = 256
} TainEnumKind;
enum { kTainEnumBitsShift = 16 };

/// A member of an enum.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  int64_t value;       ///< the C++ value; of an unsigned enum its bits
  TainByteArray text;  ///< the value in a string enum
} TainEnumMember;

/// An enum. A registered one is never freed.
typedef struct {
  TainByteArray key;
  TainByteArray doc;
  int32_t kind;  ///< TainEnumKind
  int32_t num_members;
  const TainEnumMember* members;
} TainEnumInfo;

TAIN_DLL int TainEnumDefine(const TainEnumInfo* info) TAIN_NOEXCEPT;
/// Defines an enum that is described at run time. A mistake is raised. A later definition of the
/// key by a unit of the same name replaces this one.
TAIN_DLL int TainEnumDefineDynamic(const TainEnumInfo* info, const TainByteArray* unit_name,
                                   const TainByteArray* unit_file) TAIN_NOEXCEPT;
/// Returns the enum of a key, or null if there is none.
TAIN_DLL const TainEnumInfo* TainGetEnum(const TainByteArray* key) TAIN_NOEXCEPT;

/// Calls `visit(key, type index, context)` for every live key; the index of an enum is -1. Stops
/// when `visit` returns non-zero.
TAIN_DLL int TainListTypeKeys(int (*visit)(const TainByteArray* key, int32_t type_index,
                                           void* context),
                              void* context) TAIN_NOEXCEPT;
/// Calls `visit(name, context)` for every global function. Stops when `visit` returns non-zero.
TAIN_DLL int TainListGlobalNames(int (*visit)(const TainByteArray* name, void* context),
                                 void* context) TAIN_NOEXCEPT;
/// The kind of an item that a library registered.
typedef enum {
  kTainRegisteredType = 0,
  kTainRegisteredEnum = 1,
  kTainRegisteredFunction = 2,  ///< global; the functions of a module are the module's own
  kTainRegisteredError = 3,     ///< the exception class of an ErrorDef
  kTainRegisteredConstant = 4   ///< of a namespace; see GlobalDef::def_constant
} TainRegisteredKind;

/// Calls `visit(kind, name, context)` for all that the library of a file registered, sorted by kind
/// and name, except what was replaced or removed since. The kind is a TainRegisteredKind, the name a
/// key or that of a global function. Stops when `visit` returns non-zero.
TAIN_DLL int TainListRegistered(const TainByteArray* file,
                                int (*visit)(int32_t kind, const TainByteArray* name,
                                             void* context),
                                void* context) TAIN_NOEXCEPT;
/// Removes a global function. Sets *out to 1 if there was one, else to 0.
TAIN_DLL int TainFunctionRemoveGlobal(const TainByteArray* name, int* out) TAIN_NOEXCEPT;
/// Returns a number that grows whenever the names of types, enums or functions change.
TAIN_DLL uint64_t TainRegistryGeneration(void) TAIN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"
#endif
