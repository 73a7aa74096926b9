# SPDX-License-Identifier: Apache-2.0
"""Containers, calls, classes and graphs from many threads."""

from __future__ import annotations

import contextlib
import copy
import itertools
import pickle
from typing import Any

import numpy
import pytest
from racing import race

import tain
from tain.testing import Node, Point


def test_lists_change_under_readers() -> None:
    numbers = tain.List(range(20))

    def change() -> None:
        numbers.append(1)
        numbers.insert(0, 2)
        with contextlib.suppress(IndexError):
            numbers.pop()
            numbers.pop(0)

    def read() -> None:
        with contextlib.suppress(RuntimeError):
            assert all(isinstance(each, int) for each in numbers)
        assert len(numbers) >= 16

    def clear() -> None:
        numbers.extend(range(20))
        assert (numbers == [1]) in (True, False)
        with contextlib.suppress(RuntimeError, ValueError):
            numbers.sort()

    race(change, read, clear)


def test_threads_share_an_iterator_over_an_array() -> None:
    numbers = tain.Array([*range(500), 0.5, None, "text", Point(1, 2)])
    shared = [iter(numbers)]

    def step() -> None:
        for _ in range(20):
            each = next(shared[0], 0)
            assert each in (0.5, None, "text") or isinstance(each, int | Point)

    def renew() -> None:
        shared[0] = iter(numbers)

    def whole() -> None:
        assert sum(itertools.islice(numbers, 500)) == 124750
        assert list(numbers)[:500] == list(range(500))

    race(step, step, renew, whole, turns=200)


def test_dicts_change_under_readers() -> None:
    entries = tain.Dict({i: Point(i, i) for i in range(20)})
    counter = itertools.count(100)

    def change() -> None:
        key = next(counter)
        entries[key] = Point(key, key)
        entries.pop(key - 50, None)

    def read() -> None:
        with contextlib.suppress(RuntimeError):
            for key, value in entries.items():
                assert value.x == key
        entries.get(100)

    def copies() -> None:
        with contextlib.suppress(RuntimeError):
            assert len(entries.copy()) > 0

    race(change, read, copies)


class Key:
    """A key whose hash and == are foreign code that looks at the container."""

    def __init__(self, container: Any, number: int) -> None:
        self.container, self.number = container, number

    def __hash__(self) -> int:
        len(self.container)
        return 1

    def __eq__(self, other: object) -> bool:
        len(self.container)
        return isinstance(other, Key) and other.number == self.number


def test_hostile_keys() -> None:
    entries: Any = tain.Dict()

    def put() -> None:
        with contextlib.suppress(RuntimeError, KeyError):
            entries[Key(entries, 1)] = 1
            entries.pop(Key(entries, 1), None)

    def get() -> None:
        with contextlib.suppress(RuntimeError):
            entries.get(Key(entries, 2))

    race(put, get, turns=200)


def test_operations_on_two_containers() -> None:
    one, two = tain.List(range(5)), tain.List(range(5))

    def add() -> None:
        assert len(one + two) >= 0
        with contextlib.suppress(RuntimeError):
            assert (one == two) in (True, False)

    def back() -> None:
        with contextlib.suppress(RuntimeError):
            assert (two != one) in (True, False)
        two.append(1)
        two.pop()

    race(add, back)


def test_calls_of_one_function() -> None:
    add_one = tain.get_global_func("testing.add_one")
    call_n = tain.get_global_func("testing.call_n")
    counts = itertools.count()

    def call() -> None:
        assert add_one(41) == 42

    def fail() -> None:
        with pytest.raises(TypeError):
            add_one("text")

    def callbacks() -> None:
        call_n(lambda: next(counts), 5)

    def raises() -> None:
        def stop() -> None:
            raise KeyError("here")

        with pytest.raises(KeyError):
            call_n(stop, 1)

    race(call, fail, callbacks, raises)


