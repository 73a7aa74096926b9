# SPDX-License-Identifier: Apache-2.0
"""Parameters that convert (`tain::Convert`), and parameters whose elements are structs."""

from __future__ import annotations

import array
import inspect
import typing
from typing import Any

import array_lib
import numpy as np
import pytest
from errors import raises

import tain

STAR = np.dtype([("x", "f8"), ("magnitude", "f4"), ("id", "i4", (2,))], align=True)


@pytest.fixture(name="m", scope="module")
def module_fixture() -> Any:
    return array_lib.parameters()


GRID = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "given",
    [
        GRID,
        tuple(map(tuple, GRID)),
        np.array(GRID, "f4"),
        np.array(GRID, "f8"),
        np.array(GRID, "i2"),
        np.array(GRID, ">f4"),
        np.array(GRID, "f4").T,
        np.array(GRID, "f4")[:, ::-1],
        np.array(GRID, "f2"),
        np.array(GRID).astype(bool) * 2.5,
        [array.array("f", row) for row in GRID],
        tain.tensor(GRID, "int64"),
        tain.convert(GRID),
        [np.array(row) for row in GRID],
        np.frombuffer(bytearray(1) + np.array(GRID, "f4").tobytes(), "u1")[1:]
        .view("f4")
        .reshape(2, 2),
    ],
)
def test_what_is_converted(m: Any, given: Any) -> None:
    expected = np.asarray(given, "f4").sum(dtype="f8")
    assert m.total(given) == expected
    assert m.total(x=given) == expected
    assert m.rows(given) == list(np.asarray(given, "f4").sum(axis=1, dtype="f8"))


def test_nothing_is_copied_where_nothing_must_be(m: Any) -> None:
    same = np.ones((2, 3), "f4")
    assert m.address(same) == same.__array_interface__["data"][0]
    tensor = tain.from_dlpack(same)
    assert m.address(tensor) == same.__array_interface__["data"][0]
    assert m.address(same.T) != same.__array_interface__["data"][0]
    frozen = same.copy()
    frozen.flags.writeable = False
    assert m.address(frozen) == frozen.__array_interface__["data"][0]


def test_integers_keep_their_values(m: Any) -> None:
    assert m.labels(range(3)) == [0, 1, 2]
    assert m.labels(np.arange(3)) == [0, 1, 2]
    assert m.labels([2**64 - 1]) == [2**64 - 1]
    assert m.labels(np.array([1.0, 5.0])) == [1, 5]
    assert m.labels([]) == []
    assert m.small(np.array([-128, 127])) == [-128, 127]
    assert m.small([True, False]) == [1, 0]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("function", "given", "why"),
    [
        ("labels", [-1], "the element -1 is out of the range of uint64"),
        ("labels", np.array([1, -2]), "the element -2 is out of the range of uint64"),
        ("labels", [1.5], "the element 1.5 is no integer"),
        ("labels", [float("nan")], "the element nan is no integer"),
        ("labels", [2.0**64], "the element 1.8446744073709552e+19 is out of the range of uint64"),
        ("labels", [2**64], "its elements are no numbers (dtype object)"),
        ("labels", [[1]], "it has shape (1, 1)"),
        ("labels", [1j], "elements of complex128 are no uint64"),
        ("labels", ["1"], "its elements are no numbers (dtype <U1)"),
        ("labels", {1: 2}, "its elements are no numbers (dtype object)"),
        ("labels", np.ma.masked_array([1, 2], [True, False]), "it has masked values"),
        ("small", [128], "the element 128 is out of the range of int8"),
        ("flags", [0, 1], "elements of int64 are no bool"),
        ("total", [[1e300]], "the element 1e+300 is out of the range of float32"),
        ("triples", np.ones((2, 2)), "dtype float64, shape (2, 2), strides (16, 8) in bytes"),
    ],
)
def test_what_would_not_keep_its_value(m: Any, function: str, given: Any, why: str) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(m, function)(given)
    text = str(caught.value)
    assert text.startswith(f"array_parameters.{function}: argument ")
    assert ": expected ArrayLike of " in text
    assert text.endswith(f": {why}"), text


