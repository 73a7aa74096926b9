// SPDX-License-Identifier: Apache-2.0
// The C functions and types of the binary contract under the names TVMFFI*, for C and C++.
//
// Types are other names of tain's. Each function forwards to tain's of the same name and is compiled
// into the file that calls it: libtain has no symbols TVMFFI*, so a process may have both runtimes.
// Handles are `void*` here. The functions of the environment are in c_env_api.h.
#pragma once

// The include guards of the original headers that all others of their kind include.
#if defined(TVM_FFI_C_API_H_) || defined(TVM_RUNTIME_C_RUNTIME_API_H_)
#error headers of apache-tvm-ffi come before those of tain_compat: one file can include only one kind
#include <stops here, see the line above>
#endif

#ifdef __cplusplus
#include "tain/reflection/export.h"  // declares TVMFFIErrorSetRaisedFromCStr of another runtime
#else
#include "tain/c_api.h"
#endif

#if defined(TAIN_DLPACK_DECLARED) && !defined(DLPACK_MAJOR_VERSION)
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1
#endif

#define TVM_FFI_VERSION_MAJOR 0
#define TVM_FFI_VERSION_MINOR 1
#define TVM_FFI_VERSION_PATCH 16

#define TVM_FFI_DLL TAIN_DLL
#define TVM_FFI_DLL_EXPORT TAIN_DLL_EXPORT
#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_WEAK __attribute__((weak))
#define TVM_FFI_ATTRIBUTE_PURE __attribute__((__pure__))
#else
#define TVM_FFI_WEAK __declspec(selectany)
#define TVM_FFI_ATTRIBUTE_PURE
#endif

// In C++ an enum has the type int32_t, and its name is that of a class of constants too.
#ifdef __cplusplus
#define TAIN_INTERNAL_ENUM(name) enum name : int32_t
#define TAIN_INTERNAL_ENUM_NAME(name)
#else
#define TAIN_INTERNAL_ENUM(name) enum name
#define TAIN_INTERNAL_ENUM_NAME(name) typedef enum name name;
#endif
#define TAIN_INTERNAL_HANDLE(handle) TAIN_INTERNAL_CAST(TainObject*, handle)
#define TAIN_INTERNAL_HANDLES(handles) TAIN_INTERNAL_CAST(TainObject**, handles)

// ---------------------------------------------------------------- constants

/// Static type indices.
TAIN_INTERNAL_ENUM(TVMFFITypeIndex){
    kTVMFFIAny = kTainAny,
    kTVMFFINone = kTainNone,
    kTVMFFIInt = kTainInt,
    kTVMFFIBool = kTainBool,
    kTVMFFIFloat = kTainFloat,
    kTVMFFIOpaquePtr = kTainOpaquePtr,
    kTVMFFIDataType = kTainDataType,
    kTVMFFIDevice = kTainDevice,
    kTVMFFIDLTensorPtr = kTainDLTensorPtr,
    kTVMFFIRawStr = kTainRawStr,
    kTVMFFIByteArrayPtr = kTainByteArrayPtr,
    kTVMFFIObjectRValueRef = kTainRValueRef,
    kTVMFFISmallStr = kTainSmallStr,
    kTVMFFISmallBytes = kTainSmallBytes,
    kTVMFFIUnchanged = kTainUnchanged,
    kTVMFFIStaticObjectBegin = kTainStaticObjectBegin,
    kTVMFFIObject = kTainObject,
    kTVMFFIStr = kTainStr,
    kTVMFFIBytes = kTainBytes,
    kTVMFFIError = kTainError,
    kTVMFFIFunction = kTainFunction,
    kTVMFFIShape = kTainShape,
    kTVMFFITensor = kTainTensor,
    kTVMFFIArray = kTainArray,
    kTVMFFIMap = kTainMap,
    kTVMFFIModule = kTainModule,
    kTVMFFIOpaquePyObject = kTainOpaquePyObject,
    kTVMFFIList = kTainList,
    kTVMFFIDict = kTainDict,
    kTVMFFIVisitInterrupt = kTainVisitInterrupt,
    kTVMFFIBigInt = kTainBigInt,
    kTVMFFIStaticObjectEnd = kTainStaticObjectEnd,
    kTVMFFIDynObjectBegin = kTainDynObjectBegin,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFITypeIndex)

