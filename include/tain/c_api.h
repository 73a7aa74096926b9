// SPDX-License-Identifier: Apache-2.0
// The binary contract, first half: the TVM FFI stable C ABI under tain's names.
//
// Value and object layouts are those of that ABI, so that values, functions and compiled modules of
// its ecosystem can be exchanged. A function that can fail returns 0, or -1 after it has raised an
// error (take it with TainErrorMoveFromRaised). No function throws or ends the process. tain's own
// additions never change these records: they are in c_api_ext.h, which this header includes last.
#pragma once

// The contract fixes where the members of its records lie, for pointers of 64 bits. What checks
// that is left out elsewhere, so that this error is the only one.
#if defined(__SIZEOF_POINTER__) ? __SIZEOF_POINTER__ == 8 : defined(_WIN64)
#define TAIN_IS_64_BIT 1
#else
#define TAIN_IS_64_BIT 0
#error "tain needs a 64-bit platform"
#endif

#include <stddef.h>
#include <stdint.h>

#include "tain/dlpack_types.h"

#if defined(_WIN32)
#if defined(TAIN_EXPORTS)
#define TAIN_DLL __declspec(dllexport)
#else
#define TAIN_DLL __declspec(dllimport)
#endif
#define TAIN_DLL_EXPORT __declspec(dllexport)
#define TAIN_HIDDEN
#else
#define TAIN_DLL __attribute__((visibility("default")))
#define TAIN_DLL_EXPORT __attribute__((visibility("default")))
#define TAIN_HIDDEN __attribute__((visibility("hidden")))
#endif

