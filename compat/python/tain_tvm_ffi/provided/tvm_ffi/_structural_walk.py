# SPDX-License-Identifier: Apache-2.0
"""Walks over graphs, and graphs with other parts, by functions for types of values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

import tain
from tain import Array, Dict, List, Map, Object, _core

__all__ = [
    "DefRegionKind",
    "InplaceMode",
    "StructuralMutator",
    "StructuralVisitor",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
]


class VisitInterrupt:
    """Ends a walk, with a value for its caller."""

    __slots__ = ("value",)

    def __init__(self, value: Any = None) -> None:
        self.value = tain.convert(value)


class WalkOrder(IntEnum):
    """Whether a value comes before what is inside of it."""

    PREORDER = 0
    POSTORDER = 1


class WalkResult(IntEnum):
    """What a function of a walk in pre-order returns."""

    ADVANCE = 0
    SKIP = 1


class InplaceMode(IntEnum):
    """Whether a value may be changed in place."""

    DISALLOW = 0
    ALLOW = 1


class DefRegionKind(IntEnum):
    """Whether variables are defined at a place, or used."""

    NONE = 0
    DEF_PATTERN = 1
    DEF_SIMPLE = 2


_KINDS = {"def": DefRegionKind.DEF_PATTERN, "simple_def": DefRegionKind.DEF_SIMPLE}
_SEQUENCES = (Array, List)
_MAPS = (Map, Dict)


def _fields_of(value: Any) -> list[Any]:
    return [one for one in _core.type_info(type(value)).fields if one.structural != "ignore"]


class _Dispatch:
    """The functions of a walk, by the types of values."""

    def __init__(self, callbacks: Any, where: str) -> None:
        self.entries: list[tuple[Any, Callable[..., Any]]] = []
        if callable(callbacks):
            self.entries.append((object, callbacks))
        elif isinstance(callbacks, tuple) and len(callbacks) == 2 and callable(callbacks[1]):
            self.add(callbacks, where)
        elif isinstance(callbacks, Sequence) and not isinstance(callbacks, (str, bytes)):
            for one in callbacks:
                if not isinstance(one, tuple) or len(one) != 2 or not callable(one[1]):
                    raise TypeError(
                        f"{where} callbacks within a sequence must be (type, callback) tuples"
                    )
                self.add(one, where)
        else:
            raise TypeError(f"{where} callbacks must be a function or (type, callback) tuples")

    def add(self, entry: tuple[Any, Callable[..., Any]], where: str) -> None:
        types = entry[0] if isinstance(entry[0], tuple) else (entry[0],)
        for one in types:
            cls = object if one is Any else one
            known = (int, float, bool, str, bytes, type(None), object, tain.dtype, tain.Device)
            if cls is None:
                cls = type(None)
            if not isinstance(cls, type) or not (cls in known or issubclass(cls, Object)):
                raise TypeError(f"{where} callback type {one!r} is no type of values")
            self.entries.append((cls, entry[1]))

    def find(self, value: Any) -> Callable[..., Any] | None:
        """Return the first function for a value."""
        for cls, function in self.entries:
            if cls is object or type(value) is cls:
                return function
            if isinstance(value, cls) and not (cls is int and isinstance(value, bool)):
                return function
        return None


class _Region:
    """The kind of definitions at the place where a walk is."""

    kind = DefRegionKind.NONE

    def def_region_kind(self) -> DefRegionKind:
        """Return the kind of definitions at this place."""
        return self.kind

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call a function as if it were at a place with definitions of a kind."""
        before, self.kind = self.kind, DefRegionKind(kind)
        try:
            return callback()
        finally:
            self.kind = before

    def inner(self, field: Any) -> DefRegionKind:
        """Return the kind of the values of a field."""
        if self.kind is DefRegionKind.DEF_PATTERN:
            return self.kind
        return _KINDS.get(field.structural, DefRegionKind.NONE)


class StructuralVisitor(_Region):
    """Visits the parts of values, for functions that say themselves what is visited."""

    def __init__(self, visit: Callable[[Any], Any]) -> None:
        self._visit = visit

    def visit(self, value: Any) -> Any:
        """Visit a value; an interrupt ends the walk."""
        return self._visit(value)

    def default_visit(self, value: Any) -> Any:
        """Visit what is inside of a value."""
        if isinstance(value, (*_SEQUENCES, *_MAPS)):
            for one in list(value.values() if isinstance(value, _MAPS) else value):
                if (found := self.visit(one)) is not None:
                    return found
        elif isinstance(value, Object):
            for field in _fields_of(value):
                part = getattr(value, field.name)
                found = self.with_def_region_kind(self.inner(field), lambda p=part: self.visit(p))
                if found is not None:
                    return found
        return None


def _order(order: Any, where: str) -> WalkOrder:
    if isinstance(order, WalkOrder):
        return order
    if order not in ("pre", "post"):
        raise ValueError(f"Unknown {where} order: {order!r}")
    return WalkOrder.PREORDER if order == "pre" else WalkOrder.POSTORDER


def _root(value: Any) -> Any:
    return tain.convert(value)


def _caller(
    callbacks: Any, with_def_region_kind: Any, where: str, region: Callable[[], DefRegionKind]
) -> Callable[[Any], Any]:
    """Return a function that calls the first function for a value."""
    plain = _Dispatch(callbacks, where)
    with_kind = _Dispatch(with_def_region_kind, where)

    def call(value: Any) -> Any:
        if (function := plain.find(value)) is not None:
            return function(value)
        if (function := with_kind.find(value)) is not None:
            return function(value, region())
        return NotImplemented

    return call


