# SPDX-License-Identifier: Apache-2.0
"""Deep copies by the core: structure, depth, what Python takes part in, what interferes."""

from __future__ import annotations

import copy
import copyreg
import enum
from typing import Any

import numpy
import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t

deep_copy_in_cpp = get("deep_copy")
MILLION = 1_000_000


class Labelled(t.Node):
    """Has attributes."""


class Chooses(t.Node):
    """Copies itself its own way."""

    def __deepcopy__(self, memo: dict[int, object]) -> Chooses:
        return Chooses(self.value + 1)


class Reduces(t.Node):
    """Is pickled its own way."""

    def __reduce__(self) -> Any:
        return Reduces, (self.value + 1,)


@tain.py_class("deep_copy.Pair", eq=True, unsafe_hash=True)
class Pair:
    left: Any = None
    right: Any = None


class Shade(enum.Enum):
    DARK = 1


def chain(make: Any, length: int) -> Any:
    made = None
    for i in range(length):
        made = make(i, made)
    return made


def length_of(made: Any) -> int:
    length = 0
    while made is not None:
        length, made = length + 1, made.next
    return length


@pytest.mark.parametrize("way", [copy.deepcopy, deep_copy_in_cpp])
def test_nothing_is_shared_and_structure_is_kept(way) -> None:
    shared = t.Node(3)
    root = t.Node(1)
    root.next, root.payload = shared, [shared, {"k": shared}]
    root.items.append(root)
    other = way(root)
    assert other is not root
    assert other.next is not shared
    assert other.payload[0] is other.next
    assert other.payload[1]["k"] is other.next
    assert other.items[0] is other
    for made in (root, other):
        made.items.clear()


def test_the_memo_keeps_what_is_shared_between_two_graphs() -> None:
    hidden = get("make_chain")(3)  # the last two have no wrapper
    one, two = t.Node(1), t.Node(2)
    one.next, two.next = hidden.next, hidden.next
    first, second = copy.deepcopy([one, two])
    assert first.next is second.next
    assert first.next is not one.next
    memo: dict[int, object] = {}
    assert copy.deepcopy(one, memo).next is copy.deepcopy(two, memo).next
    known, middle = t.Node(9), one.next
    assert copy.deepcopy(one, {id(middle): known}).next is known


@pytest.mark.parametrize("make", [t.Bead, t.Pin])
def test_a_chain_of_objects_that_their_constructor_makes(make) -> None:
    other = copy.deepcopy(chain(make, 30_000))
    assert (length_of(other), type(other), other.value) == (30_000, make, 29_999)


@pytest.mark.slow
def test_a_chain_of_a_million() -> None:
    assert get("count_beads")(copy.deepcopy(get("make_beads")(MILLION))) == MILLION
    assert get("chain_length")(copy.deepcopy(get("make_chain")(MILLION))) == MILLION
    nested: Any = tain.List()
    for _ in range(MILLION):
        nested = tain.List([nested])
    other, depth = copy.deepcopy(nested), 0
    while other:
        other, depth = other[0], depth + 1
    assert depth == MILLION


def test_immutable_containers_that_others_share() -> None:
    one = tain.Array([tain.List([1])])
    for made in (tain.Array([one, tain.Array([one])]), tain.Map({1: one, 2: tain.Map({3: one})})):
        copied = copy.deepcopy(made)
        assert tain.structural_equal(copied, made)
        assert not copied.same_as(made)
    first, second = copy.deepcopy(tain.Array([one, tain.Array([one])]))
    assert first.same_as(second[0])
    assert not first.same_as(one)


def test_values_and_keys() -> None:
    key = Pair(t.Point(1, 2))
    pair = Pair(tain.Map({key: 1}), tain.Dict({key: key}))
    other = copy.deepcopy(pair)
    ((found, _),) = other.left.items()
    assert found is other.right[found]
    assert found.left is not key.left
    assert other.left[found] == 1


def test_atoms_and_functions_are_shared() -> None:
    node = t.Node(1)
    node.payload = [get("echo"), "text", 2**80, Shade.DARK, None]
    other = copy.deepcopy(node)
    assert other.payload[0].same_as(node.payload[0])
    assert list(other.payload)[1:] == ["text", 2**80, Shade.DARK, None]


def test_tensors_are_copied_once() -> None:
    tensor = tain.tensor([1.0, 2.0])
    node = t.Node(1)
    node.payload = [tensor, tensor]
    for other in (copy.deepcopy(node), deep_copy_in_cpp(node)):
        first, second = other.payload
        assert first is second or first.same_as(second)
        first.numpy()[0] = 9
        assert tensor.numpy()[0] == 1.0


def test_what_python_takes_part_in() -> None:
    """One object that concerns Python, and the whole graph is copied as it is pickled."""
    for inner in (Labelled(1), Chooses(1), Reduces(1), [object()], numpy.zeros(2)):
        if isinstance(inner, Labelled):
            inner.note = ["note"]
        root = t.Node(0)
        root.next, root.payload = t.Node(5), inner
        other = copy.deepcopy(root)
        assert other.next.value == 5
        assert other.next is not root.next
        assert type(other.payload) is type(root.payload)
        if isinstance(inner, Labelled):
            assert other.payload.note == ["note"]
            assert other.payload.note is not inner.note
        elif isinstance(inner, t.Node):
            assert other.payload.value == 2


def test_a_class_that_copyreg_knows() -> None:
    class Known(t.Node):
        pass

    copyreg.pickle(Known, lambda known: (Known, (known.value + 10,)))
    try:
        root = t.Node(0)
        root.payload = Known(1)
        assert copy.deepcopy(root).payload.value == 11
        assert copy.deepcopy(Known(2)).value == 12
    finally:
        del copyreg.dispatch_table[Known]


def test_attributes_of_a_py_class() -> None:
    pair = Pair(1)
    pair.note = ["n"]  # type: ignore[attr-defined]
    other = copy.deepcopy(tain.List([pair]))[0]
    assert other.note == ["n"]
    assert other.note is not pair.note  # type: ignore[attr-defined]
    plain = copy.deepcopy(Pair(Pair(2)))
    assert (type(plain), type(plain.left), plain.left.left) == (Pair, Pair, 2)


@pytest.mark.bad_input
def test_what_cannot_be_copied_leaves_nothing_behind() -> None:
    ring = get("make_ring")(100)
    ring.payload = t.Stuck(1)
    with raises(
        TypeError,
        "testing.Stuck cannot be rebuilt: its class has no copy constructor, no default "
        "constructor and no constructor whose parameters are its fields",
    ):
        copy.deepcopy(ring)
    ring.payload = None
    ring.next = None


@pytest.mark.bad_input
def test_a_memo_that_is_none_or_fails() -> None:
    class Memo(dict[object, object]):
        def __getitem__(self, key: object) -> object:
            raise ZeroDivisionError

    node = t.Node(1)
    with pytest.raises(ZeroDivisionError):
        node.__deepcopy__(Memo())
    with pytest.raises(TypeError):
        node.__deepcopy__(5)
    with pytest.raises(ValueError):
        copy.deepcopy(t.Node.__new__(t.Node))


@pytest.mark.bad_input
def test_a_memo_that_holds_something_else() -> None:
    root, wrong = t.Node(1), t.Node(2)
    root.next = wrong
    with raises(TypeError, "testing.Node.next: expected testing.Node | None, got int (5)"):
        copy.deepcopy(root, {id(wrong): 5})
