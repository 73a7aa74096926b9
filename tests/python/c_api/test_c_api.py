# SPDX-License-Identifier: Apache-2.0
"""The C functions of c_api.h through ctypes: objects, values, errors, once."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path

import pytest
from c_calls import (
    BIG_INT,
    BYTE_ARRAY,
    BYTES,
    DEINIT_ONCE,
    DELETER,
    ERROR,
    FUNCTION,
    INIT_ONCE,
    INT,
    LIB,
    OBJECT,
    RAW_STR,
    SAFE_CALL,
    SMALL_BYTES,
    SMALL_STR,
    STR,
    Allocator,
    DataType,
    Text,
    Value,
    cell,
    make_error,
    owned,
    raised,
    release,
    string,
    strong_count,
    text,
)
from threads import in_threads

HEADERS = Path(__file__).resolve().parents[3] / "include" / "tain"


@pytest.fixture(autouse=True)
def nothing_raised() -> Iterator[None]:
    assert raised() is None
    yield
    assert raised() is None


# ---------------------------------------------------------------- every function, wrong arguments

BOX = byref(c_void_p())
NAME = byref(text(b"no.such.name"))
VALUE = byref(Value())
NULLS = [  # (function, arguments that hold a null which must not be, error)
    ("TainObjectIncRef", (None,)),
    ("TainObjectDecRef", (None,)),
    ("TainObjectCreateOpaque", (None, 74, None, None)),
    ("TainTypeKeyToIndex", (None, BOX)),
    ("TainTypeKeyToIndex", (NAME, None)),
    ("TainTypeRegisterField", (OBJECT, None)),
    ("TainTypeRegisterMethod", (OBJECT, None)),
    ("TainTypeRegisterMetadata", (OBJECT, None)),
    ("TainTypeRegisterAttr", (OBJECT, None, VALUE)),
    ("TainTypeRegisterAttr", (OBJECT, NAME, None)),
    ("TainFunctionCreate", (None, None, None, BOX)),
    ("TainFunctionCreate", (None, SAFE_CALL(lambda *_: 0), None, None)),
    ("TainFunctionCall", (None, None, 0, VALUE)),
    ("TainFunctionGetGlobal", (None, BOX)),
    ("TainFunctionGetGlobal", (NAME, None)),
    ("TainEnvModLookupFromImports", (None, b"f", BOX)),
    ("TainEnvModLookupFromImports", (OBJECT, b"f", None)),
    ("TainEnvModRegisterContextSymbol", (None, 8)),
    ("TainEnvModRegisterContextSymbol", (b"symbol", None)),
    ("TainEnvModRegisterSystemLibSymbol", (None, 8)),
    ("TainEnvModRegisterSystemLibSymbol", (b"symbol", None)),
    ("TainFunctionSetGlobal", (None, None, 0)),
    ("TainFunctionSetGlobal", (NAME, None, 0)),
    ("TainFunctionSetGlobalFromMethodInfo", (None, 0)),
    ("TainAnyViewToOwnedAny", (None, VALUE)),
    ("TainAnyViewToOwnedAny", (VALUE, None)),
    ("TainErrorCreate", (None, None, None, None)),
    ("TainErrorCreateWithCauseAndExtraContext", (NAME, NAME, NAME, None, None, None)),
    ("TainStringFromByteArray", (None, VALUE)),
    ("TainStringFromByteArray", (NAME, None)),
    ("TainBytesFromByteArray", (None, VALUE)),
    ("TainBytesFromByteArray", (NAME, None)),
    ("TainBigIntFromByteArray", (None, VALUE)),
    ("TainBigIntFromByteArray", (NAME, None)),
    ("TainDataTypeFromString", (None, BOX)),
    ("TainDataTypeFromString", (NAME, None)),
    ("TainDataTypeToString", (None, VALUE)),
    ("TainDataTypeToString", (byref(DataType(2, 32, 1)), None)),
    ("TainHandleInitOnce", (None, INIT_ONCE(lambda _: 0))),
    ("TainHandleInitOnce", (BOX, None)),
    ("TainHandleDeinitOnce", (None, DEINIT_ONCE(lambda _: 0))),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "arguments"), NULLS)
def test_null_arguments(name: str, arguments: tuple) -> None:
    code, error = getattr(LIB, name)(*arguments), raised()
    assert code != 0, error
    assert error is not None
    assert re.fullmatch(r"(ValueError|TypeError): .{8,}", error), error


@pytest.mark.bad_input
def test_null_arguments_of_what_cannot_fail() -> None:
    LIB.TainGetVersion(None)
    assert LIB.TainSetCustomAllocator(None) == 0  # back to malloc, which it is
    LIB.TainErrorSetRaised(None)
    LIB.TainErrorMoveFromRaised(None)
    LIB.TainBacktrace.restype = c_void_p
    assert LIB.TainBacktrace(None, 0, None, 0)
    LIB.TainGetTypeAttrColumn.restype = c_void_p
    assert LIB.TainGetTypeAttrColumn(None) is None
    LIB.TainErrorSetRaisedFromCStr(None, None)
    assert (raised() or "").endswith(": ")
    LIB.TainErrorSetRaisedFromCStrParts(None, None, 3)
    assert (raised() or "").endswith(": ")


def test_every_function_of_the_header_is_tested() -> None:
    header = (HEADERS / "c_api.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"^TAIN_DLL [^;(]*?\b(Tain\w+)\(", header, re.MULTILINE))
    assert len(declared) >= 35
    here = Path(__file__).parent
    source = "".join(path.read_text("utf-8") for path in here.glob("test_c_api*.py"))
    assert {name for name in declared if name not in source} == set()
    assert {name for name in declared if not hasattr(LIB, name)} == set()


# ---------------------------------------------------------------- versions, objects


def test_version() -> None:
    version = (c_uint32 * 3)()
    LIB.TainGetVersion(version)
    assert tuple(version) == (0, 1, 16)


def test_opaque_objects_run_their_deleter_once() -> None:
    deleted = []
    deleter, out = DELETER(deleted.append), c_void_p()
    assert LIB.TainObjectCreateOpaque(c_void_p(0x1234), 74, deleter, byref(out)) == 0
    address = out.value
    assert address
    assert cell(address, 1) == [0x1234]
    assert strong_count(address) == 1
    assert LIB.TainObjectIncRef(out) == 0
    assert strong_count(address) == 2
    assert LIB.TainObjectDecRef(out) == 0
    assert deleted == []
    assert LIB.TainObjectDecRef(out) == 0
    assert deleted == [0x1234]


@pytest.mark.bad_input
@pytest.mark.parametrize("index", [-1, 0, 13, 1 << 30, FUNCTION])
def test_opaque_objects_of_a_wrong_type(index: int) -> None:
    out = c_void_p()
    code = LIB.TainObjectCreateOpaque(None, index, None, byref(out))
    error = raised()
    if code == 0:
        assert LIB.TainObjectDecRef(out) == 0
    assert code != 0
    assert re.fullmatch(r"(TypeError|ValueError): .*", error or "")


ALLOCATE = ctypes.CFUNCTYPE(c_void_p, c_size_t, c_size_t, c_int32, c_void_p)
LIB.TainGetCustomAllocator.restype = c_void_p


def test_custom_allocator() -> None:
    libc, blocks, freed = ctypes.CDLL(None), {}, []
    libc.aligned_alloc.restype = c_void_p
    libc.aligned_alloc.argtypes = [c_size_t, c_size_t]

    @DELETER
    def delete_space(body: int) -> None:
        freed.append(body)
        libc.free(c_void_p(blocks[body][0]))

    @ALLOCATE
    def allocate(size: int, alignment: int, index: int, context: int) -> int:
        head = max(alignment, 8)
        block = libc.aligned_alloc(head, -(-(head + size) // head) * head)
        blocks[block + head] = block, index, context
        c_void_p.from_address(block + head - 8).value = ctypes.cast(delete_space, c_void_p).value
        return block + head

    before = LIB.TainGetCustomAllocator()
    assert before
    mine = Allocator(ctypes.cast(allocate, c_void_p), 77)
    assert LIB.TainSetCustomAllocator(byref(mine)) == 0
    try:
        assert LIB.TainGetCustomAllocator() == ctypes.addressof(mine)
        address = make_error()
    finally:
        assert LIB.TainSetCustomAllocator(c_void_p(before)) == 0
    assert (ERROR, 77) in {block[1:] for block in blocks.values()}
    assert LIB.TainObjectDecRef(c_void_p(address)) == 0  # goes back to where it came from
    assert sorted(freed) == sorted(blocks)


@pytest.mark.bad_input
def test_an_allocator_without_memory() -> None:
    alloc = ALLOCATE(lambda *_: None)
    before, mine, out = LIB.TainGetCustomAllocator(), Allocator(), c_void_p()
    mine.allocate = ctypes.cast(alloc, c_void_p)
    assert LIB.TainSetCustomAllocator(byref(mine)) == 0
    code = LIB.TainObjectCreateOpaque(None, 74, None, byref(out))
    assert LIB.TainSetCustomAllocator(c_void_p(before)) == 0
    assert code != 0
    assert raised() == "MemoryError: out of memory"


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("index", "content", "expected"),
    [
        (RAW_STR, b"short", SMALL_STR),
        (RAW_STR, b"a longer text", STR),
        (BYTE_ARRAY, b"short", SMALL_BYTES),
        (BYTE_ARRAY, b"longer\0bytes", BYTES),
    ],
)
def test_views_become_owned(index: int, content: bytes, expected: int) -> None:
    array, out = text(content), Value()
    raw = ctypes.create_string_buffer(content)
    address = ctypes.addressof(array) if index == BYTE_ARRAY else ctypes.addressof(raw)
    assert LIB.TainAnyViewToOwnedAny(byref(Value(index, 0, address)), byref(out)) == 0
    assert (out.type_index, out.text()) == (expected, content)
    release(out)


def test_objects_become_owned() -> None:
    with owned(make_error()) as address:
        out = Value()
        assert LIB.TainAnyViewToOwnedAny(byref(Value(ERROR, 0, address)), byref(out)) == 0
        assert (out.type_index, out.payload, strong_count(address)) == (ERROR, address, 2)
        release(out)
        slot = c_void_p(address)
        assert LIB.TainObjectIncRef(slot) == 0
        view = Value(10, 0, ctypes.addressof(slot))
        assert LIB.TainAnyViewToOwnedAny(byref(view), byref(out)) == 0
        assert (out.type_index, out.payload) == (ERROR, address)
        assert strong_count(address) == (2 if slot.value is None else 3)
        release(out)
        if slot.value is not None:
            assert LIB.TainObjectDecRef(slot) == 0


@pytest.mark.parametrize("size", [0, 1, 7, 8, 100])
def test_strings_and_bytes(size: int) -> None:
    content = b"x" * size
    for function, small, large in (
        ("TainStringFromByteArray", SMALL_STR, STR),
        ("TainBytesFromByteArray", SMALL_BYTES, BYTES),
    ):
        out = Value()
        assert getattr(LIB, function)(byref(text(content)), byref(out)) == 0
        assert (out.type_index, out.text()) == (small if size <= 7 else large, content)
        if size > 7:
            assert ctypes.string_at(cell(out.payload, 1)[0] + size, 1) == b"\0"
        release(out)


@pytest.mark.bad_input
def test_bytes_from_null() -> None:
    for function in ("TainStringFromByteArray", "TainBytesFromByteArray"):
        out = Value()
        assert getattr(LIB, function)(byref(Text(None, 0)), byref(out)) == 0
        assert out.text() == b""
        assert getattr(LIB, function)(byref(Text(None, 5)), byref(out)) == -1
        assert re.match(r"TypeError: Tain\w+: expected bytes, got null$", raised() or "")


@pytest.mark.parametrize(
    "number", [0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**64, -(2**200), 2**1000 + 1]
)
def test_big_integers(number: int) -> None:
    content = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    out = Value()
    assert LIB.TainBigIntFromByteArray(byref(text(content)), byref(out)) == 0
    fits = -(2**63) <= number < 2**63
    assert out.type_index == (INT if fits else BIG_INT)
    if fits:
        assert c_int64(out.payload).value == number
    words = LIB.TainBigIntGetContentByteArray(byref(out))
    data = ctypes.string_at(c_void_p.from_address(ctypes.addressof(words)).value, words.size)
    assert int.from_bytes(data, "little", signed=True) == number
    assert words.size % 8 == 0
    release(out)


LIB.TainBigIntGetContentByteArray.restype = Text


@pytest.mark.bad_input
def test_the_words_of_what_is_no_integer() -> None:
    with owned(make_error()) as address:
        for value in (Value(ERROR, 0, address), Value(BIG_INT), Value(), None):
            words = LIB.TainBigIntGetContentByteArray(value and byref(value))
            assert (words.data, words.size) == (None, 0)


@pytest.mark.parametrize(
    ("name", "record"),
    [
        (b"float32", (2, 32, 1)),
        (b"int8", (0, 8, 1)),
        (b"uint64x4", (1, 64, 4)),
        (b"bfloat16", (4, 16, 1)),
        (b"bool", (6, 8, 1)),
    ],
)
def test_data_types(name: bytes, record: tuple[int, int, int]) -> None:
    dtype, out = DataType(), Value()
    assert LIB.TainDataTypeFromString(byref(text(name)), byref(dtype)) == 0
    assert (dtype.code, dtype.bits, dtype.lanes) == record
    assert LIB.TainDataTypeToString(byref(dtype), byref(out)) == 0
    assert out.text() == name
    release(out)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", [b"flot32", b"float", b"int8x", b"int8x99999999", b"\xff"])
def test_names_that_are_no_data_type(name: bytes) -> None:
    dtype = DataType()
    code = LIB.TainDataTypeFromString(byref(text(name)), byref(dtype))
    error = ctypes.c_void_p()
    LIB.TainErrorMoveFromRaised(byref(error))
    if error.value:
        assert LIB.TainObjectDecRef(error) == 0
    assert (code == 0) == (not error.value)
    if name != b"float":
        assert code == -1


@pytest.mark.bad_input
def test_data_types_of_any_bits_have_a_name() -> None:
    out = Value()
    for code in range(0, 256, 5):
        failed = LIB.TainDataTypeToString(byref(DataType(code, 3, 0)), byref(out))
        assert (failed == 0) == (raised() is None)
        if failed == 0:
            release(out)


# ---------------------------------------------------------------- errors


def test_errors_are_raised_and_taken() -> None:
    address = make_error(b"KeyError", b"what")
    LIB.TainErrorSetRaised(c_void_p(address))  # keeps a reference of its own
    out = c_void_p()
    LIB.TainErrorMoveFromRaised(byref(out))
    assert out.value == address
    assert strong_count(address) in (1, 2)
    for _ in range(strong_count(address)):
        assert LIB.TainObjectDecRef(out) == 0
    LIB.TainErrorMoveFromRaised(byref(out))
    assert out.value is None


def test_a_raised_error_replaces_the_one_before() -> None:
    LIB.TainErrorSetRaisedFromCStr(b"KeyError", b"first")
    LIB.TainErrorSetRaisedFromCStr(b"ValueError", b"second")
    assert raised() == "ValueError: second"


def test_errors_belong_to_a_thread() -> None:
    LIB.TainErrorSetRaisedFromCStr(b"KeyError", b"of the main thread")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(raised()))
    thread.start()
    thread.join()
    assert seen == [None]
    assert raised() == "KeyError: of the main thread"


def test_messages_in_parts() -> None:
    parts = (c_char_p * 3)(b"one ", None, b"two")
    LIB.TainErrorSetRaisedFromCStrParts(b"ValueError", parts, 3)
    assert raised() == "ValueError: one two"
    LIB.TainErrorSetRaisedFromCStrParts(b"ValueError", parts, 0)
    assert raised() == "ValueError: "
    LIB.TainErrorSetRaisedFromCStrParts(b"ValueError", parts, -5)
    assert raised() == "ValueError: "


def test_errors_with_a_cause() -> None:
    cause, out = make_error(b"KeyError", b"the cause"), c_void_p()
    parts = (text(b"ValueError"), text(b"the effect"), text(b"a line"))
    create = LIB.TainErrorCreateWithCauseAndExtraContext
    assert create(*map(byref, parts), c_void_p(cause), None, byref(out)) == 0
    with owned(out.value) as address:
        words = cell(address, 9)
        assert string(*words[:2]) == "ValueError"
        assert string(*words[4:6]) == "a line"
        assert words[7:] == [cause, 0]
        assert words[6] != 0  # update_backtrace
        assert strong_count(cause) == 2
    with owned(cause):
        assert strong_count(cause) == 1


def test_the_backtrace_of_an_error_is_updated() -> None:
    with owned(make_error()) as address:
        update = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Text), c_int32)(cell(address, 7)[6])
        update(address, byref(text(b"first")), 0)
        update(address, byref(text(b"second")), 1)
        assert string(*cell(address, 6)[4:]) == "first\nsecond"
        update(address, byref(text(b"third")), 0)
        assert string(*cell(address, 6)[4:]) == "third"


@pytest.mark.bad_input
def test_raising_what_is_no_error() -> None:
    out = c_void_p()
    assert LIB.TainObjectCreateOpaque(None, 74, None, byref(out)) == 0
    with owned(out.value):
        LIB.TainErrorSetRaised(out)
        assert re.match(r"(TypeError|RuntimeError|InternalError|SystemError): ", raised() or "x")


def test_backtrace() -> None:
    LIB.TainBacktrace.restype = POINTER(Text)
    array = LIB.TainBacktrace(b"a_file.cc", 12, b"a_function", 0).contents
    LIB.TainBacktrace.restype = c_void_p
    assert b"a_file.cc" in array.data[: array.size]
    assert b"12" in array.data[: array.size]
    assert b"a_function" in array.data[: array.size]


# ---------------------------------------------------------------- once


def test_a_handle_is_initialized_once_from_many_threads() -> None:
    runs, handle, results = [], c_void_p(), []
    start = threading.Barrier(8)

    @INIT_ONCE
    def init(result: ctypes._Pointer) -> int:
        runs.append(1)
        result[0] = 0x1000 + len(runs)
        return 0

    def work() -> None:
        start.wait()
        results.append((LIB.TainHandleInitOnce(byref(handle), init), handle.value))

    in_threads([work] * 8)
    assert len(runs) == 1
    assert results == [(0, 0x1001)] * 8
    taken = []

    @DEINIT_ONCE
    def deinit(address: int) -> int:
        taken.append(address)
        return 0

    for _ in range(3):
        assert LIB.TainHandleDeinitOnce(byref(handle), deinit) == 0
    assert taken == [0x1001]
    assert handle.value is None


@pytest.mark.bad_input
def test_a_handle_whose_init_fails_is_tried_again() -> None:
    handle, fail = c_void_p(), [True]

    @INIT_ONCE
    def init(result: ctypes._Pointer) -> int:
        if fail[0]:
            LIB.TainErrorSetRaisedFromCStr(b"OSError", b"not yet")
            return -1
        result[0] = 5
        return 0

    assert LIB.TainHandleInitOnce(byref(handle), init) != 0
    assert raised() == "OSError: not yet"
    assert handle.value is None
    fail[0] = False
    assert LIB.TainHandleInitOnce(byref(handle), init) == 0
    assert handle.value == 5


@pytest.mark.bad_input
def test_a_deinit_that_fails() -> None:
    handle = c_void_p(5)

    @DEINIT_ONCE
    def deinit(_: int) -> int:
        LIB.TainErrorSetRaisedFromCStr(b"OSError", b"cannot")
        return -1

    assert LIB.TainHandleDeinitOnce(byref(handle), deinit) != 0
    assert raised() == "OSError: cannot"
    assert LIB.TainHandleDeinitOnce(byref(handle), None) in (0, -1)
    raised()
