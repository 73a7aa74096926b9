# SPDX-License-Identifier: Apache-2.0
"""Loops that make cycles of C++ objects do not grow, though CPython counts none of the objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
    import collections, gc, threading
    import tain
    from tain.types.testing import Node
    make_ring = tain.get_global_func("testing.make_ring")
    most = 0
    def live():
        return tain.testing.live_objects().get("testing.Node", 0)
    def look():
        global most
        most = max(most, live())
"""

# Each makes 400,000 objects; all but the last ones are garbage.
LOOPS = {
    "rings": """
        for _ in range(4000):
            make_ring(100)
            look()
    """,
    "one graph is as large as many": """
        for _ in range(4):
            make_ring(100_000)
            look()
    """,
    "a loop in C, which never looks for a collection": """
        collections.deque(map(make_ring, [100] * 4000), maxlen=0)
        look()
    """,
    "another thread": """
        def work():
            for _ in range(4000):
                make_ring(100)
                look()
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """,
    "a callback, with the GIL held": """
        def work(_):
            make_ring(100)
            return 0
        numbers = list(range(4000))
        for i in range(10):
            tain.List(numbers[:400]).sort(key=work)
            look()
    """,
    "loaded graphs with parents": """
        top = Node(0)
        for i in range(1000):
            child = Node(i)
            child.payload = top
            top.items.append(child)
        text = tain.save_json(top)
        del child
        for _ in range(400):
            tain.load_json(text)
            look()
    """,
    "copies of such graphs": """
        import copy
        top = Node(0)
        for i in range(1000):
            child = Node(i)
            child.payload = top
            top.items.append(child)
        del child
        for _ in range(400):
            copy.deepcopy(top)
            look()
    """,
    "wrappers that the objects own": """
        class Mine(Node): pass
        for _ in range(400):
            first = Mine(0)
            first.next = make_ring(999)
            first.next.next = first
            first.next.payload = first
            del first
            look()
    """,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_garbage_is_bounded(run: Callable[[str], None], loop: str) -> None:
    limit = 210_000 if "as large" in loop else 30_000
    run(HEAD + LOOPS[loop] + f"\n    assert most < {limit}, most\n")


OFF = {"gc.disable()": "gc.enable()", "gc.set_threshold(0)": "gc.set_threshold(700)"}


@pytest.mark.parametrize("off", OFF)
def test_collection_that_is_switched_off(run: Callable[[str], None], off: str) -> None:
    run(
        HEAD
        + f"""
        {off}
        for _ in range(400):
            make_ring(100)
        assert live() == 40_000
        {OFF[off]}
        for _ in range(128):
            make_ring(100)
        assert live() < 30_000, live()
    """
    )


def test_thresholds_count_objects(run: Callable[[str], None]) -> None:
    """A search is due after as many new objects as the first two thresholds multiplied."""
    run(
        HEAD
        + """
        gc.set_threshold(1000, 50)
        for _ in range(490):
            make_ring(100)
        assert live() == 49_000
        for _ in range(128):
            make_ring(100)
        assert live() < 20_000, live()
    """
    )


def test_living_graphs_are_not_searched_again_and_again(run: Callable[[str], None]) -> None:
    """The time of all searches is proportional to the objects made: a search that found nothing
    is repeated when as many objects were made as it visited."""
    run(
        HEAD
        + """
        import time
        kept = make_ring(200_000)
        def walk(count):
            begin = time.perf_counter()
            node = kept
            for _ in range(count):
                node = node.next  # makes a candidate of each node
            return time.perf_counter() - begin
        walk(200_000)
        first = walk(200_000)
        gc.disable()
        without = walk(200_000)
        assert first < 20 * without + 0.5, (first, without)
        assert live() == 200_000
    """
    )


def test_finalizers_run_while_an_exception_is_raised(run: Callable[[str], None]) -> None:
    """A search begins when a wrapper dies, also while an exception propagates."""
    run(
        HEAD
        + """
        died = 0
        class Mine(Node):
            def __del__(self):
                global died
                died += 1
        def fail():
            mine = Mine(0)
            mine.next = make_ring(999)
            mine.next.payload = mine
            held = mine.next.next
            del mine
            raise KeyError("it stays")
        for _ in range(100):
            try:
                fail()
            except KeyError as error:
                assert error.args == ("it stays",)
        assert died > 50, died
        look()
        assert most < 30_000, most
    """
    )
