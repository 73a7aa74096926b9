# SPDX-License-Identifier: Apache-2.0
"""tain.Device and tain.dtype: names, equality, pickling, numpy, crossing both ways."""

from __future__ import annotations

import copy
import ctypes
import pickle
import re
from collections.abc import Callable

import numpy as np
import pytest

import tain
from tain import _core

device, dtype = _core.device, tain.dtype
echo = tain.get_global_func("testing.echo")

# Names of device kinds with the numbers of DLPack 1.1.
KINDS = {
    "cpu": 1,
    "cuda": 2,
    "cuda_host": 3,
    "opencl": 4,
    "vulkan": 7,
    "metal": 8,
    "vpi": 9,
    "rocm": 10,
    "rocm_host": 11,
    "ext_dev": 12,
    "cuda_managed": 13,
    "oneapi": 14,
    "webgpu": 15,
    "hexagon": 16,
    "maia": 17,
    "trn": 18,
}


@pytest.mark.parametrize(("name", "number"), KINDS.items())
def test_kinds_of_devices(name: str, number: int) -> None:
    made = [device(name, 3), device(f"{name}:3"), device(number, 3), getattr(_core, name)(3)]
    assert all(found == made[0] and hash(found) == hash(made[0]) for found in made)
    assert (made[0].type, made[0].device_type) == (name, number)
    assert made[0].device_id == made[0].index == 3
    assert str(made[0]) == f"{name}:3" and repr(made[0]) == f"device('{name}:3')"
    assert device(name) == getattr(_core, name)() == tain.Device(name, 0)


def test_the_core_has_the_same_names() -> None:
    devices = [device(number, 1) for number in KINDS.values()] + [device(77, 0)]
    assert repr(tain.Array(devices)) == repr(devices)


def test_second_names_and_later_kinds() -> None:
    assert device("mps:0") == _core.metal() and device("wgpu") == _core.webgpu()
    assert str(device(77, 2)) == "77:2" and device("77:2") == device(77, 2)


def test_devices_differ() -> None:
    assert len({device("cpu"), device("cpu:0"), device("cpu:1"), device("cuda:1")}) == 3
    assert device("cpu") != "cpu:0" and device("cpu") != (1, 0)


@pytest.mark.parametrize("value", [device("cuda:7"), dtype("float32x4")], ids=str)
def test_copies(value: object) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.deepcopy(value) == copy.copy(value) == value


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [tain.Device, tain.dtype])
@pytest.mark.parametrize("receiver", [1, None, "cpu:0", int, tain.Array([1])], ids=repr)
def test_methods_with_a_wrong_receiver(cls: type, receiver: object) -> None:
    tried = 0
    for found in vars(cls).values():
        if type(found).__name__ not in ("nb_method", "wrapper_descriptor", "property"):
            continue
        call = found.__get__ if isinstance(found, property) else found
        with pytest.raises(TypeError):
            call(receiver)
        tried += 1
    assert tried > 5
    assert "__reduce__" in vars(cls)


@pytest.mark.parametrize(
    "value", [device("cuda:7"), device("cpu"), dtype("bool"), dtype("float32x4")], ids=str
)
def test_crossing(value: object) -> None:
    assert echo(value) == value and type(echo(value)) is type(value)
    assert list(tain.Array([value])) == [value]


def test_devices_as_parameters() -> None:
    test = tain.get_global_func("testing.device_test")
    for made in (_core.cuda(7), _core.cpu(0), _core.opencl(10)):
        assert test(made, made.device_type, made.device_id) == made


def test_fields() -> None:
    kinds = tain.types.testing.AllKinds()
    assert (kinds.device, kinds.dtype) == (_core.cpu(), dtype("float32"))
    kinds.device, kinds.dtype = _core.cuda(1), "int8"
    assert (kinds.device, kinds.dtype) == (_core.cuda(1), dtype("int8"))


WRONG_DEVICES = [
    (("cud",), ValueError, "such as 'cuda' or 'cuda:1', got 'cud'. Did you mean 'cuda'"),
    (("cuda:",), ValueError, "got 'cuda:'. After the colon stands a number from 0 on."),
    (("cuda:x",), ValueError, "got 'cuda:x'. After the colon stands a number from 0 on."),
    (("cuda:-1",), ValueError, "got 'cuda:-1'. After the colon stands a number from 0 on."),
    (("cuda:1:2",), ValueError, "got 'cuda:1:2'."),
    (("cuda:99999999999",), ValueError, "got 'cuda:99999999999'."),
    (("cuda:1", 1), ValueError, "got 'cuda:1'. The index is given twice."),
    (("",), ValueError, "got ''."),
    (("nothing like it",), ValueError, "Known names: cpu, cuda, cuda_host, "),
    (("cuda", -1), ValueError, "device(): index: expected int in 0..2147483647, got -1"),
    (("cuda", 2**70), ValueError, "device(): index: expected int in 0..2147483647, got 1180591"),
    (("cuda", 1.0), TypeError, "device(): index: expected int, got float (1.0)"),
    ((-2,), ValueError, "device(): type: expected int in 0..2147483647, got -2"),
    ((3.5,), TypeError, "device(): expected str or int, got float (3.5)"),
    ((None,), TypeError, "device(): expected str or int, got NoneType (None)"),
    ((True,), TypeError, "device(): expected str or int, got bool (True)"),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG_DEVICES)
@pytest.mark.bad_input
def test_wrong_devices(given: tuple[object, ...], kind: type[Exception], text: str) -> None:
    for make in (device, tain.Device):
        with pytest.raises(kind, match=re.escape(text)):
            make(*given)


@pytest.mark.bad_input
def test_wrong_index_of_a_helper() -> None:
    with pytest.raises(TypeError, match=re.escape("cuda(): index: expected int, got str ('1')")):
        _core.cuda("1")


