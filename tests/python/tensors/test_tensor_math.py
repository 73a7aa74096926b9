# SPDX-License-Identifier: Apache-2.0
"""Comparison, arithmetic and reductions of tain.Tensor, compared with numpy's."""

from __future__ import annotations

import operator
from collections.abc import Hashable
from typing import Any

import array_lib
import numpy as np
import pytest
from errors import raises

import tain

BINARY = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.pow, divmod, operator.lt, operator.le, operator.eq, operator.ne),
    *(operator.gt, operator.ge),
]
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
ARRAY = np.array([[1.0, 2.0], [3.0, 4.0]])


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", BINARY)
def test_operators_with_two_operands(function: Any) -> None:
    tensor = tain.from_dlpack(ARRAY)
    other = np.array([2.0, 3.0])
    for right, plain in [(2, 2), (other, other), (tain.from_dlpack(other), other), (tensor, ARRAY)]:
        same(function(tensor, right), function(ARRAY, plain))
        same(function(right, tensor), function(plain, ARRAY))


@pytest.mark.parametrize("function", BITS)
def test_operators_of_bits(function: Any) -> None:
    array = np.array([1, 2, 3])
    same(function(tain.from_dlpack(array), 1), function(array, 1))
    same(function(1, tain.from_dlpack(array)), function(1, array))


def test_other_operators() -> None:
    tensor = tain.from_dlpack(ARRAY)
    same(tensor @ tensor, ARRAY @ ARRAY)
    same(-tensor, -ARRAY)
    same(+tensor, +ARRAY)
    same(abs(tain.tensor([-1.0])), np.array([1.0]))
    same(~tain.tensor([1, 2]), np.array([-2, -3]))


def test_no_answer_by_identity() -> None:
    tensor = tain.tensor([0.0, 1.0])
    assert tensor[0] == 0
    assert tensor[1] != 0
    assert (tensor == 0).tolist() == [True, False]
    assert (tensor == None).tolist() == [False, False]  # noqa: E711
    with pytest.raises(ValueError, match="truth value"):
        bool(tensor == tensor)
    assert 1 in tensor
    assert 2 not in tensor
    with raises(TypeError, "unhashable type: 'tain.Tensor'"):
        hash(tensor)
    assert not isinstance(tensor, Hashable)
    assert sum(tensor) == 1


def test_operators_that_change_the_elements() -> None:
    array = np.array([1.0, 2.0])
    tensor = tain.from_dlpack(array)
    before = tensor
    tensor += 1
    tensor *= np.array([2, 3])
    tensor **= 2
    assert tensor is before
    assert array.tolist() == [16.0, 81.0]
    array.flags.writeable = False
    frozen = tain.from_dlpack(array)
    with raises(ValueError, "Tensor: the tensor is read-only"):
        frozen += 1
    with raises(ValueError, "Tensor: the tensor is read-only"):
        frozen.fill(0)


def test_reductions_and_other_methods() -> None:
    tensor = tain.from_dlpack(ARRAY)
    for name in ("sum", "mean", "max", "min", "argmax", "std", "cumsum", "ravel", "all", "any"):
        same(getattr(tensor, name)(), getattr(ARRAY, name)())
    same(tensor.sum(axis=0), ARRAY.sum(axis=0))
    same(tensor.reshape(4), ARRAY.reshape(4))
    assert np.shares_memory(tensor.reshape(4), ARRAY)
    same(tensor.astype("f4"), ARRAY.astype("f4"))


def test_keys_that_make_no_view() -> None:
    tensor = tain.from_dlpack(ARRAY)
    for key in ([0, 1], ARRAY > 2, (slice(None), [1]), np.array([1]), True):
        same(tensor[key], ARRAY[key])
    same(tensor[tensor > 2], ARRAY[ARRAY > 2])
    same(tensor[tain.tensor([1, 0])], ARRAY[[1, 0]])


@pytest.mark.bad_input
def test_a_tensor_on_a_device_computes_nothing() -> None:
    tensor = array_lib.results().on_device.with_tensor_type(None)()
    text = (
        "Tensor: tain computes nothing on cuda:0: convert the tensor by from_dlpack of the "
        "library that made it"
    )
    actions: list[Any] = [
        *(lambda: tensor == 0, lambda: tensor + 1, lambda: 1 + tensor, lambda: -tensor),
        *(lambda: tensor.sum(), lambda: 0 in tensor, lambda: tensor[[0]]),
    ]
    for action in actions:
        with raises(TypeError, text):
            action()
