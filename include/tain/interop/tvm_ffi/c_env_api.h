// SPDX-License-Identifier: Apache-2.0
// The C functions of the environment (streams, allocation, signals, modules) under the names
// TVMFFIEnv*, for C and C++; see c_api.h.
#pragma once

#include "tain/interop/tvm_ffi/c_api.h"

/// Allocates tensors; the C name of DLPack for it.
typedef TainTensorAllocator DLPackManagedTensorAllocator;

static inline int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id,
                                     TVMFFIStreamHandle stream,
                                     TVMFFIStreamHandle* opt_out_original_stream) TAIN_NOEXCEPT {
  return TainEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}
static inline TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type,
                                                    int32_t device_id) TAIN_NOEXCEPT {
  return TainEnvGetStream(device_type, device_id);
}
static inline int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator* opt_out_original_allocator) TAIN_NOEXCEPT {
  return TainEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context,
                                                opt_out_original_allocator);
}
static inline DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void)
    TAIN_NOEXCEPT {
  return TainEnvGetDLPackManagedTensorAllocator();
}
static inline int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainEnvTensorAlloc(prototype, TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFIEnvCheckSignals(void) TAIN_NOEXCEPT { return TainCheckSignals(); }
/// Does nothing and returns 0: tain takes the functions of a host from TainSetHost.
static inline int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) TAIN_NOEXCEPT {
  (void)name;
  (void)symbol;
  return 0;
}
static inline int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx,
                                                const char* func_name,
                                                TVMFFIObjectHandle* out) TAIN_NOEXCEPT {
  return TainEnvModLookupFromImports(TAIN_INTERNAL_HANDLE(library_ctx), func_name,
                                     TAIN_INTERNAL_HANDLES(out));
}
static inline int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) TAIN_NOEXCEPT {
  return TainEnvModRegisterContextSymbol(name, symbol);
}
static inline int TVMFFIEnvModRegisterSystemLibSymbol(const char* name,
                                                      void* symbol) TAIN_NOEXCEPT {
  return TainEnvModRegisterSystemLibSymbol(name, symbol);
}
