# SPDX-License-Identifier: Apache-2.0
"""A library of apache-tvm-ffi's headers and one of tain's exchange values, functions and errors.

Each test runs in both directions: `sides` is one library and the other one, with equal functions.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest

import tain

VALUES: list[tuple[str, Any]] = [
    *(("int64", value) for value in (0, -1, 2**63 - 1, -(2**63))),
    *(("int32", value) for value in (7, -(2**31))),
    *(("double", value) for value in (0.5, -0.0, float("inf"), 5e-324)),
    *(("bool", value) for value in (True, False)),
    *(
        (name, value)
        for name in ("text", "std_text")
        for value in ("", "short", "1234567", "12345678", "a longer text \N{SNOWMAN}")
    ),
    ("text", "a\0b" * 50),  # no std::string: as an argument it is a C string in the other headers
    *(("bytes", value) for value in (b"", b"\x00\xff", b"1234567", b"x" * 100)),
    *(("optional", value) for value in (None, 5)),
    *(("device", tain.device(*value)) for value in (("cpu", 0), ("cuda", 3))),
    *(("dtype", tain.dtype(value)) for value in ("float32", "int8x4", "bfloat16", "bool")),
    *(("shape", tain.Shape(value)) for value in ((), (1, 2**40))),
    *(("array", value) for value in ([], [1, "a", None, 2.5, [b"b"]], list(range(100)))),
    *(("int_array", value) for value in ([], [1, 2, 3])),
    *(("map", value) for value in ({}, {"a": 1, "b": [2]}, {str(i): i for i in range(100)})),
    *(("list", value) for value in ([], [1, [2]])),
    *(("dict", value) for value in ({}, {"b": 1, "a": None})),
    *(("variant", value) for value in (1, "a", "a longer text", [1, "a"])),
    *(("tuple", value) for value in ((1, "a"), (2, "a longer text"))),
    *(("big", value) for value in (0, -5, 2**63, -(2**63), 2**64, 2**200, -(2**200))),
    *(("uint64", value) for value in (0, 2**63 - 1)),
    *(("float", value) for value in (0.5, float("-inf"))),
    *(("nested", value) for value in ({}, {"a": [], "b": [1, None]})),
    *(("text_or_none", value) for value in (None, "short", "a longer text")),
    *(("tensor_or_none", value) for value in (None,)),
    *(("object", value) for value in (None, tain.List([1]))),
    *(("any", value) for value in (None, 1, True, 2.5, "a", "a longer text", b"b", 2**200)),
    *(("any", value) for value in ([1, 2], {"a": 1}, tain.Shape((1, 2)), tain.dtype("int8"))),
]


def through_python(rest: Any, value: Any) -> Any:
    return rest[0](rest[1:], value)


def relayed(sides: tuple[Any, Any], name: str, value: Any) -> Any:
    """Pass a value through each library twice, and through Python."""
    first, second = (getattr(side, f"relay_{name}") for side in sides)
    return first([second, first, through_python, second, through_python, first], value)


def ids(row: Any) -> str:
    text = repr(row)
    return text if len(text) < 24 else text[:20] + "..."


@pytest.mark.parametrize(("name", "value"), VALUES, ids=ids)
def test_a_value_comes_back(sides: tuple[Any, Any], name: str, value: Any) -> None:
    back = relayed(sides, name, value)
    alone = relayed((sides[1], sides[1]), name, value)
    assert back == value
    assert type(back) is type(alone)
    assert repr(back) == repr(alone)


@pytest.mark.parametrize(("name", "value"), VALUES, ids=ids)
def test_a_value_comes_back_as_any(sides: tuple[Any, Any], name: str, value: Any) -> None:
    del name
    assert relayed(sides, "any", value) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [("vector", []), ("vector", [1.5, 2.5]), ("std_map", {}), ("std_map", {"a": 1, "b": 2})],
    ids=ids,
)
def test_containers_of_the_standard_library(sides: tuple[Any, Any], name: str, value: Any) -> None:
    """As results only: as an argument of a call the other headers leak a copy of each."""
    first, second = sides
    back = getattr(first, f"relay_{name}")([], value)
    assert second.relay_any([getattr(second, f"relay_{name}")], back) == value


def test_a_pointer_comes_back(sides: tuple[Any, Any]) -> None:
    back = relayed(sides, "pointer", ctypes.c_void_p(1 << 40))
    assert back.value == 1 << 40


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("object", lambda: tain.List([1])),
        ("any", lambda: tain.List([1])),
        ("list", lambda: tain.List(["a"])),
        ("dict", lambda: tain.Dict({"a": 1})),
        ("array", lambda: tain.Array([1])),
        ("map", lambda: tain.Map({"a": 1})),
        ("object", object),
        ("any", lambda: {1, 2}),
        ("function", lambda: tain.convert(lambda: None)),
        ("error", lambda: ValueError("a")),
        ("error", lambda: LookupError("a", 2)),
        ("any", lambda: ValueError("a")),
    ],
)
def test_an_object_comes_back_as_itself(
    sides: tuple[Any, Any], name: str, make: Callable[[], Any]
) -> None:
    value = make()
    before = sys.getrefcount(value)
    assert relayed(sides, name, value) is value
    gc.collect()
    assert sys.getrefcount(value) == before


@pytest.mark.parametrize("name", ["function", "any", "object"])
def test_a_function_comes_back_as_itself(sides: tuple[Any, Any], name: str) -> None:
    for owner in sides:
        add = owner.adder(1)
        assert relayed(sides, name, add) is add
        assert [add(2), sides[0].call(add, 3), sides[1].call(add, 4)] == [3, 6, 10]
        assert owner.alive()[0] == 1
    del add


def test_a_function_calls_one_that_calls_one(sides: tuple[Any, Any]) -> None:
    first, second = sides
    seen = []

    def last(value: Any) -> Any:
        seen.append(value)
        return value

    def call(function: Any) -> Any:
        return lambda value: first.call(lambda v: second.call(function, v), value)

    nested = call(call(call(last)))
    assert first.call(nested, "a longer text") == "a longer text"
    assert second.call(nested, [1]) == [1]
    assert seen == ["a longer text", [1]]


def test_a_function_with_declared_types(sides: tuple[Any, Any]) -> None:
    first, second = sides
    typed = relayed(sides, "typed", lambda number: number + 1)
    assert typed(3) == 4
    for function in (lambda numbers, x: f"{list(numbers)} {x}", second.packed):
        if function is second.packed:
            with pytest.raises(TypeError):
                first.typed_call(function)
        else:
            assert first.typed_call(function) == "[1, 2] 0.5"


def test_what_code_writes_down_is_an_argument(sides: tuple[Any, Any]) -> None:
    first, second = sides
    expected = [1, 2.5, True, None, "a literal of some length", "s", b"b"]
    expected += [tain.device("cpu", 1), tain.dtype("int8"), [1], "a std::string"]
    assert list(first.call_with_all(second.packed)) == expected
    assert list(first.call_with_all(lambda *arguments: arguments)) == expected


def test_a_call_that_does_not_throw(sides: tuple[Any, Any]) -> None:
    first, second = sides
    assert first.try_call(second.positive, 8) == 8
    assert first.try_call(second.positive, -1) == "ValueError"
    assert first.try_call(second.positive, "a") == "TypeError"
    assert first.try_call(lambda _: "a", 1) == "TypeError"
    assert first.try_call(failing(KeyError("k")), 1) == "TypeError"  # it takes no argument


# ---------------------------------------------------------------- errors


class Mine(Exception):
    """An exception that no C++ code knows."""


def failing(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def twice(sides: tuple[Any, Any], function: Callable[[], Any]) -> Any:
    """Call a function through both libraries, which catch what it throws and throw it again."""
    first, second = sides
    return first.rethrow(lambda: second.rethrow(lambda: first.rethrow(function)))


@pytest.mark.parametrize(
    "error",
    [ValueError("a"), KeyError("k"), Mine("a", 1), KeyboardInterrupt(), StopIteration(3)],
    ids=ids,
)
def test_an_exception_of_python_comes_out_as_itself(
    sides: tuple[Any, Any], error: BaseException
) -> None:
    with pytest.raises(type(error)) as caught:
        twice(sides, failing(error))
    assert caught.value is error
    error.__traceback__ = None


KINDS: list[tuple[str, type[BaseException]]] = [
    ("ValueError", ValueError),
    ("KeyError", KeyError),
    ("IndexError", IndexError),
    ("NotImplementedError", NotImplementedError),
    ("InternalError", tain.InternalError),
    ("OnlyHere", tain.Error),
]


@pytest.mark.parametrize(("kind", "expected"), KINDS)
def test_an_error_of_cxx_keeps_its_kind(
    sides: tuple[Any, Any], kind: str, expected: type[BaseException]
) -> None:
    for owner in sides:
        with pytest.raises(expected) as caught:
            twice(sides, lambda: owner.fail(kind, "a message"))  # noqa: B023
        assert type(caught.value) is expected
        assert caught.value.args == ("a message",)
        assert getattr(caught.value, "kind", kind) == kind
        assert list(sides[0].caught(owner.failing(kind, "m"))) == [kind, "m"]


def test_an_exception_of_the_standard_library(sides: tuple[Any, Any]) -> None:
    for owner in sides:
        with pytest.raises(RuntimeError, match=r"\Aa message\Z"):
            twice(sides, lambda: owner.fail_std("a message"))  # noqa: B023


def test_a_check_of_the_library(sides: tuple[Any, Any]) -> None:
    for owner in sides:
        assert owner.positive(3) == 3
        with pytest.raises(ValueError, match=r"\Aexpected a positive number, got -1\Z"):
            twice(sides, lambda: owner.positive(-1))  # noqa: B023


def test_cxx_catches_by_kind(sides: tuple[Any, Any]) -> None:
    first, second = sides
    for fail in (lambda: second.fail("KeyError", "k"), failing(KeyError("k"))):
        assert first.unless("KeyError", fail) == "caught"
        with pytest.raises(KeyError):
            first.unless("ValueError", lambda: second.unless("IndexError", fail))  # noqa: B023


def test_cxx_sees_kind_and_message(sides: tuple[Any, Any]) -> None:
    for side in sides:
        assert list(side.caught(failing(ValueError("a message")))) == ["ValueError", "a message"]
        assert list(side.caught(failing(Mine("a message"))))[1] == "a message"
        assert list(side.caught(lambda: None)) == []


def test_an_error_is_a_value(sides: tuple[Any, Any]) -> None:
    """One library catches it, the other one throws it later."""
    first, second = sides
    mine = Mine("a")
    assert first.error_of(failing(mine)) is mine
    with pytest.raises(Mine) as caught:
        second.raise_it(first.error_of(failing(mine)))
    assert caught.value is mine
    error = first.error_of(lambda: second.fail("KeyError", "k"))
    assert type(error) is KeyError
    with pytest.raises(KeyError) as caught_key:
        second.raise_it(error)
    assert caught_key.value is error
    mine.__traceback__ = error.__traceback__ = None


def test_an_error_keeps_its_cause(sides: tuple[Any, Any]) -> None:
    def fail() -> None:
        raise Mine("outer") from ValueError("inner")

    with pytest.raises(Mine) as caught:
        twice(sides, fail)
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_error_in_the_middle_of_a_relay(sides: tuple[Any, Any]) -> None:
    first, second = sides
    mine = Mine("a")

    def fail(rest: Any, value: Any) -> None:
        del rest, value
        raise mine

    with pytest.raises(Mine) as caught:
        first.relay_text([second.relay_text, first.relay_any, second.relay_text, fail], "a")
    assert caught.value is mine
    mine.__traceback__ = None


# ---------------------------------------------------------------- wrong arguments

WRONG = [
    ("int64", "a"),
    ("double", "a"),
    ("bool", "a"),
    ("text", 1),
    ("std_text", 1),
    ("bytes", 1),
    ("optional", "a"),
    ("device", 1.5),
    ("dtype", 1.5),
    ("array", 1),
    ("int_array", ["a"]),
    ("map", {1: 2}),
    ("list", 1),
    ("dict", {1: 2}),
    ("tensor", "a"),
    ("function", 1),
    ("error", 1),
    ("object", 1),
    ("variant", 1.5),
    ("tuple", (1, 2)),
    ("pair", tain.List([1])),
]


@pytest.mark.parametrize(("name", "value"), WRONG, ids=ids)
def test_a_wrong_argument_names_the_function(sides: tuple[Any, Any], name: str, value: Any) -> None:
    first, second = sides
    full = rf"\b{first.__name__.rpartition('.')[2]}\.relay_{name}\b"
    with pytest.raises(TypeError, match=full):
        getattr(first, f"relay_{name}")([], value)
    with pytest.raises(TypeError, match=full):  # the other library calls it
        second.relay_any([getattr(first, f"relay_{name}")], value)


def test_missing_arguments_name_the_function(sides: tuple[Any, Any]) -> None:
    first, second = sides
    full = rf"\b{first.__name__.rpartition('.')[2]}\.relay_text\b.*\b2\b"
    for arguments in ((), ([],), ([], "a", 3)):
        with pytest.raises(TypeError, match=full):
            first.relay_text(*arguments)
    with pytest.raises(TypeError, match=full):
        second.call(first.relay_text, [])


def test_a_wrong_result_of_a_callback(sides: tuple[Any, Any]) -> None:
    for side in sides:
        with pytest.raises(TypeError, match=r"int.*[sS]tr|[sS]tr.*int"):
            side.relay_int64([lambda rest, value: "a"], 1)
