# SPDX-License-Identifier: Apache-2.0
"""The stream on which the work of a thread for a device runs."""

from __future__ import annotations

import ctypes
from typing import Any

import tain_tvm_ffi

from tain import Device, device

_library = tain_tvm_ffi.load()
_library.TVMFFIEnvSetStream.argtypes = (
    ctypes.c_int32,
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
)
_library.TVMFFIEnvGetStream.argtypes = (ctypes.c_int32, ctypes.c_int32)
_library.TVMFFIEnvGetStream.restype = ctypes.c_void_p


def _set(device: Device, stream: Any) -> Any:
    before = ctypes.c_void_p()
    _library.TVMFFIEnvSetStream(device.device_type, device.device_id, stream, ctypes.byref(before))
    return before


class StreamContext:
    """Sets the stream of a device inside of a `with` block."""

    def __init__(self, device: Device, stream: int | ctypes.c_void_p) -> None:
        self.device = device
        self.stream = stream

    def __enter__(self) -> StreamContext:
        self._before = _set(self.device, self.stream)
        return self

    def __exit__(self, *args: object) -> None:
        _set(self.device, self._before)


class _TorchStreamContext:
    def __init__(self, context: Any) -> None:
        self._context = context

    def __enter__(self) -> _TorchStreamContext:
        import torch

        if self._context is not None:
            self._context.__enter__()
        current = torch.cuda.current_stream()
        self._stream = StreamContext(device(str(current.device)), current.cuda_stream)
        self._stream.__enter__()
        return self

    def __exit__(self, *args: object) -> None:
        if self._context is not None:
            self._context.__exit__(*args)
        self._stream.__exit__(*args)


def use_torch_stream(context: Any = None) -> _TorchStreamContext:
    """Run the work of a `with` block on torch's stream, or on that of a graph being captured."""
    return _TorchStreamContext(context)


def use_raw_stream(device: Device, stream: int | ctypes.c_void_p) -> StreamContext:
    """Run the work of a `with` block on the stream of this address."""
    if not isinstance(stream, (int, ctypes.c_void_p)):
        raise ValueError(
            "use_raw_stream: expected the address of a stream (int or c_void_p), got "
            f"{type(stream).__name__}; use_torch_stream takes those of torch"
        )
    return StreamContext(device, stream)


def get_raw_stream(device: Device) -> int:
    """Return the address of the stream that is set for a device; 0 is the default one."""
    return _library.TVMFFIEnvGetStream(device.device_type, device.device_id) or 0


__all__ = ["StreamContext", "get_raw_stream", "use_raw_stream", "use_torch_stream"]
