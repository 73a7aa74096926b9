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
import types

import pytest

import tain
from tain import Array, Dict, List, Map

DICTS: list[dict[object, object]] = [
    {},
    {"a": 1},
    {"a": 1, "b": 2, "c": 3, "d": 4},
    {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5},
    {i: str(i) for i in range(100)},
    {f"a rather long key {i}": [i] for i in range(100)},
    {None: 1, 1.5: 2, b"bytes": 3, "": 4, 2**70: 5, -1: 6},
    {"\ud800": "\udfff", "nul\0nul": "é"},
]


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


@pytest.mark.parametrize("kind", [Map, Dict])
@pytest.mark.parametrize(
    "make",
    [
        lambda kind, d: kind(d),
        lambda kind, d: kind(d.items()),
        lambda kind, d: kind(list(d.items())),
        lambda kind, d: kind([list(item) for item in d.items()]),
        lambda kind, d: kind(iter(d.items())),
        lambda kind, d: kind(types.MappingProxyType(d)),
        lambda kind, d: kind(collections.OrderedDict(d)),
        lambda kind, d: kind(collections.ChainMap(d)),
        lambda kind, d: kind(Map(d)),
        lambda kind, d: kind(Dict(d)),
        lambda kind, d: kind(**d),
        lambda kind, d: kind({}, **d),
        lambda kind, d: kind(Map(d).items()),
    ],
)
def test_construction(kind: type, make) -> None:
    values = {"b": 1, "a": 2, "c": 3, "e": 4, "d": 5, "f": 6}
    mapping = make(kind, values)
    assert type(mapping) is kind
    assert list(mapping.items()) == list(values.items())


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


def test_equality() -> None:
    mapping = Map({"a": 1, "b": [1, 2]})
    assert mapping == {"b": (1, 2), "a": 1.0} or mapping == {"b": [1, 2], "a": 1.0}
    assert mapping == Map({"b": [1, 2], "a": 1})
    assert mapping == Dict({"b": [1, 2], "a": 1})
    assert {"a": 1, "b": [1, 2]} == mapping  # noqa: SIM300
    assert mapping != {"a": 1}
    assert mapping != {"a": 1, "c": [1, 2]}
    assert mapping != {"a": 2, "b": [1, 2]}
    assert mapping != [("a", 1)]
    assert mapping != 5
    with pytest.raises(TypeError, match="not supported between"):
        mapping < mapping  # noqa: B015


def test_hash() -> None:
    assert hash(Map({"a": 1, "b": 2})) == hash(Map({"b": 2, "a": 1}))
    assert hash(Map({"a": 1})) != hash(Map({"a": 2}))
    assert len({Map(a=1), Map(a=1), Map(a=2)}) == 2
    assert hash(Map({"a": (1, 2)})) == hash(Map({"a": Array([1, 2])}))
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Map({"a": List()}))
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Dict())


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


def test_pattern_matching() -> None:
    for value in (Map({"a": 1, "b": 2}), Dict({"a": 1, "b": 2})):
        match value:
            case {"a": 1, **rest}:
                assert rest == {"b": 2}
            case _:
                pytest.fail("not a mapping pattern")


def test_abstract_base_classes() -> None:
    abc = collections.abc
    assert isinstance(Map(), abc.Mapping)
    assert not isinstance(Map(), abc.MutableMapping)
    assert isinstance(Dict(), abc.MutableMapping)
    assert isinstance(Map().keys(), abc.KeysView)
    assert isinstance(Map().values(), abc.ValuesView)
    assert isinstance(Map().items(), abc.ItemsView)


def test_calls_take_maps_apart() -> None:
    def f(**kwargs: object) -> dict[str, object]:
        return kwargs

    assert f(**Map({"a": 1, "b": 2})) == {"a": 1, "b": 2}


# ---------------------------------------------------------------- views


def test_views_are_set_like() -> None:
    values = {"a": 1, "b": 2, "c": 3}
    mapping = Map(values)
    for view, plain, others in [
        (mapping.keys(), values.keys(), [{"a", "x"}, {"a", "b", "c"}, set(), ["a", "x"]]),
        (mapping.items(), values.items(), [{("a", 1), ("b", 5)}, set(values.items()), set()]),
    ]:
        assert view == plain
        assert plain == view
        assert view == set(plain)
        assert set(plain) == view
        assert len(view) == 3
        assert all(x in view for x in plain)
        assert "x" not in view
        for other in others:
            for op in ("__and__", "__or__", "__sub__", "__xor__"):
                assert getattr(view, op)(other) == getattr(plain, op)(other)
                assert type(getattr(view, op)(other)) is set
            if isinstance(other, set):
                for op in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
                    assert getattr(view, op)(other) == getattr(plain, op)(other)
                assert other & view == other & plain
                assert other - view == other - plain
            assert view.isdisjoint(other) == plain.isdisjoint(other)
        with pytest.raises(TypeError, match="unhashable type"):
            hash(view)
    assert mapping.values() != mapping.values()
    assert 2 in mapping.values()
    assert ("a", 1) in mapping.items()
    assert ("a", 2) not in mapping.items()
    assert "a" not in mapping.items()
    assert mapping.keys().mapping is mapping


