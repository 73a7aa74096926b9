# SPDX-License-Identifier: Apache-2.0
"""Boxed classes: who owns the objects, and copies of boxes."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from tain.types.testing import boxed
from testing_functions import get

import tain


def call(name: str, *args: Any) -> Any:
    """Call a function of the tests' boxes."""
    return get("boxed." + name)(*args)


@pytest.fixture(autouse=True)
def all_destroyed() -> Iterator[None]:
    """Each foreign object that a test makes is destroyed."""
    gc.collect()
    before = call("alive")
    yield
    call("drop")
    gc.collect()
    assert call("alive") == before


GONE = "that was not given away"
IN_USE = "that only this argument refers to"


def test_a_unique_ptr_brings_and_takes_an_object() -> None:
    shape = call("new_square", 2)
    assert call("take_shape", shape) == 4.0
    with pytest.raises(ValueError, match="was given away to a std::unique_ptr"):
        shape.side  # noqa: B018
    with pytest.raises(ValueError, match="was given away"):
        shape.side = 3
    with pytest.raises(TypeError, match=GONE):
        shape.area()
    with pytest.raises(TypeError, match=GONE):
        call("take_shape", shape)
    with pytest.raises(ValueError, match="was given away"):
        copy.copy(shape)
    assert repr(shape) == f"<testing.boxed.{type(shape).__name__}: given away>"
    assert repr([shape]) == str(tain.Array([shape])) == f"[{shape!r}]"


def test_null_pointers_are_none() -> None:
    assert call("nothing") is None
    assert call("no_node") is None
    assert call("take_shape", None) == -2.0
    call("keep_node", None)
    assert call("kept_node") is None


def test_the_object_of_a_value_moves_out_of_its_box() -> None:
    v = boxed.Vec(5, 5)
    assert call("take_two", v, boxed.Vec(1, 1)) == 6.0
    with pytest.raises(ValueError, match="was given away"):
        v.x  # noqa: B018


@pytest.mark.bad_input
def test_an_object_is_given_away_once() -> None:
    v = boxed.Vec(5, 5)
    with pytest.raises(TypeError, match=IN_USE):
        call("take_two", v, v)
    assert v.x == 5


@pytest.mark.bad_input
def test_a_refused_argument_leaves_the_others_as_they_were() -> None:
    handle = call("new_handle", 3)
    with pytest.raises(TypeError):
        call("take_handle", handle, "no int")
    assert handle.number == 3
    assert call("take_handle", handle, 0) == 3


@pytest.mark.bad_input
def test_an_object_in_use_is_not_given_away() -> None:
    shape = call("new_square", 2)

    def take() -> None:
        with pytest.raises(TypeError, match=IN_USE):
            call("take_shape", shape)

    assert call("use_during", shape, take) == 4.0
    held = tain.Array([shape])
    with pytest.raises(TypeError, match=IN_USE):
        call("take_shape", shape)
    del held
    assert call("take_shape", shape) == 4.0


@pytest.mark.bad_input
def test_an_object_whose_parts_are_referred_to_is_not_given_away() -> None:
    m = boxed.Matrix(1, 1)
    m.add_extra(boxed.Vec(1, 1))
    v, part = boxed.Vec(2, 2), m.extra
    with pytest.raises(TypeError, match=IN_USE):
        call("take_two", v, part)
    assert (v.x, part.x) == (2.0, 1.0)


@pytest.mark.bad_input
def test_an_object_without_moves_stays_in_its_box() -> None:
    handle = boxed.Handle(4)
    with pytest.raises(TypeError, match="whose object can be moved to the heap"):
        call("take_handle", handle, 0)
    assert handle.number == 4


def test_an_rvalue_is_taken() -> None:
    shape = call("new_square", 5)
    assert call("take_shape", shape._move()) == 25.0


def test_a_shared_ptr_that_cpp_keeps_keeps_the_box() -> None:
    m = boxed.Matrix(2, 3)
    call("keep_matrix", m)
    ident = m.__chandle__()
    del m
    gc.collect()
    again = call("kept_matrix")
    assert again.rows() == 2
    assert again.__chandle__() == ident
    assert call("kept_matrix") is again


