# SPDX-License-Identifier: Apache-2.0
"""tain.to_builtins and tain.from_builtins: objects as dicts and lists, and back."""

from __future__ import annotations

import collections
import dataclasses
import enum
import json
from typing import Any

import numpy as np
import pytest
from errors import raises
from tain.types.testing import Color, Point, Shelf
from tain.types.testing import TestIntPair as IntPair

import tain


@tain.py_class("builtins_test.Leaf")
class Leaf(tain.Object):
    name: str
    weight: float = 1.0


@tain.py_class("builtins_test.Branch")
class Branch(tain.Object):
    leaves: list[Leaf]
    by_name: dict[str, Leaf] = tain.field(default_factory=dict)
    main: Leaf | None = None
    above: Any = None


@dataclasses.dataclass
class Plain:
    point: object
    count: int = 0


DATA = {
    "leaves": [{"name": "a", "weight": 1.0}, {"name": "b", "weight": 2.5}],
    "by_name": {"c": {"name": "c", "weight": 1.0}},
    "main": {"name": "d", "weight": 3.0},
    "above": None,
}


def branch() -> Branch:
    return Branch([Leaf("a"), Leaf("b", 2.5)], {"c": Leaf("c")}, Leaf("d", 3.0))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        ("text", "text"),
        (b"bytes", b"bytes"),
        (IntPair(1, 2), {"a": 1, "b": 2}),
        (tain.Array([1, [2, "x"]]), [1, [2, "x"]]),
        (tain.List([IntPair(1, 2)]), [{"a": 1, "b": 2}]),
        (tain.Map({"k": tain.Array([1])}), {"k": [1]}),
        (tain.Dict({1: None}), {1: None}),
        (tain.Shape((2, 3)), [2, 3]),
        ((1, {2}, [3]), [1, [2], [3]]),
        (Color.RED, 1),
        (tain.device("cpu:0"), "cpu:0"),
        (tain.dtype("float32"), "float32"),
        (np.float64(0.5), 0.5),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (tain.tensor([[1.0], [2.0]]), [[1.0], [2.0]]),
        (Plain(IntPair(1, 2)), {"point": {"a": 1, "b": 2}, "count": 0}),
        (branch(), DATA),
    ],
)
def test_values(value: object, expected: object) -> None:
    made = tain.to_builtins(value)
    assert made == expected
    assert type(made) is type(expected)


def test_json() -> None:
    text = json.dumps({"branch": branch(), "n": 1}, default=tain.to_builtins)
    assert json.loads(text) == {"branch": DATA, "n": 1}
    again = tain.from_builtins(Branch, json.loads(text)["branch"])
    assert isinstance(again, Branch)
    assert tain.to_builtins(again) == DATA
    assert isinstance(again.leaves[1], Leaf)
    assert isinstance(again.by_name["c"], Leaf)


def test_what_two_share_is_no_cycle() -> None:
    leaf = Leaf("a")
    one = {"name": "a", "weight": 1.0}
    assert tain.to_builtins([leaf, leaf, [leaf]]) == [one, one, [one]]


@pytest.mark.parametrize(
    ("cls", "data", "check"),
    [
        (Point, {"x": 1, "y": 2}, lambda p: (p.x, p.y) == (1.0, 2.0)),
        (Point, {"x": 3}, lambda p: (p.x, p.y) == (3.0, 0.0)),
        (list[Point], [{"x": 1}], lambda made: isinstance(made[0], Point)),
        (dict[str, Point], {"a": {"x": 1}}, lambda made: isinstance(made["a"], Point)),
        (tuple[Point, int], [{"x": 1}, 2], lambda made: isinstance(made[0], Point)),
        (Point | None, None, lambda made: made is None),
        (Point | None, {"x": 1}, lambda made: isinstance(made, Point)),
        (Any, {"x": 1}, lambda made: made == {"x": 1}),
        (Color, 1, lambda made: made is Color.RED),
        (Shelf, {"numbers": [5], "pair": [1, "b"]}, lambda s: (list(s), s.pair) == ([5], (1, "b"))),
        (Branch, {"leaves": []}, lambda made: made.main is None),
    ],
)
def test_objects_of_data(cls: Any, data: object, check: Any) -> None:
    assert check(tain.from_builtins(cls, data))


def test_an_object_in_the_data_stays() -> None:
    leaf = Leaf("a")
    assert tain.from_builtins(Branch, {"leaves": [leaf]}).leaves[0] is leaf


