# SPDX-License-Identifier: Apache-2.0
"""Tensors that a library of apache-tvm-ffi's headers and one of tain's share, and threads.

`sides` is one library and the other one, in both orders.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

# ---------------------------------------------------------------- tensors


def test_a_tensor_is_filled_by_the_other(sides: tuple[Any, Any]) -> None:
    first, second = sides
    made = first.zeros(4)
    assert (second.sum(made), tuple(made.shape)) == (0, (4,))
    second.fill(made, 2.5)
    assert first.sum(made) == second.sum(made) == 10
    back = second.relay_tensor([first.relay_any, second.relay_tensor], made)
    assert np.from_dlpack(back).tolist() == [2.5] * 4
    assert np.from_dlpack(back).ctypes.data == np.from_dlpack(made).ctypes.data


def test_memory_lives_as_long_as_a_view_of_it(sides: tuple[Any, Any]) -> None:
    first, second = sides
    view = np.from_dlpack(second.relay_tensor([], first.zeros(3)))
    gc.collect()
    assert first.alive()[1] == 1
    second.fill(view, 1)
    assert view.tolist() == [1, 1, 1]
    del view
    gc.collect()
    assert first.alive()[1] == 0


def test_a_dlpack_tensor_is_taken_over_by_the_other(sides: tuple[Any, Any]) -> None:
    first, second = sides
    taken = second.from_dlpack(first.to_dlpack(first.zeros(3)))
    first.fill(taken, 4)
    assert second.sum(taken) == 12
    assert first.alive()[1] == 1
    del taken
    gc.collect()
    assert first.alive()[1] == 0


def test_an_array_of_numpy_is_filled(sides: tuple[Any, Any]) -> None:
    array = np.zeros(3, np.float32)
    for value, side in enumerate(sides, 1):
        side.fill(array, value)
        assert array.tolist() == [value] * 3


def test_memory_is_lent_for_a_call(sides: tuple[Any, Any]) -> None:
    first, second = sides
    assert first.lend(second.sum) == 6
    assert first.lend(lambda tensor: second.sum(tensor)) == 6


# ---------------------------------------------------------------- threads


def job(first: Any, second: Any, number: int) -> None:
    """Everything once, with objects that another thread has, too."""
    text = f"a text of thread {number}"
    assert first.relay_text([second.relay_any, first.relay_text], text) == text
    made = second.made("dict", [text, 1])
    assert first.dict_step(made, "get", text, None) == 1
    assert len(first.list_all(second.made("list", list(range(50))))) == 50
    pair = first.Pair(number, text)
    assert second.get_field(pair, "name") == text
    second.set_field(pair, "other", second.Pair(1, text))
    assert first.call_method(pair, "scaled", 2) == 2 * number
    assert second.sum(first.zeros(8)) == 0
    error = ValueError(text)

    def fail() -> None:
        raise error

    with pytest.raises(ValueError, match=text) as caught:
        first.rethrow(lambda: second.rethrow(fail))
    assert caught.value is error
    assert list(second.caught(first.failing("KeyError", text))) == ["KeyError", text]
    assert second.call(first.adder(1), number) == number + 1


def run_in_threads(count: int, work: Callable[[int], None]) -> None:
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_threads_do_it_at_once(sides: tuple[Any, Any]) -> None:
    def work(number: int) -> None:
        for _ in range(100):
            job(*sides, number)

    run_in_threads(8, work)


def test_threads_share_objects(sides: tuple[Any, Any]) -> None:
    first, second = sides
    pair, add = first.Pair(1, "a"), first.adder(0)
    counts = [side.use_count(pair) for side in sides]

    def work(number: int) -> None:
        for _ in range(100):
            assert second.relay_any([first.relay_pair, second.relay_object], pair) is pair
            second.call(add, 1)
            assert second.get_field(pair, "a") == 1

    run_in_threads(8, work)
    gc.collect()
    assert [side.use_count(pair) for side in sides] == counts
