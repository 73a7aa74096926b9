# SPDX-License-Identifier: Apache-2.0
"""Exceptions of errors: classes, texts, files, the frames of C++."""

from __future__ import annotations

import builtins
import copy
import pickle
import traceback
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Throws
from testing_functions import get

import tain

RAISE, APPLY = get("test_raise_error"), get("apply")


def test_a_key_error_shows_its_key() -> None:
    with pytest.raises(KeyError) as caught:
        RAISE("KeyError", "key")
    assert caught.value.args == ("key",)


@pytest.mark.parametrize("message", ["", "ä€😀", "a\nb\nc", "x" * 10_000, "%s %d {}", "\udc80"])
def test_messages(message: str) -> None:
    with raises(ValueError, message):
        RAISE("ValueError", message)


STANDARD = {  # exception of the standard library: (class, text)
    "logic_error": (RuntimeError, "a message"),
    "invalid_argument": (ValueError, "a message"),
    "domain_error": (ValueError, "a message"),
    "length_error": (ValueError, "a message"),
    "out_of_range": (IndexError, "a message"),
    "runtime_error": (RuntimeError, "a message"),
    "range_error": (OverflowError, "a message"),
    "overflow_error": (OverflowError, "a message"),
    "underflow_error": (RuntimeError, "a message"),
    "system_error": (FileNotFoundError, "[Errno 2] a message: No such file or directory"),
    "system_errno": (BlockingIOError, "[Errno 11] a message: Resource temporarily unavailable"),
    "system_unknown": (OSError, "[Errno 9999] a message: Unknown error 9999"),
    "stream_failure": (RuntimeError, "a message: iostream error"),
    "bad_alloc": (MemoryError, "out of memory"),
    "bad_cast": (TypeError, "std::bad_cast"),
    "bad_any_cast": (TypeError, "bad any_cast"),
    "bad_function_call": (RuntimeError, "bad_function_call"),
    "bad_optional_access": (RuntimeError, "bad optional access"),
    "exception": (RuntimeError, "an odd exception"),
}


@pytest.mark.parametrize("name", STANDARD)
def test_standard_exceptions(name: str) -> None:
    cls, text = STANDARD[name]
    with pytest.raises(cls) as caught:
        get("throw_std")(name)
    assert type(caught.value) is cls
    assert str(caught.value) == text


MISSING, DENIED = "[Errno 2] No such file or directory", "[Errno 13] Permission denied"


@pytest.mark.parametrize(
    ("name", "path", "cls", "text"),
    [
        ("filesystem", "", FileNotFoundError, MISSING),
        ("filesystem_path", "/x", FileNotFoundError, f"{MISSING}: '/x'"),
        ("filesystem_path", "it's", FileNotFoundError, f'{MISSING}: "it\'s"'),
        ("filesystem_path", "a\\'\"\n\udc80ä", FileNotFoundError, None),
        ("filesystem_path", "x': 'y' -> 'z", FileNotFoundError, None),
        ("filesystem_paths", "a b", PermissionError, f"{DENIED}: 'a b' -> 'a b/b'"),
    ],
)
def test_errors_of_files(name: str, path: str, cls: type[OSError], text: str | None) -> None:
    with pytest.raises(cls) as caught:
        get("throw_of_files")(name, path)
    error = caught.value
    second = path + "/b" if name == "filesystem_paths" else None
    assert (type(error), error.filename, error.filename2) == (cls, path or None, second)
    assert f"[Errno {error.errno}] {error.strerror}" in (MISSING, DENIED)
    same = OSError(
        error.errno, error.strerror, *([path] if path else []), *([None, second] if second else [])
    )
    assert str(error) == str(same)
    assert text is None or str(error) == text
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.filename) == (cls, str(error), error.filename)


def test_an_error_of_files_without_errno() -> None:
    with pytest.raises(OSError, match="filesystem error: read: iostream error") as caught:
        get("throw_of_files")("filesystem_other")
    assert (type(caught.value), caught.value.errno) == (OSError, None)


@pytest.mark.parametrize(
    "message", ["[Errno 2] gone: 'a'", "[Errno 2] gone", "[Errno 99999999999] gone", "[Errno "]
)
@pytest.mark.parametrize("kind", ["OSError", "PermissionError", "ValueError"])
def test_no_errno_is_read_out_of_a_message(kind: str, message: str) -> None:
    cls = getattr(builtins, kind)
    with pytest.raises(cls) as caught:
        RAISE(kind, message)
    assert (type(caught.value), str(caught.value)) == (cls, message)
    assert getattr(caught.value, "errno", None) is None
    assert getattr(caught.value, "filename", None) is None


