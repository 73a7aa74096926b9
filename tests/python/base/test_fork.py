# SPDX-License-Identifier: Apache-2.0
"""Child processes after os.fork(): live objects go on, and no lock stays taken."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from sanitized import SANITIZED

pytestmark = pytest.mark.only_if(hasattr(os, "fork"), reason="there is no fork")

# The allocator of AddressSanitizer does not give its locks back in the child (before LLVM 18,
# https://github.com/llvm/llvm-project/pull/75290): the child waits for a thread that it lacks.
threads_that_allocate = pytest.mark.only_if(
    not SANITIZED,
    reason="the sanitizer's allocator does not survive a fork while a thread allocates",
)

SETUP = """
    import gc, os, signal, sys, traceback, weakref
    import tain, tain.testing
    from tain.types import testing as t

    class Labelled(t.Point):
        pass

    kept = [t.Point(i, i) for i in range(100)]
    array = tain.Array([Labelled(1, 2) for _ in range(10)])
    for point in array:
        point.label = "mine"
    node = t.Node(1)
    node.next = node
    calls = []
    node.callback = lambda x: calls.append(x) or x + 1

    def work(number):
        assert [point.x for point in kept[:3]] == [0, 1, 2]
        assert all(point.label == "mine" for point in array)
        assert node.next is node and node.callback(1) == 2
        made = [t.Point(i, 0) for i in range(1000)]
        assert tain.get_global_func("testing.centroid")(made).x == 499.5
        kept.clear()
        made.clear()
        gc.collect()
        assert tain.get_global_func("testing.register_type")(f"testing.forked.T{number}") > 0
        tain.register_global_func(f"testing.forked.f{number}", lambda: number)
        assert tain.get_global_func(f"testing.forked.f{number}")() == number
        assert tain.get_class("testing.Depth8")().h is not None
        assert t.Palette(main=1).main is t.Color.RED
        @tain.register_object("testing.Vector")
        class Vector(tain.Object):
            pass
        assert type(t.Vector(1, 2) + t.Vector(1, 2)) is Vector
        tain.testing.live_objects()

    def fork_and_work(number):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            try:
                work(number)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        assert status == 0, (number, status)
    """


def test_a_child_goes_on_with_live_objects(run: Callable[..., str]) -> None:
    code = """
    for i in range(5):
        fork_and_work(i)
    """
    run(SETUP + code)


@threads_that_allocate
def test_a_child_is_free_of_the_locks_of_other_threads(run: Callable[..., str]) -> None:
    code = """
    import warnings
    warnings.simplefilter("ignore")  # Python warns of threads and fork
    start = tain.get_global_func("testing.hammer_start")
    stop = tain.get_global_func("testing.hammer_stop")
    start(3)
    for i in range(60):
        fork_and_work(i)
    stop()
    work("parent")
    """
    run(SETUP + code)


@threads_that_allocate
def test_a_child_loads_a_library_while_another_thread_loads(run: Callable[..., str]) -> None:
    """The loading thread may hold the lock for long: forking does not wait for it."""
    code = """
    import threading, warnings
    warnings.simplefilter("ignore")
    from tain import libinfo
    path = libinfo.find_libtain()
    done = threading.Event()
    def load():
        while not done.is_set():
            tain.load_library(path)
    thread = threading.Thread(target=load)
    thread.start()
    for i in range(20):
        fork_and_work(i)
    done.set()
    thread.join()
    """
    run(SETUP + code)
