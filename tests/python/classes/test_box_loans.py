# SPDX-License-Identifier: Apache-2.0
"""Boxed classes: what C++ lends for the length of a call, and objects that share themselves."""

from __future__ import annotations

import copy
import gc
from typing import Any

import pytest
from kept_boxes import USE, all_destroyed, attached, call, reuse_memory  # noqa: F401
from tain.types.testing import boxed
from tain.types.testing.boxed import Listener, Model, Session, Solver, Watcher

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
    assert repr(model).endswith("Model: lent for a call that is over>")


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