@pytest.mark.parametrize(
    ("kind", "type_"), [("int", "int"), ("text", "char const*"), ("string", "std::")]
)
def test_what_is_no_exception(kind: str, type_: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        get("throw_odd")(kind)
    assert type(caught.value) is RuntimeError
    assert str(caught.value).startswith(f"C++ exception of type {type_}")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Throws(42), RuntimeError, "C++ exception of type int"),
        (lambda: Throws(1), RuntimeError, "a constructor that throws"),
        (lambda: Throws(7).checked, RuntimeError, "C++ exception of type int"),
        (lambda: Throws(7).get(), RuntimeError, "C++ exception of type int"),
        (lambda: Throws(101).checked, KeyError, "'no such value'"),
        (
            lambda: setattr(Throws(2), "checked", -1),
            ValueError,
            "Check failed: (v >= 0) is false: not negative",
        ),
        (
            lambda: get("check_positive")(-1),
            ValueError,
            "Check failed: x > 0 (-1 vs. 0) x must be positive",
        ),
        (
            lambda: get("fail_check")(),
            ValueError,
            "Check failed: (1 + 1 == 3) is false: arithmetic",
        ),
    ],
)
def test_constructors_getters_and_checks(call, error: type, text: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert (type(caught.value), str(caught.value)) == (error, text)


def test_the_traceback_holds_the_throw_site() -> None:
    with raises(RuntimeError, "at the bottom") as caught:
        get("throw_deep")(3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[0].name == "test_the_traceback_holds_the_throw_site"
    assert frames[-1].filename.endswith("tests/testing_lib/errors.cc")
    assert "Deep" in frames[-1].name
    assert frames[-1].lineno
    assert sum("Deep" in frame.name for frame in frames) >= 1


@pytest.mark.parametrize(
    ("call", "function"),
    [
        (lambda: get("throw_std")("out_of_range"), "testing.throw_std"),
        (lambda: get("throw_std")("bad_alloc"), "testing.throw_std"),
        (lambda: get("throw_std")("system_error"), "testing.throw_std"),
        (lambda: get("throw_std")("invalid_argument", message="m"), "testing.throw_std"),
        (lambda: APPLY(APPLY, get("throw_std"), "runtime_error"), "testing.throw_std"),
        (lambda: get("throw_odd")("int"), "testing.throw_odd"),
        (lambda: get("throw_cycle")(1), "testing.throw_cycle"),
        (lambda: Throws(7).get(), "testing.Throws.get"),
        (lambda: Throws(7).checked, "testing.Throws.checked"),
        (lambda: Throws(42), "testing.Throws"),
        (lambda: get("thrower")()(), "<unnamed function>"),
    ],
)
def test_an_exception_that_says_no_place_names_the_function_that_it_left(
    call: Any, function: str
) -> None:
    with pytest.raises(Exception) as caught:
        call()
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.name) == ("<C++>", function)
    shown = "".join(traceback.format_exception(caught.value))
    assert f'  File "<C++>", line 0, in {function}\n' in shown
    names = [each.name for each in traceback.extract_tb(caught.value.__traceback__)]
    assert names.count(function) == 1


def test_cpp_sees_which_function_an_exception_left() -> None:
    text = get("backtrace_of")(tain.get_global_func("testing.throw_odd"))
    assert text == '  File "<C++>", line 0, in testing.throw_odd\n'


def test_exceptions_pickle() -> None:
    raised = []
    for call in (
        lambda: RAISE("Unheard", "a message"),
        lambda: get("fail_internal")(),
        lambda: RAISE("KeyError", "key"),
        lambda: get("check_positive")(-1),
    ):
        with pytest.raises(Exception) as caught:
            call()
        raised.append(caught.value)
    for error in raised:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.args) == (type(error), error.args)
        assert getattr(again, "kind", None) == getattr(error, "kind", None)
        assert copy.copy(error).args == error.args


@pytest.mark.parametrize(("name", "most"), [("deep", 200), ("nested", 200), ("tree", 20)])
def test_functions_that_recurse_have_a_bound(name: str, most: int) -> None:
    recurse = get("make_tree" if name == "tree" else f"throw_{name}")
    with pytest.raises(ValueError, match=f"^expected a depth of at most {most}, got {10**9}$"):
        recurse(10**9)
