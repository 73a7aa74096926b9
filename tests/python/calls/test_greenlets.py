# SPDX-License-Identifier: Apache-2.0
"""Coroutines that move the C stack away in the middle of a call and bring it back later.

Calls of one thread end in any order then, and other calls run at the addresses of their frames.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import greenlet
import pytest
from errors import in_use_text, kind_text, raises
from sanitized import SANITIZED
from tain.types.testing import Actor, AllKinds, Length, Point, overridden
from testing_functions import get

import tain

pytestmark = [
    pytest.mark.bad_input,
    pytest.mark.only_if(
        not SANITIZED, reason="greenlet copies frames without what the sanitizer knows of them"
    ),
]

APPLY, ECHO, KIND = get("apply"), get("echo"), get("kind")


def pause(*_: Any) -> Any:
    """Go back to whom started or resumed this; what comes back is what it resumed with."""
    return greenlet.getcurrent().parent.switch("paused")


def overwrite_the_stack(depth: int = 60) -> None:
    """Make calls of every kind where the frames of those that pause were."""
    assert APPLY(lambda *x: len(x), *map(Point, range(20))) == 20
    with raises(TypeError, kind_text("None", "None")):
        KIND(None)
    if depth != 0:
        APPLY(overwrite_the_stack, depth - 1)


def start(run: Callable[..., Any], *args: Any) -> Any:
    """Return a coroutine that pauses inside run(*args)."""
    made = greenlet.greenlet(run)
    assert made.switch(*args) == "paused"
    return made


def check_taken(*points: Point) -> None:
    for point in points:
        before = point.x
        with raises(TypeError, in_use_text("tain.types.testing.Point.__init__()")):
            point.__init__(-1)
        with raises(TypeError, in_use_text("tain.types.testing.Point._move()")):
            point._move()
        assert point.x == before


def check_free(*points: Point) -> None:
    for point in points:
        point.__init__(-1)
        assert point.x == -1


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1)])
def test_calls_end_in_any_order(order: tuple[int, ...]) -> None:
    points = [Point(i) for i in range(3)]
    calls = [start(APPLY, pause, point) for point in points]
    left = set(range(3))
    for i in order:
        overwrite_the_stack()
        check_taken(*(points[j] for j in left))
        assert calls[i].switch(i) == i
        left.remove(i)
        check_free(points[i])
    check_free(*points)


def test_one_object_in_many_calls() -> None:
    point = Point(1)
    calls = [start(APPLY, pause, point, *([point] * (i % 20))) for i in range(100)]
    for call in calls[::2] + calls[1::2]:
        check_taken(point)
        call.switch(None)
    check_free(point)


def test_many_objects() -> None:
    points = [Point(i) for i in range(1000)]
    calls = [start(APPLY, pause, *points[i : i + 10]) for i in range(0, 1000, 10)]
    for call in calls[::3] + calls[1::3]:
        call.switch(None)
    check_taken(*(points[i] for i in range(20, 1000, 30)))
    for call in calls[2::3]:
        call.switch(None)
    check_free(*points)


class Pausing:
    """A number that takes its time."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __float__(self) -> float:
        pause()
        return self.value

    def __iter__(self) -> Any:
        pause()
        return iter(self.value)


def test_conversions() -> None:
    owner = AllKinds()
    set_ints = start(setattr, owner, "ints", Pausing([1, 2, 3]))
    length = start(Length, Pausing(2.0))
    overwrite_the_stack()
    with raises(TypeError, in_use_text("tain.types.testing.AllKinds.__init__()")):
        owner.__init__()
    assert length.switch().meters == 2.0
    set_ints.switch()
    assert list(owner.ints) == [1, 2, 3]
    owner.__init__()


def resume(call: Any) -> None:
    """Until it ends: every candidate converts anew."""
    while call.switch() == "paused":
        overwrite_the_stack()


@pytest.mark.parametrize("first", [0, 1])
def test_overloads(first: int) -> None:
    refused = Pausing("not a float")
    calls = [start(KIND, Pausing(1.5)), start(KIND, refused)]
    got = f"Pausing ({refused!r})"
    text = kind_text("Pausing", got).replace(  # the overload that reads its elements
        f"x: expected Array[int], got {got}", "x[0]: expected int, got str ('n')"
    )
    overwrite_the_stack()

    def finish(i: int) -> None:
        if i == 0:
            assert calls[0].switch() == "float"
        else:
            with raises(TypeError, text):
                resume(calls[1])

    finish(first)
    overwrite_the_stack()
    finish(1 - first)
    assert KIND(1) == "int"


def test_errors() -> None:
    """Each coroutine gets its own error through C++, also one thrown into it while it waits."""

    def wait_and_fail(text: str) -> None:
        pause()
        raise KeyError(text)

    calls = [start(APPLY, wait_and_fail, str(i)) for i in range(5)]
    overwrite_the_stack()
    for i in (3, 0, 4, 1, 2):
        with raises(KeyError, f"'{i}'"):
            calls[i].switch()
    waiting = start(APPLY, APPLY, pause, Point(1))
    with pytest.raises(ZeroDivisionError):
        waiting.throw(ZeroDivisionError)


def test_killed() -> None:
    """A coroutine that nobody can resume ends with GreenletExit, which passes through C++."""
    point, log = Point(1), []

    def wait(*_: Any) -> None:
        try:
            pause()
        except greenlet.GreenletExit:
            log.append("exit")
            raise

    call = start(APPLY, APPLY, wait, point)
    overwrite_the_stack()
    check_taken(point)
    del call
    gc.collect()
    assert log == ["exit"]
    check_free(point)


