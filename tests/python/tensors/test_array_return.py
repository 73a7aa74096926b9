# SPDX-License-Identifier: Apache-2.0
"""What Python gets for a Tensor: the array that it was made from, or a tain.Tensor."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Optional

import numpy as np
import pytest
from errors import raises
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
negative = get("tensor_negative")
KEPT = (
    "a callback kept an array, a buffer or a view of a Tensor that C++ lent for the length of the "
    "call: copy it instead"
)
LENT = (
    "this Tensor was lent by C++ for the length of a call, which has returned: copy it during the "
    "call to keep it"
)


def test_containers_and_fields_return_the_array() -> None:
    array = np.arange(3.0)
    holder = TensorHolder()
    holder.tensor, holder.any, holder.maybe, holder.many = array, array, array, [array]
    assert holder.tensor is array
    assert holder.any is array
    assert holder.maybe is array
    assert holder.many[0] is array
    assert tain.convert({"a": [array]})["a"][0] is array


def test_a_tensor_of_its_own_stays_a_tensor() -> None:
    tensor = tain.tensor([1.0, 2.0])
    assert echo(tensor) is tensor
    holder = TensorHolder()
    holder.tensor = tensor
    del tensor
    assert isinstance(holder.tensor, tain.Tensor)
    assert holder.tensor.tolist() == [1.0, 2.0]


def test_the_result_of_a_function_is_a_tensor() -> None:
    assert isinstance(negative(np.ones(2, np.float32)), tain.Tensor)
    assert get("tensor_first")(np.ones((2, 3))).shape == (3,)


def test_callbacks_get_the_array_or_the_tensor() -> None:
    array = np.arange(3.0)
    got: list[Any] = []

    def plain(x: Any) -> Any:
        got.append(x)
        return x

    def wants(x: tain.Tensor) -> Any:
        got.append(x)
        return x

    wants.__annotations__["x"] = "tain.Tensor"
    apply = get("tensor_apply")
    assert apply(plain, array) is array
    result = apply(wants, array)
    assert got[0] is array
    assert isinstance(got[1], tain.Tensor)
    assert result is got[1]

    class Method:
        def call(self, x: tain.Tensor) -> None:
            got.append(x)

    Method.call.__annotations__["x"] = tain.Tensor
    apply(Method().call, array)
    assert isinstance(got[2], tain.Tensor)


class Called:
    def __call__(self, x: tain.Tensor) -> str:
        return type(x).__name__


def _optional(x: Optional[tain.Tensor]) -> str:  # noqa: UP045
    return type(x).__name__


def _union(x: tain.Tensor | None) -> str:
    return type(x).__name__


def _many(*x: tain.Tensor) -> str:
    return type(x[-1]).__name__


def _beside_an_unknown_name(x: tain.Tensor, y: Unknown = None) -> str:  # type: ignore[name-defined]  # noqa: F821
    return type(x).__name__


@pytest.mark.parametrize(
    "callback",
    [Called(), functools.partial(_union), _optional, _union, _many, _beside_an_unknown_name],
)
def test_forms_of_the_annotation(callback: Any) -> None:
    assert get("tensor_apply")(callback, np.arange(3.0)) == "Tensor"


def test_the_rest_of_the_arguments_as_tensors() -> None:
    array = np.arange(3.0)
    function = tain.convert(lambda first, *rest: [type(one) for one in rest])
    assert function(1, array, array) == [np.ndarray] * 2

    def rest(first: Any, *others: tain.Tensor) -> Any:
        return [type(one) is tain.Tensor for one in (first, *others)]

    assert list(tain.convert(rest)(array, array, array)) == [False, True, True]


def test_the_annotation_of_arguments_by_name() -> None:
    array = np.arange(3.0)

    def named(x: tain.Tensor, y: Any, *, z: tain.Tensor, **others: tain.Tensor) -> Any:
        return [type(one) is tain.Tensor for one in (x, y, z, others["w"])]

    function = tain.convert(named)
    assert list(function(x=array, y=array, z=array, w=array)) == [True, False, True, True]
    assert list(function(array, array, z=array, w=array)) == [True, False, True, True]


def test_a_lent_tensor_ends_with_the_call() -> None:
    kept: list[Any] = []

    def write(x: tain.Tensor) -> None:
        assert x.is_view
        x[0] = 5
        kept.append(x)

    lend = get("tensor_lend")
    assert list(lend(write, 3)) == [None, 5.0]
    for use in (repr, len, lambda x: x.shape, lambda x: x[0], memoryview, np.asarray):
        with pytest.raises((ValueError, BufferError)):
            use(kept[0])
    with raises(ValueError, LENT):
        kept[0].numpy()
    assert get("tensor_describe")(kept[0]).startswith("shape 0, ")


def test_an_array_of_a_lent_tensor_must_not_be_kept() -> None:
    kept: list[Any] = []
    for keep in (
        lambda x: kept.append(x.numpy()),
        lambda x: kept.append(x[1:]),
        lambda x: kept.append(memoryview(x)),
        lambda x: kept.append(np.asarray(x)),
        lambda x: kept.append(np.from_dlpack(x)),
        lambda x: kept.append(x.__dlpack__()),
        lambda x: kept.append(tain.from_dlpack(x.numpy())),
    ):
        with raises(BufferError, KEPT):
            get("tensor_lend")(keep, 3)
    with raises(ValueError, LENT):
        kept[1].tolist()

    def fails(x: Any) -> None:
        kept.append(x.numpy())
        raise KeyError("mine")

    with pytest.raises(KeyError):
        get("tensor_lend")(fails, 3)


VIEWS: dict[str, Callable[[tain.Tensor], Any]] = {
    "a slice": lambda x: x[1:],
    "a view of a view": lambda x: x[1:][None].T,
    "from_dlpack": tain.from_dlpack,
    "from_dlpack of a slice": lambda x: tain.from_dlpack(x[1:])[::-1],
    "from_dlpack of a capsule": lambda x: tain.from_dlpack(x.to_dlpack()),
    "from_dlpack of the other capsule": lambda x: tain.from_dlpack(
        x.__dlpack__(max_version=(1, 0))
    ),
    "elements of another type": lambda x: x._view("int32"),  # type: ignore[attr-defined]
}


@pytest.mark.bad_input
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_of_a_lent_tensor_ends_with_the_call(view: str) -> None:
    kept: list[Any] = []

    def keep(x: tain.Tensor) -> None:
        kept.append(VIEWS[view](x))
        assert kept[0].is_view
        assert kept[0].size in (2, 3)

    with raises(BufferError, KEPT):
        get("tensor_lend")(keep, 3)
    (tensor,) = kept
    for use in (list, bytes, np.asarray, tain.from_dlpack, lambda x: x[0]):
        with pytest.raises((ValueError, BufferError)):
            use(tensor)
    with raises(ValueError, LENT):
        tensor.numpy()
    assert get("tensor_describe")(tensor).startswith(("shape 0, ", "shape 0,0, "))
    for use in (tain.structural_hash, tain.save_binary):
        with pytest.raises(TypeError, match=r"lent for a call that (has ended|is over)"):
            use(tensor)


def test_views_of_a_lent_tensor_that_are_dropped() -> None:
    def use(x: tain.Tensor) -> None:
        for view in VIEWS.values():
            view(x)
        assert tain.from_dlpack(x[1:]).tolist() == x.numpy()[1:].tolist()
        x[0] = 7

    assert list(get("tensor_lend")(use, 3)) == [None, 7.0]
