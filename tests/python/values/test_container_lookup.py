# SPDX-License-Identifier: Apache-2.0
"""Keys that are looked up: those that raise when hashed or compared, or change what is searched."""

from __future__ import annotations

from typing import Any

import pytest
from errors import raises
from tain.types.testing import Coin, Draft

import tain
from tain import Dict, List, Map


@pytest.mark.bad_input
def test_keys_whose_hash_raises() -> None:
    class Bad:
        def __hash__(self) -> int:
            raise KeyError("no hash")

    for act in (lambda m: m[Bad()], lambda m: m.get(Bad()), lambda m: Map([(Bad(), 1)])):
        with raises(KeyError, "'no hash'"):
            act(Map({"a": 1}))


@pytest.mark.bad_input
def test_keys_that_compare_by_raising() -> None:
    class Bad:
        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise KeyError("no comparison")

    for wrap in (lambda x: x, lambda x: (x,)):
        for others in (0, 20):
            mapping = Dict({i: i for i in range(others)})
            bad = wrap(Bad())
            mapping[bad] = 1
            for act in (
                lambda m, w=wrap: m[w(Bad())],
                lambda m, w=wrap: m.get(w(Bad())),
                lambda m, w=wrap: w(Bad()) in m,
                lambda m, w=wrap: m.pop(w(Bad()), None),
                lambda m, w=wrap: m.__setitem__(w(Bad()), 2),
            ):
                with raises(KeyError, "'no comparison'"):
                    act(mapping)
            assert mapping[bad] == 1
            assert len(mapping) == others + 1
    deep: object = ()
    for _ in range(3000):
        deep = (deep,)
    with pytest.raises(RecursionError):
        Dict()[deep] = 1


@pytest.mark.bad_input
def test_keys_that_empty_the_map_while_it_is_searched() -> None:
    class Evil:
        def __init__(self, mapping: Dict) -> None:
            self.mapping = mapping

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            self.mapping.clear()
            return False

    for others in (0, 20):
        for act, result, left in (
            (lambda m: m.get(Evil(m)), None, 0),
            (lambda m: Evil(m) in m, False, 0),
            (lambda m: m.__setitem__(Evil(m), 1), None, 1),
            (lambda m: m.pop(Evil(m), "none"), "none", 0),
        ):
            mapping = Dict({i: i for i in range(others)})
            mapping[Evil(mapping)] = 1
            assert act(mapping) is result
            assert len(list(mapping)) == left
            mapping.clear()


@tain.py_class("test_container_lookup.Cell", eq=True, frozen=True)
class Cell:
    value: object
    size: float = 0.0


@tain.py_class("test_container_lookup.OnlyEqual", eq=True)
class OnlyEqual:
    value: int


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("key", "text"),
    [
        (OnlyEqual(1), "unhashable type: 'OnlyEqual'"),
        (Draft(1), "unhashable type: 'tain.types.testing.Draft'"),
        (Cell(List([1])), "unhashable type: 'tain.List'"),
        (Cell((1, {"a": Dict()})), "unhashable type: 'tain.Dict'"),
        (Cell(OnlyEqual(1)), "unhashable type: 'OnlyEqual'"),
        (Coin(1, note=Draft(1)), "unhashable type: 'tain.types.testing.Draft'"),
        (Cell({1}), "unhashable type: 'set'"),
        ((1, OnlyEqual(1)), "unhashable type: 'OnlyEqual'"),
    ],
)
def test_unhashable_keys(key: Any, text: str) -> None:
    mapping = Dict({"a": 1})
    for use in (
        lambda: hash(key),
        lambda: mapping.get(key),
        lambda: key in mapping,
        lambda: mapping[key],
        lambda: mapping.pop(key, None),
        lambda: mapping.setdefault(key, 1),
        lambda: mapping.__setitem__(key, 1),
        lambda: mapping.__delitem__(key),
        lambda: mapping.update([(key, 1)]),
        lambda: Map([(key, 1)]),
        lambda: Dict.fromkeys([key]),
    ):
        with raises(TypeError, text):
            use()
    assert mapping == {"a": 1}
