# SPDX-License-Identifier: Apache-2.0
"""What tain/stl.h lets cross: nested, wrong, in fields, defaults and callbacks."""

from __future__ import annotations

import datetime
import decimal
import os
import pathlib

import conversion_rows
import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t

NESTED_STD = [
    ("vector_point", [t.Point(1, 2)], None),
    ("vector_str", ["a", "long enough text"], None),
    ("vector_bool", [True, False], None),
    ("vector_any", [1, None, "x", [2]], None),
    ("vector_vector_double", [[1, 2.5], (x for x in ())], [[1.0, 2.5], []]),
    ("map_str_points", {"a": (t.Point(1, 2),)}, None),
    ("optional_vector_int", None, None),
    ("optional_vector_int", range(2), [0, 1]),
    ("variant_many", None, None),
    ("variant_many", 5, None),
    ("variant_many", 300.0, None),
    ("variant_many", [1, 2], None),
    ("variant_many", {"b", "a"}, ["a", "b"]),
    ("tuple", (1, "a", 2), (1, "a", 2.0)),
    ("tuple_empty", (), None),
    ("set_int", [3, 1, 3], [1, 3]),
    ("map_str_int", {"b": 1, "a": 2}, None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "expected"), NESTED_STD)
def test_nested_standard_types(name: str, value: object, expected: object) -> None:
    result = get(f"echo_std_{name}")(value)
    if name == "map_str_points":
        assert list(result) == ["a"]
        assert result["a"][0] is value["a"][0]
    elif name == "vector_point":
        assert result[0] is value[0]
    else:
        assert result == (value if expected is None else expected)


WRONG_STD = [
    ("vector_point", [t.Point(1, 2), 5], "[1]: expected testing.Point, got int (5)"),
    ("vector_vector_double", [[1], [2, "x"]], "[1][1]: expected float, got str ('x')"),
    ("map_str_points", {"a": [t.Point(1, 2), 7]},
     '["a"][1]: expected testing.Point, got int (7)'),
    ("map_str_points", {3: []}, ": key: expected str, got int (3)"),
    ("optional_vector_int", [1, "x"], "[1]: expected int, got str ('x')"),
    ("variant_many", t.Point(1, 2),
     ": expected None | int | float | Array[int] | Array[str], got testing.Point"),
    ("variant_many", [1, "x"], "[1]: expected int, got str ('x')"),
    ("tuple", (1, 2, 3), "[1]: expected str, got int (2)"),
    ("vector_int", [[1]], "[0]: expected int, got list ([1])"),
    ("vector_int", [{1}], "[0]: expected int, got set ({1})"),
]  # fmt: skip


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "message"), WRONG_STD)
def test_wrong_elements_of_standard_types(name: str, value: object, message: str) -> None:
    with raises(TypeError, f"testing.echo_std_{name}: argument x{message}"):
        get(f"echo_std_{name}")(value)


def test_fields_of_standard_types() -> None:
    made = t.StlFields()
    assert (made.numbers, made.table, made.set) == ([1, 2], {"a": [0.5]}, [1, 3])
    assert (made.note, made.either, made.pair) == (None, 5, (1, "one"))
    assert (made.function, made.wait, made.path) == (None, 1.5, "a/b")
    assert (made.fruit, made.other_fruit, made.unnamed) == (None, None, 1)
    point = t.Point(1, 2)
    other = t.StlFields(
        numbers=range(3), points=[point], table={"b": ()}, set={5}, note="n", either="e",
        pair=(2, "two"), function=conversion_rows.successor, wait=datetime.timedelta(seconds=2),
        path=pathlib.Path("c"), fruit=t.Fruit.PEAR, other_fruit=1,
    )  # fmt: skip
    assert (other.numbers, other.table, other.set) == ([0, 1, 2], {"b": []}, [5])
    assert other.points[0] is point
    assert (other.note, other.either, other.pair) == ("n", "e", (2, "two"))
    assert (other.function(1), other.wait, other.path) == (2, 2.0, "c")
    assert other.fruit is t.Fruit.PEAR
    assert other.other_fruit is t.Fruit.APPLE


