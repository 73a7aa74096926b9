# SPDX-License-Identifier: Apache-2.0
"""Boxed classes: what a box keeps alive, and what C++ lends for the length of a call."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from kept_boxes import USE, all_destroyed, attached, call, reuse_memory  # noqa: F401
from tain.types.testing import boxed
from tain.types.testing.boxed import (
    Listener,
    Model,
    Number,
    Place,
    Solver,
    Station,
    Target,
    Workshop,
)

import tain

# ---------------------------------------------------------------- what a box keeps


@pytest.mark.parametrize(
    "make",
    [
        lambda: Solver(Model()),
        lambda: call("solver_by_value", Model()),
        lambda: call("solver_unique", Model()),
        lambda: call("solver_shared", Model()),
        lambda: call("solvers", Model())[1],
        lambda: call("any_solver", Model()),
        lambda: Solver(model=Model().itself()),
    ],
    ids=["constructor", "value", "unique_ptr", "shared_ptr", "pair", "Any", "reference"],
)
def test_a_box_keeps_what_it_was_made_of(make: Callable[[], Any]) -> None:
    solver = make()
    reuse_memory()
    assert solver.solve() == USE
    del solver
    gc.collect()
    assert call("last_read") == USE  # its destructor ran before that of the Model


@pytest.mark.parametrize(
    "make",
    [
        lambda workshop: workshop.pair()[0],
        lambda workshop: workshop.tuple()[1],
        lambda workshop: workshop.list()[0],
        lambda workshop: workshop.named()["only"],
    ],
    ids=["pair", "tuple", "vector", "map"],
)
def test_new_objects_in_containers_keep_the_receiver(make: Callable[[Any], Any]) -> None:
    """They are new although the container held them, too, before it was converted."""
    solver = make(Workshop())
    reuse_memory()
    assert solver.solve() == USE
    del solver
    gc.collect()
    assert call("last_read") == USE


@pytest.mark.parametrize(
    "how",
    [
        lambda listener: listener.attach(Model()),
        lambda listener: listener.refer(Model()),
        lambda listener: listener.attach_all([Model()]),
        lambda listener: setattr(listener, "model", Model()),
        lambda listener: listener.attach(Model().itself()),
    ],
    ids=["pointer", "reference", "pointers", "property", "kept reference"],
)
def test_a_box_keeps_what_it_was_given(how: Callable[[Any], Any]) -> None:
    listener = attached(how)
    reuse_memory()
    assert listener.use() == USE


def test_what_a_reference_gets_is_kept_by_the_owner() -> None:
    station = Station()
    station.get().attach(Model())
    reuse_memory()
    assert station.get().use() == USE


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        lambda listener: listener.again(),
        lambda listener: call("listener_by_value", listener),
        lambda listener: call("listener_by_reference", listener),
        lambda listener: call("listener_unique", listener),
        lambda listener: call("listener_shared", listener),
        lambda listener: call("listener_shared", call("listener_shared", listener)),
        lambda listener: call("listeners", [Listener(), listener])[1],
        lambda listener: call("listeners", [listener.refer(Model())])[0],
        lambda listener: Station.of(listener).listener,
        lambda listener: copy.copy(Station.of(listener).listener),
        lambda listener: assigned(Listener(), listener),
        lambda listener: assigned(Station().get(), listener),
        lambda listener: with_field(Station(), listener).get(),
    ],
)
def test_a_copy_keeps_what_its_original_keeps(copied: Callable[[Any], Any]) -> None:
    listener = attached(lambda listener: listener.attach(Model()))
    made = copied(listener)
    del listener
    reuse_memory()
    assert made.use() == USE
    assert made.model.use() == USE


def assigned(to: Any, listener: Any) -> Any:
    """Assign in C++; returns the receiver."""
    to.assign(listener)
    return to


def with_field(station: Any, listener: Any) -> Any:
    """Set a field of a boxed class; returns the object."""
    station.listener = listener
    return station


def test_the_copy_of_a_solver_ends_before_the_model() -> None:
    solver = copy.copy(Solver(Model()))
    reuse_memory()
    assert solver.solve() == USE
    del solver
    gc.collect()
    assert call("last_read") == USE


def test_what_a_shared_object_was_given_lives_as_long_as_it() -> None:
    call("shared_listener").attach(Model())
    reuse_memory()
    assert call("shared_listener").use() == USE
    copied = copy.copy(call("shared_listener"))
    for _ in range(100):
        call("shared_listener").attach(Model())
    gc.collect()
    call("drop_listener")
    gc.collect()
    reuse_memory()
    assert copied.use() == USE


def test_an_object_that_cpp_keeps_keeps_what_it_was_given() -> None:
    listener = call("listener_shared", Listener())
    listener.attach(Model())
    call("keep_listener", listener)
    del listener
    reuse_memory()
    assert call("shared_listener").use() == USE
    call("drop_listener")


def test_parts_of_own_objects_keep_what_they_were_given() -> None:
    station = boxed.OwnStation()
    station.get().attach(Model())
    reuse_memory()
    assert station.get().use() == USE
    copied = copy.copy(station.listener)
    station.listener = attached(lambda listener: listener.attach(Model()))
    reuse_memory()
    assert station.listener.use() == USE
    del station
    reuse_memory()
    assert copied.use() == USE


IN_STATIC_MEMORY = """
import copy, gc
from tain.types.testing.boxed import Model
from testing_functions import get
named, alive = get("boxed.static_listener"), get("boxed.kept_alive")
named("a name of some length").attach(Model())
for _ in range(20):
    Model().first = -50.0
assert named("another long name").use() == 3.0
assert copy.copy(named("")).use() == 3.0
for _ in range(3):
    named("").attach(None)
