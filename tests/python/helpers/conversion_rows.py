# SPDX-License-Identifier: Apache-2.0
"""The rows of the table in docs/conversions.md, with values for both directions."""

from __future__ import annotations

import collections
import ctypes
import datetime
import decimal
import enum
import fractions
import pathlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

import tain
from tain.types import testing as t


class Row(NamedTuple):
    """A C++ type: the functions that echo it, what they take, what comes back, what they refuse.

    A key of `takes` is the word of the page; its value is given, expected, or both. A callable
    makes the value anew.
    """

    cpp: str
    functions: tuple[str, ...]
    takes: dict[str, tuple]
    gives: str
    refuses: tuple[tuple[object, str], ...]


class Index:
    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Small(enum.IntEnum):
    FIVE = 5


class Name(str, enum.Enum):
    X = "x"


class Sub(t.Point):
    pass


class FsPath:
    def __fspath__(self) -> str:
        return "a/b"


class Caller:
    def __call__(self, x: int) -> int:
        return x + 1


Pair = collections.namedtuple("Pair", "a b")
Triple = collections.namedtuple("Triple", "a b c")
POINT = t.Point(1, 2)
SUB = Sub(1, 2)
ERROR = KeyError("k")
FUNCTION = tain.get_global_func("testing.add_one")


def successor(x: int) -> int:
    return x + 1


def calls(value: Callable[[int], int]) -> bool:
    return value(1) == 2


INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "char",
        "long_long"]  # fmt: skip

SEQUENCE = {
    "list": ([1, 2, 3],),
    "tuple": ((1, 2, 3), [1, 2, 3]),
    "namedtuple": (Triple(1, 2, 3), [1, 2, 3]),
    "range": (range(1, 4), [1, 2, 3]),
    "collections.deque": (collections.deque([1, 2, 3]), [1, 2, 3]),
    "generator": (lambda: (i for i in (1, 2, 3)), [1, 2, 3]),
    "dict.keys()": ({1: 0, 2: 0, 3: 0}.keys(), [1, 2, 3]),
    "numpy.ndarray": (np.array([1, 2, 3]), [1, 2, 3]),
    "tain.Array": (tain.Array([1, 2, 3]), [1, 2, 3]),
    "tain.List": (tain.List([1, 2, 3]), [1, 2, 3]),
}
MAPPING = {
    "dict": ({"a": 1},),
    "collections.OrderedDict": (collections.OrderedDict(a=1), {"a": 1}),
    "types.MappingProxyType": (types.MappingProxyType({"a": 1}), {"a": 1}),
    "any Mapping": (collections.ChainMap({"a": 1}), {"a": 1}),
    "tain.Map": (tain.Map({"a": 1}), {"a": 1}),
    "tain.Dict": (tain.Dict({"a": 1}), {"a": 1}),
}
CALLABLE = {
    "function": (successor, calls),
    "bound method": (FUNCTION.__call__, calls),
    "object with `__call__`": (Caller(), calls),
    "tain.Function": (FUNCTION, calls),
    "None": (None,),
}
FLOATS = "float in -3.40282e+38..3.40282e+38"
DOUBLES = f"float in {-sys.float_info.max!r}..{sys.float_info.max!r}"
SIZED = tuple((word, value[0], [1, 2, 3]) for word, value in SEQUENCE.items())


def refused(expected: str, *values: tuple[object, str]) -> tuple[tuple[object, str], ...]:
    return tuple((value, f"TypeError: : expected {expected}, got {got}") for value, got in values)


