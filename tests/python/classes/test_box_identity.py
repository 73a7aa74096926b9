# SPDX-License-Identifier: Apache-2.0
"""One C++ object in a box has one Python object while that is alive, however C++ gives it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing.same import (
    Base,
    Derived,
    Finds,
    Kept,
    Node,
    Part,
    Tree,
    call_with,
    call_with_new,
    shared,
)

import tain

glob = tain.get_global_func("testing.same.static_node")

WAYS: dict[str, Callable[[Any], Any]] = {
    "shared_ptr": lambda tree: tree.get(),
    "shared_ptr of const": lambda tree: tree.get_const(),
    "field": lambda tree: tree.root,
    "pointer": lambda tree: tree.pointer(),
    "reference": lambda tree: tree.reference(),
    "method": lambda tree: tree.get().self(),
    "const method": lambda tree: tree.pointer().const_self(),
}


@pytest.mark.parametrize("second", WAYS)
@pytest.mark.parametrize("first", WAYS)
def test_whatever_way(first: str, second: str) -> None:
    tree = Tree()
    node = WAYS[first](tree)
    again = WAYS[second](tree)
    assert again is node
    assert again == node
    assert hash(again) == hash(node)
    assert {node: 1}[again] == 1
    tree.pointer().id = 5
    assert node.id == 5


@pytest.mark.parametrize("first", WAYS)
def test_its_life_is_that_of_its_last_owner(first: str) -> None:
    tree = Tree()
    node = WAYS[first](tree)
    kept = tree.get()  # owns the object
    tree.pointer().id = 7
    tree.root = Node()
    del tree
    gc.collect()
    assert kept is node
    assert node.id == 7


def test_a_reference_that_becomes_an_owner_lets_the_others_go() -> None:
    before = tain.testing.live_objects()
    tree = Tree()
    node = tree.pointer()
    assert tree.get() is node
    del tree, node
    gc.collect()
    assert tain.testing.live_objects() == before


def test_members() -> None:
    tree = Tree()
    assert tree.member is tree.member
    assert tree.at(1) is tree.at(1)
    assert tree.at(0) is not tree.at(1)
    assert tree.all()[1] is tree.at(1)
    nodes = tree.all()
    assert nodes[0] is tree.all()[0]
    member = tree.member
    member.id = 3
    del tree
    gc.collect()
    assert member.id == 3


def test_the_first_member_has_the_address_of_the_whole() -> None:
    tree = Tree()
    assert type(tree.first) is Part
    assert tree.first is tree.first
    assert tree.get() is tree.get()


def test_objects_that_python_made() -> None:
    tree, node = Tree(), Node()
    tree.root = node
    assert tree.get() is node
    assert tree.pointer() is node
    kept = Kept()
    kept.keep(node)
    assert kept.give() is node
    key = id(node)
    del node
    gc.collect()
    assert id(kept.give()) == key or kept.give() is kept.give()


def test_static_objects() -> None:
    assert glob() is glob()


def test_values_are_objects_of_their_own() -> None:
    tree = Tree()
    assert tree.copy() is not tree.copy()
    assert tree.copy() is not tree.member


def test_bases() -> None:
    derived = Derived()
    base = derived.as_base()
    assert base is derived
    assert isinstance(base, Base)


def test_an_object_that_finds_its_owner() -> None:
    finds = Finds()
    assert finds.self() is finds
    owned = shared()
    assert owned.self() is owned


def test_after_the_last_reference_there_is_another() -> None:
    tree = Tree()
    seen = [id(tree.get())]
    tree.get().id = 1
    node = tree.get()
    assert node.id == 1
    assert node is tree.pointer()
    assert seen


def test_memory_that_is_used_again() -> None:
    """A reference to what has died does not stand for what has its memory now."""
    for _ in range(200):
        tree = Tree()
        node = tree.at(0)
        assert node is tree.at(0)
        tree.grow()
        assert tree.at(0) is tree.at(0)
        del tree


def test_an_object_that_is_given_away() -> None:
    tree = Tree()
    seen = tree.own()
    assert tree.own() is seen
    seen.id = 4
    owner = tree.release()
    assert owner.id == 4
    assert owner.self() is owner
    del tree
    gc.collect()
    assert seen.id == 4


def test_a_share_that_owns_nothing() -> None:
    tree = Tree()
    member = tree.member
    assert tree.not_owned() is member
    member.id = 9
    del tree
    gc.collect()
    assert member.id == 9


def test_callbacks_get_the_known_object() -> None:
    node = Node()
    assert call_with(node, lambda got: got is node)
    kept: list[Any] = []
    call_with(node, kept.append)
    assert kept[0] is node
    node.id = 2
    assert kept[0].id == 2


@pytest.mark.bad_input
def test_what_is_lent_ends_with_the_call() -> None:
    kept: list[Any] = []
    call_with_new(kept.append)
    with pytest.raises(ValueError, match="lent"):
        _ = kept[0].id
    call_with_new(lambda node: kept.append(node.self()))
    with pytest.raises(ValueError, match="lent"):
        _ = kept[1].id


def test_threads() -> None:
    tree = Tree()
    errors: list[str] = []

    def work() -> None:
        for _ in range(2000):
            node = tree.get()
            if tree.pointer() is not node or tree.root is not node:
                errors.append("another object")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
