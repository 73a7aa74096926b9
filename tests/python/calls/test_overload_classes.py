# SPDX-License-Identifier: Apache-2.0
"""Of overloads and alternatives for classes that derive from each other the nearest is taken."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest
from tain.types.testing import overload as o

import tain

BASE, MIDDLE, LEAF = o.Base, o.Middle, o.Leaf


class PythonLeaf(LEAF):
    """A class that only Python knows."""


CALLS: list[tuple[str, tuple[Any, ...], str]] = [
    ("by_ref", (BASE,), "Base"),
    ("by_ref", (MIDDLE,), "Middle"),
    ("by_ref", (LEAF,), "Middle"),
    ("by_ref", (PythonLeaf,), "Middle"),
    ("by_ref", (int,), "int"),
    ("by_const_ref", (BASE,), "Base"),
    ("by_const_ref", (MIDDLE,), "Middle"),
    ("by_const_ref", (LEAF,), "Leaf"),
    ("by_const_ref", (PythonLeaf,), "Leaf"),
    ("by_pointer", (BASE,), "Base"),
    ("by_pointer", (LEAF,), "Middle"),
    ("by_pointer", (type(None),), "Base"),
    ("by_ptr", (BASE,), "Base"),
    ("by_ptr", (LEAF,), "Middle"),
    ("by_ptr", (type(None),), "Base"),
    ("any_last", (str,), "Any"),
    ("any_last", (MIDDLE,), "Base"),
    ("any_last", (PythonLeaf,), "Leaf"),
    ("two", (BASE, BASE), "Base, Base"),
    ("two", (BASE, MIDDLE), "Base, Base"),
    ("two", (MIDDLE, BASE), "Middle, Base"),
    ("two", (MIDDLE, MIDDLE), "Middle, Middle"),
    ("two", (BASE, LEAF), "Base, Leaf"),
    ("two", (MIDDLE, LEAF), "Base, Leaf"),  # one step each: the first registered of the two
    ("with_number", (BASE, int), "Base, float"),
    ("with_number", (LEAF, int), "Middle, float"),
    ("with_number", (LEAF, float), "Middle, float"),
    ("fails", (LEAF, str), "Base, str"),  # the nearest does not take the other argument
    ("fails", (LEAF, int), "Middle, int"),
    ("box", (o.Animal,), "Animal"),
    ("box", (o.Bird,), "Bird"),
    ("box", (o.Duck,), "Bird"),
    ("box_pointer", (o.Animal,), "Animal"),
    ("box_pointer", (o.Duck,), "Bird"),
    ("box_pointer", (type(None),), "Animal"),
    ("box_shared", (o.Bird,), "Animal"),
    ("box_shared", (o.Duck,), "Duck"),
    ("box_value", (o.Animal,), "Animal"),
    ("box_value", (o.Duck,), "Bird"),
    ("in_variant", (BASE,), "Base | str"),
    ("in_variant", (LEAF,), "Middle"),
    ("in_variant", (str,), "Base | str"),
]


@pytest.mark.parametrize(("name", "classes", "wanted"), CALLS)
def test_the_nearest_overload_is_called(name: str, classes: tuple[type, ...], wanted: str) -> None:
    assert getattr(o, name)(*(cls() for cls in classes)) == wanted


@pytest.mark.parametrize(
    ("name", "cls", "index"),
    [
        ("which", BASE, 0),
        ("which", MIDDLE, 2),
        ("which", LEAF, 2),
        ("which", str, 1),
        ("which_box", o.Animal, 0),
        ("which_box", o.Bird, 2),
        ("which_box", o.Duck, 2),
        ("which_box", int, 1),
        ("which_pointer", type(None), 0),
        ("which_pointer", o.Animal, 1),
        ("which_pointer", list, 2),
        ("which_pointer", o.Duck, 3),
    ],
)
def test_the_nearest_alternative_is_held(name: str, cls: type, index: int) -> None:
    assert getattr(o, name)(cls()) == index


@pytest.mark.bad_input
def test_a_class_that_none_takes() -> None:
    class Other:
        pass

    for name in ("by_ref", "by_const_ref", "two", "box", "box_value"):
        arguments = (Other(),) * (2 if name == "two" else 1)
        with pytest.raises(TypeError, match=f"^testing.overload.{name}: no overload takes "):
            getattr(o, name)(*arguments)


def test_a_keyword_of_python_is_spelt_with_an_underscore() -> None:
    assert str(inspect.signature(o.move)) == "(from_: str, to: str = '!') -> str"
    assert o.move(from_="a") == o.move(**{"from": "a"}) == o.move("a") == "a!"
    assert o.move(to="b", from_="a") == "ab"
    trip = o.Trip(from_="A", class_="first")
    assert (getattr(trip, "from"), getattr(trip, "class")) == ("A", "first")
    assert list(inspect.signature(o.Trip).parameters)[:2] == ["from_", "class_"]
    assert o.both(1, 2) == o.both(in_=2, **{"in": 1}) == 12  # a parameter of that name comes first
    assert o.rest(is_=3, not_=4) == "3 1"


@pytest.mark.bad_input
def test_a_wrong_name_is_refused() -> None:
    for names in ({"to_": "a"}, {"from__": "a"}, {"_from": "a"}, {"_": "a"}, {"class_": "a"}):
        with pytest.raises(
            TypeError, match=r"^testing.overload.move\(\) got an unexpected keyword"
        ):
            o.move(**names)
    with pytest.raises(
        TypeError, match=r"^testing.overload.move\(\) got multiple values for argument 'from'"
    ):
        o.move(from_="a", **{"from": "b"})


def test_containers_of_functions() -> None:
    assert list(o.call_all([lambda: 1, lambda: "a"])) == [1, "a"]
    trip = o.Trip(stops=[lambda: 2], plans=[[lambda: 3]])
    trip.stops.append(lambda: 4)
    assert [f() for f in trip.stops] == [2, 4]
    assert trip.plans[0][0]() == 3
    assert pickle.loads(pickle.dumps(o.Trip())) is not None


@pytest.mark.bad_input
def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match=r"stops.0.: expected Callable.* None, got int"):
        o.Trip(stops=[1])
    with pytest.raises(TypeError, match=r"expected Callable.* None, got str"):
        o.Trip().stops.append("x")
    with pytest.raises(TypeError, match=r"plans.1..0.: expected Callable.* None, got int"):
        o.Trip(plans=[[], [1]])


def test_the_keywords_of_this_python_are_known() -> None:
    import keyword

    def signature(names: list[str]) -> list[str]:
        fields = dict.fromkeys(names, int)
        cls = tain.py_class("overload_names.All" + str(len(names)))(
            type("All", (), {"__annotations__": fields})
        )
        return list(inspect.signature(cls).parameters)

    words = [word for word in keyword.kwlist if word not in ("None", "True", "False")]
    assert signature(words) == [word + "_" for word in words]
    assert signature(["match", "case", "type"]) == ["match", "case", "type"]
