# SPDX-License-Identifier: Apache-2.0
"""Processes in which many threads use tain: they fork, end, and have a GIL or none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest
from interpreter import FREE_THREADED

only_free_threaded = pytest.mark.only_if(FREE_THREADED, reason="there is always a GIL")

# With a GIL too, where there can be one
GIL = ["", "1"] if FREE_THREADED else [""]

HEAD = """
import copy, ctypes, gc, os, pickle, sys, threading
import tain
from tain.types.testing import Node, Point, threads
from tain.types.testing.graph import Constant, Var
from tain.testing import Actor

get = tain.get_global_func
call_n, in_thread, from_threads = map(
    get, ("testing.call_n", "testing.call_in_thread", "testing.call_from_threads"))

class Named(Node):
    def __init__(self, value=0):
        super().__init__(value)
        self.me = self

class Loud(Actor):
    def greet(self, whom=""):
        return "HELLO " + whom

@tain.py_class("racing_processes.Pair")
class Pair:
    x: int
    def __data_to_json__(self):
        return self.x
    @classmethod
    def __data_from_json__(cls, data):
        return cls(data)

safe, loud, numbers = threads.Safe(), Loud(), tain.List(range(50))
pairs = tain.Array([Pair(i) for i in range(20)])

def calls():
    safe.add(1), threads.add(1, 2.0), Point(1, 2).norm(), safe.text("a text")

def callbacks():
    safe.call(lambda other: other.total), call_n(lambda: None, 3)
    get("testing.call_actor")(loud, "greet")

def saves():
    assert [pair.x for pair in tain.load_json(tain.save_json(pairs))] == list(range(20))
    assert len(tain.load_binary(tain.save_binary(pairs))) == 20

def containers():
    for number in numbers:
        pass
    tain.Dict({"a": numbers}).items(), numbers + numbers, numbers.index(30)

def graphs():
    graph = (Constant(1) + Var("x")) * Constant(3)
    tain.rewrite(graph, lambda node: Constant(2) if isinstance(node, Constant) else None)
    copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), tain.structural_hash(graph)

def garbage():
    Named(1).next = Named(2)
    get("testing.make_ring")(3), gc.collect(0)

def cpp_threads():
    from_threads(lambda _: None, 2, 3), in_thread(lambda: safe.total)

ALL = [calls, callbacks, saves, containers, graphs, garbage, cpp_threads]

def start(tasks, count=None):
    '''Start daemon threads that run a task for ever, and wait until each has run it once.'''
    ran = [threading.Event() for _ in range(count or len(tasks))]
    def run(task, event):
        while True:
            task()
            event.set()
    for i, event in enumerate(ran):
        threading.Thread(target=run, args=(tasks[i % len(tasks)], event), daemon=True).start()
    for event in ran:
        event.wait()
"""

# What a process can do though it has just been forked. CPython 3.13 without a GIL, with or without
# tain, waits for ever in a collection if another thread was about to stop all threads at the fork.
HEAD += f"""
AFTER_FORK = [task for task in ALL if {not FREE_THREADED} or task is not garbage]
"""
USE = """
for task in AFTER_FORK:
    task()
