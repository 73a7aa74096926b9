# SPDX-License-Identifier: Apache-2.0
"""The forms in which C++ parameters ask for Python values: tain's, an author's, a class's."""

from __future__ import annotations

import decimal

import numpy as np
import pytest
from errors import raises
from testing_functions import get

from tain.types import testing as t


def test_custom_types() -> None:
    for value in (1 + 2j, np.complex64(1j), 3, 0.5, decimal.Decimal(1)):
        result = get("echo_complex")(value)
        assert (type(result), result) == (complex, complex(value))
    assert get("echo_complexes")([1j, 2]) == [1j, 2 + 0j]
    assert get("echo_rgb")() == "#0102ff"
    assert get("echo_rgb")("#102030") == "#102030"
    assert get("call_with_rgb")(lambda colour: colour + "!") == "#000000!"
    paint = t.Paint(colour="#010203")
    paint.phase = 3j
    assert (paint.colour, paint.phase) == ("#010203", 3j)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("complex", "x", "argument x: expected complex, got str ('x')"),
        ("complexes", [1, None], "argument x[1]: expected complex, got None"),
        ("rgb", 5, "argument x: expected str, got int (5)"),
    ],
)  # fmt: skip
def test_custom_types_refuse(name: str, value: object, text: str) -> None:
    with raises(TypeError, f"testing.echo_{name}: {text}"):
        get(f"echo_{name}")(value)


@pytest.mark.bad_input
def test_a_custom_type_raises_what_it_likes() -> None:
    text = "testing.echo_rgb: argument x: a colour is written #rrggbb, got red"
    with raises(ValueError, text):
        get("echo_rgb")("red")


class Celsius:
    def __init__(self, degrees: object) -> None:
        self.degrees = degrees

    def __tain_convert__(self) -> object:
        return self.degrees


class Called(Celsius):
    def __call__(self) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("double", Celsius(21.5), 21.5),
        ("echo", Celsius("a text that is long enough"), "a text that is long enough"),
        ("echo", Celsius(Celsius([1])), [1]),
        ("echo", Celsius(None), None),
        ("array_double", [Celsius(1), 2], [1.0, 2.0]),
        ("std_map_str_int", {"a": Celsius(1)}, {"a": 1}),
        ("int8", Called(5), 5),
    ],
)
def test_classes_that_convert_themselves(name: str, value: object, expected: object) -> None:
    echo = get(name if name == "echo" else f"echo_{name}")
    assert echo(value) == expected
    assert get("apply")(lambda: value) == get("echo")(value)


def test_what_is_built_in_comes_first() -> None:
    class Number(int):
        def __tain_convert__(self) -> object:
            raise AssertionError

    assert get("echo")(Number(5)) == 5

    class Plain:
        pass

    holder = Plain()
    holder.__tain_convert__ = lambda: 5  # the class is asked, as for every special method
    assert get("echo")(holder) is holder


class Boxed:
    def __init__(self, content: object) -> None:
        self.content = content

    def asobject(self) -> object:
        return self.content


def test_asobject_is_an_alias() -> None:
    assert get("echo_double")(Boxed(21.5)) == 21.5
    assert get("echo")(Boxed(Celsius(Boxed([1])))) == [1]

    class Both(Boxed):
        def __tain_convert__(self) -> object:
            return "first"

    assert get("echo")(Both("second")) == "first"
    own = Boxed(None)
    own.content = own
    where = "Boxed.asobject(): expected the value to pass instead"
    with raises(TypeError, f"{where}, got the object itself"):
        get("echo")(own)
    own.content = Celsius(own)
    with pytest.raises(RecursionError):
        get("echo")(own)
    own.content = None


@pytest.mark.bad_input
def test_classes_that_convert_themselves_wrongly() -> None:
    own = Celsius(None)
    own.degrees = own
    with pytest.raises(TypeError) as caught:
        get("echo")(own)
    where = "Celsius.__tain_convert__(): expected the value to pass instead"
    assert str(caught.value) == f"{where}, got the object itself"
    with raises(TypeError, f"{where}, got NotImplemented"):
        get("echo")(Celsius(NotImplemented))
    own.degrees = Celsius(own)
    with pytest.raises(RecursionError):
        get("echo")(own)
    own.degrees = [own]
    with pytest.raises(RecursionError):
        get("echo")(own)
    with raises(TypeError, "testing.echo_int8: argument x: expected int, got str ('x')"):
        get("echo_int8")(Celsius("x"))

    class Fails:
        def __tain_convert__(self) -> object:
            raise LookupError("no value")

    with raises(LookupError, "no value"):
        get("echo")(Fails())
    own.degrees = None