ERRORS_TO = [
    ([1, {"a": len}], TypeError, "to_builtins: list[1]['a']: expected data, got "),
    (
        Plain({"f": tain.get_global_func("testing.echo")}),
        TypeError,
        "to_builtins: Plain.point['f']: expected data, got ",
    ),
    (
        tain.Map({tain.Array([1]): 2}),
        TypeError,
        "to_builtins: Map[[1]]: a key: expected str, int, float, bool or None, got ",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("value", "error", "text"), ERRORS_TO)
def test_what_is_no_data(value: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        tain.to_builtins(value)
    assert str(caught.value).startswith(text)


class Mode(enum.Enum):
    PAIR = (1, IntPair(1, 2).a)
    NAME = "name"


@dataclasses.dataclass
class Labelled(Point):
    label: str = ""

    def __init__(self, x: float, y: float = 0.0, label: str = "") -> None:
        super().__init__(x, y=y)
        self.label = label


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([Mode.PAIR, {Mode.NAME: Mode.NAME}], [[1, 1], {"name": "name"}]),
        (np.array([Mode.NAME, {"a": (1,)}], dtype=object), ["name", {"a": [1]}]),
        (np.array([(1, 2.5)], dtype=[("a", int), ("b", float)]), [[1, 2.5]]),
        (np.array(["a", "b"]), ["a", "b"]),
        (np.str_("a"), "a"),
        ([np.int8(3), np.bool_(True)], [3, True]),
        (Labelled(1.0, y=2.0, label="x"), {"x": 1.0, "y": 2.0, "label": "x"}),
        (collections.deque([1, (2,)]), [1, [2]]),
        (range(3), [0, 1, 2]),
        ({"a": 1}.items(), [["a", 1]]),
        (collections.OrderedDict(a=(1,)), {"a": [1]}),
    ],
)
def test_more_values(value: object, expected: object) -> None:
    made = tain.to_builtins(value)
    assert made == expected
    assert json.loads(json.dumps(made)) == made
    for part in made if isinstance(made, list) else []:
        assert type(part) in (int, str, bool, float, list, dict)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1, 2]),
        lambda: (n for n in (1, 2)),
        lambda: map(int, "12"),
        lambda: iter(tain.Array([1, 2])),
        lambda: iter(tain.get_global_func("testing.count_to")(2)),
    ],
)
def test_an_iterator_is_not_read(make: Any) -> None:
    iterator = make()
    text = "to_builtins: dict['a'][0]: expected data (make a list of an iterator), got "
    with pytest.raises(TypeError) as caught:
        tain.to_builtins({"a": [iterator]})
    assert str(caught.value).startswith(text)
    assert len(list(iterator)) == 2


@pytest.mark.bad_input
def test_what_changes_while_it_is_read() -> None:
    data: dict[str, object] = {}
    items: list[object] = []

    class Grows(collections.abc.Mapping):  # type: ignore[type-arg]
        def __len__(self) -> int:
            return 1 << 60

        def __iter__(self) -> Any:
            data[str(len(data))] = 1
            items.append(self)
            return iter("a")

        def __getitem__(self, key: str) -> int:
            return 1

    data["first"] = Grows()
    with raises(RuntimeError, "dictionary changed size during iteration"):
        tain.to_builtins(data)
    items.append(Grows())
    assert tain.to_builtins(items) == [{"a": 1}] * 2


@pytest.mark.bad_input
def test_a_key_whose_repr_fails() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise ZeroDivisionError

    text = "to_builtins: dict[<Bad>]: a key: expected str, int, float, bool or None, got Bad"
    with pytest.raises(TypeError) as caught:
        tain.to_builtins({Bad(): 1})
    assert str(caught.value).startswith(text)


@pytest.mark.bad_input
def test_a_text_of_a_class_of_its_own() -> None:
    assert tain.to_builtins([collections.UserString("ab")]) == ["ab"]


def test_cycles() -> None:
    items: list[object] = [1]
    items.append({"k": items})
    text = "to_builtins: list[1]['k']: expected a tree, got an object that contains itself"
    with raises(ValueError, text):
        tain.to_builtins(items)
    inner = Branch([])
    inner.above = inner
    text = "to_builtins: Branch.above: expected a tree, got an object that contains itself"
    with raises(ValueError, text):
        tain.to_builtins(inner)
    inner.above = None


