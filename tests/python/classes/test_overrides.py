# SPDX-License-Identifier: Apache-2.0
"""What C++ calls and Python overrides: every form of a method, at any depth, from any thread."""

from __future__ import annotations

import gc
import threading
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Actor, LouderActor, Pace, Square
from testing_functions import DROP, KEEP, KEPT, get
from threads import in_threads

import tain

CALL, UNLOCKED = get("call_actor"), get("call_actor_unlocked")


class Everything(Actor):
    """Overrides all that may be overridden."""

    def greet(self, whom: str) -> str:
        return f"python {whom}"

    def grow(self, by: int) -> int:
        self.size += 100 * by
        return self.size

    def pick(self, *args: object) -> int:
        return 1000 + len(args)

    def secret(self) -> int:
        return 8

    def meet(self, other: Actor) -> Actor:
        return Everything() if other is self else other

    def rest(self) -> str:
        return "what it returns is dropped"

    def many(self, *args: int) -> int:
        return -sum(args)

    def __add__(self, x: int) -> int:
        return 200 + x

    def __call__(self, x: int) -> int:
        return 300 + x

    def __len__(self) -> int:
        return 400

    @property
    def weight(self) -> float:
        return 0.5

    @weight.setter
    def weight(self, value: float) -> None:
        self.size = int(value * 1000)

    mood = "an attribute of the class"

    def descend(self, depth: int) -> int:
        return 10 + super().descend(depth)


CALLS = [  # what C++ calls; what C++ answers; what Python answers
    ("greet", "actor C++", "python C++"),
    ("grow", 4, 301),
    ("pick0", 0, 1000),
    ("pick1", 4, 1001),
    ("pick2", 4, 1002),
    ("secret", 7, 8),
    ("fixed", 5, 5),
    ("rest", None, None),
    ("many", 36, -36),
    ("__add__", 2, 201),
    ("__call__", 20, 302),
    ("__len__", 1, 400),
    ("weight", 2.0, 0.5),
    ("mood", "calm", "an attribute of the class"),
    ("descend", 3, 43),
]


@pytest.mark.parametrize("call", [CALL, UNLOCKED], ids=["locked", "unlocked"])
@pytest.mark.parametrize(("what", "in_cpp", "in_python"), CALLS)
def test_every_form(what: str, in_cpp: object, in_python: object, call: tain.Function) -> None:
    class Nothing(Actor):
        pass

    assert call(Actor(), what) == in_cpp
    assert call(Nothing(), what) == in_cpp
    assert call(Everything(), what) == in_python
    assert call(type("Child", (Everything,), {})(), what) == in_python


def test_objects_go_in_and_out_as_themselves() -> None:
    actor = Everything()
    met = CALL(actor, "meet")
    assert type(met) is Everything
    assert met is not actor
    assert CALL(Actor(), "meet").born_as == "actor born"


def test_enums_arrive_as_members() -> None:
    given: list[object] = []

    class Walker(Actor):
        def walk(self, pace: Pace, then: Pace | None = None) -> Pace:
            given.extend((pace, then))
            return super().walk(Pace.FAST)

    assert CALL(Actor(), "walk") == Pace.SLOW
    assert CALL(Walker(), "walk") == Pace.FAST
    assert given == [Pace.SLOW, Pace.FAST]
    assert [type(each) for each in given] == [Pace, Pace]

    class Lost(Actor):
        def walk(self, pace: Pace, then: Pace | None = None) -> Any:
            return 77

    with raises(
        TypeError,
        "Lost.walk: result of the override: expected testing.Pace (SLOW, FAST), got int (77)",
    ):
        CALL(Lost(), "walk")


