# SPDX-License-Identifier: Apache-2.0
"""tain.Object: what subclasses may state, and which class an object may be given."""

from __future__ import annotations

import pytest
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
    for access in (lambda: before.x, lambda: before + before, lambda: t.Vector.y.__get__(before)):
        with pytest.raises(TypeError, match=r"expected testing\.Vector as self, got "):
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
    for made in (t.Point(1, 2), Child(1, 2)):
        with pytest.raises(TypeError, match=r"^__class__ assignment: .*"):
            made.__class__ = cls
        assert (made.x, made.norm() > 0) == (1.0, True)


@pytest.mark.bad_input
def test_class_assignment_of_what_is_no_class() -> None:
    with pytest.raises(TypeError, match=r"^__class__ must be set to a class$"):
        t.Point(1, 2).__class__ = 5
