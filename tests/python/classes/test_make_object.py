# SPDX-License-Identifier: Apache-2.0
"""What makes the C++ objects of a class: constructors and factories, good and bad ones."""

from __future__ import annotations

import pytest
from errors import empty_text, raises
from testing_functions import get

import tain
from tain.types import testing as t


class Child(t.Point):
    pass


class Forgetful(t.Point):
    def __init__(self) -> None:
        self.note = "own"


NO_CONSTRUCTOR = "testing.NoConstructor has no constructor"
BAD = [  # (call, error, text)
    (lambda: t.NoConstructor(), TypeError, NO_CONSTRUCTOR),
    (lambda: t.NoConstructor(1, x=2), TypeError, NO_CONSTRUCTOR),
    (lambda: type("S", (t.NoConstructor,), {})(), TypeError, NO_CONSTRUCTOR),
    (
        lambda: t.ChildWithoutConstructor(1),
        TypeError,
        "testing.ChildWithoutConstructor has no constructor",
    ),
    (lambda: t.Shape(), TypeError, "testing.Shape is abstract and has no constructor"),
    (lambda: tain.Object(), TypeError, "ffi.Object has no constructor"),
    (
        lambda: t.CreatesNull(),
        TypeError,
        "testing.CreatesNull: the constructor returned None, expected testing.CreatesNull",
    ),
    (
        lambda: type("S", (t.CreatesNull,), {})(),
        TypeError,
        "testing.CreatesNull: the constructor returned None, expected testing.CreatesNull",
    ),
    (
        lambda: t.CreatesOther(),
        TypeError,
        "testing.CreatesOther: the constructor returned testing.Point, "
        "expected testing.CreatesOther",
    ),
    (
        lambda: t.CreatesText(),
        TypeError,
        "testing.CreatesText: the constructor returned str, expected testing.CreatesText",
    ),
    (lambda: t.Throws(42), RuntimeError, "C++ exception of type int"),
    (lambda: t.Throws(1), RuntimeError, "a constructor that throws"),
    (lambda: t.Throws(-1), ValueError, "value must not be negative, got -1"),
    (lambda: type("S", (t.Throws,), {})(42), RuntimeError, "C++ exception of type int"),
    (lambda: t.Point(), TypeError, "testing.Point() missing argument 'x'"),
    (
        lambda: t.Point(1, 2, 3),
        TypeError,
        "testing.Point() takes 1 to 2 arguments but 3 were given",
    ),
    (lambda: t.Point("a"), TypeError, "testing.Point: argument x: expected float, got str ('a')"),
    (
        lambda: t.Point(1, x=2),
        TypeError,
        "testing.Point() got multiple values for argument 'x'",
    ),
    (
        lambda: Child(1, yy=2),
        TypeError,
        "testing.Point() got an unexpected keyword argument 'yy'. Did you mean 'y'?",
    ),
    (
        lambda: t.TestIntPair(a=1, b=2),
        TypeError,
        "testing.TestIntPair() takes no keyword arguments: its parameters have no names; the C++ "
        'author gives them with tain::arg("name")',
    ),
    (
        lambda: t.TestIntPair(1),
        TypeError,
        "testing.TestIntPair() takes 2 arguments but 1 was given",
    ),
    (
        lambda: t.Config("a", 1, [], [], None, [], 4, 5),
        TypeError,
        "testing.Config() takes 0 to 7 positional arguments but 8 were given",
    ),
    (
        lambda: t.Config(computed=3),
        TypeError,
        "testing.Config() got an unexpected keyword argument 'computed'",
    ),
    (lambda: Forgetful().x, ValueError, empty_text("Forgetful")),
    (lambda: Forgetful().norm(), ValueError, empty_text("Forgetful")),
    (lambda: get("echo")(Forgetful()), ValueError, empty_text("Forgetful")),
    (lambda: t.Point.__new__(t.Point).x, ValueError, empty_text("tain.types.testing.Point")),
    (lambda: t.Point.__new__(t.Point)._move(), ValueError, empty_text("tain.types.testing.Point")),
    (lambda: tain.convert([Forgetful()]), ValueError, empty_text("Forgetful")),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("call", "error", "text"), BAD)
def test_bad_constructions(call, error: type, text: str) -> None:
    with raises(error, text) as caught:
        call()
    assert type(caught.value) is error


def test_factories_and_keywords() -> None:
    first = t.CreatesCounted().value
    assert t.CreatesCounted().value == first + 1
    assert t.CreatesCounted(10, note="x").value == first + 12
    config = t.Config("n", rate=2, made=[1])
    assert (config.name, config.rate, config.made, config.given) == ("n", 2.0, [1], 11)
    assert t.Config().made is not t.Config().made
