# SPDX-License-Identifier: Apache-2.0
"""What Python gave, in the words of messages: its own class and a short repr."""

from __future__ import annotations

import datetime
import sys
import threading
from collections import OrderedDict, namedtuple
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from errors import raises
from tain.types.testing import AllKinds, Node, Point, Vector
from testing_functions import get
from threads import in_threads

import tain

Pair = namedtuple("Pair", "a b")


def function() -> None: ...


class Silent:
    def __repr__(self) -> str:
        raise ValueError("no")


class NoText:
    def __repr__(self) -> str:
        return 5  # type: ignore[return-value]


class Endless:
    def __repr__(self) -> str:
        return repr([self])


class Loud:
    def __repr__(self) -> str:
        return "x" * 1_000_000


class Surrogate:
    def __repr__(self) -> str:
        return "<\udc80>"


FULL = list(range(1000))
GIVEN: list[tuple[object, str]] = [
    ([1, 2], "list ([1, 2])"),
    ([], "list ([])"),
    ((1, "a"), "tuple ((1, 'a'))"),
    ((1,), "tuple ((1,))"),
    ((), "tuple (())"),
    ({"a": 1}, "dict ({'a': 1})"),
    ({}, "dict ({})"),
    ({1}, "set ({1})"),
    (set(), "set (set())"),
    (frozenset([1]), "frozenset (frozenset({1}))"),
    ([[1, {"a": (2,)}], None, True, 1.5], "list ([[1, {'a': (2,)}], None, True, 1.5])"),
    (Pair(1, 2), "Pair (Pair(a=1, b=2))"),
    (OrderedDict(b=1), f"OrderedDict ({OrderedDict(b=1)!r})"),
    (datetime.date(2026, 1, 2), "date (datetime.date(2026, 1, 2))"),
    (1j, "complex (1j)"),
    (range(3), "range (range(0, 3))"),
    (Ellipsis, "ellipsis (Ellipsis)"),
    (len, "builtin_function_or_method (<built-in function len>)"),
    (int, "type (<class 'int'>)"),
    (ValueError("no"), "ValueError (ValueError('no'))"),
    (np.array([[1, 2], [3, 4]]), "ndarray (array([[1, 2], [3, 4]]))"),
    ([Fraction(1, 2), int], "list ([Fraction(1, 2), <class 'int'>])"),
    (FULL, f"list ({repr(FULL)[:60]}...)"),
    ([FULL] * 100, f"list ({repr([FULL])[:60]}...)"),
    (dict.fromkeys(FULL), f"dict ({repr(dict.fromkeys(FULL))[:60]}...)"),
    (["x" * 10**6], f"list (['{'x' * 58}...)"),
    (["ä" * 100], f"list (['{'ä' * 29}...)"),
    ([10**5000], "list ([<int of 16610 bits>])"),
    (Silent(), "Silent (<unprintable Silent object>)"),
    ([Silent()], "list ([<unprintable Silent object>])"),
    (NoText(), "NoText (<unprintable NoText object>)"),
    (Loud(), f"Loud ({'x' * 60}...)"),
    (Surrogate(), "Surrogate (<\\udc80>)"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("value", "text"), GIVEN, ids=[text[:20] for _, text in GIVEN])
def test_messages_speak_of_what_was_given(value: object, text: str) -> None:
    """A parameter, a parameter by keyword, a field, a constructor: the same words."""
    point, kinds = Point(1, 2), AllKinds()
    places: list[tuple[Any, str]] = [
        (lambda: get("echo_double")(value), "testing.echo_double: argument x: expected float"),
        (lambda: get("echo_double")(x=value), "testing.echo_double: argument x: expected float"),
        (lambda: setattr(point, "x", value), "Point.x: expected float"),
        (lambda: setattr(kinds, "text", value), "AllKinds.text: expected str"),
        (lambda: setattr(kinds, "point", value), "AllKinds.point: expected testing.Point"),
        (lambda: Point(value), "testing.Point: argument x: expected float"),
        (lambda: Point(1, y=value), "testing.Point: argument y: expected float"),
        (lambda: point.scale(value), "testing.Point.scale: argument factor: expected float"),
        (
            lambda: get("echo_array_double")([0, 1, value]),
            "testing.echo_array_double: argument x[2]: expected float",
        ),
        (
            lambda: get("echo_map_str_int")({"k": value}),
            'testing.echo_map_str_int: argument x["k"]: expected int',
        ),
        (
            lambda: get("echo_array_array_int")([[1], [2, value]]),
            "testing.echo_array_array_int: argument x[1][1]: expected int",
        ),
        (lambda: setattr(kinds, "ints", [value]), "AllKinds.ints[0]: expected int"),
    ]
    for act, where in places:
        with raises(TypeError, f"{where}, got {text}"):
            act()


@pytest.mark.bad_input
def test_a_function_is_named() -> None:
    for given in (function, object()):
        got = f"{type(given).__name__} ({given!r})"
        with raises(TypeError, f"testing.echo_int64: argument x: expected int, got {got}"):
            get("echo_int64")(x=given)


@pytest.mark.bad_input
def test_a_repr_that_does_not_end() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(TypeError) as caught:
        get("echo_int64")(Endless())
    assert str(caught.value).startswith("testing.echo_int64: argument x: expected int, got Endless")
    assert sys.getrecursionlimit() == limit
    cyclic: set[object] = set()

    class Box(list):
        def __hash__(self) -> int:  # type: ignore[override]
            return 1

    assert not cyclic
    box = Box()
    cyclic.add(box)
    box.append(cyclic)
    with raises(TypeError, "testing.echo_int64: argument x: expected int, got set ({[{[...]}]})"):
        get("echo_int64")(cyclic)


@pytest.mark.bad_input
def test_receivers_too() -> None:
    with raises(TypeError, "testing.Point.norm: expected testing.Point as self, got list"):
        Point.norm([1])  # type: ignore[arg-type]


@pytest.mark.bad_input
def test_containers_of_tain_keep_their_names() -> None:
    for value, name in (
        (tain.Array([1]), "Array"),
        (tain.List([1]), "List"),
        (tain.Map({1: 2}), "Map"),
        (tain.Dict({1: 2}), "Dict"),
        (tain.Shape([1]), "Shape"),
        (get("echo"), "Function"),
    ):
        with raises(TypeError, f"testing.echo_double: argument x: expected float, got {name}"):
            get("echo_double")(value)


@pytest.mark.bad_input
def test_a_container_that_is_kept_is_no_list_any_more() -> None:
    kinds = AllKinds()
    kinds.any = [1, 2]
    with raises(TypeError, "testing.echo_double: argument x: expected float, got Array"):
        get("echo_double")(kinds.any)


@pytest.mark.bad_input
def test_words_in_calls_without_the_gil_and_from_threads() -> None:
    with raises(TypeError, "testing.spin: argument n: expected int, got list ([1])"):
        get("spin")([1])
    texts: list[str] = []

    def call() -> None:
        for i in range(200):
            try:
                get("spin")([threading.get_ident(), i])
            except TypeError as error:
                text = str(error)
                texts.append(text)
                assert f"got list ([{threading.get_ident()}, {i}])" in text

    in_threads([call] * 4)
    assert len(texts) == 800


def test_an_operand_that_does_not_fit_is_not_asked_for_its_repr() -> None:
    class Watched:
        asked = 0

        def __repr__(self) -> str:
            Watched.asked += 1
            return "Watched()"

        def __radd__(self, other: object) -> str:
            return "mine"

    vector = Vector(1, 2)
    assert vector + Watched() == "mine"
    assert vector != Watched()
    assert Watched.asked == 0
    assert vector != [Watched()]


@pytest.mark.bad_input
def test_a_repr_may_call_back_and_change_what_was_given() -> None:
    given: list[object] = []

    class Meddler:
        def __repr__(self) -> str:
            given.clear()
            with pytest.raises(TypeError):
                get("echo_double")([1])
            return "Meddler()"

    given += [1, Meddler(), 3]
    with raises(
        TypeError, "testing.echo_double: argument x: expected float, got list ([1, Meddler()])"
    ):
        get("echo_double")(given)
    node = Node(1)
    node.items = tain.List([Meddler()])
    assert len(node.items) == 1


TOO_BIG = "expected float in -1.7976931348623157e+308..1.7976931348623157e+308, got "
BIGGEST = int(sys.float_info.max)


@pytest.mark.bad_input
@pytest.mark.parametrize("value", [10**400, -(10**400), BIGGEST * 2, 10**5000], ids="abcd")
def test_integers_beyond_every_float(value: int) -> None:
    text = f"{value!r:.60}..." if value < 10**4000 else "<int of 16640 bits>"
    point = Point(1, 2)
    for act, where in (
        (lambda: get("echo_double")(value), "testing.echo_double: argument x"),
        (lambda: setattr(point, "x", value), "Point.x"),
        (lambda: Point(value), "testing.Point: argument x"),
        (lambda: get("echo_array_double")([value]), "testing.echo_array_double: argument x[0]"),
    ):
        with raises(OverflowError, f"{where}: {TOO_BIG}{text}"):
            act()
    assert point.x == 1


def test_integers_that_floats_can_hold() -> None:
    assert get("echo_double")(BIGGEST) == sys.float_info.max
    assert get("echo_double")(2**70) == 2.0**70
    assert get("echo_double")(True) == 1.0
