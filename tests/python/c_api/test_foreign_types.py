# SPDX-License-Identifier: Apache-2.0
"""Types of other libraries: constructors, copies, pickles, Python subclasses, death, counts."""

from __future__ import annotations

import ctypes
import gc
import inspect
import pickle
import threading
import weakref
from dataclasses import dataclass, fields

import foreign_lib
import pytest
from c_calls import LIB
from errors import empty_text, raises
from foreign_objects import (
    Auto,
    Bare,
    Copied,
    Named,
    Point,
    Shape,
    Unmade,
    Wide,
    Written,
    alive,
    keep,
    kept,
    objects_die,
)
from threads import in_threads

import tain
from tain.testing import live_objects

foreign_lib.load("threads")


all_objects_die = pytest.fixture(autouse=True)(objects_die)


class Slotted(Bare):
    __slots__ = ("tag",)


class Labelled(Shape):
    pass


class Broad(Wide):
    pass


# ---------------------------------------------------------------- construction

BY_FIELDS = [Point, Bare, Auto]


@pytest.mark.parametrize("cls", BY_FIELDS)
def test_constructors_take_fields(cls: type) -> None:
    assert str(inspect.signature(cls)) == "(x: int, y: int = 7, *, next: tain.Object | None = None)"
    for made, expected in [
        (cls(1), (1, 7, None)),
        (cls(1, 2), (1, 2, None)),
        (cls(x=3), (3, 7, None)),
        (cls(y=4, x=3), (3, 4, None)),
        (cls(3, y=4), (3, 4, None)),
    ]:
        assert type(made) is cls
        assert (made.x, made.y, made.next) == expected
    assert cls.__match_args__ == ("x", "y")


@pytest.mark.parametrize("cls", [Bare, Auto])
def test_a_field_by_keyword_only(cls: type) -> None:
    inner = cls(1)
    assert cls(2, next=inner).next is inner


WRONG = [  # (arguments, keywords, error)
    ((), {}, "missing argument 'x'"),
    ((1, 2, 3), {}, "takes 1 to 2 positional arguments but 3 were given"),
    ((1,), {"x": 2}, "got multiple values for argument 'x'"),
    ((1,), {"z": 2}, "got an unexpected keyword argument 'z'"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", BY_FIELDS)
@pytest.mark.parametrize(("args", "kwargs", "error"), WRONG)
def test_wrong_arguments(cls: type, args: tuple, kwargs: dict, error: str) -> None:
    with raises(TypeError, f"foreign_c.{cls.__name__}() {error}"):
        cls(*args, **kwargs)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (Point, "a coordinate is an int"),
        (Bare, "foreign_c.Bare: argument x: an int is needed"),
        (Auto, "foreign_c.Auto: argument x: an int is needed"),
    ],
)
def test_arguments_that_do_not_fit(cls: type, text: str) -> None:
    with raises(TypeError, text):
        cls("one")


def test_keywords_reach_an_init_by_the_marker() -> None:
    init = tain.get_global_func("ffi.GetKwargsObject")()
    assert init is tain.get_global_func("ffi.GetKwargsObject")()
    assert init is not tain.get_global_func("ffi.GetInvalidObject")()


def test_a_written_init_has_unnamed_parameters() -> None:
    assert str(inspect.signature(Written)) == "(arg0: int, arg1: int, /)"
    made = Written(3, 4)
    assert (made.x, made.y) == (3, 4)
    with raises(TypeError, "foreign_c.Written() takes 2 arguments but 1 was given"):
        Written(3)
    with raises(
        TypeError,
        "foreign_c.Written() takes no keyword arguments: its parameters have no names; "
        'the C++ author gives them with tain::arg("name")',
    ):
        Written(3, arg1=4)


def test_a_type_without_any_constructor() -> None:
    with raises(TypeError, "foreign_c.Unmade has no constructor"):
        Unmade(1)


def test_polymorphic_and_aligned_objects() -> None:
    shape = Shape(side=3)
    assert (shape.side, shape.area()) == (3, 9)
    shape.side = 5
    assert shape.area() == 25
    wides = [Wide() for _ in range(20)]
    assert [wide.value for wide in wides] == [3] * 20
    assert all(wide.is_aligned() == 1 for wide in wides)


# ---------------------------------------------------------------- copies


def test_what_cannot_be_pickled_says_why() -> None:
    text = "cannot pickle foreign_c.Written: its constructor needs 'arg0', which is no field"
    with raises(TypeError, text):
        pickle.dumps(Written(1, 2))
    text = "cannot pickle foreign_c.Copied: it has no constructor"
    with raises(TypeError, text):
        pickle.dumps(Copied.make(1))


def test_replace() -> None:
    assert Bare(1, 2).__replace__(y=5).y == 5
    assert Named.__mro__[1] is Point


# ---------------------------------------------------------------- Python subclasses


def test_a_dataclass_on_top() -> None:
    @dataclass
    class Data(Shape):
        label: str = "none"

    made = Data(2, "x")
    assert (made.side, made.label, made.area()) == (2, "x", 4)
    assert repr(made).endswith("Data(side=2, label='x')")
    assert [field.name for field in fields(Shape)] == ["side"]


