# SPDX-License-Identifier: Apache-2.0
"""Virtual functions of a foreign library that Python overrides: calls, results and errors."""

from __future__ import annotations

import copy
import gc
import sys
import threading
import unittest.mock
import weakref
from typing import Any

import pytest
from errors import raises
from tain.types.testing import boxed, overridden
from tain.types.testing.overridden import Codec, PlainTask, Probe, Speed, Task, TimedTask

import tain

call = overridden.call


class Own(Task):  # type: ignore[misc, valid-type]
    """Overrides each function, most by way of the C++ code."""

    def __init__(self, size: int = 1) -> None:
        super().__init__(size)
        self.seen: list[Any] = []

    def describe(self) -> str:
        return "own " + super().describe()

    def run(self, x: int) -> int:
        self.seen.append(x)
        return 10 * super().run(x)

    def pick(self, x: Any) -> int:
        return 1000 + super().pick(x)

    def rest(self) -> None:
        self.seen.append("rest")
        super().rest()

    def quiet(self, x: int) -> int:
        return 5 + super().quiet(x)

    def label(self) -> str:
        return super().label() + "!"

    def table(self, given: Any) -> dict[str, int]:
        return {**super().table(given), "b": 2}

    def hook(self, x: int) -> int:
        return x + 1

    def __call__(self, x: int) -> int:
        return super().__call__(x) + 3

    @property
    def weight(self) -> int:
        return 2 * super().weight


# ---------------------------------------------------------------- calls

CALLS = [
    ("describe", "own task 2", "task 2"),
    ("run", 70, 7),
    ("pick", 1005, 5),
    ("pick_text", 1003, 3),
    ("rest", None, None),
    ("quiet", 0, -5),
    ("label", "no label!", "no label"),
    ("table", {"a": 5, "b": 2}, {"a": 5}),
    ("hook", 6, 50),
    ("call", 503, 500),
    ("weight", 14, 7),
]


@pytest.mark.parametrize(("name", "own", "plain"), CALLS)
def test_cpp_calls_the_override_which_reaches_the_cpp_code(name: str, own: Any, plain: Any) -> None:
    assert call(Own(2), name, 5) == own
    assert call(Task(2), name, 5) == plain

    class Empty(Task):  # type: ignore[misc, valid-type]
        pass

    assert call(Empty(2), name, 5) == plain


def test_a_class_that_overrides_one_function_leaves_the_others() -> None:
    class Runs(Task):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> int:
            return 0

    assert [call(Runs(2), name, 5) for name, _, _ in CALLS] == [
        0 if name == "run" else plain for name, _, plain in CALLS
    ]


def test_constructors_and_destructors_run_the_code_of_cpp() -> None:
    own = Own(4)
    assert own.born == "task 4"
    del own
    gc.collect()
    assert Task.last_words() == "task 4"


def test_results_and_arguments_of_enums_and_boxed_classes() -> None:
    class Taker(Task):  # type: ignore[misc, valid-type]
        def walk(self, speed: Any) -> Any:
            assert speed is Speed.SLOW
            return Speed.FAST

        def meet(self, seen: Any, changed: Any, pointed: Any) -> float:
            self.kept = [seen, changed, pointed]
            total = seen.x + changed.x + pointed.x
            changed.x = 20.0
            pointed.x = 30.0
            return float(10 * total)

        def moved(self, vec: Any) -> Any:
            return boxed.Vec(vec.y, 0)

    taker = Taker()
    assert overridden.walk(taker, Speed.SLOW) is Speed.FAST
    assert list(overridden.meet(taker)) == [60.0, 1.0, 20.0, 30.0]
    assert taker.kept[0].x == 1.0  # a copy
    for lent in taker.kept[1:]:
        with pytest.raises(ValueError, match="C\\+\\+ lent the object for the length of a call"):
            lent.x  # noqa: B018
    assert overridden.moved(taker) == 16.0
    assert overridden.moved(Task()) == 25.0