#ifdef __cplusplus
#define TAIN_NOEXCEPT noexcept
extern "C" {
#else
#define TAIN_NOEXCEPT
#endif

// ---------------------------------------------------------------- values and objects

/// Static type indices. Indices from 128 on are assigned at run time.
typedef enum {
  kTainAny = -1,
  kTainNone = 0,
  kTainInt = 1,
  kTainBool = 2,
  kTainFloat = 3,
  kTainOpaquePtr = 4,
  kTainDataType = 5,
  kTainDevice = 6,
  kTainDLTensorPtr = 7,
  kTainRawStr = 8,        ///< const char*, views only
  kTainByteArrayPtr = 9,  ///< TainByteArray*, views only
  kTainRValueRef = 10,    ///< address of the caller's object pointer; a move sets it to null
  kTainSmallStr = 11,
  kTainSmallBytes = 12,
  kTainUnchanged = 13,
  kTainStaticObjectBegin = 64,
  kTainObject = 64,
  kTainStr = 65,
  kTainBytes = 66,
  kTainError = 67,
  kTainFunction = 68,
  kTainShape = 69,
  kTainTensor = 70,
  kTainArray = 71,
  kTainMap = 72,
  kTainModule = 73,
  kTainOpaquePyObject = 74,
  kTainList = 75,
  kTainDict = 76,
  kTainVisitInterrupt = 77,
  kTainBigInt = 78,
  kTainStaticObjectEnd = 79,
  kTainDynObjectBegin = 128
} TainTypeIndex;

/// Flags that are passed to an object's deleter.
typedef enum { kTainDeleteStrong = 1, kTainDeleteWeak = 2, kTainDeleteBoth = 3 } TainDeleterFlag;

/// The header of every object: 24 bytes.
typedef struct TainObject {
  uint64_t combined_ref_count;  ///< low 32 bits strong, high 32 bits weak; both start at 1
  int32_t type_index;           ///< the dynamic type
  uint32_t reserved;            ///< bit 0: tain's prefix precedes the header; other makers write 0
  void (*deleter)(void* self, int flags);  ///< never null for a live object
} TainObject;

/// A value: 16 bytes; unused bytes are zero.
typedef struct TainAny {
  int32_t type_index;  ///< the type of the payload
  union {
    uint32_t zero_padding;   ///< zero unless a small string or small bytes
    uint32_t small_str_len;  ///< bytes used of v_bytes
  };
  union {
    int64_t v_int64;
    double v_float64;
    void* v_ptr;
    const char* v_c_str;
    TainObject* v_obj;
    DLDataType v_dtype;
    DLDevice v_device;
    char v_bytes[8];
    uint64_t v_uint64;
  };
} TainAny;

/// A view of bytes; not NUL-terminated unless the documentation promises it.
typedef struct {
  const char* data;  ///< first byte; may be null if size is 0
  size_t size;       ///< bytes
} TainByteArray;

/// The cell after the header of Shape.
typedef struct {
  const int64_t* data;  ///< extents
  size_t size;          ///< number of dimensions
} TainShapeCell;

/// The cell after the header of Array and List.
typedef struct {
  void* data;                   ///< TainAny[capacity]
  int64_t size;                 ///< elements
  int64_t capacity;             ///< elements there is room for
  void (*data_deleter)(void*);  ///< frees data; null if data lies in the object's own block
} TainSeqCell;

/// A function of the calling convention. The arguments are borrowed. The caller sets *result to
/// None before the call and owns the result after it.
typedef int (*TainSafeCall)(void* self, const TainAny* args, int32_t num_args, TainAny* result);

/// The cell after the header of Function.
typedef struct {
  TainSafeCall safe_call;  ///< never null
  void* cpp_call;          ///< always null in tain's functions, never called by tain
} TainFunctionCell;

/// The treatment of the text by update_backtrace.
typedef enum { kTainBacktraceReplace = 0, kTainBacktraceAppend = 1 } TainBacktraceUpdateMode;

/// The cell after the header of Error.
typedef struct {
  TainByteArray kind;       ///< such as ValueError
  TainByteArray message;    ///< UTF-8 text
  TainByteArray backtrace;  ///< one frame per line, most recent call first
  void (*update_backtrace)(TainObject* self, const TainByteArray* backtrace, int32_t mode);
  TainObject* cause_chain;    ///< an Error or null; owned
  TainObject* extra_context;  ///< any object or null; owned; tain stores the host's exception here
} TainErrorCell;

/// The cell after the header of an opaque object.
typedef struct {
  void* handle;  ///< the foreign object
} TainOpaqueCell;

/// The cell after the header of BigInt: two's complement, least significant word first, minimal.
typedef struct {
  size_t size;       ///< number of words that follow
  int64_t words[1];  ///< the words
} TainBigIntCell;

// ---------------------------------------------------------------- reflection records of the ABI

/// Reads the field at an address. The caller owns *result.
typedef int (*TainFieldGetter)(void* field, TainAny* result);
/// Writes the field at an address. `value` is borrowed.
typedef int (*TainFieldSetter)(void* field, const TainAny* value);
/// Makes an object by default construction. The caller owns *result.
typedef int (*TainObjectCreator)(TainObject** result);

/// Flags of fields and methods.
typedef enum {
  kTainFieldWritable = 1 << 0,           ///< users may assign the field
  kTainFieldHasDefault = 1 << 1,         ///< default_value_or_factory is set
  kTainMethodStatic = 1 << 2,            ///< the method takes no object
  kTainFieldNoStructuralEq = 1 << 3,     ///< structural comparison and hash leave the field out
  kTainFieldDefPattern = 1 << 4,         ///< the field defines the variables in it, at any depth
  kTainFieldDefaultFactory = 1 << 5,     ///< default_value_or_factory is a Function
  kTainFieldNoRepr = 1 << 6,             ///< repr leaves the field out
  kTainFieldNoCompare = 1 << 7,          ///< equality and order leave the field out
  kTainFieldNoHash = 1 << 8,             ///< the hash leaves the field out
  kTainFieldNoInit = 1 << 9,             ///< the field is no parameter of the constructor
  kTainFieldKwOnly = 1 << 10,            ///< the constructor takes the field by keyword only
  kTainFieldSetterIsFunction = 1 << 11,  ///< see TainFieldInfo::setter
  kTainFieldSimpleDef = 1 << 12,  ///< the field defines a variable that is its value or an element
  kTainFieldAsNumpy = 1 << 13     ///< tensors are read as arrays of numpy
} TainFieldFlag;

/// A field, 120 bytes.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainByteArray metadata;  ///< JSON text
  int64_t flags;           ///< TainFieldFlag
  int64_t size;            ///< bytes
  int64_t alignment;       ///< bytes
  int64_t offset;          ///< bytes from the object's header
  TainFieldGetter getter;
  /// A TainFieldSetter, or a Function object if kTainFieldSetterIsFunction is set. Read-only fields
  /// have a setter too.
  void* setter;
  TainAny default_value_or_factory;
  int32_t field_static_type_index;  ///< kTainAny if unknown
} TainFieldInfo;

