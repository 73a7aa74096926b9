# SPDX-License-Identifier: Apache-2.0
"""Every row of docs/conversions.md in both directions, and that the page has just these rows."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import math
import pathlib
from collections.abc import Callable

import conversion_rows
import numpy as np
import pytest
from conversion_rows import CLASSES, ROWS, Row
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "conversions.md"


def made(value: object) -> object:
    return value() if getattr(value, "__name__", "") == "<lambda>" else value


# ---------------------------------------------------------------- the table

TAKEN = list(conversion_rows.values())


@pytest.mark.parametrize(("row", "name", "word"), TAKEN, ids=[f"{n}-{w}" for _, n, w in TAKEN])
def test_what_a_parameter_takes_and_what_comes_back(row: Row, name: str, word: str) -> None:
    given, *rest = row.takes[word]
    expected = rest[0] if rest else given
    result = get(f"echo_{name}")(made(given))
    if callable(expected) and not isinstance(expected, type):
        assert expected(result)
    else:
        assert result == expected
    if row.gives in CLASSES:
        assert isinstance(result, CLASSES[row.gives])
    if CLASSES.get(row.gives) in (bool, int, float, str, bytes):
        assert type(result) is CLASSES[row.gives]


REFUSED = [(row, name, *pair) for row in ROWS for name in row.functions for pair in row.refuses]


@pytest.mark.bad_input
@pytest.mark.parametrize(("row", "name", "value", "text"), REFUSED)
def test_what_a_parameter_refuses(row: Row, name: str, value: object, text: str) -> None:
    kind, _, message = text.partition(": ")
    with pytest.raises((TypeError, OverflowError)) as caught:
        # A generator is used up by the first function of a row.
        get(f"echo_{name}")(value)
    argument = "color" if name == "color" else "x"
    message = f"testing.echo_{name}: argument {argument}{message}"
    assert (type(caught.value).__name__, str(caught.value)) == (kind, message)


def rows_of(page: str, title: str) -> list[str]:
    table = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    return rows[1:]


def test_the_page_has_the_rows_that_are_tested() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert rows_of(page, "The table") == [conversion_rows.page_row(row) for row in ROWS]


MOST = float(np.finfo(np.float32).max)
BEYOND = 2.0**128 - 2.0**103  # the least number that a C++ float rounds to infinity
FLOAT_RANGE = conversion_rows.FLOATS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (MOST, MOST),
        (float(np.nextafter(BEYOND, 0)), MOST),
        (-float(np.nextafter(BEYOND, 0)), -MOST),
        (int(MOST), MOST),
        (1e-300, 0.0),
        (float("inf"), float("inf")),
        (float("-inf"), float("-inf")),
        (decimal.Decimal("inf"), float("inf")),
    ],
)
def test_numbers_that_a_float_can_hold(value: float, expected: float) -> None:
    assert get("echo_float")(value) == expected
    kinds = t.AllKinds()
    kinds.f32 = value
    assert kinds.f32 == expected


def test_a_float_can_be_nan() -> None:
    assert math.isnan(get("echo_float")(float("nan")))
    assert math.isnan(get("float_result")(lambda: math.nan))


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("value", "got"),
    [
        (1e300, "1e+300"),
        (BEYOND, "3.4028235677973366e+38"),
        (-BEYOND, "-3.4028235677973366e+38"),
        (10**39, str(10**39)),
        (-(10**39), str(-(10**39))),
        (np.float64(1e39), "1e+39"),
        (decimal.Decimal("1e300"), "1e+300"),
    ],
)
def test_numbers_out_of_the_range_of_a_float(value: float, got: str) -> None:
    kinds = t.AllKinds()
    before = kinds.f32
    for where, call in (
        ("testing.echo_float: argument x", lambda: get("echo_float")(value)),
        ("AllKinds.f32", lambda: setattr(kinds, "f32", value)),
        ("result of the callback <lambda>", lambda: get("float_result")(lambda: value)),
    ):
        with raises(OverflowError, f"{where}: expected {FLOAT_RANGE}, got {got}"):
            call()
    assert kinds.f32 == before


@pytest.mark.bad_input
@pytest.mark.parametrize("text", ["a\0b", "\0", "a long enough text\0"])
def test_a_c_string_is_not_cut(text: str) -> None:
    with pytest.raises(TypeError) as caught:
        get("echo_c_str")(text)
    message = f"testing.echo_c_str: argument x: expected str without NUL, got str ({text!r})"
    assert str(caught.value) == message


@pytest.mark.bad_input
def test_a_text_that_names_no_dtype() -> None:
    with raises(
        TypeError,
        "AllKinds.dtype: expected dtype (a name such as float32 or int8x4), got str ('float99999')",
    ):
        t.AllKinds().dtype = "float99999"


# ---------------------------------------------------------------- through Any


class Plain:
    pass


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    HIGH = 3


class Word(str, enum.Enum):
    YES = "yes"


@dataclasses.dataclass
class Record:
    x: int = 1


class Indexed:
    def __index__(self) -> int:
        return 5


THROUGH_ANY: dict[str, tuple[str, list[object], Callable[[object, object], bool]]] = {}


def exact(result: object, value: object) -> bool:
    return type(result) is type(value) and (result == value or value != value)


def arrays(result: object, value: object) -> bool:
    return type(result) is tain.Array and result == list(value)


def maps(result: object, value: object) -> bool:
    return type(result) is tain.Map and result == dict(value)


def data(result: object, value: object) -> bool:
    return type(result) is bytes and result == bytes(value)


def number(result: object, value: object) -> bool:
    return type(result) is int and result == value


def text(result: object, value: object) -> bool:
    return type(result) is str and result == str.__str__(value)


def same(result: object, value: object) -> bool:
    return result is value


def function(result: object, value: object) -> bool:
    return type(result) is tain.Function and result.__wrapped__ is value


def scalar(result: object, value: np.generic) -> bool:
    return type(result) is type(value.item()) and result == value


Pair = collections.namedtuple("Pair", "a b")
ANY = [
    ("str, bytes, int of any size, float, bool, None",
     "equal, of that type",
     exact,
     ["", "long enough text", "\udc80", b"", b"long enough bytes", 0, 2**63, -(2**200), 0.1, -0.0,
      float("inf"), float("nan"), True, False, None]),
    ("list, tuple, namedtuple", "tain.Array", arrays, [[1, "a"], (), (1, 2), Pair(1, 2)]),
    ("dict, collections.OrderedDict", "tain.Map", maps,
     [{"a": 1, 2: None}, {}, collections.OrderedDict(a=1)]),
    ("bytearray, memoryview", "bytes", data, [bytearray(b"ab"), memoryview(b"abc")]),
    ("enum.IntEnum", "int", number, [Level.HIGH]),
    ("enum.StrEnum", "str", text, [Word.YES]),
    ("a member of an enum that is registered", "that member", same, [t.Color.RED, t.Mode.FAST]),
    ("numpy scalars that are bool, int, float, str or bytes", "the exact value", scalar,
     [np.bool_(True), np.int8(-1), np.uint64(2**64 - 1), np.float32(0.1), np.float64(0.1),
      np.str_("a"), np.bytes_(b"a")]),
    ("functions and other callables", "tain.Function", function,
     [len, test_the_page_has_the_rows_that_are_tested, Plain().__init__]),
    ("set, frozenset, complex, Decimal, datetime, Path, range, dataclass and Enum instances, "
     "classes, exceptions, generators and any other object",
     "the very same object", same,
     [{1}, frozenset([1]), 1j, decimal.Decimal("0.1"), datetime.datetime(2020, 1, 1),
      datetime.timedelta(1), pathlib.Path("a"), range(3), Record(), Colour.RED, int, Plain, Colour,
      Exception("x"), iter([]), object(), Plain(), Indexed(), ..., collections.deque(),
      np.array([1]), np.complex64(1j), np.datetime64(1, "s"), t.Point(1, 2), t.Point]),
]  # fmt: skip


def text(value: object) -> str:
    """Return what a value looks like, the same in every process."""
    shown = repr(value)
    return type(value).__name__ if " at 0x" in shown else shown[:30]


GIVEN = [(value, check) for _, _, check, values in ANY for value in values]


@pytest.mark.parametrize(("value", "check"), GIVEN, ids=[text(v) for v, _ in GIVEN])
def test_through_any(value: object, check: Callable[[object, object], bool]) -> None:
    echoes = [get("echo"), get("echo_any_view"), lambda x: get("echo")([x])[0]]
    if isinstance(value, t.Color | t.Mode):
        echoes.pop()  # inside of containers they are their value
    for echo in echoes:
        assert check(echo(value), value)
    assert check(get("apply")(lambda x: x, value), value)


def test_the_page_has_the_rules_of_any() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [f"| {given} | {gives} |" for given, gives, _, _ in ANY]
    assert rows_of(page, "Through Any") == rows


# ---------------------------------------------------------------- numbers


def test_wide_numpy_floats_are_not_rounded() -> None:
    wide = np.longdouble("0.1")
    if float(wide) != wide:
        assert get("echo")(wide) is wide
    assert get("echo")(np.longdouble(0.5)) == 0.5
    assert get("echo_double")(wide) == float(wide)