def test_results_by_pointer_and_reference_live_as_long_as_the_object() -> None:
    class Chain(Task):  # type: ignore[misc, valid-type]
        def next(self) -> Any:
            return Own(7)

        def chief(self) -> Any:
            return Own(8)

    chain = Chain()
    assert overridden.next_size(chain) == 7
    assert overridden.next_size(Task()) == -1
    chief = overridden.chief(chain)
    assert type(chief) is Own
    assert call(chief, "run", 1) == 90

    class Itself(Task):  # type: ignore[misc, valid-type]
        def chief(self) -> Any:
            return self

        def next(self) -> Any:
            return None

    itself = Itself()
    assert overridden.chief(itself) is itself
    assert overridden.next_size(itself) == -1
    dead = weakref.ref(itself)
    del itself
    gc.collect()
    assert dead() is None


def test_each_object_keeps_the_text_to_which_it_returned_a_reference() -> None:
    class Named(Task):  # type: ignore[misc, valid-type]
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def label(self) -> str:
            return self.name

    first, second = Named("a" * 40), Named("b" * 40)
    assert overridden.labels(first, second) == "a" * 40 + "|" + "b" * 40
    first.name = "c"
    assert overridden.labels(first, second) == "c|" + "b" * 40


def test_results_in_smart_pointers() -> None:
    class Giver(Task):  # type: ignore[misc, valid-type]
        made: Any = None

        def peer(self) -> Any:
            return self.made if self.made is not None else Own(3)

        def clone(self) -> Any:
            return Own(4)

    giver = Giver()
    assert overridden.peer_run(giver) == 40
    assert overridden.clone_run(giver) == 50
    giver.made = Own(5)
    assert overridden.peer_run(giver) == 60
    assert giver.made.seen == [1]
    assert overridden.peer_run(Task()) == -1
    assert overridden.clone_run(Task(6)) == 7


@pytest.mark.bad_input
def test_an_object_that_python_keeps_is_no_result_by_unique_ptr() -> None:
    class Keeper(Task):  # type: ignore[misc, valid-type]
        def clone(self) -> Any:
            self.kept = Own(4)
            return self.kept

    with pytest.raises(
        TypeError,
        match=r"^Keeper\.clone: result of the override: expected testing\.overridden\.Task \| None "
        r"that only this argument refers to, got testing\.overridden\.Task$",
    ):
        overridden.clone_run(Keeper())


def test_an_argument_by_unique_ptr_belongs_to_the_override() -> None:
    class Fed(Task):  # type: ignore[misc, valid-type]
        food: Any = None

        def feed(self, task: Any) -> int:
            if task.size > 5:
                self.food = task
            return int(task.size) + 100

    fed = Fed()
    alive = Task.alive()
    assert overridden.feed(fed, 3) == 103
    assert Task.alive() == alive
    assert overridden.feed(fed, 6) == 106
    assert Task.alive() == alive + 1
    assert fed.food.size == 6
    assert overridden.feed(Task(), 9) == 9
    assert overridden.feed(Own(), 9) == 9  # no override of this name
    assert Task.alive() >= alive + 1


def test_a_function_without_the_gil_takes_what_nothing_else_refers_to() -> None:
    """Its call holds the arguments, so another thread cannot use what it takes."""
    alive = Task.alive()
    made = Task(1)
    message = (
        "testing.overridden.drop_unlocked: argument task: expected testing.overridden.Task | None "
        "that only this argument refers to (a function with release_gil() refers to its "
        "arguments itself: let it release the GIL inside, by tain::WithoutGil of tain/gil.h, or "
        "pass a value of x._move()), got testing.overridden.Task"
    )
    for given in (made, Own(2)):
        with raises(TypeError, message):
            overridden.drop_unlocked(given)
    overridden.drop_unlocked(made._move())
    overridden.drop_unlocked(None)
    own = Own(3)
    overridden.drop_without_gil(own)
    overridden.drop_without_gil(Task(2))
    message = "testing.overridden.Task: C++ has destroyed the object, which was given to it"
    with raises(ValueError, message):
        own.size  # noqa: B018
    del own, made, given
    gc.collect()
    assert Task.alive() == alive