assert alive()[0] == 1  # nobody knows that it is not needed any more
"""


def test_static_objects_keep_what_they_were_given(run: Callable[..., str]) -> None:
    run(IN_STATIC_MEMORY)


@pytest.mark.bad_input
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_what_depends_on_a_lent_object_ends_with_it(copied: Callable[[Any], Any]) -> None:
    kept: list[Any] = []

    def keep(lent: Any) -> None:
        for _ in range(100):
            solver = copied(Solver(lent))
            assert solver.solve() == USE
            kept.append(solver)
        del kept[::2], solver

    assert call("lend_pointer", keep) == 1.5
    for solver in kept:
        with pytest.raises(ValueError, match="lent the object for the length of a call"):
            solver.solve()


@tain.py_class("testing_lifetimes.Counting")
class Counting(Solver):
    count: int


@pytest.mark.bad_input
def test_what_was_never_finished_depends_on_nothing() -> None:
    def fail(lent: Any) -> None:
        for _ in range(100):
            with pytest.raises(TypeError):
                Counting(lent, "no number")
        kept.append(Counting(lent, 3))

    kept: list[Any] = []
    assert call("lend_pointer", fail) == 1.5
    with pytest.raises(ValueError, match="lent the object for the length of a call"):
        kept[0].solve()


@pytest.mark.bad_input
def test_a_lent_object_takes_no_copy_of_what_others_keep() -> None:
    with pytest.raises(TypeError, match=r"refers to others, which die with Python's last"):
        call("lend_listener", lambda lent: lent.assign(attached(lambda one: one.attach(Model()))))
    assert call("lend_listener", lambda lent: lent.assign(Listener())) == 0

    kept: list[Any] = []
    model = Model()
    solver = call("lend_pointer", lambda lent: kept.append(copy.copy(Solver(lent))))
    assert solver == 1.5
    with pytest.raises(ValueError, match="lent"):
        kept[0].solve()
    del model


def test_nothing_is_kept_where_the_author_says_so() -> None:
    listener, model = Listener(), Model()
    gone = weakref.ref(model)
    listener.borrow(model)
    assert listener.use() == USE
    del model
    assert gone() is None


def test_values_of_one_class_do_not_keep_each_other() -> None:
    number = Number()
    number.value = 1.0
    total = number
    for _ in range(100):
        total = total.plus(number)
    assert total.value == 101.0
    assert call("kept_alive")[4] == 2


def test_the_same_object_is_kept_once_and_many_are_kept() -> None:
    listener, model = Listener(), Model()
    for _ in range(1000):
        listener.attach(model)
    models = [Model() for _ in range(100)]
    for one in models:
        listener.attach(one)
    alive = call("kept_alive")[0]
    del models, one
    gc.collect()
    assert call("kept_alive")[0] == alive
    assert listener.use() == USE
    del listener
    gc.collect()
    assert call("kept_alive")[0] == alive - 100


def test_a_long_chain_of_references_keeps_the_owner_alone() -> None:
    model = Model()
    gone = weakref.ref(model)
    at = model.itself()
    for _ in range(10_000):
        at = at.itself()
    del model
    assert at.first == 1.5
    assert gone() is not None
    del at
    assert gone() is None


def test_cycles_through_kept_objects_are_collected() -> None:
    class Named(Model):
        pass

    class Caching(Solver):
        pass

    model = Named()
    model.solver = Caching(model)
    gone = weakref.ref(model.solver)
    del model
    gc.collect()
    assert gone() is None
    assert call("last_read") == USE

    solver = Caching(Model())
    solver.itself = solver
    gone = weakref.ref(solver)
    del solver
    gc.collect()
    assert gone() is None
    assert call("last_read") == USE  # it read its Model, which was alive


def test_pointers_in_containers_cross() -> None:
    station = Station()
    assert [one is None for one in station.list()] == [False, True]
    found = [station.list()[0], station.named()["only"], station.maybe(), station.listeners[0]]
    gone = weakref.ref(station)
    del station
    reuse_memory()
    assert [one.use() for one in found] == [0.0] * 4
    found[2].attach(Model())
    reuse_memory()
    assert [one.use() for one in found] == [USE] * 4
    assert gone() is not None
    del found
    gc.collect()
    assert gone() is None


def test_pointers_in_parameters() -> None:
    assert call("use_all", [Model(), None, Model()]) == 106.0
    assert call("use_all", ()) == 0.0
    assert call("use_named", {"a": Model(), "b": Model()}) == 6.0


@pytest.mark.bad_input
def test_pointers_are_not_taken_from_what_does_not_keep_them() -> None:
    expected = r"use_all: argument models: expected Array\[testing.boxed.Model \| None\], got "
    with pytest.raises(TypeError, match=expected + "generator"):
        call("use_all", (Model() for _ in range(2)))
    with pytest.raises(TypeError, match=expected + "set"):
        call("use_all", {Model()})
    with pytest.raises(TypeError, match=r"argument models.*\[1\]"):
        call("use_all", [Model(), 3])


def test_a_small_plain_object_is_copied_and_not_kept() -> None:
    """A method that takes `const Place&` would otherwise keep one more at each call."""
    listener = Listener()
    before = tain.testing.live_objects().get("testing.boxed.Place", 0)
    for i in range(10):
        listener.move_to(Place(x=i))
        listener.place = Place(y=i)
    gc.collect()
    assert tain.testing.live_objects().get("testing.boxed.Place", 0) == before
    assert (listener.place.x, listener.place.y) == (0, 9)


def test_what_a_copied_object_points_to_is_kept() -> None:
    listener = Listener()
    listener.aim(Target(Model()))
    reuse_memory()
    assert listener.use() == USE
