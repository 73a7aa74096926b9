# SPDX-License-Identifier: Apache-2.0
"""The traceback of an error that libtain throws names the C++ function that asked for it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

import pytest
from testing_functions import get

import tain
from tain.types import testing as T


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


REFUSED = {
    "an argument": lambda: get("price")(5, "b"),
    "a part of an argument": lambda: get("third")([1, "x"]),
    "a missing argument": lambda: T.Point(),
    "a keyword": lambda: T.Point(x=1, z=2),
    "too many": lambda: T.Point(1, 2, 3),
    "a receiver": lambda: T.Point.norm(3),
    "a field": lambda: setattr(T.Point(1), "x", "a"),
    "an overload": lambda: T.Length("a", "b", "c"),
    "an index": lambda: tain.List([1])[4],
    "a value": lambda: tain.List([1]).remove(5),
    "a container": lambda: tain.Map(3),
    "a path": lambda: tain.load_library(3),
    "a limit": lambda: tain.to_text(1, limit="a"),
    "a name": lambda: tain.register_global_func(3),
    "a module": lambda: __import__("tain.types.no_such"),
}


@pytest.mark.bad_input
@pytest.mark.parametrize("name", REFUSED)
def test_the_traceback_of_a_refusal_ends_at_the_line_of_the_user(name: str) -> None:
    with pytest.raises((TypeError, IndexError, ValueError, ImportError)) as caught:
        REFUSED[name]()
    entries = traceback.extract_tb(caught.value.__traceback__)
    files = {entry.filename for entry in entries[1:]}
    if sys.version_info < (3, 11):  # it keeps one entry of the package
        files = {file for file in files if "/tain/" not in file}
    assert files == {__file__}


def test_all_frames_are_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAIN_BACKTRACE", "1")
    with pytest.raises(TypeError) as caught:
        tain.load_library(3)  # type: ignore[arg-type]
    assert len(traceback.extract_tb(caught.value.__traceback__)) > 2
    with pytest.raises(TypeError) as caught:
        get("price")(5, "b")
    assert len(traceback.extract_tb(caught.value.__traceback__)) > 2


def test_what_python_asked_for_itself_names_no_function() -> None:
    assert cpp_frames(lambda: tain.List([1])[4])[1] == []
    assert cpp_frames(lambda: tain.Dict()["x"])[1] == []
