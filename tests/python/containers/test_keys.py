# SPDX-License-Identifier: Apache-2.0
"""Which keys of Map and Dict are equal: registered objects by value, numbers as in dict."""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import gc
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from c_calls import SAFE_CALL
from c_keys import register_key
from tain.types.testing import Clock, Coin, Draft, Medal, Point
from value_types import Cell, Corner, Loose, Plain

import tain
from tain import Array, Dict, List, Map, libinfo

FIND = tain.get_global_func("testing.find_key")
FIND_UNLOCKED = tain.get_global_func("testing.find_key_unlocked")
COINS = tain.get_global_func("testing.coins")


@tain.py_class("test_keys.Own")
class Own:
    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.value % 10 == other.value % 10

    def __hash__(self) -> int:
        return self.value % 10


@dataclasses.dataclass(unsafe_hash=True)
class Hashed(Draft):
    """A dataclass on top of a type with equality and no hash."""

    note: str = ""

    def __init__(self, value: int, note: str = "") -> None:
        super().__init__(value)
        self.note = note


# Makers of objects that are equal if they were made of equal numbers.
BY_VALUE: dict[str, Callable[[int], Any]] = {
    "C++": Coin,
    "C++, every field": lambda i: Coin(i, "a long currency", Array([i, "x", None])),
    "C++, inherited": lambda i: Medal(i, rank=i),
    "C++, own methods": lambda i: Clock(i % 12),
    "py_class": Cell,
    "py_class, unsafe_hash": lambda i: Loose(i, Cell((i, str(i)))),
    "py_class, own methods": lambda i: Own(i % 10),
    "subclass": lambda i: Corner(i, 2),
    "dataclass": Hashed,
}


def entries(others: int, make: Callable[[int], Any]) -> dict[Any, int]:
    """Return entries in which the last key is the one that is looked for."""
    return {make(i): i for i in range(1, others)}


@pytest.mark.parametrize("make", BY_VALUE.values(), ids=BY_VALUE.keys())
@pytest.mark.parametrize("others", [1, 3, 9])
def test_equal_objects_are_one_key(make: Callable[[int], Any], others: int) -> None:
    a, b, c = make(0), make(0), make(9)
    assert a == b and a is not b and hash(a) == hash(b) and len({a, b}) == 1
    source = {**entries(others, make), a: "value"}
    assert len(source) == others
    for kind in (Dict, Map):
        mapping: Any = kind(source)
        assert len(mapping) == others
        assert mapping[b] == mapping.get(b) == "value"
        keys = mapping.keys()
        assert b in mapping and b in keys and (b, "value") in mapping.items()
        assert c not in mapping and mapping.get(c) is None
        assert mapping == kind({**entries(others, make), b: "value"})
        for find in (FIND, FIND_UNLOCKED):
            assert find(mapping, b) == "value"
            assert find(mapping, c) is None
    changed: Any = Dict(source)
    changed[b] = "other"
    assert len(changed) == others and changed[a] == "other"
    assert changed.setdefault(b, "unused") == "other"
    changed.update({b: "third"})
    assert changed.pop(b) == "third"
    assert a not in changed and len(changed) == others - 1
    changed[a] = 1
    del changed[b]
    assert len(changed) == others - 1


BY_ADDRESS: dict[str, Callable[[int], Any]] = {
    "C++": lambda i: Point(i, 0),
    "py_class": Plain,
    "subclass": lambda i: type("Sub", (Point,), {})(i, 0),
}


@pytest.mark.parametrize("make", BY_ADDRESS.values(), ids=BY_ADDRESS.keys())
def test_other_objects_equal_only_themselves(make: Callable[[int], Any]) -> None:
    keys = [make(1) for _ in range(30)]
    mapping = Dict({key: i for i, key in enumerate(keys)})
    assert len(mapping) == 30
    assert [mapping[key] for key in keys] == list(range(30))
    assert [FIND_UNLOCKED(mapping, key) for key in keys] == list(range(30))
    assert make(1) not in mapping


def test_a_map_that_cpp_filled() -> None:
    coins = COINS(50)
    assert [coins[Coin(i, "EUR", i)] for i in range(50)] == list(range(50))
    assert Coin(3, "USD", 3) not in coins
    assert Coin(3, "EUR", 3.0) in coins


def test_fields_that_are_not_compared() -> None:
    a, b = Coin(1), Coin(1)
    b.scratches = 7
    assert a == b and hash(a) == hash(b) and Dict({a: 1})[b] == 1
    b.year = 3
    assert a != b and b not in Dict({a: 1})
    b.year, b.owners = 0, [1]
    assert a != b and b not in Dict({a: 1})


def test_types_differ() -> None:
    """The type is part of the hash: a parent and its child are never one key."""
    coin, medal = Coin(1), Medal(1)
    assert coin != medal and medal not in Dict({coin: 1})
    assert Medal(1, rank=1) != Medal(1, rank=2)

    class Child(Coin):
        pass

    assert Child(1) == coin and Dict({coin: 1})[Child(1)] == 1  # one C++ type