/// Flags that are passed to an object's deleter.
TAIN_INTERNAL_ENUM(TVMFFIObjectDeleterFlagBitMask){
    kTVMFFIObjectDeleterFlagBitMaskStrong = kTainDeleteStrong,
    kTVMFFIObjectDeleterFlagBitMaskWeak = kTainDeleteWeak,
    kTVMFFIObjectDeleterFlagBitMaskBoth = kTainDeleteBoth,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFIObjectDeleterFlagBitMask)

/// The treatment of the text by update_backtrace.
TAIN_INTERNAL_ENUM(TVMFFIBacktraceUpdateMode){
    kTVMFFIBacktraceUpdateModeReplace = kTainBacktraceReplace,
    kTVMFFIBacktraceUpdateModeAppend = kTainBacktraceAppend,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFIBacktraceUpdateMode)

/// Flags of fields and methods.
TAIN_INTERNAL_ENUM(TVMFFIFieldFlagBitMask){
    kTVMFFIFieldFlagBitMaskWritable = kTainFieldWritable,
    kTVMFFIFieldFlagBitMaskHasDefault = kTainFieldHasDefault,
    kTVMFFIFieldFlagBitMaskIsStaticMethod = kTainMethodStatic,
    kTVMFFIFieldFlagBitMaskSEqHashIgnore = kTainFieldNoStructuralEq,
    kTVMFFIFieldFlagBitMaskSEqHashDefPattern = kTainFieldDefPattern,
    kTVMFFIFieldFlagBitMaskDefaultFromFactory = kTainFieldDefaultFactory,
    kTVMFFIFieldFlagBitMaskReprOff = kTainFieldNoRepr,
    kTVMFFIFieldFlagBitMaskCompareOff = kTainFieldNoCompare,
    kTVMFFIFieldFlagBitMaskHashOff = kTainFieldNoHash,
    kTVMFFIFieldFlagBitMaskInitOff = kTainFieldNoInit,
    kTVMFFIFieldFlagBitMaskKwOnly = kTainFieldKwOnly,
    kTVMFFIFieldFlagBitSetterIsFunctionObj = kTainFieldSetterIsFunction,
    kTVMFFIFieldFlagBitMaskSEqHashDefSimple = kTainFieldSimpleDef,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFIFieldFlagBitMask)

/// How graphs with objects of a type are compared, hashed and copied.
TAIN_INTERNAL_ENUM(TVMFFISEqHashKind){
    kTVMFFISEqHashKindUnsupported = kTainStructuralUnspecified,
    kTVMFFISEqHashKindTreeNode = kTainStructuralTree,
    kTVMFFISEqHashKindFreeVar = kTainStructuralVariable,
    kTVMFFISEqHashKindDAGNode = kTainStructuralDag,
    kTVMFFISEqHashKindConstTreeNode = kTainStructuralConstTree,
    kTVMFFISEqHashKindUniqueInstance = kTainStructuralUnique,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFISEqHashKind)

/// Whether a field defines variables: not, at any depth, or itself.
TAIN_INTERNAL_ENUM(TVMFFIDefRegionKind){
    kTVMFFIDefRegionKindNone = 0,
    kTVMFFIDefRegionKindPattern = 1,
    kTVMFFIDefRegionKindSimple = 2,
};
TAIN_INTERNAL_ENUM_NAME(TVMFFIDefRegionKind)

// ---------------------------------------------------------------- types

typedef void* TVMFFIObjectHandle;
typedef void* TVMFFIStreamHandle;
typedef TainVersion TVMFFIVersion;
typedef TainObject TVMFFIObject;
typedef TainAny TVMFFIAny;
typedef TainByteArray TVMFFIByteArray;
typedef TainShapeCell TVMFFIShapeCell;
typedef TainSeqCell TVMFFISeqCell;
typedef TainErrorCell TVMFFIErrorCell;
typedef TainSafeCall TVMFFISafeCallType;
typedef TainFunctionCell TVMFFIFunctionCell;
typedef TainOpaqueCell TVMFFIOpaqueObjectCell;
typedef TainCustomAllocator TVMFFICustomAllocator;
typedef TainFieldGetter TVMFFIFieldGetter;
typedef TainFieldSetter TVMFFIFieldSetter;
typedef TainObjectCreator TVMFFIObjectCreator;
typedef TainFieldInfo TVMFFIFieldInfo;
typedef TainMethodInfo TVMFFIMethodInfo;
typedef TainTypeMetadata TVMFFITypeMetadata;
typedef TainTypeInfo TVMFFITypeInfo;
typedef TainTypeAttrColumn TVMFFITypeAttrColumn;

/// What an allocator stores in the word before the body that it returns.
typedef struct {
  void (*delete_space)(void* ptr);
} TVMFFIObjectAllocHeader;

