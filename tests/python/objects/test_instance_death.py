# SPDX-License-Identifier: Apache-2.0
"""The death of instances: nobody finds one that dies, and one that its object owns is woken.

What used to end the process runs in a process of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

Run = Callable[..., str]

HEAD = """
import gc, itertools, sys, threading, weakref
import tain
from tain.types.testing import Actor, Node, Point
sys.unraisablehook = lambda args: print("unraisable:", args.exc_value)
get = lambda name: tain.get_global_func("testing." + name)
watch, watched, greet = get("watch_actor"), get("watched_actor"), get("greet_watched")
class Loud(Actor):
    __slots__ = ("held", "__dict__")
    def greet(self, whom):
        return "loud " + whom
class Last:
    def __init__(self, f):
        self.f = f
    def __del__(self):
        self.f()
"""


def check(run: Run, body: str, expected: str) -> None:
    """Run a script in a process of its own and compare the words that it prints."""
    assert " ".join(run(HEAD + textwrap.dedent(body)).split()) == " ".join(expected.split())


# ---------------------------------------------------------------- who finds a dying instance

# What runs while an instance dies: `reach` is what it calls.
MOMENTS = {
    "a callback of a weak reference": "a = Loud(); keep = weakref.ref(a, lambda _: reach())",
    "a finalizer": "a = Loud(); weakref.finalize(a, reach)",
    "what the __dict__ held": "a = Loud(); a.last = Last(reach)",
    "what a slot held": "a = Loud(); a.held = Last(reach)",
    "a callback, of a generated class": "a = Actor(); keep = weakref.ref(a, lambda _: reach())",
    "what the __dict__ held, after __del__": """
class Mourned(Loud):
    def __del__(self):
        assert watched() is self
a = Mourned()
a.last = Last(reach)
""",
    "what a class without the garbage collector held": """
class Small(Actor):
    __slots__ = ("held",)
a = Small()
a.held = Last(reach)
""",
    "what stood in line behind others": """
a = Loud()
a.last = Last(reach)
chain = a
for _ in range(500):
    outer = Loud()
    outer.next = chain
    chain = outer
watch(a)
del outer
a = chain
del chain
""",
}
# How the object is reached, and what comes of it.
WAYS = {
    "itself": ("found.append(watched())", "Actor actor me"),
    "a virtual call": ("print(greet('me')); found.append(watched())", "actor me Actor actor me"),
    "a virtual call, from another thread": (
        "found.append(watched())\n"
        "    t = threading.Thread(target=lambda: print(greet('me')))\n"
        "    t.start(); t.join()",
        "actor me Actor actor me",
    ),
}


@pytest.mark.bad_input
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_dying_are_not_found(run: Run, moment: str, way: str) -> None:
    statement, expected = WAYS[way]
    script = "found = []\ndef reach():\n    " + statement + "\n" + MOMENTS[moment]
    if "watch(a)" not in script:
        script += "\nwatch(a)"
    script += """
del a
gc.collect()
for new in found:
    print(type(new).__name__, new.greet("me"))
    assert new is watched()