def test_threads_without_the_gil_call_overrides() -> None:
    own = Own(2)
    assert overridden.run_in_thread(own, 1) == 30
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(overridden.run_in_thread(own, 1)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [30] * 8


def test_a_derived_class_inherits_the_overrides_of_its_base() -> None:
    class Timed(TimedTask):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> int:
            return -super().run(x)

        def describe(self) -> str:
            return "timed " + super().describe()

        def ticks(self) -> int:
            return super().ticks() + 1

    timed = Timed(2)
    assert call(timed, "run", 1) == -1003
    assert call(timed, "describe", 0) == "timed task 2"
    assert timed.ticks() == 61
    assert call(TimedTask(2), "run", 1) == 1003
    assert isinstance(timed, Task)


def test_methods_that_change_later_are_seen() -> None:
    class Changing(Task):  # type: ignore[misc, valid-type]
        pass

    task = Changing(2)
    assert call(task, "run", 1) == 3
    Changing.run = lambda self, x: 50
    assert call(task, "run", 1) == 50
    del Changing.run
    assert call(task, "run", 1) == 3
    plain = Task(2)
    original = Task.run
    with unittest.mock.patch.object(Task, "run", lambda self, x: 7 * original(self, x)):
        assert call(plain, "run", 1) == 21
    assert call(plain, "run", 1) == 3


def test_a_mixin_may_have_the_override() -> None:
    class Mixin:
        def run(self, x: int) -> int:
            return 9 * super().run(x)  # type: ignore[misc]

    class Mixed(Mixin, Task):  # type: ignore[misc, valid-type]
        pass

    class Behind(Task, Mixin):  # type: ignore[misc, valid-type]
        pass

    assert call(Mixed(1), "run", 1) == 18
    assert call(Behind(1), "run", 1) == 2


# ---------------------------------------------------------------- abstract classes


class Upper(Codec):  # type: ignore[misc, valid-type]
    def __init__(self, level: int = 0) -> None:
        super().__init__(level)

    def encode(self, text: str) -> str:
        return text.upper() + str(self.level)

    def cost(self) -> int:
        return 4


@pytest.mark.bad_input
def test_only_a_subclass_of_an_abstract_class_can_be_constructed() -> None:
    assert overridden.encode(Upper(3), "a") == "A33"
    assert Upper(3).twice("b") == "B33"
    assert overridden.cost(Upper()) == 4
    text = (
        r"^testing\.overridden\.Codec is abstract: make an object of a subclass, which overrides "
        r"its abstract methods$"
    )
    with pytest.raises(TypeError, match=text):
        Codec(1)
    with pytest.raises(TypeError, match=text):
        Codec.__new__(Codec)
    with pytest.raises(TypeError, match=text):
        Codec()


@pytest.mark.bad_input
def test_a_missing_override_is_a_clear_error(capfd: Any) -> None:
    class Lacking(Codec):  # type: ignore[misc, valid-type]
        pass

    text = r"^Lacking\.encode is abstract and was not overridden$"
    lacking = Lacking(2)
    with pytest.raises(NotImplementedError, match=text):
        overridden.encode(lacking, "a")
    with pytest.raises(NotImplementedError, match=text):
        lacking.encode("a")

    class Calls(Codec):  # type: ignore[misc, valid-type]
        def encode(self, text: str) -> str:
            return str(super().encode(text))

    with pytest.raises(NotImplementedError, match=r"^Calls\.encode is abstract"):
        overridden.encode(Calls(), "a")


# ---------------------------------------------------------------- errors


class Custom(Exception):
    pass


@pytest.mark.bad_input
def test_an_exception_of_an_override_comes_out_as_itself() -> None:
    raised = Custom("from Python")

    class Failing(Task):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> int:
            raise raised

    with pytest.raises(Custom) as caught:
        call(Failing(), "run", 1)
    assert caught.value is raised
    with pytest.raises(RuntimeError, match="in the thread: from Python"):
        overridden.run_in_thread(Failing(), 1)


@pytest.mark.bad_input
@pytest.mark.parametrize("from_cpp", [True, False])
def test_an_exception_in_a_noexcept_function_is_unraisable(
    monkeypatch: pytest.MonkeyPatch, from_cpp: bool
) -> None:
    seen = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: seen.append((args.exc_value, args.object))
    )

    class Failing(Task):  # type: ignore[misc, valid-type]
        def quiet(self, x: int) -> Any:
            if from_cpp:
                return "no int"
            raise Custom("quiet")

    class FailingCodec(Codec):  # type: ignore[misc, valid-type]
        pass

    assert call(Failing(), "quiet", 5) == -5
    assert len(seen) == 1
    assert type(seen[0][0]) is (TypeError if from_cpp else Custom)
    assert seen[0][1] == "Failing.quiet"
    assert overridden.cost(FailingCodec()) == 0
    assert str(seen[1][0]) == "FailingCodec.cost is abstract and was not overridden"