ROWS = [
    Row("`bool`", ("bool",),
        {"bool": (True,), "numpy.bool_": (np.bool_(False), False)},
        "bool",
        refused("bool", (1, "int (1)"), (None, "None"), ("a", "str ('a')"))),
    Row("integers: `int8_t` ... `uint64_t`, `char`, `long long`", tuple(INTS),
        {"int": (7,), "bool": (True, 1), "`__index__`": (Index(5), 5),
         "enum.IntEnum": (Small.FIVE, 5), "numpy integers": (np.uint8(9), 9)},
        "int",
        (*refused("int", (1.0, "float (1.0)"), ("1", "str ('1')"), (None, "None"),
                  (decimal.Decimal(1), "Decimal (Decimal('1'))"), (np.float32(1), "float (1.0)"),
                  ({1}, "set ({1})")),)),
    *(Row(f"`{name}`", (name,),
          {"float": (0.5,), "int": (3, 3.0), "bool": (True, 1.0),
           "`__float__`": (fractions.Fraction(1, 4), 0.25),
           "decimal.Decimal": (decimal.Decimal("0.5"), 0.5),
           "numpy floats": (np.float16(0.5), 0.5)},
          "float",
          (*refused("float", ("0.5", "str ('0.5')"), (None, "None"), (1j, "complex (1j)"),
                    (np.array([1.0]), "ndarray (array([1.]))")),
           (10**400, f"OverflowError: : expected {span}, got 1{'0' * 59}...")))
      for name, span in (("float", FLOATS), ("double", DOUBLES))),
    Row("`tain::String`, `std::string`, `std::string_view`, `const char*`",
        ("string", "str", "string_view", "c_str", "str_cref", "string_cref"),
        {"str": ("text",), "str with surrogates": ("\udc80 and \ud800",),
         "enum.StrEnum": (Name.X, "x"), "numpy.str_": (np.str_("ä"), "ä")},
        "str",
        refused("str", (b"a", "bytes (b'a')"), (1, "int (1)"), (None, "None"))),
    Row("`tain::Bytes`", ("bytes",),
        {"bytes": (b"a\0\xff",), "bytearray": (bytearray(b"ab"), b"ab"),
         "memoryview": (memoryview(b"abcd")[::2], b"ac"), "numpy.bytes_": (np.bytes_(b"a"), b"a")},
        "bytes",
        refused("bytes", ("a", "str ('a')"), (1, "int (1)"), ([1], "list ([1])"))),
    Row("`std::nullptr_t`", ("none",), {"None": (None,)}, "None", refused("None", (0, "int (0)"))),
    Row("`void*`", ("pointer",),
        {"ctypes.c_void_p": (ctypes.c_void_p(16), lambda p: p.value == 16), "None": (None,)},
        "ctypes.c_void_p or None",
        refused("ctypes.c_void_p | None", (16, "int (16)"))),
    Row("an enum", ("color",),
        {"its members": (t.Color.RED,), "their values": (2, t.Color.GREEN)},
        "its member",
        refused("testing.Color (RED, GREEN, BLUE)", (3, "int (3)"), ("RED", "str ('RED')"))),
    Row("`tain::Array<T>`", ("array_int",), SEQUENCE, "tain.Array",
        (*refused("Array[int]", ("abc", "str ('abc')"), ({1}, "set ({1})"),
                  ({"a": 1}, "dict ({'a': 1})"), (1, "int (1)")),
         ([1, "x"], "TypeError: [1]: expected int, got str ('x')"),
         ((i for i in (1, "x")), "TypeError: [1]: expected int, got str ('x')"))),
    Row("`tain::List<T>`", ("list_int",), SEQUENCE, "tain.List",
        refused("List[int]", ("abc", "str ('abc')"))),
    Row("`tain::Map<K, V>`", ("map_str_int",), MAPPING, "tain.Map",
        (*refused("Map[str, int]", ([("a", 1)], "list ([('a', 1)])")),
         ({"a": "x"}, 'TypeError: ["a"]: expected int, got str (\'x\')'),
         (collections.ChainMap({"a": "x"}), 'TypeError: ["a"]: expected int, got str (\'x\')'),
         ({1: 1}, "TypeError: : key: expected str, got int (1)"))),
    Row("`tain::Dict<K, V>`", ("dict_str_int",), MAPPING, "tain.Dict",
        refused("Dict[str, int]", (1, "int (1)"))),
    Row("`tain::Tuple<Ts...>`", ("tuple_int_str",),
        {"tuple": ((1, "a"),), "list": ([1, "a"], (1, "a")), "namedtuple": (Pair(1, "a"), (1, "a")),
         "generator": (lambda: (x for x in (1, "a")), (1, "a"))},
        "tuple",
        (((1,), "TypeError: : expected tuple[int, str] of 2 elements, got 1"),
         ((1, 2), "TypeError: [1]: expected str, got int (2)"))),
    Row("`tain::Optional<T>`", ("optional_int",), {"what T takes": (5,), "None": (None,)},
        "what T gives, or None", refused("int | None", ("x", "str ('x')"))),
    Row("`tain::Variant<Ts...>`", ("variant_int_str",),
        {"what one of Ts takes": ("x",)}, "what that one gives",
        refused("int | str", (1.5, "float (1.5)"))),
    Row("`tain::Shape`", ("shape",),
        {"tuple": ((2, 3),), "list": ([2, 3], (2, 3)), "range": (range(2), (0, 1)),
         "tain.Shape": (tain.Shape((2, 3)), (2, 3))},
        "tain.Shape",
        (("ab", "TypeError: : expected Shape, got str ('ab')"),
         ([1, "x"], "TypeError: [1]: expected int, got str ('x')"))),
    Row("`tain::Ref<T>`, `T&`, `const T&`", ("point", "point_cref", "point_ref"),
        {"its objects": (POINT, lambda p: p is POINT), "of subclasses": (SUB, lambda p: p is SUB)},
        "the same object",
        refused("testing.Point", (None, "None"), (t.Node(), "testing.Node"))),
    Row("`tain::Ptr<T>`, `T*`, `tain::Optional<tain::Ref<T>>`",
        ("point_ptr", "point_bare", "optional_point"),
        {"its objects": (POINT, lambda p: p is POINT), "None": (None,)},
        "the same object, or None",
        refused("testing.Point | None", (1, "int (1)"))),
    Row("`tain::ObjectRef`", ("object",),
        {"any object of tain": (POINT, lambda p: p is POINT), "list": ([1],), "dict": ({"a": 1},)},
        "the same object", refused("Object | None", (1, "int (1)"))),
    Row("`tain::Function`, `tain::TypedFunction<R(P...)>`", ("function", "typed_function"),
        CALLABLE, "tain.Function or None", ()),
    Row("`tain::PythonObject`", ("python_object",),
        {"any object": ([1], lambda a: a == [1] and type(a) is list), "None": (None,)},
        "the very same object", ()),
    Row("`tain::Error`", ("error",), {"any exception": (ERROR, lambda e: e is ERROR)},
        "the same exception", refused("ffi.Error", ("k", "str ('k')"))),
    Row("`DLDevice`", ("device",), {"tain.Device": (tain.Device("cpu:0"),)}, "tain.Device",
        refused("Device", ("cpu", "str ('cpu')"))),
    Row("`DLDataType`", ("dtype",),
        {"tain.dtype": (tain.dtype("float32"),), "its name": ("float32", tain.dtype("float32")),
         "numpy.dtype": (np.dtype("f4"), tain.dtype("float32")),
         "numpy scalar classes": (np.float32, tain.dtype("float32"))},
        "tain.dtype",
        (*refused("dtype", (1, "int (1)")),
         *refused("dtype (a name such as float32 or int8x4)",
                  ("no such", "str ('no such')")))),
    Row("`std::vector<T>`, `std::deque<T>`, `std::list<T>`",
        ("std_vector_int", "std_deque_int", "std_list_int"), SEQUENCE, "tain.Array",
        (*refused("Array[int]", ("abc", "str ('abc')"), ({1}, "set ({1})"), (1, "int (1)")),
         ([1, 2.0], "TypeError: [1]: expected int, got float (2.0)"))),
    Row("`std::array<T, N>`", ("std_array_int",), SEQUENCE, "tain.Array",
        (([1, 2], "TypeError: : expected Array[int] of 3 elements, got 2"),
         ([1, 2, "x"], "TypeError: [2]: expected int, got str ('x')"),
         (1, "TypeError: : expected Array[int], got int (1)"))),
    Row("`std::set<T>`, `std::unordered_set<T>`", ("std_set_int", "std_unordered_set_int"),
        {"set": ({1, 2}, lambda a: sorted(a) == [1, 2]),
         "frozenset": (frozenset([1, 2]), lambda a: sorted(a) == [1, 2]),
         "list": ([2, 1, 2], lambda a: sorted(a) == [1, 2]),
         "generator": (lambda: (i for i in (1, 2)), lambda a: sorted(a) == [1, 2])},
        "tain.Array",
        (("ab", "TypeError: : expected Array[int], got str ('ab')"),
         ({"x"}, "TypeError: [0]: expected int, got str ('x')"))),
    Row("`std::map<K, V>`, `std::unordered_map<K, V>`",
        ("std_map_str_int", "std_unordered_map_str_int"), MAPPING, "tain.Map",
        (([1], "TypeError: : expected Map[str, int], got list ([1])"),
         ({"a": None}, 'TypeError: ["a"]: expected int, got None'),
         ({1: 1}, "TypeError: : key: expected str, got int (1)"))),
    Row("`std::optional<T>`", ("std_optional_int",),
        {"what T takes": (Index(5), 5), "None": (None,)},
        "what T gives, or None", refused("int | None", ("x", "str ('x')"))),
    Row("`std::variant<Ts...>`", ("std_variant_int_str",),
        {"what one of Ts takes": ("x",)}, "what that one gives",
        (*refused("int | str", (1.5, "float (1.5)"), (None, "None")),)),
    Row("`std::tuple<Ts...>`, `std::pair<A, B>`", ("std_pair_int_str",),
        {"tuple": ((1, "a"),), "list": ([1, "a"], (1, "a")), "namedtuple": (Pair(1, "a"), (1, "a")),
         "generator": (lambda: (x for x in (1, "a")), (1, "a"))},
        "tuple",
        (((1, "a", 2), "TypeError: : expected tuple[int, str] of 2 elements, got 3"),
         ((1, 2), "TypeError: [1]: expected str, got int (2)"))),
    Row("`std::function<R(P...)>`", ("std_function",), CALLABLE, "tain.Function or None",
        refused("Callable[[int], int] | None", (1, "int (1)"))),
    Row("`std::chrono::duration`", ("std_milliseconds", "std_nanoseconds", "std_hours"),
        {"float, in seconds": (1.5,), "int": (2, 2.0),
         "datetime.timedelta": (datetime.timedelta(seconds=1, milliseconds=250), 1.25),
         "`__float__`": (decimal.Decimal("0.5"), 0.5)},
        "float, in seconds",
        refused("float", ("1", "str ('1')"), (None, "None"))),
    Row("`std::chrono::time_point`", ("std_time",),
        {"float, in seconds since the epoch of its clock": (1.5,), "int": (2, 2.0),
         "`__float__`": (decimal.Decimal("0.5"), 0.5)},
        "float, in seconds",
        refused("float (seconds since the epoch, as datetime.timestamp() gives them)",
                ("1", "str ('1')"), (None, "None"),
                (datetime.timedelta(1), "timedelta (datetime.timedelta(days=1))"))),
    Row("`std::complex<T>` of `tain/stl/complex.h`", ("complex64",),
        {"complex": (1 + 2j,), "float": (0.5, 0.5 + 0j), "int": (2, 2 + 0j),
         "`__complex__`": (decimal.Decimal("0.5"), 0.5 + 0j)},
        "complex",
        refused("complex", ("1j", "str ('1j')"), (None, "None"))),
    Row("`std::filesystem::path`", ("std_path",),
        {"str": ("a/b",), "bytes": (b"a/b", "a/b"), "pathlib.Path": (pathlib.Path("a/b"), "a/b"),
         "any os.PathLike": (FsPath(), "a/b")},
        "str",
        refused("str", (1, "int (1)"), (None, "None"))),
]  # fmt: skip

# How what comes back is recognized.
CLASSES = {
    "bool": bool,
    "int": int,
    "float": float,
    "float, in seconds": float,
    "str": str,
    "bytes": bytes,
    "None": type(None),
    "its member": t.Color,
    "tain.Array": tain.Array,
    "tain.List": tain.List,
    "tain.Map": tain.Map,
    "tain.Dict": tain.Dict,
    "tain.Shape": tain.Shape,
    "tain.Device": tain.Device,
    "tain.dtype": tain.dtype,
    "tain.Function or None": (tain.Function, type(None)),
    "ctypes.c_void_p or None": (ctypes.c_void_p, type(None)),
}


def values() -> Iterator[tuple[Row, str, str]]:
    """Yield row, function and word for everything that a function takes."""
    for row in ROWS:
        for function in row.functions:
            for word in row.takes:
                yield row, function, word


def page_row(row: Row) -> str:
    """Return the row as the page has it."""
    return f"| {row.cpp} | {', '.join(row.takes)} | {row.gives} |"