/// A method, 72 bytes.
typedef struct {
  TainByteArray name;
  TainByteArray doc;
  TainByteArray metadata;  ///< JSON text
  int64_t flags;           ///< kTainMethodStatic or 0
  TainAny method;          ///< a Function, borrowed: the table keeps its own reference
} TainMethodInfo;

/// How graphs with objects of a type are compared, hashed and copied.
typedef enum {
  kTainStructuralUnspecified = 0,  ///< as a tree
  kTainStructuralTree = 1,         ///< by fields; it does not matter which parts are shared
  kTainStructuralVariable = 2,     ///< a variable, which may stand for another variable
  kTainStructuralDag = 3,          ///< by fields; the same parts must be shared
  kTainStructuralConstTree = 4,    ///< as a tree, and it contains no variable
  kTainStructuralUnique = 5        ///< by identity
} TainStructuralKind;

/// The metadata of a type as a whole, 32 bytes.
typedef struct {
  TainByteArray doc;
  TainObjectCreator creator;        ///< makes a default object, or null
  int32_t total_size;               ///< sizeof, bytes
  int32_t structural_eq_hash_kind;  ///< TainStructuralKind
} TainTypeMetadata;

/// A type, 72 bytes.
typedef struct TainTypeInfo {
  int32_t type_index;
  int32_t type_depth;  ///< 0 for ffi.Object
  TainByteArray type_key;
  const struct TainTypeInfo** type_ancestors;  ///< by depth
  uint64_t type_key_hash;
  int32_t num_fields;
  int32_t num_methods;
  const TainFieldInfo* fields;    ///< own fields only
  const TainMethodInfo* methods;  ///< own methods only
  const TainTypeMetadata* metadata;
} TainTypeInfo;

/// One attribute of all types, indexed by type index minus begin_index. Its address never changes.
typedef struct {
  const TainAny* data;
  int32_t size;
  int32_t begin_index;
} TainTypeAttrColumn;

/// A version.
typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} TainVersion;

/// An allocator for objects, 16 bytes. `allocate` returns the body, which is `size` bytes at a
/// multiple of `alignment`, or null if there is no memory. In the word before the body `allocate`
/// stores the function that frees the body, `void (*delete_space)(void* body)`.
typedef struct {
  void* (*allocate)(size_t size, size_t alignment, int32_t type_index, void* context);
  void* context;
} TainCustomAllocator;

// ---------------------------------------------------------------- the ABI's functions

/// Writes the version of the binary contract that the layouts follow.
TAIN_DLL void TainGetVersion(TainVersion* out) TAIN_NOEXCEPT;

/// Adds or drops a strong reference. Without strong references the object is destroyed.
TAIN_DLL int TainObjectIncRef(TainObject* object) TAIN_NOEXCEPT;
TAIN_DLL int TainObjectDecRef(TainObject* object) TAIN_NOEXCEPT;
/// Makes an object that holds `handle` and calls `deleter(handle)` once when it dies.
TAIN_DLL int TainObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),
                                    TainObject** out) TAIN_NOEXCEPT;
