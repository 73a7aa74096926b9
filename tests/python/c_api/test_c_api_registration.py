# SPDX-License-Identifier: Apache-2.0
"""The C functions of c_api.h that register types and functions, through ctypes."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from ctypes import POINTER, byref, c_int, c_int32, c_int64, c_void_p

import pytest
from c_calls import (
    DELETER,
    FUNCTION,
    INT,
    LIB,
    NONE,
    OBJECT,
    SAFE_CALL,
    Text,
    Value,
    constant_function,
    global_function,
    make_error,
    owned,
    raised,
    release,
    request,
    text,
)
from errors import raises

import tain

NAME = byref(text(b"no.such.name"))
VALUE = byref(Value())


@pytest.fixture(autouse=True)
def nothing_raised() -> Iterator[None]:
    assert raised() is None
    yield
    assert raised() is None


# ---------------------------------------------------------------- types


class TypeInfo(ctypes.Structure):
    _fields_ = [("index", c_int32), ("depth", c_int32), ("key", Text), ("ancestors", c_void_p)]


LIB.TainGetTypeInfo.restype = POINTER(TypeInfo)


@pytest.mark.parametrize(("key", "index"), [(b"ffi.Object", 64), (b"ffi.BigInt", 78)])
def test_keys_and_indices(key: bytes, index: int) -> None:
    out = c_int32(-7)
    assert LIB.TainTypeKeyToIndex(byref(text(key)), byref(out)) == 0
    assert out.value == index
    info = LIB.TainGetTypeInfo(index).contents
    assert (info.index, info.key.data[: info.key.size]) == (index, key)
    assert info.depth == (0 if index == OBJECT else 1)


@pytest.mark.bad_input
def test_unknown_keys_and_indices() -> None:
    assert LIB.TainTypeKeyToIndex(NAME, byref(c_int32())) == -1
    assert re.match(r"(ValueError|KeyError|TypeError): .*no\.such\.name", raised() or "")
    for index in (-1, 14, 63, 127, 1 << 30, -(1 << 31)):
        assert not LIB.TainGetTypeInfo(index), index


def test_a_type_is_allocated_once() -> None:
    index = request(b"test_c_api.Type")
    assert index >= 128
    assert request(b"test_c_api.Type") == index
    out = c_int32()
    assert LIB.TainTypeKeyToIndex(byref(text(b"test_c_api.Type")), byref(out)) == 0
    assert out.value == index


def test_a_parent_of_minus_two_only_asks() -> None:
    index = request(b"test_c_api.Asked")
    assert request(b"test_c_api.Asked", parent=-2) == index
    assert request(b"ffi.Array", parent=-2) == 71
    before = tain.type_keys("test_c_api.")
    assert request(b"test_c_api.Nobody", parent=-2) == -2
    assert LIB.TainTypeGetOrAllocIndex(None, -1, 1, 0, 1, -2) == -2
    assert tain.type_keys("test_c_api.") == before
    assert tain.get_class("test_c_api.Asked")  # no fault waits


FAULTS = """
    import ctypes
    import c_calls as c
    import tain
    lib = c.LIB
    {}
    try:
        tain.types.nothing
    except ImportError as error:
        print(error)
    except AttributeError:
        print("no fault")
    """


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "call",
    [
        "index = lib.TainTypeGetOrAllocIndex(None, -1, 1, 0, 1, 64)",
        "index = c.request(b'')",
        "index = c.request(b'test.Parent', parent=12345)",
        "index = c.request(b'test.Static', static=5)",
        "index = c.request(b'test.Depth', depth=7)",
        "index = c.request(b'ffi.Array', depth=3)",
    ],
)
def test_faulty_requests_give_a_dead_index(run, call: str) -> None:
    printed = run(FAULTS.format(call + "; assert index >= 128, index"))
    assert printed.strip() != "no fault"
    assert len(printed.strip()) > 10


class FieldInfo(ctypes.Structure):
    _fields_ = [
        ("name", Text), ("doc", Text), ("metadata", Text), ("flags", c_int64), ("size", c_int64),
        ("alignment", c_int64), ("offset", c_int64), ("getter", c_void_p), ("setter", c_void_p),
        ("default", Value), ("static_type", c_int32),
    ]  # fmt: skip


class MethodInfo(ctypes.Structure):
    _fields_ = [
        ("name", Text), ("doc", Text), ("metadata", Text), ("flags", c_int64), ("method", Value),
    ]  # fmt: skip


class Metadata(ctypes.Structure):
    _fields_ = [("doc", Text), ("creator", c_void_p), ("size", c_int32), ("kind", c_int32)]


GETTER = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Value))


@GETTER
def read_int(field: int, out: ctypes._Pointer) -> int:
    out[0] = Value(INT, 0, c_int64.from_address(field).value & (1 << 64) - 1)
    return 0


@GETTER
def write_int(field: int, value: ctypes._Pointer) -> int:
    c_int64.from_address(field).value = value[0].payload
    return 0


def test_a_type_is_described() -> None:
    index = request(b"test_c_api.Described")
    name = text(b"value")
    field = FieldInfo(name, text(b"its value"), flags=1, size=8, alignment=8, offset=24)
    field.getter = ctypes.cast(read_int, c_void_p)
    field.setter = ctypes.cast(write_int, c_void_p)
    field.static_type = INT
    assert LIB.TainTypeRegisterField(index, byref(field)) == 0
    function = constant_function()
    method = MethodInfo(text(b"answer"), text(b"a method"), flags=4)
    method.method = Value(FUNCTION, 0, function)
    assert LIB.TainTypeRegisterMethod(index, byref(method)) == 0
    assert LIB.TainObjectDecRef(c_void_p(function)) == 0
    metadata = Metadata(text(b"Described from C."), None, 32, 0)
    assert LIB.TainTypeRegisterMetadata(index, byref(metadata)) == 0
    cls = tain.get_class("test_c_api.Described")
    assert cls.__doc__ == "Described from C."
    assert cls.value.__doc__ == "its value"
    assert cls.answer() == 42


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("function", "record"),
    [
        ("TainTypeRegisterField", FieldInfo(text(b"value"))),
        ("TainTypeRegisterField", FieldInfo(text(b""))),
        ("TainTypeRegisterMethod", MethodInfo(text(b"method"))),
        ("TainTypeRegisterMetadata", Metadata(text(b"doc"))),
        ("TainTypeRegisterField", FieldInfo()),
        ("TainTypeRegisterMethod", MethodInfo()),
    ],
)
@pytest.mark.parametrize("index", [-1, 14, 1 << 30])
def test_members_of_no_type(function: str, record: ctypes.Structure, index: int) -> None:
    assert getattr(LIB, function)(index, byref(record)) == -1
    assert re.match(r"(ValueError|TypeError): ", raised() or "")


def test_type_attributes() -> None:
    LIB.TainGetTypeAttrColumn.restype = c_void_p
    name = byref(text(b"__test_c_api__"))
    assert LIB.TainGetTypeAttrColumn(name) is None
    assert LIB.TainTypeRegisterAttr(0, name, VALUE) == 0  # makes the column only
    column = LIB.TainGetTypeAttrColumn(name)
    assert column
    index = request(b"test_c_api.Attributed")
    assert LIB.TainTypeRegisterAttr(index, name, byref(Value(INT, 0, 42))) == 0
    assert LIB.TainGetTypeAttrColumn(name) == column
    data = c_void_p.from_address(column).value
    size, begin = (c_int32 * 2).from_address(column + 8)
    assert index - begin < size
    assert Value.from_address(data + 16 * (index - begin)).payload == 42
    assert LIB.TainTypeRegisterAttr(1 << 30, name, VALUE) == -1
    assert re.match(r"(ValueError|TypeError): ", raised() or "")


# ---------------------------------------------------------------- functions


def call(function: int, *arguments: int) -> tuple[int, Value]:
    args = (Value * len(arguments))(*(Value(INT, 0, a & (1 << 64) - 1) for a in arguments))
    result = Value()
    return LIB.TainFunctionCall(c_void_p(function), args, len(arguments), byref(result)), result


def test_a_function_from_a_callback_runs_its_finalizer_once() -> None:
    deleted = []

    @SAFE_CALL
    def add(handle: int, args: ctypes._Pointer, num_args: int, result: ctypes._Pointer) -> int:
        assert handle == 99
        assert result[0].type_index == NONE
        result[0] = Value(INT, 0, sum(args[i].payload for i in range(num_args)))
        return 0

    deleter, out = DELETER(deleted.append), c_void_p()
    assert LIB.TainFunctionCreate(c_void_p(99), add, deleter, byref(out)) == 0
    address = out.value
    assert address
    code, result = call(address, 1, 2, 3)
    assert (code, result.type_index, result.payload) == (0, INT, 6)
    name = byref(text(b"test_c_api.add"))
    assert LIB.TainFunctionSetGlobal(name, out, 0) == 0
    assert LIB.TainFunctionSetGlobal(name, out, 0) == -1
    assert re.fullmatch(r"ValueError: .*test_c_api\.add.*", raised() or "")
    assert LIB.TainFunctionSetGlobal(name, out, 1) == 0
    assert LIB.TainObjectDecRef(out) == 0
    assert deleted == []
    with owned(global_function(b"test_c_api.add")) as found:
        assert found == address
    python = tain.get_global_func("test_c_api.add")
    assert python(4, 5) == 9
    tain.remove_global_func("test_c_api.add")
    assert python(4, 5) == 9
    assert deleted == []
    del python
    assert deleted == [99]


def test_a_function_without_a_finalizer() -> None:
    out = c_void_p()
    callback = SAFE_CALL(lambda *_: 0)
    assert LIB.TainFunctionCreate(None, callback, None, byref(out)) == 0
    with owned(out.value) as address:
        assert call(address)[0] == 0


def test_a_callback_that_fails() -> None:
    def fail(*_: object) -> int:
        LIB.TainErrorSetRaisedFromCStr(b"KeyError", b"from the callback")
        return -1

    callback, out = SAFE_CALL(fail), c_void_p()
    assert LIB.TainFunctionCreate(None, callback, None, byref(out)) == 0
    with owned(out.value) as address:
        assert call(address)[0] != 0
        assert raised() == "KeyError: from the callback"


@pytest.mark.bad_input
def test_a_callback_that_fails_without_an_error() -> None:
    callback, out = SAFE_CALL(lambda *_: -1), c_void_p()
    assert LIB.TainFunctionCreate(None, callback, None, byref(out)) == 0
    name = byref(text(b"test_c_api.silent"))
    assert LIB.TainFunctionSetGlobal(name, out, 0) == 0
    with owned(out.value):
        function = tain.get_global_func("test_c_api.silent")
        with raises(Exception, "a C++ function failed without saying why") as caught:
            function()
        assert isinstance(caught.value, (RuntimeError, SystemError))
        tain.remove_global_func("test_c_api.silent")


@pytest.mark.bad_input
@pytest.mark.parametrize("num_args", [-1, -(1 << 31)])
def test_a_negative_number_of_arguments(num_args: int) -> None:
    with owned(constant_function()) as function:
        result = Value()
        code = LIB.TainFunctionCall(c_void_p(function), None, num_args, byref(result))
        error = raised()
        release(result)
        assert (code == 0) == (error is None)


@pytest.mark.bad_input
def test_calling_what_is_no_function() -> None:
    with owned(make_error()) as address:
        assert LIB.TainFunctionCall(c_void_p(address), None, 0, VALUE) == -1
        assert re.match(r"TypeError: .*expected .*Function", raised() or "")
        assert LIB.TainFunctionSetGlobal(NAME, c_void_p(address), 0) == -1
        assert re.match(r"TypeError: .*expected .*Function", raised() or "")


def test_missing_global_functions() -> None:
    out = c_void_p(5)
    assert LIB.TainFunctionGetGlobal(NAME, byref(out)) == 0
    assert out.value is None


def test_global_functions_from_method_records() -> None:
    function = constant_function()
    info = MethodInfo(text(b"test_c_api.method"), text(b"Its documentation."))
    info.method = Value(FUNCTION, 0, function)
    assert LIB.TainFunctionSetGlobalFromMethodInfo(byref(info), 0) == 0
    assert LIB.TainObjectDecRef(c_void_p(function)) == 0
    assert tain.get_global_func("test_c_api.method")() == 42
    tain.remove_global_func("test_c_api.method")
    assert LIB.TainFunctionSetGlobalFromMethodInfo(byref(MethodInfo(text(b"x"))), 0) == -1
    assert re.match(r"(TypeError|ValueError): ", raised() or "")
