# SPDX-License-Identifier: Apache-2.0
"""What is done with the objects of a library of others leaves nothing behind, however often.

What is in use is counted by the C library and by Python, which have given each block.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest

import tain

# Fewer than one block in twenty rounds; caches and the pace of collections settle before.
ROUNDS, WARM_UP, BLOCKS = 10_000, 3000, 500


class MallInfo(ctypes.Structure):
    """The struct mallinfo2 of malloc.h."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks"),
            *("fordblks", "keepcost"),
        )
    ]


mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = MallInfo


def in_use() -> tuple[int, int]:
    """Return the bytes in use that the C library gave, and the blocks of Python's own memory."""
    gc.collect()
    return mallinfo().uordblks, sys.getallocatedblocks()


def fails(function: Callable[..., Any], *arguments: Any) -> None:
    with contextlib.suppress(ValueError, TypeError, IndexError, KeyError):
        function(*arguments)
        raise AssertionError("no error")


def raises(*_: object) -> None:
    raise ValueError("of Python")


def in_a_cycle(point: Any) -> None:
    ring = tain.List([point(1, 2)])
    ring.append(ring)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "a call": lambda client, point: client.add(2, 3),
    "a text": lambda client, point: client.text(),
    "an error": lambda client, point: fails(client.fail),
    "a wrong argument": lambda client, point: fails(client.add, 1, "a"),
    "an error that the library takes": lambda client, point: client.try_call(client.fail),
    "an error of Python through the library": lambda client, point: fails(client.call, raises),
    "an error of Python that the library takes": lambda client, point: client.try_call(raises),
    "a callback": lambda client, point: client.call(lambda a: a, [1, "a", point(1, 2)]),
    "a text comes back": lambda client, point: client.echo("a text on the heap, " * 3),
    "a large integer comes back": lambda client, point: client.echo(2**200),
    "containers come back": lambda client, point: client.echo([1, {"a": [point(1, 2)]}]),
    "an object": lambda client, point: client.echo(point(1, 2)).norm(),
    "an object that is not made": lambda client, point: fails(point, "a"),
    "a field": lambda client, point: setattr(point(1, 2), "x", 3),
    "a field with a wrong value": lambda client, point: fails(setattr, point(1, 2), "x", "a"),
    "an object in a container": lambda client, point: tain.List([point(1, 2)])[0],
    "a cycle": lambda client, point: in_a_cycle(point),
    "an array": lambda client, point: client.call_global("ffi.Array", 1, point(1, 2)),
    "a map": lambda client, point: client.call_global("ffi.Map", "a", point(1, 2)),
    "a list": lambda client, point: client.call_global("ffi.ListPop", [1, point(1, 2)], 1),
    "an index out of range": lambda client, point: fails(
        client.call_global, "ffi.ListPop", [point(1, 2)], 7
    ),
    "a deep copy": lambda client, point: client.call_global("ffi.DeepCopy", [[1], "a"]),
    "a comparison": lambda client, point: client.call_global("ffi.RecursiveEq", [1, [2]], [1, [2]]),
    "a hash": lambda client, point: client.call_global("ffi.RecursiveHash", [1, [2]]),
    "a repr": lambda client, point: client.call_global("ffi.ReprPrint", [point(1, 2)]),
    "repr": lambda client, point: repr(point(1, 2)),
    "copy": lambda client, point: fails(copy.copy, point(1, 2)),
    "a function with a state": lambda client, point: client.counter()(),
    "a function by its name": lambda client, point: client["add"](1, 2),
    "a function that is not there": lambda client, point: fails(client.call_global, "not.there"),
    "a global function": lambda client, point: tain.get_global_func("client.add")(1, 2),
    "a stream": lambda client, point: client.stream(7),
    "an iterator over a map": lambda client, point: client.call_global(
        "ffi.MapForwardIterFunctor", {"a": 1}
    )(0),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_nothing_is_left(client: Any, point: Any, name: str) -> None:
    operation = OPERATIONS[name]
    # Memory that tain keeps for the next objects of others is as much as were alive at once:
    # without collections more than in the rounds.
    gc.disable()
    for _ in range(WARM_UP):
        operation(client, point)
    gc.enable()
    for _ in range(WARM_UP):
        operation(client, point)
    bytes_before, blocks_before = in_use()
    for _ in range(ROUNDS):
        operation(client, point)
    bytes_after, blocks_after = in_use()
    assert blocks_after - blocks_before < BLOCKS
    assert bytes_after - bytes_before < BLOCKS * 32
