# SPDX-License-Identifier: Apache-2.0
"""tain.Object: what subclasses may state, and which class an object may be given."""

from __future__ import annotations

import inspect
import types

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Child(t.Point):
    pass


def test_init_subclass_and_class_arguments() -> None:
    class Base(t.Point):
        def __init_subclass__(cls, *, tag: str, **rest: object) -> None:
            super().__init_subclass__(**rest)
            cls.tag = tag

    class Tagged(Base, tag="here"):
        pass

    assert Tagged.tag == "here"
    assert Tagged(1).x == 1.0


@pytest.mark.bad_input
def test_bases_that_are_assigned() -> None:
    class Moved(t.Point):
        pass

    before = Moved(1, 2)
    Moved.__bases__ = (t.Vector,)
    for where, access in (
        ("Vector.x", lambda: before.x),
        ("testing.Vector.__add__", lambda: before + before),
        ("Vector.y", lambda: t.Vector.y.__get__(before)),
    ):
        with raises(TypeError, f"{where}: expected testing.Vector as self, got testing.Point"):
            access()
    assert t.Point.norm(before) > 2
    assert Moved(3, 4).y == 4
    Moved.__bases__ = (t.Point,)
    assert before.x == 1.0


def test_class_assignment_within_a_type() -> None:
    class Other(t.Point):
        def hello(self) -> str:
            return "hello"

    child = Child(1, 2)
    child.note = "kept"
    child.__class__ = Other
    assert (child.hello(), child.note, child.x) == ("hello", "kept", 1.0)
    assert get("echo")(child) is child


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [t.Vector, t.Bare, type("V", (t.Vector,), {}), int, tain.Object])
def test_class_assignment_across_types(cls: type) -> None:
    modules = (t.Point.__module__, tain.Object.__module__)
    name = f"{cls.__module__}.{cls.__name__}" if cls.__module__ in modules else cls.__name__
    for made, own in ((t.Point(1, 2), "tain.types.testing.Point"), (Child(1, 2), "Child")):
        text = f"__class__ assignment: {own} and {name} do not stand for the same C++ type"
        with raises(TypeError, text):
            made.__class__ = cls
        assert (made.x, made.norm() > 0) == (1.0, True)


@pytest.mark.bad_input
def test_class_assignment_of_what_is_no_class() -> None:
    with raises(TypeError, "__class__ must be set to a class"):
        t.Point(1, 2).__class__ = 5


BUILT_IN = (
    *(tain.Object, tain.Function, tain.Array, tain.List, tain.Map, tain.Dict, tain.Shape),
    *(tain.Tensor, tain.Module, tain.AccessPath, tain.AccessStep, t.Point),
)


@pytest.mark.parametrize("cls", BUILT_IN, ids=lambda cls: cls.__name__)
def test_signatures_of_methods_begin_with_self(cls: type) -> None:
    """What inspect, help and documentation tools show of each method that a class has itself."""
    for name, method in vars(cls).items():
        if not inspect.ismethoddescriptor(method) or not callable(method):
            continue  # a static method, or an attribute that is computed
        if isinstance(method, (staticmethod, types.ClassMethodDescriptorType)):
            continue
        parameters = list(inspect.signature(method).parameters)
        assert parameters and parameters[0] in ("self", "cls"), (name, parameters)
    assert str(inspect.signature(tain.Object.same_as)) == "(self, other, /)"
    assert str(inspect.signature(t.Point(1, 2).same_as)) == "(other, /)"
