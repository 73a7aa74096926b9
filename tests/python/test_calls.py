# SPDX-License-Identifier: Apache-2.0
"""Calls: arguments of every kind, what is wrong with them, callbacks."""

from __future__ import annotations

import re
import threading
import time
import traceback

import numpy as np
import pytest
from tain.types.testing import Point, Vector
from testing_functions import get

import tain

NAMES = "abcdefgh"
SUMS = [get(f"sum{n}") for n in range(9)]


@pytest.mark.parametrize("n", range(9))
def test_every_number_of_arguments(n: int) -> None:
    assert SUMS[n](*range(n)) == sum(range(n))
    assert SUMS[n](**dict(zip(NAMES, range(n), strict=False))) == sum(range(n))
    for given in range(n):
        rest = dict.fromkeys(NAMES[given:n], 10)
        assert SUMS[n](*[1] * given, **rest) == given + 10 * (n - given)


@pytest.mark.bad_input
@pytest.mark.parametrize("n", range(9))
def test_too_many_and_too_few(n: int) -> None:
    plural = "" if n == 1 else "s"
    given = "1 was" if n == 0 else f"{n + 1} were"
    with pytest.raises(TypeError) as caught:
        SUMS[n](*range(n + 1))
    assert str(caught.value) == f"testing.sum{n}() takes {n} argument{plural} but {given} given"
    for few in range(n):
        with pytest.raises(TypeError) as caught:
            SUMS[n](*range(few))
        names = ", ".join(f"'{name}'" for name in NAMES[few:n])
        plural = "" if n - few == 1 else "s"
        assert str(caught.value) == f"testing.sum{n}() missing argument{plural} {names}"


GREET, SCALE, SUM_FROM = get("greet"), get("scale"), get("sum_from")
CALLS = [  # (function, arguments, keywords, result)
    (GREET, ("a",), {}, "hello, a!"),
    (GREET, ("a", "hi"), {}, "hi, a!"),
    (GREET, ("a",), {"punctuation": "?"}, "hello, a?"),
    (GREET, (), {"punctuation": "?", "name": "b", "greeting": "hi"}, "hi, b?"),
    (SCALE, (3,), {}, 6),
    (SCALE, (3, 4), {}, 12),
    (SCALE, (3,), {"negate": True}, -6),
    (SCALE, (), {"negate": True, "factor": 5, "x": 1}, -5),
    (SUM_FROM, (1,), {}, 1),
    (SUM_FROM, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), {}, 55),
    (SUM_FROM, (), {"start": 4}, 4),
    (get("positional"), (1, 2), {}, 3),
    (get("optional_text"), (), {}, None),
    (get("optional_text"), ("x",), {}, "x"),
    (get("default_any"), (), {}, 1.5),
    (get("default_any"), (None,), {}, None),
    (get("packed_count"), (), {}, 0),
    (get("packed_count"), tuple(range(100)), {}, 100),
    (get("packed_last"), (1, "two", None, 4.0), {}, 4.0),
    (get("packed_last"), (), {}, None),
    (get("apply"), (lambda *a: len(a), *range(20)), {}, 20),
]


@pytest.mark.parametrize(("function", "args", "keywords", "result"), CALLS)
def test_arguments(function, args: tuple, keywords: dict, result: object) -> None:
    assert function(*args, **keywords) == result