def test_enums_in_standard_types() -> None:
    assert get("echo_std_optional_fruit")(t.Fruit.PEAR) is t.Fruit.PEAR
    assert get("echo_std_optional_fruit")(1) is t.Fruit.APPLE
    assert get("echo_std_optional_fruit")(None) is None
    assert get("echo_std_vector_fruit")([t.Fruit.PEAR, 1]) == [2, 1]
    assert get("echo_unnamed")(1) == 1


def test_fields_are_copies() -> None:
    made = t.StlFields()
    numbers = tain.List([1, 2])
    made.numbers = numbers
    numbers.append(3)
    assert made.numbers == [1, 2]
    assert made.numbers is not made.numbers


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("points", [t.Point(1, 2), t.Point(3, 4), 5], "[2]: expected testing.Point, got int (5)"),
        ("points", 5, ": expected Array[testing.Point], got int (5)"),
        ("table", {"key": [1, "x"]}, "[\"key\"][1]: expected float, got str ('x')"),
        ("table", {5: []}, ": key: expected str, got int (5)"),
        ("set", {"x"}, "[0]: expected int, got str ('x')"),
        ("either", 1.5, ": expected int | str, got float (1.5)"),
        ("function", 5, ": expected Callable[[int], int] | None, got int (5)"),
        ("path", 5, ": expected str, got int (5)"),
    ],
)
def test_wrong_values_for_fields(name: str, value: object, message: str) -> None:
    with raises(TypeError, f"StlFields.{name}{message}"):
        setattr(t.StlFields(), name, value)


def test_defaults_of_standard_types() -> None:
    assert get("std_defaults")() == 6
    assert get("std_defaults")([5], {}) == 5
    assert get("std_defaults")(weights={"a": 10}) == 13
    assert get("std_file_count")() == 3


def test_standard_types_reach_a_callback() -> None:
    seen = []
    get("std_call")(lambda *args: seen.extend(args))
    assert seen == [[1, 2], None, "x", {"k": 1}, 2.0]


class Doubled(t.StlVirtual):
    def scaled(self, values: tain.Array, factor: int | None) -> object:
        return {"python": (value * factor for value in values)}


class Wrong(t.StlVirtual):
    def scaled(self, values: tain.Array, factor: int | None) -> object:
        return {"python": [1, "x"]}


def test_standard_types_reach_an_override() -> None:
    assert get("std_scaled")(t.StlVirtual()) == {"cpp": [10, 20]}
    assert get("std_scaled")(Doubled()) == {"python": [10, 20]}
    assert t.StlVirtual().scaled(range(2)) == {"cpp": [0, 1]}
    with raises(
        TypeError,
        "Wrong.scaled: result of the override[\"python\"][1]: expected int, got str ('x')",
    ):
        get("std_scaled")(Wrong())


def test_a_callable_goes_back_as_the_same_function() -> None:
    function = get("add_one")
    assert get("echo_std_function")(function) is function
    back = get("echo_std_function")(conversion_rows.successor)
    assert back.__wrapped__ is conversion_rows.successor
    assert get("echo_std_function")(None) is None


