# SPDX-License-Identifier: Apache-2.0
"""Boxed classes: what a box keeps alive, and what C++ lends for the length of a call."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tain.types.testing import boxed
from tain.types.testing.boxed import Listener, Model, Number, Session, Solver, Station, Watcher
from testing_functions import get

import tain

USE = 3.0  # what a living Model answers


def call(name: str, *args: Any) -> Any:
    """Call a function of the tests' boxes."""
    return get("boxed." + name)(*args)


@pytest.fixture(autouse=True)
def all_destroyed() -> Iterator[None]:
    """Each foreign object that a test makes is destroyed."""
    gc.collect()
    before = list(call("kept_alive"))
    yield
    gc.collect()
    assert list(call("kept_alive")) == before


def reuse_memory() -> None:
    """Collect, and make objects where dead ones were."""
    gc.collect()
    for _ in range(20):
        Model().first = -50.0


# ---------------------------------------------------------------- what a box keeps


def attached(how: Callable[[Any], Any]) -> Any:
    """Return a Listener that was given a Model which nothing else refers to."""
    listener = Listener()
    how(listener)
    return listener


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


# ---------------------------------------------------------------- what C++ lends

OVER = "testing.boxed.Model: C\\+\\+ lent the object for the length of a call, which has returned"


def assert_over(model: Any) -> None:
    """Each use of what was lent is refused."""
    with pytest.raises(ValueError, match=OVER):
        model.first  # noqa: B018
    with pytest.raises(ValueError, match=OVER):
        model.first = 3.0
    with pytest.raises(ValueError, match=OVER):
        model.use()
    with pytest.raises(ValueError, match=OVER):
        Solver(model)
    with pytest.raises(TypeError, match=r"argument model: expected testing\.boxed\.Model"):
        call("share_model", model)
    with pytest.raises(ValueError, match=OVER):
        copy.copy(model)
    with pytest.raises(ValueError, match=OVER):
        repr(model)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["lend_pointer", "lend_reference"])
def test_a_lent_object_is_changed_and_ends_with_the_call(name: str) -> None:
    kept = []

    def change(model: Any) -> None:
        model.first = 7.0
        kept.extend([model, copy.copy(model)])

    assert call(name, change) == 7.0
    assert_over(kept[0])
    assert kept[1].first == 7.0


@pytest.mark.bad_input
def test_a_lent_const_object_is_read_only_and_ends_with_the_call() -> None:
    kept = []

    def look(model: Any) -> None:
        with pytest.raises(TypeError, match="read-only"):
            model.first = 7.0
        assert model.use() == USE
        kept.append(model)

    assert call("lend_const_pointer", look) == 1.5
    assert_over(kept[0])


@pytest.mark.bad_input
def test_an_object_that_cannot_be_copied_is_lent() -> None:
    kept = []
    call("lend_const_reference", lambda one: kept.append((one, one.number)))
    assert kept[0][1] == 3
    with pytest.raises(ValueError, match="lent the object for the length of a call"):
        kept[0][0].number  # noqa: B018


def test_a_const_object_is_passed_as_a_copy() -> None:
    kept = []
    call("pass_value", kept.append)
    assert kept[0].use() == USE


@pytest.mark.bad_input
def test_an_untyped_function_is_lent_objects_too() -> None:
    kept = []

    def change(pointer: Any, reference: Any) -> None:
        pointer.first = 5.0
        assert reference.first == 5.0
        reference.first += 1.0
        kept.extend([pointer, reference])

    assert call("lend_untyped", change) == 6.0
    assert_over(kept[0])
    assert_over(kept[1])


@pytest.mark.bad_input
def test_objects_in_containers_are_lent() -> None:
    kept = []

    def change(models: Any, named: Any) -> None:
        assert models[2] is None
        models[1].first = 10.0
        assert named["first"].use() == USE
        kept.extend([models[0], models[1], named["first"], models])

    assert call("lend_all", change) == 11.5
    for one in [*kept[:3], kept[3][0]]:
        assert_over(one)


@pytest.mark.bad_input
@pytest.mark.parametrize("fails", [False, True])
def test_what_depends_on_a_lent_object_ends_with_it(fails: bool) -> None:
    kept: list[Any] = []

    def keep(model: Any) -> None:
        elements = iter(model)
        solver = Solver(model)
        kept.extend([model.itself(), solver, call("solver_shared", model), elements])
        kept.append(call("solver_unique", model.itself()))
        assert next(elements) == 1.5
        assert [solver.solve() for solver in (kept[1], kept[2], kept[4])] == [USE] * 3
        if fails:
            raise KeyError("kept")

    if fails:
        with pytest.raises(KeyError, match="kept"):
            call("lend_pointer", keep)
    else:
        call("lend_pointer", keep)
    assert_over(kept[0])
    for solver in (kept[1], kept[2], kept[4]):
        with pytest.raises(ValueError, match="Solver: C\\+\\+ lent the object for the length"):
            solver.solve()
    with pytest.raises(ValueError, match=OVER):
        next(kept[3])