def test_a_python_subclass_survives_in_a_shared_ptr() -> None:
    class Named(boxed.Matrix):
        pass

    m = Named(1, 1)
    m.name_in_python = "n"
    call("keep_matrix", m)
    ref = weakref.ref(m)
    del m
    gc.collect()
    again = call("kept_matrix")
    assert type(again) is Named
    assert again.name_in_python == "n"
    assert ref() is again


def test_a_shared_ptr_shares_the_ownership() -> None:
    first = call("new_nodes")
    second = first.next
    del first
    gc.collect()
    assert second.value == 2
    call("keep_node", second)
    del second
    gc.collect()
    assert call("kept_node").value == 2


def test_a_reference_to_an_object_that_knows_its_shared_ptr() -> None:
    node = call("new_nodes").next
    again = node.self()
    assert again is node
    node.next = boxed.Node(9)
    following = node.next
    del node, again
    gc.collect()
    assert following.value == 9


def test_a_shared_ptr_to_const_is_read_only() -> None:
    node = call("const_node")
    assert node.value == 8
    with pytest.raises(TypeError, match="the object is read-only"):
        node.value = 1
    with pytest.raises(TypeError, match="that is not read-only"):
        call("keep_node", node)


def test_operators_new_and_delete_of_the_class() -> None:
    allocated, freed = boxed.Pooled.counts()
    pooled = boxed.Pooled(6)
    assert list(boxed.Pooled.counts()) == [allocated, freed]
    assert call("take_pooled", pooled) == 6
    assert list(boxed.Pooled.counts()) == [allocated + 1, freed + 1]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies(copied: Any) -> None:
    v = boxed.Vec(1, 2)
    other = copied(v)
    other.x = 10
    assert (v.x, other.x, other.y) == (1.0, 10.0, 2.0)
    plot = boxed.Plot(3)
    twin = copied(plot)
    twin.center.x = 50
    assert plot.center.x == 1.0


def test_the_copy_of_a_reference_is_a_value() -> None:
    m = boxed.Matrix(1, 1)
    corner = copy.copy(m.corner())
    corner.x = 3
    assert m.origin.x == 0.0


@pytest.mark.bad_input
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_what_cannot_be_copied(copied: Any) -> None:
    with pytest.raises(TypeError, match=r"testing.boxed.Handle"):
        copied(boxed.Handle(1))
    with pytest.raises(TypeError):
        copied(call("new_blob"))


def test_pickles_of_fields() -> None:
    v = pickle.loads(pickle.dumps(boxed.Vec(1, 2)))
    assert (v.x, v.y) == (1.0, 2.0)
    assert pickle.loads(pickle.dumps(boxed.Handle(3))).number == 3


@pytest.mark.bad_input
def test_a_class_that_fields_cannot_make_has_no_pickles() -> None:
    with pytest.raises(
        TypeError, match=r"testing.boxed.Matrix cannot be pickled: 32 bytes of its "
    ):
        pickle.dumps(boxed.Matrix(1, 1))
    with pytest.raises(TypeError, match=r"cannot pickle testing.boxed.Wide: .* has no fields"):
        pickle.dumps(boxed.Wide())


class MySlot(boxed.Slot):
    """A subclass with attributes."""


def to_itself(slot: Any) -> None:
    slot.value = slot


def to_itself_in_a_list(slot: Any) -> None:
    slot.all = [1, slot]


def to_a_callback_with_it(slot: Any) -> None:
    slot.value = lambda: slot


def by_a_reference_to_a_member(slot: Any) -> None:
    slot.center = slot.vec


def by_a_container_of_tain(slot: Any) -> None:
    slot.value = tain.List([tain.Dict({"slot": slot})])


@pytest.mark.parametrize(
    "link",
    [
        to_itself,
        to_itself_in_a_list,
        to_a_callback_with_it,
        by_a_reference_to_a_member,
        by_a_container_of_tain,
    ],
)
def test_cycles_through_registered_fields_and_references_are_collected(link) -> None:
    gc.collect()
    before = call("slots_alive")
    slot = MySlot()
    link(slot)
    found = weakref.ref(slot)
    del slot
    gc.collect()
    assert (found(), call("slots_alive")) == (None, before)


