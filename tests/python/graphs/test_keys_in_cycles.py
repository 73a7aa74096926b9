# SPDX-License-Identifier: Apache-2.0
"""Keys whose content leads back to their map are found after a load, and none is lost."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing import save

import tain

WAYS: dict[str, Callable[[Any], Any]] = {
    "binary": lambda x: tain.load_binary(tain.save_binary(x)),
    "json": lambda x: tain.load_json(tain.save_json(x)),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "deepcopy": copy.deepcopy,
}


@pytest.fixture(params=WAYS)
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Make the same graph once more."""
    return WAYS[request.param]


@tain.py_class("keys_in_cycles.Held")
class Held:
    value: object = None


@tain.py_class("keys_in_cycles.Key", eq=True, frozen=True)
class Key:
    content: object


@tain.py_class("keys_in_cycles.Empty", eq=True, unsafe_hash=True)
class Empty:
    """Can be made empty, so it exists before its content."""

    content: object = None


def in_array(part: Any) -> Any:
    return tain.Array([part])


def in_map(part: Any) -> Any:
    return tain.Map({1: part})


def in_key_of_map(part: Any) -> Any:
    return tain.Map({tain.Array([part]): 1})


def in_arrays(part: Any) -> Any:
    return tain.Array([0, tain.Array([tain.Array([part]), 1])])


SHAPES = [in_array, in_map, in_key_of_map, in_arrays, Key, Empty]


@pytest.mark.parametrize("more", [0, 30])  # few entries are not searched by their hash
@pytest.mark.parametrize("shape", SHAPES)
def test_a_key_leads_to_what_is_made_last(shape: Any, more: int, again: Any) -> None:
    """A Pair is made when its parts are known; until then another key looks the same."""
    found: Any = tain.Dict({})
    pair = save.Pair(found, save.Link())
    found[shape(pair)], found[shape(None)], found["last"] = "pair", "none", "text"
    found.update({i: i for i in range(more)})
    loaded = again(pair)
    made = loaded.first
    assert len(made) == 3 + more
    assert (made[shape(loaded)], made[shape(None)], made["last"]) == ("pair", "none", "text")
    assert list(made.values()) == list(found.values())
    assert tain.save_binary(loaded) == tain.save_binary(pair)


@pytest.mark.parametrize("more", [0, 30])
@pytest.mark.parametrize("way", [way for way in WAYS if way != "pickle"])
def test_a_key_is_filled_while_the_map_is_read(more: int, way: str) -> None:
    """It exists, and is empty, when the reader comes to the map that is in it.

    Pickle itself makes such a key, stores it, and then sets its state, as with dict.
    """
    again = WAYS[way]
    found: Any = tain.Dict({})
    key = Empty()
    key.content = Held(found)
    found[key], found[Empty()] = "filled", "empty"
    found.update({i: i for i in range(more)})
    loaded = again(key)
    made = loaded.content.value
    assert len(made) == 2 + more
    assert (made[loaded], made[Empty()]) == ("filled", "empty")
    assert list(made.values()) == list(found.values())


def test_maps_of_such_keys_are_keys(again: Any) -> None:
    found: Any = tain.Dict({})
    pair = save.Pair(found, save.Link())
    inner = tain.Map({tain.Array([pair]): tain.Array([pair, 1]), tain.Array([None]): 2})
    found[inner], found[tain.Map({tain.Array([None]): 2})], found[tain.Map({})] = 1, 2, 3
    loaded = again(pair)
    made = loaded.first
    assert list(made.values()) == [1, 2, 3]
    same = tain.Map({tain.Array([loaded]): tain.Array([loaded, 1]), tain.Array([None]): 2})
    assert made[same] == 1
    assert made[tain.Map({tain.Array([None]): 2})] == 2


def test_keys_that_lead_to_each_other(again: Any) -> None:
    """Each of two maps has the other one in the content of a key."""
    first, second = Held(tain.Dict({})), Held(tain.Dict({}))
    pair = save.Pair(first, save.Link())
    one: Any = first.value
    two: Any = second.value
    one[tain.Array([pair, second])], one[tain.Array([None, second])] = 1, 2
    two[tain.Array([first, pair])], two[tain.Array([first, None])] = 3, 4
    loaded = again(pair)
    first = loaded.first
    one = first.value
    second = next(iter(one))[1]
    two = second.value
    assert (one[tain.Array([loaded, second])], one[tain.Array([None, second])]) == (1, 2)
    assert (two[tain.Array([first, loaded])], two[tain.Array([first, None])]) == (3, 4)


def test_a_ladder_of_keys_takes_no_time(again: Any) -> None:
    """There are 2**60 ways through the key."""
    found: Any = tain.Dict({})
    pair = save.Pair(found, save.Link())

    def ladder(end: Any) -> Any:
        for _ in range(60):
            end = tain.Array([end, end])
        return end

    found[ladder(pair)], found[ladder(None)] = 1, 2
    loaded = again(pair)
    assert loaded.first[ladder(loaded)] == 1
    assert loaded.first[ladder(None)] == 2
