# SPDX-License-Identifier: Apache-2.0
"""Types that TAIN_REFLECT registers, in use."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tain


@pytest.fixture(scope="module")
def geometry(library: Callable[..., Path]) -> Any:
    tain.load_library(library("readme"))
    return tain.types.geometry


@pytest.fixture(scope="module")
def edges(library: Callable[..., Path]) -> Any:
    tain.load_library(library("edges"))
    return tain.types.edges


@pytest.fixture(scope="module")
def shapes(library: Callable[..., Path]) -> Any:
    tain.load_library(library("shapes_reflected"))
    return tain.types.shapes


def test_the_example_of_the_documentation(geometry: Any) -> None:
    cls = geometry.Point
    assert str(inspect.signature(cls)) == "(x: float = 0.0, y: float = 0.0)"
    assert cls.__doc__ == "A point in the plane." and cls.y.__doc__.endswith("ordinate")
    p = cls(3, y=4)
    assert (p.norm(), p.angle, p.renamed(), p.id) == (5, pytest.approx(0.9273, abs=1e-4), 1, 7)
    assert p.scaled().x == 6 and p.scaled(by=3).y == 12 and (p + p).y == 8
    assert "by: float = ..." in repr(cls.scaled)
    assert not hasattr(p, "secret") and not hasattr(p, "CamelName")
    with pytest.raises(AttributeError):
        p.id = 8
    assert [member.name for member in geometry.Color] == ["kRed", "kBlue"]
    assert geometry.Color.kBlue == 4
    assert geometry.distance(p, cls()) == 5


def test_copies_pickles_and_subclasses(geometry: Any) -> None:
    p = geometry.Point(1, 2)
    assert pickle.loads(pickle.dumps(p)).y == 2

    class Sub(geometry.Point):  # type: ignore[misc,name-defined]
        pass

    assert Sub(3, 4).norm() == 5


def test_default_arguments_of_methods_and_constructors(edges: Any) -> None:
    line = edges.Line(2)
    assert (line.length, line.id, edges.Line(2, id=9).id) == (2, 7, 9)
    made = [line.scaled(), line.scaled(3), line.scaled(3, times=2)]
    assert [one.length for one in made] == [4, 6, 12]
    assert edges.Line.unit().id == 3 and edges.Line.unit(4).id == 4
    assert "id: int = ..." in repr(edges.Line.__init__)

    class Sub(edges.Line):  # type: ignore[misc,name-defined]
        pass

    assert Sub(2).id == 7 and Sub(2, 3).id == 3
    with pytest.raises(TypeError, match="missing"):
        edges.Line()


def test_virtual_functions_are_called_with_default_arguments(edges: Any) -> None:
    assert edges.Line(1).text() == ">Line"
    longer = edges.Longer(1)
    assert (longer.text(), longer.text("-")) == (">Longer", "-Longer")


def test_operators(edges: Any) -> None:
    a, b = edges.Line(1, 1), edges.Line(2, 2)
    assert a < b and b >= a and a == edges.Line(9, 1) and a != b
    assert (a + b).length == 3
    a[1] = 50
    assert a[1] == 50 and a[4] == 50


def test_objects_by_value_and_by_reference(edges: Any) -> None:
    a, b = edges.Line(1), edges.Line(2)
    assert a.itself() is a
    assert a.longer(b).length == 2 and a.longer(b) is not b


def test_what_is_left_out_is_listed_with_its_reason(edges: Any) -> None:
    skipped = dict(tain.type_info(edges.Line).skipped)
    assert skipped["bits"] == "it is a bit field"
    assert skipped["array"] == "int [3] does not cross"
    assert skipped["plain"] == "edges::Plain is no registered class"
    assert "whose value the compiler does not know" in skipped["changing"]
    assert skipped["constructor"] == "it is a template"
    assert skipped["made"] == "it is a template"
    assert skipped["fill"] == "parameter value is a reference to a value that C++ may change"
    assert skipped["take"] == "parameter 0: edges::Plain is no registered class"
    assert skipped["look"] == "parameter 0: edges::Opaque is incomplete"
    assert skipped["code"] == "the result: std::errc is an enum outside of what is reflected"
    assert skipped["codes"] == "the result: std::errc is an enum outside of what is reflected"
    assert skipped["variadic"] == "it takes C's variable arguments"
    assert "quiet" not in skipped and "length" not in skipped
    assert len(skipped) == 13
    for name in skipped:
        assert name == "constructor" or not hasattr(edges.Line, name)
    assert tain.type_info(edges.Ordered).skipped == ()


def test_functions_that_are_left_out_belong_to_the_library(library: Callable[..., Path]) -> None:
    loaded = tain.load_library(library("edges"))
    reason = "parameter 0 is a reference to a value that C++ may change"
    assert loaded.skipped == (("edges.nothing", reason),)
    assert loaded.functions == ("edges.answer",)
    assert pickle.loads(pickle.dumps(loaded)) == loaded
    assert repr(loaded).endswith(f", skipped=(('edges.nothing', {reason!r}),), constants=())")


def test_strict_libraries_warn_of_what_is_left_out(library: Callable[..., Path]) -> None:
    strict = library("edges", "-std=c++26", "-freflection", "-DTAIN_REFLECT_STRICT")
    with pytest.warns(UserWarning, match="TAIN_REFLECT leaves out") as caught:
        tain.load_library(strict)
    texts = [str(each.message) for each in caught if "edges.Line: TAIN_" in str(each.message)]
    assert len(texts) == 1 and "bits: it is a" in texts[0]
    texts = [str(each.message) for each in caught if f"{strict.name}: TAIN_" in str(each.message)]
    assert len(texts) == 1 and "leaves out edges.nothing: parameter 0 is a" in texts[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tain.load_library(library("readme"))


def test_defaulted_comparisons_compare_fields(edges: Any) -> None:
    assert edges.Ordered(1, 2) == edges.Ordered(1, 2) != edges.Ordered(1, 3)
    assert edges.Ordered(1, 2) < edges.Ordered(1, 3)


def test_operators_that_are_friends(edges: Any) -> None:
    best, last = edges.Grade(1), edges.Grade(6)
    assert best == edges.Grade(1) != last
    assert (best > last, best >= last, best < last, best <= last) == (True, True, False, False)
    assert (last % edges.Grade(4)).value == 2
    with pytest.raises(TypeError, match=r"^unsupported operand"):
        last * best  # it is a number, and friends between two objects are known if they return one
    assert edges.BetterGrade() == edges.BetterGrade()
    assert "__mod__" not in vars(edges.BetterGrade)


def test_fields_of_a_class_that_is_not_mutable(edges: Any) -> None:
    fixed = edges.Fixed(3)
    assert (fixed.first, fixed.second) == (3, "two")
    for name in ("first", "second"):
        with pytest.raises(AttributeError):
            setattr(fixed, name, 1)


def test_classes_with_and_without_tain_object(edges: Any) -> None:
    assert edges.Named(4).number == 4
    below = edges.Below()
    assert isinstance(below, edges.Named) and (below.number, below.more) == (1, 2)
    assert tain.type_info("edges.Longer").parent.key == "edges.Line"
    assert tain.get_class("edges.Longer.Part")(3).index == 3
    assert "edges.Unseen" not in tain.type_keys("edges")
    assert edges.Closed().number() == 5 and not hasattr(edges.Closed(), "guarded")


def test_ranges_and_made_defaults(edges: Any) -> None:
    made = edges.Range()
    assert list(made) == [1, 2, 3] and made.factor == 4.5 and made.made() == 4.5


def test_functions_of_the_namespace(edges: Any) -> None:
    assert edges.answer() == 42
    assert not hasattr(edges, "nothing")


def test_overrides_reach_cpp(shapes: Any) -> None:
    class Sub(shapes.Shape):  # type: ignore[misc,name-defined]
        def area(self) -> float:
            return 21.0

    assert Sub([]).doubled() == 42 and shapes.Square(3).doubled() == 18
    assert shapes.Shape([]).label == "none" and shapes.Shape([]).label_size() == 4
    side = tain.get_class("shapes.Shape.Side")
    assert shapes.Shape([]).opposite(side.kLeft) is side.kRight


def test_setters_keywords_and_constants(shapes: Any) -> None:
    p = shapes.Point(1, color=shapes.Color.BLUE)
    p.twice = 8
    assert (p.x, p.twice, p.kDimensions, p.kScale) == (4, 8, 2, 0.5)
    assert p.slow(from_=1, to=4) == 3 and p.raised() == 16 and p.raised(exponent=3) == 64
    assert p.plus(1) == 5 and p.plus("abc") == 7 and float(shapes.Point(3, 4)) == 5
    assert not shapes.Point(0, 0) and shapes.Point(1, 0)
    assert shapes.Access.kRead | shapes.Access.kWrite
    assert tain.get_global_func("shapes.inner.twice")(4) == 8


def test_arithmetic(shapes: Any) -> None:
    a, b = shapes.Number(2), shapes.Number("ff", 16)
    assert (a + b).value == 257 and (-a).value == -2 and (a * 3).value == 6 == (3 * a).value
    assert a(4) == 8 and a[5] == 7 and a == shapes.Number(2)
    c = a
    c += b
    assert c is a and a.value == 257