def test_a_property_is_assigned() -> None:
    actor, everything = Actor(), Everything()
    get("set_weight")(actor, 8.0)
    get("set_weight")(everything, 8.0)
    assert (actor.size, everything.size) == (4, 8000)
    assert actor.weight == 8.0

    class OnlyRead(Actor):
        @property
        def weight(self) -> float:
            return super().weight + 1

    assert CALL(OnlyRead(), "weight") == 3.0
    with pytest.raises(AttributeError, match="weight"):
        get("set_weight")(OnlyRead(), 8.0)


def test_cpp_reaches_the_override_through_its_own_methods() -> None:
    assert Actor().introduce() == "actor you, 7"
    assert Everything().introduce() == "python you, 8"
    assert Actor.introduce(Everything()) == "python you, 8"


def test_constructors_and_destructors_reach_cpp() -> None:
    actor = Everything()
    assert actor.born_as == "actor born"
    del actor
    assert get("last_words")() == "actor dead"


# ---------------------------------------------------------------- super and depth


def test_super_reaches_the_code_of_cpp() -> None:
    class Polite(LouderActor):
        def greet(self, whom: str) -> str:
            return "dear " + super().greet(whom)

        def secret(self) -> int:
            return super().secret() + 1

    class VeryPolite(Polite):
        def greet(self, whom: str) -> str:
            return "very " + super().greet(whom)

    actor = VeryPolite()
    assert actor.greet("x") == "very dear LOUD actor x!"
    assert CALL(actor, "greet") == "very dear LOUD actor C++!"
    assert actor.introduce() == "very dear LOUD actor you!, 71"
    assert Actor.greet(actor, "x") == "LOUD actor x!"


def test_super_of_properties_and_operators() -> None:
    class Heavy(Actor):
        @property
        def weight(self) -> float:
            return super().weight + 100

        def __add__(self, x: int) -> int:
            return super().__add__(x) + 100

        def __call__(self, x: int) -> int:
            return super().__call__(x) + 100

    assert [CALL(Heavy(), what) for what in ("weight", "__add__", "__call__")] == [102, 102, 120]


def test_overrides_come_from_mixins() -> None:
    class Mixin:
        def greet(self, whom: str) -> str:
            return f"mixin {whom} {super().greet(whom)}"  # type: ignore[misc]

    class Before(Mixin, Actor):
        pass

    class After(Actor, Mixin):
        pass

    assert CALL(Before(), "greet") == "mixin C++ actor C++"
    assert CALL(After(), "greet") == "actor C++"


@pytest.mark.parametrize("depth", [1, 2, 10, 100])
def test_any_depth(depth: int) -> None:
    cls: type = LouderActor
    for level in range(depth):

        def greet(self: Any, whom: str, cls: type = cls, level: int = level) -> str:
            return f"{level % 10}" + cls.greet(self, whom)

        cls = type(f"Level{level}", (cls,), {"greet": greet} if level % 2 == 0 else {})
    expected = "".join(str(n % 10) for n in reversed(range(0, depth, 2)))
    assert CALL(cls(), "greet") == expected + "LOUD actor C++!"


def test_what_stands_on_a_class() -> None:
    """Functions, static and class methods, callables and other descriptors, as in Python."""

    class Callable:
        def __call__(self, whom: str) -> str:
            return f"callable {whom}"

    class Forms(Actor):
        greet = staticmethod(lambda whom: f"static {whom}")
        secret = classmethod(lambda cls: len(cls.__name__))
        grow = int.__add__  # a slot wrapper binds too

    assert CALL(Forms(), "greet") == "static C++"
    assert CALL(Forms(), "secret") == 5
    assert CALL(type("C", (Actor,), {"greet": Callable()})(), "greet") == "callable C++"
    function = tain.Function(lambda self, whom: f"function {whom}")  # binds, as a Python one does
    assert CALL(type("C", (Actor,), {"greet": function})(), "greet") == "function C++"


def test_a_class_that_changes_later() -> None:
    class Late(Actor):
        pass

    actor = Late()
    assert CALL(actor, "greet") == "actor C++"
    Late.greet = lambda self, whom: f"late {whom}"
    assert CALL(actor, "greet") == "late C++"
    del Late.greet
    assert CALL(actor, "greet") == "actor C++"
    actor.__class__ = Everything
    assert CALL(actor, "greet") == "python C++"