/// Installs an allocator, which must stay valid until the process ends; null restores the original
/// one. Each object is freed by the allocator that made it.
TAIN_DLL int TainSetCustomAllocator(TainCustomAllocator* allocator) TAIN_NOEXCEPT;
/// Returns the installed allocator. It is never null, and its `allocate` is never null.
TAIN_DLL TainCustomAllocator* TainGetCustomAllocator(void) TAIN_NOEXCEPT;

/// Writes the type index of a key. Raises ValueError if no type has the key.
TAIN_DLL int TainTypeKeyToIndex(const TainByteArray* type_key, int32_t* out) TAIN_NOEXCEPT;
/// Returns the index of a key; a new key gets a new index. A `static_index` of -1 asks for a
/// dynamic index. With a `parent_index` of -2 nothing is allocated, and the result for an unknown
/// key is -2. After a mistake the result is an index of the type table that no object uses; the
/// fault is recorded and raised later.
TAIN_DLL int32_t TainTypeGetOrAllocIndex(const TainByteArray* type_key, int32_t static_index,
                                         int32_t depth, int32_t num_child_slots,
                                         int32_t child_slots_can_overflow,
                                         int32_t parent_index) TAIN_NOEXCEPT;
/// Returns the record of an index, which is never freed, or null if there is none.
TAIN_DLL const TainTypeInfo* TainGetTypeInfo(int32_t type_index) TAIN_NOEXCEPT;
/// Registers a field of a type. The record is copied.
TAIN_DLL int TainTypeRegisterField(int32_t type_index, const TainFieldInfo* info) TAIN_NOEXCEPT;
/// Registers a method. It replaces a method of the same name, and the type's attribute of that name
/// if it holds the old method.
TAIN_DLL int TainTypeRegisterMethod(int32_t type_index, const TainMethodInfo* info) TAIN_NOEXCEPT;
TAIN_DLL int TainTypeRegisterMetadata(int32_t type_index,
                                      const TainTypeMetadata* metadata) TAIN_NOEXCEPT;
/// Sets attribute `name` of a type. A second call must give the same value. A `type_index` of 0
/// only creates the column.
TAIN_DLL int TainTypeRegisterAttr(int32_t type_index, const TainByteArray* name,
                                  const TainAny* value) TAIN_NOEXCEPT;
/// Returns the column of attribute `name`, or null if there is none.
TAIN_DLL const TainTypeAttrColumn* TainGetTypeAttrColumn(const TainByteArray* name) TAIN_NOEXCEPT;

/// Makes a Function that calls `safe_call(self, ...)`; `deleter(self)` runs once when it dies.
TAIN_DLL int TainFunctionCreate(void* self, TainSafeCall safe_call, void (*deleter)(void* self),
                                TainObject** out) TAIN_NOEXCEPT;
/// Calls a function. The arguments are borrowed; the caller owns *result.
TAIN_DLL int TainFunctionCall(TainObject* function, const TainAny* args, int32_t num_args,
                              TainAny* result) TAIN_NOEXCEPT;
/// Looks up a global function. *out receives a new reference. If there is no such function, the
/// call succeeds and sets *out to null.
TAIN_DLL int TainFunctionGetGlobal(const TainByteArray* name, TainObject** out) TAIN_NOEXCEPT;
/// Makes a function global. A name that is taken is a mistake unless `allow_override` is set.
TAIN_DLL int TainFunctionSetGlobal(const TainByteArray* name, TainObject* function,
                                   int allow_override) TAIN_NOEXCEPT;
TAIN_DLL int TainFunctionSetGlobalFromMethodInfo(const TainMethodInfo* info,
                                                 int allow_override) TAIN_NOEXCEPT;

/// Copies a view into a value that owns what it holds.
TAIN_DLL int TainAnyViewToOwnedAny(const TainAny* view, TainAny* out) TAIN_NOEXCEPT;

/// Makes an Error. The texts are copied.
TAIN_DLL int TainErrorCreate(const TainByteArray* kind, const TainByteArray* message,
                             const TainByteArray* backtrace, TainObject** out) TAIN_NOEXCEPT;
