// SPDX-License-Identifier: Apache-2.0
// DLPack's table of C functions that a class of arrays offers (`__dlpack_c_exchange_api__`), from
// the DLPack 1.3 specification, and its capsules.
#pragma once

#include "tain/c_api.h"

namespace tain::bindings {

/// The names of the capsules that hold a tensor of DLPack, or held one that was taken out.
template <class Managed>
struct CapsuleNames {
  static constexpr const char* kName = "dltensor_versioned";
  static constexpr const char* kUsed = "used_dltensor_versioned";
};
template <>
struct CapsuleNames<DLManagedTensor> {
  static constexpr const char* kName = "dltensor";
  static constexpr const char* kUsed = "used_dltensor";
};

/// The part of the table that never changes.
struct ExchangeApiHeader {
  DLPackVersion version;
  ExchangeApiHeader* prev_api;  ///< an older table, or null
};

/// The table. All functions return 0, or -1 with a Python error set, and run with the GIL held.
struct ExchangeApi {
  static constexpr const char* kCapsule = "dlpack_exchange_api";

  ExchangeApiHeader header;
  TainTensorAllocator managed_tensor_allocator;
  int (*managed_tensor_from_py_object_no_sync)(void* py_object, DLManagedTensorVersioned** out);
  /// Takes over `tensor` if it succeeds.
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned* tensor,
                                             void** out_py_object);
  int (*dltensor_from_py_object_no_sync)(void* py_object, DLTensor* out);  ///< may be null
  int (*current_work_stream)(DLDeviceType device_type, int32_t device_id, void** out_stream);
};

}  // namespace tain::bindings
