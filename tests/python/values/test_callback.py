# SPDX-License-Identifier: Apache-2.0
"""Callbacks: what they get, keep and raise, and results that do not fit."""

from __future__ import annotations

import threading
import traceback

import pytest
from errors import raises
from tain.types.testing import Point
from testing_functions import get


def test_callbacks_get_what_was_passed() -> None:
    seen = []
    pair = Point(1, 2)
    get("apply")(lambda *args: seen.extend(args), pair, None, True, "x", b"x", 2**80)
    assert seen[0] is pair
    assert seen[1:] == [None, True, "x", b"x", 2**80]


def test_callbacks_keep_state() -> None:
    total = 0

    def count() -> int:
        nonlocal total
        total += 1
        return total

    assert get("call_n")(count, 100) == 100
    assert total == 100


def test_a_stored_callback_lives_until_it_is_dropped() -> None:
    class Counter:
        calls = 0

        def __call__(self, by: int) -> int:
            self.calls += by
            return self.calls

    counter = Counter()
    get("store_callback")(counter)
    assert get("call_stored")(2) == 2
    del counter
    assert get("call_stored")(3) == 5
    get("drop_callback")()
    with raises(ValueError, "Check failed: (Stored().defined()) is false: no callback is stored"):
        get("call_stored")(1)


def test_exceptions_of_callbacks_are_the_same_object() -> None:
    error = KeyError("mine")

    def fail(*_: object) -> None:
        raise error

    for call in (
        lambda: get("apply")(fail),
        lambda: get("apply")(get("apply"), fail, 1),
        lambda: get("call_n")(fail, 1),
        lambda: get("call_in_thread")(fail),
        lambda: get("apply")(lambda: get("apply")(fail)),
    ):
        with pytest.raises(KeyError) as caught:
            call()
        assert caught.value is error
        frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        assert frames[-1] == "fail"
        error.__traceback__ = None


def test_recursion_through_callbacks() -> None:
    apply = get("apply")

    def down(depth: int) -> int:
        return 0 if depth == 0 else 1 + apply(down, depth - 1)

    assert down(100) == 100

    def forever() -> None:
        apply(forever)

    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        forever()


def test_callbacks_from_other_threads() -> None:
    seen = []
    get("call_in_thread")(lambda *a: seen.append((threading.get_ident(), a)), 1, "two")
    assert seen[0][0] != threading.get_ident()
    assert seen[0][1] == (1, "two")
    counts = [0] * 4

    def count(thread: int) -> None:
        counts[thread] += 1

    assert get("call_from_threads")(count, 4, 50) == 200
    assert counts == [50] * 4


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "result", "error", "message"),
    [
        ("float_result", "x", TypeError, ": expected float, got str ('x')"),
        ("vector_result", [1, 300], OverflowError, "[1]: expected int in -128..127, got 300"),
        ("vector_result", 5, TypeError, ": expected Array[int], got int (5)"),
        ("map_result", {"a": "x"}, TypeError, "[\"a\"]: expected int, got str ('x')"),
        ("map_result", {1: 1}, TypeError, ": key: expected str, got int (1)"),
    ],
)
def test_a_wrong_result_of_a_callback(name: str, result: object, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        get(name)(lambda: result)
    assert (type(caught.value), str(caught.value)) == (
        error,
        f"result of the callback <lambda>{message}",
    )


@pytest.mark.bad_input
def test_a_wrong_result_of_a_callback_in_a_container() -> None:
    assert get("sum_of_results")([lambda x: x, lambda x: 2 * x]) == 3
    with pytest.raises(OverflowError) as caught:
        get("sum_of_results")([lambda x: x, lambda x: 300])
    message = "result of the callback <lambda>: expected int in -128..127, got 300"
    assert str(caught.value) == message
