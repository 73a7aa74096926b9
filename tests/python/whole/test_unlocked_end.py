# SPDX-License-Identifier: Apache-2.0
"""Destructors that join a thread which calls Python; C++ scopes that release or take the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from errors import raises
from tain.types.testing import Worker
from testing_functions import get

import tain

HEAD = """
    import faulthandler, gc, sys
    faulthandler.dump_traceback_later(20, exit=True)
    import tain
    from tain.types.testing import ChildWorker, Node, Worker
    from tain.types.testing.boxed import Joiner
    called = []
    def done():
        called.append(1)
    class Mine(Worker): pass
"""

# Each ends an object of `make`; its thread must have called Python then.
ENDS = {
    "del": "made = make(done); del made",
    "second init": "made = make(done); made.__init__(done)",
    "in a container": "made = tain.List([make(done)]); made.clear()",
    "in another object": "made = Node(); made.payload = make(done); del made",
    "in a cycle": "held = [make(done)]; held.append(held); del held; gc.collect()",
    "in a frame": "(lambda made: None)(make(done))",
    "while an exception is raised": """
    def fail():
        made = make(done)
        raise KeyError(1)
    try:
        fail()
    except KeyError:
        pass
    """,
    "in another thread": """
    import threading
    made = [make(done)]
    thread = threading.Thread(target=made.clear)
    thread.start()
    thread.join()
    """,
}
MAKERS = ["Worker", "ChildWorker", "Mine", "Joiner"]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("end", ENDS)
def test_the_thread_gets_the_gil(run: Callable[[str], str], end: str, make: str) -> None:
    run(f"{HEAD}\n    make = {make}\n    {ENDS[end].strip()}\n    assert called == [1], called\n")


@pytest.mark.parametrize("make", [*MAKERS, "defined"])
def test_rings_and_types_of_python(run: Callable[[str], str], make: str) -> None:
    """A cycle of C++ objects, and a type that Python derives from such a type."""
    run(f"""{HEAD}
    @tain.py_class("unlocked.Defined")
    class defined(Worker):
        x: int = 0
        def __init__(self, f):
            super().__init__(f)
    made = {make}(done)
    ring = Node()
    ring.payload, ring.next = made, ring
    del made, ring
    gc.collect()
    assert called == [1], called
    """)


@pytest.mark.parametrize("make", MAKERS)
def test_at_exit_the_object_is_leaked(run: Callable[[str], str], make: str) -> None:
    """The thread would wait for ever for the GIL, and the destructor for the thread."""
    printed = run(f"""{HEAD}
    import atexit
    early = {make}(lambda: print("called"))
    atexit.register(globals().pop, "early")
    late = {make}(lambda: print("not called"))
    """)
    assert printed == "called\n"


def test_scopes() -> None:
    seen: list[tuple[int, int]] = []

    def plus_one(x: int) -> int:
        seen.append((threading.get_ident(), x))
        return x + 1

    assert get("call_in_scoped_thread")(plus_one, 41) == 42
    assert seen[0][0] != threading.get_ident()
    assert get("nest_scopes")(plus_one, 0) == 4
    assert {ident for ident, _ in seen[1:]} == {threading.get_ident()}

    def fail(x: int) -> int:
        raise KeyError(x)

    with raises(KeyError, "1"):
        get("nest_scopes")(fail, 1)


@pytest.mark.bad_input
def test_a_construction_that_fails_ends_what_it_has_built_without_the_gil() -> None:
    """The thread of the C++ base calls Python while its destructor waits."""

    @tain.py_class("unlocked_end.Failing")
    class Failing(Worker):
        number: int

    calls: list[int] = []
    with pytest.raises(TypeError, match="Failing: argument number: expected int, got str"):
        Failing(lambda: calls.append(1), "x")
    assert calls == [1]
