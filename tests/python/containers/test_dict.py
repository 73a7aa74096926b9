# SPDX-License-Identifier: Apache-2.0
"""tain.Dict: a mutable mapping that behaves as dict, and is shared with C++."""

from __future__ import annotations

import copy
import operator
import pickle

import pytest
from errors import moved_text, raises
from like_python import check_both

from tain import Dict, Map


def both(act, values=None) -> None:
    """Do the same to a dict and to a Dict, and compare results, errors and contents."""
    values = {"a": 1, "b": 2, "c": 3} if values is None else values
    check_both(act, dict(values), Dict(values), lambda entries: list(entries.items()))


@pytest.mark.parametrize(
    "act",
    [
        lambda d: operator.setitem(d, "x", 1),
        lambda d: operator.setitem(d, "a", 9),
        lambda d: operator.setitem(d, 5, "five"),
        lambda d: operator.setitem(d, None, None),
        lambda d: operator.setitem(d, [], 1),
        lambda d: operator.delitem(d, "a"),
        lambda d: operator.delitem(d, "b"),
        lambda d: operator.delitem(d, "x"),
        lambda d: operator.delitem(d, []),
        lambda d: d.pop("a"),
        lambda d: d.pop("x"),
        lambda d: d.pop("x", 5),
        lambda d: d.pop("x", None),
        lambda d: d.pop(),
        lambda d: d.pop([]),
        lambda d: d.popitem(),
        lambda d: [d.popitem() for _ in range(3)],
        lambda d: [d.popitem() for _ in range(4)],
        lambda d: d.setdefault("a"),
        lambda d: d.setdefault("a", 5),
        lambda d: d.setdefault("x"),
        lambda d: d.setdefault("x", 5),
        lambda d: d.setdefault(),
        lambda d: d.update({"a": 5, "x": 6}),
        lambda d: d.update([("a", 5), ("x", 6)]),
        lambda d: d.update(Map({"a": 5, "x": 6})),
        lambda d: d.update(a=5, x=6),
        lambda d: d.update({"y": 1}, x=6),
        lambda d: d.update(),
        lambda d: d.update(d),
        lambda d: d.update(5),
        lambda d: d.update([1]),
        lambda d: d.update([(1, 2, 3)]),
        lambda d: d.update({}, {}),
        lambda d: d.clear(),
        lambda d: d.copy() == d and d.copy() is not d,
        lambda d: operator.ior(d, {"a": 5, "x": 6}),
        lambda d: operator.ior(d, [("a", 5)]),
        lambda d: operator.ior(d, 5),
        lambda d: dict(d | {"x": 1}),
        lambda d: dict({"x": 1} | d),
        lambda d: d | [("a", 1)],
        lambda d: d.__init__({"x": 1}),
        lambda d: d.__init__(),
        lambda d: d["x"],
        lambda d: hash(d),
        lambda d: type(d).fromkeys("abc") == {"a": None, "b": None, "c": None},
        lambda d: type(d).fromkeys([1, 2], 0) == {1: 0, 2: 0},
        lambda d: type(d).fromkeys([[]]),
        lambda d: list(d),
        lambda d: list(reversed(d)),
        lambda d: sorted(d.items()),
    ],
)
def test_methods_are_those_of_dict(act) -> None:
    for size in (0, 1, 2, 47):
        both(act, {"a": 1, "b": 2, "c": 3, **{f"key {i}": i for i in range(size)}})


def test_an_overwritten_key_keeps_its_place() -> None:
    mapping = Dict(a=1, b=2, c=3)
    mapping["b"] = 9
    assert list(mapping.items()) == [("a", 1), ("b", 9), ("c", 3)]
    del mapping["b"]
    mapping["b"] = 5
    assert list(mapping) == ["a", "c", "b"]


def test_many_entries_come_and_go() -> None:
    mapping, plain = Dict(), {}
    for i in range(2000):
        mapping[f"key {i % 700}"] = plain[f"key {i % 700}"] = i
        if i % 3 == 0:
            key = f"key {i % 500}"
            assert mapping.pop(key, None) == plain.pop(key, None)
    assert list(mapping.items()) == list(plain.items())


