# SPDX-License-Identifier: Apache-2.0
"""Operations of containers whose elements take the container away, empty or replace it meanwhile.

What an operation returns then is not said; that all goes on is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from testing_functions import get

import tain
from tain import Array, Dict, List, Map

pytestmark = pytest.mark.bad_input


class Evil:
    """Whatever Python asks of it, it acts first."""

    def __init__(self) -> None:
        self.act: Callable[[], object] = lambda: None

    def __eq__(self, other: object) -> bool:
        self.act()
        return False

    def __lt__(self, other: object) -> bool:
        self.act()
        return True

    def __hash__(self) -> int:
        self.act()
        return 5

    def __repr__(self) -> str:
        self.act()
        return "evil"

    def __index__(self) -> int:
        self.act()
        return 0

    def __len__(self) -> int:
        self.act()
        return 2

    def __iter__(self) -> Any:
        self.act()
        yield 1
        self.act()
        yield 2


def walk(iterable: Any, evil: Evil) -> None:
    for _ in iterable:
        evil.act()


SEQUENCE: dict[str, Callable[[Any, Any], object]] = {
    "sort by key": lambda s, e: s.sort(key=lambda x: e.act()),
    "sort": lambda s, e: s.sort(),
    "eq": lambda s, e: s == [e, e, e, e],
    "eq List": lambda s, e: s == List([e, e, e, e]),
    "lt": lambda s, e: s < [e, e, e, e],
    "index": lambda s, e: s.index(e),
    "count": lambda s, e: s.count(e),
    "remove": lambda s, e: s.remove(e),
    "in": lambda s, e: e in s,
    "repr": lambda s, e: repr(s),
    "hash": lambda s, e: hash(s),
    "extend": lambda s, e: s.extend(e),
    "iadd": lambda s, e: s.__iadd__(e),
    "add": lambda s, e: s.__add__([e]),
    "set slice": lambda s, e: s.__setitem__(slice(0, 2), e),
    "set slice to": lambda s, e: s.__setitem__(slice(e, 2), [1, 2]),
    "set all": lambda s, e: s.__setitem__(slice(None), s),
    "slice": lambda s, e: s[e:3],
    "get": lambda s, e: s[e],
    "set": lambda s, e: s.__setitem__(e, 1),
    "del": lambda s, e: s.__delitem__(e),
    "insert": lambda s, e: s.insert(e, 1),
    "pop": lambda s, e: s.pop(e),
    "mul": lambda s, e: s * e,
    "imul": lambda s, e: s.__imul__(e),
    "iter": walk,
    "reversed": lambda s, e: walk(reversed(s), e),
    "copy": lambda s, e: s.copy(),
    "List": lambda s, e: List(s),
    "as ints": lambda s, e: get("echo_array_int")(s),
    "init": lambda s, e: s.__init__(e),
    "echo": lambda s, e: get("echo")([s, e]),
}
MAPPING: dict[str, Callable[[Any, Any], object]] = {
    "get": lambda m, e: m.get(e),
    "item": lambda m, e: m[e],
    "set": lambda m, e: m.__setitem__(e, 1),
    "del": lambda m, e: m.__delitem__(e),
    "pop": lambda m, e: m.pop(e, None),
    "popitem": lambda m, e: m.popitem(),
    "setdefault": lambda m, e: m.setdefault(e, 1),
    "in": lambda m, e: e in m,
    "update": lambda m, e: m.update({e: 1}),
    "update pairs": lambda m, e: m.update([(e, 1), (e, 2)]),
    "or": lambda m, e: m | {e: 1},
    "ior": lambda m, e: m.__ior__({e: 1}),
    "eq": lambda m, e: m == {e: 1, 2: 2, 3: 3},
    "eq Dict": lambda m, e: m == Dict({1: e, 2: e, 3: e}),
    "repr": lambda m, e: repr(m),
    "hash": lambda m, e: hash(m),
    "iter": walk,
    "items": lambda m, e: walk(m.items(), e),
    "reversed": lambda m, e: walk(reversed(m), e),
    "in values": lambda m, e: e in m.values(),
    "in items": lambda m, e: (1, e) in m.items(),
    "keys and": lambda m, e: m.keys() & {e},
    "keys or": lambda m, e: m.keys() | {e},
    "isdisjoint": lambda m, e: m.keys().isdisjoint([e]),
    "copy": lambda m, e: m.copy(),
    "dict": lambda m, e: dict(m),
    "init": lambda m, e: m.__init__({e: 1}),
    "clear": lambda m, e: m.clear(),
}
MAKERS: dict[str, Callable[[Any], Any]] = {
    "List": lambda e: List([e, 2, 3, e]),
    "Array": lambda e: Array([e, 2, 3, e]),
    "Dict": lambda e: Dict({1: e, 2: 2, e: 3}),
    "Map": lambda e: Map({1: e, 2: 2, e: 3}),
}
ACTS: dict[str, Callable[[Any], object]] = {
    "moves": lambda c: get("echo")(c._move()),
    "replaces": lambda c: c.__init__([(i, i) for i in range(50)]),
    "empties": lambda c: c.clear(),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("maker", "operation"),
    [(m, o) for m in MAKERS for o in (SEQUENCE if m in ("List", "Array") else MAPPING)],
)
def test_an_element_that_acts(maker: str, operation: str, act: str) -> None:
    operate = (SEQUENCE if maker in ("List", "Array") else MAPPING)[operation]
    for inside in (False, True):
        evil = Evil()
        container = MAKERS[maker](evil if inside else 0)
        left = [3]

        def once(container: Any = container, left: list[int] = left) -> None:
            if left[0] > 0:
                left[0] -= 1
                with contextlib.suppress(Exception):
                    ACTS[act](container)
                # Whatever was freed is used again at once.
                tain.List([tain.List(range(5)) for _ in range(5)])

        evil.act = once
        with contextlib.suppress(Exception):
            operate(container, evil)
        evil.act = lambda: None
        with contextlib.suppress(ValueError):  # it was moved away
            repr(container)
            list(container)
