# SPDX-License-Identifier: Apache-2.0
"""What a generated class holds beside its fields: operators, patterns, documentation."""

from __future__ import annotations

import io
import pydoc
from contextlib import redirect_stdout

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Labelled(t.Point):
    """A subclass that can be pickled."""


V = t.Vector
OPERATORS = [
    (lambda: V(1, 2) + V(3, 4), V(4, 6)),
    (lambda: V(1, 2) - V(3, 4), V(-2, -2)),
    (lambda: V(1, 2) * 3, V(3, 6)),
    (lambda: 3 * V(1, 2), V(3, 6)),
    (lambda: -V(1, 2), V(-1, -2)),
    (lambda: abs(V(3, 4)), 25),
    (lambda: V(1, 2) == V(1, 2), True),
    (lambda: V(1, 2) != V(1, 2), False),
    (lambda: V(1, 2) == V(2, 2), False),
    (lambda: V(1, 2) < V(2, 2), True),
    (lambda: V(1, 2) > V(2, 2), False),
    (lambda: hash(V(1, 2)), 33),
    (lambda: bool(V(0, 0)), False),
    (lambda: bool(V(0, 1)), True),
    (lambda: str(V(1, 2)), "1,2"),
    (lambda: int(V(5, 1)), 5),
    (lambda: float(V(5, 1)), 5.0),
    (lambda: {V(1, 2): "a"}[V(1, 2)], "a"),
    (lambda: sorted([V(2, 0), V(1, 0)], key=lambda v: v)[0], V(1, 0)),
    (lambda: list(t.Countdown(3)), [3, 2, 1]),
    (lambda: sum(t.Countdown(4)), 10),
    (lambda: t.Bag()(1, 2, 3), 3),
    # an operand of another type is left to the other side
    (lambda: V(1, 2) == "x", False),
    (lambda: V(1, 2) != 5, True),
    (lambda: "x" in [V(1, 2)], False),
    (lambda: V(1, 2).__eq__(5), NotImplemented),
    (lambda: V(1, 2).__add__(5), NotImplemented),
]


@pytest.mark.parametrize(("operate", "expected"), OPERATORS)
def test_operators(operate, expected: object) -> None:
    assert operate() == expected


def test_in_place_operators() -> None:
    vector = same = V(1, 2)
    vector += V(10, 20)
    assert vector is same
    assert vector == V(11, 22)


def test_the_other_operand_is_asked() -> None:
    class Answers:
        def __radd__(self, other: object) -> str:
            return f"added to {other}"

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None

    assert V(1, 2) + Answers() == "added to 1,2"
    assert V(1, 2) == Answers()


NAME = "tain.types.testing.Vector"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("operate", "text"),
    [
        (lambda: V(1, 2) + 1, f"unsupported operand type(s) for +: '{NAME}' and 'int'"),
        (lambda: 1 + V(1, 2), f"unsupported operand type(s) for +: 'int' and '{NAME}'"),
        (lambda: V(1, 2) @ 3, f"unsupported operand type(s) for @: '{NAME}' and 'int'"),
        (lambda: +V(1, 2), f"bad operand type for unary +: '{NAME}'"),
        (lambda: V(1, 2) < 5, f"'<' not supported between instances of '{NAME}' and 'int'"),
        (lambda: t.Bag()["x"], "testing.Bag.__getitem__: argument i: expected int, got str ('x')"),
        (
            lambda: t.Point(1, 2) < t.Point(1, 2),
            "'<' not supported between instances of 'tain.types.testing.Point' and "
            "'tain.types.testing.Point'",
        ),
        (lambda: len(t.Point(1, 2)), "object of type 'tain.types.testing.Point' has no len()"),
        (lambda: t.Point(1, 2)(), "'tain.types.testing.Point' object is not callable"),
        (lambda: iter(t.Point(1, 2)), "'tain.types.testing.Point' object is not iterable"),
    ],
)
def test_operands_that_do_not_fit(operate, text: str) -> None:
    with raises(TypeError, text):
        operate()


def test_match_statements() -> None:
    def describe(value: object) -> str:
        match value:
            case t.Point(0, 0):
                return "the origin"
            case t.Point(x, y=0.0):
                return f"on the axis at {x}"
            case t.Point(x=x, y=y):
                return f"{x} {y}"
            case t.Config("special"):
                return "special"
            case t.Color.RED:
                return "red"
            case [first, *_]:
                return f"starts with {first}"
        return "nothing"

    assert describe(t.Point(0, 0)) == "the origin"
    assert describe(t.Point(3, 0)) == "on the axis at 3.0"
    assert describe(Labelled(1, 2)) == "1.0 2.0"
    assert describe(t.Config("special")) == "special"
    assert describe(t.Color.RED) == "red"
    assert describe(tain.convert([7, 8])) == "starts with 7"
    assert describe(t.Vector(1, 2)) == "nothing"
    assert t.Point.__match_args__ == ("x", "y")


HELP = [
    (t.Point, ["class Point(tain.Object)", "A point in the plane.", "norm(self) -> float"]),
    (t.Point, ["abscissa", "ordinate", "Point(x: float, y: float = 0.0)", "origin()"]),
    (t.Point.norm, ["norm(self) -> float", "Euclidean length"]),
    (t.Point(1, 2).norm, ["norm() -> float", "Euclidean length"]),
    (t.Point.x, ["abscissa"]),
    (get("greet"), ["greet(name: str, greeting: str = 'hello', punctuation", "A greeting."]),
    (t.Gadget, ["A gadget.", "With a longer text.", "How large it is.", "MAX_SIZE = 100"]),
    (t.Color, ["Colors.", "RED"]),
    (tain.Object, ["Base class of every registered C++ type."]),
    (tain, ["NAME", "tain"]),
]


@pytest.mark.parametrize(("thing", "parts"), HELP)
def test_help(thing: object, parts: list[str]) -> None:
    text = pydoc.plain(pydoc.render_doc(thing))
    for part in parts:
        assert part in text
    with redirect_stdout(io.StringIO()):
        help(thing)
