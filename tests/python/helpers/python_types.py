# SPDX-License-Identifier: Apache-2.0
"""Types defined in Python that the tests of tain.py_class share."""

from __future__ import annotations

from typing import ClassVar

import tain


@tain.py_class("pyclass.Node")
class Node:
    """A node of a tree."""

    name: str
    weight: float = 0.5
    count: int = 1
    on: bool = True
    children: list[Node] = tain.field(default_factory=list, doc="the nodes below")
    parent: Node | None = None
    extra: object = None
    LIMIT: ClassVar[int] = 5

    def total(self, factor: int = 1) -> int:
        """Return the count of the node and all below."""
        return factor * (self.count + sum(child.total() for child in self.children))

    @staticmethod
    def leaf(name: str) -> Node:
        return Node(name)


@tain.py_class("pyclass.Point", eq=True, order=True, frozen=True)
class Point:
    x: int
    y: int = 0