// ---------------------------------------------------------------- functions

static inline void TVMFFIGetVersion(TVMFFIVersion* out) TAIN_NOEXCEPT { TainGetVersion(out); }

static inline int TVMFFIObjectIncRef(TVMFFIObjectHandle object) TAIN_NOEXCEPT {
  return TainObjectIncRef(TAIN_INTERNAL_HANDLE(object));
}
static inline int TVMFFIObjectDecRef(TVMFFIObjectHandle object) TAIN_NOEXCEPT {
  return TainObjectDecRef(TAIN_INTERNAL_HANDLE(object));
}
static inline int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index,
                                           void (*deleter)(void* handle),
                                           TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainObjectCreateOpaque(handle, type_index, deleter, TAIN_INTERNAL_HANDLES(out));
}
static inline TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) TAIN_NOEXCEPT {
  return TainGetCustomAllocator();
}
static inline int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) TAIN_NOEXCEPT {
  return TainSetCustomAllocator(allocator);
}

static inline int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key,
                                       int32_t* out) TAIN_NOEXCEPT {
  return TainTypeKeyToIndex(type_key, out);
}
static inline int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key,
                                                int32_t static_type_index, int32_t type_depth,
                                                int32_t num_child_slots,
                                                int32_t child_slots_can_overflow,
                                                int32_t parent_type_index) TAIN_NOEXCEPT {
  return TainTypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                 child_slots_can_overflow, parent_type_index);
}
static inline const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) TAIN_NOEXCEPT {
  return TainGetTypeInfo(type_index);
}
static inline int TVMFFITypeRegisterField(int32_t type_index,
                                          const TVMFFIFieldInfo* info) TAIN_NOEXCEPT {
  return TainTypeRegisterField(type_index, info);
}
static inline int TVMFFITypeRegisterMethod(int32_t type_index,
                                           const TVMFFIMethodInfo* info) TAIN_NOEXCEPT {
  return TainTypeRegisterMethod(type_index, info);
}
static inline int TVMFFITypeRegisterMetadata(int32_t type_index,
                                             const TVMFFITypeMetadata* metadata) TAIN_NOEXCEPT {
  return TainTypeRegisterMetadata(type_index, metadata);
}
static inline int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name,
                                         const TVMFFIAny* value) TAIN_NOEXCEPT {
  return TainTypeRegisterAttr(type_index, name, value);
}
static inline const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name)
    TAIN_NOEXCEPT {
  return TainGetTypeAttrColumn(name);
}

static inline int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call,
                                       void (*deleter)(void* self),
                                       TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainFunctionCreate(self, safe_call, deleter, TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args,
                                     TVMFFIAny* result) TAIN_NOEXCEPT {
  return TainFunctionCall(TAIN_INTERNAL_HANDLE(function), args, num_args, result);
}
static inline int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name,
                                          TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainFunctionGetGlobal(name, TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle function,
                                          int allow_override) TAIN_NOEXCEPT {
  return TainFunctionSetGlobal(name, TAIN_INTERNAL_HANDLE(function), allow_override);
}
static inline int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info,
                                                        int allow_override) TAIN_NOEXCEPT {
  return TainFunctionSetGlobalFromMethodInfo(info, allow_override);
}
static inline int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) TAIN_NOEXCEPT {
  return TainAnyViewToOwnedAny(view, out);
}

static inline void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  TainErrorMoveFromRaised(TAIN_INTERNAL_HANDLES(out));
}
static inline void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) TAIN_NOEXCEPT {
  TainErrorSetRaised(TAIN_INTERNAL_HANDLE(error));
}
// A macro, because tain/reflection/export.h declares the function of another runtime.
#define TVMFFIErrorSetRaisedFromCStr TainErrorSetRaisedFromCStr
static inline void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts,
                                                     int32_t num_parts) TAIN_NOEXCEPT {
  TainErrorSetRaisedFromCStrParts(kind, TAIN_INTERNAL_CAST(const char* const*, message_parts),
                                  num_parts);
}
static inline int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                    const TVMFFIByteArray* backtrace,
                                    TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainErrorCreate(kind, message, backtrace, TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind,
                                                            const TVMFFIByteArray* message,
                                                            const TVMFFIByteArray* backtrace,
                                                            TVMFFIObjectHandle cause_chain,
                                                            TVMFFIObjectHandle extra_context,
                                                            TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainErrorCreateWithCauseAndExtraContext(
      kind, message, backtrace, TAIN_INTERNAL_HANDLE(cause_chain),
      TAIN_INTERNAL_HANDLE(extra_context), TAIN_INTERNAL_HANDLES(out));
}
static inline const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno,
                                                     const char* function,
                                                     int cross_ffi_boundary) TAIN_NOEXCEPT {
  return TainBacktrace(filename, lineno, function, cross_ffi_boundary);
}

