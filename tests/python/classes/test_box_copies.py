# SPDX-License-Identifier: Apache-2.0
"""Deep copies, pickles and loads of boxed classes that share objects, or whose constructors do not
ask the conditions of their fields."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from errors import raises
from tain.types.testing import copied
from tain.types.testing.copied import (
    Assembly,
    Branch,
    Heap,
    Machine,
    Oven,
    Part,
    Pointer,
    Root,
    Sealed,
    Shelf,
    Square,
    Stove,
    Tree,
    Vault,
)

import tain
from tain import _core


def part(number: int) -> Any:
    made = Part()
    made.number = number
    return made


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def saved_as_json(value: Any) -> Any:
    return tain.load_json(tain.save_json(value))


def saved_as_binary(value: Any) -> Any:
    return tain.load_binary(tain.save_binary(value))


DEEP = [copy.deepcopy, pickled, saved_as_json, saved_as_binary]


@pytest.mark.parametrize("copied", DEEP)
def test_shared_objects_are_copied_once(copied: Callable[[Any], Any]) -> None:
    first, second = part(1), part(2)
    first.next = second
    first.all = [second, None, second]
    first.named = {"a": second, "b": None}
    first.maybe = second
    other = copied(first)
    assert other.next is not second
    assert other.next.number == 2
    assert other.all[0] is other.next
    assert other.all[1] is None
    assert other.named["a"] is other.maybe is other.next
    other.next.number = 7
    assert second.number == 2


def test_a_reference_to_what_is_read_only_is_copied_too() -> None:
    first, second = part(1), part(2)
    first.rated = (4, second)
    other = copy.deepcopy(first)
    second.number = 9
    assert (other.rated[0], other.rated[1].number) == (4, 2)


def test_a_shallow_copy_shares() -> None:
    first = part(1)
    first.next = part(2)
    assert copy.copy(first).next is first.next


def cycle() -> Any:
    first, second = part(1), part(2)
    first.next, second.next = second, first
    return first


def test_cycles() -> None:
    first = cycle()
    other = copy.deepcopy(first)
    assert other.next.next is other
    assert other.next is not first.next
    for one in (first, other):  # the collector knows nothing of a std::shared_ptr
        one.next.next = None


def test_long_chains() -> None:
    last = first = part(0)
    for number in range(1, 20000):
        last.next = part(number)
        last = last.next
    other = copy.deepcopy(first)
    count = 0
    while other is not None:
        assert other.number == count
        count += 1
        before, other = other, other.next
        before.next = None  # not one destructor in another
    while first is not None:
        before, first = first, first.next
        before.next = None
    assert count == 20000


def test_contained_objects_get_complete_copies() -> None:
    shared = part(5)
    whole = Assembly()
    whole.main.next = shared
    one, two = part(1), part(2)
    one.next, two.all = shared, [shared]
    whole.parts = [one, two]
    whole.values = [tain.List([shared])]
    other = copy.deepcopy(whole)
    found = [other.main.next, other.parts[0].next, other.parts[1].all[0], other.values[0][0]]
    assert all(each is found[0] for each in found)
    assert found[0] is not shared
    found[0].number = 6
    assert shared.number == 5


def test_objects_that_contain_objects_that_contain_some() -> None:
    machine = Machine()
    machine.assembly.main.next = part(3)
    machine.twin = Machine()
    machine.twin.assembly.parts = [part(4)]
    other = copy.deepcopy(machine)
    other.assembly.main.next.number = 30
    assert machine.assembly.main.next.number == 3
    assert other.twin is not machine.twin
    assert other.twin.assembly.parts[0].number == 4


def test_trees_of_contained_objects() -> None:
    shared = part(1)
    tree, child, grandchild = Tree(), Tree(), Tree()
    grandchild.part = shared
    child.children = [grandchild]
    tree.children = [child, grandchild]
    other = copy.deepcopy(tree)
    found = [other.children[0].children[0].part, other.children[1].part]
    assert found[0] is found[1]
    assert found[0] is not shared

    inner, branch, root = Root(), Branch(), Root()
    inner.part = shared
    branch.roots = [inner]
    root.branches = [branch]
    assert copy.deepcopy(root).branches[0].roots[0].part is not shared
    assert copy.deepcopy(branch).roots[0].part.number == 1


def test_a_contained_object_leads_to_what_contains_it() -> None:
    whole = Assembly()
    whole.whole = whole
    whole.main.next = part(1)
    for source in ([whole.main, whole], [whole, whole.main]):
        other = copy.deepcopy(source)
        main, all_of_it = sorted(other, key=lambda each: isinstance(each, Assembly))
        assert main.next is all_of_it.main.next
        assert main.next is not whole.main.next
        assert all_of_it.whole is all_of_it
        all_of_it.whole = None
    whole.whole = None


def test_an_object_of_tain_that_shares_a_boxed_one() -> None:
    shelf = Shelf()
    shelf.part = part(1)
    shelf.parts = [shelf.part]
    other = copy.deepcopy(shelf)
    assert other.parts[0] is other.part
    other.part.number = 8
    assert shelf.part.number == 1
    assert copy.copy(shelf).part is shelf.part


def test_pointers_point_to_the_same_objects() -> None:
    """A copy that a pointer points to would have no owner."""
    target = part(1)
    pointer = Pointer()
    pointer.point_to(target)
    pointer.own = target
    for duplicate in (copy.copy(pointer), copy.deepcopy(pointer)):
        assert duplicate.part is target
        assert duplicate.parts[0] is target
    assert copy.deepcopy(pointer).own is not target


def test_what_shares_nothing_is_copied_by_its_copy_constructor() -> None:
    heap = Heap()
    heap.top.number = 3
    other = copy.deepcopy(heap)
    other.top.number = 4
    assert heap.top.number == 3


@pytest.mark.bad_input
def test_a_deep_copy_needs_copies_of_what_is_shared() -> None:
    vault = Vault()
    assert copy.deepcopy(vault).sealed is None
    vault.sealed = Sealed()
    with raises(
        TypeError,
        "testing.copied.Sealed cannot be copied: its class has no copy constructor, and defines no "
        "__copy__ and __deepcopy__",
    ):
        copy.deepcopy(vault)
    assert copy.copy(vault).sealed is vault.sealed


def test_a_python_subclass_in_a_shared_ptr_keeps_its_attributes() -> None:
    class Named(Part):  # type: ignore[misc, valid-type]
        name = ""

    first = part(1)
    first.next = Named()
    first.next.name = "n"
    other = copy.deepcopy(first)
    assert type(other.next) is Named
    assert other.next is not first.next
    assert other.next.name == "n"


@pytest.mark.parametrize("copied", [copy.copy, *DEEP])
def test_a_boxed_class_whose_fields_are_inherited(copied: Callable[[Any], Any]) -> None:
    square = Square()
    square.width = 6
    other = copied(square)
    assert (type(other), other.width, other.height) == (Square, 6, 2)


# ---------------------------------------------------------------- parameters without null


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("function", "name", "cls"),
    [
        (copied.shared_number, "part", Part),
        (copied.owned_number, "part", Part),
        (copied.pointed_number, "part", Part),
        (copied.minutes, "oven", Oven),
        (copied.minutes_at, "oven", Oven),
    ],
)
def test_parameters_that_take_no_none(function: Any, name: str, cls: Any) -> None:
    key = f"testing.copied.{cls.__name__}"
    where = f"testing.copied.{function.__name__}: argument {name}"
    message = f"{where}: expected {key}, got None"
    with raises(TypeError, message):
        function(None)
    with raises(TypeError, message):
        function(**{name: None})
    with pytest.raises(TypeError, match=f"^{where}: expected {key}.*, got int"):
        function(1)
    assert function(part(4) if cls is Part else Oven(1)) == (4 if cls is Part else 1)
    assert str(inspect.signature(function)) == f"({name}: tain.types.{key}) -> int"


@pytest.mark.bad_input
def test_an_optional_may_refuse_none_and_a_pointer_takes_it_by_default() -> None:
    assert copied.twice(4) == 8
    with raises(TypeError, "testing.copied.twice: argument number: expected int, got None"):
        copied.twice(None)
    assert copied.any_number(None) == -1


FAULTY = """
#include <tain/boxed.h>
struct SmallObj : tain::Object {
  int64_t x = 0;
  TAIN_OBJECT("faulty_none.Same", SmallObj, tain::Object);
};
struct LargeObj : tain::Object {
  int64_t x = 0, y = 0;
  TAIN_OBJECT("faulty_none.Same", LargeObj, tain::Object);
};
TAIN_REGISTER {
  tain::reflection::GlobalDef().def("faulty_none.f", [](int64_t n) { return n; },
                                    tain::arg("n").none(false));
}
TAIN_REGISTER {
  tain::reflection::ObjectDef<SmallObj>().def_rw("x", &SmallObj::x);
  tain::reflection::ObjectDef<LargeObj>().def_rw("y", &LargeObj::y);
}
"""


@pytest.mark.bad_input
def test_faults_of_a_library() -> None:
    with pytest.raises(ImportError) as caught:
        tain.cpp.load_inline("faulty_none", cpp_sources=FAULTY)
    text = str(caught.value)
    assert (
        "faulty_none.f: argument n: none(false) is for a parameter that can be null (a pointer, a "
        "smart pointer, an optional); the type is int"
    ) in text
    assert (
        "faulty_none.Same: already registered by another class of this library with size 32, here "
        "it has 40; give one of the two classes another key"
    ) in text


# ---------------------------------------------------------------- conditions

TOO_HOT = "expected int from 0 to 250, got int (300)"


def without_conditions(cls: Any) -> bytes:
    """Return a pickle of an object of a class, in which 300 stands for 200."""
    return pickle.dumps(cls(200), protocol=2).replace(b"K\xc8", b"M,\x01")


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [Oven, Stove])
def test_loads_ask_conditions_that_a_constructor_does_not(cls: Any) -> None:
    key = f"testing.copied.{cls.__name__}"
    assert cls(300).degrees == 300
    assert pickled(cls(200)).degrees == 200
    message = f"{key}.degrees: {TOO_HOT}"
    with raises(ValueError, message):
        pickle.loads(without_conditions(cls))
    with raises(ValueError, message):
        pickled(cls(300))
    for save, load in ((tain.save_json, tain.load_json), (tain.save_binary, tain.load_binary)):
        assert load(save(cls(200))).degrees == 200
        with pytest.raises(
            ValueError, match=r"degrees: expected int from 0 to 250, got int \(300\)"
        ):
            load(save(cls(300)))


@pytest.mark.bad_input
def test_conditions_of_fields_that_the_constructor_does_not_take() -> None:
    oven = Oven(100)
    oven.minutes = 30
    assert (pickled(oven).degrees, pickled(oven).minutes) == (100, 30)
    text = tain.save_json(oven).replace('"minutes":30', '"minutes":61')
    assert "61" in text
    with pytest.raises(ValueError, match=r"minutes: expected int from 0 to 60, got int \(61\)"):
        tain.load_json(text)


KETTLE = """
struct KettleObj : tain::Object {
  int64_t liters, cups = -1;
  explicit KettleObj(int64_t l) : liters(l) {}
  TAIN_OBJECT("kettles.Kettle", KettleObj, tain::Object);
};
TAIN_REGISTER {
  tain::reflection::ObjectDef<KettleObj>()
      .def_init<int64_t>(tain::arg("liters"))
      .def_ro("liters", &KettleObj::liters, tain::range(1, 9))
      .def_rw("cups", &KettleObj::cups, tain::range(0, 9));
}
"""


def test_a_constructor_may_leave_a_field_outside_its_range() -> None:
    """The pickle or the data sets it afterwards."""
    tain.cpp.load_inline("kettles", cpp_sources=KETTLE)
    kettle = tain.get_class("kettles.Kettle")(2)
    kettle.cups = 3
    for copy_of in DEEP:
        other = copy_of(kettle)
        assert (other.liters, other.cups) == (2, 3)


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [Oven, Stove])
def test_replacements_ask_conditions(cls: Any) -> None:
    replace = getattr(copy, "replace", None) or (lambda value, **to: value.__replace__(**to))
    for one in (replace, dataclasses.replace):
        assert one(cls(1), degrees=250).degrees == 250
        with raises(ValueError, f"testing.copied.{cls.__name__}.degrees: {TOO_HOT}"):
            one(cls(1), degrees=300)


@pytest.mark.bad_input
def test_check_conditions_refuses_what_it_cannot_ask() -> None:
    ask = _core.check_conditions
    ask(Stove(1), ["degrees"])
    ask(Stove(300), [])
    with raises(ValueError, f"testing.copied.Stove.degrees: {TOO_HOT}"):
        ask(Stove(300), ["degrees"])
    with raises(TypeError, "testing.copied.Stove has no field 'x'"):
        ask(Stove(1), ["x"])
    with raises(TypeError, "check_conditions(): expected names of fields, got int (1)"):
        ask(Stove(1), [1])
    for wrong in (1, "text", [], tain.List([1])):
        with pytest.raises(TypeError, match=r"check_conditions\(\): expected an object of a"):
            ask(wrong, ["degrees"])


def test_no_object_is_left() -> None:
    assert copied.Part is Part
    gc.collect()
