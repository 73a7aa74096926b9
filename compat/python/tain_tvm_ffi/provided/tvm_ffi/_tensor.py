# SPDX-License-Identifier: Apache-2.0
"""Devices and tensors."""

from __future__ import annotations

from enum import IntEnum

from tain import Device, Shape, Tensor, from_dlpack
from tain import device as _device


class DLDeviceType(IntEnum):
    """The kinds of devices, with the numbers of DLPack."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18


def device(device_type: str | int | DLDeviceType | Device, index: int | None = None) -> Device:
    """Return a device by name, as ``"cuda:1"``, or by kind and number."""
    return _device(device_type, index)


__all__ = ["DLDeviceType", "Device", "Shape", "Tensor", "device", "from_dlpack"]
