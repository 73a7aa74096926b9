# SPDX-License-Identifier: Apache-2.0
"""Boxed classes: members of classes that know nothing of tain, and functions that take them."""

from __future__ import annotations

import gc
import inspect
from typing import Any

import pytest
from errors import raises
from tain.types.testing import boxed
from testing_functions import get

import tain


def call(name: str, *args: Any) -> Any:
    """Call a function of the tests' boxes."""
    return get("boxed." + name)(*args)


def test_constructor_fields_and_methods_are_those_of_the_class() -> None:
    v = boxed.Vec(3)
    assert (v.x, v.y) == (3.0, 1.0)
    v.y = 4
    assert v.norm2() == 25.0
    assert (v + boxed.Vec(1, 2)).x == 4.0
    assert boxed.Vec(x=1, y=2) == boxed.Vec(1, 2) != boxed.Vec(1, 3)
    assert repr(boxed.Vec(1, 2)) == "testing.boxed.Vec(x=1.0, y=2.0)"
    assert boxed.Vec.__doc__ == "A vector."
    assert isinstance(v, tain.Object)


def test_signatures_name_the_class() -> None:
    assert (
        str(inspect.signature(boxed.Vec.scale))
        == "(self, by: float) -> tain.types.testing.boxed.Vec"
    )
    in_matrix = str(inspect.signature(boxed.Vec.in_matrix))
    assert in_matrix == "(self, arg0: tain.types.testing.boxed.Matrix, /) -> int"
    take = str(inspect.signature(get("boxed.by_pointer")))
    assert take == "(v: tain.types.testing.boxed.Vec | None) -> float"


def test_a_result_that_refers_to_the_receiver_is_the_receiver() -> None:
    v, m = boxed.Vec(1, 2), boxed.Matrix(1, 1)
    assert v.scale(2) is v
    assert v.x == 2.0
    assert m.itself() is m
    assert call("first", v, boxed.Vec()) is v


@pytest.mark.parametrize("take", ["corner", "origin_reference", "origin_pointer", "origin"])
def test_a_reference_to_a_member_keeps_its_owner_alive(take: str) -> None:
    m = boxed.Matrix(1, 1)
    m.origin.x = 7
    found = getattr(m, take)
    v = found if take == "origin" else found()
    assert v.x == 7.0
    m.origin.x = 8
    assert v.x == 8.0
    before = call("alive")[1]
    del m, found
    gc.collect()
    assert call("alive")[1] == before
    assert v.x == 8.0
    del v
    gc.collect()
    assert call("alive")[1] == before - 1


def test_a_reference_from_a_function_keeps_the_arguments_alive() -> None:
    v = call("origin_of", boxed.Matrix(1, 1), 0)
    gc.collect()
    v.x = 5
    assert v.x == 5.0


def test_a_const_reference_is_read_only() -> None:
    m = boxed.Matrix(1, 1)
    corner = m.corner()
    said = "expected testing.boxed.Vec.* that is not read-only"
    with pytest.raises(TypeError, match="the object is read-only, because C\\+\\+ returned it"):
        corner.x = 1
    with pytest.raises(TypeError, match=said):
        corner.scale(2)
    with pytest.raises(TypeError, match=said):
        call("by_reference", corner)
    with pytest.raises(TypeError, match=said):
        call("by_pointer", corner)
    assert call("by_const_reference", corner) == 0.0
    assert call("by_const_pointer", corner) == 0.0
    assert corner.norm2() == 0.0
    assert call("by_value", corner).x == 1.0
    assert m.origin.x == 0.0


def test_fields_of_a_boxed_class_are_references_and_take_copies() -> None:
    m, v = boxed.Matrix(1, 1), boxed.Vec(1, 2)
    m.origin = v
    v.x = 100
    assert m.origin.x == 1.0
    m.origin.y = 9
    assert m.origin.y == 9.0
    with raises(TypeError, "Matrix.origin: expected testing.boxed.Vec, got int (1)"):
        m.origin = 1
    with raises(TypeError, "Matrix.name: expected str, got int (1)"):
        m.name = 1
    m.name = "other"
    assert (m.name, m.version) == ("other", 3)
    with pytest.raises(AttributeError, match="version is read-only"):
        m.version = 4


def test_a_field_that_owns_its_object_by_a_pointer() -> None:
    m = boxed.Matrix(1, 1)
    assert m.extra is None
    m.add_extra(boxed.Vec(6, 6))
    extra = m.extra
    del m
    gc.collect()
    assert extra.x == 6.0


def test_objects_of_tain_may_have_fields_of_boxed_classes() -> None:
    plot = boxed.Plot()
    center = plot.center
    center.x = 10
    assert plot.center.x == 10.0
    plot.center = boxed.Vec(3, 3)
    assert center.x == 3.0
    del plot
    gc.collect()
    assert center.y == 3.0


