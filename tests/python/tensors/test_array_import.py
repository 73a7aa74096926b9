# SPDX-License-Identifier: Apache-2.0
"""Which objects are arrays; lifetimes and threads; errors of producers."""

from __future__ import annotations

import array as arrays
import ctypes
import gc
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from producers import Producer, Wrapped
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
total = get("tensor_sum")
TOTAL = "testing.tensor_sum: argument x: expected Tensor of float64 with 1 dimension, got "


@pytest.mark.parametrize(
    "array",
    [
        np.ctypeslib.as_array((ctypes.c_double * 3)(1, 2, 3)),
        np.array([1.0, 2, 3], np.dtype("f8").newbyteorder("<")),
        np.array([1.0, 2, 3]).view(np.dtype(">f8").newbyteorder("S")),
    ],
)
@pytest.mark.only_if(sys.byteorder == "little", reason="the dtypes name the order")
def test_the_order_of_this_machine_by_its_name(array: Any) -> None:
    assert total(array) == 6.0 or array.dtype.byteorder != "<"
    assert echo(array) is array
    assert tain.tensor(array).tolist() == [1, 2, 3]


def test_numpy_does_not_move_memory_that_a_tensor_has() -> None:
    array = np.arange(4.0)
    made = tain.from_dlpack(array)
    with pytest.raises(ValueError, match="resize"):
        array.resize(1 << 20, refcheck=False)
    assert echo(made) is made
    assert made.tolist() == [0, 1, 2, 3]
    del made
    gc.collect()
    array.resize(8, refcheck=False)
    assert array.shape == (8,)


FAULTS = {
    "a buffer of text": (b"abc", "bytes (b'abc')"),
    "formats": (
        arrays.array("w" if sys.version_info >= (3, 13) else "u", "abc"),
        "array: a tensor cannot have elements of its format",
    ),
    "a list": ([1.0], "list ([1.0])"),
    "nothing": (None, "None"),
    "a number": (1.5, "float (1.5)"),
    "a class": (np.ndarray, "type (<class 'numpy.ndarray'>)"),
    "no capsule": (Producer(5), "Producer: expected a capsule of DLPack, got int"),
    "a refusal": (Producer(BufferError("no")), "Producer: no"),
    "a wrong call": (Producer(TypeError("no")), "Producer: no"),
}


@pytest.mark.parametrize(("value", "got"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_array(value: Any, got: str) -> None:
    with pytest.raises(TypeError) as caught:
        total(value)
    assert str(caught.value).startswith(TOTAL + got)


def test_an_error_of_a_producer_is_passed_on() -> None:
    for error in (RuntimeError("boom"), KeyboardInterrupt("stop"), MemoryError()):
        with pytest.raises(type(error)):
            total(Producer(error))


def test_any_keeps_what_cannot_be_exported() -> None:
    for result in (5, BufferError("no"), RuntimeError("boom")):
        producer = Producer(result)
        assert echo(producer) is producer
    with pytest.raises(KeyboardInterrupt):
        echo(Producer(KeyboardInterrupt()))


def test_an_array_lives_as_long_as_cpp_needs_it() -> None:
    class Mine(np.ndarray):
        pass

    array = np.arange(3.0).view(Mine)
    dead = weakref.ref(array)
    holder = TensorHolder()
    holder.tensor = array
    del array
    gc.collect()
    assert dead() is holder.tensor
    del holder
    gc.collect()
    assert dead() is None


def test_a_cycle_through_an_array_is_collected() -> None:
    array = Wrapped(np.arange(3.0))
    holder = TensorHolder()
    holder.tensor = array
    array.asked.append({"holder": holder})
    dead = weakref.ref(array)
    del array, holder
    gc.collect()
    assert dead() is None


AT_EXIT = """
import gc
import sys
import threading
import numpy as np
import tain

class Array:
    def __init__(self): self.array = np.arange(3.0)
    def __dlpack_device__(self): return (1, 0)
    def __dlpack__(self, **keywords): return self.array.__dlpack__(**keywords)
    def __del__(self): print("gone", flush=True)

keep = tain.get_global_func("testing.keep")
keep(np.arange(3.0))
keep(Array())
keep(tain.tensor([1.0, 2.0]))
keep(memoryview(bytearray(8)))
sys.kept = [tain.tensor([1.0]), tain.convert({"a": np.ones(3), "b": Array()})]
sys.view = np.asarray(tain.tensor([1.0, 2.0]))[1:]
def hold():
    kept = tain.convert([np.ones(5), Array()])
    started.set()
    threading.Event().wait()
started = threading.Event()
threading.Thread(target=hold, daemon=True).start()
started.wait()
print("end", flush=True)
"""


def test_tensors_that_live_at_the_end_of_the_interpreter() -> None:
    command = [sys.executable, "-X", "dev", "-c", AT_EXIT]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == "end"


def test_threads_release_at_once() -> None:
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(200):
                array = np.arange(100.0)
                kept = [tain.convert([array, array]), tain.from_dlpack(array)]
                assert kept[0][0] is array
                total(array)
                get("drop_in_thread")(tain.from_dlpack(array)._move())
                del kept
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