UNNAMED = (
    "takes no keyword arguments: its parameters have no names; the C++ author gives them with "
    'tain::arg("name")'
)
WRONG_CALLS = [
    ("greet", (), {}, "testing.greet() missing argument 'name'"),
    ("greet", (), {"greeting": "b"}, "testing.greet() missing argument 'name'"),
    ("greet", (1, 2, 3, 4), {}, "testing.greet() takes 1 to 3 arguments but 4 were given"),
    ("greet", (5,), {}, "testing.greet: argument name: expected str, got int (5)"),
    ("greet", ("a",), {"name": "b"}, "testing.greet() got multiple values for argument 'name'"),
    (
        "greet",
        ("a",),
        {"puncuation": "?"},
        "testing.greet() got an unexpected keyword argument 'puncuation'. "
        "Did you mean 'punctuation'?",
    ),
    (
        "greet",
        ("a",),
        {"something else": 1},
        "testing.greet() got an unexpected keyword argument 'something else'",
    ),
    (
        "greet",
        ("a",),
        {"\udc80": 1},
        "testing.greet() got an unexpected keyword argument '\udc80'",
    ),
    ("scale", (3, 4, True), {}, "testing.scale() takes 2 positional arguments but 3 were given"),
    ("scale", (3,), {"negate": 3}, "testing.scale: argument negate: expected bool, got int (3)"),
    ("scale", (), {"negate": True}, "testing.scale() missing argument 'x'"),
    ("sum_from", (), {}, "testing.sum_from() missing argument 'start'"),
    (
        "sum_from",
        (1,),
        {"rest": 3},
        "testing.sum_from() got an unexpected keyword argument 'rest'",
    ),
    (
        "sum_from",
        (1, 2, 3),
        {"start": 3},
        "testing.sum_from() got multiple values for argument 'start'",
    ),
    ("positional", (), {"a": 1}, "testing.positional() " + UNNAMED),
    ("positional", (1,), {"arg1": 1}, "testing.positional() " + UNNAMED),
    ("positional", (1,), {}, "testing.positional() takes 2 arguments but 1 was given"),
    ("packed_count", (1,), {"a": 1}, "testing.packed_count() takes no keyword arguments"),
    ("nop", (1,), {}, "testing.nop() takes 0 arguments but 1 was given"),
    ("nop", (), {"a": 1}, "testing.nop() got an unexpected keyword argument 'a'"),
    ("sum2", (1, None), {}, "testing.sum2: argument b: expected int, got None"),
    ("sum2", (1,), {"b": "x"}, "testing.sum2: argument b: expected int, got str ('x')"),
    (
        "apply",
        (5,),
        {},
        "testing.apply: argument f: expected Callable[..., Any] | None, got int (5)",
    ),
    ("echo_bool", (1,), {}, "testing.echo_bool: argument x: expected bool, got int (1)"),
    (
        "echo_array_int",
        ([1, "x"],),
        {},
        "testing.echo_array_int: argument x[1]: expected int, got str ('x')",
    ),
    (
        "echo_array_array_int",
        ([[1], [2, "x"]],),
        {},
        "testing.echo_array_array_int: argument x[1][1]: expected int, got str ('x')",
    ),
    (
        "echo_map_str_int",
        ({"a": "b"},),
        {},
        "testing.echo_map_str_int: argument x[\"a\"]: expected int, got str ('b')",
    ),
    (
        "echo_map_str_int",
        ({1: 1},),
        {},
        "testing.echo_map_str_int: argument x key: expected str, got int (1)",
    ),
    (
        "echo_tuple_int_str",
        ((1,),),
        {},
        "testing.echo_tuple_int_str: argument x: expected tuple[int, str] of 2 elements, got 1",
    ),
    (
        "echo_variant_int_str",
        (1.5,),
        {},
        "testing.echo_variant_int_str: argument x: expected int | str, got float (1.5)",
    ),
    (
        "echo_point",
        (Vector(1, 2),),
        {},
        "testing.echo_point: argument x: expected testing.Point, got testing.Vector",
    ),
    (
        "echo_point_ref",
        (None,),
        {},
        "testing.echo_point_ref: argument x: expected testing.Point, got None",
    ),
    (
        "echo_object",
        (5,),
        {},
        "testing.echo_object: argument x: expected Object | None, got int (5)",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "args", "keywords", "text"), WRONG_CALLS)
