# SPDX-License-Identifier: Apache-2.0
"""Calls: arguments of every kind, what is wrong with them, callbacks."""

from __future__ import annotations

import pytest
from errors import raises
from tain.types.testing import Point
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
    with raises(TypeError, f"testing.sum{n}() takes {n} argument{plural} but {given} given"):
        SUMS[n](*range(n + 1))
    for few in range(n):
        with pytest.raises(TypeError) as caught:
            SUMS[n](*range(few))
        names = ", ".join(f"'{name}'" for name in NAMES[few:n])
        plural = "" if n - few == 1 else "s"
        assert str(caught.value) == f"testing.sum{n}() missing argument{plural} {names}"


def test_a_dict_of_functions() -> None:
    functions = get("echo")({"one": lambda: 1, "add": get("add_one"), "self": Point.norm})
    assert functions["one"]() == 1
    assert functions["add"](5) == 6
    assert functions["self"](Point(3, 4)) == 5.0


# ---------------------------------------------------------------- callbacks


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


@pytest.mark.bad_input
def test_what_cannot_be_called() -> None:
    for wrong, given in ((5, "int (5)"), (None, "None"), ("x", "str ('x')")):
        with raises(TypeError, f"Function(): expected a callable, got {given}"):
            tain.Function(wrong)
    with raises(TypeError, "Function() takes no keyword arguments"):
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
    with raises(TypeError, "testing.Palette.count: argument 0: expected int, got str ('x')"):
        palette.count("x")
    with raises(
        TypeError, "testing.Palette.count: expected testing.Palette as self, got testing.Point"
    ):
        type(palette).count(Point(1, 2), 3)
