# SPDX-License-Identifier: Apache-2.0
"""A global function that bears the key of a type makes its objects."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest
from c_keys import register_key
from errors import raises
from tain.types.testing import (
    MadeInTwoWays,
    NoConstructor,
    Point,
    QuickTuningOptions,
    TuningOptions,
)

import tain
from tain.types import testing as types


def test_it_is_the_constructor_of_a_type_without_one() -> None:
    assert repr(TuningOptions(5)) == "testing.TuningOptions(trials=5, runner='local')"
    assert TuningOptions(runner="rpc", trials=3).runner == "rpc"
    assert str(inspect.signature(TuningOptions)) == "(trials: int, runner: str = 'local')"
    assert TuningOptions.__match_args__ == ("trials", "runner")
    assert tain.type_info(TuningOptions).constructor.name == "testing.TuningOptions"
    assert isinstance(tain.get_global_func("testing.TuningOptions"), tain.Function)


REFUSED = [  # (arguments, error, text)
    (("a",), TypeError, "testing.TuningOptions: argument trials: expected int, got str ('a')"),
    ((), TypeError, "testing.TuningOptions() missing argument 'trials'"),
    (
        (-1,),
        ValueError,
        "Check failed: (trials >= 0) is false: trials must not be negative, got -1",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("args", "error", "text"), REFUSED)
def test_what_it_refuses(args: tuple, error: type[Exception], text: str) -> None:
    with raises(error, text):
        TuningOptions(*args)


def test_its_objects_are_copied_and_pickled() -> None:
    options = TuningOptions(5, "rpc")
    for made in (
        copy.copy(options),
        copy.deepcopy(options),
        options.__replace__(),
        pickle.loads(pickle.dumps(options)),
    ):
        assert (type(made), made.trials, made.runner) == (TuningOptions, 5, "rpc")
    assert options.__replace__(trials=6).trials == 6


def test_subclasses_call_it() -> None:
    class Silent(TuningOptions):
        pass

    class Own(TuningOptions):
        def __init__(self, trials: int) -> None:
            super().__init__(trials, "own")
            self.note = "state"

    assert (type(Silent(2)), Silent(2).trials) == (Silent, 2)
    own = Own(3)
    assert (own.runner, own.note) == ("own", "state")
    assert type(pickle.loads(pickle.dumps(TuningOptions(1)))) is TuningOptions


def test_a_child_does_not_inherit_it() -> None:
    with raises(TypeError, "testing.QuickTuningOptions has no constructor"):
        QuickTuningOptions()


def test_a_constructor_of_its_own_comes_first() -> None:
    assert MadeInTwoWays().way == "constructor"
    assert MadeInTwoWays("given").way == "given"
    assert tain.get_global_func("testing.MadeInTwoWays")().way == "function"


def test_it_comes_and_goes() -> None:
    key = "type_constructor.Later"
    register_key(key)
    later = tain.get_class(key)
    with raises(
        TypeError, "type_constructor.Later has no constructor: no ObjectDef describes its C++ class"
    ):
        later()
    tain.register_global_func(key, lambda: 5)
    with raises(
        TypeError,
        "type_constructor.Later: the constructor returned int, expected type_constructor.Later",
    ):
        later()
    tain.register_global_func(key, lambda: tain.get_class(key)(), override=True)
    with pytest.raises(RecursionError):
        later()
    tain.remove_global_func(key)
    with raises(
        TypeError, "type_constructor.Later has no constructor: no ObjectDef describes its C++ class"
    ):
        later()


# What __init_handle_by_constructor__ makes of a class of a key.
BY_CLASS = [  # (the class, its arguments, what is there then)
    (TuningOptions, (7,), "trials=7, runner='local'"),  # the function of that name
    (MadeInTwoWays, (), "way='function'"),  # the function before the constructor
    (Point, (1, 2), "x=1.0, y=2.0"),  # the constructor
    (types.TestIntPair, (1, 2), "a=1, b=2"),  # a static method
]


@pytest.mark.parametrize(("cls", "args", "text"), BY_CLASS)
def test_a_class_in_the_place_of_a_function(cls: type, args: tuple, text: str) -> None:
    class Mine(cls):
        def __init__(self, *args: object) -> None:
            self.__init_handle_by_constructor__(cls, *args)
            self.note = "state"

    name = Mine.__qualname__
    made = Mine(*args)
    assert (repr(made), made.note) == (f"{name}({text})", "state")


BAD_CLASSES = [  # (the class, what TypeError says)
    (NoConstructor, "testing.NoConstructor has no constructor"),
    (
        TuningOptions,
        "testing.Point: the constructor returned testing.TuningOptions, expected testing.Point",
    ),
    (tain.Object, "ffi.Object has no constructor"),
    (int, "Mine: the constructor returned int, expected testing.Point"),
    (tain.Array, "'int' object is not iterable"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("cls", "text"), BAD_CLASSES)
def test_classes_that_make_something_else(cls: type, text: str) -> None:
    class Mine(Point):
        def __init__(self) -> None:
            self.__init_handle_by_constructor__(cls, 2)

    with raises(TypeError, text):
        Mine()


def test_the_class_that_a_module_adopted_is_the_function(run) -> None:
    """As a package is written whose `_ffi_api` module adopts a namespace."""
    run("""
        import sys, types, tain
        api = sys.modules["_ffi_api"] = types.ModuleType("_ffi_api")
        tain.testing.echo
        tain.init_ffi_api("testing", "_ffi_api")
        assert api.TuningOptions is tain.types.testing.TuningOptions
        assert api.TuningOptions(4).trials == 4

        @tain.register_object("testing.TuningOptions")
        class TuningOptions(tain.Object):
            def __init__(self, trials=64):
                self.__init_handle_by_constructor__(api.TuningOptions, trials, runner="rpc")

        assert api.TuningOptions is TuningOptions
        assert (TuningOptions().trials, TuningOptions(2).trials) == (64, 2)
        assert api.TuningOptions(3).runner == "rpc"
        assert tain.get_global_func("testing.TuningOptions")(5).runner == "local"
        """)
