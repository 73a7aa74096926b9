# SPDX-License-Identifier: Apache-2.0
"""Calls with arrays whose class offers DLPack's table of C functions: streams, and what fails."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import foreign_lib
import pytest
from errors import raises
from testing_functions import get

import tain

EXPORT, VIEW, STREAM, ALLOCATE = range(4)
NONE, RAISE, SILENT, EMPTY = range(4)
EXT_DEV = 12

pytestmark = pytest.mark.bad_input


@pytest.fixture(name="producer")
def producer_fixture() -> Iterator[Any]:
    module = foreign_lib.extension("array_producer")
    gc.collect()
    module.counts()
    yield module
    for function in (EXPORT, VIEW, STREAM, ALLOCATE):
        module.fail(function, NONE)
    module.set_stream(0)


def test_an_array_crosses_by_the_table_and_comes_back(producer: Any) -> None:
    array = producer.Array(4)
    assert tain.testing.echo(array) is array
    counts = producer.counts()
    assert (counts["exports"], counts["deletions"], counts["views"]) == (1, 1, 1)
    assert get("tensor_on_device")(producer.Array(5, EXT_DEV)) == 5
    held = tain.convert([array])
    assert held[0] is array
    del array
    gc.collect()
    assert producer.counts()["deletions"] == 1  # that of the array on the device
    del held
    gc.collect()
    assert producer.counts()["deletions"] == 1


def test_an_array_that_has_changed_comes_back_as_a_tensor(producer: Any) -> None:
    array = producer.Array(4)
    held = tain.convert([array])
    array.shrink()
    tensor = held[0]
    assert isinstance(tensor, tain.Tensor)
    assert tensor.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert tain.testing.echo(array) is not array  # the view and the export disagree


def test_versions_of_the_table(producer: Any) -> None:
    newer = producer.Newer(2)  # has an older table beside its own
    assert tain.testing.echo(newer) is newer
    assert producer.counts()["exports"] == 1
    least = producer.Least(3)  # without the functions that may be missing
    assert get("tensor_sum32")(least) == 3.0
    unknown = producer.Unknown(2)
    assert tain.testing.echo(unknown) is unknown  # as any object: there is no other way
    text = (
        "testing.tensor_sum32: argument x: expected Tensor of float32 with 1 dimension, got "
        f"Unknown ({unknown!r})"
    )
    with raises(TypeError, text):
        get("tensor_sum32")(unknown)
    assert producer.counts()["exports"] == 1  # that of `least`


@pytest.mark.parametrize("fault", [RAISE, SILENT, EMPTY])
def test_an_export_that_fails(producer: Any, fault: int) -> None:
    array = producer.Array(2)
    producer.fail(EXPORT, fault)
    for _ in range(3):
        with pytest.raises((ValueError, TypeError)) as caught:
            get("tensor_sum32")(array)
        expected = (
            "the producer failed" if fault == RAISE else "array_producer.Array was not exported"
        )
        assert expected in str(caught.value)
        assert tain.testing.echo(array) is array  # opaque
    producer.fail(EXPORT, NONE)
    assert get("tensor_sum32")(array) == 1.0


@pytest.mark.parametrize("fault", [RAISE, SILENT])
def test_a_view_that_fails_is_a_change(producer: Any, fault: int) -> None:
    array = producer.Array(2)
    held = tain.convert([array])
    producer.fail(VIEW, fault)
    assert isinstance(held[0], tain.Tensor)


def test_the_stream_of_the_library_is_set_for_the_call(producer: Any) -> None:
    array = producer.Array(2, EXT_DEV, 3)
    device = tain.ext_dev(3)
    stream_of = get("tensor_stream")
    producer.set_stream(99)
    before = producer.counts()["streams"]
    assert get("tensor_stream_in")(array) == 99
    assert get("tensor_stream_in")(x=array, f=None) == 99
    assert get("tensor_overload")(array) == 99
    assert producer.last_stream() == (EXT_DEV, 3)
    assert producer.counts()["streams"] == before + 3
    assert stream_of(device) == 0
    seen: list[Any] = []

    def nested() -> None:
        producer.set_stream(7)
        seen.append((stream_of(device), get("tensor_stream_in")(array), stream_of(device)))

    assert get("tensor_stream_in")(array, nested) == 99
    assert seen == [(99, 7, 99)]

    def failing() -> None:
        raise KeyError("f")

    with raises(KeyError, "'f'"):
        get("tensor_stream_in")(array, failing)
    assert stream_of(device) == 0
    assert get("tensor_stream_in")(producer.Array(2)) == 0  # in the memory of the processor
    assert get("tensor_stream_in")(producer.Least(2, EXT_DEV, 3)) == 0  # it does not tell


def test_the_allocator_of_the_library_is_set_for_the_call(producer: Any) -> None:
    like = get("tensor_like")
    made = like(producer.Array(5, EXT_DEV, 3))
    assert (made.device, made.shape) == (tain.ext_dev(3), (5,))
    assert producer.counts()["allocations"] == 1
    text = (
        "Tensor: no allocator for ext_dev:1: set one with TainEnvSetDLPackManagedTensorAllocator, "
        "or make the tensor with the library of the device"
    )
    with raises(ValueError, text):
        like(producer.Least(2, EXT_DEV, 1))
    producer.fail(ALLOCATE, RAISE)
    with raises(MemoryError, "the device is full"):
        like(producer.Array(5, EXT_DEV, 3))
    producer.fail(ALLOCATE, NONE)
    with raises(ValueError, text):  # the allocator is that of the call only
        like(producer.Least(2, EXT_DEV, 1))
    assert like(producer.Array(5)).device == tain.cpu()
    assert producer.counts()["allocations"] == 0
    del made
    gc.collect()


def test_a_stream_that_fails(producer: Any) -> None:
    array = producer.Array(2, EXT_DEV, 3)
    producer.fail(STREAM, RAISE)
    for function in (get("tensor_stream_in"), get("tensor_overload"), tain.testing.echo):
        with raises(ValueError, "the producer failed"):
            function(array)
    producer.fail(STREAM, SILENT)
    with raises(BufferError, "array_producer.Array does not tell its stream"):
        get("tensor_stream_in")(array)
    gc.collect()
    counts = producer.counts()
    assert counts["exports"] == counts["deletions"] == 4


def test_threads_export_and_release(producer: Any) -> None:
    arrays = [producer.Array(3) for _ in range(4)]
    total = get("tensor_sum32")

    def work() -> None:
        for _ in range(300):
            for array in arrays:
                assert total(array) == 3.0
                assert tain.testing.echo(array) is array

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    counts = producer.counts()
    assert counts["exports"] == counts["deletions"] == 6 * 300 * 4 * 2


def test_the_class_of_new_tensors() -> None:
    import numpy as np

    zeros = get("tensor_zeros")
    as_numpy = zeros.with_tensor_type(np.ndarray)
    made = as_numpy(shape=(2, 3))
    assert type(made) is np.ndarray
    assert made.tolist() == [[0.0] * 3] * 2
    assert as_numpy.__name__ == "tensor_zeros"
    assert (
        repr(as_numpy)
        == "<Function testing.tensor_zeros(shape: Shape) -> Tensor>.with_tensor_type(numpy.ndarray)"
    )
    assert type(as_numpy.with_tensor_type(None)((2,))) is tain.Tensor
    assert type(zeros((2,))) is tain.Tensor
    overloaded = get("tensor_overload").with_tensor_type(np.ndarray)
    assert overloaded(tain.tensor([1.0, 2.0]), n=2).tolist() == [1.0, 2.0, 1.0, 2.0]
    with raises(TypeError, "testing.tensor_zeros() missing argument 'shape'"):
        as_numpy()


def test_known_tensors_and_arrays_are_what_they_were() -> None:
    import numpy as np

    echo = tain.testing.echo.with_tensor_type(np.ndarray)
    tensor, array = tain.tensor([1.0]), np.ones(2)
    assert echo(tensor) is tensor
    assert echo(array) is array
    assert echo("text") == "text"
    assert echo([tensor])[0] is tensor


def test_a_class_with_from_dlpack() -> None:
    class Mine:
        def __init__(self, tensor: tain.Tensor) -> None:
            self.tensor = tensor

        @classmethod
        def from_dlpack(cls, tensor: tain.Tensor) -> Mine:
            return cls(tensor)

    made = get("tensor_zeros").with_tensor_type(Mine)((2,))
    assert type(made) is Mine
    assert made.tensor.shape == (2,)

    class Failing:
        @classmethod
        def from_dlpack(cls, tensor: tain.Tensor) -> None:
            raise ValueError("no")

    with raises(ValueError, "no"):
        get("tensor_zeros").with_tensor_type(Failing)((2,))


def test_what_is_no_class_of_arrays() -> None:
    where = "Function.with_tensor_type(): argument cls: expected a class of arrays"
    with raises(TypeError, f"{where} or None, got int (3)"):
        tain.testing.echo.with_tensor_type(3)
    with raises(TypeError, f"{where} that from_dlpack of its library makes, got builtins.int"):
        tain.testing.echo.with_tensor_type(int)


def test_a_count_of_copies_has_a_bound() -> None:
    with pytest.raises(ValueError, match=f"^expected at most 1000 copies, got {10**18}$"):
        get("tensor_overload")(tain.tensor([], "float32"), 10**18)