# ---------------------------------------------------------------- errors


def test_cpp_keys_without_a_hash_go_by_address() -> None:
    """C++ may use objects as keys that change and are not for Python's dict."""
    draft, same = Draft(1), Draft(1)
    assert draft == same
    assert FIND(Dict({"a": 1}), draft) is None
    library = ctypes.CDLL(libinfo.find_libtain())
    library.TainAnyHash.restype = ctypes.c_uint64
    assert hash_of(library, draft) != hash_of(library, same)


# ---------------------------------------------------------------- classes that come later


def test_a_mutable_dataclass_goes_by_address_in_cpp() -> None:
    @dataclasses.dataclass
    class Noted(Coin):
        def __init__(self, amount: float) -> None:
            super().__init__(amount)

    noted = Noted(1)
    with pytest.raises(TypeError, match=r"\bunhashable type: 'Noted'"):
        Dict({noted: 1})
    assert FIND_UNLOCKED(Dict({i: i for i in range(9)}), noted) is None


def test_containers_with_methods_of_their_own() -> None:
    class Bag(List[Any]):
        def __hash__(self) -> int:
            return len(self)

    class Set(Array[Any]):
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Set) and sorted(self) == sorted(other)

        def __hash__(self) -> int:
            return hash(tuple(sorted(self)))

    for others in (0, 9):
        mapping = Dict({i: i for i in range(others)})
        mapping[Bag([1, 2])] = "bag"
        mapping[Set([1, 2])] = "set"
        assert mapping[Bag([1, 2])] == FIND_UNLOCKED(mapping, Bag([1, 2])) == "bag"
        assert mapping[Set([2, 1])] == FIND_UNLOCKED(mapping, Set([2, 1])) == "set"
        assert Bag([2, 1]) not in mapping and Set([2, 3]) not in mapping


def test_maps_are_keys_by_content() -> None:
    for others in (0, 9):
        mapping = Dict({i: i for i in range(others)})
        mapping[Map({"a": 1, "b": (2,)})] = "map"
        for same in (Map({"b": [2], "a": 1.0}), Map({"a": True, "b": (2,)})):
            assert mapping[same] == FIND_UNLOCKED(mapping, same) == "map"
        assert Map({"a": 1}) not in mapping
        with pytest.raises(TypeError, match=r"\bunhashable type: 'tain.List'"):
            mapping[Map({"a": List()})] = 1


# ---------------------------------------------------------------- what other code reads


class CValue(ctypes.Structure):
    _fields_ = [("type_index", ctypes.c_int32), ("padding", ctypes.c_uint32),
                ("payload", ctypes.c_uint64)]  # fmt: skip


class CColumn(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(CValue)), ("size", ctypes.c_int32),
                ("begin", ctypes.c_int32)]  # fmt: skip


class CBytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def value_of(key: Any) -> CValue:
    address = key.__chandle__()
    return CValue(ctypes.cast(address + 8, ctypes.POINTER(ctypes.c_int32))[0], 0, address)


def hash_of(library: ctypes.CDLL, key: Any) -> int:
    return int(library.TainAnyHash(ctypes.byref(value_of(key))))


def combine(key: int, value: int) -> int:
    mask = 2**64 - 1
    return (key ^ (value + 0x9E3779B9 + (key << 6) + (key >> 2))) & mask


@pytest.mark.parametrize(
    "make",
    [*BY_VALUE.values(), *BY_ADDRESS.values()],
    ids=[*BY_VALUE, *(f"by address, {name}" for name in BY_ADDRESS)],
)
def test_the_columns_say_the_same(make: Callable[[int], Any]) -> None:
    """As code of others does that searches maps inline."""
    library = ctypes.CDLL(libinfo.find_libtain())
    library.TainAnyHash.restype = ctypes.c_uint64
    library.TainGetTypeAttrColumn.restype = ctypes.POINTER(CColumn)
    hashes, equals = (
        library.TainGetTypeAttrColumn(ctypes.byref(CBytes(name, len(name)))).contents
        for name in (b"__any_hash__", b"__any_equal__")
    )
    keys = [make(0), make(0), make(1), make(2)]

    def call(column: CColumn, *args: CValue) -> int | None:
        at = args[0].type_index - column.begin
        if at >= column.size or column.data[at].type_index == 0:
            return None
        assert column.data[at].type_index == 68
        result = CValue()
        array = (CValue * len(args))(*args)
        function = ctypes.c_void_p(column.data[at].payload)
        assert library.TainFunctionCall(function, array, len(args), ctypes.byref(result)) == 0
        return int(result.payload)

    for a, b in itertools.product(keys, repeat=2):
        x, y = value_of(a), value_of(b)
        expected = call(hashes, x)
        payload = x.payload if expected is None else expected
        assert hash_of(library, a) == combine(x.type_index, payload)
        found = call(equals, x, y)
        same = a.__chandle__() == b.__chandle__() or (x.type_index == y.type_index and bool(found))
        assert same is (a == b) is (library.TainAnyEqual(ctypes.byref(x), ctypes.byref(y)) == 1)
        assert not same or hash_of(library, a) == hash_of(library, b)


