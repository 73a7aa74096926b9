# SPDX-License-Identifier: Apache-2.0
"""Calls of functions that say which calls threads may make at the same time.

With a GIL the flags change nothing, so only what they mean without one differs.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from errors import raises
from interpreter import HAS_GIL
from tain.types.testing import threads
from threads import in_threads

import tain
from tain import _core

# How long calls wait for each other that cannot meet.
A_MOMENT, LONG = 50, 20_000


@pytest.fixture(autouse=True)
def _doors_are_closed() -> None:
    threads.reset()


def _both(call: Callable[..., Any], *args: Any) -> list[Any]:
    results: list[Any] = []
    in_threads([lambda: results.append(call(*args))] * 2)
    return results


def test_calls_of_thread_safe_functions_run_at_the_same_time() -> None:
    wait = A_MOMENT if HAS_GIL else LONG
    assert _both(threads.meet_safely, 2, wait) == [not HAS_GIL] * 2


def test_calls_that_say_nothing_run_one_at_a_time() -> None:
    assert _both(threads.meet_alone, 2, A_MOMENT) == [False, False]


@pytest.mark.parametrize(
    ("cls", "same_object", "meets"),
    [
        (threads.Silent, True, False),
        (threads.Locked, True, False),
        (threads.Safe, True, True),
    ],
)
def test_calls_of_methods_for_one_object(cls: type, same_object: bool, meets: bool) -> None:
    counter = cls()
    met = _both(counter.meet, 2, LONG if meets and not HAS_GIL else A_MOMENT)
    assert met == [meets and not HAS_GIL] * 2
    assert counter.most_inside == (2 if meets and not HAS_GIL else 1)


@pytest.mark.parametrize("cls", [threads.Silent, threads.Locked, threads.Safe])
def test_what_a_method_says_comes_first(cls: type) -> None:
    counter = cls()
    assert _both(counter.meet_unlocked, 2, LONG) == [True, True]  # release_gil()
    counter = cls()
    wait = A_MOMENT if HAS_GIL else LONG
    assert _both(counter.meet_safely, 2, wait) == [not HAS_GIL] * 2


def test_receivers_have_locks_of_their_own() -> None:
    first, second = threads.Locked(), threads.Locked()
    entered: list[bool] = []

    def inside(counter: Any) -> int:
        entered.append(threads.meet_safely(2, A_MOMENT if HAS_GIL else LONG))
        return counter.count

    in_threads([partial(first.call, inside), partial(second.call, inside)])
    assert entered == [not HAS_GIL] * 2


@pytest.mark.parametrize("cls", [threads.Silent, threads.Locked])
def test_locked_methods_lose_nothing(cls: type) -> None:
    counter = cls()
    in_threads([lambda: [counter.add(n) for n in range(2000)]] * 4)
    assert counter.count == 8000
    assert counter.total == 4 * sum(range(2000))
    assert counter.most_inside == 1


@pytest.mark.parametrize("cls", [threads.Silent, threads.Locked, threads.Safe])
def test_what_crosses_is_what_crosses_elsewhere(cls: type) -> None:
    counter = cls()
    assert counter.text("some text that is long") == "some text that is long!"
    assert counter.text(text="é") == "é!"
    assert counter.self() is counter
    assert counter.same(counter) == 1 and counter.same(cls()) == 0
    assert cls.twice(21) == 42
    assert counter.call(lambda other: 7 if other is counter else 0) == 7
    with raises(IndexError, "no such item"):
        counter.fail("no such item")
    with raises(ValueError, "from a callback"):
        counter.call(lambda _: (_ for _ in ()).throw(ValueError("from a callback")))
    with pytest.raises(TypeError, match=rf"testing\.threads\.{cls.__name__}\.text"):
        counter.text(1)
    with pytest.raises(TypeError, match="add"):
        counter.add()
    with pytest.raises(TypeError, match="add"):
        counter.add(1, 2)
    with pytest.raises(TypeError, match=r"testing\.threads\.\w+\.add"):
        cls.add(object(), 1)
    assert counter.total == 0


def test_functions_take_what_others_take() -> None:
    assert threads.add(1, 2.5) == 3.5
    assert threads.add(1) == 1.5
    assert threads.add(b=1, a=2**40) == 2**40 + 1
    assert threads.length([1, 2, 3]) == 3
    assert threads.length(range(5)) == 5
    assert threads.is_even(4) is True and threads.is_even(3) is False
    with pytest.raises(OverflowError):
        threads.is_even(2**64)
    with pytest.raises(TypeError, match=r"testing\.threads\.is_even"):
        threads.is_even("4")


def test_calls_inside_of_calls_for_one_object() -> None:
    for cls in (threads.Silent, threads.Locked, threads.Safe):
        counter = cls()

        def again(other: Any) -> int:
            other.add(1)
            return other.call(lambda third: third.total)

        assert counter.call(again) == 1


def test_an_object_that_is_moved_meanwhile_lives_on() -> None:
    echo = tain.get_global_func("testing.echo")
    refusals: list[str] = []

    def move(counters: list[Any]) -> None:
        for i, counter in enumerate(counters):
            try:
                counters[i] = echo(counter._move())
            except (TypeError, RuntimeError, ValueError) as error:
                refusals.append(str(error))

    def use(counters: list[Any]) -> None:
        for counter in counters:
            try:
                assert counter.text("text") == "text!"
                counter.add(1)
            except (TypeError, RuntimeError, ValueError) as error:
                refusals.append(str(error))

    for _ in range(20):
        counters = [threads.Safe() for _ in range(50)]
        in_threads([partial(move, counters), partial(use, counters)] * 2)
        del counters
    gc.collect()
    assert all("moved" in text or "in use" in text for text in refusals)


def test_type_info_says_it() -> None:
    said = {
        cls.__name__: [
            (m.function.is_thread_safe, m.function.locks_receiver, m.function.releases_gil)
            for m in tain.type_info(cls).methods
            if m.name in ("add", "meet_safely", "meet_unlocked", "twice")
        ]
        for cls in (threads.Silent, threads.Locked, threads.Safe)
    }
    nothing, safe, locked = (False, False, False), (True, False, False), (False, True, False)
    free = (True, False, True)
    assert said == {
        "Silent": [nothing, safe, free, nothing],
        "Locked": [locked, safe, free, nothing],
        "Safe": [safe, safe, free, safe],
    }


SAYS_IT_FOR_ALL = """
#include <tain/boxed.h>
#include <memory>
struct Leaf {
  int64_t value = 7;
};
struct Thing : tain::Object {
  int64_t get() const { return 1; }
  TAIN_OBJECT("%s.Thing", Thing, tain::Object);
};
struct Early : tain::Object {
  tain::String text = "text";
  int64_t get() const { return 1; }
  TAIN_OBJECT("%s.Early", Early, tain::Object);
};
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::GlobalDef().def("%s.before", [] { return 1; });
  refl::ObjectDef<Early>().def_init<>().def_ro("text", &Early::text);
  refl::LibraryDef().set(tain::thread_safe());
  refl::ObjectDef<tain::Boxed<Leaf>>("%s.Leaf").def_init<>().def_rw("value", &Leaf::value);
  refl::GlobalDef()
      .def("%s.take", [](std::unique_ptr<Leaf> leaf) { return leaf->value; })
      .def("%s.same", [](Leaf& leaf) -> Leaf& { return leaf; })
      .def("%s.grown", [](tain::Array<int64_t> array) { array.push_back(3); return array; });
  refl::GlobalDef().def("%s.after", [] { return 1; })
      .def("%s.free", [] { return 1; }, tain::release_gil());
  refl::ObjectDef<Thing>().def_init<>().def("get", &Thing::get)
      .def("locked", &Thing::get, tain::lock_receiver());
}
"""


def test_a_library_says_it_for_all() -> None:
    name = "thread_rules_of_all"
    tain.cpp.load_inline(name, cpp_sources=SAYS_IT_FOR_ALL.replace("%s", name))
    info = {
        each: _core.function_info(tain.get_global_func(f"{name}.{each}"))
        for each in ("before", "after", "free")
    }
    assert {each: one.is_thread_safe for each, one in info.items()} == dict.fromkeys(info, True)
    assert {each: one.releases_gil for each, one in info.items()} == {
        "before": False, "after": False, "free": True,
    }  # fmt: skip
    methods = {m.name: m.function for m in tain.type_info(f"{name}.Thing").methods}
    assert methods["get"].is_thread_safe and not methods["get"].locks_receiver
    assert methods["locked"].locks_receiver and not methods["locked"].is_thread_safe
    assert [tain.type_info(f"{name}.{each}").is_thread_safe for each in ("Early", "Thing")] == [
        True,
        True,
    ]
    functions = {each: tain.get_global_func(f"{name}.{each}") for each in ("take", "same", "grown")}
    leaf = tain.get_class(f"{name}.Leaf")()
    assert functions["same"](leaf) is leaf
    assert functions["take"](leaf) == 7
    with raises(ValueError, f"{name}.Leaf: the object was given away to a std::unique_ptr of C++"):
        leaf.value  # noqa: B018
    array = tain.Array([1, 2])
    assert functions["grown"](array) == [1, 2, 3] and array == [1, 2]
    assert functions["grown"](array._move()) == [1, 2, 3]


RETURNS_ANYTHING = """
struct Thing : tain::Object {
  int64_t a = 1;
  TAIN_OBJECT("%s.Thing", Thing, tain::Object);
};
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::LibraryDef().set(tain::thread_safe());
  refl::ObjectDef<Thing>().def_ro("a", &Thing::a).def_static(
      "__create__", [](int64_t kind) -> tain::Any {
        if (kind == 0) return tain::Any();
        if (kind == 1) return tain::Any(int64_t{5});
        return tain::Any(tain::make_object<Thing>());
      });
}
"""


def test_a_constructor_that_returns_no_object() -> None:
    name = "thread_rules_returns_anything"
    tain.cpp.load_inline(name, cpp_sources=RETURNS_ANYTHING.replace("%s", name))
    base: Any = tain.get_class(f"{name}.Thing")

    class Plain(base):
        pass

    class Own(base):
        def __init__(self, kind: int) -> None:
            super().__init__(kind)

    for cls in (base, Plain, Own):
        for _ in range(3):  # the first calls find out what the others know
            assert cls(2).a == 1
            for kind, given in enumerate(("None", "int")):
                why = f"{name}.Thing: the constructor returned {given}, expected {name}.Thing"
                with raises(TypeError, why):
                    cls(kind)
