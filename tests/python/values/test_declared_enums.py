# SPDX-License-Identifier: Apache-2.0
"""Members of enums where C++ declares them: in containers, pairs, variants and callbacks."""

from __future__ import annotations

import copy
import operator

import enum_lib  # noqa: F401 -- compiles and loads the library
import pytest

import tain
from tain.types import bounds as b

Color, Mode, Rights = b.Color, b.Mode, b.Rights
RESULTS = {
    "vector[0]": lambda: b.vector()[0],
    "vector[-2]": lambda: b.vector()[-2],
    "iteration": lambda: next(iter(b.vector())),
    "reversed": lambda: list(reversed(b.vector()))[1],
    "slice": lambda: b.vector()[:1][0],
    "sort key": lambda: sorted(b.vector(), key=lambda c: c.name)[0],
    "copy": lambda: copy.copy(b.array())[0],
    "deepcopy": lambda: copy.deepcopy(b.Holder().list)[0],
    "deepcopy of a dict": lambda: copy.deepcopy(b.map())["a"],
    "deepcopy of lists that hold Python objects": lambda: copy.deepcopy(with_object())[0],
    "sum": lambda: (b.vector() + b.vector())[2],
    "sum with a list": lambda: operator.add([Color.Green], b.vector())[0],
    "product": lambda: (b.Holder().list * 2)[-1],
    "union": lambda: (b.map() | {"b": Color.Red})["a"],
    "tain::Array": lambda: b.array()[0],
    "pair": lambda: b.pair()[0],
    "map": lambda: b.map()["a"],
    "map.get": lambda: b.map().get("a"),
    "values": lambda: next(iter(b.map().values())),
    "items": lambda: next(iter(b.map().items()))[1],
    "keys": lambda: next(iter(b.by_color())),
    "optional": lambda: b.optional()[0],
    "variant": lambda: b.variant(Color.Green),
    "variant with int": lambda: b.color_or_int(Color.Green),
    "field": lambda: b.Holder().colors[0],
    "field of List": lambda: b.Holder().list[0],
    "field pop": lambda: b.Holder().list.pop(),
    "field of variant": lambda: b.Holder().either,
}


def with_object() -> tain.List:
    made = b.Holder().list.copy()  # it takes anything
    made.append({"key": [object()]})
    return made


@pytest.mark.parametrize("place", RESULTS)
def test_members(place: str) -> None:
    assert RESULTS[place]() is Color.Green


def test_other_kinds() -> None:
    assert b.list()[0] is Rights.Owner
    assert b.nested()[0][0] is Mode.Safe
    assert b.by_color()[Color.Green] is Mode.Safe
    modes = b.Holder().modes
    modes["x"] = Mode.Safe
    assert (modes["x"], modes.setdefault("x", Mode.Fast)) == (Mode.Safe, Mode.Safe)
    assert type(modes.pop("x")) is Mode


def test_what_is_no_member_stays_what_it_is() -> None:
    colors = b.Holder().list.copy()
    colors.append(7)
    assert [type(c) for c in colors] == [Color, int]
    assert colors.pop() == 7
    assert b.color_or_int(1) == 1 and type(b.color_or_int(1)) is int
    assert type(tain.convert([1])[0]) is int  # nobody declares it


def test_callbacks() -> None:
    seen: list[object] = []
    b.callback(seen.append)
    b.callback_optional(seen.append)
    b.callback_vector(lambda colors, modes: seen.extend((colors[0], modes["a"])))
    assert seen == [Color.Green, Mode.Safe, None, Color.Green, Mode.Safe]
    assert [type(one) for one in seen] == [Color, Mode, type(None), Color, Mode]


def test_they_go_back() -> None:
    assert b.colors_of(b.vector()) == 2 and b.colors_of(list(b.vector())) == 2
    holder = b.Holder()
    for value in (Color.Red, 1, Color.Green):
        holder.either = value
        assert holder.either is value or (holder.either == 1 and type(holder.either) is int)
    loaded = tain.load_json(tain.save_json(holder))
    assert loaded.either is Color.Green and loaded.colors[0] is Color.Green


def test_repr() -> None:
    assert repr(b.vector()) == f"[{', '.join(str(one) for one in b.vector())}]"
    assert repr(b.vector()).startswith("[Color.Green, ")
    assert repr(b.map()) == "{'a': Color.Green}"
    assert repr(b.by_color()) == "{Color.Green: Mode.Safe}"
    assert repr(b.nested()) == "[[Mode.Safe]]"
    assert "colors=[Color.Green" in repr(b.Holder())
    colors = b.Holder().list.copy()
    colors.append(7)
    assert repr(colors) == "[Color.Green, 7]"
    assert repr(tain.convert([1])) == "[1]"
