# SPDX-License-Identifier: Apache-2.0
"""Containers and objects that one library makes and the other one reads and changes.

One library is compiled with apache-tvm-ffi's headers and one with tain's; `sides` is one and the
other one, in both orders.
"""

from __future__ import annotations

import gc
import itertools
import random
from typing import Any

import pytest

import tain

# ---------------------------------------------------------------- containers

FILLS = [0, 1, 4, 5, 30, 1000]


@pytest.mark.parametrize("size", FILLS)
@pytest.mark.parametrize("kind", ["array", "list"])
def test_a_sequence_is_read_by_the_other(sides: tuple[Any, Any], kind: str, size: int) -> None:
    first, second = sides
    elements = [i if i % 2 else f"the text {i}" for i in range(size)]
    made = first.made(kind, elements)
    assert list(made) == elements
    assert list(getattr(second, f"{kind}_all")(made)) == elements
    assert list(getattr(first, f"{kind}_all")(tain.convert(elements))) == elements


@pytest.mark.parametrize("size", FILLS)
@pytest.mark.parametrize("kind", ["map", "dict"])
def test_a_map_is_read_by_the_other(sides: tuple[Any, Any], kind: str, size: int) -> None:
    first, second = sides
    keys = [i if i % 3 else ("short" if i % 2 else "a longer key ") + str(i) for i in range(size)]
    flat = list(itertools.chain.from_iterable((key, i) for i, key in enumerate(keys)))
    made = first.made(kind, flat)
    assert list(made.items()) == [(key, i) for i, key in enumerate(keys)]
    assert list(getattr(second, f"{kind}_all")(made)) == flat
    step = getattr(second, f"{kind}_step")
    assert [step(made, "get", key, None) for key in keys] == list(range(size))
    assert step(made, "get", "no such key", None) is None


KEYS = [1, 1.5, True, "short", "a longer text", b"b", b"a longer b" * 3, 2**70, -(2**200)]


@pytest.mark.parametrize("key", KEYS)
def test_each_side_finds_the_keys_of_the_other(sides: tuple[Any, Any], key: Any) -> None:
    first, second = sides
    for kind in ("map", "dict"):
        made = first.made(kind, [key, "lost", key, "found"])
        assert made[key] == "found"
        assert len(made) == 1
        made = first.made(kind, [*range(-20, 0), key, "found"])  # of the larger form
        assert getattr(second, f"{kind}_step")(made, "get", key, None) == "found"


def test_an_object_is_a_key(sides: tuple[Any, Any]) -> None:
    first, second = sides
    pair = first.Pair(1, "a")
    for kind in ("map", "dict"):
        made = second.made(kind, [pair, "found"])
        assert made[pair] == "found"
        assert getattr(first, f"{kind}_step")(made, "get", pair, None) == "found"


def python_list_step(model: list[Any], step: str, place: int, value: Any) -> None:
    if step == "push":
        model.append(value)
    elif step == "insert":
        model.insert(place, value)
    elif step == "set":
        model[place] = value
    elif step == "erase":
        del model[place]
    elif step == "pop":
        model.pop()
    elif step == "clear":
        model.clear()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["list", "array"])
def test_sequences_are_changed_by_both(sides: tuple[Any, Any], kind: str, seed: int) -> None:
    """In turn, by chance, and by Python; a list stays the same object."""
    chance = random.Random(seed)
    made = sides[0].made(kind, [])
    model: list[Any] = []
    for _ in range(300):
        step = chance.choices(
            ["push", "insert", "set", "erase", "pop", "reserve", "clear"], [9, 6, 4, 4, 2, 1, 0.2]
        )[0]
        if not model and step in ("set", "erase", "pop"):
            continue
        place = chance.randrange(len(model) + (step == "insert") or 1)
        value = chance.choice([chance.randrange(99), "short", "a longer text", [1], None])
        python_list_step(model, step, place, value)
        side = chance.choice([*sides, None] if kind == "list" else [*sides])
        if side is None:
            python_list_step(made, step, place, value)
            continue
        changed = getattr(side, f"{kind}_step")(made, step, place, value)
        if kind == "array":
            made = changed
        else:
            assert changed == len(model)
        if model:
            place = chance.randrange(len(model))
            other = chance.choice(sides)
            assert getattr(other, f"{kind}_step")(made, "get", place, None) == model[place]
    assert list(made) == model


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["dict", "map"])
def test_maps_are_changed_by_both(sides: tuple[Any, Any], kind: str, seed: int) -> None:
    chance = random.Random(seed)
    made = sides[0].made(kind, [])
    model: dict[Any, Any] = {}
    keys = [*range(40), *(f"k{i}" for i in range(40)), *(f"a longer key {i}" for i in range(40))]
    for number in range(400):
        side = chance.choice(sides)
        change = getattr(side, f"{kind}_step")
        step = chance.choices(["set", "erase", "clear"], [10, 5, 0.1])[0]
        key = chance.choice(keys)
        if step == "set":
            model[key] = number
        elif step == "erase":
            model.pop(key, None)
        else:
            model.clear()
        changed = change(made, step, key, number)
        assert kind == "map" or changed is made
        made = changed
        assert len(made) == len(model)
    for side in sides:
        flat = list(getattr(side, f"{kind}_all")(made))
        assert dict(zip(flat[::2], flat[1::2], strict=True)) == model
    assert dict(made.items()) == model


@pytest.mark.parametrize("kind", ["array", "map"])
def test_a_shared_value_does_not_change(sides: tuple[Any, Any], kind: str) -> None:
    first, second = sides
    made = first.made(kind, ["a", 1])
    before = list(made)
    step = getattr(second, f"{kind}_step")
    changed = step(made, "set", 0 if kind == "array" else "b", 2)
    assert changed != made
    assert list(made) == before