@pytest.mark.bad_input
def test_results_and_signatures_that_do_not_fit() -> None:
    class Wrong(Task):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> Any:
            return "seven"

        def describe(self, more: int) -> str:
            return ""

        def chief(self) -> None:
            return None

        def next(self) -> int:
            return 3

        rest = 3

    wrong = Wrong()
    with pytest.raises(
        TypeError,
        match=r"^Wrong\.run: result of the override: expected int, got str \('seven'\)$",
    ):
        call(wrong, "run", 1)
    with pytest.raises(
        TypeError, match=r"^Wrong\.describe: C\+\+ calls it as describe\(\) -> str: "
    ):
        call(wrong, "describe", 1)
    with pytest.raises(
        TypeError,
        match=r"^Wrong\.chief: result of the override: expected an object, because C\+\+ takes a "
        r"reference, got None$",
    ):
        overridden.chief(wrong)
    with pytest.raises(
        TypeError,
        match=r"^Wrong\.next: result of the override: expected testing\.overridden\.Task \| None, "
        r"got int \(3\)$",
    ):
        overridden.next_size(wrong)
    with pytest.raises(TypeError, match=r"'int' object is not callable"):
        call(wrong, "rest", 1)


@pytest.mark.bad_input
def test_a_subclass_that_does_not_initialize_its_base() -> None:
    class Forgets(Task):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            pass

        def run(self, x: int) -> int:
            return 0

    with pytest.raises(ValueError, match=r"its __init__ was not called"):
        call(Forgets(), "run", 1)
    with pytest.raises(ValueError, match=r"its __init__ was not called"):
        Forgets().describe()


@pytest.mark.bad_input
def test_endless_recursion_is_an_error() -> None:
    class Endless(Task):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> int:
            return int(call(self, "run", x + 1))

    with pytest.raises(RecursionError):
        call(Endless(), "run", 1)


@pytest.mark.bad_input
def test_a_factory_must_make_an_object_with_overrides() -> None:
    class Timed(TimedTask):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            self.__init_handle_by_constructor__(TimedTask.plain, 3)

        def run(self, x: int) -> int:
            return 0

    with pytest.raises(
        TypeError,
        match=r"^Timed\.__init_handle_by_constructor__\(\): the constructor made an object whose "
        r"class calls no overrides: it must return a std::unique_ptr to one of the class P in "
        r"ObjectDef<Boxed<F, P>>$",
    ):
        Timed()


# ---------------------------------------------------------------- copies, identity, description


def test_copies_keep_class_and_overrides() -> None:
    own = Own(3)
    for duplicate in (copy.copy(own), copy.deepcopy(own)):
        assert type(duplicate) is Own
        assert duplicate is not own
        assert call(duplicate, "run", 1) == 40
        assert duplicate.seen[-1] == 1
    plain = copy.copy(Task(3))
    assert type(plain) is Task
    assert call(plain, "run", 1) == 4
    assert overridden.by_value(own) == 4  # a Task of C++


def test_what_cpp_makes_stays_what_it_is() -> None:
    assert call(TimedTask.plain(2), "run", 1) == 1003
    assert type(TimedTask.plain(2)) is TimedTask
    assert call(PlainTask(), "run", 1) == -1


def test_a_class_that_cpp_cannot_delete_through_its_base() -> None:
    class Reads(Probe):  # type: ignore[misc, valid-type]
        def read(self) -> int:
            return 5 * super().read()

    assert overridden.read(Reads()) == 5
    assert overridden.read(Probe()) == 1


def test_the_class_is_that_of_the_library() -> None:
    assert Own.__mro__[1] is Task
    info = tain.type_info("testing.overridden.Task")
    assert info.key == "testing.overridden.Task"
    assert str(Task.run.__signature__) == "(self, x: int) -> int"
    assert not info.is_abstract
    assert tain.type_info("testing.overridden.Codec").is_abstract