def test_the_columns_of_large_integers() -> None:
    """Their functions return the plain struct of a value, in registers."""
    library = ctypes.CDLL(libinfo.find_libtain())
    library.TainGetTypeAttrColumn.restype = ctypes.POINTER(CColumn)
    numbers = tain.List([2**70, 2**70, 2**70 + 1, -(2**200)])
    data = ctypes.c_void_p.from_address(numbers.__chandle__() + 24).value  # behind the header
    assert data is not None
    values = list((CValue * 4).from_address(data))

    def function(name: bytes, arguments: int) -> Any:
        column = library.TainGetTypeAttrColumn(ctypes.byref(CBytes(name, len(name)))).contents
        attribute = column.data[values[0].type_index - column.begin]
        assert attribute.type_index == 4
        kind = ctypes.CFUNCTYPE(CValue, *[ctypes.POINTER(CValue)] * arguments)
        return kind(attribute.payload)

    hash_of_key, is_equal = function(b"__any_hash__", 1), function(b"__any_equal__", 2)
    hashes = [hash_of_key(value) for value in values]
    assert [one.type_index for one in hashes] == [1] * 4
    assert hashes[0].payload == hashes[1].payload
    assert len({one.payload for one in hashes}) == 3
    for i, j in itertools.product(range(4), repeat=2):
        result = is_equal(values[i], values[j])
        assert (result.type_index, result.payload) == (2, i == j or {i, j} == {0, 1})


def test_a_key_that_is_changed() -> None:
    """As in dict: the entry is not found any more, neither by the old value nor by the new one."""
    key = Loose(1)
    mapping = Dict({**{i: i for i in range(9)}, key: "value"})
    key.value = 2
    assert Loose(1) not in mapping
    assert list(mapping)[-1].same_as(key) and len(mapping) == 10
    key.value = 1
    assert mapping[Loose(1)] == "value"


def test_copies_of_keys() -> None:
    mapping = Dict({Cell((1, "a")): 1, Coin(1): 2})
    for copied in (copy.copy(mapping), copy.deepcopy(mapping), Map(mapping)):
        assert copied[Cell((1, "a"))] == 1 and copied[Coin(1)] == 2


def test_pickled_maps() -> None:
    for make in BY_VALUE.values():
        for count in (2, 9):
            mapping = Dict({make(i): i for i in range(count)})
            for made in (pickle.loads(pickle.dumps(mapping)), copy.deepcopy([mapping])[0]):
                assert [made[make(i)] for i in range(count)] == list(range(count))


class Header(ctypes.Structure):
    """An object as code of others makes it: without anything before it."""

    _fields_ = [("counts", ctypes.c_uint64), ("type_index", ctypes.c_int32),
                ("reserved", ctypes.c_uint32), ("deleter", ctypes.c_void_p)]  # fmt: skip


def test_objects_that_others_allocated() -> None:
    index = register_key("test_keys.Foreign")
    cls: Any = tain.get_class("test_keys.Foreign")
    held: list[Header] = []

    @SAFE_CALL
    def make(self: Any, args: Any, count: int, result: Any) -> int:
        held.append(Header(1 | 1 << 32, index, 0, ctypes.cast(ignore, ctypes.c_void_p).value))
        result[0].type_index, result[0].small_len = index, 0
        result[0].payload = ctypes.addressof(held[-1])
        return 0

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
    def ignore(address: int, flags: int) -> None:
        pass

    address = ctypes.c_void_p()
    library = ctypes.CDLL(libinfo.find_libtain())
    assert library.TainFunctionCreate(None, make, None, ctypes.byref(address)) == 0
    name = CBytes(b"test_keys.make_foreign", 22)
    assert library.TainFunctionSetGlobal(ctypes.byref(name), address, 1) == 0
    make_foreign = tain.get_global_func("test_keys.make_foreign")

    a, b = make_foreign(), make_foreign()
    mapping = Dict({a: "a", **{i: i for i in range(9)}})
    assert b not in mapping and mapping[a] == FIND_UNLOCKED(mapping, a) == "a"

    @tain.register_object("test_keys.Foreign")
    class Same(cls):  # type: ignore[misc]
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Same)

        def __hash__(self) -> int:
            return 7

    # What has a wrapper keeps its class; new ones are equal.
    assert b not in mapping and mapping[a] == FIND_UNLOCKED(mapping, a) == "a"
    c, d = make_foreign(), make_foreign()
    assert type(c) is Same and c == d
    for others in (0, 9):
        mapping = Dict({c: "c", **{i: i for i in range(others)}})
        assert mapping[d] == FIND_UNLOCKED(mapping, d) == "c"
        assert a not in mapping
    tain.remove_global_func("test_keys.make_foreign")
    del a, b, c, d, mapping, make_foreign
    gc.collect()