def test_functions_of_python() -> None:
    function = tain.convert(pause)
    calls = [start(ECHO(function), Point(i)) for i in range(10)]
    for i in (5, 2, 9, 0, 1, 3, 4, 6, 8, 7):
        overwrite_the_stack(5)
        assert calls[i].switch(Point(i)).x == i


class Waiting(Actor):
    def grow(self, by: int) -> int:
        return pause() + by


def test_overrides() -> None:
    actors = [Waiting() for _ in range(4)]
    calls = [start(get("call_actor"), actor, "grow") for actor in actors]
    for i in (2, 0, 3, 1):
        overwrite_the_stack()
        with raises(TypeError, in_use_text("Waiting.__init__()")):
            actors[i].__init__()
        assert calls[i].switch(i) == i + 3
        actors[i].__init__()


# ---------------------------------------------------------------- functions of structural hooks


@tain.py_class("testing_greenlets.Acting")
class Acting:
    """Its hooks pass on the function that they get, and wait."""

    name: str

    def __s_equal__(self, other: Any, compare: Any) -> bool:
        given[self.name] = compare
        return pause() is None

    def __s_hash__(self, init: int, function: Any) -> int:
        given[self.name] = function
        pause()
        return 7


given: dict[str, Any] = {}
EQUAL, HASH = tain.structural_equal, tain.structural_hash
TURNS = "{}: coroutines call its function in turns, and one of these calls has not ended"
WALKS: dict[str, tuple[Callable[[str], Any], Callable[..., Any]]] = {
    "__s_equal__": (
        lambda name: start(EQUAL, tain.Array([Acting(name)]), tain.Array([Acting(name)])),
        lambda name, x: given[name](x, x),
    ),
    "__s_hash__": (
        lambda name: start(HASH, tain.Array([Acting(name)])),
        lambda name, x: given[name](x, 0),
    ),
}


@pytest.fixture(params=WALKS)
def walk(request: pytest.FixtureRequest) -> Any:
    yield (request.param, *WALKS[request.param])
    given.clear()


def test_the_function_of_a_hook_in_another_coroutine(walk: Any) -> None:
    """The hook waits; its stack is overwritten when the function is called."""
    name, begin, call = walk
    waiting = begin("outer")
    overwrite_the_stack()
    for _ in range(3):
        call("outer", tain.Array([Point(1), 2]))
        overwrite_the_stack()
    answer = waiting.switch(None)
    assert answer is True or name == "__s_hash__"
    with raises(RuntimeError, f"{name} has returned: its function ended with it"):
        call("outer", 1)


def test_functions_of_hooks_in_turns(walk: Any) -> None:
    """A hook returns while another coroutine is inside its function."""
    name, begin, call = walk
    text = TURNS.format(name)
    waiting = begin("outer")
    inside = start(call, "outer", tain.Array([Acting("inner")]))
    overwrite_the_stack()
    with raises(RuntimeError, text):  # the walk goes on inside of the other coroutine
        call("outer", 1)
    with raises(RuntimeError, text):
        waiting.switch(None)
    overwrite_the_stack()
    with raises(RuntimeError, text):
        call("inner", 1)
    with raises(RuntimeError, text):
        inside.switch(None)
    assert inside.dead and waiting.dead


def test_a_hook_that_ends_while_its_function_is_inside_another_one(walk: Any) -> None:
    """Nobody resumes it any more: the exit passes through both."""
    name, begin, call = walk
    waiting = begin("outer")
    inside = start(call, "outer", tain.Array([Acting("inner")]))
    overwrite_the_stack()
    del waiting
    gc.collect()
    overwrite_the_stack()
    with raises(RuntimeError, TURNS.format(name)):
        inside.switch(None)
    assert EQUAL(tain.Array([1, [2]]), tain.Array([1, [2]]))


def test_repr_of_coroutines() -> None:
    """Each ends its own levels."""

    class Slow(Point):
        def __repr__(self) -> str:
            pause()
            return "slow"

    lists = [tain.List([i, Slow(i)]) for i in range(3)]
    calls = [start(repr, one) for one in lists]
    for i in (1, 0, 2):
        assert repr(tain.List([5])) == "[5]"
        assert calls[i].switch() == f"[{i}, slow]"
    assert repr(lists[0][:1]) == "[0]"


def test_declared_types_of_arguments() -> None:
    """Each call knows which of its own arguments are tuples."""
    call = get("call_with_tuples")

    def wait(first: Any, second: Any, third: Any) -> Any:
        kinds = [type(one) for one in (first, second, third)]
        pause()
        return call(lambda *inner: [*kinds, *map(type, inner)] == [tuple, tain.Array, tuple] * 2)

    calls = [start(call, wait) for _ in range(5)]
    for i in (1, 4, 0, 3, 2):
        overwrite_the_stack()
        assert APPLY(lambda x: type(x), tain.Array([1])) is tain.Array
        assert calls[i].switch() is True


def test_overrides_that_got_a_lent_object_end_in_any_order() -> None:
    class Visitor(overridden.Task):  # type: ignore[misc, name-defined]
        def visit(self, vec: Any) -> None:
            pause()
            super().visit(vec)

    visitors = [Visitor() for _ in range(3)]
    first, second, left = (start(overridden.visit, one, 4.0) for one in visitors)
    overwrite_the_stack()
    first.switch()
    overwrite_the_stack()
    overridden.visit(overridden.Task(), 1.0)
    second.switch()
    assert [one.visited for one in visitors] == [4, 4, 0]
    del left  # it ends by GreenletExit
    gc.collect()
    overwrite_the_stack()
    overridden.visit(overridden.Task(), 1.0)
