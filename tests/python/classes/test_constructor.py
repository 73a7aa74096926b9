# SPDX-License-Identifier: Apache-2.0
"""Construction: `__new__` and `__init__`, subclasses, bases, `__class__`."""

from __future__ import annotations

import abc
import gc
import re
import traceback

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Child(t.Point):
    pass


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: t.Point.__new__(int), "int is not a subtype of tain.types.testing.Point"),
        (lambda: t.Point.__new__(t.Vector), "is not a subtype of tain.types.testing.Point"),
        (lambda: t.Point.__new__(5), "X is not a type object (int)"),
        (lambda: t.Point.__new__(), "not enough arguments"),
        (lambda: object.__new__(t.Point), "object.__new__(tain.types.testing.Point) is not safe"),
        (lambda: object.__new__(Child), "object.__new__(Child) is not safe"),
        (lambda: t.Point.__init__(5), "requires a 'tain.types.testing.Point' object but"),
        (lambda: t.Point.__init__(t.Vector(1, 2), 1), "requires a 'tain.types.testing.Point'"),
    ],
)
def test_new_and_init_of_other_classes(call, text: str) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        call()


@pytest.mark.parametrize("cls", [t.Point, Child])
def test_init_twice(cls: type) -> None:
    point = cls(1, 2)
    seen = tain.convert([point])
    point.__init__(3, 4)
    assert (point.x, point.y) == (3.0, 4.0)
    assert seen[0].x == 1.0  # the object that C++ holds is the one before
    with raises(TypeError, "testing.Point: argument x: expected float, got str ('x')"):
        point.__init__("x")
    assert point.x == 3.0


def test_subclasses_with_their_own_parameters() -> None:
    class Labelled(t.Point):
        def __new__(cls, label: str, *args: object) -> Labelled:
            self = super().__new__(cls)
            self.made = True
            return self

        def __init__(self, label: str, x: float) -> None:
            super().__init__(x, y=1)
            self.label = label

    labelled = Labelled("here", 5)
    assert (labelled.label, labelled.x, labelled.y, labelled.made) == ("here", 5.0, 1.0, True)
    assert tain.convert([labelled])[0] is labelled
    assert Child(1, y=2).y == 2.0


# ---------------------------------------------------------------- bases


def test_abstract_base_classes() -> None:
    class Named(t.Point, abc.ABC):
        @abc.abstractmethod
        def name(self) -> str: ...

    class Concrete(Named):
        def name(self) -> str:
            return "concrete"

    for call in (lambda: Named(1, 2), lambda: Named.__new__(Named)):
        with raises(
            TypeError,
            "Can't instantiate abstract class Named without an implementation for abstract "
            "method 'name'",
        ):
            call()
    assert Concrete(1, 2).name() == "concrete"


def test_an_abstract_type_gets_a_python_subclass() -> None:
    class Circle(t.Shape):
        def area(self) -> float:
            return 3.0

    with raises(TypeError, "testing.Shape is abstract and has no constructor"):
        Circle()


def test_mixins_and_metaclasses() -> None:
    class Mixin:
        def hello(self) -> str:
            return f"hello {self.x}"

    class WithMixin(Mixin, t.Point):
        pass

    class Meta(type):
        def __call__(cls, *args: float) -> object:
            made = super().__call__(*args)
            made.meta = True
            return made

    class WithMeta(t.Point, metaclass=Meta):
        pass

    assert WithMixin(1, 2).hello() == "hello 1.0"
    assert WithMeta(1, 2).meta
    assert get("echo")([WithMixin(5)])[0].x == 5.0


def test_two_types_of_one_line_are_one() -> None:
    both = type("Both", (t.Depth3, t.Depth1), {})
    assert (both().a, both().c) == (1, 3)
    merged = type("Merged", (Child, type("Other", (t.Point,), {})), {})
    assert merged(1, 2).x == 1.0


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("bases", "text"),
    [
        (
            (t.Point, t.Vector),
            "Both: the C++ types tain.types.testing.Point and tain.types.testing.Vector are "
            "unrelated, so one object cannot be both; derive from one and hold the other in an "
            "attribute",
        ),
        (
            (Child, type("Other", (t.Vector,), {})),
            "Both: the C++ types tain.types.testing.Point and tain.types.testing.Vector are "
            "unrelated, so one object cannot be both; derive from one and hold the other in an "
            "attribute",
        ),
        ((t.Point, int), "multiple bases have instance lay-out conflict"),
        ((t.Point, Exception), "multiple bases have instance lay-out conflict"),
        ((t.Point, dict), "multiple bases have instance lay-out conflict"),
        ((t.Uncopyable,), "type 'tain.types.testing.Uncopyable' is not an acceptable base type"),
    ],
)
def test_bases_that_do_not_go_together(bases: tuple, text: str) -> None:
    with raises(TypeError, text):
        type("Both", bases, {})
    gc.collect()  # the class that was refused refers to itself


@pytest.mark.bad_input
def test_a_refused_field_ends_at_the_line_of_the_caller() -> None:
    for call, place in (
        (lambda: t.Title(3), "testing.Title: argument title"),
        (lambda: t.Title(size="a"), "testing.Title: argument size"),
        (lambda: t.boxed.Place(x="a"), "testing.boxed.Place: argument x"),
    ):
        with pytest.raises(TypeError, match=f"^{re.escape(place)}: expected") as caught:
            call()
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert {frame.filename for frame in frames} == {__file__}
