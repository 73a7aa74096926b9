# SPDX-License-Identifier: Apache-2.0
"""What C++ sees of an exception."""

from __future__ import annotations

import pytest
from testing_functions import get

import tain

CAUGHT, APPLY = get("caught"), get("apply")


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


def test_exceptions_as_values() -> None:
    error = Mine("value")
    assert get("echo")(error) is error
    assert tain.convert([error])[0] is error
