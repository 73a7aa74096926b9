# SPDX-License-Identifier: Apache-2.0
"""Copies of types that another library allocates: by its own function, fields, state and cycles."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest
from foreign_objects import Auto, Bare, Copied, Named, Point, Shape, Wide, objects_die

import tain

all_objects_die = pytest.fixture(autouse=True)(objects_die)


MADE = [
    lambda: Point(1, 2),
    lambda: Bare(1, 2),
    lambda: Auto(1, 2),
    lambda: Named(1, "me"),
    lambda: Shape(3),
    lambda: Wide(4),
]


@pytest.mark.parametrize("make", MADE)
@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_duplicates(make, duplicate) -> None:
    one = make()
    other = duplicate(one)
    assert type(other) is type(one)
    assert other is not one
    for name in [field.name for field in tain.type_info(type(one)).fields]:
        assert getattr(other, name) == getattr(one, name)
    assert getattr(other, "name", None) == getattr(one, "name", None)


def test_a_copy_by_the_library_has_what_is_no_field() -> None:
    one = Point(1)
    assert one.hidden() == 99
    assert copy.copy(one).hidden() == 99
    assert copy.deepcopy(one).hidden() == 99
    assert copy.copy(Copied.make(4)).hidden() == 5


def test_a_deep_copy_goes_through_fields_and_state() -> None:
    one = Named(1)
    one.next, one.name = Bare(2), ["list"]
    shallow, deep = copy.copy(one), copy.deepcopy(one)
    assert shallow.next is one.next
    assert shallow.name is one.name
    assert deep.next is not one.next
    assert deep.next.x == 2
    assert deep.name == one.name
    assert deep.name is not one.name
    assert one.next.x == 2


def test_a_cycle_is_copied_as_one() -> None:
    one = Point(1)
    one.next = one
    deep = copy.deepcopy(one)
    assert deep is not one
    assert deep.next is deep
    one.next = deep.next = None


def take_apart(chain) -> int:
    """Free a chain link by link, because C would free it by recursion; return its length."""
    length = 0
    while chain is not None:
        following = chain.next
        chain.next = None
        chain = following
        length += 1
    return length


def test_a_long_chain_is_copied_in_a_thread_with_a_small_stack() -> None:
    chain = Point(0)
    for _ in range(20_000):
        link = Point(0)
        link.next = chain
        chain = link
    copies = []
    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: copies.append(copy.deepcopy(chain)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert take_apart(copies.pop()) == take_apart(chain) == 20_001
