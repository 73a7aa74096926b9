# SPDX-License-Identifier: Apache-2.0
"""The methods by which objects of other packages cross as values."""

from __future__ import annotations

from tain import _core

__all__ = ["install"]

_METHODS = {
    "__tvm_ffi_object__": "value",
    "__tvm_ffi_value__": "value",
    "__tvm_ffi_opaque_ptr__": "pointer",
    "__tvm_ffi_int__": "int",
    "__tvm_ffi_float__": "float",
    "__dlpack_data_type__": "dtype",
    "__dlpack_device__": "device",
    "__cuda_stream__": "stream",
}


def install() -> None:
    """Let functions take objects with these methods."""
    _core.set_argument_protocols(_METHODS, {})
