# SPDX-License-Identifier: Apache-2.0
"""The traceback of an error that libtain throws names the C++ function that asked for it."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest
from testing_functions import get

import tain


def cpp_frames(call: Callable[[], object]) -> tuple[BaseException, list[str]]:
    """Return the error of a call, and the functions of C++ that its traceback names."""
    with pytest.raises(Exception) as caught:
        call()
    frames = traceback.extract_tb(caught.value.__traceback__)
    return caught.value, [each.name for each in frames if each.filename == "<C++>"]


EMPTY = tain.Dict({"a": 1.0})
ROWS = [
    (lambda: get("price")(EMPTY, "b"), KeyError, "testing.price"),
    (lambda: get("third")([1, 2]), IndexError, "testing.third"),
    (lambda: get("extent")((1, 2)), IndexError, "testing.extent"),
    (lambda: get("wrong_cast")("x"), TypeError, "testing.wrong_cast"),
]


@pytest.mark.parametrize(("call", "error", "function"), ROWS)
def test_the_function_that_asked_is_named(
    call: Callable[[], object], error: type, function: str
) -> None:
    raised, names = cpp_frames(call)
    assert type(raised) is error
    assert names == [function]


def test_the_innermost_function_is_named_once() -> None:
    raised, names = cpp_frames(lambda: get("calls_price")(tain.get_global_func("testing.price")))
    assert (type(raised), names) == (KeyError, ["testing.price"])


@pytest.mark.bad_input
def test_a_refused_argument_names_no_function_that_did_not_run() -> None:
    raised, names = cpp_frames(lambda: get("price")(5, "b"))
    assert str(raised) == "testing.price: argument arg0: expected Dict[str, float], got int (5)"
    assert names == []


def test_a_refused_argument_of_a_call_in_cpp_names_the_caller() -> None:
    _, names = cpp_frames(lambda: get("calls_price")(tain.get_global_func("testing.third")))
    assert names == ["testing.calls_price"]


def test_what_python_asked_for_itself_names_no_function() -> None:
    assert cpp_frames(lambda: tain.List([1])[4])[1] == []
    assert cpp_frames(lambda: tain.Dict()["x"])[1] == []