static inline int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                         int32_t require_contiguous,
                                         TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainTensorFromDLPack(from, require_alignment, require_contiguous,
                              TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from,
                                                  int32_t require_alignment,
                                                  int32_t require_contiguous,
                                                  TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainTensorFromDLPackVersioned(from, require_alignment, require_contiguous,
                                       TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFITensorToDLPack(TVMFFIObjectHandle from,
                                       DLManagedTensor** out) TAIN_NOEXCEPT {
  return TainTensorToDLPack(TAIN_INTERNAL_HANDLE(from), out);
}
static inline int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from,
                                                DLManagedTensorVersioned** out) TAIN_NOEXCEPT {
  return TainTensorToDLPackVersioned(TAIN_INTERNAL_HANDLE(from), out);
}
static inline int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                               TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainTensorCreateUnsafeView(TAIN_INTERNAL_HANDLE(source), prototype,
                                    TAIN_INTERNAL_HANDLES(out));
}

static inline int TVMFFIStringFromByteArray(const TVMFFIByteArray* input,
                                            TVMFFIAny* out) TAIN_NOEXCEPT {
  return TainStringFromByteArray(input, out);
}
static inline int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input,
                                           TVMFFIAny* out) TAIN_NOEXCEPT {
  return TainBytesFromByteArray(input, out);
}
static inline int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input,
                                            TVMFFIAny* out) TAIN_NOEXCEPT {
  return TainBigIntFromByteArray(input, out);
}
static inline TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value)
    TAIN_NOEXCEPT {
  return TainBigIntGetContentByteArray(value);
}
static inline int TVMFFIDataTypeFromString(const TVMFFIByteArray* text,
                                           DLDataType* out) TAIN_NOEXCEPT {
  return TainDataTypeFromString(text, out);
}
static inline int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) TAIN_NOEXCEPT {
  return TainDataTypeToString(dtype, out);
}

static inline int TVMFFIHandleInitOnce(void** handle_addr,
                                       int (*init_func)(void** result)) TAIN_NOEXCEPT {
  return TainHandleInitOnce(handle_addr, init_func);
}
static inline int TVMFFIHandleDeinitOnce(void** handle_addr,
                                         int (*deinit_func)(void* handle)) TAIN_NOEXCEPT {
  return TainHandleDeinitOnce(handle_addr, deinit_func);
}

// ---------------------------------------------------------------- accessors

#ifdef __cplusplus

/// Returns the index of an object's dynamic type.
inline int32_t TVMFFIObjectGetTypeIndex(TVMFFIObjectHandle object) noexcept {
  return static_cast<TainObject*>(object)->type_index;
}
/// Returns the bytes of a small string or of small bytes; valid as long as the value.
inline TVMFFIByteArray TVMFFISmallBytesGetContentByteArray(const TVMFFIAny* value) noexcept {
  return {value->v_bytes, value->small_str_len};
}
// The cells follow the header of their object.
inline TVMFFIByteArray* TVMFFIBytesGetByteArrayPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<TVMFFIByteArray*>(static_cast<TainObject*>(object) + 1);
}
inline TVMFFIErrorCell* TVMFFIErrorGetCellPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<TVMFFIErrorCell*>(static_cast<TainObject*>(object) + 1);
}
inline TVMFFIFunctionCell* TVMFFIFunctionGetCellPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<TVMFFIFunctionCell*>(static_cast<TainObject*>(object) + 1);
}
inline TVMFFIOpaqueObjectCell* TVMFFIOpaqueObjectGetCellPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<TVMFFIOpaqueObjectCell*>(static_cast<TainObject*>(object) + 1);
}
inline TVMFFIShapeCell* TVMFFIShapeGetCellPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<TVMFFIShapeCell*>(static_cast<TainObject*>(object) + 1);
}
inline DLTensor* TVMFFITensorGetDLTensorPtr(TVMFFIObjectHandle object) noexcept {
  return reinterpret_cast<DLTensor*>(static_cast<TainObject*>(object) + 1);
}
inline DLDevice TVMFFIDLDeviceFromIntPair(int32_t device_type, int32_t device_id) noexcept {
  return {static_cast<DLDeviceType>(device_type), device_id};
}

#endif  // __cplusplus
