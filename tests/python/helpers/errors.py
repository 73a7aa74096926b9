# SPDX-License-Identifier: Apache-2.0
"""Comparing the whole text of an exception, where `pytest.raises(match=...)` searches a pattern;
exceptions on their way through C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tain


class raises:
    """A block that raises `error`, whose `str()` is `text`; its traceback has no frame of this."""

    def __init__(
        self, error: type[BaseException] | tuple[type[BaseException], ...], text: str
    ) -> None:
        self._block = pytest.raises(error)
        self._text = text

    def __enter__(self) -> pytest.ExceptionInfo[Any]:
        self._caught = self._block.__enter__()
        return self._caught

    def __exit__(self, *raised: Any) -> bool:
        suppressed = bool(self._block.__exit__(*raised))
        text = str(self._caught.value) if suppressed else self._text
        del self._block, self._caught  # nothing that the error refers to lives on for this
        assert text == self._text
        return suppressed


def raising(error: BaseException) -> Callable[[], None]:
    """A function that raises the exception."""

    def fail() -> None:
        raise error

    return fail


def check_passes_through(error: BaseException) -> None:
    """C++ that catches what Python raised and throws it on gives back the same object."""
    with pytest.raises(type(error)) as caught:
        tain.get_global_func("testing.pass_through")(raising(error))
    assert caught.value is error
    error.__traceback__ = None


def empty_text(name: str) -> str:
    """The text of every use of a wrapper without an object; `name` is that of its class."""
    return (
        f"{name} object is empty: its __init__ was not called (a subclass must call "
        "super().__init__(...))"
    )


def moved_text(name: str) -> str:
    """The text of every use of a wrapper whose object was moved away."""
    return f"{name} object is empty: it was moved away with _move()"


def in_use_text(where: str) -> str:
    """The text of what may not happen to an object in use; `where` is `Class.method`."""
    return f"{where}: the object is in use by a call that has not returned, or by a buffer"


def no_dtype_text(name: str) -> str:
    """The text of a name that is that of no data type."""
    return (
        "dtype: expected int8..int64, uint8..uint64, float16, float32, float64, bfloat16, "
        "complex64, complex128, bool, handle, void, int4 and other widths, float8_e4m3fn (e3m4, "
        "e4m3, e4m3b11fnuz, e4m3fnuz, e5m2, e5m2fnuz, e8m0fnu), float6_e2m3fn, float6_e3m2fn or "
        "float4_e2m1fn, short names as i32, f16, bf16, fp8_e4m3fn and e4m3fn, with lanes "
        f"as in float32x4, got '{name}'"
    )


def no_device_text(name: str, hint: str = "") -> str:
    """The text of a name that is that of no device; the hint, if any, ends with a blank."""
    return (
        f"device(): expected the name of a device such as 'cuda' or 'cuda:1', got '{name}'. {hint}"
        "Known names: cpu, cuda, cuda_host, cuda_managed, opencl, vulkan, metal, mps, vpi, rocm, "
        "rocm_host, ext_dev, oneapi, webgpu, wgpu, hexagon, maia, trn"
    )


def kind_text(cls: str, got: str) -> str:
    """The text of `testing.kind`, called with one value of a class that no overload takes."""
    refused = {
        "x: float": "float",
        "x: int": "int",
        "x: str": "str",
        "x: Array[int]": "Array[int]",
        "x: testing.Length, *, loud: bool = ...": "testing.Length",
    }
    return "\n".join(
        [
            f"testing.kind: no overload takes ({cls})",
            *(
                f"  kind({parameters}) -> str: argument x: expected {expected}, got {got}"
                for parameters, expected in refused.items()
            ),
            "  kind(x: float, unit: str) -> str: missing argument 'unit'",
        ]
    )
