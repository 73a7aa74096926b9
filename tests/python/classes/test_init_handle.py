# SPDX-License-Identifier: Apache-2.0
"""`__init_handle_by_constructor__`: what it takes, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Child(t.Point):
    pass


FORMS = {
    "a static method": lambda: (t.TestIntPair.__create__, (1, 2), {}),
    "a Python function": lambda: (lambda a, b: t.TestIntPair.__create__(a, b), (1, 2), {}),
    "a Python function with keywords": lambda: (
        lambda *, a, b: t.TestIntPair.__create__(a, b),
        (),
        {"a": 1, "b": 2},
    ),
    "a Function": lambda: (tain.Function(lambda a, b: t.TestIntPair.__create__(a, b)), (1, 2), {}),
    "the class": lambda: (t.TestIntPair, (1, 2), {}),
}


@pytest.mark.parametrize("form", FORMS)
def test_init_handle_by_constructor(form: str) -> None:
    class Pair(t.TestIntPair):
        def __init__(self, function, args: tuple, keywords: dict) -> None:
            self.__init_handle_by_constructor__(function, *args, **keywords)

    pair = Pair(*FORMS[form]())
    assert (pair.a, pair.b, pair.sum()) == (1, 2, 3)
    assert get("echo")(pair) is pair


def test_init_handle_by_a_global_function() -> None:
    class Mean(t.Point):
        def __init__(self, *points: t.Point) -> None:
            self.__init_handle_by_constructor__(get("centroid"), points=list(points))

    mean = Mean(t.Point(0, 0), t.Point(2, 4))
    assert (type(mean), mean.x, mean.y) == (Mean, 1.0, 2.0)


BAD_HANDLES = [
    (5, (), TypeError, "'int' object is not callable"),
    (lambda: 5, (), TypeError, "Child: the constructor returned int, expected testing.Point"),
    (
        lambda: None,
        (),
        TypeError,
        "Child: the constructor returned NoneType, expected testing.Point",
    ),
    (
        lambda: t.Vector(1, 2),
        (),
        TypeError,
        "Child: the constructor returned tain.types.testing.Vector, expected testing.Point",
    ),
    (
        get("make_ring"),
        (3,),
        TypeError,
        "Child: the constructor returned tain.types.testing.Node, expected testing.Point",
    ),
    (
        get("nop"),
        (),
        TypeError,
        "Child: the constructor returned NoneType, expected testing.Point",
    ),
    (t.Point, ("x",), TypeError, "testing.Point: argument x: expected float, got str ('x')"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("function", "args", "error", "text"), BAD_HANDLES)
def test_bad_handles(function, args: tuple, error: type, text: str) -> None:
    child = Child.__new__(Child)
    with raises(error, text):
        child.__init_handle_by_constructor__(function, *args)
    assert child.__chandle__() == 0


@pytest.mark.bad_input
def test_handles_that_are_taken() -> None:
    point, child = t.Point(1, 2), Child.__new__(Child)
    text = "Child: the constructor returned an object that already has a Python object"
    with raises(TypeError, text):
        child.__init_handle_by_constructor__(lambda: point)
    with raises(TypeError, "__init_handle_by_constructor__(f, *args, **kwargs): f is missing"):
        child.__init_handle_by_constructor__()
    with pytest.raises(ZeroDivisionError):
        child.__init_handle_by_constructor__(lambda: 1 / 0)
    assert child.__chandle__() == 0
    assert point.x == 1.0


@pytest.mark.bad_input
@pytest.mark.parametrize("make", [tain.Array, tain.Shape, lambda x: tain.Map({1: x[0]})])
def test_a_container_that_is_hashed_stays_what_it_is(make: Callable[[list[int]], Any]) -> None:
    value = make([1, 2])
    known = {value: "v"}
    text = (
        f"tain.{type(value).__name__} is immutable: __init_handle_by_constructor__ must not be "
        "called again"
    )
    with raises(TypeError, text):
        value.__init_handle_by_constructor__(lambda: make([9, 9]))
    assert known[value] == "v"
