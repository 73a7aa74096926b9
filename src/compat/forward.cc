// SPDX-License-Identifier: Apache-2.0
// The functions of the binary contract under the names of its ecosystem: each calls libtain's function
// of the same name.
#include "tain/c_api.h"

#define FORWARD(type, name, parameters, arguments) \
  extern "C" TAIN_DLL_EXPORT type TVMFFI##name parameters noexcept { return Tain##name arguments; }

FORWARD(void, GetVersion, (TainVersion * out), (out))
FORWARD(int, ObjectIncRef, (TainObject * object), (object))
FORWARD(int, ObjectDecRef, (TainObject * object), (object))
FORWARD(int, ObjectCreateOpaque,
        (void* handle, int32_t type_index, void (*deleter)(void* handle), TainObject** out),
        (handle, type_index, deleter, out))
FORWARD(int, SetCustomAllocator, (TainCustomAllocator * allocator), (allocator))
FORWARD(TainCustomAllocator*, GetCustomAllocator, (), ())
FORWARD(int, TypeKeyToIndex, (const TainByteArray* type_key, int32_t* out), (type_key, out))
FORWARD(int32_t, TypeGetOrAllocIndex,
        (const TainByteArray* type_key, int32_t static_index, int32_t depth,
         int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_index),
        (type_key, static_index, depth, num_child_slots, child_slots_can_overflow, parent_index))
FORWARD(const TainTypeInfo*, GetTypeInfo, (int32_t type_index), (type_index))
FORWARD(int, TypeRegisterField, (int32_t type_index, const TainFieldInfo* info), (type_index, info))
FORWARD(int, TypeRegisterMethod, (int32_t type_index, const TainMethodInfo* info),
        (type_index, info))
FORWARD(int, TypeRegisterMetadata, (int32_t type_index, const TainTypeMetadata* metadata),
        (type_index, metadata))
FORWARD(int, TypeRegisterAttr,
        (int32_t type_index, const TainByteArray* name, const TainAny* value),
        (type_index, name, value))
FORWARD(const TainTypeAttrColumn*, GetTypeAttrColumn, (const TainByteArray* name), (name))
FORWARD(int, FunctionCreate,
        (void* self, TainSafeCall safe_call, void (*deleter)(void* self), TainObject** out),
        (self, safe_call, deleter, out))
FORWARD(int, FunctionCall,
        (TainObject * function, const TainAny* args, int32_t num_args, TainAny* result),
        (function, args, num_args, result))
FORWARD(int, FunctionSetGlobal,
        (const TainByteArray* name, TainObject* function, int allow_override),
        (name, function, allow_override))
FORWARD(int, AnyViewToOwnedAny, (const TainAny* view, TainAny* out), (view, out))
FORWARD(int, ErrorCreate,
        (const TainByteArray* kind, const TainByteArray* message, const TainByteArray* backtrace,
         TainObject** out),
        (kind, message, backtrace, out))
FORWARD(int, ErrorCreateWithCauseAndExtraContext,
        (const TainByteArray* kind, const TainByteArray* message, const TainByteArray* backtrace,
         TainObject* cause_chain, TainObject* extra_context, TainObject** out),
        (kind, message, backtrace, cause_chain, extra_context, out))
FORWARD(void, ErrorSetRaised, (TainObject * error), (error))
FORWARD(void, ErrorSetRaisedFromCStr, (const char* kind, const char* message), (kind, message))
FORWARD(void, ErrorSetRaisedFromCStrParts,
        (const char* kind, const char* const* message_parts, int32_t num_parts),
        (kind, message_parts, num_parts))
FORWARD(void, ErrorMoveFromRaised, (TainObject * *out), (out))
FORWARD(const TainByteArray*, Backtrace,
        (const char* filename, int32_t lineno, const char* function, int cross_ffi_boundary),
        (filename, lineno, function, cross_ffi_boundary))
FORWARD(int, StringFromByteArray, (const TainByteArray* input, TainAny* out), (input, out))
FORWARD(int, BytesFromByteArray, (const TainByteArray* input, TainAny* out), (input, out))
FORWARD(int, BigIntFromByteArray, (const TainByteArray* input, TainAny* out), (input, out))
FORWARD(TainByteArray, BigIntGetContentByteArray, (const TainAny* value), (value))
FORWARD(int, DataTypeToString, (const DLDataType* dtype, TainAny* out), (dtype, out))
FORWARD(int, HandleInitOnce, (void** handle, int (*init)(void** result)), (handle, init))
FORWARD(int, EnvModLookupFromImports,
        (TainObject * library_ctx, const char* func_name, TainObject** out),
        (library_ctx, func_name, out))
FORWARD(int, EnvModRegisterContextSymbol, (const char* name, void* symbol), (name, symbol))
FORWARD(int, EnvModRegisterSystemLibSymbol, (const char* name, void* symbol), (name, symbol))
FORWARD(int, HandleDeinitOnce, (void** handle, int (*deinit)(void* handle)), (handle, deinit))
FORWARD(int, TensorFromDLPack,
        (DLManagedTensor * from, int32_t require_alignment, int32_t require_contiguous,
         TainObject** out),
        (from, require_alignment, require_contiguous, out))
FORWARD(int, TensorFromDLPackVersioned,
        (DLManagedTensorVersioned * from, int32_t require_alignment, int32_t require_contiguous,
         TainObject** out),
        (from, require_alignment, require_contiguous, out))
FORWARD(int, TensorToDLPack, (TainObject * from, DLManagedTensor** out), (from, out))
FORWARD(int, TensorToDLPackVersioned, (TainObject * from, DLManagedTensorVersioned** out),
        (from, out))
FORWARD(int, TensorCreateUnsafeView,
        (TainObject * source, const DLTensor* prototype, TainObject** out),
        (source, prototype, out))
FORWARD(int, EnvSetStream,
        (int32_t device_type, int32_t device_id, void* stream, void** opt_out_original),
        (device_type, device_id, stream, opt_out_original))
FORWARD(void*, EnvGetStream, (int32_t device_type, int32_t device_id), (device_type, device_id))
FORWARD(int, EnvSetDLPackManagedTensorAllocator,
        (TainTensorAllocator allocator, int write_to_global, TainTensorAllocator* opt_out_original),
        (allocator, write_to_global, opt_out_original))
FORWARD(TainTensorAllocator, EnvGetDLPackManagedTensorAllocator, (), ())
FORWARD(int, EnvTensorAlloc, (DLTensor * prototype, TainObject** out), (prototype, out))
