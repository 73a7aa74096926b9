# SPDX-License-Identifier: Apache-2.0
"""A type that converts by CustomTraits is read once for each value, however it is declared."""

from __future__ import annotations

import pytest
from errors import raises
from tain.types.testing import Paint
from testing_functions import get

import tain


def reads() -> int:
    return get("ported_reads")()


ONCE = [
    ("plain", 1, 1, 1),
    ("optional", 1, 1, 1),
    ("optional", None, None, 0),
    ("vector", [1, 2, 3], [1, 2, 3], 3),
    ("vector", tain.Array([1, 2]), [1, 2], 2),
    ("nested", [(1, None), (2, 3)], [(1, None), (2, 3)], 3),
    ("variant", 7, "Read 7", 1),
    ("variant", "x", "str", 0),
    ("map", {"a": 1, "b": 2}, {"a": 1, "b": 2}, 2),
    ("pair", (1, 2), (1, 2), 2),
    ("overload", 4, "Read 4", 1),
    ("overload", "x", "str", 0),
    ("first", 4, "Read 4", 1),
    ("first", "x", "str", 1),
    ("vectors", [1, 2], "Reads 2", 2),
    ("pairs", (1, 1), "ints", 0),
    ("pairs", (1, 1.0), "Read, float", 1),
    ("result", lambda: 5, 5, 1),
    ("probed", 6, 6, 1),
    ("probed_overload", 6, "Probed", 1),
    ("probed_overload", "x", "str", 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "expected", "count"), ONCE)
def test_from_any_runs_once_for_each_value(
    name: str, value: object, expected: object, count: int
) -> None:
    reads()
    assert get(f"read_{name}")(value) == expected
    assert reads() == count


def test_what_is_refused_as_one_type_is_taken_as_another() -> None:
    reads()
    assert get("read_vectors")(["a", "b"]) == "strs 2"
    assert reads() == 2  # the first element was refused, and then named in the reason
    assert get("read_first")(1.5) == "float"
    assert get("read_variant")(1.5) == "float"
    assert reads() == 2


def test_an_array_is_read_when_it_is_taken_and_when_an_element_is_used() -> None:
    reads()
    assert get("read_array")([1, 2, 3]) == 6
    assert reads() == 6


def test_an_error_of_from_any_counts_only_if_nothing_else_fits() -> None:
    # -1 is not exactly a Read, and a number for the last candidate.
    with raises(ValueError, "testing.read_first: argument x: a Read is not negative, got -1"):
        get("read_first")(-1)
    with raises(ValueError, "testing.read_variant: argument x: a Read is not negative, got -1"):
        get("read_variant")(-1)
    with raises(ValueError, "testing.read_plain: argument x: a Read is not negative, got -1"):
        get("read_plain")(-1)
    with raises(ValueError, "testing.read_vector: argument x[1]: a Read is not negative, got -1"):
        get("read_vector")([1, -1])
    reads()
    assert get("read_pairs")((-1, -1)) == "ints"
    assert reads() == 0


@pytest.mark.bad_input
def test_what_no_candidate_takes_says_what_each_expects() -> None:
    with raises(
        TypeError,
        "testing.read_first: no overload takes (None)\n"
        "  read_first(x: int) -> str: argument x: expected int, got None\n"
        "  read_first(x: str) -> str: argument x: expected str, got None\n"
        "  read_first(x: float) -> str: argument x: expected float, got None",
    ):
        get("read_first")(None)


@pytest.mark.bad_input
def test_a_probe_may_refuse_without_a_read() -> None:
    reads()
    with raises(TypeError, "testing.read_probed: argument x: expected int, got str ('x')"):
        get("read_probed")("x")
    assert reads() == 0
    with raises(TypeError, "testing.read_probed: argument x: expected int, got int (13)"):
        get("read_probed")(13)
    assert reads() == 1
    assert get("ported_probes")() > 0


PLACES = [
    ("optional", -1, "argument x"),
    ("vector", [1, -1], "argument x[1]"),
    ("nested", [(1, None), (-1, 2)], "argument x[1][0]"),
    ("map", {"a": 1, "b": -1}, 'argument x["b"]'),
    ("pair", (1, -1), "argument x[1]"),
    ("array", [1, -1], "argument x[1]"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "place"), PLACES)
def test_an_error_of_from_any_has_its_place(name: str, value: object, place: str) -> None:
    with raises(ValueError, f"testing.read_{name}: {place}: a Read is not negative, got -1"):
        get(f"read_{name}")(value)


@pytest.mark.bad_input
def test_so_has_that_of_a_result_and_of_a_field() -> None:
    with raises(ValueError, "result of the callback minus: a Read is not negative, got -1"):
        get("read_result")(minus)
    reason = "a colour is written #rrggbb, got red"
    with raises(ValueError, f"testing.Paint: argument colour: {reason}"):
        Paint(colour="red")
    paint = Paint()
    with raises(ValueError, f"Paint.colour: {reason}"):
        paint.colour = "red"


def minus() -> int:
    return -1
