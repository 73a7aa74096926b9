# SPDX-License-Identifier: Apache-2.0
"""Python subclasses of Point that have state."""

from __future__ import annotations

from tain.types.testing import Point


class Labelled(Point):
    def __init__(self, x: float, label: object = None) -> None:
        super().__init__(x)
        self.label = label


class Slotted(Point):
    __slots__ = ("label",)
