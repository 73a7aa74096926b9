# SPDX-License-Identifier: Apache-2.0
"""Eigen's classes as parameters, results and fields: values, layouts, and what is refused."""

from __future__ import annotations

import gc
import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import EIGEN
from errors import raises

import tain

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def eigen() -> Any:
    tain.cpp.load("eigen", sources=str(HERE / "eigen.cc"), extra_include_paths=[EIGEN])
    return importlib.import_module("tain.types.eigen")


M = np.arange(6.0).reshape(2, 3)
VALUES = [
    ("matrix", M), ("matrix", np.asfortranarray(M)), ("matrix", M[:, ::2]), ("matrix", M[::-1]),
    ("matrix", M.T), ("matrix", np.zeros((0, 3))), ("matrix", np.zeros((2, 0))),
    ("matrix", np.array([[1.0]])), ("vector", np.arange(4.0)), ("vector", np.arange(8.0)[::-2]),
    ("vector", np.zeros(0)), ("row", np.arange(4.0)), ("complexes", (M + 1j * M).astype("c8")),
    ("complexes", np.asfortranarray((M - 1j).astype("c8"))), ("at_most", np.arange(3.0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_values_cross_in_both_directions(eigen: Any, name: str, value: np.ndarray) -> None:
    result = getattr(eigen, name)(value).numpy()
    assert (result.dtype, result.shape) == (value.dtype, value.shape)
    np.testing.assert_array_equal(result, value)


def test_vectors_may_have_two_dimensions(eigen: Any) -> None:
    column = np.arange(3.0).reshape(3, 1)
    np.testing.assert_array_equal(eigen.vector(column).numpy(), column[:, 0])
    np.testing.assert_array_equal(eigen.row(column.T).numpy(), column[:, 0])


def test_results_own_their_elements(eigen: Any) -> None:
    result = eigen.ints(np.zeros((100, 100), "int32")).numpy()
    gc.collect()
    assert result.sum() == 10000
    result[0, 0] = 5  # nobody else has it
    np.testing.assert_array_equal(
        eigen.cross(np.float32([1, 0, 0]), np.float32([0, 1, 0])).numpy(), [0, 0, 1]
    )


def test_a_ref_changes_the_array(eigen: Any) -> None:
    x = np.arange(4.0)
    eigen.scale(x, 2)
    np.testing.assert_array_equal(x, [0, 2, 4, 6])
    m = np.asfortranarray(M)
    eigen.scale_matrix(m, 2)
    np.testing.assert_array_equal(m, 2 * M)
    part = np.asfortranarray(np.zeros((4, 4)) + 1)
    eigen.scale_matrix(part[1:3, 1:3], 3)
    assert part.sum() == 12 + 4 * 3
    eigen.set_corner(m.T, 9)
    assert m[1, 0] == 9


def test_a_ref_to_const_copies_only_what_it_cannot_view(eigen: Any) -> None:
    m = np.asfortranarray(M)
    assert eigen.address(m) == m.ctypes.data
    assert eigen.address(M) != M.ctypes.data
    for each in (m, M, M[:, ::2], M[::-1], M.T):
        assert eigen.sum(each) == each.sum()
    m.flags.writeable = False
    assert eigen.sum(m) == m.sum()


def test_a_map_views(eigen: Any) -> None:
    assert eigen.corner(M) == 1
    assert eigen.corner(M[:, ::2]) == 2
    assert eigen.dense_sum(np.asfortranarray(M)) == M.sum()


def test_fields_and_optionals(eigen: Any) -> None:
    frame = eigen.Frame()
    np.testing.assert_array_equal(frame.axes.numpy(), np.eye(2))
    frame.axes = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(frame.axes.numpy(), [[1, 2], [3, 4]])
    assert (eigen.optional(None), eigen.optional(np.zeros(3))) == (-1, 3)


REFUSED = [
    ("matrix", [M.astype("f4")],
     "argument x: expected Tensor of float64, got ndarray (float32, shape (2, 3))"),
    ("matrix", [np.zeros(3)], "argument x: expected Tensor with shape (*, *), got shape (3,)"),
    ("matrix", [[[1.0]]], "argument x: expected Tensor of float64, got list ([[1.0]])"),
    ("vector", [M],
     "argument x: expected Tensor with shape (*,) or (*, 1), got shape (2, 3)"),
    ("row", [M], "argument x: expected Tensor with shape (*,) or (1, *), got shape (2, 3)"),
    ("cross", [np.zeros(3, "f4"), np.zeros(2, "f4")],
     "argument b: expected Tensor with shape (3,) or (3, 1), got shape (2,)"),
    ("at_most", [np.zeros(4)],
     "argument x: expected Tensor with shape (0..3,) or (0..3, 1), got shape (4,)"),
    ("scale_matrix", [M, 2],
     "argument x: expected Tensor in column-major layout with adjacent elements, got strides "
     "(3, 1)"),
    ("scale", [np.arange(4.0)[::-1], 2],
     "argument x: expected Tensor in column-major layout with adjacent elements, got strides "
     "(-1, -4)"),
    ("dense_sum", [M],
     "argument x: expected Tensor in column-major layout with adjacent elements, got strides "
     "(3, 1)"),
]  # fmt: skip


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "values", "message"), REFUSED)
def test_other_arrays_are_refused(eigen: Any, name: str, values: list, message: str) -> None:
    with raises(TypeError, f"eigen.{name}: {message}"):
        getattr(eigen, name)(*values)


@pytest.mark.bad_input
def test_read_only_arrays_cannot_be_changed(eigen: Any) -> None:
    x = np.arange(4.0)
    x.flags.writeable = False
    with raises(
        TypeError,
        "eigen.scale: argument x: expected writable Tensor of float64, got ndarray (float64, "
        "shape (4,), read-only)",
    ):
        eigen.scale(x, 2)
    np.testing.assert_array_equal(eigen.vector(x).numpy(), x)
