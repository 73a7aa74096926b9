# SPDX-License-Identifier: Apache-2.0
"""Places inside of graphs."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from tain import Object, get_global_func

from .registry import register_object

__all__ = ["AccessKind", "AccessPath", "AccessStep"]

_make = get_global_func("ffi.MakeObjectFromPackedArgs")
_equal = get_global_func("ffi.RecursiveEq")


class AccessKind(IntEnum):
    """The kinds of steps."""

    ATTR = 0
    ARRAY_ITEM = 1
    MAP_ITEM = 2
    ATTR_MISSING = 3
    ARRAY_ITEM_MISSING = 4
    MAP_ITEM_MISSING = 5


@register_object("ffi.reflection.AccessStep", init=False)
class AccessStep(Object):
    """One step: to an attribute, an element or the value of a key, or to where there is none."""

    kind: int
    key: Any

    def __repr__(self) -> str:
        key = str(self.key) if self.kind in (0, 1, 4) else repr(self.key)
        if self.kind >= AccessKind.ATTR_MISSING:
            return f"[<missing:{key}>]"
        return f".{key}" if self.kind == AccessKind.ATTR else f"[{key}]"


@register_object("ffi.reflection.AccessPath", init=False)
class AccessPath(Object):
    """A place inside of a graph: the steps from the root."""

    parent: AccessPath | None
    step: AccessStep | None
    depth: int

    def __init__(self) -> None:
        raise ValueError("AccessPath can't be initialized directly: use AccessPath.root()")

    @staticmethod
    def root() -> AccessPath:
        """Return the place of the whole graph."""
        made: AccessPath = _make(_KEY, "parent", None, "step", None, "depth", 0)
        return made

    def _to(self, kind: AccessKind, key: Any) -> AccessPath:
        step = _make("ffi.reflection.AccessStep", "kind", int(kind), "key", key)
        made: AccessPath = _make(_KEY, "parent", self, "step", step, "depth", self.depth + 1)
        return made

    def attr(self, attr_key: str) -> AccessPath:
        """Return the place of an attribute."""
        return self._to(AccessKind.ATTR, attr_key)

    def attr_missing(self, attr_key: str) -> AccessPath:
        """Return the place of an attribute that is missing."""
        return self._to(AccessKind.ATTR_MISSING, attr_key)

    def array_item(self, index: int) -> AccessPath:
        """Return the place of an element."""
        return self._to(AccessKind.ARRAY_ITEM, index)

    def array_item_missing(self, index: int) -> AccessPath:
        """Return the place of an element that is missing."""
        return self._to(AccessKind.ARRAY_ITEM_MISSING, index)

    def map_item(self, key: Any) -> AccessPath:
        """Return the place of the value of a key."""
        return self._to(AccessKind.MAP_ITEM, key)

    def map_item_missing(self, key: Any) -> AccessPath:
        """Return the place of a key that is missing."""
        return self._to(AccessKind.MAP_ITEM_MISSING, key)

    def to_steps(self) -> list[AccessStep]:
        """Return the steps from the root."""
        steps: list[AccessStep] = []
        place: AccessPath | None = self
        while place is not None and place.step is not None:
            steps.append(place.step)
            place = place.parent
        return steps[::-1]

    def is_prefix_of(self, other: AccessPath) -> bool:
        """Return whether a place is inside of this one, or is this one."""
        place: AccessPath | None = other
        while place is not None and place.depth > self.depth:
            place = place.parent
        return self == place

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AccessPath) or self.depth != other.depth:
            return False
        pairs = zip(self.to_steps(), other.to_steps(), strict=True)
        return all(a.kind == b.kind and _equal(a.key, b.key) for a, b in pairs)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = Object.__hash__

    def __repr__(self) -> str:
        return "<root>" + "".join(map(repr, self.to_steps()))


_KEY = "ffi.reflection.AccessPath"


def of_tain(path: Any, missing: bool) -> AccessPath:
    """Return the place of a path of tain's; its last step may lead to what is missing."""
    kinds = {"index": AccessKind.ARRAY_ITEM, "key": AccessKind.MAP_ITEM}
    made = AccessPath.root()
    steps = list(path.steps)
    for step in steps:
        kind = kinds.get(step.kind, AccessKind.ATTR)
        if missing and step is steps[-1]:
            kind = AccessKind(kind + 3)
        made = made._to(kind, step.value)
    return made
