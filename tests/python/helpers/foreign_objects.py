# SPDX-License-Identifier: Apache-2.0
"""The types of tests/foreign_lib, which know nothing of tain's headers."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import foreign_lib

import tain

foreign_lib.load("objects")
foreign_lib.load("shapes")

Point = tain.get_class("foreign_c.Point")
Bare = tain.get_class("foreign_c.Bare")
Auto = tain.get_class("foreign_c.Auto")
Written = tain.get_class("foreign_c.Written")
Copied = tain.get_class("foreign_c.Copied")
Unmade = tain.get_class("foreign_c.Unmade")
Shape = tain.get_class("foreign_cpp.Shape")
Wide = tain.get_class("foreign_cpp.Wide")

keep = foreign_lib.function("foreign_c.keep")
kept = foreign_lib.function("foreign_c.kept")


def alive() -> int:
    gc.collect()
    return foreign_lib.function("foreign_c.alive")() + foreign_lib.function("foreign_cpp.alive")()


class Named(Point):
    """A Python subclass with state."""

    def __init__(self, x: int, name: str = "n") -> None:
        super().__init__(x)
        self.name = name


def objects_die() -> Iterator[None]:
    """The body of a fixture: no object of this library outlives a test."""
    before = alive()
    yield
    keep(None)
    assert alive() == before
