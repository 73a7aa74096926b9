// SPDX-License-Identifier: Apache-2.0
// The table of the kinds of devices: numbers of DLPack, names, what they are.
#pragma once

#include <string_view>

#include "tain/dlpack_types.h"

namespace tain::internal {

struct DeviceKind {
  DLDeviceType number;
  const char* name;
  const char* doc;
  const char* second_name = nullptr;      ///< is read only
  std::string_view module_kinds[2] = {};  ///< of modules whose code runs there
};

/// In the order in which messages list them. Sources of the names: DLPack, and for the second ones
/// PyTorch and WebGPU's libraries. A new kind is a row here.
inline constexpr DeviceKind kDeviceKinds[] = {
    {kDLCPU, "cpu", "The memory of the processor."},
    {kDLCUDA, "cuda", "An NVIDIA GPU.", nullptr, {"cuda"}},
    {kDLCUDAHost, "cuda_host", "Memory of the host that CUDA has pinned."},
    {kDLCUDAManaged, "cuda_managed", "Memory that CUDA moves between host and device."},
    {kDLOpenCL, "opencl", "An OpenCL device.", nullptr, {"opencl"}},
    {kDLVulkan, "vulkan", "A Vulkan device.", nullptr, {"vulkan"}},
    {kDLMetal, "metal", "A Metal device.", "mps", {"metal"}},
    {kDLVPI, "vpi", "A Verilog simulator."},
    {kDLROCM, "rocm", "An AMD GPU.", nullptr, {"rocm", "hip"}},
    {kDLROCMHost, "rocm_host", "Memory of the host that ROCm has pinned."},
    {kDLExtDev, "ext_dev", "A device that an extension defines."},
    {kDLOneAPI, "oneapi", "A oneAPI device."},
    {kDLWebGPU, "webgpu", "A WebGPU device.", "wgpu", {"webgpu"}},
    {kDLHexagon, "hexagon", "A Hexagon DSP.", nullptr, {"hexagon"}},
    {kDLMAIA, "maia", "A Microsoft Maia device."},
    {kDLTrn, "trn", "An AWS Trainium device."},
};

}  // namespace tain::internal
