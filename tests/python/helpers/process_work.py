# SPDX-License-Identifier: Apache-2.0
"""What the tests of several processes run in the others, by name."""

from __future__ import annotations

import os
from typing import Any

from tain.types.testing import Node, Point

import tain


class Labelled(Node):
    """A Python subclass with attributes."""


@tain.py_class("process_work.Box", eq=True)
class Box:
    """A type that Python defines."""

    value: Any = None


@tain.register_error("process_work.Failure")
class Failure(RuntimeError):
    """Raised by C++ errors of this kind."""


def here(value: Any) -> tuple[int, Any]:
    """Return the process and the value."""
    return os.getpid(), value


def total(node: Node | None) -> int:
    """Return the sum over a chain."""
    found = 0
    while node is not None:
        found, node = found + node.value, node.next
    return found


def moved(point: Point) -> Point:
    point.x += 1
    return point


def doubled(tensor: tain.Tensor) -> tain.Tensor:
    return tain.tensor(tensor.numpy() * 2)


def fail(kind: str, message: str) -> None:
    tain.get_global_func("testing.test_raise_error")(kind, message)


def call(function: Any, *args: Any) -> Any:
    """Call a function that came as an argument."""
    return function(*args)


def ends(connection: Any) -> None:
    """Answer until there is nothing more."""
    while (value := connection.recv()) is not None:
        connection.send(value)
