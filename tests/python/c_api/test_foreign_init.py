# SPDX-License-Identifier: Apache-2.0
"""`__ffi_init__`: that of others, and the one that tain gives to libraries that ask for it."""

from __future__ import annotations

import ctypes
import inspect
import pickle
from ctypes import POINTER, byref, c_int32, c_void_p
from pathlib import Path
from typing import Any

import pytest
from c_calls import INT, OBJECT, SMALL_STR, Value, cell, raised, release, text
from errors import raises
from foreign_objects import Auto, objects_die

import tain
from tain import libinfo

LIB = ctypes.CDLL(libinfo.find_libtain())
Loose = tain.get_class("foreign_c.Loose")
Sealed = tain.get_class("foreign_c.Sealed")

all_objects_die = pytest.fixture(autouse=True)(objects_die)


class Column(ctypes.Structure):
    """A TainTypeAttrColumn."""

    _fields_ = [("data", POINTER(Value)), ("size", c_int32), ("begin_index", c_int32)]


def value_of(given: int | str | None) -> Value:
    """Return an argument; None stands for the marker before the keywords."""
    if given is None:
        marker = tain.get_global_func("ffi.GetKwargsObject")()
        return Value(OBJECT, 0, marker.__chandle__())
    if isinstance(given, int):
        return Value(INT, 0, given)
    content = given.encode()
    return Value(SMALL_STR, len(content), int.from_bytes(content.ljust(8, b"\0"), "little"))


def call_init(cls: Any, *given: int | str | None) -> list[int] | str:
    """Call the attribute `__ffi_init__` as another library does; return x and y, or the error."""
    LIB.TainGetTypeAttrColumn.restype = POINTER(Column)
    column = LIB.TainGetTypeAttrColumn(byref(text(b"__ffi_init__"))).contents
    function = column.data[tain.type_info(cls).index - column.begin_index]
    args = (Value * len(given))(*map(value_of, given))
    result = Value()
    if LIB.TainFunctionCall(c_void_p(function.payload), args, len(given), byref(result)) != 0:
        return raised() or ""
    found = cell(result.payload, 2)
    release(result)
    return found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((1,), [1, 7]),
        ((1, 2), [1, 2]),
        ((None, "x", 3), [3, 7]),
        ((None, "y", 4, "x", 3), [3, 4]),
        ((3, None, "y", 4), [3, 4]),
        ((3, None), [3, 7]),
        ((), "TypeError: foreign_c.Auto() missing argument 'x'"),
        ((None, "y", 1), "TypeError: foreign_c.Auto() missing argument 'x'"),
        (
            (1, 2, 3),
            "TypeError: foreign_c.Auto() takes 1 to 2 positional arguments but 3 were given",
        ),
        (
            (1, None, "x", 2),
            "TypeError: foreign_c.Auto() got multiple values for argument 'x'",
        ),
        (
            (None, "x", 1, "x", 2),
            "TypeError: foreign_c.Auto() got multiple values for argument 'x'",
        ),
        (
            (1, None, "z", 2),
            "TypeError: foreign_c.Auto() got an unexpected keyword argument 'z'",
        ),
        ((None, "x"), "TypeError: foreign_c.Auto(): the last keyword has no value"),
        ((None, 1, 2), "TypeError: expected str, got int (1)"),
        (("a",), "TypeError: foreign_c.Auto: argument x: an int is needed"),
    ],
)
def test_an_init_that_was_asked_for(given: Any, expected: Any) -> None:
    assert call_init(Auto, *given) == expected


def test_it_needs_a_way_to_make_objects(run) -> None:
    printed = run(
        """
        import tain
        from test_foreign_init import call_init
        ask = tain.get_global_func("ffi._RegisterFFIInit")
        for key in ("foreign_c.Unmade", "testing.NoConstructor"):
            cls = tain.get_class(key)
            ask(tain.type_info(cls).index)
            print(call_init(cls, 1))
        try:
            tain.get_class("foreign_c.Unmade")(1)
        except TypeError as error:
            print(error)
        """,
        path=str(Path(__file__).parent),
    )
    assert printed.splitlines() == [
        "TypeError: foreign_c.Unmade has no default constructor",
        "TypeError: testing.NoConstructor has no constructor",
        "foreign_c.Unmade has no default constructor",
    ]


@pytest.mark.bad_input
def test_no_type() -> None:
    text = "type index 987654 is not that of a registered type"
    with raises(ValueError, text):
        tain.get_global_func("ffi._RegisterFFIInit")(987654)
    assert LIB.TainTypeComplete(987654) == -1
    assert raised() == f"ValueError: {text}"


def test_an_init_of_which_nothing_is_known() -> None:
    assert str(inspect.signature(Loose)) == "(*args: Any, **kwargs: Any)"
    for made, expected in [
        (Loose(1), (1, 7)),
        (Loose(1, 2), (1, 2)),
        (Loose(1, y=3), (1, 3)),
        (Loose(y=4, x=2), (2, 4)),
    ]:
        assert (made.x, made.y) == expected
    with raises(TypeError, "a coordinate is an int"):
        Loose("one")
    text = "cannot pickle foreign_c.Loose: its constructor needs 'args', which is no field"
    with raises(TypeError, text):
        pickle.dumps(Loose(1))


def test_a_field_without_a_setter_is_not_loaded() -> None:
    saved = tain.save_json(Sealed())
    text = "load_json: node 0 (foreign_c.Sealed): field x cannot be set: the member is const"
    with raises(ValueError, text):
        tain.load_json(saved)
