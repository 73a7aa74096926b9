# SPDX-License-Identifier: Apache-2.0
"""Methods that C++ calls, replaced in a class: C++ and Python see the same, also afterwards."""

from __future__ import annotations

import threading
from typing import Any
from unittest import mock

import pytest
from errors import raises
from tain.types.testing import Actor, LoudActor, LouderActor, Square
from testing_functions import get

CALL = get("call_actor")

pytestmark = pytest.mark.usefixtures("nothing_kept")


class Mine(Actor):
    """A Python class that overrides nothing."""


class Polite(Actor):
    def greet(self, whom: str) -> str:
        return f"please, {super().greet(whom)}"


def replaced(cls: type, name: str, value: Any) -> Any:
    return mock.patch.object(cls, name, value)


@pytest.mark.parametrize("cls", [Actor, Mine])
def test_a_method_replaced_in_the_class_of_the_type(cls: Any) -> None:
    actor = cls()
    for _ in range(3):
        assert CALL(actor, "greet") == "actor C++"
        with replaced(Actor, "greet", lambda self, whom: f"patched {whom}"):
            assert CALL(actor, "greet") == CALL(cls(), "greet") == "patched C++"
            assert actor.introduce() == "patched you, 7"
            assert CALL(Polite(), "greet") == "please, patched C++"
            assert CALL(actor, "secret") == 7
        assert CALL(actor, "greet") == actor.greet("C++") == "actor C++"
        assert CALL(Polite(), "greet") == "please, actor C++"


def test_the_replacement_may_call_the_original() -> None:
    original = Actor.greet
    with replaced(Actor, "greet", lambda self, whom: f"<{original(self, whom)}>"):
        assert CALL(Actor(), "greet") == "<actor C++>"
        assert CALL(LouderActor(), "greet") == "<LOUD actor C++!>"
        with replaced(Actor, "greet", lambda self, whom: "inner"):
            assert CALL(Actor(), "greet") == "inner"
        assert CALL(Actor(), "greet") == "<actor C++>"


def test_classes_between() -> None:
    """A child's class gets a method that its parent registered; others keep theirs."""
    with replaced(LoudActor, "greet", lambda self, whom: "loud"):
        assert [CALL(made(), "greet") for made in (LoudActor, LouderActor)] == ["loud", "loud"]
        assert CALL(Actor(), "greet") == CALL(Mine(), "greet") == "actor C++"
    assert CALL(LouderActor(), "greet") == "LOUD actor C++!"

    class Middle(Actor):
        pass

    class Leaf(Middle):
        pass

    leaf = Leaf()
    for _ in range(3):
        assert CALL(leaf, "greet") == "actor C++"
        with replaced(Middle, "greet", lambda self, whom: "middle"):
            assert CALL(leaf, "greet") == "middle"
        Leaf.greet = lambda self, whom: "leaf"
        assert CALL(leaf, "greet") == "leaf"
        del Leaf.greet
    assert CALL(leaf, "greet") == "actor C++"


def test_objects_without_a_wrapper() -> None:
    greet = get("greet_fresh")
    assert greet() == "LOUD actor fresh"
    with replaced(Actor, "greet", lambda self, whom: f"{type(self).__name__} {self.size}"):
        assert greet() == "LoudActor 1"
    with replaced(LoudActor, "greet", lambda self, whom: "loud"):
        assert greet() == "loud"
    assert greet() == "LOUD actor fresh"


def test_constructors_and_destructors_run_cpp() -> None:
    with replaced(Actor, "greet", lambda self, whom: "patched"):
        actor = Actor()
        assert actor.born_as == "actor born"
        del actor
        assert get("last_words")() == "actor dead"


def test_properties_operators_and_mocks() -> None:
    with replaced(Actor, "weight", property(lambda self: 0.25)):
        assert CALL(Actor(), "weight") == CALL(Mine(), "weight") == 0.25
    with replaced(Actor, "__add__", lambda self, x: 1000 + x):
        assert CALL(Actor(), "__add__") == 1001
    assert (CALL(Actor(), "weight"), CALL(Actor(), "__add__")) == (2.0, 2)
    with mock.patch.object(Actor, "secret", return_value=77) as called:
        assert Actor().introduce() == "actor you, 77"
    called.assert_called_once_with()
    with mock.patch.object(Square, "area", autospec=True, return_value=5.0) as area:
        square = Square(2.0)
        assert get("shape_area")(square) == 5.0
    area.assert_called_once_with()  # a mock of a method of C++ is no function, so it gets no self
    assert get("shape_area")(square) == 4.0


def test_deleting_a_method_leaves_the_code_of_cpp() -> None:
    original = Actor.__dict__["greet"]
    del Actor.greet
    try:
        assert not hasattr(Actor(), "greet")
        assert CALL(Actor(), "greet") == CALL(Mine(), "greet") == "actor C++"
    finally:
        Actor.greet = original
    assert CALL(Actor(), "greet") == "actor C++"


def test_other_attributes_cost_nothing() -> None:
    Actor.helper = lambda self: "helped"
    try:
        assert Actor().helper() == "helped"
        assert CALL(Actor(), "greet") == "actor C++"
    finally:
        del Actor.helper


NOT_CALLABLE = (
    "Actor.greet: C++ calls it as greet(whom: str) -> str: 'NoneType' object is not callable"
)


@pytest.mark.bad_input
def test_errors_in_replacements() -> None:
    text = "Actor.fixed: testing.Actor.fixed is final, so no Python class may override it"
    with replaced(Actor, "fixed", lambda self: 1), raises(TypeError, text):
        CALL(Actor(), "fixed")
    assert CALL(Actor(), "fixed") == 5
    with (
        replaced(Actor, "greet", lambda self, whom: 5),
        raises(TypeError, "testing.Actor.greet: result of the override: expected str, got int (5)"),
    ):
        CALL(Actor(), "greet")
    with replaced(Actor, "greet", None), raises(TypeError, NOT_CALLABLE):
        CALL(Actor(), "greet")


def test_a_patch_inside_a_callback() -> None:
    """C++ calls Python, which replaces the method, and then the method."""
    patch = replaced(Actor, "greet", lambda self, whom: "patched")

    actor = Actor()
    try:
        assert get("greet_after")(actor, patch.start) == "patched"
    finally:
        patch.stop()
    assert get("greet_after")(actor, lambda: None) == "actor after"


def test_threads() -> None:
    """Methods that come and go while other threads call them; each call has one of the answers."""
    stop = threading.Event()
    answers: set[str] = set()
    actor = Actor()

    def call() -> None:
        while not stop.is_set():
            answers.add(CALL(actor, "greet"))

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        with replaced(Actor, "greet", lambda self, whom: "patched"):
            assert CALL(actor, "greet") == "patched"
        assert CALL(actor, "greet") == "actor C++"
    stop.set()
    for thread in threads:
        thread.join()
    assert answers <= {"patched", "actor C++"}
