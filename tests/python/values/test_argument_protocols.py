# SPDX-License-Identifier: Apache-2.0
"""Methods and classes that a package names, by which objects of others cross."""

from __future__ import annotations

import pytest

# The table holds for the whole process, so each test has one of its own.
BEGIN = """
import tain
from tain import _core

_core.set_argument_protocols(
    {
        "__their_int__": "int",
        "__their_float__": "float",
        "__their_value__": "value",
        "__their_pointer__": "pointer",
        "__their_dtype__": "dtype",
        "__their_device__": "device",
        "__their_stream__": "stream",
    },
    {frozenset: lambda items: sorted(items)},
)


def having(name, value):
    return type("Theirs", (), {f"__their_{name}__": lambda self: value})()


def shown(value):
    try:
        return repr(tain.convert(value))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


"""
CASES = {
    "having('int', 7)": "7",
    "having('int', 2**70)": str(2**70),
    "having('int', 7.5)": "TypeError: 'float' object cannot be interpreted as an integer",
    "having('float', 7)": "7.0",
    "having('float', 'a')": "TypeError: must be real number, not str",
    "having('value', [1, 'a'])": "[1, 'a']",
    "having('value', having('int', 3))": "3",
    "having('pointer', 16)": "c_void_p(16)",
    "having('pointer', 0)": "None",
    "having('pointer', 2**70)": "OverflowError: Python int too large to convert to C unsigned long",
    "having('dtype', (2, 32, 1))": "dtype('float32')",
    "having('dtype', (2, 32))": (
        "TypeError: expected a data type as a tuple of 3 numbers, got tuple"
    ),
    "having('device', (2, 1))": "device('cuda:1')",
    "having('dtype', (2, 32, 65537))": (
        "ValueError: number 2 of a data type: expected 0..65535, got 65537"
    ),
    "having('device', (2, -1))": "ValueError: number 1 of a device: expected 0..2147483647, got -1",
    "having('device', 2)": "TypeError: expected a device as a tuple of 2 numbers, got int",
    "having('stream', (0, 32))": "c_void_p(32)",
    "having('stream', 32)": "TypeError: expected a stream as a tuple (version, address), got int",
    "frozenset((3, 1, 2))": "[1, 2, 3]",
}


def test_forms(run) -> None:
    shown = run(BEGIN + "".join(f"print(shown({case}))\n" for case in CASES)).splitlines()
    assert dict(zip(CASES, shown, strict=True)) == CASES


@pytest.mark.bad_input
def test_hostile_methods(run) -> None:
    assert (
        run(
            BEGIN
            + """
class Self:
    def __their_value__(self):
        return self

class Endless:
    def __their_value__(self):
        return Endless()

class Raising:
    def __their_int__(self):
        raise KeyError("mine")

class Later:
    def __getattr__(self, name):
        raise AssertionError("only classes are asked")

for value in (Self(), Raising()):
    print(shown(value)[:60])
# CPython's limit, or that of the C stack: whichever is first.
print(shown(Endless()).partition(":")[0])
print(tain.convert(Later()) is not None)
"""
        )
        == "TypeError: Self.__their_value__(): expected the value to pas\n"
        "KeyError: 'mine'\n"
        "RecursionError\n"
        "True\n"
    )


def test_methods_that_come_and_go(run) -> None:
    """A class is asked again when it, a base or the table has changed."""
    code = """
class Base:
    pass

class Mine(Base):
    pass

class Second:
    __their_int__ = lambda self: 3

def crossed(value=Mine()):
    return type(tain.convert(value)).__name__, shown(value)[:12]

def is_itself():
    return [crossed()[0] for _ in range(3)] == ["Mine"] * 3

for cls, name, method, gives in (
    (Mine, "__their_int__", lambda self: 1, "1"),
    (Base, "__their_value__", lambda self: [2], "[2]"),
    (Mine, "__tain_convert__", lambda self: "text", "'text'"),
    (Base, "asobject", lambda self: 4.5, "4.5"),
):
    assert is_itself()
    setattr(cls, name, method)
    assert crossed()[1] == gives, (name, crossed())
    assert crossed()[1] == gives
    delattr(cls, name)
assert is_itself()
value, of_value = Mine(), Mine()
of_value.__their_int__ = lambda: 5
assert crossed(of_value)[0] == "Mine"
Mine.__bases__ = (Second,)
assert crossed()[1] == "3"
Mine.__bases__ = (Base,)
assert is_itself()
value.__class__ = Second
assert crossed(value)[1] == "3"
_core.set_argument_protocols({}, {Base: lambda value: 6})
assert crossed()[1] == "6"
_core.set_argument_protocols({"__other__": "value"}, {})
assert is_itself() and crossed(Second())[0] == "Second"
Base.__other__ = lambda self: 7
assert crossed()[1] == "7"
# Classes that die make room for others.
for number in range(300):
    cls = type("Short", (), {} if number % 2 else {"__other__": lambda self, n=number: n})
    assert crossed(cls())[1] == (crossed(cls())[1] if number % 2 else str(number))
    assert (crossed(cls())[0] == "Short") == bool(number % 2)
"""
    run(BEGIN + code)


def test_a_device_of_an_array(run) -> None:
    """Only a class that is no array crosses as its device."""
    code = """
import numpy as np

class Array:
    def __init__(self):
        self.array = np.zeros(3, "int8")

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __their_device__(self):
        return (2, 0)

print(type(tain.convert(Array())).__name__, shown(having("device", (2, 1))))
"""
    assert run(BEGIN + code) == "Array device('cuda:1')\n"


@pytest.mark.bad_input
def test_bad_tables(run) -> None:
    assert run("""
from tain import _core
for methods, classes in (({"__x__": "thing"}, {}), ({}, {int: 1}), ({}, {1: int})):
    try:
        _core.set_argument_protocols(methods, classes)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
""").splitlines() == [
        "ValueError set_argument_protocols: 'thing' is no form: expected value, int, float, "
        "pointer, dtype, device or stream",
        *["TypeError set_argument_protocols: expected classes, and functions for them"] * 2,
    ]
