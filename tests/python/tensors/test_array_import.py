# SPDX-License-Identifier: Apache-2.0
"""Arrays by DLPack and by the buffer protocol; what Python gets back; broken producers."""

from __future__ import annotations

import array as arrays
import ctypes
import functools
import gc
import mmap
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import Any, Optional

import numpy as np
import pytest
from errors import raises
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
total, negative, identity = get("tensor_sum"), get("tensor_negative"), get("tensor_identity")
TOTAL = "testing.tensor_sum: argument x: expected Tensor of float64 with 1 dimension, got "


LENT = (
    "this Tensor was lent by C++ for the length of a call, which has returned: copy it during the "
    "call to keep it"
)


class Wrapped:
    """An array that is known by its `__dlpack__` only."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self.array.__dlpack_device__()
        return device

    def __dlpack__(self, **keywords: Any) -> Any:
        self.asked.append(keywords)
        return self.array.__dlpack__(**keywords)


class Producer:
    """Returns or raises something in `__dlpack__`."""

    def __init__(self, result: Any, device: Any = (1, 0)) -> None:
        self.result = result
        self.device = device

    def __dlpack_device__(self) -> Any:
        return self.device

    def __dlpack__(self, **_: Any) -> Any:
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


def test_any_array_with_dlpack() -> None:
    source = np.arange(3.0)
    array = Wrapped(source)
    assert total(array) == 3.0
    assert echo(array) is array
    assert identity(array) is array
    assert array.asked[0] == {"max_version": (1, 1)}


def test_a_producer_from_before_dlpack_1() -> None:
    class Old(Wrapped):
        def __dlpack__(self, stream: Any = None) -> Any:
            return self.array.__dlpack__()

    assert total(Old(np.arange(3.0))) == 3.0


def test_a_read_only_array_from_before_dlpack_1() -> None:
    """Its form of DLPack cannot say so; its buffer does. JAX's arrays are exported like this."""

    class Old(mmap.mmap):
        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

        def __dlpack__(self, copy: bool = False, **_: Any) -> Any:
            address = np.frombuffer(self, np.uint8).ctypes.data
            writable = np.ctypeslib.as_array((ctypes.c_uint8 * 16).from_address(address))
            return (writable.copy() if copy else writable).__dlpack__()

    with tempfile.TemporaryFile() as file:
        file.write(b"\1" * 16)
        file.flush()
        array = Old(file.fileno(), 16, access=mmap.ACCESS_READ)
        assert tain.from_dlpack(array).read_only
        assert not tain.from_dlpack(array, copy=True).read_only
        writable = Old(file.fileno(), 16, access=mmap.ACCESS_COPY)
        assert not tain.from_dlpack(writable).read_only


def test_an_array_without_device() -> None:
    class Half:
        def __dlpack__(self, **_: Any) -> Any:
            raise NotImplementedError

    half = Half()
    assert echo(half) is half
    with raises(TypeError, TOTAL + "Half: Half has __dlpack__ but no __dlpack_device__"):
        total(half)


BUFFERS = {
    "array": arrays.array("d", [1, 2, 3]),
    "memoryview": memoryview(arrays.array("d", [1, 2, 3])),
    "strided": memoryview(arrays.array("d", [1, 0, 2, 0, 3]))[::2],
    "ctypes": (ctypes.c_double * 3)(1, 2, 3),
}


@pytest.mark.parametrize("buffer", BUFFERS.values(), ids=BUFFERS)
def test_typed_parameters_take_buffers(buffer: Any) -> None:
    assert total(buffer) == 6.0
    assert identity(buffer) is buffer


def test_arrays_of_ctypes() -> None:
    """Their buffers have no strides, although they were asked for."""
    target = ((ctypes.c_float * 3) * 2)()
    source = np.arange(6, dtype="float32").reshape(2, 3)
    tain.tensor(source).copyto(target)
    assert [list(row) for row in target] == source.tolist()
    assert tain.tensor((ctypes.c_int16 * 0)()).shape == (0,)
    assert tain.tensor(target).tolist() == source.tolist()


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


