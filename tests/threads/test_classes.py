# SPDX-License-Identifier: Apache-2.0
"""Classes of types, enums and exceptions are made, replaced and extended while others use them."""

from __future__ import annotations

import itertools
import random
import threading
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from crowd import NUM_PARTS, NUM_TYPES
from racing import race
from threads import in_threads

import tain

Load = Callable[[], int]
THREADS = [2, 16]
ROUNDS = 3  # of new builds, whose types nobody has used


def same_in_all(answers: list[list[Any]]) -> bool:
    """Whether all threads got the same objects."""
    return all(
        all(one is first for one, first in zip(answer, answers[0], strict=True))
        for answer in answers
    )


def each_in_own_order(count: int, find: Callable[[int], Any], threads: int) -> list[list[Any]]:
    """Find things by their numbers in several threads, each in an order of its own."""
    answers: list[list[Any]] = []

    def find_all() -> None:
        found = [None] * count
        for number in random.sample(range(count), count):
            found[number] = find(number)
        answers.append(found)

    race(find_all, threads=threads, turns=1)
    assert len(answers) == threads
    return answers


@pytest.mark.parametrize("threads", THREADS)
def test_the_first_use_of_a_thousand_types(load_crowd: Load, threads: int) -> None:
    def find(number: int) -> Any:
        if number % 2:
            return tain.get_class(f"crowd.tree.T{number}")
        return getattr(import_module("tain.types.crowd.tree"), f"T{number}")

    for _ in range(2):
        load_crowd()
        answers = each_in_own_order(NUM_TYPES, find, threads)
        assert same_in_all(answers)
        classes = answers[0]
        assert len(set(classes)) == NUM_TYPES
        for number, cls in enumerate(classes):
            parent = classes[(number - 1) // 2] if number else tain.Object
            assert cls.__bases__ == (parent,)
            assert cls.__qualname__ == f"T{number}" and cls().x == 1
            assert tain.type_info(cls).key == f"crowd.tree.T{number}"


@pytest.mark.parametrize("threads", THREADS)
def test_objects_cross_before_their_classes_are_made(load_crowd: Load, threads: int) -> None:
    def find(number: int) -> type:
        part = tain.get_global_func(f"crowd.part{number:02}")()
        assert (part.number, part.build) == (number, build)
        return type(part)

    for _ in range(ROUNDS):
        build = load_crowd()
        answers = each_in_own_order(NUM_PARTS, find, threads)
        assert same_in_all(answers)
        for number, cls in enumerate(answers[0]):
            assert cls is tain.get_class(f"crowd.Part{number:02}")
            assert cls.__bases__ == (tain.get_class(f"crowd.Base{number:02}"),)


def test_subclasses_of_classes_that_are_just_made(load_crowd: Load) -> None:
    def find(number: int) -> type:
        made = tain.get_global_func(f"crowd.part{number:02}")()
        kept.append(made)
        base: Any = tain.get_class(f"crowd.Part{number:02}")

        class Sub(base):
            def twice(self) -> int:
                return 2 * self.number

        sub = Sub()
        kept.append(sub)
        assert sub.twice() == 2 * number and Sub.__bases__ == (base,)
        return base

    for _ in range(ROUNDS):
        load_crowd()
        kept = tain.List([])
        assert same_in_all(each_in_own_order(NUM_PARTS, find, 8))
        assert len(kept) == 16 * NUM_PARTS
        subs = [each for each in kept if hasattr(each, "twice")]
        assert len(subs) == 8 * NUM_PARTS
        assert all(type(each).__name__ == "Sub" for each in subs)
        assert all(each.twice() == 2 * each.number for each in subs)


@pytest.mark.parametrize("runs_code", [False, True], ids=["plain", "with code of Python"])
def test_a_class_is_registered_while_the_first_objects_cross(
    load_crowd: Load, runs_code: bool
) -> None:
    """Whoever makes the class of a child takes the present class of its parent."""
    registered: dict[int, type] = {}

    class Counted(tain.Object):
        def __init_subclass__(cls) -> None:
            if runs_code:  # other threads run meanwhile
                tain.get_global_func("crowd.build")()

    def register(number: int) -> type:
        for _ in range(2):

            class Base(Counted):
                def kind(self) -> str:
                    return f"base {self.build}"

            registered[number] = tain.register_object(f"crowd.Base{number:02}")(Base)
        return registered[number]

    def cross(number: int) -> type:
        part = tain.get_global_func(f"crowd.part{number:02}")()
        assert part.number == number
        return type(part)

    for _ in range(ROUNDS):
        build = load_crowd()
        for number in range(NUM_PARTS):
            crosses = partial(cross, number)
            race(partial(register, number), crosses, crosses, crosses, turns=1)
        for number in range(NUM_PARTS):
            part = tain.get_global_func(f"crowd.part{number:02}")()
            base = registered[number]
            assert tain.get_class(f"crowd.Base{number:02}") is base
            assert base in type(part).__mro__, (number, type(part).__mro__)
            assert type(part) is tain.get_class(f"crowd.Part{number:02}")
            assert part.kind() == f"base {build}"


def test_classes_are_registered_again_and_again(load_crowd: Load) -> None:
    build = load_crowd()
    make, part = tain.get_global_func("crowd.part00"), tain.get_global_func("crowd.part01")
    numbers = itertools.count()

    def register() -> None:
        number = next(numbers)

        @tain.register_object("crowd.Part00")
        class Part(tain.Object):
            mine = number

            def twice(self) -> int:
                return 2 * self.build

        assert Part.twice(make()) == 2 * build and Part().number == 0

    def cross() -> None:
        for _ in range(10):
            made = make()
            assert (made.number, made.build) == (0, build)
            assert isinstance(made, tain.get_class("crowd.Base00"))
            assert made.twice() == 2 * build and part().number == 1

    def extend() -> None:
        cls: Any = tain.get_class("crowd.Part00")

        class Sub(cls):
            pass

        assert Sub().build == build and Sub().twice() == 2 * build

    register()
    race(register, cross, extend, cross, turns=50)
    assert make().twice() == 2 * build and make().mine < next(numbers)


def raised(function: Callable[[], object]) -> Any:
    """Return the exception of a function."""
    try:
        function()
    except ValueError as error:
        return error
    raise AssertionError("nothing was raised")


class Meeting:
    """One thread stops inside of something until another one has acted."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act
        self.is_inside = threading.Event()
        self.has_acted = threading.Event()

    def stop(self) -> None:
        """Wait for the action; only who comes first waits."""
        if not self.is_inside.is_set():
            self.is_inside.set()
            assert self.has_acted.wait(60)

    def run(self, first: Callable[[], object]) -> None:
        """Run `first`, which stops, in one thread and the action in another one."""

        def other() -> None:
            try:
                assert self.is_inside.wait(60)
                self.act()
            finally:
                self.has_acted.set()

        in_threads([first, other])


def test_a_class_is_registered_while_that_of_a_child_is_made(load_crowd: Load) -> None:
    build = load_crowd()

    @tain.register_object("crowd.Base00")
    class First(tain.Object):
        def __init_subclass__(cls) -> None:
            if cls.__name__ == "Part00":
                meeting.stop()

    class Second(tain.Object):
        def kind(self) -> int:
            return self.build

    meeting = Meeting(lambda: tain.register_object("crowd.Base00")(Second))
    make = tain.get_global_func("crowd.part00")
    meeting.run(make)
    assert tain.get_class("crowd.Base00") is Second
    part = make()
    assert type(part) is tain.get_class("crowd.Part00") and part.number == 0
    assert Second in type(part).__mro__ and First not in type(part).__mro__
    assert part.kind() == build


def test_the_class_of_an_exception_is_made_twice_at_a_time(load_crowd: Load) -> None:
    load_crowd()

    @tain.register_error("crowd.Failure00")
    class Failure(ValueError):
        def __init_subclass__(cls) -> None:
            meeting.stop()

    def find() -> None:
        found.append(tain.types.crowd.Closer00)

    found: list[type] = []
    meeting = Meeting(find)
    meeting.run(find)
    assert len(found) == 2 and found[0] is found[1] is tain.types.crowd.Closer00
    with pytest.raises(found[0], match=r"^on purpose$"):
        tain.types.crowd.fail00()


def test_the_parent_of_an_exception_is_replaced_while_its_class_is_made(load_crowd: Load) -> None:
    load_crowd()

    class First(ValueError):
        def __init_subclass__(cls) -> None:
            meeting.stop()

    tain.register_error("crowd.Failure00", First)
    first = weakref.ref(First)
    del First

    class Second(ValueError):
        pass

    meeting = Meeting(lambda: tain.register_error("crowd.Failure00", Second))
    meeting.run(lambda: tain.types.crowd.Closer00)
    assert first() in tain.types.crowd.Closer00.__mro__
    with pytest.raises(tain.types.crowd.Closer00, match=r"^on purpose$"):
        tain.types.crowd.fail00()


def test_the_first_use_of_enums(load_crowd: Load) -> None:
    def find(number: int) -> Any:
        kind = tain.get_global_func(f"crowd.kind{number:02}")(1)
        bits = tain.get_global_func(f"crowd.bits{number:02}")
        cls = getattr(tain.types.crowd, f"Kind{number:02}")
        assert kind is cls.ONE and (repr(kind), kind) == (f"Kind{number:02}.ONE", 1)
        assert bits(3) == 3 and repr(bits(1)) == f"Bits{number:02}.READ"
        return cls, type(bits(1)), bits(3), bits(64)

    for _ in range(ROUNDS):
        load_crowd()
        for answer in zip(*each_in_own_order(NUM_PARTS, find, 8), strict=True):
            assert same_in_all(list(answer))


def test_the_first_use_of_exceptions(load_crowd: Load) -> None:
    def find(number: int) -> Any:
        error = raised(tain.get_global_func(f"crowd.fail{number:02}"))
        closer = getattr(tain.types.crowd, f"Closer{number:02}")
        assert (type(error), str(error), error.number) == (closer, "on purpose", number)
        assert closer.__bases__ == (getattr(tain.types.crowd, f"Failure{number:02}"),)
        return closer, closer.__bases__[0]

    for _ in range(2):  # the more builds are loaded, the longer a throw takes
        load_crowd()
        for answer in zip(*each_in_own_order(8, find, 8), strict=True):
            assert same_in_all(list(answer))


def test_builds_replace_each_other_while_objects_live(load_crowd: Load) -> None:
    kept: list[Any] = []
    builds = [load_crowd()]

    def load() -> None:
        builds.append(load_crowd())

    def make() -> None:
        first = builds[-1]
        part = tain.get_global_func("crowd.part00")()
        cls: Any = tain.get_class("crowd.Part00")

        class Sub(cls):
            def twice(self) -> int:
                return 2 * self.build

        sub = Sub()
        assert first <= part.build and first <= sub.build
        assert sub.twice() == 2 * sub.build
        kept.append((part, type(part), part.build))
        kept.append((sub, Sub, sub.build))

    def use() -> None:
        for one, cls, build in kept[-20:]:
            assert type(one) is cls and (one.number, one.build) == (0, build)
            assert isinstance(one, tain.Object) and "Part00" in [c.__name__ for c in cls.__mro__]

    def others() -> None:
        error = raised(tain.types.crowd.fail01)
        assert type(error).__name__ == "Closer01" and error.number == 1
        assert tain.types.crowd.kind01(1) == 1 and tain.types.crowd.tree.T40().x == 1

    race(load, make, use, make, others, threads=5, turns=10)
    assert builds == sorted(builds) and len(builds) == 11
    classes: dict[int, set[type]] = {}
    for one, cls, build in kept:
        assert one.build == build
        if cls.__name__ == "Part00":
            classes.setdefault(build, set()).add(cls)
    assert all(len(of_build) == 1 for of_build in classes.values()), classes
    present = tain.get_class("crowd.Part00")
    assert type(tain.get_global_func("crowd.part00")()) is present
    assert present().build == builds[-1]


def test_overrides_of_many_classes() -> None:
    """Each thread makes, asks and changes classes of its own; C++ remembers what they override."""
    actor: Any = tain.get_class("testing.Actor")
    call = tain.get_global_func("testing.call_actor")
    unlocked = tain.get_global_func("testing.call_actor_unlocked")

    class Parent(actor):
        pass

    def greets(text: str) -> Callable[[Any, str], str]:
        return lambda self, whom: f"{text} {whom}"

    def define(ask: Callable[[Any, str], Any]) -> None:
        class Plain(Parent):
            pass

        class Loud(Plain):
            greet = greets("loud")

            def secret(self) -> int:
                return 8

        plain, loud = Plain(), Loud()
        for _ in range(2):
            assert [ask(plain, "greet"), ask(plain, "secret")] == ["actor C++", 7]
            assert [ask(loud, "greet"), ask(loud, "secret")] == ["loud C++", 8]
            Plain.greet = greets("plain")  # type: ignore[attr-defined]
            assert [ask(plain, "greet"), ask(loud, "greet")] == ["plain C++", "loud C++"]
            del Loud.greet
            assert ask(loud, "greet") == "plain C++"
            del Plain.greet  # type: ignore[attr-defined]
            assert [ask(plain, "greet"), ask(loud, "greet")] == ["actor C++"] * 2
            Loud.greet = greets("loud")

    race(partial(define, call), partial(define, unlocked), threads=8, turns=25)
