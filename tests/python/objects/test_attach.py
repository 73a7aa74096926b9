# SPDX-License-Identifier: Apache-2.0
"""How instances get their C++ objects: from a constructor, a handle or a function, once."""

from __future__ import annotations

from errors import raises

from tain.types import testing as t


class Forgetful(t.Point):
    def __init__(self) -> None:
        self.note = "own"


SHARED = (
    "S.__init__(): the constructor of testing.CreatesShared returned an object that already has a "
    "Python object; call testing.CreatesShared(...) itself to get it"
)


t.CreatesShared()  # one object for the life of the process: no test leaks it


def test_a_constructor_that_returns_a_shared_object() -> None:
    first = t.CreatesShared()
    assert t.CreatesShared() is first
    child = type("S", (t.CreatesShared,), {})
    with raises(TypeError, SHARED):
        child()
    first.value = 7
    assert t.CreatesShared().value == 7
    first.value = 1


def test_an_empty_object() -> None:
    empty = t.Point.__new__(t.Point)
    assert repr(empty) == "<tain.types.testing.Point: empty>"
    assert empty.__chandle__() == 0
    assert empty == empty
    assert empty != t.Point(1, 2)
    assert hash(empty) == hash(empty)
    assert not empty.same_as(t.Point(1, 2))
    empty.__init__(3, 4)
    assert empty.norm() == 5.0
    assert repr(Forgetful()) == "<Forgetful: empty>"
    assert Forgetful().note == "own"
