# SPDX-License-Identifier: Apache-2.0
"""Which exception class belongs to a kind of errors, and which kind to a class."""

from __future__ import annotations

import builtins

import pytest
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