def test_views_follow_the_container() -> None:
    mapping = Dict(a=1)
    keys, values, items = mapping.keys(), mapping.values(), mapping.items()
    mapping["b"] = 2
    assert list(keys) == ["a", "b"]
    assert list(values) == [1, 2]
    assert len(items) == 2
    assert repr(keys) == "KeysView(['a', 'b'])"
    assert repr(values) == "ValuesView([1, 2])"
    assert repr(items) == "ItemsView([('a', 1), ('b', 2)])"


@pytest.mark.bad_input
def test_views_cannot_be_made_by_hand() -> None:
    cls = type(Map().keys())
    with pytest.raises(TypeError):
        cls()
    with pytest.raises(TypeError):
        cls.isdisjoint(5, [])


# ---------------------------------------------------------------- copies


@pytest.mark.parametrize("values", DICTS)
def test_copies_and_pickles(values: dict[object, object]) -> None:
    mapping = Map(values)
    assert copy.copy(mapping) is mapping
    assert copy.deepcopy(mapping) == mapping
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(mapping, protocol))
        assert type(back) is Map
        assert list(back.items()) == list(mapping.items())


def test_deepcopy_keeps_structure() -> None:
    inner = List([1])
    mapping = Map({"a": inner, "b": inner})
    copied = copy.deepcopy(mapping)
    assert copied == mapping
    assert copied["a"] is copied["b"]
    assert copied["a"] is not inner
    atoms = Map({"a": (1, 2)})
    assert copy.deepcopy(atoms) is atoms
    cycle = List()
    around = Map({"l": cycle})
    cycle.append(around)
    for copied in (copy.deepcopy(around), pickle.loads(pickle.dumps(around))):
        assert copied["l"][0] is copied
        copied["l"].clear()
    cycle.clear()


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
        (lambda m: Map(5), TypeError, "Map: expected a mapping or an iterable of pairs, got int"),
        (lambda m: Map([1]), TypeError, "Map: expected a pair as element 0, got int"),
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
    with pytest.raises(error) as caught:
        act(mapping)
    assert str(caught.value) == text


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
        with pytest.raises(ValueError, match="object is empty"):
            act(mapping)
    del carrier


@pytest.mark.bad_input
def test_keys_whose_hash_raises() -> None:
    class Bad:
        def __hash__(self) -> int:
            raise KeyError("no hash")

    for act in (lambda m: m[Bad()], lambda m: m.get(Bad()), lambda m: Map([(Bad(), 1)])):
        with pytest.raises(KeyError, match="no hash"):
            act(Map({"a": 1}))


@pytest.mark.bad_input
def test_keys_that_compare_by_raising() -> None:
    class Bad:
        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise KeyError("no comparison")

    for wrap in (lambda x: x, lambda x: (x,)):
        for others in (0, 20):
            mapping = Dict({i: i for i in range(others)})
            bad = wrap(Bad())
            mapping[bad] = 1
            for act in (
                lambda m, w=wrap: m[w(Bad())],
                lambda m, w=wrap: m.get(w(Bad())),
                lambda m, w=wrap: w(Bad()) in m,
                lambda m, w=wrap: m.pop(w(Bad()), None),
                lambda m, w=wrap: m.__setitem__(w(Bad()), 2),
            ):
                with pytest.raises(KeyError, match="no comparison"):
                    act(mapping)
            assert mapping[bad] == 1
            assert len(mapping) == others + 1
    deep: object = ()
    for _ in range(3000):
        deep = (deep,)
    with pytest.raises(RecursionError):
        Dict()[deep] = 1


@pytest.mark.bad_input
def test_keys_that_empty_the_map_while_it_is_searched() -> None:
    class Evil:
        def __init__(self, mapping: Dict) -> None:
            self.mapping = mapping

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            self.mapping.clear()
            return False

    for others in (0, 20):
        for act, result, left in (
            (lambda m: m.get(Evil(m)), None, 0),
            (lambda m: Evil(m) in m, False, 0),
            (lambda m: m.__setitem__(Evil(m), 1), None, 1),
            (lambda m: m.pop(Evil(m), "none"), "none", 0),
        ):
            mapping = Dict({i: i for i in range(others)})
            mapping[Evil(mapping)] = 1
            assert act(mapping) is result
            assert len(list(mapping)) == left
            mapping.clear()


@pytest.mark.bad_input
def test_mappings_that_raise_or_change() -> None:
    class Broken(dict):
        def keys(self):
            return ["a", "b"]

        def __iter__(self):
            raise AssertionError("not used")

    with pytest.raises(KeyError, match="b"):
        Map(Broken(a=1))

    class Growing:
        def __init__(self, target: dict[object, object]) -> None:
            self.target = target

        def __hash__(self) -> int:
            if hasattr(self, "ready"):
                self.target[len(self.target)] = 1
            return 1

        def __eq__(self, other: object) -> bool:
            return self is other

    source: dict[object, object] = {}
    key = Growing(source)
    source[key] = 1
    key.ready = True
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        Map(source)
