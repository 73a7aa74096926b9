# SPDX-License-Identifier: Apache-2.0
"""Types that are compared in different ways, for tests of equality, of hashes and of keys."""

from __future__ import annotations

from typing import Any

from tain.types.testing import Point

import tain


@tain.py_class("value_types.Cell", eq=True, frozen=True)
class Cell:
    value: object
    size: float = 0.0


@tain.py_class("value_types.Loose", eq=True, unsafe_hash=True)
class Loose:
    value: object = None
    next: Any = None


@tain.py_class("value_types.Plain")
class Plain:
    value: int


class Corner(Point):
    """A plain Python subclass of a type without equality."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corner) and self.x == other.x

    def __hash__(self) -> int:
        return hash(self.x)