@pytest.mark.bad_input
def test_rows_of_different_lengths(m: Any) -> None:
    with pytest.raises(TypeError, match="inhomogeneous"):
        m.total([[1], [2, 3]])
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises((TypeError, ValueError, RecursionError)):
        m.total(endless)


def test_optional_and_extents(m: Any) -> None:
    assert m.maybe(None) == -1
    assert m.maybe([1, 2]) == 2
    assert m.triples([[1, 2, 3]]) == 1


def test_overloads_prefer_what_fits_exactly(m: Any) -> None:
    assert m.pick(1.5) == "number"
    assert m.pick(np.ones(2, "f4")) == "float32"
    assert m.pick(np.ones(2, "f8")) == "float64"
    assert m.pick(np.ones(2, "i4")) == "float32"  # the first that converts
    assert m.pick([1, 2]) == "float32"


def test_the_default_is_strict(m: Any) -> None:
    values = np.array([3.0, 1.0, 2.0])
    assert m.strict(values[::-1]) == 3
    assert values.tolist() == [3.0, 2.0, 1.0]
    text = "array_parameters.strict: argument x: expected Tensor of float64 with 1 dimension, got "
    with raises(TypeError, text + "list ([1.0, 2.0])"):
        m.strict([1.0, 2.0])


def test_signatures_say_what_parameters_take(m: Any) -> None:
    strict = inspect.signature(m.strict).parameters["x"].annotation
    assert strict == typing.Annotated[tain.Tensor, "float64, ndim=1, writable"]
    converting = inspect.signature(m.rows).parameters["x"].annotation
    assert converting == typing.Annotated[typing.Any, "ArrayLike[float32, ndim=2, order=C]"]
    structs = inspect.signature(m.brightest).parameters["stars"].annotation
    assert structs == typing.Annotated[tain.Tensor, "Star, ndim=1"]
    assert "x: ArrayLike[float32, ndim=2, order=C]" in repr(m.rows)
    assert typing.get_type_hints(m.strict)["x"] is tain.Tensor


def test_structs(m: Any) -> None:
    stars = np.zeros(3, STAR)
    stars["magnitude"] = [2, 1, 3]
    stars["id"][:, 1] = [7, 8, 9]
    assert m.brightest(stars) == 8
    assert m.brightest(stars[::-2]) == 7
    assert m.brightest(np.rec.array(stars)) == 8
    assert m.brightest(stars[:0]) == -1
    m.dim(stars)
    assert stars["magnitude"].tolist() == [3, 2, 4]
    frozen = stars.copy()
    frozen.flags.writeable = False
    assert m.brightest(frozen) == 8


@pytest.mark.bad_input
def test_what_is_no_such_struct(m: Any) -> None:
    assert STAR.names is not None
    assert STAR.fields is not None
    start = (
        "array_parameters.brightest: argument stars: expected Tensor of struct Star "
        "(x float64, magnitude float32, id int32[2]) with 1 dimension, got "
    )
    other = np.zeros(2, [("x", "f8"), ("magnitude", "f4"), ("id", "u4", (2,))])
    shifted = np.zeros(2, [("pad", "f8"), *[(name, STAR[name]) for name in ("x", "magnitude")]])
    layout = {
        "names": STAR.names,
        "formats": [STAR[name] for name in STAR.names],
        "offsets": [STAR.fields[name][1] for name in STAR.names],
        "itemsize": 24,
    }
    packed = np.zeros(50, "u1")[1:49].view(np.dtype(layout))
    for given, why in [
        (other, f"dtype {other.dtype}"),
        (shifted, f"dtype {shifted.dtype}"),
        (np.zeros(2), "dtype float64"),
        (np.zeros((2, 2), STAR), "it has shape (2, 2)"),
        (packed, "its structs are not aligned"),
        ([1], "it is no array of numpy"),
        (5, None),
    ]:
        with pytest.raises(TypeError) as caught:
            m.brightest(given)
        text = str(caught.value)
        assert text.startswith(start), text
        assert why is None or text.endswith(f": {why}"), text
    frozen = np.zeros(2, STAR)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="it is read-only"):
        m.dim(frozen)
