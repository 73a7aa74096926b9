# Written by `python -m tain stubgen`; do not edit.
# A C++ class may change what it inherits, and overloads may overlap.
# mypy: disable-error-code="override, assignment, misc, overload-overlap, overload-cannot-match, mutable-override"
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false
"""Points, polygons and functions of them, all written in C++."""

import collections.abc
import enum
import tain


class Orientation(enum.IntEnum):
    """The sense in which corners follow one another."""
    CLOCKWISE = -1
    NONE = 0
    COUNTERCLOCKWISE = 1

class Point(tain.Object):
    """A point in the plane."""
    __match_args__ = ('x', 'y')
    x: float
    """abscissa"""
    y: float
    """ordinate"""
    def __init__(self, x: float, y: float = 0.0) -> None: ...
    def norm(self) -> float:
        """Distance from the origin."""

class Polygon(tain.Object):
    """A closed line through some points."""
    __match_args__ = ('corners',)
    @property
    def corners(self) -> tain.Array[Point]: ...
    @property
    def orientation(self) -> Orientation: ...
    def __init__(self, corners: collections.abc.Iterable[Point]) -> None: ...
    def area(self) -> float: ...

def centroid(points: collections.abc.Iterable[Point]) -> Point:
    """The mean of some points."""