def test_objects_of_tain_cross_by_value_as_copies() -> None:
    plot = boxed.Plot(4)
    after = call("next_plot", plot)
    assert (plot.number, after.number) == (4, 5)
    assert (plot.center.x, after.center.x) == (1.0, 2.0)
    assert type(after) is boxed.Plot
    with raises(
        TypeError,
        "testing.boxed.next_plot: argument plot: expected testing.boxed.Plot, got int (1)",
    ):
        call("next_plot", 1)


def test_parameters_by_value_reference_and_pointer() -> None:
    v = boxed.Vec(1, 1)
    assert call("by_value", v).x == 2.0
    assert v.x == 1.0
    call("by_reference", v)
    assert v.x == 42.0
    assert call("by_pointer", v) == 42.0
    assert call("by_pointer", None) == -1.0
    assert [w.x for w in call("all", [v, boxed.Vec(5, 5)])] == [42.0, 5.0]
    assert call("maybe", None) is None
    assert call("maybe", v) == v
    assert call("maybe", v) is not v
    assert call("box_handle", v) is v
    assert call("overloaded", v) == 42.0
    assert call("overloaded", 7) == 7


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["by_value", "by_reference", "by_const_reference"])
@pytest.mark.parametrize(
    ("value", "got"),
    [(None, "None"), (1, "int (1)"), (boxed.Matrix, "testing.boxed.Matrix")],
)
def test_other_values_are_refused(name: str, value: object, got: str) -> None:
    value = value(1, 1) if isinstance(value, type) else value
    with pytest.raises(TypeError) as caught:
        call(name, value)
    assert str(caught.value).startswith(
        f"testing.boxed.{name}: argument v: expected testing.boxed.Vec, got"
    )
    assert got in str(caught.value)


@pytest.mark.bad_input
def test_a_receiver_of_another_class_is_refused() -> None:
    with pytest.raises(TypeError):
        boxed.Vec.norm2(boxed.Matrix(1, 1))
    with pytest.raises(TypeError):
        boxed.Vec.x.__get__(boxed.Matrix(1, 1))
    with pytest.raises(TypeError):
        boxed.Vec.norm2(None)


def test_exceptions_of_constructors_and_methods() -> None:
    gc.collect()
    before = call("alive")
    with pytest.raises(ValueError, match="a matrix has no negative size"):
        boxed.Matrix(-1, 1)
    with pytest.raises(IndexError, match="no such cell"):
        boxed.Matrix(1, 1).get(1, 0)
    gc.collect()
    assert call("alive") == before


def test_iteration_by_begin_and_end() -> None:
    m = boxed.Matrix(2, 2)
    m.set(0, 1, 5)
    assert list(m) == [0.0, 5.0, 0.0, 0.0]
    iterator = iter(m)
    del m
    gc.collect()
    assert next(iterator) == 0.0
    assert next(iterator) == 5.0


def test_polymorphic_objects_have_the_class_of_what_they_are() -> None:
    shape = call("new_square", 3)
    assert type(shape) is boxed.Square
    assert isinstance(shape, boxed.Shape)
    assert (shape.side, shape.area(), shape.label, shape.tag) == (3.0, 9.0, "shape", 5)
    shape.label = "square"
    assert shape.label == "square"
    assert call("area", shape) == 9.0
    blob = call("new_blob")
    assert type(blob) is boxed.Shape
    assert blob.area() == -1.0


def test_a_base_that_is_not_at_the_start_of_the_class() -> None:
    square = boxed.Square(2)
    assert (square.area(), square.tag, square.side) == (4.0, 5, 2.0)
    square.label = "x"
    assert (square.label, square.tag, square.side) == ("x", 5, 2.0)
    assert call("area", square) == 4.0


@pytest.mark.bad_input
def test_an_abstract_class_has_no_objects() -> None:
    with pytest.raises(TypeError):
        boxed.Shape()
    with pytest.raises(TypeError):
        boxed.Managed()
    assert boxed.Managed.only().number == 11


def test_alignment_is_kept() -> None:
    assert all(boxed.Wide().aligned() for _ in range(20))


def test_a_destructor_that_throws_ends_nothing() -> None:
    angry = boxed.Angry()
    del angry
    gc.collect()


def test_a_box_that_inherits_has_the_members_of_the_class() -> None:
    gauge = boxed.Gauge()
    gauge.level = 2
    assert (gauge.doubled(), gauge.tripled()) == (4.0, 6.0)


def test_python_classes_derive_from_boxed_classes() -> None:
    class Named(boxed.Vec):
        def __init__(self, name: str) -> None:
            super().__init__(3, 4)
            self.name = name

    named = Named("a")
    assert (named.norm2(), named.name) == (25.0, "a")
    assert named.scale(2) is named
    call("by_reference", named)
    assert named.x == 42.0


def test_reflection_knows_fields_and_methods() -> None:
    info = tain.type_info(boxed.Vec)
    assert [field.name for field in info.fields] == ["x", "y"]
    assert [field.type for field in info.fields] == ["float", "float"]