def test_an_attribute_of_one_object_is_no_override() -> None:
    class Plain(Actor):
        pass

    actor = Plain()
    actor.greet = lambda whom: "mine"
    assert CALL(actor, "greet") == "actor C++"
    everything = Everything()
    everything.greet = actor.greet
    assert CALL(everything, "greet") == "python C++"
    del actor.greet, everything.greet


def test_an_object_that_only_cpp_holds_keeps_its_overrides() -> None:
    KEEP(Everything())
    gc.collect()
    assert CALL(KEPT(0), "greet") == "python C++"
    DROP()


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize("call", [CALL, UNLOCKED], ids=["locked", "unlocked"])
def test_an_exception_arrives_as_itself(call: tain.Function) -> None:
    raised = KeyError("mine")

    class Raises(Actor):
        def greet(self, whom: str) -> str:
            raise raised

    with pytest.raises(KeyError) as caught:
        call(Raises(), "greet")
    assert caught.value is raised
    with pytest.raises(KeyError) as caught:
        Raises().introduce()
    assert caught.value is raised


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("what", "override", "text"),
    [
        (
            "greet",
            lambda self, whom: 5,
            "Wrong.greet: result of the override: expected str, got int (5)",
        ),
        (
            "secret",
            lambda self: "five",
            "Wrong.secret: result of the override: expected int, got str ('five')",
        ),
        (
            "secret",
            lambda self: None,
            "Wrong.secret: result of the override: expected int, got None",
        ),
        (
            "meet",
            lambda self, other: Square(1),
            "Wrong.meet: result of the override: expected testing.Actor, got testing.Square",
        ),
        (
            "__add__",
            lambda self, x: NotImplemented,
            "Wrong.__add__: result of the override: expected int, "
            "got NotImplementedType (NotImplemented)",
        ),
        (
            "weight",
            property(lambda self: "heavy"),
            "Wrong.weight: result of the override: expected float, got str ('heavy')",
        ),
        (
            "greet",
            lambda self: "too few",
            "Wrong.greet: C++ calls it as greet(whom: str) -> str: <lambda>() takes 1 positional "
            "argument but 2 were given",
        ),
        (
            "greet",
            lambda self, whom, how: "too many",
            "Wrong.greet: C++ calls it as greet(whom: str) -> str: <lambda>() missing 1 required "
            "positional argument: 'how'",
        ),
        (
            "secret",
            5,
            "Wrong.secret: C++ calls it as secret() -> int: 'int' object is not callable",
        ),
        (
            "secret",
            None,
            "Wrong.secret: C++ calls it as secret() -> int: 'NoneType' object is not callable",
        ),
    ],
)
def test_overrides_that_do_not_fit(what: str, override: object, text: str) -> None:
    wrong = type("Wrong", (Actor,), {what: override})
    for call in (CALL, UNLOCKED):
        with raises(TypeError, text) as caught:
            call(wrong(), what)
        assert caught.value.__cause__ is None or "<lambda>" in text or "callable" in text


@pytest.mark.bad_input
def test_a_number_that_is_out_of_range() -> None:
    wrong = type("Wrong", (Actor,), {"secret": lambda self: 2**70})
    with raises(
        OverflowError,
        "Wrong.secret: result of the override: expected int in "
        "-9223372036854775808..9223372036854775807, got 1180591620717411303424",
    ):
        CALL(wrong(), "secret")


@pytest.mark.bad_input
def test_a_type_error_from_inside_is_left_as_it_is() -> None:
    class Inside(Actor):
        def greet(self, whom: str) -> str:
            return whom + 1

    with raises(TypeError, 'can only concatenate str (not "int") to str') as caught:
        CALL(Inside(), "greet")
    assert caught.value.__cause__ is None


