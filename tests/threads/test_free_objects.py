# SPDX-License-Identifier: Apache-2.0
"""Objects that threads make, read, convert, save and drop without waiting for each other."""

from __future__ import annotations

import contextlib
import gc
import itertools
from typing import Any

import pytest
from racing import TURNS, race
from tain.types.testing import Point, threads

import tain
from tain import _core

LINKS = [threads.SilentLink, threads.LockedLink, threads.SafeLink]
LONG_TEXT = "text that is long enough for memory of its own"


@pytest.mark.parametrize("num_threads", [2, 16])
def test_objects_are_made_and_die(num_threads: int) -> None:
    before = _core.live_instances()

    def make() -> None:
        chain = None
        for i in range(4):
            chain = threads.SafeLink(chain, str(i))
        assert chain.next.next.next.name == "0" and chain.next.next.next.next is None
        del chain.next.next

    with pytest.raises(AttributeError, match="cannot be deleted"):
        make()

    def drop() -> None:
        with contextlib.suppress(AttributeError):
            make()

    race(drop, lambda: threads.Safe().add(1), gc.collect, threads=num_threads, turns=TURNS // 4)
    gc.collect()
    assert _core.live_instances() <= before + 2  # of exceptions that pytest keeps


def test_an_object_has_one_wrapper() -> None:
    def same() -> None:
        for i in range(8):
            one, two = threads.held(i), threads.held(i)
            assert one is two
            assert one.name == str(i)

    race(same, threads=8)


def test_wrappers_of_held_objects_meet_their_attributes() -> None:
    class Named(threads.SafeLink):
        """A subclass, whose wrapper lives as long as the object."""

    parent = threads.SafeLink(Named(None, "child"), "parent")
    parent.next.mark = 3

    def same() -> None:
        child = parent.next
        assert child.mark == 3 and child.name == "child"

    race(same, same, gc.collect, threads=4)


@pytest.mark.parametrize("cls", LINKS)
def test_fields_are_read_while_they_change(cls: type) -> None:
    link = cls(None, "a")
    count = itertools.count()

    def write() -> None:
        i = next(count)
        link.next = None if i % 3 == 0 else cls(None, str(i))
        link.name = f"{LONG_TEXT} {i}"
        link.value = [link, i, LONG_TEXT, None, [i]][i % 5]
        link.number = float(i)

    def read() -> None:
        other = link.next
        assert other is None or other.name.isdigit()
        assert link.name == "a" or link.name.startswith(LONG_TEXT)
        value = link.value
        assert value is None or isinstance(value, (cls, int, str, tain.Array))
        assert link.number >= 0

    race(write, read, read, write, threads=8)
    link.value = None


@pytest.mark.parametrize("cls", LINKS)
def test_fields_of_objects_that_are_moved_or_made_anew(cls: type) -> None:
    link = cls(None, LONG_TEXT)

    def again() -> None:
        with contextlib.suppress(TypeError):
            link.__init__(None, LONG_TEXT)

    def read() -> None:
        assert link.name == LONG_TEXT
        assert link.next is None

    race(again, read, read)


def test_lists_change_while_they_are_converted() -> None:
    numbers: list[Any] = [1, 2, 3]

    def change() -> None:
        numbers.append(len(numbers) % 1000)
        if len(numbers) > 100:
            del numbers[:90]

    def convert() -> None:
        assert 0 < threads.length(numbers) < 1000
        assert threads.length(tuple(numbers)) > 0

    race(change, convert, convert, change)


def test_messages_show_the_list_of_their_own_call() -> None:
    def fail(i: int) -> None:
        with pytest.raises(TypeError, match=rf"values\[1\]: expected int, got str \('{i}'\)"):
            threads.length([i, str(i)])
        with pytest.raises(TypeError, match=rf"text: expected str, got list \(\[{i}, 2\]\)"):
            threads.Safe().text([i, 2])

    race(*[lambda i=i: fail(i) for i in range(4)], turns=TURNS // 4)


def test_objects_in_lists() -> None:
    echo = tain.get_global_func("testing.echo")
    counter = threads.Safe()

    def convert() -> None:
        assert threads.Safe().call(lambda _: len(echo([counter, 1, "a", None]))) == 4
        with pytest.raises(TypeError, match=r"values\[0\]: expected int, got testing.threads.Safe"):
            threads.length([counter])

    race(convert, lambda: counter.add(1), turns=TURNS // 4)


@pytest.mark.parametrize("save", [tain.save_binary, tain.save_json])
@pytest.mark.parametrize("cls", LINKS)
def test_graphs_are_saved_while_they_change(save: Any, cls: type) -> None:
    load = tain.load_binary if save is tain.save_binary else tain.load_json
    graph = tain.List([cls(cls(None, str(i)), LONG_TEXT) for i in range(20)])
    own = tain.Array([Point(i, i) for i in range(50)])
    count = itertools.count()

    def change() -> None:
        i = next(count)
        link = graph[i % 5]
        link.next = cls(None, str(i))
        link.name = f"{LONG_TEXT} {i}"
        link.value = i if i % 2 else str(i) * 10
        graph.append(graph.pop(7))

    def save_shared() -> None:
        # A graph that changes is refused, or saved in some state.
        with contextlib.suppress(RuntimeError):
            again = load(save(graph))
            assert 18 <= len(again) <= 20  # two threads have taken one out
            assert all(link.name.startswith(LONG_TEXT) for link in again)

    def save_own() -> None:
        assert load(save(own))[49].x == 49

    race(save_shared, change, save_own, save_shared, threads=8, turns=TURNS // 10)


class Custom(Point):
    """Is saved by code of Python, which changes another graph meanwhile."""

    changed = tain.List([1, 2, 3])

    def __data_to_json__(self) -> Any:
        self.changed.append(self.x)
        self.changed.pop(0)
        return [self.x, self.y]


def test_graphs_with_hooks_of_python_are_saved() -> None:
    graph = tain.Array([Custom(i, i) for i in range(20)])

    def save() -> None:
        assert len(tain.save_binary(graph)) > 20

    def save_changed() -> None:
        with contextlib.suppress(RuntimeError):
            assert len(tain.load_binary(tain.save_binary(Custom.changed))) in (2, 3, 4, 5, 6, 7)

    race(save, save_changed, gc.collect, threads=6, turns=TURNS // 20)


def test_saves_that_fail() -> None:
    bad = tain.Array([Point(1, 2), tain.Function(lambda: None)])

    def fail() -> None:
        with pytest.raises(TypeError, match=r"^save_binary: <root>\[1\]"):
            tain.save_binary(bad)

    race(fail, lambda: tain.save_binary(Point(1, 2)), fail, turns=TURNS // 4)


class Converted:
    """Is converted by code of Python, which saves objects."""

    def __tain_convert__(self) -> int:
        assert len(tain.save_binary(Point(1, 2))) > 4
        assert len(tain.save_json(Point(1, 2))) > 4
        return 3


def test_code_that_runs_within_a_conversion_saves() -> None:
    echo = tain.get_global_func("testing.echo")
    box = threads.SafeLink(None, "a")
    graph = tain.Array([Point(i, i) for i in range(50)])

    def convert() -> None:
        assert echo(Converted()) == 3
        assert list(tain.List([Converted(), 1])) == [3, 1]
        box.value = Converted()
        assert box.value == 3

    race(convert, lambda: tain.save_binary(graph), convert, gc.collect, turns=TURNS // 4)