def test_callbacks_from_threads_of_cpp() -> None:
    call = tain.get_global_func("testing.call_from_threads")
    point = Point(1, 2)

    def callbacks() -> None:
        call(lambda *_: point.norm(), 2, 10)

    race(callbacks, turns=50)


def test_overrides_from_many_threads() -> None:
    from tain.testing import Actor

    greet = tain.get_global_func("testing.call_actor")
    unlocked = tain.get_global_func("testing.greet_in_threads")

    class Loud(Actor):
        def greet(self, whom: str = "") -> str:  # type: ignore[override]
            return "HELLO " + whom

    actor = Loud()
    kind = type(actor)

    def call() -> None:
        with contextlib.suppress(Exception):
            greet(actor, "greet")

    def change() -> None:
        kind.greet = lambda self, whom="": "changed " + whom  # type: ignore[assignment]

    def several() -> None:
        with contextlib.suppress(TypeError):
            unlocked(actor, 2, 3)

    race(call, change, several, turns=50)


def test_subclasses_are_made_while_objects_cross() -> None:
    holder = tain.List([Point(1, 2)])

    def define() -> None:
        class Sub(Point):
            def twice(self) -> float:
                return 2 * self.x

        sub = Sub(3, 4)
        assert sub.twice() == 6
        holder.append(sub)
        holder.pop(0)

    def cross() -> None:
        with contextlib.suppress(IndexError):
            assert holder[0].norm() > 0

    race(define, cross, turns=100)


def test_classes_of_python_are_defined() -> None:
    numbers = itertools.count()

    def define() -> None:
        number = next(numbers)

        @tain.py_class(f"racing.C{number}")
        class Made(tain.Object):
            x: int
            child: Any = None

        made = Made(1, Made(2))
        assert made.child.x == 2 and tain.get_class(f"racing.C{number}") is Made

    race(define, turns=15)


def test_graphs_that_others_read() -> None:
    chain = tain.get_global_func("testing.make_chain")(30)

    def save() -> None:
        assert tain.structural_equal(tain.load_json(tain.save_json(chain)), chain)

    def clone() -> None:
        assert tain.structural_equal(copy.deepcopy(chain), chain)

    def hashes() -> None:
        assert tain.structural_hash(chain) == tain.structural_hash(chain)

    def stores() -> None:
        assert pickle.loads(pickle.dumps(chain)).value == chain.value

    race(save, clone, hashes, stores, turns=100)


def test_graphs_that_another_thread_changes() -> None:
    root = Node(0)
    root.items = tain.List([Node(i) for i in range(10)])

    def change() -> None:
        root.items.append(Node(1))
        root.items.pop(0)
        root.next = Node(5)
        root.payload = {"a": Node(1)}

    def look() -> None:
        with contextlib.suppress(RuntimeError, ValueError):
            tain.save_json(root)
        with contextlib.suppress(RuntimeError, ValueError):
            tain.structural_hash(root)
        with contextlib.suppress(RuntimeError, ValueError):
            copy.deepcopy(root)

    race(change, look, turns=200)


def test_registered_functions_come_and_go() -> None:
    numbers = itertools.count()

    def register() -> None:
        name = f"racing.f{next(numbers) % 8}"
        with contextlib.suppress(ValueError):
            tain.register_global_func(name, lambda x: x, override=True)
        with contextlib.suppress(ValueError):
            assert tain.get_global_func(name)(3) == 3
        with contextlib.suppress(ValueError):
            tain.remove_global_func(name)

    def lists() -> None:
        tain.list_global_func_names()
        tain.type_info(Point)

    race(register, lists, turns=100)
    for number in range(8):
        with contextlib.suppress(ValueError):
            tain.remove_global_func(f"racing.f{number}")


def test_tensors() -> None:
    array = numpy.arange(6.0)
    tensor = tain.from_dlpack(array)

    def views() -> None:
        assert tensor.numpy()[1] == 1 and tain.from_dlpack(array).shape == (6,)

    def copies() -> None:
        assert tain.empty((2, 2), "float32").shape == (2, 2)

    race(views, copies)
