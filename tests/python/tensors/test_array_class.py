# SPDX-License-Identifier: Apache-2.0
"""Classes of arrays: found by their attributes, many of them, with tables that are none."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from producers import Wrapped
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

total = get("tensor_sum")


def test_more_classes_than_are_remembered() -> None:
    classes = [type(f"Wrapped{number}", (Wrapped,), {}) for number in range(200)]
    for cls in classes + classes[::-1]:
        assert total(cls(np.arange(3.0))) == 3.0
    dead = [weakref.ref(cls) for cls in classes]
    del cls, classes
    gc.collect()
    assert sum(ref() is not None for ref in dead) <= 64


def test_a_class_that_becomes_one_of_arrays() -> None:
    class Late:
        def __init__(self) -> None:
            self.array = np.arange(3.0)

    late = Late()
    assert tain.testing.echo(late) is late
    with pytest.raises(TypeError, match="got Late"):
        total(late)
    for name in ("__dlpack__", "__dlpack_device__"):
        setattr(Late, name, getattr(Wrapped, name))
    late.asked = []  # type: ignore[attr-defined]
    assert total(late) == 3.0


def _capsule(name: bytes, address: int) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(address, name, None)


# A capsule points to its name, which must live as long.
NAME, OTHER = b"dlpack_exchange_api", b"other"
TABLE = (ctypes.c_uint32 * 32)(1, 3)  # the version, and no function
FUTURE = (ctypes.c_uint32 * 32)(2, 0)
CAPSULES = {
    "a number": 5,
    "another name": _capsule(OTHER, ctypes.addressof(TABLE)),
    "no functions": _capsule(NAME, ctypes.addressof(TABLE)),
    "a later version only": _capsule(NAME, ctypes.addressof(FUTURE)),
}


@pytest.mark.parametrize("table", CAPSULES.values(), ids=CAPSULES)
def test_tables_that_are_none(table: Any) -> None:
    """The method `__dlpack__` is used instead."""

    class Odd(Wrapped):
        __dlpack_c_exchange_api__ = table

    array = Odd(np.arange(3.0))
    assert total(array) == 3.0
    assert array.asked
