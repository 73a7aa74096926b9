# SPDX-License-Identifier: Apache-2.0
"""Functions that other libraries made: called without the GIL, unless somebody says so."""

from __future__ import annotations

import threading
import weakref

import foreign_lib
import pytest
from errors import moved_text, raises

import tain
from tain.types import testing


@pytest.fixture(autouse=True, scope="module")
def library() -> None:
    foreign_lib.load("threads")
    # A function of others counts as a live object from the first time that Python sees it.
    assert foreign_lib.function("foreign_threads.own_join")
    assert tain.get_class("foreign_threads.Methods")


def functions() -> dict[str, object]:
    methods = tain.get_class("foreign_threads.Methods")
    return {
        "global": foreign_lib.function("foreign_threads.join"),
        "in memory of its own": foreign_lib.function("foreign_threads.own_join"),
        "static method": methods.join,
    }


@pytest.mark.parametrize("way", ["global", "in memory of its own", "static method"])
def test_a_function_that_waits_for_a_thread_which_calls_python(way: str) -> None:
    join = functions()[way]
    threads = []

    def call(value: object = None) -> object:
        threads.append(threading.get_ident())
        return value

    assert join(call) is None
    assert join(call, 42) == 42
    text = "a text that does not fit into a value"
    assert join(call, text) == text
    assert threading.get_ident() not in threads
    assert len(threads) == 3


def test_a_method_that_waits_for_a_thread() -> None:
    methods = tain.get_class("foreign_threads.Methods")()
    assert methods.join_bound(lambda: 3) == 3
    assert methods.join_bound(lambda value: value, "a text") == "a text"


@pytest.mark.parametrize("way", ["global", "in memory of its own", "static method"])
def test_cpp_code_that_calls_such_a_function(way: str) -> None:
    """C++ holds the GIL, as Python called it with the GIL held."""
    join = functions()[way]
    pair = testing.TestIntPair(1, 2)
    assert tain.testing.apply(join, lambda: 5) == 5
    assert tain.testing.apply(join, lambda value: value, pair) is pair
    with raises(RuntimeError, "the thread failed"):
        tain.testing.apply(join, lambda: 1 / 0)


def test_errors_of_such_a_function() -> None:
    join = foreign_lib.function("foreign_threads.join")

    def fail() -> None:
        raise KeyError("no")

    with raises(RuntimeError, "the thread failed"):
        join(fail)
    call = foreign_lib.function("foreign_threads.call")
    with raises(KeyError, "'no'"):
        call(fail)
    with raises(TypeError, "this function takes no keyword arguments"):
        call(fail, key=1)


def test_another_thread_runs_meanwhile() -> None:
    """The function waits for Python; Python is run by a thread of Python's."""
    join = foreign_lib.function("foreign_threads.join")
    going, done = threading.Event(), threading.Event()

    def other() -> None:
        going.wait(30)
        done.set()

    thread = threading.Thread(target=other)
    thread.start()

    def call() -> bool:
        going.set()
        return done.wait(30)

    assert join(call) is True
    thread.join()


def test_arguments_are_held_while_it_runs() -> None:
    call = foreign_lib.function("foreign_threads.call")
    box = [testing.TestIntPair(1, 2)]
    dead = weakref.ref(box[0])

    def drop(pair: object) -> int:
        box.clear()
        del pair
        assert dead() is not None
        return dead().a

    assert call(drop, box[0]) == 1


def test_a_moved_argument_arrives() -> None:
    call = foreign_lib.function("foreign_threads.call")
    pair = testing.TestIntPair(1, 2)
    assert call(lambda value: value.b, pair._move()) == 2
    with raises(ValueError, moved_text("tain.types.testing.TestIntPair")):
        _ = pair.a


def python_callable() -> tain.Function:
    return tain.convert(lambda: 0)


RULES = [  # (name, function, what the rule says)
    ("of C++ with tain's headers", lambda: tain.get_global_func("testing.echo"), False),
    ("that says release_gil()", lambda: tain.get_global_func("testing.call_in_thread"), True),
    ("around a Python callable", python_callable, False),
    ("of libtain", lambda: tain.get_global_func("ffi.GetKwargsObject"), False),
    ("through TainFunctionCreate", lambda: foreign_lib.function("foreign_threads.join"), True),
    ("without prefix", lambda: foreign_lib.function("foreign_threads.own_join"), True),
]


@pytest.mark.parametrize(("make", "rule"), [row[1:] for row in RULES], ids=[r[0] for r in RULES])
def test_the_rule(make, rule: bool) -> None:
    made = make()
    assert made.release_gil is rule
    made.release_gil = not rule
    assert made.release_gil is not rule
    made.release_gil = rule
    assert made.release_gil is rule


def test_what_is_said_holds_for_the_function_object() -> None:
    name = "foreign_threads.call"
    holds = foreign_lib.function("foreign_threads.call")
    assert holds.release_gil is True
    holds.release_gil = False
    try:
        del holds  # not for its Python object alone
        assert foreign_lib.function(name).release_gil is False
        assert foreign_lib.function(name)(lambda: 5) == 5
    finally:
        foreign_lib.function(name).release_gil = True


def test_a_registered_python_callable_keeps_the_gil() -> None:
    tain.register_global_func("test_foreign_calls.mine", lambda: 1)
    try:
        assert tain.get_global_func("test_foreign_calls.mine").release_gil is False
    finally:
        tain.remove_global_func("test_foreign_calls.mine")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "int (1)"), (None, "None"), ("x", "str ('x')")],
)
def test_release_gil_is_a_bool(value: object, text: str) -> None:
    made = foreign_lib.function("foreign_threads.call")
    with raises(TypeError, f"Function.release_gil: expected bool, got {text}"):
        made.release_gil = value
    with raises(AttributeError, "Function.release_gil cannot be deleted"):
        del made.release_gil


def test_it_hangs_with_the_gil(run) -> None:
    """What the rule is for: kept, the GIL would not come free."""
    printed = run(
        """
        import os, sys, threading, time
        import foreign_lib
        foreign_lib.load("threads")
        join = foreign_lib.function("foreign_threads.join")
        join.release_gil = False
        pid = os.fork()
        if pid == 0:
            join(lambda: 1)
            os._exit(0)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            if os.waitpid(pid, os.WNOHANG)[0]:
                print("came back")
                sys.exit()
            time.sleep(0.05)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        print("hung")
        """
    )
    assert printed == "hung\n"


def test_a_tensor_for_a_callback() -> None:
    give = foreign_lib.function("foreign_threads.give_tensor")
    assert give(lambda tensor: (tensor.is_view, tensor.tolist())) == [True, [1.5, 2.5]]


@pytest.mark.bad_input
def test_an_object_without_an_address() -> None:
    foreign_lib.load("keys")
    index = tain.type_info("foreign_keys.Key").index
    text = (
        f"a function of another library returned an object of type index {index} without an address"
    )
    function = foreign_lib.function("foreign_keys.null_object")
    for call in (
        function,
        lambda: tain.testing.apply(function),
        tain.load_module(foreign_lib.compiled("keys")).null_object,
    ):
        with raises(tain.InternalError, text):
            call()
