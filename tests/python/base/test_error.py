# SPDX-License-Identifier: Apache-2.0
"""Errors: kinds both ways, the same exception through C++, tracebacks."""

from __future__ import annotations

import builtins
import copy
import pickle
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Throws
from testing_functions import get

import tain

RAISE, CAUGHT, APPLY = get("test_raise_error"), get("caught"), get("apply")

BUILT_IN = [
    cls
    for name, cls in vars(builtins).items()
    if isinstance(cls, type) and issubclass(cls, BaseException) and cls.__name__ == name
]
# Those that are not made of one text, and what stands for them.
STAND_INS = {
    "UnicodeDecodeError": UnicodeError,
    "UnicodeEncodeError": UnicodeError,
    "UnicodeTranslateError": UnicodeError,
    "BaseExceptionGroup": tain.Error,
    "ExceptionGroup": tain.Error,
}


@pytest.mark.parametrize("cls", BUILT_IN)
def test_kinds_become_built_in_classes(cls: type[BaseException]) -> None:
    expected = STAND_INS.get(cls.__name__, cls)
    with pytest.raises(expected) as caught:
        RAISE(cls.__name__, "a message")
    assert type(caught.value) is expected
    assert str(caught.value) == ("'a message'" if cls is KeyError else "a message")
    assert getattr(caught.value, "kind", cls.__name__) == cls.__name__
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("cls", BUILT_IN)
def test_built_in_classes_become_kinds(cls: type[BaseException]) -> None:
    def fail() -> None:
        raise cls.__new__(cls, *new)

    new = ("a", [ValueError()]) if cls.__name__ in ("BaseExceptionGroup", "ExceptionGroup") else ()
    # BaseExceptionGroup makes a group of Exceptions an ExceptionGroup.
    kind = "ExceptionGroup" if new else cls.__name__
    assert CAUGHT(fail).startswith(f"{kind}: ")


def test_there_are_many_built_in_classes() -> None:
    names = {cls.__name__ for cls in BUILT_IN}
    assert {"ConnectionResetError", "TabError", "ResourceWarning", "OSError"} <= names
    assert "IOError" not in names
    with pytest.raises(tain.Error) as caught:
        RAISE("IOError", "x")
    assert caught.value.kind == "IOError"


def test_a_key_error_shows_its_key() -> None:
    with pytest.raises(KeyError) as caught:
        RAISE("KeyError", "key")
    assert caught.value.args == ("key",)


@pytest.mark.parametrize("kind", ["Unheard", "my.Kind", "", "int", "Error", "ä", "dict"])
def test_unknown_kinds(kind: str) -> None:
    with pytest.raises(tain.Error) as caught:
        RAISE(kind, "a message")
    assert (type(caught.value), caught.value.kind) == (tain.Error, kind)
    assert str(caught.value) == "a message"
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize(
    ("kind", "like"),
    [
        ("ValueEror", "'ValueError'"),
        ("Typeerror", "'TypeError'"),
        ("Od\udce9", None),
        ("dict", None),
    ],
)
def test_a_kind_that_is_like_a_class_is_noted(kind: str, like: str | None) -> None:
    for _ in range(2):
        with pytest.raises(tain.Error) as caught:
            RAISE(kind, "a message")
        notes = getattr(caught.value, "__notes__", [])
        if like is None:
            assert notes == []
        else:
            [note] = notes
            assert note.startswith(f"no exception class is registered as '{kind}'. Did you mean ")
            assert like in note


def test_a_kind_that_gets_a_class_is_noted_no_more(run) -> None:
    run("""
        import tain
        raise_error = tain.get_global_func("testing.test_raise_error")
        def notes():
            try:
                raise_error("ValueEror", "x")
            except Exception as error:
                return type(error).__name__, len(getattr(error, "__notes__", []))
        assert notes() == ("Error", 1), notes()
        tain.register_error("ValueEror", type("ValueEror", (Exception,), {}))
        assert notes() == ("ValueEror", 0), notes()
        """)


def test_internal_errors() -> None:
    with pytest.raises(tain.Error) as caught:
        get("fail_internal")()
    assert (type(caught.value).__name__, caught.value.kind) == ("InternalError", "InternalError")
    assert str(caught.value) == "Check failed: (false) is false: of the library"


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


class Mine(LookupError):
    """An exception of Python that nobody registered."""


RAISED = [  # (exception, what C++ sees)
    (ValueError("x"), "ValueError: x"),
    (KeyError("x"), "KeyError: 'x'"),
    (Mine("x"), "LookupError: x"),
    (Mine(), "LookupError: "),
    (FileNotFoundError(2, "no"), "FileNotFoundError: [Errno 2] no"),
    (ValueError("\udc80 ä"), "ValueError: \udc80 ä"),
    (SystemExit(3), "SystemExit: 3"),
    (UnicodeDecodeError("utf8", b"x", 0, 1, "r"), None),
    (StopIteration(5), "StopIteration: 5"),
]


@pytest.mark.parametrize(("error", "seen"), RAISED)
def test_what_cpp_sees_and_what_comes_back(error: BaseException, seen: str | None) -> None:
    def fail() -> None:
        raise error

    text = CAUGHT(fail)
    assert seen is None or text == seen
    for call in (lambda: APPLY(fail), lambda: APPLY(APPLY, APPLY, fail)):
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error
    error.__traceback__ = None


def test_an_exception_whose_str_fails() -> None:
    class Bad(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    def fail() -> None:
        raise Bad

    assert CAUGHT(fail).startswith("Exception: ")
    with pytest.raises(Bad):
        APPLY(fail)


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


def test_an_exception_that_says_its_place_names_no_function() -> None:
    for call in (lambda: get("throw_deep")(1), lambda: APPLY(fail_with(ValueError("x")))):
        with pytest.raises((RuntimeError, ValueError)) as caught:
            call()
        files = [each.filename for each in traceback.extract_tb(caught.value.__traceback__)]
        assert "<C++>" not in files


def test_cpp_sees_which_function_an_exception_left() -> None:
    text = get("backtrace_of")(tain.get_global_func("testing.throw_odd"))
    assert text == '  File "<C++>", line 0, in testing.throw_odd\n'


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


def test_exceptions_as_values() -> None:
    error = Mine("value")
    assert get("echo")(error) is error
    assert tain.convert([error])[0] is error


def test_an_error_of_tain() -> None:
    error = tain.Error("text")
    assert (str(error), error.args) == ("text", ("text",))
    with pytest.raises(tain.Error) as caught:
        APPLY(lambda: (_ for _ in ()).throw(error))
    assert caught.value is error


def test_a_registered_class_in_both_directions() -> None:
    @tain.register_error("TestErrorsMine")
    class Registered(ValueError):
        pass

    with pytest.raises(Registered) as caught:
        RAISE("TestErrorsMine", "m")
    assert (type(caught.value), str(caught.value)) == (Registered, "m")
    error = Registered("sent")

    def fail() -> None:
        raise error

    assert CAUGHT(fail) == "TestErrorsMine: sent"
    with pytest.raises(Registered) as caught:
        APPLY(fail)
    assert caught.value is error
    error.__traceback__ = None


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
