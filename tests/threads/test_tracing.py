# SPDX-License-Identifier: Apache-2.0
"""Tracing, profiling and exceptions from outside, in threads that are inside of C++."""

from __future__ import annotations

import copy
import ctypes
import gc
import itertools
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import interpreter
import pytest
from racing import TURNS, eager_switches, race
from tain.types.testing import Node, Point, threads
from threads import in_threads

import tain
from tain import _core
from tain.testing import Actor

CALL_N = tain.get_global_func("testing.call_n")
IN_THREAD = tain.get_global_func("testing.call_in_thread")
GREET = tain.get_global_func("testing.call_actor")

interpreter.keep_mortal()  # functions hold what they are closed over


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """There are as many objects of C++ after a test as before it."""
    gc.collect()
    before = Counter(_core.live_objects())
    yield
    gc.collect()
    after = Counter(_core.live_objects())
    after.subtract(before)
    assert {key: count for key, count in after.items() if count} == {}


class Loud(Actor):
    def greet(self, whom: str = "") -> str:  # type: ignore[override]
        return "HELLO " + whom


class Named(Node):
    def __init__(self, value: int = 0) -> None:
        super().__init__(value)
        self.name = f"n{value}"


class Slow(Point):
    """Is saved, and iterated over, by code of Python."""

    def __data_to_json__(self) -> Any:
        return [sum(range(20)), self.x]


def calls(safe: Any) -> None:
    assert safe.text("a") == "a!" and threads.add(1, 2.0) == 3 and Point(3, 4).norm() == 5


def callbacks(safe: Any) -> None:
    assert safe.call(lambda other: 3 if other is safe else 0) == 3
    assert CALL_N(lambda: 7, 3) == 7


def overrides(safe: Any) -> None:
    assert GREET(Loud(), "greet").startswith("HELLO")


def errors(safe: Any) -> None:
    with pytest.raises(KeyError, match="here"):
        CALL_N({}.__getitem__, 1) if safe is None else safe.call(lambda _: {}["here"])


def iterations(safe: Any) -> None:
    assert sum(tain.Array(range(50))) == sum(tain.List(range(50))) == 1225
    assert sum(tain.Dict({1: 2, 3: 4}).values()) == 6


def saves(safe: Any) -> None:
    assert len(tain.save_binary(tain.Array([Slow(i, i) for i in range(5)]))) > 20
    assert tain.load_json(tain.save_json(tain.List([1, Point(1, 2)])))[1].y == 2


def constructors(safe: Any) -> None:
    named = Named(3)
    named.next = copy.copy(named)
    assert named.name == named.next.name == "n3"


def cpp_threads(safe: Any) -> None:
    assert IN_THREAD(lambda: safe.total) >= 0


TASKS: list[Callable[[Any], None]] = [
    calls, callbacks, overrides, errors, iterations, saves, constructors, cpp_threads,
]  # fmt: skip


# ---------------------------------------------------------------- tracing


