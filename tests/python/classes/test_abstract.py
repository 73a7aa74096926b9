# SPDX-License-Identifier: Apache-2.0
"""Abstract methods: Python must override them, and says so where one is missing."""

from __future__ import annotations

import abc
import copy
import inspect
import pickle

import pytest
from errors import raises
from tain.types.testing import Blob, Figure, Shape, Square, Tile

import tain

AREA, NAME = (tain.get_global_func("testing.figure_" + name) for name in ("area", "name"))


class Circle(Figure):
    """Says what its area is."""

    radius = 2

    def area(self) -> float:
        return 3.0 * self.radius**2


def missing(name: str) -> str:
    return (
        f"Can't instantiate abstract class {name} without an implementation for abstract method "
        "'area'"
    )


def test_a_class_that_overrides_has_instances() -> None:
    assert (AREA(Circle()), NAME(Circle()), Circle().area()) == (12.0, "figure", 12.0)
    assert AREA(type("Child", (Circle,), {"radius": 1})()) == 3.0
    assert AREA(Tile()) == 1.0
    assert AREA(type("Child", (Tile,), {})()) == 1.0
    for again in (copy.copy(Circle()), pickle.loads(pickle.dumps(Circle()))):
        assert AREA(again) == 12.0


@pytest.mark.bad_input
def test_a_class_that_does_not_has_none() -> None:
    class Named(Figure):
        def name(self) -> str:
            return "named"

    class Again(Named):
        def __init__(self) -> None:
            super().__init__()

    class Later(Again):
        def area(self) -> float:
            return 1.0

    for cls, name in [(Named, "Named"), (Again, "Again"), (Figure, "tain.types.testing.Figure")]:
        for make in (cls, lambda cls=cls: cls.__new__(cls)):
            with raises(TypeError, missing(name)):
                make()
        assert inspect.isabstract(cls)
        assert cls.__abstractmethods__ == {"area"}
    assert AREA(Later()) == 1.0
    assert NAME(Later()) == "named"
    assert not inspect.isabstract(Later)


def test_together_with_abc() -> None:
    class Both(Figure, abc.ABC):
        @abc.abstractmethod
        def color(self) -> str: ...

    class Half(Both):
        def color(self) -> str:
            return "red"

    class Whole(Half):
        def area(self) -> float:
            return 5.0

    assert Figure.area.__isabstractmethod__
    assert not Figure.name.__isabstractmethod__
    assert Both.__abstractmethods__ == {"area", "color"}
    with raises(TypeError, missing("Half")):
        Half()
    assert AREA(Whole()) == 5.0


@pytest.mark.bad_input
def test_a_call_that_reaches_no_code() -> None:
    text = "{}.area is abstract and was not overridden"
    made = tain.get_global_func("testing.make_figure")()  # C++ may make one
    lost = Circle()
    area, Circle.area = Circle.area, Figure.area
    try:
        for figure, name in [
            (made, "testing.Figure"),
            (Blob(), "testing.Blob"),
            (type("Child", (Blob,), {})(), "Child"),
            (lost, "Circle"),
        ]:
            for call in (AREA, lambda figure: figure.area()):
                with raises(NotImplementedError, text.format(name)):
                    call(figure)
    finally:
        Circle.area = area

    class Asks(Figure):
        def area(self) -> float:
            return super().area()

    with raises(NotImplementedError, "Asks.area is abstract and was not overridden"):
        AREA(Asks())


@pytest.mark.bad_input
def test_a_class_that_cpp_cannot_make() -> None:
    """A pure virtual method of C++: there is no object to give to Python."""
    for make in (Shape, type("Child", (Shape,), {"area": lambda self: 1.0})):
        with raises(TypeError, "testing.Shape is abstract and has no constructor"):
            make()
    for make in (Shape.__new__, tain.Object.__new__):
        with raises(TypeError, "testing.Shape is abstract and has no constructor"):
            make(Shape)


def test_children_of_a_class_that_cpp_cannot_make() -> None:
    class Mine(Shape):
        def __init__(self) -> None:
            self.__init_handle_by_constructor__(Square)

    assert type(Mine.__new__(Mine)) is Mine
    assert type(Mine()) is Mine
    assert tain.get_global_func("testing.shape_area")(Mine()) == Square().area()
    for made in (Square(), copy.copy(Square()), pickle.loads(pickle.dumps(Square()))):
        assert type(made) is Square
        assert isinstance(made, Shape)


def test_what_type_info_says() -> None:
    area, name = tain.type_info(Figure).methods
    assert (area.is_abstract, name.is_abstract) == (True, False)
    assert area.is_virtual
