# SPDX-License-Identifier: Apache-2.0
"""Text that C++ returns, as each of its types, and what hand-written functions leave behind."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from errors import raises
from interpreter import needs_testcapi
from testing_functions import get

TEXTS = [
    "", "a", "seven77", "eight888", "x" * 40, "x" * 300, "ä", "ä" * 100, "\udc80 and more text",
    "😀" * 3, "😀" * 300, "a\0b", "\0" * 20, "x" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("name", ["string", "view", "c_string", "object", "released"])
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text)[:20])
def test_text_comes_back(name: str, text: str) -> None:
    if name == "c_string" and "\0" in text:
        where = "testing.text_c_string: argument x"
        with raises(TypeError, f"{where}: expected str without NUL, got str ({text!r})"):
            get("text_c_string")(text)
        return
    result = get(f"text_{name}")(text)
    assert result == text
    assert type(result) is str
    assert get(f"text_{name}")(x=text) == result


def test_text_of_no_arguments_and_no_text() -> None:
    assert get("text_nullary")() == "made without arguments"
    assert get("text_or_none")() is None


def test_a_result_is_nobody_elses() -> None:
    first = get("text_string")("some text of more than seven characters")
    second = get("text_string")("some text of more than seven characters")
    assert first == second
    assert first is not second
    made_here = "".join(["some text of more than ", "seven characters"])
    assert sys.getrefcount(first) == sys.getrefcount(made_here)


@pytest.mark.bad_input
def test_functions_written_by_hand() -> None:
    by_hand = get("make_text_by_hand")()
    for _ in range(3):  # what one call leaves on the stack does not reach the next
        assert by_hand(0) is None
        assert by_hand(1) == 7
        assert by_hand(2) == "some"
        assert by_hand(3) == "some longer text"
        with raises(ValueError, "failed after it was taken"):
            by_hand(4)


@needs_testcapi
@pytest.mark.bad_input
def test_text_without_memory(run: Callable[..., str]) -> None:
    run("""
        from _testcapi import remove_mem_hooks, set_nomemory
        import tain
        echo = tain.get_global_func("testing.text_string")
        text = "x" * 40
        failed = 0
        for start in range(30):
            try:
                set_nomemory(start, start + 1)
                try:
                    result = echo(text)
                finally:
                    remove_mem_hooks()
                assert result == text
            except MemoryError:
                failed += 1
        assert failed
        assert echo(text) == text
    """)