@pytest.mark.bad_input
def test_final_methods() -> None:
    text = "Bad.{0}: testing.Actor.{0} is final, so no Python class may override it"
    for name in ("fixed", "plain"):
        with raises(TypeError, text.format(name)):
            type("Bad", (LouderActor,), {name: lambda self: 1})
        with raises(TypeError, text.format(name)):
            type("Bad", (type("Mixin", (), {name: 1}), Everything), {})

    class Bad(Actor):
        pass

    actor = Bad()
    assert CALL(actor, "fixed") == 5
    Bad.fixed = lambda self: 6
    with raises(TypeError, text.format("fixed")):
        CALL(actor, "fixed")
    gc.collect()  # the classes that were refused refer to themselves


@pytest.mark.bad_input
def test_a_class_that_hides_its_creation_is_checked_at_its_first_instance() -> None:
    class Hides(Actor):
        def __init_subclass__(cls) -> None:
            pass  # does not call super()

    class Bad(Hides):
        def fixed(self) -> int:
            return 6

    with raises(
        TypeError, "Bad.fixed: testing.Actor.fixed is final, so no Python class may override it"
    ):
        Bad()


# ---------------------------------------------------------------- threads and re-entrance


def test_threads_of_cpp() -> None:
    names = set()

    class Threaded(Actor):
        def greet(self, whom: str) -> str:
            names.add(threading.current_thread().name)
            return f"hello {whom}"

    actor = Threaded()
    assert get("greet_in_threads")(actor, 8, 200, "hello thread") == 8 * 200
    assert len(names) >= 1
    assert get("greet_in_threads")(Actor(), 4, 100, "actor thread") == 400


def test_threads_of_python_while_cpp_calls() -> None:
    actor = Everything()
    failures = []

    def work() -> None:
        for _ in range(200):
            if UNLOCKED(actor, "greet") != "python C++":
                failures.append(1)

    in_threads([work] * 4)
    assert not failures


def test_an_override_that_calls_back() -> None:
    class Bounces(Actor):
        def descend(self, depth: int) -> int:
            return 0 if depth == 0 else 1 + get("descend")(self, depth - 1)

    assert get("descend")(Bounces(), 100) == 100


@pytest.mark.bad_input
def test_an_override_that_never_ends() -> None:
    class Endless(Actor):
        def descend(self, depth: int) -> int:
            return get("descend")(self, depth + 1)

        def greet(self, whom: str) -> str:
            return CALL(self, "greet")

    with pytest.raises(RecursionError):
        get("descend")(Endless(), 0)
    with pytest.raises(RecursionError):
        CALL(Endless(), "greet")
    with pytest.raises(RecursionError):
        UNLOCKED(Endless(), "greet")


def test_an_override_that_drops_its_object() -> None:
    class Drops(Actor):
        def greet(self, whom: str) -> str:
            nonlocal actor
            actor = None
            DROP()
            gc.collect()
            return f"last {whom}"

    actor: Any = Drops()
    KEEP(actor)
    assert CALL(KEPT(0), "greet") == "last C++"
    actor = Drops()
    assert actor.introduce() == "last you, 7"


def test_an_override_that_replaces_its_class() -> None:
    class After(Actor):
        def greet(self, whom: str) -> str:
            return f"after {whom}"

    class Before(Actor):
        def greet(self, whom: str) -> str:
            self.__class__ = After
            del Before.greet
            return f"before {whom}"

    actor = Before()
    assert [CALL(actor, "greet"), CALL(actor, "greet")] == ["before C++", "after C++"]


def test_what_type_info_says() -> None:
    methods = {method.name: method for method in tain.type_info(Actor).methods}
    assert methods["fixed"].is_final
    assert methods["fixed"].is_virtual
    assert methods["plain"].is_final
    assert not methods["plain"].is_virtual
    assert not methods["greet"].is_final
    assert not methods["greet"].is_abstract
