# SPDX-License-Identifier: Apache-2.0
"""When tain looks for rings of C++ objects: at full collections, at those that nobody asks for."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_rings_are_found_without_full_collections(run) -> None:
    """Some releases of CPython look at the oldest generation only when they are asked to."""
    run("""
        import gc, tain
        gc.disable()
        def rings():
            return tain.testing.live_objects().get("testing.Node", 0)
        tain.get_global_func("testing.make_ring")(3)  # tain begins to watch collections
        gc.collect()
        assert rings() == 0
        for size in (3, 2000):
            tain.get_global_func("testing.make_ring")(size)
            assert rings() == size
            for _ in range(99):
                gc.collect(0)
            for _ in range(10):
                gc.collect(1)
            assert rings() == 0
    """)


def test_rings_are_found_by_collections_that_nobody_asks_for(run) -> None:
    run("""
        import gc, tain
        tain.get_global_func("testing.make_ring")(1000)
        kept = []
        for i in range(1_000_000):
            kept.append([])  # garbage collection runs after some number of these
        assert tain.testing.live_objects().get("testing.Node", 0) == 0
    """)


def test_the_collection_at_exit_is_not_watched(run) -> None:
    """It runs when the modules are gone, so that nothing can be imported."""
    printed = run("""
        import logging, os, tain
        os.dup2(1, 2)
        pair = tain.get_class("testing.TestIntPair")
        kept = tain.Array([pair(i, i) for i in range(5000)])  # many, and never looked at
    """)
    assert printed == ""


# What is done to gc.callbacks: before there was anything to collect, or after.
CALLBACKS = {
    "untouched": ("", ""),
    "cleared": ("", "gc.callbacks.clear()"),
    "cleared before": ("gc.callbacks.clear()", ""),
    "ours removed": ("", "gc.callbacks[:] = [c for c in gc.callbacks if 'tain' not in repr(c)]"),
    "another list": ("", "gc.callbacks = []"),
    "another list before": ("gc.callbacks = []", ""),
    "the module without it": ("", "del gc.callbacks"),
    "cleared when a collection starts": (
        "gc.callbacks.append(lambda phase, info: gc.callbacks.clear())",
        "",
    ),
    "ours, and then cleared, when a collection starts": (
        "",
        "gc.callbacks.append(lambda phase, info: gc.callbacks.clear())",
    ),
}


@pytest.mark.parametrize("new", [False, True], ids=["known cycles", "new cycles"])
@pytest.mark.parametrize("case", CALLBACKS)
def test_cycles_are_collected_whatever_becomes_of_the_callbacks(run, case: str, new: bool) -> None:
    before, after = CALLBACKS[case]
    run(f"""
        import gc
        import tain
        from tain.types.testing import Node
        def cycles(n):
            for i in range(n):
                a, b = Node(i), Node(i)
                a.next, b.next = b, a
        live = lambda: tain.testing.live_objects().get("testing.Node", 0)
        gc.disable()
        {before}
        cycles(10)
        {after}
        if not {new}:
            for _ in range(3):
                gc.collect()
                Node(1)
            assert live() == 0, live()
        for _ in range(3):
            cycles(10)
            assert live() >= 20, live()
            for _ in range(3):
                gc.collect()
                Node(1)
            assert live() == 0, live()
        """)


@pytest.mark.bad_input
def test_callbacks_that_are_no_list(run) -> None:
    run("""
        import gc, sys
        import tain
        from tain.types.testing import Node
        told = []
        sys.unraisablehook = lambda args: told.append(str(args.exc_value))
        gc.callbacks = ()
        for _ in range(3):
            a, b = Node(1), Node(2)
            a.next, b.next = b, a
            del a, b
            gc.collect()
            Node(3)
        assert tain.testing.live_objects().get("testing.Node", 0) == 0
        assert told == ["gc.callbacks: expected list, got tuple (())"], told
        """)