def test_a_change_during_a_callback_is_seen(sides: tuple[Any, Any]) -> None:
    first, second = sides
    shared = first.made("list", [1])
    second.call(lambda same: first.list_step(same, "push", 0, 2), shared)
    assert list(shared) == [1, 2]


# ---------------------------------------------------------------- moved arguments


def test_an_argument_is_moved_to_the_other(libraries: dict[str, Any]) -> None:
    peer, tains = libraries["peer"], libraries["tains"]
    assert peer.moves(tains.push_moved)
    assert peer.moves(peer.push_moved)
    assert not peer.moves(lambda array, value: [*array, value])


def test_python_moves_an_argument(sides: tuple[Any, Any]) -> None:
    for side in sides:
        pair = side.Pair(1, "a")
        shared = tain.Array([pair])
        assert list(side.push_moved(shared, 2)) == [pair, 2]
        assert list(shared) == [pair]
        assert list(side.push_moved(shared._move(), 2)) == [pair, 2]


# ---------------------------------------------------------------- objects


def test_an_object_keeps_its_identity(sides: tuple[Any, Any]) -> None:
    first, second = sides
    pair = first.Pair(1, "a")
    count, other_count = first.use_count(pair), second.use_count(pair)
    assert first.relay_pair([second.relay_object, first.relay_pair], pair) is pair
    assert second.relay_any([first.relay_pair, lambda rest, value: value], pair) is pair
    second.keep([pair])
    assert second.kept()[0] is pair
    assert second.use_count(pair) == other_count + 1
    second.keep(None)
    gc.collect()
    assert (first.use_count(pair), second.use_count(pair)) == (count, other_count)


def test_a_library_keeps_the_last_reference(sides: tuple[Any, Any]) -> None:
    first, second = sides
    second.keep(first.Pair(7, "a"))
    gc.collect()
    assert first.alive()[2] == 1
    kept = second.kept()
    assert (type(kept), kept.a) == (first.Pair, 7)
    second.keep(None)
    del kept
    assert first.alive()[2] == 0


@pytest.mark.parametrize("name", ["Pair", "Triple"])
def test_fields_by_the_reflection_of_the_other(sides: tuple[Any, Any], name: str) -> None:
    first, second = sides
    more = (2.5,) if name == "Triple" else ()
    made = getattr(first, name)(1, "a", *more)
    names = ["a", "name", "other", "items", "c"][: 4 + len(more)]
    for side in (first, second):
        assert list(side.field_names(made)) == names
        side.set_field(made, "a", 5)
        side.set_field(made, "name", "a longer name")
        side.set_field(made, "other", [made.a])
        assert (made.a, made.name, made.other) == (5, "a longer name", [5])
        second.list_step(side.get_field(made, "items"), "push", 0, "item")
        assert side.get_field(made, "name") == "a longer name"
        if more:
            side.set_field(made, "c", 7)
            assert side.get_field(made, "c") == made.c == 7.0
        made.a = 1
        assert side.get_field(made, "a") == 1
    assert list(made.items) == ["item", "item"]


def test_what_does_not_fit_a_field(sides: tuple[Any, Any]) -> None:
    first, second = sides
    pair = first.Pair(1, "a")
    for side in (first, second):
        for name, value in (("a", "text"), ("name", 5)):
            with pytest.raises(TypeError):
                side.set_field(pair, name, value)
        with pytest.raises(AttributeError):
            side.get_field(pair, "no_such_field")
    assert (pair.a, pair.name) == (1, "a")


def test_methods_of_the_other(sides: tuple[Any, Any]) -> None:
    first, second = sides
    pair = first.Pair(3, "a")
    assert second.call_method(pair, "scaled", 4) == pair.scaled(4) == 12
    with pytest.raises(TypeError, match=r"Pair\.scaled"):
        second.call_method(pair, "scaled", "a")


def test_tain_constructs_an_object_of_the_other(libraries: dict[str, Any]) -> None:
    made = libraries["tains"].construct("peer.Pair", 1, "a")
    assert (type(made), made.a) == (libraries["peer"].Pair, 1)
    with pytest.raises(TypeError, match=r"peer\.Pair"):
        libraries["tains"].construct("peer.Pair", "a", "b")


def test_an_object_of_the_wrong_library(sides: tuple[Any, Any]) -> None:
    first, second = sides
    for cls in (second.Pair, lambda *a: second.Triple(*a, 1.0)):
        with pytest.raises(TypeError, match=r"\.Pair\b.*\.(Pair|Triple)\b"):
            first.pair_a(cls(1, "a"))
    assert first.pair_a(first.Triple(4, "a", 1.0)) == 4


def test_a_python_subclass_comes_back_as_itself(sides: tuple[Any, Any]) -> None:
    first, second = sides

    class Sub(first.Pair):  # type: ignore[misc, name-defined]
        extra = None

    sub = Sub(1, "a")
    sub.extra = object()
    kept = sub.extra
    second.keep(sub)
    del sub
    gc.collect()
    back = second.kept()
    assert (type(back), back.extra, first.pair_a(back)) == (Sub, kept, 1)
    second.keep(None)
    del back, Sub
    gc.collect()


def test_objects_hold_objects_of_the_other(sides: tuple[Any, Any]) -> None:
    first, second = sides
    outer, inner = first.Pair(1, "a"), second.Pair(2, "b")
    second.set_field(outer, "other", inner)
    first.set_field(inner, "other", [outer.name])
    assert outer.other is inner
    assert first.get_field(second.get_field(outer, "other"), "other") == ["a"]
    del inner
    gc.collect()
    assert second.alive()[2] == 1
    outer.other = None
    assert second.alive()[2] == 0
