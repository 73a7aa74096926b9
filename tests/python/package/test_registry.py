# SPDX-License-Identifier: Apache-2.0
"""Registering from Python: functions, classes, errors; and reading what is registered."""

from __future__ import annotations

import collections
import contextlib
import functools
import sys
import textwrap
import threading
import time
from collections.abc import Callable

import pytest
from errors import raises

import tain


def add_one(x: int) -> int:
    return x + 1


@pytest.mark.parametrize("alias", ["register_global_func", "register_func"])
def test_functions_are_registered_by_name(free_name: str, alias: str) -> None:
    register = getattr(tain, alias)
    assert register(free_name, add_one) is add_one
    assert tain.get_global_func(free_name)(1) == 2
    assert free_name in tain.list_global_func_names()
    assert register(free_name, override=True)(add_one) is add_one
    assert register(free_name, lambda x: x + 2, override=True)(1) == 3
    assert tain.get_global_func(free_name)(1) == 3


def test_functions_are_registered_bare() -> None:
    for register in (tain.register_global_func, tain.register_global_func()):

        @register
        def test_registry_bare(x):
            return x

        assert test_registry_bare(3) == 3
        assert isinstance(tain.get_global_func("test_registry_bare"), tain.PackedFunc)
        tain.remove_global_func("test_registry_bare")


@pytest.mark.bad_input
def test_a_name_that_is_taken(free_name: str) -> None:
    tain.register_global_func(free_name, add_one)
    text = (
        f"global function {free_name} is already registered: choose another name, or pass "
        "override=True to replace it"
    )
    with raises(ValueError, text):
        tain.register_global_func(free_name, add_one)
    assert tain.get_global_func(free_name)(1) == 2


@pytest.mark.bad_input
@pytest.mark.parametrize("function", [lambda x: x, functools.partial(add_one, 1)])
def test_functions_without_a_name(function) -> None:
    text = f"register_global_func: {function!r} has no name: pass one as func_name"
    with raises(ValueError, text):
        tain.register_global_func(function)


@pytest.mark.bad_input
def test_what_is_no_function(free_name: str) -> None:
    with pytest.raises(TypeError):
        tain.register_global_func(free_name, 5)
    assert free_name not in tain.list_global_func_names()


def test_the_testing_library_loads_on_demand(run) -> None:
    code = """
        import tain
        assert not tain.type_keys("testing.")
        assert not [n for n in tain.list_global_func_names() if n.startswith("testing.")]
        {}
        assert tain.type_keys("testing.")
        """
    for use in (
        "assert tain.get_global_func('testing.echo')(1) == 1",
        "tain.get_class('testing.TestIntPair')(1, 2)",
        "from tain.types.testing import TestIntPair",
        "tain.types.testing.TestIntPair",
        "tain.register_object('testing.TestIntPair')(type('TestIntPair', (tain.Object,), {}))",
        "tain.type_info('testing.TestIntPair')",
    ):
        run(code.format(use))


def test_what_a_class_consists_of() -> None:
    from tain.types.testing import Point

    info = tain.type_info(Point)
    assert info.key == tain.type_info("testing.Point").key == "testing.Point"
    assert [field.name for field in info.fields] == ["x", "y"]
    assert {method.name for method in info.methods} >= {"norm", "scale", "origin"}
    assert info.doc == "A point in the plane."


@pytest.mark.bad_input
def test_type_info_of_what_is_none() -> None:
    with raises(
        ValueError,
        "no type is registered under the key 'testing.Piont'. Did you mean "
        "'testing.Point', 'testing.Paint', 'testing.Pin'?",
    ):
        tain.type_info("testing.Piont")
    with pytest.raises(TypeError):
        tain.type_info(int)
    with pytest.raises(TypeError):
        tain.type_info(5)


# A class that is registered stays so: each case has a process of its own.
PAIR = """
import tain
from tain.types.testing import TestIntPair as Generated
make = tain.get_global_func("testing.make_int_pair", allow_missing=True)
"""

REGISTERED = {
    "returns the same class": """
        class Pair(tain.Object):
            def sum(self): return self.a + self.b
        assert tain.register_object("testing.TestIntPair")(Pair) is Pair
        """,
    "bare, the key is the class's name": """
        tain.types.testing
        @tain.register_object
        class TestingPlain(tain.Object):
            pass
        assert tain.types.TestingPlain is TestingPlain
        """,
    "with empty parentheses too": """
        tain.types.testing
        @tain.register_object()
        class TestingPlain(tain.Object):
            pass
        assert tain.types.TestingPlain is TestingPlain
        """,
    "super and __class__ work": """
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            def __init__(self, a, b):
                super().__init__(a, b)
                assert __class__ is Pair
        assert Pair(1, 2).b == 2
        """,
    "__slots__": """
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            __slots__ = ()
            def __init__(self, a, b): super().__init__(a, b)
        assert not hasattr(Pair(1, 2), "__dict__")
        """,
    "closures over the class": """
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            def maker(self):
                return lambda: __class__
        assert Pair(1, 2).maker()() is Pair
        """,
    "__init_handle_by_constructor__": """
        @tain.register_object("testing.TestIntPair")
        class TestIntPair(tain.Object):
            def __init__(self, a, b):
                self.__init_handle_by_constructor__(TestIntPair.__create__, a, b)
        pair = TestIntPair(1, 2)
        assert (pair.a, pair.b) == (1, 2)
        """,
    "tain.types returns it": """
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            pass
        assert tain.types.testing.TestIntPair is Pair is tain.get_class("testing.TestIntPair")
        """,
    "all objects are instances, whoever makes them": """
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            pass
        assert type(Generated.__create__(1, 2)) is Pair
        """,
    "live wrappers keep their class": """
        old = Generated(1, 2)
        @tain.register_object("testing.TestIntPair")
        class Pair(tain.Object):
            pass
        assert type(old) is Generated
        assert type(tain.get_global_func("testing.echo")(old)) is Generated
        """,
    "a second registration replaces the first": """
        @tain.register_object("testing.TestIntPair")
        class First(tain.Object):
            pass
        @tain.register_object("testing.TestIntPair")
        class Second(tain.Object):
            pass
        assert tain.types.testing.TestIntPair is Second
        assert type(Second(1, 2)) is Second
        """,
}