def test_any_takes_buffers_as_before() -> None:
    buffer = arrays.array("d", [1])
    assert echo(buffer) is buffer
    assert echo(memoryview(b"ab")) == b"ab"


def test_a_buffer_is_locked_while_cpp_holds_it() -> None:
    holder = TensorHolder()
    data = bytearray(8)
    holder.tensor = memoryview(data)
    with pytest.raises(BufferError):
        data.extend(b"more")
    holder.tensor = np.zeros(1)
    data.extend(b"more")


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


def test_a_capsule_is_used_once() -> None:
    capsule = tain.tensor([1.0]).to_dlpack()
    assert tain.from_dlpack(capsule).tolist() == [1.0]
    text = "the capsule of DLPack was used already; it can be used once"
    with raises(ValueError, text):
        tain.from_dlpack(capsule)
    with raises(ValueError, text):
        total(Producer(capsule))


def test_devices_that_are_no_pairs() -> None:
    for device in (None, 5, (), ("a", "b")):
        with pytest.raises((TypeError, IndexError, RuntimeError)):
            tain.from_dlpack(Producer(None, device))


def test_containers_and_fields_return_the_array() -> None:
    array = np.arange(3.0)
    holder = TensorHolder()
    holder.tensor, holder.any, holder.maybe, holder.many = array, array, array, [array]
    assert holder.tensor is array
    assert holder.any is array
    assert holder.maybe is array
    assert holder.many[0] is array
    assert tain.convert({"a": [array]})["a"][0] is array


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


class Managed(ctypes.Structure):
    """DLManagedTensor, which a deleter in Python frees."""

    _fields_ = (
        *(("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32)),
        *(("dtype", ctypes.c_uint8 * 4), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p)),
        *(("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p)),
        ("deleter", ctypes.c_void_p),
    )


@pytest.mark.parametrize("fails", [False, True])
def test_a_deleter_in_python_keeps_the_error_of_the_call(fails: bool) -> None:
    deleted: list[int] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def deleter(_: int) -> None:
        deleted.append(1)
        if fails:
            sys.unraisablehook, hook = lambda _: None, sys.unraisablehook
            hooks.append(hook)
            raise RuntimeError("in the deleter")

    hooks: list[Any] = [sys.unraisablehook]
    data, shape = (ctypes.c_double * 2)(1, 2), (ctypes.c_int64 * 1)(2)
    kind = (ctypes.c_uint8 * 4)(2, 64, 1, 0)
    managed = Managed(
        ctypes.addressof(data), (1, 0), 1, kind, ctypes.addressof(shape), None, 0, None,
        ctypes.cast(deleter, ctypes.c_void_p),
    )  # fmt: skip
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    producer = Producer(new(ctypes.addressof(managed), b"dltensor", None))
    try:
        with pytest.raises(ZeroDivisionError):
            tain.convert(lambda _: 1 / 0)(producer)
    finally:
        sys.unraisablehook = hooks[0]
    gc.collect()
    assert deleted == [1]


@pytest.mark.parametrize("device", [("a", "b"), (2**40, 0), (1,), 5, (1, 0, 0)])
def test_devices_that_are_none(device: Any) -> None:
    text = "Producer.__dlpack_device__(): expected a tuple of the kind of a device and its number"
    with raises(TypeError, text):
        tain.from_dlpack(Producer(None, device))


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
    text = (
        "a callback kept an array, a buffer or a view of a Tensor that C++ lent for the length of "
        "the call: copy it instead"
    )
    for keep in (
        lambda x: kept.append(x.numpy()),
        lambda x: kept.append(x[1:]),
        lambda x: kept.append(memoryview(x)),
        lambda x: kept.append(tain.from_dlpack(x)),
    ):
        with raises(BufferError, text):
            get("tensor_lend")(keep, 3)
    with raises(ValueError, LENT):
        kept[1].tolist()

    def fails(x: Any) -> None:
        kept.append(x.numpy())
        raise KeyError("mine")

    with pytest.raises(KeyError):
        get("tensor_lend")(fails, 3)


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
