// SPDX-License-Identifier: Apache-2.0
// DLPack's structs, declared by hand from the DLPack 1.1 specification.
//
// If <dlpack/dlpack.h> can be included, this header includes it and declares nothing, so that both
// may be used in one file.
#pragma once

#include <stdint.h>

#if !defined(DLPACK_VERSION) && !defined(DLPACK_MAJOR_VERSION)
#if defined(__has_include)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif
#endif
#endif
#if defined(DLPACK_VERSION) && !defined(DLPACK_MAJOR_VERSION)
#error "tain needs DLPack 1.0 or later: the dlpack/dlpack.h that this file includes is older"
#endif
#if !defined(DLPACK_MAJOR_VERSION) && !defined(TAIN_DLPACK_DECLARED)
#define TAIN_DLPACK_DECLARED 1
/// The kind of a device; values from DLPack 1.1. In C++ the enum has the type int32_t, as in
/// DLPack's own header, so that kinds of a later DLPack pass through.
#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
  kDLOneAPI = 14,
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17,
  kDLTrn = 18
} DLDeviceType;

/// A device: its kind and number.
typedef struct {
  DLDeviceType device_type;  ///< kind
  int32_t device_id;         ///< number, from 0
} DLDevice;

/// The code of a data type; values from DLPack 1.1.
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLComplex = 5U,
  kDLBool = 6U,
  kDLFloat8_e3m4 = 7U,
  kDLFloat8_e4m3 = 8U,
  kDLFloat8_e4m3b11fnuz = 9U,
  kDLFloat8_e4m3fn = 10U,
  kDLFloat8_e4m3fnuz = 11U,
  kDLFloat8_e5m2 = 12U,
  kDLFloat8_e5m2fnuz = 13U,
  kDLFloat8_e8m0fnu = 14U,
  kDLFloat6_e2m3fn = 15U,
  kDLFloat6_e3m2fn = 16U,
  kDLFloat4_e2m1fn = 17U
} DLDataTypeCode;

/// A data type: code, bits of one lane, lanes.
typedef struct {
  uint8_t code;    ///< DLDataTypeCode
  uint8_t bits;    ///< bits of one lane
  uint16_t lanes;  ///< number of lanes, 1 for scalars
} DLDataType;

/// A view of the memory of a tensor.
typedef struct {
  void* data;            ///< the memory; on some devices a handle
  DLDevice device;       ///< where the memory is
  int32_t ndim;          ///< number of dimensions
  DLDataType dtype;      ///< type of the elements
  int64_t* shape;        ///< extents, `ndim` of them
  int64_t* strides;      ///< elements from one index to the next; null: row-major, no gaps
  uint64_t byte_offset;  ///< bytes from `data` to the first element
} DLTensor;

/// A tensor that is passed on with its ownership, in the form before DLPack 1.0.
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;                              ///< the producer's data
  void (*deleter)(struct DLManagedTensor* self);  ///< called once by the consumer; may be null
} DLManagedTensor;

/// A version of DLPack. Another major version has another layout.
typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

/// Bits of DLManagedTensorVersioned::flags.
#define DLPACK_FLAG_BITMASK_READ_ONLY (UINT64_C(1) << 0)
#define DLPACK_FLAG_BITMASK_IS_COPIED (UINT64_C(1) << 1)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (UINT64_C(1) << 2)

/// A tensor that is passed on with its ownership.
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;                                       ///< the producer's data
  void (*deleter)(struct DLManagedTensorVersioned* self);  ///< called once; may be null
  uint64_t flags;                                          ///< DLPACK_FLAG_BITMASK_*
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
#endif
