# SPDX-License-Identifier: Apache-2.0
"""Containers that change while the equality or hash of what they hold runs.

Where dict or list says what comes out, so do these tests; where a change never ends, RuntimeError.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from acting_key import Element, Key
from errors import raises
from testing_functions import get

import tain
from tain import Array, Dict, List, Map

pytestmark = pytest.mark.bad_input

FOREVER = "a key's __eq__ or __hash__ changed the Map or Dict 1000 times while it was used"


@pytest.fixture(autouse=True)
def calm() -> Iterator[None]:
    yield
    Key.calm()


def once(act: Callable[[], object]) -> None:
    """Let the next comparison act, and no other."""

    def run() -> None:
        Key.act = None
        act()

    Key.act = run


def check(mapping: Any, model: dict[Any, Any]) -> None:
    """Whether a Dict holds what a dict holds, in order, and can be used on."""
    Key.act = None
    assert list(mapping.items()) == list(model.items())
    for key, value in model.items():
        assert mapping[key] == value
    for key in list(model):
        assert mapping.pop(key) == model[key]
    assert len(mapping) == 0
    mapping["after"] = 1
    assert dict(mapping) == {"after": 1}


# How many entries the Dict has: the small form, a table of one block, a larger one.
SIZES = [2, 3, 4, 12, 15, 16, 60]


def filled(size: int) -> tuple[Dict, dict[Any, Any], list[Key]]:
    keys = [Key(i) for i in range(size)]
    mapping = Dict()
    for i, key in enumerate(keys):
        mapping[key] = i
    return mapping, dict(zip(keys, range(size), strict=True)), keys


# What a comparison does to the Dict while it is searched; size, memory and room stay as they are.
EXCHANGES: dict[str, Callable[[Any, list[Key]], None]] = {
    "last": lambda m, keys: (m.pop(keys[-1]), m.__setitem__(Key("new"), "n")),  # type: ignore[func-returns-value]
    "first": lambda m, keys: (m.pop(keys[0]), m.__setitem__(Key("new"), "n")),  # type: ignore[func-returns-value]
    "same": lambda m, keys: (m.pop(keys[0]), m.__setitem__(keys[0], "n")),  # type: ignore[func-returns-value]
    "plain": lambda m, keys: (m.pop(keys[0]), m.__setitem__("new", "n")),  # type: ignore[func-returns-value]
    "all": lambda m, keys: (m.clear(), [m.__setitem__(k, "n") for k in reversed(keys)]),  # type: ignore[func-returns-value]
}
OPERATIONS: dict[str, Callable[[Any, Key], object]] = {
    "set": lambda m, k: m.__setitem__(k, "x"),
    "get": lambda m, k: m.get(k),
    "in": lambda m, k: k in m,
    "pop": lambda m, k: m.pop(k, "none"),
    "del": lambda m, k: m.__delitem__(k),
    "setdefault": lambda m, k: m.setdefault(k, "x"),
    "popitem": lambda m, k: m.popitem(),
    "item": lambda m, k: m[k],
}


@pytest.mark.parametrize("wanted", [0, 1, -1, "new", "other"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_an_exchange_of_keys_during_a_search(exchange: str, operation: str, wanted: Any) -> None:
    for size in SIZES:
        for at in range(3):
            mapping, model, keys = filled(size)
            name = keys[wanted].name if isinstance(wanted, int) else wanted
            left = [at]

            def act(
                mapping: Dict = mapping, keys: list[Key] = keys, left: list[int] = left
            ) -> None:
                left[0] -= 1
                if left[0] < 0:
                    Key.act = None
                    EXCHANGES[exchange](mapping, keys)

            Key.act = act
            with contextlib.suppress(KeyError):
                OPERATIONS[operation](mapping, Key(name))
            if left[0] < 0:
                EXCHANGES[exchange](model, keys)
            Key.act = None
            with contextlib.suppress(KeyError):  # as if it had begun after the exchange
                OPERATIONS[operation](model, Key(name))
            assert list(mapping.items()) == list(model.items())
            check(mapping, model)


@pytest.mark.parametrize("size", [3, 20])
def test_the_value_of_another_key_is_not_overwritten(size: int) -> None:
    mapping, _, keys = filled(size)
    once(lambda: (mapping.pop(keys[-1]), mapping.__setitem__(Key("new"), "new")))
    mapping[Key(size - 1)] = "x"
    names = {key.name: value for key, value in mapping.items()}
    assert names == {**dict(zip(range(size - 1), range(size - 1), strict=True)),
                     "new": "new", size - 1: "x"}  # fmt: skip


@pytest.mark.parametrize("size", [2, 20])
def test_a_key_that_comes_in_meanwhile_is_found(size: int) -> None:
    mapping, _, _ = filled(size)
    once(lambda: mapping.__setitem__(Key("late"), "was first"))
    assert mapping.setdefault(Key("late"), "second") == "was first"
    once(lambda: mapping.__setitem__(Key("later"), "was first"))
    mapping[Key("later")] = "second"
    assert [k.name for k in mapping].count("later") == 1
    assert mapping[Key("later")] == "second"


@pytest.mark.parametrize(
    "operation",
    [
        lambda m: m.get(Key("x")),
        lambda m: Key("x") in m,
        lambda m: m.__setitem__(Key("x"), 1),
        lambda m: m.setdefault(Key("x"), 1),
        lambda m: m.pop(Key("x"), None),
        lambda m: (Key("x"), 1) in m.items(),
        lambda m: m == {Key("x"): 1, **{Key(i): i for i in range(len(m) - 1)}},
        lambda m: m.update({Key("x"): 1}),
    ],
)
@pytest.mark.parametrize("size", [3, 40])
def test_equality_that_changes_the_dict_for_ever(operation: Any, size: int) -> None:
    mapping, _, _ = filled(size)

    def exchange() -> None:
        act, Key.act = Key.act, None
        mapping.popitem()
        mapping[Key(object())] = 1
        Key.act = act

    Key.act = exchange
    with pytest.raises(RuntimeError) as caught:
        operation(mapping)
    assert str(caught.value) in (FOREVER, "Dict changed during comparison")
    Key.act = None
    assert len(list(mapping)) == size


def test_hashes_that_change_the_dict_for_ever() -> None:
    mapping = Dict({Key(i, i): i for i in range(15)})

    def exchange() -> None:
        act, Key.act = Key.act, None
        mapping.popitem()
        mapping[Key(object(), 7)] = 1
        Key.act = act

    Key.act, Key.act_in_hash = exchange, True
    with raises(RuntimeError, FOREVER):
        mapping["the table must grow for it"] = 1
    Key.act = None
    assert len(list(mapping)) == 15


def test_hashes_that_are_never_the_same() -> None:
    numbers = iter(range(10**9))

    class Fickle:
        def __hash__(self) -> int:
            return next(numbers) * 7919

        def __eq__(self, other: object) -> bool:
            return self is other

    mapping = Dict()
    for i in range(2000):
        mapping[Fickle()] = i
        mapping[i] = i
    assert len(mapping) == len(list(mapping)) == 4000
    assert all(mapping[i] == i for i in range(2000))


@pytest.mark.parametrize("room", [4, 15, 16, 31])
@pytest.mark.parametrize(
    "change",
    [
        lambda m, keys: m.clear(),
        lambda m, keys: m.pop(keys[2]),
        lambda m, keys: m.__setitem__("more", 1),
        lambda m, keys: (m.pop(keys[0]), m.__setitem__("other", 1)),
    ],
)
def test_a_hash_that_changes_the_dict_while_it_grows(room: int, change: Any) -> None:
    keys = [Key(i, i) for i in range(room)]
    mapping = Dict((key, i) for i, key in enumerate(keys))
    model = dict(mapping)
    changed = []
    Key.act_in_hash = True
    once(lambda: (changed.append(1), change(mapping, keys)))
    mapping["new"] = 1
    Key.act = None
    if changed:
        change(model, keys)
    model["new"] = 1
    check(mapping, model)


class Mortal(Key):
    """Does something when it dies."""

    last_act: Callable[[], object]

    def __del__(self) -> None:
        self.last_act()


@pytest.mark.parametrize("size", [3, 40])
def test_a_key_that_dies_when_the_search_ends(size: int) -> None:
    mapping, _, keys = filled(size)
    mortal = Mortal("mortal")
    mortal.last_act = mapping.clear
    mapping[mortal] = 1
    del mortal
    once(lambda: mapping.pop(Key("mortal")))
    assert mapping.get(Key("none")) is None
    assert len(mapping) == 0
    mapping[keys[0]] = 1
    assert list(mapping) == [keys[0]]


@pytest.mark.parametrize("size", [3, 40])
def test_a_key_that_is_moved_away_while_it_is_looked_up(size: int) -> None:
    keys = [Array([Key(i)]) for i in range(size)]
    mapping = Dict((key, i) for i, key in enumerate(keys))
    wanted = Array([Key("none")])
    once(lambda: get("echo")(wanted._move()))
    assert mapping.get(wanted) is None
    assert len(list(mapping)) == size


def test_a_dict_whose_last_key_is_popped_asks_nobody() -> None:
    mapping, _, keys = filled(30)
    Key.act = lambda: pytest.fail("asked")
    Key.act_in_hash = True
    for key in reversed(keys):
        got, _ = mapping.popitem()
        assert got is key
    with raises(KeyError, "'popitem(): Dict is empty'"):
        mapping.popitem()


# ---------------------------------------------------------------- sequences


def test_remove_takes_the_element_that_was_equal() -> None:
    items = List(["a", "b"])
    acts = iter([lambda: items.insert(0, "new"), lambda: None])
    items.append(Element(True, lambda: next(acts, lambda: None)()))
    equal = items[2]
    items.remove(5)
    assert list(items) == ["new", "a", "b"]
    items[:] = ["a", equal, "b"]
    equal.act = lambda: items.__setitem__(1, "put there") if items[1] is equal else None
    with raises(ValueError, "5 is not in List"):
        items.remove(5)
    assert list(items) == ["a", "put there", "b"]


def test_remove_whose_comparison_changes_the_list_for_ever() -> None:
    items = List([1])

    def exchange() -> None:
        items[0] = Element(True, exchange)

    exchange()
    with raises(RuntimeError, "List.remove(): every comparison changed the List"):
        items.remove(5)


def test_sources_that_grow_while_they_are_read() -> None:
    class Growing(tuple):
        """Converted as a sequence, it makes its list longer."""

        def __len__(self) -> int:
            source.append(Growing())
            return 0

        def __iter__(self) -> Any:
            source.append(Growing())
            return iter(())

    source: list[Any] = [Growing(), Growing()]
    made = [List(source), Array(source), get("echo")(source)]
    assert all(2 <= len(list(m)) < 1000 for m in made)

    class Swapping:
        def __hash__(self) -> int:
            if ready:
                del entries[next(iter(entries))]
                entries[Swapping()] = 1
            return 1

        def __eq__(self, other: object) -> bool:
            return self is other

    ready: list[int] = []
    entries: dict[Any, int] = {Swapping(): 1, Swapping(): 2}
    ready.append(1)
    for read in (Map, Dict):
        with pytest.raises((RuntimeError, RecursionError)):
            read(entries)


class Loud:
    """Does something when its repr is asked for."""

    def __init__(self, change: Callable[[], object]) -> None:
        self.change = change

    def __repr__(self) -> str:
        self.change()
        return "loud"


def test_a_repr_that_adds_elements() -> None:
    items: List = List()

    def append() -> None:
        items.append(Loud(append))

    items.extend([Loud(append), Loud(append)])
    assert repr(items) == "[loud, loud]"
    mapping: Dict = Dict()
    numbers = iter(range(3, 10**9))

    def change_keys() -> None:
        mapping.pop(next(iter(mapping)))
        mapping[next(numbers)] = Loud(change_keys)

    mapping.update({1: Loud(change_keys), 2: Loud(change_keys)})
    assert repr(mapping).count("loud") <= 2


# ---------------------------------------------------------------- threads

THREADS = """
    import dataclasses, sys, threading, time
    import tain
    from tain import Dict, List

    sys.setswitchinterval(1e-6)

    @dataclasses.dataclass(frozen=True)
    class Key:
        number: int
        def __eq__(self, other):
            return self.number == other.number
        def __hash__(self):
            return self.number % {hashes}

    mapping, items, errors = Dict(), List(), set()
    end = time.monotonic() + {seconds}

    def work(thread):
        i = thread
        while time.monotonic() < end:
            i += 1
            try:
                {body}
            except (KeyError, ValueError) as error:
                pass
            except RuntimeError as error:
                errors.add(str(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    sys.setswitchinterval(0.005)
    names = [key.number for key in mapping]
    assert len(names) == len(set(names)) == len(mapping), names
    for key in list(mapping):
        mapping.pop(key)
    assert len(mapping) == 0
    print(sorted(errors))
"""
WALK = {"Dict changed size during iteration", "Dict keys changed during iteration"}
BODIES: dict[str, tuple[str, set[str]]] = {
    "set, pop, list": (
        "mapping[Key(i % 9)] = i; mapping.pop(Key(i * 7 % 9), None); list(mapping.items())",
        WALK,
    ),
    "many keys": (
        "mapping[Key(i % 501)] = i; mapping.pop(Key(i * 7 % 503), None)",
        set(),
    ),
    "setdefault, popitem": (
        "mapping.setdefault(Key(i % 30), i); i % 3 or mapping.popitem(); Key(5) in mapping",
        set(),
    ),
    "get, clear": (
        "mapping[Key(i % 30)] = i; mapping.get(Key(i % 31)); i % 40 or mapping.clear()",
        set(),
    ),
    "views": (
        "mapping[Key(i % 9)] = i; mapping.pop(Key(i * 5 % 9), None);"
        " mapping.keys() & {Key(1), Key(2)}; Key(3) in mapping.keys()",
        WALK,
    ),
    "copies": (
        "mapping[Key(i % 9)] = i; mapping.pop(Key(i * 5 % 9), None);"
        " Dict(mapping); tain.Map(mapping); mapping == mapping.copy()",
        {"the Map or Dict changed while it was being read", "Dict changed during comparison"},
    ),
    "lists": (
        "items.append(Key(i % 9)); items.count(Key(1));"
        " len(items) > 20 and items.remove(Key(i % 9)); items == [Key(1), Key(2)];"
        " items.sort(key=hash); items.extend(items[:2]);"
        " len(items) > 40 and items.clear()",
        set(),
    ),
}


@pytest.mark.parametrize("hashes", [3, 1000])
@pytest.mark.parametrize("body", BODIES)
def test_four_threads(body: str, hashes: int, run: Callable[..., str]) -> None:
    code, expected = BODIES[body]
    got = run(THREADS.format(body=code, hashes=hashes, seconds=1.5))
    assert set(eval(got)) <= expected


def test_the_package_counts_what_these_tests_made() -> None:
    mapping, _, keys = filled(20)
    before = tain.testing.live_objects().get("ffi.Dict")
    once(lambda: mapping.pop(keys[0]))
    mapping.get(Key("none"))
    assert tain.testing.live_objects().get("ffi.Dict") == before
