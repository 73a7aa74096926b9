# SPDX-License-Identifier: Apache-2.0
"""tain.from_builtins for the types of Python: what is checked, and the path in the errors."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import enum
import json
import sys
import typing
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar

import numpy as np
import pytest
from tain.types.testing import Color, Point

import tain

T = TypeVar("T")
Count = NewType("Count", int)


class Level(enum.Enum):
    LOW = "low"
    PAIR = (1, 2)


class Bits(enum.Flag):
    A = 1
    B = 2


@dataclasses.dataclass(frozen=True)
class Item:
    name: str
    weight: float = 1.0
    level: Level | None = None
    area: float = dataclasses.field(init=False, default=0.0)


@dataclasses.dataclass
class Box(Generic[T]):
    value: T
    others: list[T] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Tree:
    children: list[Tree]
    at: Point | None = None


@dataclasses.dataclass
class Scaled:
    value: float
    factor: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, factor: float) -> None:
        self.value *= factor


@dataclasses.dataclass
class Unknown:
    value: NoSuchName  # type: ignore[name-defined]  # noqa: F821


class Pair(NamedTuple):
    at: Point
    count: int = 0


class Options(TypedDict, total=False):
    depth: int
    names: list[str]


@dataclasses.dataclass
class Labelled(Point):
    label: str = ""

    def __init__(self, x: float, y: float = 0.0, label: str = "") -> None:
        super().__init__(x, y=y)
        self.label = label


MADE = [
    (int, 3, 3),
    (float, 3, 3.0),
    (float, 0.5, 0.5),
    (complex, 2, 2 + 0j),
    (str, "a", "a"),
    (bytes, b"a", b"a"),
    (bool, True, True),
    (None, None, None),
    (object, [1], [1]),
    (T, {"any": 1}, {"any": 1}),
    (Count, 4, 4),
    (Annotated[int, "documented"], 4, 4),
    (Literal["a", 1], 1, 1),
    (Level, "low", Level.LOW),
    (Level, [1, 2], Level.PAIR),
    (Bits, 3, Bits.A | Bits.B),
    (list[float], [1, 2.5], [1.0, 2.5]),
    (list, [1, "a"], [1, "a"]),
    (set[int], [1, 2, 1], {1, 2}),
    (frozenset[str], ["a"], frozenset("a")),
    (collections.deque[int], [1, 2], collections.deque([1, 2])),
    (collections.abc.Sequence[int], (1, 2), [1, 2]),
    (collections.abc.Set[int], [1, 2], {1, 2}),
    (collections.abc.Mapping[str, int], {"a": 1}, {"a": 1}),
    (collections.OrderedDict[str, int], {"a": 1}, collections.OrderedDict(a=1)),
    (dict[int, str], {"1": "a", 2: "b"}, {1: "a", 2: "b"}),
    (dict[Level, int], {"low": 1}, {Level.LOW: 1}),
    (dict[str, list[int]], {"a": [1]}, {"a": [1]}),
    (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[()], [], ()),
    (int | str, "a", "a"),
    (int | float, 1.0, 1.0),
    (int | float, 1, 1),
    (list[int] | list[str], ["a"], ["a"]),
    (dict[str, int] | list[int], [1], [1]),
    (Level | int, "low", Level.LOW),
    (typing.Optional[int], None, None),  # noqa: UP045
    (typing.Union[int, None, str], "x", "x"),  # noqa: UP007
    (Item, {"name": "a"}, Item("a")),
    (Item, {"name": "a", "weight": 2, "level": "low"}, Item("a", 2.0, Level.LOW)),
    (Box[int], {"value": 1, "others": [2]}, Box(1, [2])),
    (Tree, {"children": [{"children": []}]}, Tree([Tree([])])),
    # typing of Python 3.10 refuses the text of an InitVar.
    *([(Scaled, {"value": 2, "factor": 3}, Scaled(6.0))] if sys.version_info >= (3, 11) else []),
    (Options, {"depth": 1}, {"depth": 1}),
    (tain.Shape, [2, 3], tain.Shape((2, 3))),
    (tain.Device, "cpu:0", tain.device("cpu:0")),
    (tain.dtype, "float32", tain.dtype("float32")),
    (tain.Array[int], [1, 2], tain.Array([1, 2])),
]


@pytest.mark.parametrize(("cls", "data", "expected"), MADE)
def test_values_of_declared_types(cls: Any, data: object, expected: object) -> None:
    made = tain.from_builtins(cls, data)
    assert type(made) is type(expected)
    if isinstance(expected, (tain.Array, tain.Shape)):
        assert list(made) == list(expected)
    else:
        assert made == expected
        assert repr(made) == repr(expected)


def test_there_and_back() -> None:
    item = Item("a", 2.0, Level.PAIR)
    object.__setattr__(item, "area", 7.5)
    values = {"items": [item], "pair": Pair(Point(1, y=2), 3)}
    data = json.loads(json.dumps(tain.to_builtins(values)))
    assert data["items"][0] == {"name": "a", "weight": 2.0, "level": [1, 2], "area": 7.5}
    assert tain.from_builtins(list[Item], data["items"]) == [item]
    assert tain.from_builtins(list[Item], data["items"])[0].area == 7.5
    pair = tain.from_builtins(Pair, data["pair"])
    assert (type(pair), type(pair.at), pair.at.y, pair.count) == (Pair, Point, 2.0, 3)
    labelled = Labelled(1.0, y=2.0, label="x")
    data = tain.to_builtins(labelled)
    assert data == {"x": 1.0, "y": 2.0, "label": "x"}
    again = tain.from_builtins(Labelled, data)
    assert (type(again), again.x, again.label) == (Labelled, 1.0, "x")


def test_what_has_its_type_stays() -> None:
    item, point = Item("a"), Point(1, y=2)
    assert tain.from_builtins(Item, item) is item
    assert tain.from_builtins(Tree, {"children": [], "at": point}).at is point


def test_arrays() -> None:
    made = tain.from_builtins(tain.Tensor, tain.to_builtins(tain.tensor([[1.0], [2.0]])))
    assert (type(made), made.shape) == (tain.Tensor, (2, 1))
    assert tain.from_builtins(np.ndarray, [[1, 2]]).shape == (1, 2)


class Lying(collections.abc.Sequence):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 1 << 60

    def __getitem__(self, index: Any) -> int:
        if index > 1:
            raise IndexError
        return int(index)


def cyclic_list() -> list[object]:
    items: list[object] = []
    items.append(items)
    return items


def cyclic_tree() -> dict[str, object]:
    tree: dict[str, object] = {}
    tree["children"] = [tree]
    return tree


CYCLE = "expected a tree, got data that contains itself"
REFUSED = [
    (int, "3", TypeError, "int: expected int, got str ('3')"),
    (int, 3.0, TypeError, "int: expected int, got float (3.0)"),
    (float, "x", TypeError, "float: expected float, got str ('x')"),
    (float, True, TypeError, "float: expected float, got bool (True)"),
    (float, 10**400, ValueError, "float: int too large to convert to float"),
    (str, 3, TypeError, "str: expected str, got int (3)"),
    (list[int], [1, [2]], TypeError, "list[int][1]: expected int, got list ([2])"),
    (list[str], "ab", TypeError, "list[str]: expected list, got str ('ab')"),
    (list[int], iter([1]), TypeError, "list[int]: expected list, got list_iterator ("),
    (list[int], {"a": 1}, TypeError, "list[int]: expected list, got dict ("),
    (set[int], 5, TypeError, "set[int]: expected a list for set, got int (5)"),
    (set[list[int]], [[1]], TypeError, "set[list[int]]: "),
    (dict[str, int], {"a": "b"}, TypeError, "dict[str, int]['a']: expected int, got str ('b')"),
    (dict[str, int], {3: 4}, TypeError, "dict[str, int][3]: a key: expected str, got int (3)"),
    (dict[int, int], {"x": 4}, TypeError, "dict[int, int]['x']: a key: expected int, got str ("),
    (dict[str, int], [1], TypeError, "dict[str, int]: expected dict, got list ([1])"),
    (tuple[int, str], [1], TypeError, "tuple[int, str]: expected 2 values for tuple, got 1"),
    (tuple[int, str], Lying(), TypeError, "tuple[int, str][1]: expected str, got int (1)"),
    (tuple[int, ...], 5, TypeError, "tuple[int, ...]: expected a list for tuple, got int (5)"),
    (Literal["a", 1], True, TypeError, "expected one of 'a', 1, got bool (True)"),
    (int | None, "a", TypeError, "expected int | None, got str ('a')"),
    (list[int] | int, ["a"], TypeError, "expected list[int] | int, got list (['a'])"),
    (Level, "high", ValueError, "Level: 'high' is not a valid Level"),
    (list[Color], [1, 77], ValueError, "[1]: 77 is not a valid "),
    (Item, {"weight": 1}, TypeError, "Item: Item.__init__() missing 1 required"),
    (Item, {"name": 5}, TypeError, "Item.name: expected str, got int (5)"),
    (Item, {"nmae": "a"}, TypeError, "Item: Item has no field 'nmae'. Did you mean 'name'?"),
    (Item, {1: "a"}, TypeError, "Item: expected names of fields of Item as keys, got int (1)"),
    (Item, 5, TypeError, "Item: expected a dict of the fields of Item, got int (5)"),
    (Tree, {"children": [{"children": 3}]}, TypeError, "Tree.children[0].children: expected list"),
    (Tree, {"children": [], "at": {"x": "a"}}, TypeError, "Tree.at.x: expected float, got str ("),
    (Point, {1: 2}, TypeError, "Point: expected names of fields of testing.Point as keys, got "),
    (Unknown, {"value": 1}, TypeError, "Unknown: the annotations of Unknown have no value: "),
    (Options, {"depht": 1}, TypeError, "Options: Options has no field 'depht'. Did you mean "),
    (Pair, [], TypeError, "Pair: "),
    (np.ndarray, 5, TypeError, "ndarray: expected ndarray, got int (5)"),
    (tain.Device, 5, TypeError, "Device: expected Device, got int (5)"),
    (Tree, cyclic_tree(), ValueError, f"Tree.children[0]: {CYCLE}"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("cls", "data", "error", "text"), REFUSED)
def test_data_that_is_refused(cls: Any, data: object, error: Any, text: str) -> None:
    with pytest.raises(error) as caught:
        tain.from_builtins(cls, data)
    assert str(caught.value).startswith("from_builtins: ")
    assert text in str(caught.value)


@pytest.mark.bad_input
def test_undeclared_data_may_contain_itself() -> None:
    items = cyclic_list()
    assert tain.from_builtins(Any, items) is items


@pytest.mark.bad_input
def test_a_dict_that_changes_while_it_is_read() -> None:
    class Grows:
        def __init__(self, data: dict[str, Any]) -> None:
            self.data = data

        def __eq__(self, other: object) -> bool:
            self.data[str(len(self.data))] = 1
            return False

        __hash__ = object.__hash__

    data: dict[str, Any] = {}
    data["a"] = Grows(data)
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        tain.from_builtins(dict[str, Literal[1, "a"]], data)


@pytest.mark.slow
def test_any_depth() -> None:
    data: dict[str, Any] = {"children": []}
    for _ in range(100_000):
        data = {"children": [data]}
    tree = tain.from_builtins(Tree, data)
    levels = 0
    while tree.children:
        tree = tree.children.pop()
        levels += 1
    assert levels == 100_000
    bad: dict[str, Any] = {"children": [5]}
    for _ in range(10_000):
        bad = {"children": [bad]}
    with pytest.raises(TypeError) as caught:
        tain.from_builtins(Tree, bad)
    text = str(caught.value)
    assert text.startswith("from_builtins: Tree.children[0].children[0]")
    assert text.endswith(".children[0]: expected a dict of the fields of Tree, got int (5)")
    assert len(text) < 1000
    for each in (data, bad):
        while isinstance(each, dict) and each["children"]:
            each = each["children"].pop()
