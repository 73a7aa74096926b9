# SPDX-License-Identifier: Apache-2.0
"""Use the module of nanobind with objects of tain; the argument is the folder of the build."""

from __future__ import annotations

import sys
from pathlib import Path

import tain

build = Path(sys.argv[1])
tain.load_library(build / "libsketch.so")
sys.path.insert(0, str(build))

import drawing  # noqa: E402
from tain.types.sketch import Point  # noqa: E402


class Named(Point):
    """A Python subclass, which passes through the module as itself."""

    def __init__(self, name: str) -> None:
        super().__init__(1, 2)
        self.name = name


def main() -> None:
    """Pass objects there and back."""
    named, path = Named("start"), drawing.Path()
    assert drawing.same(named) is named
    assert path.last() is None
    path.add(named)
    del named
    assert path.last().name == "start"
    assert len(path) == 1
    assert drawing.middle(Point(0, 0), Point(2, 4)).y == 2.0
    assert drawing.anything([1, "a", None]) == [1, "a", None]
    for wrong in (None, 1, path):
        try:
            drawing.same(wrong)
        except TypeError:
            continue
        raise AssertionError(f"{wrong!r} was taken for a Point")
    print("all as expected")


main()
