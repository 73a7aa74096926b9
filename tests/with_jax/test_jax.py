# SPDX-License-Identifier: Apache-2.0
"""JAX's arrays as arguments and results; CI has a stage of its own for them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tain.types.testing import TensorHolder

import tain

echo = tain.testing.echo

jax.config.update("jax_enable_x64", True)


def get(name: str) -> tain.Function:
    return tain.get_global_func("testing.tensor_" + name)


def held(array: Any) -> TensorHolder:
    holder = TensorHolder()
    holder.tensor = array
    return holder


def address_of(tensor: tain.Tensor) -> int:
    array: np.ndarray[Any, Any] = np.asarray(tensor)
    return array.ctypes.data


TYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"]
TYPES += ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
TYPES += ["float8_e4m3fn", "float8_e5m2"]


@pytest.mark.parametrize("name", TYPES)
def test_each_type_comes_back_as_itself(name: str) -> None:
    array = jnp.zeros((2, 3), name)
    assert echo(array) is array
    made = tain.from_dlpack(array)
    assert str(made.dtype) == name
    assert made.shape == (2, 3)
    assert made.dtype == array.dtype
    assert address_of(made) == array.unsafe_buffer_pointer()


def test_the_memory_is_shared_and_read_only() -> None:
    array = jnp.arange(3.0)
    tensor = tain.from_dlpack(array)
    assert tensor.read_only
    assert address_of(tensor) == array.unsafe_buffer_pointer()
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(tensor)[0] = 7
    copied = tain.from_dlpack(array, copy=True)
    copied[0] = 7
    assert array.tolist() == [0, 1, 2]


def test_a_kernel_does_not_write_into_an_array() -> None:
    x, y = np.ones(3, np.float32), jnp.zeros(3, "float32")
    expected = "argument y: expected writable Tensor, got ArrayImpl .*read-only"
    with pytest.raises(TypeError, match=expected):
        get("add_one")(x, y)
    assert y.tolist() == [0, 0, 0]


def test_typed_parameters() -> None:
    assert get("sum")(jnp.arange(3.0)) == 3.0
    with pytest.raises(TypeError, match="argument x: expected Tensor of float64 with 1 dim"):
        get("sum")(jnp.zeros((2, 2)))


def test_fields_containers_and_callbacks() -> None:
    array = jnp.ones(2)
    assert held(array).tensor is array
    assert tain.convert([array])[0] is array
    assert tain.convert({"a": array})["a"] is array
    seen: list[Any] = []
    tain.convert(seen.append)(array)
    assert seen[0] is array


def test_a_tensor_becomes_an_array() -> None:
    tensor = tain.tensor([1.0, 2.0], "float64")
    assert jnp.asarray(tensor).tolist() == [1, 2]
    assert jnp.from_dlpack(tensor).tolist() == [1, 2]
    assert jnp.zeros(2, np.dtype(tensor.dtype)).dtype == tensor.dtype


@pytest.mark.parametrize("cls", [jax.Array, type(jnp.ones(1))])
def test_a_class_of_results(cls: type) -> None:
    made = get("zeros").with_tensor_type(cls)([2])
    assert isinstance(made, jax.Array)
    assert made.tolist() == [0, 0]


def test_traced_values_are_no_arrays() -> None:
    @jax.jit
    def wrong(x: Any) -> Any:
        return get("sum")(x)

    with pytest.raises(TypeError, match="argument x: expected Tensor of float64"):
        wrong(jnp.arange(3.0))

    @jax.jit
    def unchanged(x: Any) -> Any:
        assert echo(x) is x
        return x

    assert unchanged(jnp.arange(3.0)).tolist() == [0, 1, 2]


def test_a_function_within_compiled_code() -> None:
    shape = jax.ShapeDtypeStruct((3,), np.dtype("float32"))
    negative = get("negative").with_tensor_type(np.ndarray)

    @jax.jit
    def compiled(x: Any) -> Any:
        return jax.pure_callback(lambda y: negative(np.asarray(y)), shape, x) * 2

    assert compiled(jnp.ones(3, "float32")).tolist() == [-2, -2, -2]


def test_the_array_lives_as_long_as_the_tensor() -> None:
    array = jnp.arange(3.0)
    alive = weakref.ref(array)
    holder = held(array)
    del array
    gc.collect()
    assert alive() is holder.tensor
    del holder
    gc.collect()
    assert alive() is None