@pytest.mark.parametrize("case", REGISTERED)
def test_register_object(run, case: str) -> None:
    run(PAIR + textwrap.dedent(REGISTERED[case]))


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("key", "bases", "error", "text"),
    [
        (
            "testing.TestIntPiar",
            "tain.Object",
            ValueError,
            "no type is registered under the key 'testing.TestIntPiar'. Did you mean "
            "'testing.TestIntPair'?",
        ),
        (
            "testing.TestIntPair",
            "object",
            TypeError,
            "register_object('testing.TestIntPair'): expected a subclass of tain.Object, got "
            "type (<class 'test_registry.Pair'>)",
        ),
        (
            "testing.TestIntPair",
            "tain.types.testing.Point",
            TypeError,
            "register_object('testing.TestIntPair'): the class Pair derives from "
            "tain.types.testing.Point, which is no parent of testing.TestIntPair",
        ),
        (
            "testing.Color",
            "tain.Object",
            ValueError,
            "register_object('testing.Color'): testing.Color is an enum; "
            "tain.py_class('testing.Color') makes an enum class with the same members stand for it",
        ),
    ],
)
def test_register_object_refuses(key: str, bases: str, error, text: str) -> None:
    cls = eval(f"type('Pair', ({bases},), {{}})")
    with raises(error, text):
        tain.register_object(key)(cls)


@pytest.mark.bad_input
def test_register_object_of_what_is_no_key() -> None:
    with raises(TypeError, "register_object: expected a type key or a class, got int (5)"):
        tain.register_object(5)
    with pytest.raises(TypeError):
        tain.register_object("testing.TestIntPair")(5)


def test_errors_get_classes() -> None:
    raise_error = tain.get_global_func("testing.test_raise_error")

    @tain.register_error
    class TestRegistryError(RuntimeError):
        pass

    @tain.register_error("TestRegistryOther")
    class Other(ValueError):
        pass

    class Third(KeyError):
        pass

    assert tain.register_error("TestRegistryThird", Third) is Third
    with raises(TestRegistryError, "message"):
        raise_error("TestRegistryError", "message")
    with raises(Other, "message"):
        raise_error("TestRegistryOther", "message")
    with raises(Third, "'message'"):
        raise_error("TestRegistryThird", "message")


def test_kinds_of_errors_without_a_class() -> None:
    raise_error = tain.get_global_func("testing.test_raise_error")
    with raises(ValueError, "message"):
        raise_error("ValueError", "message")
    with raises(tain.Error, "message") as caught:
        raise_error("TestRegistryUnknownKind", "message")
    assert caught.value.kind == "TestRegistryUnknownKind"


@pytest.mark.bad_input
def test_what_is_registered_must_be_a_function_or_a_name() -> None:
    with raises(TypeError, "register_global_func: expected a name or a function, got int (5)"):
        tain.register_global_func(5)


@pytest.mark.bad_input
def test_an_error_class_must_be_one() -> None:
    with pytest.raises(TypeError):
        tain.register_error("TestRegistryInt", int)


def test_threads_call_register_and_remove_one_name(free_name: str) -> None:
    """Each call finds some function whole, or none."""
    results: collections.Counter[object] = collections.Counter()
    stop = threading.Event()

    def call() -> None:
        while not stop.is_set():
            found = tain.get_global_func(free_name, allow_missing=True)
            results["missing" if found is None else found(1) in (2, 3, 4)] += 1

    def register(step: int) -> None:
        while not stop.is_set():
            tain.register_global_func(free_name, lambda x: x + step, override=True)

    def remove() -> None:
        while not stop.is_set():
            with contextlib.suppress(ValueError):  # another thread was first
                tain.remove_global_func(free_name)
            time.sleep(0)

    work = [call, call, remove, *(functools.partial(register, step) for step in (1, 2, 3))]
    errors: list[BaseException] = []

    def guarded(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=guarded, args=(task,)) for task in work]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        stop.wait(1)
        while not (results[True] or stop.wait(0.1)):
            pass
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(switch)
    assert not errors
    assert results[False] == 0
    assert results[True] > 0