@pytest.mark.bad_input
def test_what_was_there_before_refuses_a_lent_object() -> None:
    listener = Listener()
    refusal = (
        r"Listener\.{}: argument {}: expected testing.boxed.Model, got one that C\+\+ lent for the "
        r"length of a call: the method may keep it, so give a copy"
    )

    def keep(model: Any) -> None:
        with pytest.raises(TypeError, match=refusal.format("attach", "model")):
            listener.attach(model)
        with pytest.raises(TypeError, match=refusal.format("refer", "model")):
            listener.refer(model.itself())
        with pytest.raises(TypeError, match="the method may keep it, so give a copy"):
            listener.attach_all([model])
        with pytest.raises(TypeError, match="the method may keep it, so give a copy"):
            listener.model = model
        with pytest.raises(TypeError, match="got one that C\\+\\+ lent"):
            call("share_model", model)
        listener.attach(copy.copy(model))

    call("lend_pointer", keep)
    reuse_memory()
    assert listener.use() == USE


def test_lent_objects_may_be_joined() -> None:
    assert call("lend_two", lambda listener, model: listener.attach(model)) == USE


@pytest.mark.bad_input
def test_a_lent_object_takes_no_pointer_that_nothing_keeps() -> None:
    refusal = (
        r"Listener\.attach: argument model: expected testing.boxed.Model, got one that dies with "
        r"Python's last reference: C\+\+ lent the object of the method for the length of a call"
    )

    def attach(listener: Any, model: Any) -> None:
        with pytest.raises(TypeError, match=refusal):
            listener.attach(Model())
        listener.refer(Model())  # const Model&, which most functions only read
        listener.attach(model)

    assert call("lend_two", attach) == USE


def test_a_callback_may_return_what_was_lent() -> None:
    def change(number: Any) -> Any:
        number.value = 4.0
        return number

    assert call("transform", change).value == 4.0


def test_nothing_is_lent_as_none() -> None:
    got = []
    call("lend_nothing", got.append)
    assert got == [None]


def test_a_lent_object_that_a_shared_ptr_owns_is_shared() -> None:
    got: list[Any] = []
    call("lend_shared", got.append)
    assert got[0].number == 1
    assert got[0].share() is not None


@pytest.mark.bad_input
def test_an_override_gets_lent_objects() -> None:
    class Changing(Watcher):
        def __init__(self) -> None:
            super().__init__()
            self.kept: list[Any] = []

        def watch(self, model: Any) -> float:
            model.first = 20.0
            self.kept.append(model)
            return 0.0

        def look(self, model: Any) -> float:
            self.kept.append(model)
            return model.use() * 2

    watcher = Changing()
    assert watcher.run() == 20.0
    assert watcher.run_look() == 2 * USE
    for model in watcher.kept:
        assert_over(model)
    assert Watcher().run() == 1.5


# ---------------------------------------------------------------- unique_ptr, shared_from_this


@pytest.mark.bad_input
def test_nothing_is_taken_if_an_object_is_given_twice() -> None:
    session = call("new_session")
    expected = "expected testing.boxed.Session \\| None that only this argument refers to"
    with pytest.raises(TypeError, match="two_sessions: argument a: " + expected):
        call("two_sessions", session, session)
    with pytest.raises(TypeError, match="take_and_use: argument a: " + expected):
        call("take_and_use", session, session)
    assert session.number == 1
    assert call("two_sessions", session, call("new_session")) == 2
    with pytest.raises(ValueError, match="given away"):
        session.number  # noqa: B018


@pytest.mark.parametrize("make", ["new_session", "shared_session", Session])
def test_an_object_finds_its_shared_ptr(make: Any) -> None:
    session = make() if callable(make) else call(make)
    session.number = 4
    assert session.share().number == 4
    assert session.share().share().number == 4
    call("keep_session", session)
    del session
    gc.collect()
    assert call("kept_session").number == 4
    call("drop_session")


def test_an_object_of_python_that_shares_itself_is_itself() -> None:
    class Named(Session):
        pass

    session = Named()
    session.name = "first"
    assert session.share() is session
    call("keep_session", session)
    del session
    gc.collect()
    assert call("kept_session").name == "first"
    assert type(call("kept_session")) is Named
    call("drop_session")


def test_the_module_has_all_classes() -> None:
    assert boxed.Immovable.__name__ == "Immovable"
