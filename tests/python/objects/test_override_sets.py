# SPDX-License-Identifier: Apache-2.0
"""What C++ remembers of a class's overrides follows every change of the class."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Actor

import tain

CALL = tain.get_global_func("testing.call_actor")
UNLOCKED = tain.get_global_func("testing.call_actor_unlocked")
IN_THREADS = tain.get_global_func("testing.greet_in_threads")
SETS = 4096  # how many classes C++ remembers (TainOverrideSet)


def greet(self: Actor, whom: str) -> str:
    return f"python {whom}"


class Mixin:
    pass


class Parent(Actor):
    pass


class Child(Mixin, Parent):
    pass


def asked_child() -> Any:
    """An object whose class C++ has asked, so that it remembers it."""
    child = Child()
    for _ in range(3):
        assert [CALL(child, "greet"), CALL(child, "secret")] == ["actor C++", 7]
    return child


CHANGES: list[Callable[[type, bool], object]] = [
    lambda cls, on: setattr(cls, "greet", greet) if on else delattr(cls, "greet"),
    lambda cls, on: type.__setattr__(cls, "greet", greet) if on else type.__delattr__(cls, "greet"),
]


@pytest.mark.parametrize("change", CHANGES, ids=["setattr", "type.__setattr__"])
@pytest.mark.parametrize("cls", [Child, Parent, Mixin])
@pytest.mark.parametrize("call", [CALL, UNLOCKED], ids=["locked", "unlocked"])
def test_a_class_that_changes(
    call: tain.Function, cls: type, change: Callable[[type, bool], object]
) -> None:
    child = asked_child()
    for _ in range(3):
        change(cls, True)
        assert [call(child, "greet") for _ in range(3)] == ["python C++"] * 3
        assert call(child, "secret") == 7
        change(cls, False)
        assert [call(child, "greet") for _ in range(3)] == ["actor C++"] * 3


def test_other_bases() -> None:
    child = asked_child()

    class Other(Actor):
        pass

    Other.greet = greet
    old = Child.__bases__
    Child.__bases__ = (Mixin, Other)
    try:
        assert CALL(child, "greet") == "python C++"
    finally:
        Child.__bases__ = old
    assert CALL(child, "greet") == "actor C++"


def test_another_class() -> None:
    child = asked_child()

    class Other(Actor):
        def secret(self) -> int:
            return 8

    assert CALL(Other(), "secret") == 8
    child.__class__ = Other
    assert [CALL(child, "greet"), CALL(child, "secret")] == ["actor C++", 8]
    child.__class__ = Child
    assert [CALL(child, "greet"), CALL(child, "secret")] == ["actor C++", 7]


def test_a_class_that_changes_all_the_time() -> None:
    """CPython gives up on the versions of such a class."""

    class Restless(Actor):
        pass

    actor = Restless()
    for i in range(3000):
        Restless.secret = lambda self, i=i: i
        assert CALL(actor, "secret") == i
        assert CALL(actor, "greet") == "actor C++"


def test_a_metaclass_with_an_order_of_its_own() -> None:
    class Meta(type):
        def mro(cls) -> list[type]:
            return [*super().mro()]

    class Odd(Actor, metaclass=Meta):
        pass

    actor = Odd()
    assert CALL(actor, "greet") == "actor C++"
    Odd.greet = greet
    assert CALL(actor, "greet") == "python C++"


def test_an_override_in_the_class_itself_after_a_call_without() -> None:
    class Late(Actor):
        pass

    actor = Late()
    assert UNLOCKED(actor, "greet") == "actor C++"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Late, "greet", greet)
        assert UNLOCKED(actor, "greet") == "python C++"
    assert UNLOCKED(actor, "greet") == "actor C++"


def test_the_class_of_cpp_itself_is_patched() -> None:
    """A Python class that overrides nothing follows what is put on the C++ class."""

    class Plain(Actor):
        pass

    old = Actor.greet
    try:
        Actor.greet = greet
        assert Plain().greet("x") == "python x"
        assert CALL(Plain(), "greet") == "python C++"
    finally:
        Actor.greet = old
    assert CALL(Plain(), "greet") == "actor C++"


def test_an_override_that_deletes_itself() -> None:
    class Once(Actor):
        def greet(self, whom: str) -> str:
            del Once.greet
            gc.collect()
            return f"once {whom}"

        def secret(self, *wrong: object, needed: int) -> int:
            return needed

    actor = Once()
    assert [CALL(actor, "greet"), CALL(actor, "greet")] == ["once C++", "actor C++"]
    with pytest.raises(TypeError) as plain:
        actor.secret()  # type: ignore[call-arg]
    with raises(TypeError, f"Once.secret: C++ calls it as secret() -> int: {plain.value}"):
        CALL(actor, "secret")


def test_more_classes_than_are_remembered() -> None:
    def make(i: int) -> type:
        body: dict[str, object] = {"secret": lambda self: i} if i % 2 else {}
        return type(f"Class{i}", (Actor,), body)

    classes = [make(i) for i in range(SETS + 200)]
    actors = [cls() for cls in classes]
    for _ in range(2):
        assert [CALL(a, "secret") for a in actors] == [
            i if i % 2 else 7 for i in range(len(actors))
        ]
        assert {CALL(a, "greet") for a in actors} == {"actor C++"}
    del classes, actors
    gc.collect()


def test_classes_come_and_go() -> None:
    """Each takes the place of one that died."""
    for i in range(2 * SETS):
        cls = type("Passing", (Actor,), {"secret": lambda self, i=i: i} if i % 3 else {})
        actor = cls()
        expected = i if i % 3 else 7
        assert [CALL(actor, "secret") for _ in range(3)] == [expected] * 3
        if i % 500 == 0:
            del cls, actor
            gc.collect()
    gc.collect()


def test_a_class_dies_while_its_finalizer_calls() -> None:
    """The object and its class are one cycle; __del__ calls through C++."""
    said = []

    def make() -> None:
        class Dying(Actor):
            def secret(self) -> int:
                return 9

            def __del__(self) -> None:
                said.append((CALL(self, "secret"), CALL(self, "greet")))

        Dying.self = Dying()
        assert CALL(Dying.self, "secret") == 9

    make()
    gc.collect()
    assert said == [(9, "actor C++")]


def test_a_class_changes_while_threads_call() -> None:
    class Busy(Actor):
        pass

    actor = Busy()
    answers = {"actor thread", "python thread"}
    done = threading.Event()
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            right = 0
            while not done.is_set():
                right = sum(IN_THREADS(actor, 2, 50, answer) for answer in answers)
            assert right >= 0
        except BaseException as error:  # reported below
            failures.append(error)

    asking = threading.Thread(target=ask)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        asking.start()
        for _ in range(300):
            Busy.greet = greet
            assert CALL(actor, "greet") == "python C++"
            del Busy.greet
            assert CALL(actor, "greet") == "actor C++"
    finally:
        done.set()
        asking.join()
        sys.setswitchinterval(interval)
    assert failures == []
    assert IN_THREADS(actor, 2, 50, "actor thread") == 100
