# SPDX-License-Identifier: Apache-2.0
"""tain.Map: an immutable mapping that behaves as a read-only dict."""

from __future__ import annotations

import collections
import collections.abc
import copy
import datetime
import decimal
import enum
import pickle

import pytest
from container_values import DICTS
from errors import moved_text, raises

import tain
from tain import Dict, Map


@pytest.mark.parametrize("kind", [Map, Dict])
@pytest.mark.parametrize("values", DICTS)
def test_reading(kind: type, values: dict[object, object]) -> None:
    mapping = kind(values)
    assert len(mapping) == len(values)
    assert list(mapping) == list(values)
    assert list(reversed(mapping)) == list(reversed(values))
    assert list(mapping.keys()) == list(values.keys())
    assert list(mapping.values()) == list(values.values())
    assert list(mapping.items()) == list(values.items())
    assert list(reversed(mapping.values())) == list(reversed(values.values()))
    assert list(reversed(mapping.items())) == list(reversed(values.items()))
    assert dict(mapping) == values
    assert list(dict(mapping)) == list(values)
    for key, value in values.items():
        assert mapping[key] == value
        assert mapping.get(key) == value
        assert key in mapping
    assert "missing" not in mapping
    assert mapping.get("missing") is None
    assert mapping.get("missing", 5) == 5
    assert bool(mapping) == bool(values)


def test_order_of_an_ordered_dict() -> None:
    ordered = collections.OrderedDict([("a", 1), ("b", 2), ("c", 3)])
    ordered.move_to_end("a")
    assert list(Map(ordered)) == ["b", "c", "a"]
    echo = tain.get_global_func("testing.echo")
    assert list(echo(ordered)) == ["b", "c", "a"]


def test_no_arguments_make_an_empty_one() -> None:
    assert Map() == {}
    assert len(Map()) == 0
    mapping = Map({"a": 1})
    assert Map(mapping) is mapping
    assert Map([]) == {}
    assert Map({"a": 1}, b=2) == {"a": 1, "b": 2}


def test_union() -> None:
    left = Map({"a": 1, "b": 2})
    assert left | {"b": 3, "c": 4} == {"a": 1, "b": 3, "c": 4}
    assert type(left | {}) is Map
    assert type({} | left) is Map
    assert {"b": 3, "c": 4} | left == {"b": 2, "c": 4, "a": 1}
    assert type(Dict() | left) is Dict
    assert left == {"a": 1, "b": 2}
    with pytest.raises(TypeError, match="unsupported operand"):
        left | [("a", 1)]


def test_keys_of_different_types() -> None:
    """As in dict; what C++ puts into a map is in test_keys.py."""
    pairs = [(1, "int"), (True, "bool"), (1.0, "float"), ("1", "str"), (b"1", "bytes")]
    mapping = Map(pairs)
    assert len(mapping) == 3 and mapping == dict(pairs)
    assert [mapping[k] for k in (1, True, 1.0, "1", b"1")] == [
        "float", "float", "float", "str", "bytes",
    ]  # fmt: skip


class Color(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    "key",
    [
        (1, 2),
        (),
        ("a", (None, 2.5, b"x")),
        2**100,
        frozenset([1]),
        datetime.date(2020, 1, 2),
        decimal.Decimal("1.5"),
        Color.RED,
        range(3),
        len,
        int,
        tain.Shape([1, 2]),
    ],
)
def test_keys_of_any_hashable_type(key: object) -> None:
    equal = pickle.loads(pickle.dumps(key))
    for others in (0, 20):
        mapping = Dict({i: i for i in range(others)})
        mapping[key] = "value"
        assert mapping[key] == "value"
        assert mapping[equal] == "value"
        assert equal in Map(mapping)
        assert Map(mapping).keys() >= {equal}
        mapping[equal] = "changed"
        assert mapping.pop(key) == "changed"
        assert len(mapping) == others


def test_calls_take_maps_apart() -> None:
    def f(**kwargs: object) -> dict[str, object]:
        return kwargs

    assert f(**Map({"a": 1, "b": 2})) == {"a": 1, "b": 2}


# ---------------------------------------------------------------- copies


def test_subclasses() -> None:
    class Plain(Map):
        pass

    plain = Plain(a=1)
    plain.note = "n"
    for copied in (copy.copy(plain), copy.deepcopy(plain)):
        assert type(copied) is Plain
        assert copied == plain
        assert copied.note == "n"

    class Default(Dict):
        def __missing__(self, key: object) -> object:
            self[key] = f"made {key}"
            return self[key]

    default = Default()
    assert default["x"] == "made x"
    assert default == {"x": "made x"}
    assert default.get("y") is None


# ---------------------------------------------------------------- bad input


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda m: m["x"], KeyError, "'x'"),
        (lambda m: m[5], KeyError, "5"),
        (lambda m: m[(1, 2)], KeyError, "(1, 2)"),
        (lambda m: m[[1]], TypeError, "unhashable type: 'list'"),
        (lambda m: m.get([1]), TypeError, "unhashable type: 'list'"),
        (lambda m: [1] in m, TypeError, "unhashable type: 'list'"),
        (lambda m: m.get(), TypeError, "get expected at least 1 argument, got 0"),
        (lambda m: Map([([1], 2)]), TypeError, "unhashable type: 'list'"),
        (
            lambda m: Map(5),
            TypeError,
            "Map: expected a mapping or an iterable of pairs, got int (5)",
        ),
        (lambda m: Map([1]), TypeError, "Map: expected a pair as element 0, got int (1)"),
        (
            lambda m: Map([("a", 1), ("b",)]),
            ValueError,
            "Map: expected a pair as element 1, got 1 value",
        ),
        (lambda m: Map({}, {}), TypeError, "Map expected at most 1 argument, got 2"),
        (
            lambda m: m.__init__({}),
            TypeError,
            "Map is immutable: __init__ must not be called again",
        ),
    ],
)
def test_bad_use(act, error: type[Exception], text: str) -> None:
    mapping = Map({"a": 1})
    with raises(error, text):
        act(mapping)


@pytest.mark.bad_input
def test_maps_do_not_change() -> None:
    mapping = Map({"a": 1})
    with pytest.raises(TypeError, match="does not support item assignment"):
        mapping["a"] = 2  # type: ignore[index]
    assert not hasattr(mapping, "update")
    before = mapping
    mapping |= {"b": 2}
    assert before == {"a": 1}
    assert mapping == {"a": 1, "b": 2}


@pytest.mark.bad_input
def test_moved_maps() -> None:
    mapping = Map({"a": 1})
    view, iterator = mapping.items(), iter(mapping)
    carrier = mapping._move()
    for act in (
        len, list, dict, hash,
        lambda m: m["a"], lambda m: m.get("a"), lambda m: m == {}, lambda m: "a" in m,
        lambda m: m.keys() and len(m.keys()), lambda m: len(view), lambda m: next(iterator),
    ):  # fmt: skip
        with raises(ValueError, moved_text("tain.Map")):
            act(mapping)
    del carrier
