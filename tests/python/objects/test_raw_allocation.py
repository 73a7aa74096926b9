# SPDX-License-Identifier: Apache-2.0
"""Instances that a library made by tp_alloc alone, as msgspec does: empty wrappers."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import gc
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import tain.types.testing as t

import tain

pytestmark = pytest.mark.bad_input

_allocate = ctypes.pythonapi.PyType_GenericAlloc
_allocate.restype, _allocate.argtypes = ctypes.py_object, (ctypes.py_object, ctypes.c_ssize_t)


class Fresh(t.Point):
    """A subclass of which nobody has made an instance."""


class Used(t.Point):
    """A subclass that was used before."""


Used(1)

CLASSES = [
    # A str that nobody filled is none: a debug build of CPython aborts.
    *(cls for cls in map(tain.get_class, tain.type_keys("testing.")) if not issubclass(cls, str)),
    *(tain.Array, tain.List, tain.Map, tain.Dict, tain.Tensor, tain.Module, tain.Function),
    *(Fresh, Used),
]
OPERATIONS: tuple[Callable[[Any], object], ...] = (
    *(repr, str, hash, len, iter, list, bool, copy.copy, copy.deepcopy, pickle.dumps, dir),
    *(gc.get_referents, tain.structural_hash, tain.save_json, lambda x: x == x, lambda x: x()),
    *(lambda x: x < x, lambda x: x + x, lambda x: x[0], lambda x: setattr(x, "x", 1)),
    *(operator.attrgetter("x"), tain.testing.echo, lambda x: tain.Array([x])),
    *(lambda x: x.same_as(x), lambda x: x._move(), memoryview),
)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__qualname__)
def test_every_operation_survives(cls: type) -> None:
    for operation in OPERATIONS:
        made = _allocate(cls, 0)
        with contextlib.suppress(Exception):
            operation(made)
        gc.collect(0)
        del made


@pytest.mark.parametrize("cls", [t.Point, Used])
def test_what_it_says(cls: type) -> None:
    made = _allocate(cls, 0)
    for operation in (operator.attrgetter("x"), tain.testing.echo):
        with pytest.raises(ValueError, match="object is empty: its __init__ was not called"):
            operation(made)
    made.__init__(3)
    assert made.x == 3