class Seen:
    """What a trace or profile function was told of, by kind."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()

    def __call__(self, frame: Any, event: str, arg: Any) -> Any:
        self.events[event] += 1
        frame.f_code.co_name  # noqa: B018 - reads the frame
        return self


def by_trace(seen: Any) -> None:
    sys.settrace(seen)


def by_profile(seen: Any) -> None:
    sys.setprofile(seen)


def by_trace_of_new_threads(seen: Any) -> None:
    threading.settrace(seen)
    in_threads([lambda: callbacks(threads.Safe())])


def by_profile_of_new_threads(seen: Any) -> None:
    threading.setprofile(seen)
    in_threads([lambda: overrides(None)])


WAYS = [by_trace, by_profile, by_trace_of_new_threads, by_profile_of_new_threads]


@pytest.mark.parametrize("threads_", [2, 8])
@pytest.mark.parametrize("way", WAYS)
def test_threads_are_traced_now_and_then(way: Callable[[Any], None], threads_: int) -> None:
    """The pytest of a coverage run has a trace function, too."""
    safe, seen = threads.Safe(), Seen()
    before = sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()

    def traced() -> None:
        way(seen)
        try:
            for task in (calls, callbacks, overrides, errors, iterations, constructors):
                task(safe)
        finally:
            way(None)

    def untraced() -> None:
        for task in (calls, callbacks, overrides, iterations, constructors):
            task(safe)

    try:
        race(traced, untraced, traced, threads=threads_, turns=TURNS // 50)
    finally:
        sys.settrace(before[0]), sys.setprofile(before[1])
        threading.settrace(before[2]), threading.setprofile(before[3])  # type: ignore[arg-type]
    assert seen.events["call"] > 0 and seen.events["return"] > 0
    if way in (by_profile, by_profile_of_new_threads):
        assert seen.events["line"] == 0
    for task in TASKS:
        task(safe)


def test_the_trace_function_itself_uses_tain() -> None:
    safe, told = threads.Safe(), tain.List([])

    def trace(frame: Any, event: str, arg: Any) -> Any:
        safe.add(1)
        told.append(event)
        if len(told) > 100:
            told.clear()
        return trace

    def traced() -> None:
        sys.settrace(trace)
        try:
            callbacks(safe), overrides(safe), constructors(safe)
        finally:
            sys.settrace(None)

    before = sys.gettrace()
    race(traced, lambda: calls(safe), traced, turns=TURNS // 50)
    sys.settrace(before)
    assert safe.total > 0


def test_a_trace_function_raises() -> None:
    """The exception comes out of the C++ that called the traced callback, and tracing ends."""
    safe = threads.Safe()

    class Stop(Exception):
        pass

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code.co_name == "callback":
            raise Stop
        return None

    def callback(*_: Any) -> int:
        return 1

    def traced() -> None:
        for call in (lambda: safe.call(callback), lambda: CALL_N(callback, 2)):
            sys.settrace(trace)
            with pytest.raises(Stop):
                call()
            sys.settrace(None)
        assert safe.call(callback) == 1

    before = sys.gettrace()
    race(traced, lambda: callbacks(safe), traced, turns=TURNS // 50)
    sys.settrace(before)


HAS_MONITORING = sys.version_info >= (3, 12)


@pytest.mark.only_if(HAS_MONITORING, reason="sys.monitoring came with 3.12")
def test_monitoring_is_switched_while_threads_call() -> None:
    monitoring: Any = getattr(sys, "monitoring", None)
    tool, kinds, seen = 3, monitoring.events, Counter[str]()
    monitoring.use_tool_id(tool, "racing")
    events = {"PY_START": kinds.PY_START, "CALL": kinds.CALL, "PY_RETURN": kinds.PY_RETURN,
              "C_RETURN": kinds.C_RETURN, "RAISE": kinds.RAISE, "LINE": kinds.LINE}  # fmt: skip
    safe, numbers = threads.Safe(), itertools.count()
    for name, event in events.items():
        monitoring.register_callback(tool, event, lambda *_, name=name: seen.update([name]))

    def switch() -> None:
        chosen = next(numbers) % 4
        on = [0, kinds.PY_START | kinds.CALL, kinds.LINE | kinds.RAISE, kinds.PY_RETURN]
        monitoring.set_events(tool, on[chosen])
        callbacks(safe)

    def use() -> None:
        for task in (calls, callbacks, overrides, errors, iterations, constructors):
            task(safe)

    try:
        race(switch, use, use, use, turns=TURNS // 50)
        monitoring.set_events(tool, kinds.PY_START)
        CALL_N(lambda: None, 3)
        assert seen["PY_START"] >= 3 and seen["CALL"] > 0
    finally:
        monitoring.set_events(tool, 0)
        for event in events.values():
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
    for task in TASKS:
        task(safe)


# ---------------------------------------------------------------- exceptions from outside


class Interrupt(BaseException):
    """What one thread sends to another."""


def send(thread: int | None, what: type[BaseException] | None = Interrupt) -> None:
    """None takes back one that has not arrived."""
    exception = ctypes.c_void_p() if what is None else ctypes.py_object(what)
    told = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), exception)
    assert told == 1


@pytest.mark.parametrize("num_threads", [2, 8])
@pytest.mark.parametrize("task", [*TASKS, None])
def test_exceptions_are_sent_to_threads_in_cpp(task: Any, num_threads: int) -> None:
    """They arrive as themselves, and leave neither objects nor locks behind."""
    safe = threads.Safe()
    todo = TASKS if task is None else [task]
    is_inside, arrived = [False] * num_threads, [0] * num_threads
    ended, taken_back = [False], [False]
    problems: list[BaseException] = []

    def run_tasks(i: int) -> None:
        is_inside[i] = True
        while not ended[0] and not problems:
            for one in todo:
                one(safe)
        while not taken_back[0]:
            time.sleep(0.001)

    # CPython 3.13 without a GIL, with or without tain, delays some exceptions for as long as a
    # thread loops, and lets them out of a `try` around the loop. So they are caught one function
    # further out, and the last one is taken back.
    def work(i: int) -> None:
        while not taken_back[0]:
            try:
                run_tasks(i)
            except Interrupt:
                arrived[i] += 1
            except BaseException as error:  # it has become another one
                problems.append(error)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(num_threads)]
    for worker in workers:
        worker.start()
    sent = [0] * num_threads
    with eager_switches():
        for turn in itertools.count():
            for i, worker in enumerate(workers):
                if (turn < 200 or sent[i] == 0) and is_inside[i] and sent[i] == arrived[i]:
                    is_inside[i] = False
                    sent[i] += 1
                    send(worker.ident)
            callbacks(safe)
            if problems or (turn >= 200 and sum(arrived) > 0):
                break
        ended[0] = True
        for worker in workers:
            send(worker.ident, None)
        taken_back[0] = True
        for worker in workers:
            worker.join()
    assert problems == []
    assert sum(arrived) > 0
    for one in TASKS:  # no lock is held
        in_threads([lambda one=one: one(safe)] * 2)  # type: ignore[misc]


def test_an_exception_ends_a_loop_in_cpp() -> None:
    """The thread is in C++ nearly all the time, and C++ calls Python again and again."""
    safe = threads.Safe()
    results: list[str] = []
    inside = threading.Barrier(5)
    loops: list[Callable[[Callable[[], Any]], Any]] = [
        lambda callback: CALL_N(callback, 10**12),
        lambda callback: safe.call(lambda _: CALL_N(callback, 10**12)),
        lambda callback: [callback() for _ in iter(lambda: list(tain.Array([1])), None)],
        lambda callback: tain.visit(tain.Array([Point(1, 2)]), lambda _: CALL_N(callback, 10**12)),
    ]

    def run(loop: Callable[[Callable[[], Any]], Any]) -> None:
        came = False

        def callback() -> None:
            nonlocal came
            if not came:
                came = True
                inside.wait()

        try:
            loop(callback)
            results.append("ended")
        except Interrupt:
            results.append("Interrupt")

    workers = [threading.Thread(target=run, args=(loop,)) for loop in loops]
    for worker in workers:
        worker.start()
    inside.wait()
    for worker in workers:
        send(worker.ident)
    for worker in workers:
        worker.join()
    assert results == ["Interrupt"] * len(loops)
    for one in TASKS:
        one(safe)
