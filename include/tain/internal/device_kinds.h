// SPDX-License-Identifier: Apache-2.0
// The table of the kinds of devices: numbers of DLPack, names, what they are.
#pragma once

#include <cstdint>
#include <string_view>

#include "tain/dlpack_types.h"

namespace tain::internal {

/// How the processor sees the memory of a device.
enum class DeviceMemory : uint8_t {
  kHandle,   ///< `data` is a handle to which no bytes can be added
  kAddress,  ///< an address that it cannot read
  kHost      ///< it can read and write it
};

struct DeviceKind {
  DLDeviceType number;
  DeviceMemory memory;
  const char* name;
  const char* doc;
  const char* second_name = nullptr;      ///< is read only
  std::string_view module_kinds[2] = {};  ///< of modules whose code runs there
};

/// In the order in which messages list them. Sources of the names: DLPack, and for the second ones
/// PyTorch and WebGPU's libraries. A new kind is a row here.
inline constexpr DeviceKind kDeviceKinds[] = {
    {kDLCPU, DeviceMemory::kHost, "cpu", "The memory of the processor."},
    {kDLCUDA, DeviceMemory::kAddress, "cuda", "An NVIDIA GPU.", nullptr, {"cuda"}},
    {kDLCUDAHost, DeviceMemory::kHost, "cuda_host", "Memory of the host that CUDA has pinned."},
    {kDLCUDAManaged, DeviceMemory::kHost, "cuda_managed",
     "Memory that CUDA moves between host and device."},
    {kDLOpenCL, DeviceMemory::kHandle, "opencl", "An OpenCL device.", nullptr, {"opencl"}},
    {kDLVulkan, DeviceMemory::kHandle, "vulkan", "A Vulkan device.", nullptr, {"vulkan"}},
    {kDLMetal, DeviceMemory::kHandle, "metal", "A Metal device.", "mps", {"metal"}},
    {kDLVPI, DeviceMemory::kHandle, "vpi", "A Verilog simulator."},
    {kDLROCM, DeviceMemory::kAddress, "rocm", "An AMD GPU.", nullptr, {"rocm", "hip"}},
    {kDLROCMHost, DeviceMemory::kHost, "rocm_host", "Memory of the host that ROCm has pinned."},
    {kDLExtDev, DeviceMemory::kHandle, "ext_dev", "A device that an extension defines."},
    {kDLOneAPI, DeviceMemory::kHandle, "oneapi", "A oneAPI device."},
    {kDLWebGPU, DeviceMemory::kHandle, "webgpu", "A WebGPU device.", "wgpu", {"webgpu"}},
    {kDLHexagon, DeviceMemory::kHandle, "hexagon", "A Hexagon DSP.", nullptr, {"hexagon"}},
    {kDLMAIA, DeviceMemory::kHandle, "maia", "A Microsoft Maia device."},
    {kDLTrn, DeviceMemory::kHandle, "trn", "An AWS Trainium device."},
};

/// Whether the memory of a device is of at least this kind; false for kinds that the table lacks.
template <DeviceMemory kMemory>
constexpr bool HasMemory(DLDevice device) noexcept {
  constexpr uint64_t kKinds = [] {
    uint64_t kinds = 0;
    for (const DeviceKind& kind : kDeviceKinds) {
      if (kind.memory >= kMemory) kinds |= uint64_t{1} << kind.number;
    }
    return kinds;
  }();
  const auto number = static_cast<uint32_t>(device.device_type);
  return number < 64 && (kKinds >> number & 1) != 0;
}

}  // namespace tain::internal