def test_cycles_of_an_object_that_a_unique_ptr_brought_are_collected() -> None:
    gc.collect()
    before = call("slots_alive")
    slot = call("new_slot")
    to_itself(slot)
    del slot
    gc.collect()
    assert call("slots_alive") == before


def test_what_is_in_use_is_not_collected() -> None:
    slot, plain = MySlot(), boxed.Slot()
    slot.value, plain.value = slot, [slot]
    slot.center, vec = slot.vec, slot.vec
    found = weakref.ref(slot)
    del slot
    gc.collect()
    vec.x = 4
    assert found() is not None  # by `vec`, and by `plain`
    assert (found().center.x, found().value) == (4.0, found())
    del vec
    gc.collect()
    assert plain.value[0] is found()
    del plain
    gc.collect()
    assert found() is None


def test_cycles_through_what_no_field_shows_are_never_collected() -> None:
    gc.collect()
    before = call("slots_alive")
    slot = MySlot()
    slot.hide(slot)
    found = weakref.ref(slot)
    shared = call("shared_slot")  # others may own the object too, so its fields do not count
    shared.value = shared
    node = type("MyNode", (boxed.Node,), {})(1)
    node.next = node  # a std::shared_ptr
    found_node = weakref.ref(node)
    del slot, node
    gc.collect()
    assert None not in (found(), found_node())
    found().hide(None)
    found_node().next = None
    shared.value = None
    del shared
    gc.collect()
    assert (found(), found_node(), call("slots_alive")) == (None, None, before)


def test_a_deep_copy_copies_what_the_copy_constructor_shares() -> None:
    slot = boxed.Slot()
    slot.value = tain.List([1])
    slot.hide(tain.List([2]))  # no field: the copy constructor copies it
    assert copy.copy(slot).value is slot.value
    other = copy.deepcopy(slot)
    assert other.value is not slot.value
    assert other.value == [1]


def test_the_value_of_a_derived_class_moves_to_a_pointer_to_its_base() -> None:
    """A Shape is not at the start of a Square, whose box Python made."""
    square = boxed.Square(3)
    assert call("take_shape", square) == 9.0
    with pytest.raises(ValueError, match="was given away"):
        square.side  # noqa: B018
    assert call("take_shape", boxed.Square(2)) == 4.0


SINKS = r"""
#include <tain/boxed.h>
#include <tain/stl.h>
namespace sinks {
struct Base { virtual ~Base() = default; virtual int f() const { return 1; } };
struct Pinned : Base {
  Pinned() = default;
  Pinned(const Pinned&) = delete;
  int f() const override { return 2; }
};
struct Plain { int g() const { return 3; } };
struct Derived : Plain { int x = 4; };
}  // namespace sinks
TAIN_REGISTER {
  using namespace tain::reflection;
  using tain::Boxed;
  ObjectDef<Boxed<sinks::Base>>("sinks.Base").def_init<>();
  ObjectDef<Boxed<sinks::Pinned>>("sinks.Pinned", tain::boxed_base<sinks::Base>()).def_init<>();
  ObjectDef<Boxed<sinks::Plain>>("sinks.Plain").def_init<>();
  ObjectDef<Boxed<sinks::Derived>>("sinks.Derived", tain::boxed_base<sinks::Plain>())
      .def_init<>()
      .def_rw("x", &sinks::Derived::x);
  GlobalDef()
      .def("sinks.take", [](std::unique_ptr<sinks::Base> b) { return b->f(); }, tain::arg("b"))
      .def("sinks.take_plain", [](std::unique_ptr<sinks::Plain> b) { return b->g(); },
           tain::arg("b"));
}
"""


def test_a_value_that_cannot_move_to_the_heap_stays() -> None:
    """Its class is not movable, or its base has no virtual destructor."""
    tain.cpp.load_inline("sinks", cpp_sources=SINKS)
    from tain.types import sinks

    assert sinks.take(sinks.Base()) == 1
    for take, made, base in (
        (sinks.take, sinks.Pinned(), "Base"),
        (sinks.take_plain, sinks.Derived(), "Plain"),
    ):
        with pytest.raises(TypeError, match=f"sinks.{base} \\| None whose object can be moved to"):
            take(made)
    assert made.x == 4
    assert sinks.take_plain(sinks.Plain()) == 3