# ---------------------------------------------------------------- durations and paths


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("milliseconds", 0.1, 0.1),
        ("milliseconds", 0.1 + 0.2, 0.3),
        ("milliseconds", -1.1 * 3, -3.3),
        ("milliseconds", 1_700_000_000.123, 1_700_000_000.123),
        ("seconds", 2, 2.0),
        ("seconds", -3.0, -3.0),
        ("nanoseconds", 1 / 3, 0.333333333),
        ("nanoseconds", 0.1234567891, 0.123456789),
        ("minutes", 300, 300.0),
        ("minutes", -60.0, -60.0),
        ("minutes", datetime.timedelta(hours=1), 3600.0),
        ("days", 7 * 86400, 604800.0),
        ("days", datetime.timedelta(weeks=1), 604800.0),
        ("hours", 1.5, 1.5),
        ("hours", datetime.timedelta(microseconds=1), 1e-6),
        ("nanoseconds", datetime.timedelta(days=3, microseconds=1), 259200.000001),
        ("nanoseconds", datetime.timedelta(microseconds=-1), -1e-06),
        ("hours", datetime.timedelta(hours=2), 7200.0),
        ("hours", 1, 1.0),
        ("hours", datetime.timedelta.max, datetime.timedelta.max.total_seconds()),
        ("seconds", datetime.timedelta(999999999), 86400.0 * 999999999),
    ],
)
def test_durations(name: str, value: object, expected: float) -> None:
    assert get(f"echo_std_{name}")(value) == pytest.approx(expected, rel=1e-15)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "value", "got"),
    [
        ("minutes", 5, "int (5)"),
        ("minutes", 5.0, "float (5.0)"),
        ("minutes", 1e15 + 1, "float (1000000000000001.0)"),
        ("minutes", 2**62 + 1, f"int ({2**62 + 1})"),
        ("minutes", datetime.timedelta(seconds=5), "timedelta (datetime.timedelta(seconds=5))"),
        ("days", datetime.timedelta(hours=12), "timedelta (datetime.timedelta(seconds=43200))"),
        ("days", True, "bool (True)"),
        ("seconds", 1.5, "float (1.5)"),
        ("seconds", 1e-300, "float (1e-300)"),
        ("seconds", 1e6 + 1e-6, "float (1000000.000001)"),
        ("seconds", decimal.Decimal("0.5"), "Decimal (Decimal('0.5'))"),
        ("seconds", datetime.timedelta(milliseconds=1),
         "timedelta (datetime.timedelta(microseconds=1000))"),
        ("milliseconds", 0.00149, "float (0.00149)"),
        ("milliseconds", -0.0015, "float (-0.0015)"),
        ("milliseconds", datetime.timedelta(microseconds=-1500),
         "timedelta (datetime.timedelta(days=-1, seconds=86399, microseconds=9985...)"),
        ("nanoseconds", 1e-10, "float (1e-10)"),
    ],
)  # fmt: skip
def test_no_part_of_a_duration_is_lost(name: str, value: object, got: str) -> None:
    wanted = f"float (seconds) that is a whole number of {name}"
    with raises(ValueError, f"testing.echo_std_{name}: argument x: expected {wanted}, got {got}"):
        get(f"echo_std_{name}")(value)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("value", "got"),
    [(1e10, "10000000000.0"), (float("nan"), "nan"), (float("-inf"), "-inf"), (10**400, None),
     (datetime.timedelta.max, f"timedelta ({datetime.timedelta.max!r:.60}...)")],
)  # fmt: skip
def test_durations_that_are_too_long(value: object, got: str | None) -> None:
    with pytest.raises(OverflowError) as caught:
        get("echo_std_nanoseconds")(value)
    message = str(caught.value)
    assert message.startswith("testing.echo_std_nanoseconds: argument x: expected float in -")
    if got is not None:
        where = "testing.echo_std_nanoseconds: argument x"
        span = "-9223372036.85478..9223372036.85478"
        assert message == f"{where}: expected float in {span}, got {got}"


@pytest.mark.parametrize("name", [b"a", b"\xff\xfe", "ä😀".encode(), b"\xed\xa0\x80x", b"a\x80b"])
def test_paths_of_any_bytes(name: bytes, tmp_path: pathlib.Path) -> None:
    text = os.fsdecode(name)
    assert get("echo_std_path")(text) == text
    assert get("echo_std_path")(name) == text
    assert get("echo_std_path")(pathlib.Path(text)) == text
    assert get("std_file_count")(text) == len(name)


@pytest.mark.bad_input
@pytest.mark.parametrize("text", ["\ud800", "a\udc00b", "ä\udfff", "\udc80\udc7f"])
def test_a_surrogate_that_stands_for_no_byte(text: str) -> None:
    with pytest.raises(UnicodeEncodeError) as expected:
        os.fsencode(text)
    for value in (text, pathlib.Path(text)):
        with raises(UnicodeEncodeError, str(expected.value)) as caught:
            get("echo_std_path")(value)
        assert caught.value.object == text
    with pytest.raises(UnicodeEncodeError):
        t.StlFields().path = text