ERRORS_FROM = [
    (
        Branch,
        {"leaves": [{"name": "a"}, {"nmae": "b"}]},
        TypeError,
        "from_builtins: Branch.leaves[1]: builtins_test.Leaf has no field 'nmae'. "
        "Did you mean 'name'?",
    ),
    (
        Branch,
        {"leaves": [{"name": "a", "weight": "heavy"}]},
        TypeError,
        "from_builtins: Branch.leaves[0].weight: expected float, got str ('heavy')",
    ),
    (Branch, {"leaves": [5]}, TypeError, "from_builtins: Branch.leaves[0]: expected a dict of "),
    (Branch, {"leaves": [{}]}, TypeError, "from_builtins: Branch.leaves[0]: "),
    (Branch, 5, TypeError, "from_builtins: Branch: expected a dict of the fields of "),
    (Color, 77, ValueError, "from_builtins: Color: 77 is not a valid "),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("cls", "data", "error", "text"), ERRORS_FROM)
def test_data_that_does_not_fit(cls: Any, data: object, error: Any, text: str) -> None:
    with pytest.raises(error) as caught:
        tain.from_builtins(cls, data)
    assert str(caught.value).startswith(text)


@pytest.mark.slow
def test_any_depth() -> None:
    depth = 1_000_000
    deep: object = 1
    for _ in range(depth):
        deep = tain.Array([deep])
    made = tain.to_builtins(deep)
    del deep
    levels = 0
    while isinstance(made, list):
        made = made[0]
        levels += 1
    assert (levels, made) == (depth, 1)


@pytest.mark.slow
def test_objects_of_any_depth() -> None:
    data: dict[str, object] = {"leaves": []}
    inner = tain.py_class("builtins_test.Chain")(
        type("Chain", (tain.Object,), {"__annotations__": {"next": "Any"}, "next": None})
    )
    chain = None
    for _ in range(100_000):
        chain = inner(chain)
    made = tain.to_builtins(chain)
    levels = 0
    while made is not None:
        made = made["next"]
        levels += 1
    assert levels == 100_000
    assert data


def test_a_memoryview() -> None:
    view = memoryview(bytes(range(4)))
    assert tain.to_builtins([view, view.cast("B", (2, 2))]) == [[0, 1, 2, 3], [[0, 1], [2, 3]]]
    view.release()
    with raises(ValueError, "operation forbidden on released memoryview object"):
        tain.to_builtins([view])


STEPS = 60  # a ladder of so many steps has 2**60 ways to its end
RUNGS: dict[str, Any] = {
    "Array": lambda part: tain.Array([part, part]),
    "List": lambda part: tain.List([part, part]),
    "Map": lambda part: tain.Map(a=part, b=part),
    "list": lambda part: [part, part],
    "dict": lambda part: {"a": part, "b": part},
    "object": lambda part: Branch([], main=None, above=[part, part]),
    "dataclass": lambda part: Plain([part, part]),
    "objects of numpy": lambda part: objects_of_numpy(part),
}


def objects_of_numpy(part: object) -> Any:
    made = np.empty(2, object)
    made[0] = made[1] = part
    return made


@pytest.mark.parametrize("rung", RUNGS)
def test_a_shared_part_is_converted_once(rung: str) -> None:
    value: Any = tain.Array([1])
    for _ in range(STEPS):
        value = RUNGS[rung](value)
    made = tain.to_builtins(value)
    for _ in range(STEPS):
        if rung in ("object", "dataclass"):
            made = made["above" if rung == "object" else "point"]
        one, other = made.values() if isinstance(made, dict) else made
        assert one is other
        made = one
    assert made == [1]


@dataclasses.dataclass
class Pair:
    left: Pair | None = None
    right: Pair | None = None


@pytest.mark.parametrize("kind", [Pair, Branch, dict[str, Any], Any])
def test_shared_data_is_made_into_one_object(kind: Any) -> None:
    data: Any = {}
    for _ in range(STEPS):
        data = (
            {"leaves": [], "above": [data, data]}
            if kind is Branch
            else {"left": data, "right": data}
        )
    if kind is Branch:
        data = {"leaves": [], "by_name": {"a": (leaf := {"name": "x"}), "b": leaf}, "above": data}
    made = tain.from_builtins(kind, data)
    if kind is Branch:
        assert made.by_name["a"] is made.by_name["b"]
        return
    for _ in range(STEPS):
        one, other = (
            (made["left"], made["right"]) if isinstance(made, dict) else (made.left, made.right)
        )
        assert one is other
        made = one
    assert made == (Pair() if kind is Pair else {})


def test_shared_data_of_two_types_is_made_twice() -> None:
    @dataclasses.dataclass
    class Both:
        one: list[int]
        two: tuple[int, ...]

    data = [1, 2]
    assert tain.from_builtins(Both, {"one": data, "two": data}) == Both([1, 2], (1, 2))
