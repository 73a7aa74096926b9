# SPDX-License-Identifier: Apache-2.0
"""Errors that pass through both languages: the same exception, causes, tracebacks."""

from __future__ import annotations

import builtins
import sys
import traceback
from pathlib import Path

import pytest
from errors import raises
from testing_functions import get

import tain

RAISE, CAUGHT, APPLY = get("test_raise_error"), get("caught"), get("apply")


class Mine(LookupError):
    """An exception of Python that nobody registered."""


def test_cause_context_and_notes_are_kept() -> None:
    def fail() -> None:
        try:
            raise ZeroDivisionError("first")
        except ZeroDivisionError as cause:
            error = ValueError("second")
            error.__notes__ = ["a note"]
            raise error from cause

    with raises(ValueError, "second") as caught:
        APPLY(fail)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.__context__ is caught.value.__cause__
    assert caught.value.__notes__ == ["a note"]


def test_an_error_raised_while_another_is_handled_has_a_context() -> None:
    first = KeyError("first")

    def handle() -> None:
        try:
            raise first
        except KeyError:
            RAISE("ValueError", "second")

    with raises(ValueError, "second") as caught:
        handle()
    assert caught.value.__context__ is first


def test_an_exception_that_says_its_place_names_no_function() -> None:
    for call in (lambda: get("throw_deep")(1), lambda: APPLY(fail_with(ValueError("x")))):
        with pytest.raises((RuntimeError, ValueError)) as caught:
            call()
        files = [each.filename for each in traceback.extract_tb(caught.value.__traceback__)]
        assert "<C++>" not in files


def test_the_traceback_goes_through_cpp() -> None:
    def inner() -> None:
        raise ValueError("inner")

    def outer() -> None:
        APPLY(inner)

    with raises(ValueError, "inner") as caught:
        APPLY(outer)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert [name for name in names if name in ("outer", "inner")] == ["outer", "inner"]


def test_an_exception_raised_twice_keeps_its_identity() -> None:
    error = ValueError("again")

    def fail() -> None:
        raise error

    for _ in range(3):
        with raises(ValueError, "again") as caught:
            APPLY(fail)
        assert caught.value is error
    assert len(traceback.extract_tb(error.__traceback__)) < 20
    error.__traceback__ = None


def test_an_error_of_tain() -> None:
    error = tain.Error("text")
    assert (str(error), error.args) == ("text", ("text",))
    with pytest.raises(tain.Error) as caught:
        APPLY(lambda: (_ for _ in ()).throw(error))
    assert caught.value is error


def test_errors_leave_nothing_behind() -> None:
    for _ in range(100):
        with raises(ValueError, "m"):
            RAISE("ValueError", "m")
        assert CAUGHT(lambda: None) == ""


PASS = get("pass_error")


def fail_with(error: BaseException):
    def fail() -> None:
        raise error

    return fail


def frames_of(error: BaseException) -> list[str]:
    return [frame.name.rsplit("::", 1)[-1] for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize("how", ["rethrow", "copy", "later"])
def test_an_exception_that_cpp_caught_and_threw_again_is_the_same(how: str) -> None:
    error = Mine("kept")
    error.__notes__ = ["a note"]
    error.__cause__ = cause = KeyError("cause")
    error.extra = [1]
    with pytest.raises(Mine) as caught:
        PASS(fail_with(error), how)
    assert caught.value is error
    assert (error.__notes__, error.__cause__, error.extra) == (["a note"], cause, [1])
    assert frames_of(error)[1:] == ["fail"]
    error.__traceback__ = None


@pytest.mark.parametrize(
    ("how", "cls", "text"),
    [("wrap", RuntimeError, "wrapped: inner"), ("construct", KeyError, "'inner'")],
)
def test_an_error_thrown_while_cpp_handles_another_has_it_as_context(
    how: str, cls: type, text: str
) -> None:
    inner = ValueError("inner")
    with raises(cls, text) as caught:
        PASS(fail_with(inner), how)
    assert caught.value.__context__ is inner
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, False)
    assert frames_of(inner) == ["fail"]
    shown = "".join(traceback.format_exception(caught.value))
    assert "During handling of the above exception, another exception occurred" in shown
    inner.__traceback__ = None


def test_an_error_that_cpp_nested_is_the_cause() -> None:
    inner = ValueError("inner")
    with raises(RuntimeError, "outer") as caught:
        PASS(fail_with(inner), "nested")
    assert caught.value.__cause__ is inner
    inner.__traceback__ = None
    with raises(RuntimeError, "level 2") as caught:
        get("throw_nested")(2)
    chain, at = [], caught.value
    while at is not None:
        chain.append(f"{type(at).__name__}: {at}")
        at = at.__cause__
    assert chain == [
        "RuntimeError: level 2",
        "RuntimeError: level 1",
        "RuntimeError: level 0",
        "ValueError: innermost",
    ]


def test_an_error_thrown_when_nothing_is_handled_has_no_context() -> None:
    assert CAUGHT(fail_with(ValueError("x"))) == "ValueError: x"
    with raises(ValueError, "y") as caught:
        RAISE("ValueError", "y")
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


def test_the_frames_of_both_languages_in_order() -> None:
    """Python, C++ without frames of its own, a callback, and the place of the throw."""

    def callback() -> None:
        get("throw_deep")(0)

    def caller() -> None:
        APPLY(callback)

    with raises(RuntimeError, "at the bottom") as caught:
        APPLY(APPLY, caller)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.name.rsplit("::", 1)[-1] for frame in frames] == [
        "test_the_frames_of_both_languages_in_order", "caller", "callback", "Deep",
    ]  # fmt: skip
    assert [frame.filename.rsplit("/", 1)[-1] for frame in frames[1:]] == [
        "test_error.py", "test_error.py", "errors.cc",
    ]  # fmt: skip
    site = frames[-1]
    # The path is the compiler's, which may be relative to the folder of its build.
    source = Path(__file__).parents[2] / "testing_lib" / "errors.cc"
    lines = source.read_text(encoding="utf-8").splitlines()
    assert "at the bottom" in lines[(site.lineno or 0) - 1]


@pytest.mark.only_if(sys.version_info >= (3, 11), reason="ExceptionGroup is new in Python 3.11")
def test_a_group_comes_back() -> None:
    group_class = vars(builtins)["ExceptionGroup"]
    group = group_class("many", [ValueError("a"), TypeError("b")])
    for how in ("rethrow", "copy"):
        with pytest.raises(group_class) as caught:
            PASS(fail_with(group), how)
        assert caught.value is group
        assert [type(each) for each in group.exceptions] == [ValueError, TypeError]
    assert CAUGHT(fail_with(group)) == "ExceptionGroup: many (2 sub-exceptions)"
    group.__traceback__ = None
