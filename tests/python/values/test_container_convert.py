# SPDX-License-Identifier: Apache-2.0
"""Containers made of what Python has: read once, checked, whatever changes meanwhile."""

from __future__ import annotations

import collections
import itertools
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from acting_key import Key
from errors import raises
from interpreter import reads_the_original
from testing_functions import get

import tain
from tain import Dict, List


def test_an_iterator_is_read_once() -> None:
    items = iter([1, 2, 3])
    held = get("echo")([items])
    assert get("echo_array_int")(items) == [1, 2, 3]
    assert get("echo_array_int")(items) == []
    assert held[0] is items


@pytest.mark.bad_input
def test_an_iterator_that_fails() -> None:
    def numbers() -> object:
        yield 1
        raise LookupError("no more")

    with raises(LookupError, "no more"):
        get("echo_std_vector_int")(numbers())


def test_a_list_that_changes_while_it_is_converted() -> None:
    class Shrinks:
        def __init__(self, target: object) -> None:
            self.target = target

        def __index__(self) -> int:
            self.target.clear()
            return 1

    values = tain.List([])
    values.extend([Shrinks(values), 2, 3])
    assert get("echo_std_vector_int")(values) == [1]
    entries = tain.Dict({})
    entries.update({"a": Shrinks(entries), "b": 2})
    with raises(RuntimeError, "the Map or Dict changed while it was being read"):
        get("echo_std_map_str_int")(entries)


def test_sequences_arrive_as_containers() -> None:
    echo = get("echo")
    for value, type_ in [((), tain.Array), ([1, [2]], tain.Array), ({"a": (1,)}, tain.Map)]:
        assert isinstance(echo(value), type_)
    assert echo([1, [2, "x"]]) == [1, [2, "x"]]
    pair = [1]
    same = echo([pair, pair])
    assert same[0] == same[1] == [1]


@pytest.fixture(autouse=True)
def calm() -> Iterator[None]:
    yield
    Key.calm()


def empty_it(box: Any) -> list[Any]:
    """Empty a container and use its memory again."""
    box.clear()
    return [List([i] * 4) for i in range(100)]


class Number:
    """An int, unless it refuses, for those who ask; empties its container meanwhile."""

    def __init__(self, box: Any, good: bool) -> None:
        self.box, self.good = box, good

    def __index__(self) -> int:
        self.kept = empty_it(self.box)
        if not self.good:
            raise TypeError("no number")
        return 7


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "good", "expected"),
    [
        ("echo_tuple_int_str", True, "expected tuple[int, str] of 2 elements, got 0"),
        ("echo_tuple_int_str", False, "expected tuple[int, str] of 2 elements, got 0"),
        ("echo_shape", True, (7,)),
        ("echo_shape", False, "expected Shape, got List"),
        ("echo_list_int", True, [7]),
        ("echo_list_int", False, "expected List[int], got List"),
        ("echo_array_int", True, [7]),
        ("echo_array_int", False, "expected Array[int], got List"),
    ],
)
def test_an_element_that_empties_its_list_when_it_is_converted(
    name: str, good: bool, expected: Any
) -> None:
    items = List()
    items[:] = [Number(items, good), "two" if "tuple" in name else Number(items, good)]
    if isinstance(expected, str):
        with raises(TypeError, f"testing.{name}: argument x: {expected}"):
            get(name)(items)
    else:
        assert tuple(get(name)(items)) == tuple(expected)
    assert len(items) == 0


@pytest.mark.bad_input
def test_an_entry_that_empties_its_dict_when_it_is_converted() -> None:
    mapping = Dict()
    mapping.update(a=Number(mapping, True), b=1)
    with raises(RuntimeError, "the Map or Dict changed while it was being read"):
        get("echo_dict_str_int")(mapping)