/// The same; `cause_chain` and `extra_context` may be null.
TAIN_DLL int TainErrorCreateWithCauseAndExtraContext(
    const TainByteArray* kind, const TainByteArray* message, const TainByteArray* backtrace,
    TainObject* cause_chain, TainObject* extra_context, TainObject** out) TAIN_NOEXCEPT;
/// Sets this thread's raised error; the two functions after it make the error from texts.
TAIN_DLL void TainErrorSetRaised(TainObject* error) TAIN_NOEXCEPT;
TAIN_DLL void TainErrorSetRaisedFromCStr(const char* kind, const char* message) TAIN_NOEXCEPT;
TAIN_DLL void TainErrorSetRaisedFromCStrParts(const char* kind, const char* const* message_parts,
                                              int32_t num_parts) TAIN_NOEXCEPT;
/// Takes this thread's raised error; sets *out to null if there is none.
TAIN_DLL void TainErrorMoveFromRaised(TainObject** out) TAIN_NOEXCEPT;
/// Returns the C++ frames of the caller as text. The memory is thread-local and valid until the
/// next call on the same thread.
TAIN_DLL const TainByteArray* TainBacktrace(const char* filename, int32_t lineno,
                                            const char* function,
                                            int cross_ffi_boundary) TAIN_NOEXCEPT;

/// Makes an owned string value, or bytes value, from a copy of the bytes.
TAIN_DLL int TainStringFromByteArray(const TainByteArray* input, TainAny* out) TAIN_NOEXCEPT;
TAIN_DLL int TainBytesFromByteArray(const TainByteArray* input, TainAny* out) TAIN_NOEXCEPT;
/// Makes an integer from two's complement little-endian bytes: an int if it fits, else a BigInt.
TAIN_DLL int TainBigIntFromByteArray(const TainByteArray* input, TainAny* out) TAIN_NOEXCEPT;
/// Returns the words of an int or a BigInt as bytes, which live as long as the value. For any other
/// value `data` is null and `size` is 0.
TAIN_DLL TainByteArray TainBigIntGetContentByteArray(const TainAny* value) TAIN_NOEXCEPT;

/// Reads the name of a data type, such as `float32` or `int8x4`. Raises ValueError for other texts.
TAIN_DLL int TainDataTypeFromString(const TainByteArray* text, DLDataType* out) TAIN_NOEXCEPT;
/// Writes the name of a data type as a string value.
TAIN_DLL int TainDataTypeToString(const DLDataType* dtype, TainAny* out) TAIN_NOEXCEPT;

/// Runs `init` if *handle is null and stores its result there. All callers get that one result.
TAIN_DLL int TainHandleInitOnce(void** handle, int (*init)(void** result)) TAIN_NOEXCEPT;

/// Looks up a function for compiled code: in the imports of its module, then among the global
/// functions. `library_ctx` is what the loader wrote to the library's `__tvm_ffi__library_ctx`. The
/// module owns what *out receives. Raises ValueError if there is no such function.
TAIN_DLL int TainEnvModLookupFromImports(TainObject* library_ctx, const char* func_name,
                                         TainObject** out) TAIN_NOEXCEPT;
/// Registers an address for compiled code: the loader writes it to the variable `name` of each
/// library that has one. A second call must give the same address.
TAIN_DLL int TainEnvModRegisterContextSymbol(const char* name, void* symbol) TAIN_NOEXCEPT;
/// Registers a symbol of code that is linked into the program, for `Module::SystemLib`. A second
/// call must give the same address.
TAIN_DLL int TainEnvModRegisterSystemLibSymbol(const char* name, void* symbol) TAIN_NOEXCEPT;
/// Sets *handle to null and, if it was not null, runs `deinit` on the old value.
TAIN_DLL int TainHandleDeinitOnce(void** handle, int (*deinit)(void* handle)) TAIN_NOEXCEPT;

// ---------------------------------------------------------------- tensors