def test_wrong_arguments(name: str, args: tuple, keywords: dict, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        get(name)(*args, **keywords)
    assert str(caught.value) == text


def test_default_factories_run_for_each_call() -> None:
    serial = get("serial")
    first = serial()
    assert (serial(), serial(), serial(5), serial()) == (first + 1, first + 2, 5, first + 3)


WIDTHS = [("int", 8), ("int", 16), ("int", 32), ("int", 64), ("uint", 8), ("uint", 16),
          ("uint", 32), ("uint", 64)]  # fmt: skip


@pytest.mark.bad_input
@pytest.mark.parametrize(("kind", "bits"), WIDTHS)
def test_ranges_of_integers(kind: str, bits: int) -> None:
    echo = get(f"echo_{kind}{bits}")
    low = -(2 ** (bits - 1)) if kind == "int" else 0
    high = 2 ** (bits - 1) - 1 if kind == "int" else 2**bits - 1
    for value in (low, low + 1, 0, high - 1, high):
        assert echo(value) == value
    for value in (low - 1, high + 1, 2**70, -(2**70)):
        with pytest.raises(OverflowError) as caught:
            echo(value)
        where = f"testing.echo_{kind}{bits}: argument x: expected int in {low}..{high}"
        assert str(caught.value) == f"{where}, got {value}"


ECHOED = [
    None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**1000, -(2**1000),
    0.0, 1.5, 1e300, float("inf"), "", "seven77", "eight888", "ä" * 100, "a\0b", "\0" * 20,
    "\udc80", "\ud800 and more text", "😀" * 3, b"", b"\0\xff", b"x" * 100,
]  # fmt: skip


@pytest.mark.parametrize("value", ECHOED, ids=lambda value: repr(value)[:20])
def test_values_come_back(value: object) -> None:
    result = get("echo")(value)
    assert result == value
    assert type(result) is type(value)
    assert get("apply")(lambda x: x, value) == value


BUFFERS = [
    (bytearray(b"abc"), b"abc"),
    (bytearray(b"x" * 50), b"x" * 50),
    (memoryview(b"abcdefghijkl"), b"abcdefghijkl"),
    (memoryview(b"abcdef")[::2], b"ace"),
    (memoryview(b""), b""),
]


@pytest.mark.parametrize(("value", "expected"), BUFFERS)
def test_buffers_arrive_as_bytes(value: object, expected: bytes) -> None:
    for name in ("echo", "echo_bytes"):
        result = get(name)(value)
        assert result == expected
        assert type(result) is bytes
    assert get("apply")(lambda x: x, value) == expected


@pytest.mark.parametrize("type_", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_numpy_integers_are_exact(type_: type) -> None:
    info = np.iinfo(type_)
    for value in (info.min, 0, info.max):
        result = get("echo")(type_(value))
        assert (result, type(result)) == (int(value), int)
        if info.max <= 2**63 - 1:
            assert get("echo_int64")(type_(value)) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [(np.float32(0.5), 0.5), (np.float64(0.1), 0.1), (np.float16(2), 2.0), (np.bool_(True), True)],
)
def test_numpy_floats_and_bools(value: np.generic, expected: object) -> None:
    result = get("echo")(value)
    assert (result, type(result)) == (expected, type(expected))


def test_sequences_arrive_as_containers() -> None:
    echo = get("echo")
    for value, type_ in [((), tain.Array), ([1, [2]], tain.Array), ({"a": (1,)}, tain.Map)]:
        assert isinstance(echo(value), type_)
    assert echo([1, [2, "x"]]) == [1, [2, "x"]]
    pair = [1]
    same = echo([pair, pair])
    assert same[0] == same[1] == [1]


def test_other_python_objects_pass_through() -> None:
    echo = get("echo")
    for value in (object(), {1, 2}, 1 + 2j, ..., range(3), Exception("x"), iter([])):
        assert echo(value) is value


def test_functions_return_functions() -> None:
    add = get("make_adder")(3)
    assert isinstance(add, tain.Function)
    assert add(4) == 7
    with pytest.raises(TypeError, match=r"^argument 0: expected int, got str \('x'\)$"):
        add("x")
    with pytest.raises(TypeError, match=r"^the function takes 1 argument but 0 were given$"):
        add()
    curried = get("echo_function")(lambda a: lambda b: lambda c: a + b + c)
    assert curried(1)(2)(3) == 6


def test_a_dict_of_functions() -> None:
    functions = get("echo")({"one": lambda: 1, "add": get("add_one"), "self": Point.norm})
    assert functions["one"]() == 1
    assert functions["add"](5) == 6
    assert functions["self"](Point(3, 4)) == 5.0


def test_the_same_function_is_one_object() -> None:
    assert get("echo") is get("echo")
    add = get("make_adder")(1)
    assert get("echo")(add) is add


# ---------------------------------------------------------------- callbacks


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
    with pytest.raises(ValueError, match="no callback is stored"):
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


@pytest.mark.bad_input
@pytest.mark.parametrize("how", ["apply", "kwargs", "overload", "pass_error"])
def test_recursion_through_every_kind_of_call(how: str) -> None:
    """Both languages deep in each other: RecursionError, and all goes on after it."""
    apply, call_with, pass_error = get("apply"), get("call_with"), get("pass_error")
    steps = {
        "apply": lambda: apply(forever),
        "kwargs": lambda: call_with(forever, x=1),
        "overload": lambda: get("recurse")(forever),
        "pass_error": lambda: pass_error(forever, "rethrow"),
    }

    def forever(x: int = 0) -> None:
        steps[how]()

    for _ in range(2):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            forever()
    assert apply(lambda: 1) == 1


RECURSIONS = {
    "a callback": "apply(again)",
    "a callable object": "apply(Callable())",
    "an override": "actor.introduce()",
}


@pytest.mark.bad_input
@pytest.mark.parametrize("limit", [1000, 100_000])
@pytest.mark.parametrize("how", RECURSIONS)
def test_recursion_ends_before_the_stack(how: str, limit: int, run) -> None:
    out = run(f"""
        import sys, threading
        import tain
        from tain.types.testing import Actor
        apply = tain.get_global_func("testing.apply")
        class Callable:
            def __call__(self):
                return again()
        class Loop(Actor):
            def greet(self, whom):
                return again()
        actor = Loop()
        def again():
            return {RECURSIONS[how]}
        def main():
            sys.setrecursionlimit({limit})
            try:
                again()
            except RecursionError as error:
                print("nearly used up" in str(error))
        main()
        for size in (256 * 1024, 2 * 1024 * 1024):
            threading.stack_size(size)
            thread = threading.Thread(target=main)
            thread.start()
            thread.join()
        """)
    said = out.split()
    assert len(said) == 3
    assert "True" in said


def test_typed_functions() -> None:
    typed = get("echo_typed_function")(lambda x: x + 1)
    assert typed(5) == 6


# ---------------------------------------------------------------- without the lock


def test_release_gil_lets_others_run() -> None:
    sleep, ticks = get("sleep"), []
    thread = threading.Thread(target=sleep, args=(0.5,))
    start = time.perf_counter()
    thread.start()
    while thread.is_alive():
        ticks.append(1)
        time.sleep(0.001)
    assert len(ticks) > 10
    assert time.perf_counter() - start < 10


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


def test_objects_are_dropped_in_other_threads() -> None:
    get("drop_in_thread")(Point(1, 2)._move())

    class Child(Point):
        pass

    child = Child(1, 2)
    child.note = "kept"
    get("drop_in_thread")(child)
    assert child.note == "kept"
    assert child.x == 1.0


def test_arguments_live_through_a_call_without_the_lock() -> None:
    started = threading.Event()
    result = []

    def wait(point: Point) -> float:
        started.set()
        time.sleep(0.05)
        return point.x

    holder = [Point(7, 8)]
    thread = threading.Thread(
        target=lambda: result.append(get("call_in_thread")(wait, holder.pop()))
    )
    thread.start()
    started.wait(5)
    thread.join()
    assert result == [7.0]


@pytest.mark.bad_input
def test_what_cannot_be_called() -> None:
    for wrong in (5, None, "x"):
        with pytest.raises(TypeError, match=re.escape("Function(): expected a callable, got")):
            tain.Function(wrong)
    with pytest.raises(TypeError, match=re.escape("Function() takes no keyword arguments")):
        tain.Function(f=len)
    with pytest.raises(TypeError, match=r"^type 'tain\.Function' is not an acceptable base type$"):
        type("Child", (tain.Function,), {})


def test_functions_that_were_there_before_their_registration() -> None:
    assert get("ready_twice")(21) == 42
    assert (get("ready_twice").__doc__ or "").endswith("Twice a number.")
    assert get("paint_again").same_as(get("paint"))
    palette = tain.types.testing.Palette()
    assert type(palette).twice(4) == 8
    assert (palette.count(1), palette.count(n := 2)) == (1, n)
    assert palette.paint() == 1
    assert palette.paint(2) == 2
    assert palette.paint(color=4, keep=True) == 2
    assert palette.paint(color=4) == 4
    assert get("paint")(palette, 1) == 1
    assert "Paints." in (palette.paint.__doc__ or "")
    with pytest.raises(TypeError, match="argument 0: expected int, got str"):
        palette.count("x")
    with pytest.raises(TypeError, match=r"expected testing\.Palette as self, got testing\.Point"):
        type(palette).count(Point(1, 2), 3)
