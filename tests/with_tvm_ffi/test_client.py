# SPDX-License-Identifier: Apache-2.0
"""A library in C that is linked with libtvm_ffi.so, as others distribute them."""

from __future__ import annotations

import inspect
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tain_tvm_ffi

import tain

HERE = Path(__file__).parent


def test_functions(client: Any) -> None:
    assert client.add(2, 3) == 5
    assert client.text() == "a text of some length"
    assert tain.get_global_func("client.add")(40, 2) == 42


def test_errors(client: Any) -> None:
    with pytest.raises(ValueError, match=r"\Ait fails\Z"):
        client.fail()
    with pytest.raises(TypeError, match=r"\Aadd: expected two integers\Z"):
        client.add(1, "a")
    assert client.try_call(client.fail) is None
    assert client.try_call(client.add, 1, 2) == 3


def test_what_a_callback_raises_comes_out_as_itself(client: Any) -> None:
    class Mine(Exception):
        pass

    mine = Mine("a")

    def fail() -> None:
        raise mine

    with pytest.raises(Mine) as caught:
        client.call(fail)
    assert caught.value is mine
    assert client.try_call(fail) is None


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, -1, 2**63 - 1, 2**200, -(2**200), True, 2.5, float("inf")),
        *("", "short", "a longer text, on the heap", "\N{SNOWMAN}", b"", b"\x00\xff", b"x" * 100),
        *([1, [2, "a"]], {"a": 1, 2: [3.5]}),
    ],
    ids=repr,
)
def test_values_come_back(client: Any, value: Any) -> None:
    back = client.echo(value)
    assert back == tain.convert(value)
    assert type(back) is type(tain.convert(value))


def test_objects_come_back_as_themselves(client: Any, point: Any) -> None:
    for one in (tain.List([1]), tain.Dict({}), point(1, 2), tain.Shape((1, 2)), client):
        assert client.echo(one) is one


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("client.add", (1, 2), 3),
        ("ffi.Array", (1, "a", None), [1, "a", None]),
        ("ffi.ArraySize", ([1, 2],), 2),
        ("ffi.ArrayGetItem", ([1, 2], 1), 2),
        ("ffi.ArrayContains", ([1, "two"], "two"), True),
        ("ffi.Map", ("a", 1, "b", 2), {"a": 1, "b": 2}),
        ("ffi.MapSize", ({"a": 1},), 1),
        ("ffi.MapCount", ({"a": 1}, "b"), 0),
        ("ffi.MapGetItem", ({"a": 1}, "a"), 1),
        ("ffi.String", ("text",), "text"),
        ("ffi.Bytes", (b"bytes",), b"bytes"),
        ("ffi.StructuralEqual", ([1], [1], False, False), True),
        ("ffi.ReprPrint", ("a",), "'a'"),
    ],
)
def test_global_functions(client: Any, name: str, arguments: tuple[Any, ...], result: Any) -> None:
    assert client.call_global(name, *arguments) == result


def test_lists_and_dicts_are_changed_in_place(client: Any) -> None:
    numbers = client.call_global("ffi.List", 1, 2, 3)
    for name, *arguments in (
        ("Append", 4),
        ("Insert", 0, 0),
        ("SetItem", 1, "one"),
        ("Erase", 2),
        ("Reverse",),
        ("ReplaceSlice", 0, 1, [7, 8]),
    ):
        client.call_global(f"ffi.List{name}", numbers, *arguments)
    assert numbers == [7, 8, 3, "one", 0]
    assert client.call_global("ffi.ListPop", numbers, 0) == 7
    client.call_global("ffi.ListEraseRange", numbers, 0, 2)
    assert numbers == ["one", 0]
    for name, place in (("SetItem", 2), ("Insert", 3), ("Erase", -1)):
        with pytest.raises(IndexError, match="is out of range for a list of 2 elements"):
            client.call_global(f"ffi.List{name}", numbers, place, *[1] * (name != "Erase"))
    entries = client.call_global("ffi.Dict", "a", 1)
    client.call_global("ffi.DictSetItem", entries, "b", 2)
    client.call_global("ffi.DictErase", entries, "a")
    assert entries == {"b": 2}


def test_a_map_is_iterated_by_a_function(client: Any) -> None:
    step = client.call_global("ffi.MapForwardIterFunctor", {"a": 1, "b": 2})
    seen = [(step(0), step(1))]
    while step(2):
        seen.append((step(0), step(1)))
    assert seen == [("a", 1), ("b", 2)]


def test_functions_with_a_state(client: Any) -> None:
    count, other = client.counter(), client.counter()
    assert [count(), count(), other()] == [1, 2, 1]


def test_what_functions_say_of_themselves(client: Any, point: Any) -> None:
    """By their JSON text: one that the runtime made, one that it did not make, and a method."""
    for function, doc in (
        (client.add, "The sum of two integers."),
        (tain.get_global_func("client.add"), "Adds."),
    ):
        assert str(inspect.signature(function)) == "(arg0: int, arg1: int, /) -> int"
        assert inspect.getdoc(function) == doc
        assert function(40, 2) == 42
        with pytest.raises(TypeError, match="add: expected two integers"):
            function(1)  # the function itself says what it takes
    assert str(inspect.signature(point.norm)) == "(self) -> int"
    assert str(inspect.signature(client.text)) == "(*args)"


def test_streams(client: Any) -> None:
    assert client.stream(7) == 7000
    assert client.stream(8) == 8000  # the first one was taken back


def test_signals(client: Any) -> None:
    assert client.signals() is None


def test_a_type(client: Any, point: Any) -> None:
    one = point(3, -4)
    assert (one.x, one.y, one.norm()) == (3, -4, 7)
    one.x = 5
    assert one.norm() == 9
    with pytest.raises(AttributeError):
        one.y = 1
    with pytest.raises(TypeError):
        one.x = "a"
    with pytest.raises(TypeError, match="Point: expected two integers"):
        point(1)
    assert inspect.getdoc(point.norm) == "The sum of the lengths."
    assert client.echo([one])[0] is one


def test_objects_are_dropped_by_containers(client: Any, point: Any) -> None:
    for _ in range(1000):
        kept = tain.List([point(1, 2)])
        assert client.call_global("ffi.ListGetItem", kept, 0) is kept[0]


def test_a_program_without_python(compiled: Callable[..., Path]) -> None:
    folders = (tain_tvm_ffi.library_path().parent, tain.libinfo.lib_dir())
    program = compiled(
        HERE / "fixtures" / "program.c",
        *(f"-Wl,-rpath,{folder}" for folder in folders),
        f"-Wl,-rpath-link,{folders[1]}",
        program=True,
    )
    done = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    assert done.stdout == "3 elements, the second is 6\nIndexError\n"


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["DeepCopy", "RecursiveHash", "RecursiveEq"])
def test_deep_values_in_a_thread_with_a_small_stack(client: Any, name: str) -> None:
    def nested() -> Any:
        deep = tain.List([])
        for _ in range(9000):
            deep = tain.List([deep])
        return deep

    values = [nested() for _ in range(2 if name == "RecursiveEq" else 1)]
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            client.call_global(f"ffi.{name}", *values)
            raised.append(None)
        except RecursionError as error:
            raised.append(error)

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert isinstance(raised[0], RecursionError)


def test_what_a_function_says_is_asked_once(client: Any) -> None:
    """A Function that nobody holds is made again; what is known of it is not."""
    for _ in range(1000):
        assert str(inspect.signature(client["add"])) == "(arg0: int, arg1: int, /) -> int"
    assert client.asked() == 1
