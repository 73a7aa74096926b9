# SPDX-License-Identifier: Apache-2.0
"""Daemon threads that run Python code called by C++ while the interpreter shuts down.

Up to Python 3.13 such a thread is ended by a forced unwind through the frames of C++.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

# The interpreter's state is freed at the end of Py_Finalize up to Python 3.10. A daemon thread that
# waits for the GIL then reads it once more (take_gil, RESET_GIL_DROP_REQUEST): a segmentation fault
# in one of some hundred processes, with or without tain. Without tain's handler nearly all abort.
TRIES = 4 if sys.version_info < (3, 11) else 1

BUSY = """
    def busy():
        for i in range(20000):
            pass
    class Iterable:
        def __iter__(self):
            busy()
            yield 1
    class Slow(Iterable):
        @property
        def __class__(self):
            busy()
            return Iterable
    class Number:
        def __float__(self):
            busy()
            return 1.0
    class Key:
        def __hash__(self):
            busy()
            return 1
        def __eq__(self, other):
            busy()
            return True
        def __repr__(self):
            busy()
            return "key"
    class Loud(Actor):
        def greet(self, whom):
            busy()
            return whom
        def __del__(self):
            busy()
    loud = Loud()
    keys = [tain.List([Key(), Key()]) for _ in range(2)]
"""
LOOPS = {
    "an iterable": "tain.Array(Iterable())",
    "an argument": "Point(Number())",
    "a key": "tain.Dict({Key(): 1})",
    "an override": "call_actor(loud, 'greet')",
    "an override without the lock": "call_actor_unlocked(loud, 'greet')",
    "a callback": "apply(busy)",
    "a callback in a thread": "call_in_thread(busy)",
    "sort": "tain.List([3, 2, 1]).sort(key=lambda x: busy() or x)",
    "comparison": "keys[0] == keys[1]",
    "repr": "repr(keys[0])",
    "a finalizer": "Loud()",
    "the class of an argument": "kinds.ints = Slow()",
    "a field": "kinds.ints = (busy() or i for i in range(3))",
}


@pytest.mark.bad_input
@pytest.mark.parametrize("what", LOOPS)
def test_exit(what: str, run: Callable[..., str]) -> None:
    code = f"""
    import threading, time
    import tain
    from tain.types.testing import Actor, AllKinds, Point
    apply, call_in_thread, call_actor, call_actor_unlocked = (
        tain.get_global_func("testing." + name)
        for name in ("apply", "call_in_thread", "call_actor", "call_actor_unlocked"))
    kinds = AllKinds()
    {BUSY}
    def forever():
        while True:
            {LOOPS[what]}
    for _ in range(3):
        threading.Thread(target=forever, daemon=True).start()
    time.sleep(0.2)
    print(threading.active_count())
    """
    for tries_left in reversed(range(TRIES)):
        try:
            assert run(code).strip() == "4"
            return
        except AssertionError as error:
            if tries_left == 0 or "status -11" not in str(error):
                raise