assert Pair(3).x == 3 and [*tain.List([1, 2])] == [1, 2] and Loud().greet("you") == "HELLO you"
"""


def finished(code: str, *options: str, gil: str = "") -> subprocess.CompletedProcess[str]:
    """Run code in a new process, which must end."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHON_GIL"}
    if gil:
        environment["PYTHON_GIL"] = gil
    command = [sys.executable, "-W", "ignore", "-X", "faulthandler", *options]
    with subprocess.Popen(
        [*command, "-c", HEAD + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the children that it has forked
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def check(done: subprocess.CompletedProcess[str], printed: str = "", status: int = 0) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (status, printed, "")


# ---------------------------------------------------------------- fork


@pytest.mark.forks
@pytest.mark.parametrize("gil", GIL)
@pytest.mark.parametrize(
    "task",
    ["calls", "callbacks", "saves", "containers", "graphs", "garbage", "cpp_threads", "ALL"],
)
def test_a_child_uses_tain_whatever_the_threads_of_its_parent_do(task: str, gil: str) -> None:
    """The lock may be held, shared, or awaited by threads that the child does not have."""
    code = f"""
        start(ALL if "{task}" == "ALL" else [{task}], 4)
        for _ in range(5):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    exec({USE!r})
                    status = 0
                finally:
                    os._exit(status)
            _, status = os.waitpid(child, 0)
            assert status == 0, status
        os._exit(0)
        """
    check(finished(code, gil=gil))


@pytest.mark.forks
@pytest.mark.parametrize("gil", GIL)
def test_a_child_has_threads_and_children_of_its_own(gil: str) -> None:
    code = """
        start(ALL)
        child = os.fork()
        if child == 0:
            for task in AFTER_FORK:
                task()
            start(AFTER_FORK)
            grandchild = os.fork()
            if grandchild == 0:
                for task in AFTER_FORK:
                    task()
                os._exit(5)
            _, status = os.waitpid(grandchild, 0)
            os._exit(os.waitstatus_to_exitcode(status) + 1)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
        os._exit(0)
        """
    check(finished(code, gil=gil), "6\n")


@pytest.mark.forks
def test_a_callback_forks() -> None:
    """The child goes on inside the call of C++, in a thread that is its only one."""
    code = """
        start(ALL, 4)
        def fork():
            child = os.fork()
            if child != 0:
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            return -1
        for call in (lambda: safe.call(lambda _: fork()), lambda: call_n(fork, 1)):
            status = call()
            if status == -1:
                for task in AFTER_FORK:
                    task()
                os._exit(7)
            assert status == 7, status
        os._exit(0)
        """
    check(finished(code))


@pytest.mark.forks
def test_a_thread_of_cpp_forks() -> None:
    """The thread that called it does not exist in the child."""
    code = """
        start(ALL, 4)
        def fork():
            child = os.fork()
            if child == 0:
                for task in AFTER_FORK:
                    task()
                os._exit(7)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert in_thread(fork) == 7
        os._exit(0)
        """
    check(finished(code))


# ---------------------------------------------------------------- other interpreters


@pytest.mark.parametrize("gil", GIL)
def test_subinterpreters_are_refused_while_threads_run(gil: str) -> None:
    code = """
        import textwrap
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        start(ALL)
        code = textwrap.dedent('''
            import os
            try:
                import tain
            except ImportError as error:
                os.write(1, (type(error).__name__ + ": " + str(error) + "\\\\n").encode())
        ''')
        for _ in range(3):
            other = interpreters.create()
            interpreters.run_string(other, code)
            interpreters.destroy(other)
        for task in ALL:
            task()
        os._exit(0)
        """
    done = finished(code, gil=gil)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("ImportError: ") and "subinterpreter" in line for line in lines)


# ---------------------------------------------------------------- the end

ENDS = {
    "the code ends": ("", "", 0),
    "sys.exit": ("sys.exit(3)", "", 3),
    "an exception": ("raise SystemExit('stop')", "stop\n", 1),
    "atexit uses tain": (
        "import atexit\natexit.register(lambda: [task() for task in ALL])",
        "",
        0,
    ),
    "__del__ uses tain": (
        "class Last(Node):\n"
        "    def __del__(self, call=call_n):\n"
        "        call(lambda: None, 2)\n"
        "last = Last(1)\n"
        "kept = tain.List([Last(2)])",
        "",
        0,
    ),
    "os._exit": ("os._exit(4)", "", 4),
}


# Not with PYTHON_GIL=1: CPython 3.13 then reads the states of daemon threads that it has freed, as
# they drop the GIL.
@pytest.mark.parametrize("end", ENDS)
def test_a_process_ends_while_threads_use_tain(end: str) -> None:
    code, told, status = ENDS[end]
    done = finished("start(ALL, 14)\n" + code)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", told)


@pytest.mark.parametrize(
    "task", ["calls", "callbacks", "saves", "containers", "graphs", "garbage", "cpp_threads"]
)
def test_a_process_ends_while_threads_do_one_thing(task: str) -> None:
    for _ in range(2):
        check(finished(f"start([{task}], 6)"))


def test_a_process_ends_while_threads_are_inside() -> None:
    """They wait in C++, in a callback, in an override, in a hook of saving and in a __del__."""
    code = """
        import time
        inside = threading.Barrier(7)
        def stay(*_):
            inside.wait()
            while True:
                time.sleep(0.001)
        class Stays(Actor):
            greet = stay
        @tain.py_class("racing_processes.Slow")
        class Slow:
            x: int
            __data_to_json__ = stay
        class Ends(Node):
            __del__ = stay
        def sleep():
            inside.wait()
            get("testing.sleep")(1000.0)
        for task in (lambda: safe.call(stay), lambda: in_thread(stay), sleep,
                     lambda: get("testing.call_actor")(Stays(), "greet"),
                     lambda: tain.save_binary(Slow(1)), lambda: Ends(1)):
            threading.Thread(target=task, daemon=True).start()
        inside.wait()
        for task in ALL:
            task()
        """
    check(finished(code))


def test_threads_that_are_joined_at_the_end_go_on() -> None:
    code = """
        counts = []
        def run():
            threading.main_thread().join()  # the interpreter waits for this thread
            for _ in range(20):
                for task in ALL:
                    task()
            counts.append(1)
            print(len(counts))
        for _ in range(3):
            threading.Thread(target=run).start()
        """
    done = finished(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3" in done.stdout.split()


def test_a_signal_ends_the_process() -> None:
    code = """
        import signal
        start(ALL)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            while True:
                for task in ALL:
                    task()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        for task in ALL:
            task()
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
        """
    check(finished(code), "interrupted\n", -signal.SIGTERM)


# ---------------------------------------------------------------- with a GIL or without


IMPORT_ALL = """
import importlib, pkgutil
names = [each.name for each in pkgutil.walk_packages(tain.__path__, "tain.")]
for name in names:
    if not name.endswith("__main__") and "._debugger" not in name and ".template" not in name:
        importlib.import_module(name)
for name in tain.__all__:
    getattr(tain, name)
start(ALL)
for task in ALL:
    task()
print(len(names) > 50, sys._is_gil_enabled())
os._exit(0) if sys.stdout.flush() is None else None
"""


@only_free_threaded
@pytest.mark.parametrize(
    ("options", "gil", "is_on"),
    [
        ((), "", False),
        ((), "0", False),
        ((), "1", True),
        (("-X", "gil=1"), "", True),
        (("-X", "gil=0"), "1", False),
    ],
)
def test_the_gil_stays_as_it_is(options: tuple[str, ...], gil: str, is_on: bool) -> None:
    """Whatever is imported, and whatever threads do then."""
    check(finished(IMPORT_ALL, *options, gil=gil), f"True {is_on}\n")