def structural_walk(
    root: Any, callbacks: Any = (), with_def_region_kind: Any = (), order: Any = "post"
) -> Any:
    """Call functions for the values of a graph; return the interrupt that one returned, or None."""
    is_pre = _order(order, "structural walk") is WalkOrder.PREORDER

    def visit(value: Any) -> Any:
        if is_pre:
            result = call(value)
            if isinstance(result, VisitInterrupt):
                return result
            if result is not None and result is not NotImplemented and result == WalkResult.SKIP:
                return None
        if (found := visitor.default_visit(value)) is not None:
            return found
        result = None if is_pre else call(value)
        return result if isinstance(result, VisitInterrupt) else None

    visitor = StructuralVisitor(visit)
    call = _caller(callbacks, with_def_region_kind, "structural_walk", visitor.def_region_kind)
    return visitor.visit(_root(root))


def structural_visit(root: Any, callbacks: Any = ()) -> Any:
    """Call ``fn(value, visitor)`` for values of a graph; it says what inside of them is visited."""
    dispatch = _Dispatch(callbacks, "structural_visit")

    def visit(value: Any) -> Any:
        function = dispatch.find(value)
        return visitor.default_visit(value) if function is None else function(value, visitor)

    visitor = StructuralVisitor(visit)
    return visitor.visit(_root(root))


class StructuralMutator(_Region):
    """Makes values with other parts, for functions that say themselves what is changed."""

    def __init__(self, mutate: Callable[[Any], Any]) -> None:
        self._mutate = mutate
        self._remap: dict[int, tuple[Any, Any]] = {}

    def mutate(self, value: Any) -> Any:
        """Return what takes the place of a value."""
        return self._mutate(value)

    def var_remap_get(self, var: Any) -> Any:
        """Return what takes the place of a variable, or None."""
        known = self._remap.get(var.__chandle__())
        return None if known is None else known[1]

    def var_remap_set(self, var: Any, mapped_value: Any) -> None:
        """Note what takes the place of a variable."""
        self._remap[var.__chandle__()] = (var, mapped_value)

    def default_mutate(self, value: Any) -> Any:
        """Return a value with what takes the place of its parts."""
        if isinstance(value, _SEQUENCES):
            parts = list(value)
            made = [self.mutate(one) for one in parts]
            return value if all(map(_is_same, parts, made)) else type(value)(made)
        if isinstance(value, _MAPS):
            items = list(value.items())
            made = [self.mutate(one) for _, one in items]
            if all(_is_same(one, new) for (_, one), new in zip(items, made, strict=True)):
                return value
            return type(value)([(key, new) for (key, _), new in zip(items, made, strict=True)])
        if not isinstance(value, Object):
            return value
        if _core.type_info(type(value)).structural == "variable":
            return self._variable(value)
        return self._object(value)

    def _variable(self, value: Any) -> Any:
        known = self._remap.get(value.__chandle__())
        if known is not None and self.kind is not DefRegionKind.DEF_PATTERN:
            return known[1]
        if known is not None and known[1] is not value:
            return known[1]
        made = self._object(value)
        if self.kind is not DefRegionKind.NONE:
            self.var_remap_set(value, made)
        return made

    def _object(self, value: Any) -> Any:
        changes = {}
        for field in _fields_of(value):
            part = getattr(value, field.name)
            made = self.with_def_region_kind(self.inner(field), lambda p=part: self.mutate(p))
            if not _is_same(part, made):
                changes[field.name] = made
        return _core.copy_with(value, changes) if changes else value


def _is_same(before: Any, after: Any) -> bool:
    if before is after:
        return True
    if isinstance(before, Object) and isinstance(after, Object):
        return before.same_as(after)
    return type(before) is type(after) and not isinstance(before, Object) and before == after


def structural_mutate(root: Any, callbacks: Any = ()) -> Any:
    """Return a graph in which ``fn(value, mutator)`` says what takes the place of values."""
    dispatch = _Dispatch(callbacks, "structural_mutate")
    with_mode = {id(fn): _takes_mode(fn) for _, fn in dispatch.entries}

    def mutate(value: Any) -> Any:
        function = dispatch.find(value)
        if function is None:
            return mutator.default_mutate(value)
        mode = (int(InplaceMode.DISALLOW),) if with_mode[id(function)] else ()
        return function(value, mutator, *mode)

    mutator = StructuralMutator(mutate)
    return mutator.mutate(_root(root))


def _takes_mode(function: Callable[..., Any]) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    for arguments in ((None, None, None), (None, None)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 3
    raise TypeError(
        "structural_mutate callback must accept (value, mutator) or (value, mutator, inplace_mode)"
    )


def structural_map(
    root: Any, callbacks: Any = (), with_def_region_kind: Any = (), order: Any = "post"
) -> Any:
    """Return a graph in which values are what the first function for them returns."""
    is_pre = _order(order, "structural map") is WalkOrder.PREORDER

    def replaced(value: Any) -> Any:
        result = call(value)
        return value if result is NotImplemented else tain.convert(result)

    def mutate(value: Any) -> Any:
        if is_pre:
            return mutator.default_mutate(replaced(value))
        return replaced(mutator.default_mutate(value))

    mutator = StructuralMutator(mutate)
    call = _caller(callbacks, with_def_region_kind, "structural_map", mutator.def_region_kind)
    return mutator.mutate(_root(root))