def test_shared_containers() -> None:
    inner = Dict()
    outer = Dict(inner=inner)
    outer["inner"]["x"] = 1
    assert inner == {"x": 1}
    assert outer["inner"] is inner


# ---------------------------------------------------------------- bad input


@pytest.mark.bad_input
def test_values_that_use_the_dict_when_they_die() -> None:
    deaths = []

    class Mortal:
        def __init__(self, mapping: Dict) -> None:
            self.mapping = mapping

        def __del__(self) -> None:
            deaths.append(len(self.mapping))
            self.mapping[f"death {len(deaths)}"] = 1

    for size in (2, 20):
        for act in (
            lambda d: d.clear(),
            lambda d: d.pop(0),
            lambda d: d.popitem(),
            lambda d: d.__delitem__(1),
            lambda d: d.__setitem__(0, "new"),
            lambda d: d.update({0: 1, 1: 2}),
        ):
            deaths.clear()
            mapping = Dict()
            for i in range(size):
                mapping[i] = Mortal(mapping)
            act(mapping)
            assert deaths
            assert "death 1" in mapping
            for key in list(mapping):
                if isinstance(key, int):
                    mapping[key] = None
            mapping.clear()


@pytest.mark.bad_input
def test_comparisons_that_change_the_dict() -> None:
    class Evil:
        def __init__(self, mapping: Dict) -> None:
            self.mapping = mapping

        def __eq__(self, other: object) -> bool:
            self.mapping.clear()
            return True

        __hash__ = None  # type: ignore[assignment]

    for size in (2, 20):
        mapping = Dict()
        for i in range(size):
            mapping[i] = Evil(mapping)
        with raises(RuntimeError, "Dict changed during comparison"):
            mapping == dict.fromkeys(range(size))  # noqa: B015
        mapping.clear()


@pytest.mark.bad_input
def test_updates_from_sources_that_change() -> None:
    mapping = Dict(a=1)

    def pairs():
        yield "b", 2
        mapping.clear()
        yield "c", 3
        raise KeyError("stop")

    with raises(KeyError, "'stop'"):
        mapping.update(pairs())
    assert mapping == {"c": 3}


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda d: d.pop("x"), KeyError, "'x'"),
        (lambda d: d.__delitem__((1, 2)), KeyError, "(1, 2)"),
        (lambda d: Dict().popitem(), KeyError, "'popitem(): Dict is empty'"),
        (lambda d: d.pop(), TypeError, "pop expected at least 1 argument, got 0"),
        (
            lambda d: d.update(5),
            TypeError,
            "Dict: expected a mapping or an iterable of pairs, got int (5)",
        ),
        (lambda d: d.__setitem__([], 1), TypeError, "unhashable type: 'list'"),
        (lambda d: Dict.pop(Map(a=1), "a"), TypeError, None),
    ],
)
def test_messages(act, error: type[Exception], text: str | None) -> None:
    mapping = Dict(a=1)
    with pytest.raises(error) as caught:
        act(mapping)
    if text is not None:
        assert str(caught.value) == text
    assert mapping == {"a": 1}


@pytest.mark.bad_input
def test_moved_dicts() -> None:
    mapping = Dict(a=1)
    carrier = mapping._move()
    for act in (
        lambda d: d.__setitem__("a", 1),
        lambda d: d.__delitem__("a"),
        lambda d: d.pop("a", 1),
        lambda d: d.popitem(),
        lambda d: d.setdefault("a"),
        lambda d: d.update({}),
        lambda d: d.clear(),
        lambda d: d.copy(),
        lambda d: d.__ior__({}),
        lambda d: copy.deepcopy(d),
        lambda d: pickle.dumps(d),
    ):
        with raises(ValueError, moved_text("tain.Dict")):
            act(mapping)
    del carrier
