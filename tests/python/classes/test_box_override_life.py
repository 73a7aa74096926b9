# SPDX-License-Identifier: Apache-2.0
"""Objects with overrides that C++ holds: their Python objects live as long, and no longer."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from errors import raises
from tain.types.testing import overridden
from tain.types.testing.overridden import Crew, Task, TimedTask


@pytest.fixture(autouse=True)
def all_destroyed() -> Iterator[None]:
    """Each task that a test makes is destroyed."""
    gc.collect()
    before = Task.alive()
    yield
    gc.collect()
    assert Task.alive() == before


class Own(Task):  # type: ignore[misc, valid-type]
    ended: list[str] = []

    def __init__(self, size: int = 1, name: str = "own") -> None:
        super().__init__(size)
        self.name = name
        self.runs = 0

    def run(self, x: int) -> int:
        self.runs += 1
        return 10 * super().run(x)

    def __del__(self) -> None:
        Own.ended.append(self.name)


def end_of(name: str) -> bool:
    """Return whether the object of this name has ended, once."""
    gc.collect()
    return Own.ended.count(name) == 1


@pytest.mark.parametrize("how", ["add", "share", "refer"])
def test_cpp_keeps_the_python_object(how: str) -> None:
    crew = Crew()
    own = Own(2, how)
    dead = weakref.ref(own)
    getattr(crew, how)(own)
    del own
    gc.collect()
    assert crew.run(1) == 30
    assert dead().runs == 1  # type: ignore[union-attr]
    assert not end_of(how)
    if how == "refer":
        del crew
    else:
        crew.clear()
    assert end_of(how)
    assert dead() is None


@pytest.mark.parametrize("how", ["add", "share"])
def test_it_comes_back_as_the_same_object(how: str) -> None:
    crew = Crew()
    own = Own(2, "back " + how)
    own.extra = [1]
    getattr(crew, how)(own)
    identity = id(own)
    if how == "add":
        assert crew.first() is own
        assert crew.first_reference() is own
        del own
        assert id(crew.first()) == identity
        assert crew.first().extra == [1]
        own = crew.take()
    else:
        assert crew.last_shared() is own
        del own
        own = crew.last_shared()
    assert id(own) == identity
    assert own.extra == [1]
    assert overridden.call(own, "run", 1) == 30
    crew.clear()
    assert overridden.call(own, "run", 1) == 30  # it is Python's again
    del own
    assert end_of("back " + how)


@pytest.mark.bad_input
def test_what_was_given_to_cpp_ends_with_it() -> None:
    crew = Crew()
    own = Own(2, "given")
    crew.add(own)
    assert own.describe() == "task 2"
    own.size = 5
    assert crew.run(1) == 60
    with pytest.raises(TypeError, match="got one that a std::unique_ptr of C\\+\\+ owns"):
        crew.add(own)
    with pytest.raises(TypeError, match="got one that a std::unique_ptr of C\\+\\+ owns"):
        crew.share(own)
    crew.clear()
    over = r"^testing\.overridden\.Task: C\+\+ has destroyed the object, which was given to it$"
    for use in (Task.describe, Task.size.__get__, crew.refer):
        with pytest.raises(ValueError, match=over):
            use(own)
    assert repr(own) == "<Own: destroyed>"
    assert own.runs == 1  # what Python gave it stays
    del own
    assert end_of("given")


def test_it_can_be_given_and_taken_again() -> None:
    crew = Crew()
    own = Own(2, "again")
    for _ in range(3):
        crew.add(own)
        assert crew.take() is own
    assert overridden.give_back(own) is own
    assert own.runs == 1
    assert overridden.drop_twice(own) == 30
    del own
    assert end_of("again")


def test_a_thread_without_the_gil_drops_it() -> None:
    crew = Crew()
    crew.add(Own(2, "thread unique"))
    crew.share(Own(2, "thread shared"))
    assert crew.run(1) == 320
    crew.clear_in_thread()
    assert end_of("thread unique")
    assert end_of("thread shared")


def test_an_object_of_the_class_itself_is_given_too() -> None:
    crew = Crew()
    crew.add(Task(3))
    crew.add(TimedTask(3))
    crew.add(TimedTask.plain(3))
    assert crew.run(1) == 1 + 3 + 1003 + 1003
    assert type(crew.first()) is Task
    crew.share_owned()
    assert crew.run(1) == 1 + 3 + 1003 + 1003
    assert type(crew.last_shared()) is TimedTask


def test_what_a_factory_made_has_overrides_and_is_given_too() -> None:
    class Timed(TimedTask):  # type: ignore[misc, valid-type]
        def run(self, x: int) -> int:
            return -super().run(x)

    timed = Timed(2)
    timed.tag = "kept"
    dead = weakref.ref(timed)
    crew = Crew()
    crew.add(timed)
    del timed
    gc.collect()
    assert crew.run(1) == -1003
    assert crew.first().tag == "kept"
    assert crew.take().tag == "kept"
    gc.collect()
    assert dead() is None
    crew.add(Timed(2))
    crew.clear()


def test_cpp_shares_what_it_owned() -> None:
    crew = Crew()
    own = Own(2, "shared later")
    crew.add(own)
    crew.share_owned()
    assert crew.last_shared() is own
    assert crew.run(1) == 30
    del own
    assert crew.last_shared().runs == 1
    crew.clear()
    assert end_of("shared later")


@pytest.mark.bad_input
def test_the_last_shared_ptr_of_a_given_object_does_not_come_back() -> None:
    with pytest.raises(
        TypeError,
        match=r"^testing\.overridden\.Task: the object was given to C\+\+ as a std::unique_ptr, so "
        r"it cannot come back as the last std::shared_ptr: return a std::unique_ptr$",
    ):
        overridden.unique_as_shared(Own(2, "last"))
    assert end_of("last")


def test_cycles_through_attributes_and_what_boxes_keep_are_collected() -> None:
    own = Own(2, "cycle")
    crew = Crew()
    crew.refer(own)
    own.crew = crew
    del own, crew
    assert end_of("cycle")


def test_a_reference_in_a_result_of_an_override_is_collected() -> None:
    class Loop(Own):
        other: Any = None

        def chief(self) -> Any:
            return self.other

    first, second = Loop(1, "loop 1"), Loop(2, "loop 2")
    first.other, second.other = second, second
    assert overridden.chief(first) is second
    assert overridden.chief(second) is second
    del first, second
    assert end_of("loop 1")
    assert end_of("loop 2")


def test_del_sees_the_object_that_a_shared_ptr_held() -> None:
    seen = []

    class Last(Task):  # type: ignore[misc, valid-type]
        def __del__(self) -> None:
            seen.append(self.describe())

    crew = Crew()
    crew.share(Last(6))
    gc.collect()
    assert seen == []
    crew.clear()
    gc.collect()
    assert seen == ["task 6"]


def test_an_override_may_drop_its_own_object() -> None:
    class Leaves(Task):  # type: ignore[misc, valid-type]
        crew: Any = None

        def run(self, x: int) -> int:
            self.crew.clear()
            return x

    crew = Crew()
    leaves = Leaves(1)
    leaves.crew = crew
    crew.share(leaves)
    del leaves
    assert overridden.call(crew.last_shared(), "run", 4) == 4


@pytest.mark.bad_input
def test_others_cannot_keep_what_was_given_to_cpp() -> None:
    crew, other = Crew(), Crew()
    own = Own(2, "kept by two")
    crew.add(own)
    with pytest.raises(
        TypeError,
        match=r"got one that a std::unique_ptr of C\+\+ owns: the method may keep it longer$",
    ):
        other.refer(own)
    del own, crew
    assert end_of("kept by two")


class Visitor(Task):  # type: ignore[misc, valid-type]
    """Passes on what C++ lends to it."""

    def visit(self, vec: Any) -> None:
        vec.x += 1
        super().visit(vec)
        Task.visit(self, vec)


def test_an_override_passes_on_what_it_got_to_the_code_of_cpp() -> None:
    """C++ would have passed the pointer to the same function, so nothing has to keep it."""
    own = Visitor()
    overridden.visit(own, 4.0)
    assert own.visited == 10


@pytest.mark.bad_input
def test_an_override_passes_nothing_on_to_another_function_or_object() -> None:
    lent = (
        "argument arg0: expected testing.boxed.Vec, got one that C++ lent for the length of a "
        "call: the method may keep it, so give a copy (if it does not, tain::no_keep_alive() says "
        "so)"
    )
    other = Task()

    class Keeps(Task):  # type: ignore[misc, valid-type]
        def visit(self, vec: Any) -> None:
            with raises(TypeError, f"testing.overridden.Task.remember: {lent}"):
                self.remember(vec)
            with raises(TypeError, f"testing.overridden.Task.visit: {lent}"):
                other.visit(vec)
            self.remember(copy.copy(vec))

    own = Keeps()
    overridden.visit(own, 4.0)
    assert (own.visited, other.visited) == (4, 0)
    with raises(TypeError, "testing.overridden.visit: argument arg1: expected float, got None"):
        overridden.visit(own, None)