class Text(str):
    """Text that no dict takes for equal text."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return self is other


@pytest.mark.parametrize("size", range(7))
@pytest.mark.parametrize("key", ["é", "a\0b", "k0", Text("k0"), 5, 2.5, (1, 2)])
@pytest.mark.parametrize("value", [1, "long text of a value", "é", [1], 2**80, {"k0": 1}, None])
def test_a_dict_keeps_its_entries_and_their_order(size: int, key: Any, value: Any) -> None:
    """The first entries, as long as they are plain, are added without a search."""
    before = {f"k{i}": value for i in range(size)}
    given = {**before, key: value, "last": 0}
    expected = {**before, "k0" if isinstance(key, Text) else key: value, "last": 0}
    for made in (get("echo")(given), Dict(given), tain.Map(given)):
        assert list(made) == [tuple(k) if isinstance(k, tuple) else k for k in expected]
        assert [made[k] for k in expected] == list(expected.values())
        assert len(made) == len(expected)


class Acting:
    """Becomes 7 in C++; acts before."""

    def __init__(self, act: Any) -> None:
        self.act = act

    def __tain_convert__(self) -> int:
        self.act()
        return 7


@pytest.mark.bad_input
@reads_the_original
def test_a_dict_that_changes_while_it_is_converted() -> None:
    def move_first() -> None:
        given["first"] = given.pop("first")

    given: dict[str, Any] = {"first": 1, "second": Acting(move_first), "third": 3}
    with raises(RuntimeError, "dictionary keys changed during iteration"):
        get("echo")(given)
    given = {"first": 1, "second": Acting(lambda: given.pop("first"))}
    with raises(RuntimeError, "dictionary changed size during iteration"):
        get("echo")(given)
    given = {"first": 1, "second": Acting(lambda: given.update(first=2)), "third": 3}
    assert dict(get("echo")(given)) == {"first": 1, "second": 7, "third": 3}


STEPS = 60  # a ladder of so many steps has 2**60 ways to its end
RUNGS: dict[str, Callable[[Any], Any]] = {
    "list": lambda part: [part, part],
    "tuple": lambda part: (part, part),
    "dict": lambda part: {"a": part, "b": part},
    "both": lambda part: [{"a": part, 1: part}, (part,)],
    "subclasses": lambda part: type("L", (list,), {})([part, type("D", (dict,), {})(a=part)]),
}


def ladder(rung: str, steps: int = STEPS) -> Any:
    part: Any = ["end"]
    for _ in range(steps):
        part = RUNGS[rung](part)
    return part


WAYS: dict[str, Callable[[Any], Any]] = {
    "argument": lambda value: get("echo")(value),
    "result of a callback": lambda value: get("echo")(lambda: value)(),
    "convert": tain.convert,
    "Array": lambda value: tain.Array([value])[0],
    "Array of an iterator": lambda value: tain.Array(iter([value]))[0],
    "List": lambda value: List([value])[0],
    "append": lambda value: changed(List(), lambda made: made.append(value))[0],
    "extend": lambda value: changed(List(), lambda made: made.extend([value]))[0],
    "slice": lambda value: changed(List(), lambda made: made.__setitem__(slice(0), [value]))[0],
    "Map": lambda value: tain.Map(a=value)["a"],
    "Map of pairs": lambda value: tain.Map([("a", value)])["a"],
    "Map of a mapping": lambda value: tain.Map(collections.ChainMap({"a": value}))["a"],
    "Dict": lambda value: Dict({"a": value})["a"],
    "update": lambda value: changed(Dict(), lambda made: made.update({"a": value}))["a"],
    "setdefault": lambda value: Dict().setdefault("a", value),
}


def changed(made: Any, change: Callable[[Any], object]) -> Any:
    change(made)
    return made


def first(value: Any) -> Any:
    return value["a"] if isinstance(value, tain.Map) else value[0]


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("way", WAYS)
def test_a_shared_part_is_converted_once(way: str, rung: str) -> None:
    value = WAYS[way](ladder(rung))
    for _ in range(STEPS * (2 if rung == "both" else 1)):
        if rung in ("list", "tuple", "dict"):
            one, other = value.values() if rung == "dict" else value
            assert one is other
        value = first(value)
    assert value == ["end"]


def test_parts_that_only_look_alike_stay_two() -> None:
    one, other = get("echo")([[1], [1]])
    assert one is not other
    shared: list[Any] = [[]]
    made = List([shared, shared, {"a": shared[0]}])
    assert made[0] is made[1]
    assert made[2]["a"] is made[0][0]
    made[0] = 1
    assert made[1] == [[]]
    shared.append(2)
    assert list(List([shared])[0]) == [[], 2]


@pytest.mark.bad_input
def test_a_message_about_shared_parts() -> None:
    value = ladder("list")
    shown = "[" * 60 + "...)"
    for name in ("echo_array_int", "echo_std_vector_int"):
        text = f"testing.{name}: argument x[0]: expected int, got list ({shown}"
        with raises(TypeError, text):
            get(name)(value)


@pytest.mark.bad_input
@pytest.mark.parametrize("make", [list, dict])
def test_a_cycle_is_refused(make: Callable[[], Any]) -> None:
    value = make()
    for _ in range(3):
        if isinstance(value, list):
            value.append([value, {"a": value}])
        else:
            value[len(value)] = [value, {"a": value}]
    with pytest.raises(RecursionError, match=r"while converting a (sequence|mapping)"):
        get("echo")(value)


class Interrupted(Exception):
    """What the signal handler raises."""


@pytest.mark.parametrize(
    "act",
    [
        lambda: tain.Array(itertools.repeat(0)),
        lambda: List().extend(itertools.repeat("text")),
        lambda: Dict().update(zip(itertools.count(), itertools.repeat(0), strict=False)),
        lambda: [tain.Array([0] * 100_000) for _ in iter(int, 1)],
        lambda: [tain.Map(dict.fromkeys(range(100_000))) for _ in iter(int, 1)],
    ],
)
def test_a_conversion_can_be_interrupted(act: Callable[[], object]) -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            act()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