# ---------------------------------------------------------------- data types

DTYPES = [
    # name, code, bits, lanes, bytes
    ("int8", 0, 8, 1, 1),
    ("int64", 0, 64, 1, 8),
    ("uint16", 1, 16, 1, 2),
    ("float32", 2, 32, 1, 4),
    ("float32x4", 2, 32, 4, 16),
    ("handle", 3, 64, 1, 8),
    ("bfloat16", 4, 16, 1, 2),
    ("complex128", 5, 128, 1, 16),
    ("bool", 6, 8, 1, 1),
    ("int4", 0, 4, 1, 1),
    ("int4x8", 0, 4, 8, 4),
    ("float8_e4m3fn", 10, 8, 1, 1),
    ("float6_e2m3fn", 15, 6, 1, 1),
    ("float4_e2m1fnx2", 17, 4, 2, 1),
]


@pytest.mark.parametrize(("name", "code", "bits", "lanes", "itemsize"), DTYPES)
def test_names_of_data_types(name: str, code: int, bits: int, lanes: int, itemsize: int) -> None:
    made = dtype(name)
    assert (made.code, made.bits, made.lanes, made.itemsize) == (code, bits, lanes, itemsize)
    assert str(made) == name and repr(made) == f"dtype('{name}')"
    assert made == name and hash(made) == hash(name) and made == dtype(made)
    assert made.with_lanes(lanes) == made
    assert dtype(f"torch.{name}") == made


def test_data_types_differ() -> None:
    assert len({dtype("int8"), dtype("uint8"), dtype("int8x2"), dtype("int8"), "int8"}) == 3
    assert dtype("int8") != "uint8" and dtype("int8") != 8 and dtype("int8") != object()


def test_other_spellings() -> None:
    assert dtype("int") == "int32" and dtype("int") != "int"
    assert dtype("torch.float4_e2m1fn_x2") == "float4_e2m1fnx2"


def test_vectors_of_scalable_length() -> None:
    made = dtype("float32xvscalex4")
    assert made.lanes == -4
    with pytest.raises(ValueError, match="a vector of scalable length has no fixed size"):
        assert made.itemsize


WRONG_DTYPES = [
    ("flot32", ValueError, "with lanes as in float32x4, got 'flot32'"),
    ("", ValueError, "got ''"),
    ("float32x", ValueError, "got 'float32x'"),
    ("float32x0", ValueError, "got 'float32x0'"),
    (3, TypeError, "expected the name of a data type, a numpy.dtype or a torch.dtype, got int (3)"),
    (None, TypeError, "got NoneType (None)"),
    (float, TypeError, "got type (<class 'float'>)"),
]


@pytest.mark.parametrize(("wrong", "kind", "text"), WRONG_DTYPES)
@pytest.mark.bad_input
def test_wrong_data_types(wrong: object, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=re.escape(text)):
        dtype(wrong)


@pytest.mark.parametrize("lanes", [0, -1, 32768])
@pytest.mark.bad_input
def test_wrong_lanes(lanes: int) -> None:
    with pytest.raises(ValueError, match=f"lanes: expected int in 1..32767, got {lanes}"):
        dtype("int8").with_lanes(lanes)


def test_numpy_is_imported_only_when_asked_for(run: Callable[..., str]) -> None:
    code = """
        import sys, tain
        kind = tain.dtype("float32")
        assert kind != 3 and "numpy" not in sys.modules
        try:
            tain.dtype(object())
        except TypeError:
            assert "numpy" not in sys.modules
        print(kind.numpy())
        assert "numpy" in sys.modules
    """
    assert run(code) == "float32\n"


def test_to_and_from_numpy() -> None:
    for name in ("int8", "uint64", "float16", "float64", "bool", "complex64"):
        assert dtype(np.dtype(name)) == name
        assert dtype(name).numpy() == np.dtype(name) == np.dtype(dtype(name))
    assert dtype(np.float32) == "float32"
    assert dtype(dtype("float32x4").numpy()) == "float32x4"
    assert np.zeros(2, dtype=dtype("int16")).dtype == np.int16
    assert dtype("int8") == np.dtype("int8")


@pytest.mark.bad_input
def test_what_only_numpy_has() -> None:
    for wrong in ("O", "M8[s]", "S3", np.longdouble):
        with pytest.raises(ValueError, match="it has no counterpart among the data types"):
            dtype(np.dtype(wrong))
    with pytest.raises(ValueError, match="its byte order is not native"):
        dtype(np.dtype("float32").newbyteorder())
    with pytest.raises(ValueError, match="only one dimension can be lanes"):
        dtype(np.dtype(("float32", (2, 2))))
    with pytest.raises(TypeError, match="numpy has no data type for handle"):
        dtype("handle").numpy()


def test_what_ml_dtypes_adds() -> None:
    try:
        import ml_dtypes
    except ImportError:
        with pytest.raises(TypeError, match="no data type for bfloat16; install ml_dtypes"):
            dtype("bfloat16").numpy()
        return
    assert dtype("bfloat16").numpy() == ml_dtypes.bfloat16
    assert dtype(ml_dtypes.float8_e4m3fn) == "float8_e4m3fn"


# ---------------------------------------------------------------- opaque pointers


def test_opaque_pointers() -> None:
    kinds = tain.types.testing.AllKinds()
    assert kinds.pointer is None
    kinds.pointer = ctypes.c_void_p(1234)
    assert isinstance(kinds.pointer, ctypes.c_void_p) and kinds.pointer.value == 1234
    kinds.pointer = None
    assert kinds.pointer is None
    assert echo(ctypes.c_void_p(5)).value == 5 and echo(ctypes.c_void_p(0)) is None
