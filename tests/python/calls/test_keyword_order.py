# SPDX-License-Identifier: Apache-2.0
"""Calls with keywords, whose order is remembered: each is made again and compared with Python's."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from errors import raises
from tain.types.testing import Color, Palette
from testing_functions import get

import tain


def greet(name: str, greeting: str = "hello", punctuation: str = "!") -> str:
    return f"{greeting}, {name}{punctuation}"


def scale(x: int, factor: int = 2, *, negate: bool = False) -> int:
    return x * factor * (-1 if negate else 1)


def two(a: int, b: int) -> int:
    return a + b


VALUES = {
    "name": "'n'", "greeting": "'a longer greeting'", "punctuation": "'?'", "x": "3",
    "factor": "5", "negate": "True", "a": "1", "b": "2", "unknown": "0",
}  # fmt: skip
TWINS = [
    (get("greet"), greet, ["'n'", "'g'", "'p'", "'more'"], ["name", "greeting", "punctuation"]),
    (get("scale"), scale, ["3", "4", "True"], ["x", "factor", "negate"]),
    (get("sum2"), two, ["1", "2", "3"], ["a", "b"]),
]


def calls(positional: list[str], names: list[str]) -> Iterator[str]:
    """Every number of positional arguments with every order of every set of names."""
    for count in range(len(positional) + 1):
        for size in range(len(names) + 2):
            for order in itertools.permutations([*names, "unknown"], size):
                given = positional[:count] + [f"{name}={VALUES[name]}" for name in order]
                yield f"lambda f: f({', '.join(given)})"


def outcome(call: Callable[[object], object], function: object) -> object:
    try:
        return call(function)
    except TypeError:
        return TypeError


@pytest.mark.parametrize(
    ("function", "twin", "positional", "names"), TWINS, ids=["greet", "scale", "sum2"]
)
def test_every_order(
    function: tain.Function, twin: Callable[..., object], positional: list[str], names: list[str]
) -> None:
    good = 0
    for text in calls(positional, names):
        call = eval(text)  # the names are a constant of its code
        expected = outcome(call, twin)
        assert [outcome(call, function) for _ in range(3)] == [expected] * 3, text
        good += expected is not TypeError
    assert good >= 4


def test_one_call_of_many_functions() -> None:
    functions = [get("sum2"), get("greet"), get("scale"), get("sum3"), get("nop")]
    for function in functions * 3:
        result = outcome(lambda f: f(1, b=2), function)
        assert result == (3 if function is functions[0] else TypeError)


def test_names_that_are_made_for_each_call() -> None:
    for i in range(1000):
        given = {"x": i, "factor": 2} if i % 2 else {"factor": 3, "negate": True, "x": i}
        assert get("scale")(**given) == scale(**given)


def test_a_receiver_and_defaults_between() -> None:
    for _ in range(3):
        assert Palette().paint(keep=True) == Palette().paint(Color.RED, True)
        assert Palette().paint(color=Color.BLUE) == Palette().paint(Color.BLUE)
        assert Palette.paint(Palette(), keep=True) == Palette().paint(Color.RED, True)
        with raises(TypeError, "testing.Palette.paint() needs an object as its first argument"):
            Palette.paint(keep=True)
        with raises(TypeError, "testing.Palette.paint() got multiple values for argument 'keep'"):
            Palette().paint(Color.RED, True, keep=True)


def test_factories_of_defaults_between() -> None:
    function = get("serial_between")
    first = function(1, c=3)
    assert [function(1, c=3) for _ in range(3)] == [first + 1, first + 2, first + 3]
    assert function(a=1, b=50, c=3) == 54


def test_arguments_that_need_an_object() -> None:
    for text in ("plain", "longer than seven", "\udc80", "\0" * 9, "ä" * 20):
        for _ in range(2):
            assert get("greet")(name=text, greeting=text) == greet(text, text)


@pytest.mark.bad_input
def test_names_that_are_no_plain_str() -> None:
    class Name(str):
        def __del__(self) -> None:
            get("scale")(x=1)

    for _ in range(3):
        assert get("scale")(**{Name("x"): 4}) == 8
        with raises(TypeError, "testing.scale() got an unexpected keyword argument 'y'"):
            get("scale")(**{Name("y"): 4})


def test_constructors_by_keyword() -> None:
    @tain.py_class("keyword_order.Made")
    class Made(tain.Object):
        a: int
        b: str = "b"
        c: list[int] = tain.field(default_factory=list)
        d: int = tain.field(default=7, kw_only=True)

    for _ in range(3):
        made = Made(d=1, a=2)
        assert (made.a, made.b, list(made.c), made.d) == (2, "b", [], 1)
        made = Made(1, c=[1], b="x")
        assert (made.a, made.b, list(made.c), made.d) == (1, "x", [1], 7)
        with raises(TypeError, "keyword_order.Made() missing argument 'a'"):
            Made(d=1)