/// Makes a Tensor that takes over a DLPack tensor; after an error the caller still owns it. The
/// address of the first element must be a multiple of `require_alignment` bytes (0: any). If
/// `require_contiguous` is not 0, the tensor must be row-major without gaps.
TAIN_DLL int TainTensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                  int32_t require_contiguous, TainObject** out) TAIN_NOEXCEPT;
TAIN_DLL int TainTensorFromDLPackVersioned(DLManagedTensorVersioned* from,
                                           int32_t require_alignment, int32_t require_contiguous,
                                           TainObject** out) TAIN_NOEXCEPT;
/// Makes a DLPack tensor that shares the memory of a Tensor and keeps it alive. The older form
/// cannot express a read-only tensor, for which the call fails with BufferError.
TAIN_DLL int TainTensorToDLPack(TainObject* from, DLManagedTensor** out) TAIN_NOEXCEPT;
TAIN_DLL int TainTensorToDLPackVersioned(TainObject* from,
                                         DLManagedTensorVersioned** out) TAIN_NOEXCEPT;
/// Makes a Tensor with the data, shape, strides and type of `prototype`, which are copied. It keeps
/// `source` alive, which must own the memory; this is not checked.
TAIN_DLL int TainTensorCreateUnsafeView(TainObject* source, const DLTensor* prototype,
                                        TainObject** out) TAIN_NOEXCEPT;

/// Sets the stream on which this thread's work for a device is to run; null is the default stream.
/// Writes the former one to *opt_out_original unless that is null.
TAIN_DLL int TainEnvSetStream(int32_t device_type, int32_t device_id, void* stream,
                              void** opt_out_original) TAIN_NOEXCEPT;
/// Returns the stream that was set in this thread for a device; null is the default stream.
TAIN_DLL void* TainEnvGetStream(int32_t device_type, int32_t device_id) TAIN_NOEXCEPT;

/// Allocates a tensor with the shape, type and device of `prototype`. Calls `set_error` with
/// `error_context` if it fails and returns non-zero then.
typedef int (*TainTensorAllocator)(DLTensor* prototype, DLManagedTensorVersioned** out,
                                   void* error_context,
                                   void (*set_error)(void* error_context, const char* kind,
                                                     const char* message));
/// Sets this thread's allocator of tensors, and all other threads' too if `write_to_global` is not
/// 0. Null removes it. Writes the thread's former one to *opt_out_original unless that is null.
TAIN_DLL int TainEnvSetDLPackManagedTensorAllocator(
    TainTensorAllocator allocator, int write_to_global,
    TainTensorAllocator* opt_out_original) TAIN_NOEXCEPT;
/// Returns this thread's allocator, or else the one of all threads, or null.
TAIN_DLL TainTensorAllocator TainEnvGetDLPackManagedTensorAllocator(void) TAIN_NOEXCEPT;
/// Makes a Tensor by the allocator; without one, in the memory of the processor if the device is
/// kDLCPU. Only shape, type and device of `prototype` are used.
TAIN_DLL int TainEnvTensorAlloc(DLTensor* prototype, TainObject** out) TAIN_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"

#if TAIN_IS_64_BIT
static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(TainAny) == 16 && offsetof(TainAny, v_int64) == 8);
static_assert(sizeof(TainObject) == 24 && offsetof(TainObject, type_index) == 8);
static_assert(offsetof(TainObject, reserved) == 12 && offsetof(TainObject, deleter) == 16);
static_assert(sizeof(TainFieldInfo) == 120 && offsetof(TainFieldInfo, getter) == 80);
static_assert(sizeof(TainMethodInfo) == 72 && offsetof(TainMethodInfo, method) == 56);
static_assert(sizeof(TainTypeMetadata) == 32 && sizeof(TainTypeInfo) == 72);
static_assert(sizeof(TainTypeAttrColumn) == 16 && sizeof(TainVersion) == 12);
static_assert(sizeof(TainCustomAllocator) == 16);
static_assert(offsetof(TainErrorCell, update_backtrace) == 48 &&
              offsetof(TainErrorCell, extra_context) == 64);
#endif
#endif

#include "tain/c_api_ext.h"
