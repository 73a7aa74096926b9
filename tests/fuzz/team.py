# SPDX-License-Identifier: Apache-2.0
"""Several fuzzers in the threads of one process, which act on the same objects at the same time."""

from __future__ import annotations

import array
import gc
import random
import threading
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from actions import UNARY, Fuzzer, changed_array
from class_trees import replaced_method
from hostile import Values


class _Sequence:
    def __getitem__(self, index: int) -> int:
        return index


#: One value for each class of iterators.
ITERATED: tuple[Any, ...] = (
    *((), [], {}, {}.items(), {}.values(), set(), b"", "", "\xe9", range(1), range(2**70)),
    *(reversed([]), reversed({}), reversed({}.items()), reversed({}.values()), _Sequence()),
)
#: Classes of CPython and numpy whose objects one thread at a time may use (a CPython 3.13 without a
#: GIL crashes where two threads enter a generator): each thread has its own.
NOT_SHARED: tuple[type, ...] = (
    *(types.GeneratorType, memoryview, bytearray, array.array, np.ndarray, np.flatiter),
    *(enumerate, reversed, zip, map, filter),
    *map(type, map(iter, ITERATED)),
    type(iter(int, 0)),
)
#: Left out in all threads: numpy lets no thread change an array that others use.
LEFT_OUT: set[Callable[[Any], None]] = {changed_array}
#: Gives the lists that other threads are still making: a debug build of CPython aborts then.
GIVES_UNFINISHED = gc.get_referrers
#: What the main thread alone does: of two threads that replace a method for a while, one may bring
#: back what the other put there, for ever.
MAIN_ONLY: set[Callable[[Any], None]] = {replaced_method}


def may_be_shared(value: object) -> bool:
    return not issubclass(type(value), NOT_SHARED)


class SharedValues(Values):
    """Values of one thread; what it keeps is found by all, if threads may share it."""

    def __init__(self, rng: random.Random, act: Callable[[], Any]) -> None:
        super().__init__(rng, act)
        self.own: list[Any] = []

    def keep(self, value: Any) -> Any:
        if may_be_shared(value):
            return super().keep(value)
        if len(self.own) >= 10:
            del self.own[self.rng.randrange(10)]
        self.own.append(value)
        return value

    def pooled(self) -> Any:
        uses_own = self.own and self.rng.randrange(6) == 0
        return self.rng.choice(self.own) if uses_own else super().pooled()

    def python_container(self, depth: int = 2) -> Any:
        made = super().python_container(depth)
        return made if may_be_shared(made) else tuple(made)


def share(fuzzer: Fuzzer, first: Fuzzer) -> None:
    """Let a fuzzer find what another one keeps and makes."""
    values = SharedValues(fuzzer.rng, fuzzer.act)
    values.pool, values.classes = first.values.pool, first.values.classes
    fuzzer.values, fuzzer.limits = values, first.limits
    fuzzer.state = first.state
    fuzzer.unary = tuple(one for one in UNARY if one is not GIVES_UNFINISHED)


class Team:
    """The fuzzers of a process: that of the main thread and those of further threads."""

    def __init__(self, first: Fuzzer, seed: int, count: int) -> None:
        self.first = first
        self.others: list[Fuzzer] = []
        self.threads: list[threading.Thread] = []
        if count == 1:
            return
        share(first, first)
        first.state.name = "t0"
        for number in range(1, count):
            fuzzer = Fuzzer(
                random.Random(f"{seed} {number}"), first.log, first.report, first.functions
            )
            share(fuzzer, first)
            fuzzer.suffix = f"t{number}"
            fuzzer.table = [one for one in first.table if one not in LEFT_OUT | MAIN_ONLY]
            self.others.append(fuzzer)
        first.table = [one for one in first.table if one not in LEFT_OUT]

    def start(self, end: float) -> None:
        """Let the further threads act until the time is over."""
        for number, fuzzer in enumerate(self.others, 1):
            thread = threading.Thread(target=self.work, args=(fuzzer, f"t{number}", end))
            self.threads.append(thread)
            thread.start()

    def work(self, fuzzer: Fuzzer, name: str, end: float) -> None:
        fuzzer.state.name = name
        while fuzzer.table and time.monotonic() < end:
            fuzzer.step()

    def stop(self) -> None:
        """Wait for the threads. If one does not end, the starter says where all of them are."""
        for thread in self.threads:
            thread.join()
        for fuzzer in (self.first, *self.others):
            fuzzer.stop()

    def succeeded(self) -> dict[str, int]:
        """How often each action ended without an exception."""
        counts: dict[str, int] = {}
        for fuzzer in (self.first, *self.others):
            for name, times in fuzzer.succeeded.items():
                counts[name] = counts.get(name, 0) + times
        return counts