del found, new
assert watched() is None
"""
    check(run, script, expected)


@pytest.mark.bad_input
def test_threads_that_look_for_the_dying(run: Run) -> None:
    body = """
    sys.setswitchinterval(1e-6)
    seen = set()
    def make():
        for i in range(1500):
            a = Loud() if i % 2 else Actor()
            if i % 2:
                a.last = Last(lambda: seen.add(type(watched()).__name__))
            keep = weakref.ref(a, lambda _: watched())
            watch(a)
            del a
    met = get("greet_watched_while")(make, 2)
    watch(None)
    gc.collect()
    print(seen <= {"Actor", "NoneType", "Loud"})
    print(tain.testing.live_objects().get("testing.Actor", 0))
    """
    check(run, body, "True 0")


# ---------------------------------------------------------------- instances that their objects own


@pytest.mark.bad_input
@pytest.mark.parametrize("interval", [None, 1e-6], ids=["as usual", "switching often"])
@pytest.mark.parametrize("use", ["x.value", "echo(x)", "x.next = None", "x.__reduce__()"])
def test_dropped_by_cpp_while_python_uses_it(run: Run, use: str, interval: float | None) -> None:
    # Each waits for the lock to change hands; after these, until a reader has met an object.
    rounds = 300 if interval is None else 2000
    body = f"""
    class Held(Node):
        pass
    if {interval}:
        sys.setswitchinterval({interval})
    drop, echo = get("drop_in_thread"), get("echo")
    slot, stop, used = [lambda: None], [], [0]
    def read():
        while not stop:
            x = slot[0]()
            if x is not None:
                {use}
                used[0] += 1
            del x
    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range({rounds}):
        held = Held(i)
        held.note = i
        slot[0] = weakref.ref(held)
        holder = Node(0)
        holder.next = held
        del held
        drop(holder._move())
    stop.append(True)
    for thread in threads:
        thread.join()
    del holder
    gc.collect()
    print(used[0] > 0, slot[0](), tain.testing.live_objects().get("testing.Node", 0))
    """
    check(run, body, "True None 0")


def test_what_its_object_owns_is_as_good_as_any(run: Run) -> None:
    body = """
    class Held(Node):
        pass
    def given_away(i):
        held = Held(i)
        held.note = i
        holder = Node(0)
        holder.next = held
        return holder, weakref.ref(held)
    log = []
    for use in (
        lambda x: x.value,
        lambda x: x.__chandle__() != 0,
        lambda x: x.same_as(x),
        lambda x: repr(x).split("(")[0],
        lambda x: x.__init__(7) or x.value,
        lambda x: x.__reduce__()[1][1],
        lambda x: Node.value.__get__(x),
        lambda x: setattr(x, "__class__", type("Other", (Held,), {})) or type(x).__name__,
        lambda x: gc.collect() * 0,
        lambda x: None,
    ):
        holder, reference = given_away(5)
        x = reference()
        log.append(use(x))
        holder.next = None
        log.append(x.value)
        del x
        assert reference() is None
    print(log)
    print(tain.testing.live_objects().get("testing.Node", 0))
    """
    check(
        run,
        body,
        "[5, 5, True, 5, True, 5, 'Held', 5, 7, 7, {}, 5, 5, 5, 'Other', 5, 0, 5, None, 5]\n1",
    )


# ---------------------------------------------------------------- classes that change meanwhile


@pytest.mark.bad_input
@pytest.mark.parametrize("where", ["Point", "Node"])
@pytest.mark.parametrize("slots", [("a", "b"), ("__dict__",)])  # Python 3.10 refuses both at once
def test_another_class_in_del(run: Run, where: str, slots: tuple[str, ...]) -> None:
    body = f"""
    died = []
    def classes(i):
        class Other({where}):
            __slots__ = {slots}
        class First({where}):
            __slots__ = {slots}
            def __del__(self):
                self.__class__ = Other
                self.b = i
        weakref.finalize(First, died.append, "First")
        weakref.finalize(Other, died.append, "Other")
        made = First(1)
        made.a, made.b = i, i
        return made
    for i in range(50):
        classes(i)
        gc.collect()
    print(died.count("First"), died.count("Other"))
    """
    check(run, body, "50 50")


@pytest.mark.bad_input
def test_other_bases_while_slots_are_cleared(run: Run) -> None:
    body = """
    class Base(Node):
        __slots__ = tuple(f"s{i}" for i in range(20))
    class Like(Node):
        __slots__ = tuple(f"s{i}" for i in range(20))
    class Child(Base):
        __slots__ = tuple(f"c{i}" for i in range(20))
    def rebase():
        global Base
        Child.__bases__ = (Like,)
        Base = None
        gc.collect()
    made = Child(1)
    for i in range(20):
        setattr(made, f"s{i}", Last(lambda: log.append(1)))
        setattr(made, f"c{i}", Last(rebase))
    log = []
    del made
    print(len(log))
    """
    check(run, body, "20")