@pytest.mark.bad_input
def test_a_type_defined_in_python_on_top_is_refused() -> None:
    with raises(
        TypeError,
        "test_foreign.OnTop: its parent foreign_c.Bare cannot be extended: its size is "
        "unknown, so only its C++ constructor can make it",
    ):

        @tain.py_class("test_foreign.OnTop")
        class OnTop(Bare):
            more: int


SUBCLASSES = [
    lambda: Named(1, "me"),
    lambda: Slotted(1),
    lambda: Labelled(2),
    lambda: Broad(3),
]


@pytest.mark.parametrize("make", SUBCLASSES)
def test_what_only_c_holds_keeps_class_and_state(make) -> None:
    one = make()
    cls, address = type(one), one.__chandle__()
    one.tag = "mine"
    keep(one)
    del one
    gc.collect()
    again = kept()
    assert type(again) is cls
    assert again.tag == "mine"
    assert again.__chandle__() == address
    assert kept() is again
    del again
    gc.collect()
    assert kept().tag == "mine"
    keep(None)


@pytest.mark.parametrize("make", SUBCLASSES)
def test_it_dies_when_c_lets_go(make) -> None:
    ended = []
    one = make()

    class Witness:
        def __del__(self) -> None:
            ended.append("state")

    one.tag = Witness()
    keep(one)
    before = alive()
    del one
    gc.collect()
    assert ended == []
    keep(None)
    assert ended == ["state"]
    assert alive() == before - 1


def test_a_finalizer_sees_a_valid_object_and_may_save_it() -> None:
    seen, saved = [], []

    class Finalized(Point):
        def __del__(self) -> None:
            seen.append(self.x)
            saved.append(self)

    one = Finalized(5)
    keep(one)
    del one
    gc.collect()
    assert seen == []
    keep(None)
    assert seen == [5]
    assert saved[0].x == 5
    saved.clear()
    assert seen == [5]


def test_a_weak_reference_finds_it_while_c_holds_it() -> None:
    one = Point(3)
    ref = weakref.ref(one)
    keep(one)
    del one
    gc.collect()
    assert ref() is kept()
    assert ref().x == 3
    keep(None)
    gc.collect()
    assert ref() is None


def test_the_last_reference_may_be_dropped_without_the_gil() -> None:
    drop = foreign_lib.function("foreign_threads.drop_in_thread")
    ended: list[int] = []

    class Ending(Point):
        def __del__(self) -> None:
            ended.append(self.x)

    for i in range(200):
        one = Ending(i)
        one.name = "kept"
        address = one.__chandle__()
        keep(one)
        assert LIB.TainObjectIncRef(ctypes.c_void_p(address)) == 0
        del one
        keep(None)  # the thread's reference is the last one
        assert i not in ended
        drop(address)
        gc.collect()
        assert ended[-1] == i
    assert ended == list(range(200))


def test_a_weak_reference_while_another_thread_drops_the_object() -> None:
    drop = foreign_lib.function("foreign_threads.drop_in_thread")
    for i in range(300):
        one = Named(i, "weak")
        ref = weakref.ref(one)
        address = one.__chandle__()
        assert LIB.TainObjectIncRef(ctypes.c_void_p(address)) == 0
        del one
        thread = threading.Thread(target=drop, args=(address,))
        thread.start()
        while (found := ref()) is not None:
            assert (found.x, found.name, found.which()) == (i, "weak", 2)
            del found
        thread.join()


def test_an_object_has_one_python_object() -> None:
    inner = Bare(1)
    outer = Bare(2, next=inner)
    assert outer.next is inner
    assert outer.next is outer.next
    del inner
    gc.collect()
    assert outer.next is outer.next
    assert outer.next.x == 1


@pytest.mark.bad_input
def test_receivers_are_checked_before_the_library_sees_them() -> None:
    method = Point.hidden
    for wrong, got in (
        (5, "int (5)"),
        (None, "None"),
        (Bare(1), "Bare (foreign_c.Bare(y=7, x=1, next=None))"),
        ([], "list ([])"),
    ):
        with raises(TypeError, f"foreign_c.Point.hidden: expected foreign_c.Point, got {got}"):
            method(wrong)
    text = "unbound method foreign_c.Point.hidden needs an object as its first argument"
    with raises(TypeError, text):
        method()
    with raises(ValueError, empty_text("Named")):
        method(Named.__new__(Named))
    assert method(Named(1)) == 99


# ---------------------------------------------------------------- counts


def count(key: str) -> int:
    return live_objects().get(key, 0)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: Point(1), "foreign_c.Point"),
        (lambda: Named(1), "foreign_c.Point"),
        (lambda: Shape(1), "foreign_cpp.Shape"),
        (lambda: Wide(), "foreign_cpp.Wide"),
    ],
)
def test_objects_are_counted_until_they_die(make, key: str) -> None:
    before = count(key)
    one = make()
    assert count(key) == before + 1
    keep(one)
    del one
    gc.collect()
    assert count(key) == before + 1
    keep(None)
    gc.collect()
    assert count(key) == before


def test_construction_in_many_threads() -> None:
    before = count("foreign_c.Point")

    def work() -> None:
        for i in range(500):
            one = Named(i)
            one.next = Point(i)
            assert one.next.x == i

    in_threads([work] * 4)
    gc.collect()
    assert count("foreign_c.Point") == before
