# SPDX-License-Identifier: Apache-2.0
"""Nested classes and enums: the key `Expr.Kind` is the attribute `Kind` of the class `Expr`."""

from __future__ import annotations

import copy
import enum
import inspect
import pickle
import pydoc
import sys
import types

import pytest
from c_keys import register_key
from errors import raises
from python_calls import python_calls

import tain

SOURCE = """
struct Expr : tain::Object {
  enum class Kind { A, B };
  enum class Flags : unsigned { R = 1, W = 2 };
  Kind kind = Kind::B;
  Flags flags = Flags::R;
  int taken = 1;
  TAIN_OBJECT("nested_classes.Expr", Expr, tain::Object);
};
struct Add : Expr {
  int64_t left = 0;
  struct Side : tain::Object { TAIN_OBJECT("nested_classes.Expr.Add.Side", Side, tain::Object); };
  TAIN_OBJECT("nested_classes.Expr.Add", Add, Expr);
};
struct Taken : tain::Object { TAIN_OBJECT("nested_classes.Expr.taken", Taken, tain::Object); };
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::EnumDef<Expr::Kind>("nested_classes.Expr.Kind", "Which kind.")
      .value("A", Expr::Kind::A).value("B", Expr::Kind::B);
  refl::EnumDef<Expr::Flags>("nested_classes.Expr.Flags", "", refl::EnumKind::kFlag)
      .value("R", Expr::Flags::R).value("W", Expr::Flags::W);
  refl::ObjectDef<Expr>().def_init<>().def_rw("kind", &Expr::kind).def_rw("flags", &Expr::flags)
      .def_rw("taken", &Expr::taken);
  refl::ObjectDef<Add>("A sum.").def_init<>().def_rw("left", &Add::left);
  refl::ObjectDef<Add::Side>().def_init<>();
  refl::ObjectDef<Taken>().def_init<>();
}"""


@pytest.fixture(scope="module")
def space() -> types.ModuleType:
    tain.cpp.load_inline("nested_classes", cpp_sources=SOURCE)
    import tain.types.nested_classes as space

    return space


NESTED = ["Expr.Kind", "Expr.Flags", "Expr.Add", "Expr.Add.Side"]


@pytest.mark.parametrize("path", NESTED)
def test_a_nested_class_is_an_attribute(space: types.ModuleType, path: str) -> None:
    found: object = space
    for name in path.split("."):
        found = getattr(found, name)
    assert found is tain.get_class(f"nested_classes.{path}")
    assert isinstance(found, type)
    assert (found.__module__, found.__qualname__) == ("tain.types.nested_classes", path)
    assert found.__name__ == path.rpartition(".")[2]
    assert pickle.loads(pickle.dumps(found)) is found
    outer = space.Expr
    assert found.__name__ in dir(outer) or found.__name__ == "Side"


def test_objects_and_members_are_pickled(space: types.ModuleType) -> None:
    add = space.Expr.Add()
    add.kind, add.left = space.Expr.Kind.A, 5
    for made in (pickle.loads(pickle.dumps(add)), copy.deepcopy(add)):
        assert type(made) is space.Expr.Add
        assert (made.kind, made.left) == (space.Expr.Kind.A, 5)
    assert add.kind is space.Expr.Kind.A
    for member in (space.Expr.Kind.B, space.Expr.Flags.W, space.Expr.Flags(3)):
        assert pickle.loads(pickle.dumps(member)) is member
    assert repr(space.Expr.Kind.A) == "Kind.A"


def test_instances_and_derived_classes_have_it(space: types.ModuleType) -> None:
    assert space.Expr().Kind is space.Expr.Kind
    assert space.Expr.Add.Kind is space.Expr.Kind

    class Python(space.Expr):  # type: ignore[name-defined,misc]
        pass

    assert Python.Kind is space.Expr.Kind


def test_a_member_of_the_class_comes_first(space: types.ModuleType) -> None:
    """Then the nested class has the module that can be imported, as before."""
    assert space.Expr().taken == 1
    assert inspect.isgetsetdescriptor(space.Expr.taken)
    taken = tain.get_class("nested_classes.Expr.taken")
    assert (taken.__module__, taken.__qualname__) == ("tain.types.nested_classes.Expr", "taken")
    assert pickle.loads(pickle.dumps(taken)) is taken


def test_the_namespace_of_the_same_name_stays(space: types.ModuleType) -> None:
    from tain.types.nested_classes.Expr import Kind  # pickles of former releases name it

    assert Kind is space.Expr.Kind


def test_help_and_signatures_name_it(space: types.ModuleType) -> None:
    text = pydoc.render_doc(space.Expr, renderer=pydoc.plaintext)
    assert "Kind = <enum 'Kind'>" in text
    assert "A sum." in pydoc.render_doc(space.Expr.Add, renderer=pydoc.plaintext)
    kind = tain.type_info("nested_classes.Expr").fields[0]
    assert kind.annotation is space.Expr.Kind


def test_the_second_access_looks_nothing_up(space: types.ModuleType) -> None:
    outer = space.Expr
    assert python_calls(lambda: outer.Kind) == 0
    assert python_calls(lambda: outer.Add) == 0


def test_a_class_that_is_registered_later() -> None:
    register_key("nested_later.Outer")
    outer = tain.get_class("nested_later.Outer")
    assert not hasattr(outer, "Inner")
    register_key("nested_later.Outer.Inner")
    inner = tain.get_class("nested_later.Outer.Inner")
    assert outer.Inner is inner
    assert inner.__qualname__ == "Outer.Inner"


def test_an_outer_class_that_is_registered_later() -> None:
    register_key("nested_outer.Outer.Inner")
    inner = tain.get_class("nested_outer.Outer.Inner")
    assert (inner.__module__, inner.__qualname__) == ("tain.types.nested_outer.Outer", "Inner")
    register_key("nested_outer.Outer")
    outer = tain.get_class("nested_outer.Outer")
    assert outer.Inner is inner
    assert (inner.__module__, inner.__qualname__) == ("tain.types.nested_outer", "Outer.Inner")
    assert pickle.loads(pickle.dumps(inner)) is inner


def test_a_registered_class_takes_its_place() -> None:
    for key in ("nested_registered.Outer", "nested_registered.Outer.Inner"):
        register_key(key)
    before = tain.get_class("nested_registered.Outer")
    assert before.Inner.__qualname__ == "Outer.Inner"

    @tain.register_object("nested_registered.Outer.Inner")
    class Inner(tain.Object):
        pass

    @tain.register_object("nested_registered.Outer")
    class Outer(tain.Object):
        pass

    assert before.Inner is Outer.Inner is Inner
    assert Inner.__module__ == __name__


def test_a_redefined_nested_class_is_seen() -> None:
    source = SOURCE.replace("nested_classes", "nested_builds")
    tain.cpp.load_inline("nested_builds", cpp_sources=source)
    import tain.types.nested_builds as space

    before = space.Expr
    assert before.Kind.A == 0
    changed = source.replace("{ A, B }", "{ A = 3, B }")
    tain.cpp.load_inline("nested_builds", cpp_sources=changed)
    assert space.Expr is not before
    assert space.Expr.Kind.A == 3


def test_an_adopting_module_is_their_module(run) -> None:
    run("""
        import pickle, sys, types, tain
        from c_keys import register_key
        for key in ("homes.Outer", "homes.Outer.Inner", "homes.deep.Other"):
            register_key(key)
        early = tain.get_class("homes.Outer.Inner")
        package = sys.modules["package"] = types.ModuleType("package")
        tain.init_ffi_api("homes", "package")
        assert package.Outer.Inner is early
        assert (early.__module__, early.__qualname__) == ("package", "Outer.Inner")
        assert pickle.loads(pickle.dumps(early)) is early
        assert tain.get_class("homes.deep.Other").__module__ == "tain.types.homes.deep"
    """)


def test_a_module_that_adopted_the_name_of_a_class_stays_its_home(run) -> None:
    run("""
        import sys, types, tain
        from c_keys import register_key
        for key in ("homes.Outer", "homes.Outer.Inner"):
            register_key(key)
        package = sys.modules["package"] = types.ModuleType("package")
        tain.init_ffi_api("homes.Outer", "package")
        inner = package.Inner
        assert (inner.__module__, inner.__qualname__) == ("package", "Inner")
    """)


def test_an_enum_class_of_python_keeps_its_names(run) -> None:
    run("""
        import enum, sys, types, tain
        tain.types.testing

        @tain.py_class("testing.Color")
        class Shade(enum.IntEnum):
            RED, GREEN, BLUE = [int(c) for c in tain.get_class("testing.Color")]

        sys.modules["package"] = types.ModuleType("package")
        tain.init_ffi_api("testing", "package")
        assert (Shade.__module__, Shade.__qualname__) == ("__main__", "Shade")
    """)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["not-one", "2D", "with space", ""])
def test_parts_that_are_no_names_are_no_attributes(name: str) -> None:
    register_key("nested_odd.Outer")
    register_key(f"nested_odd.Outer.{name}")
    outer = tain.get_class("nested_odd.Outer")
    assert name not in vars(outer)
    made = tain.get_class(f"nested_odd.Outer.{name}")
    assert made.__module__ == "tain.types.nested_odd.Outer"


@pytest.mark.bad_input
def test_the_attribute_is_no_object_of_its_own() -> None:
    register_key("nested_raw.Outer")
    register_key("nested_raw.Outer.Inner")
    outer = tain.get_class("nested_raw.Outer")
    attribute = vars(outer)["Inner"]
    assert repr(attribute) == "<nested class nested_raw.Outer.Inner>"
    with raises(TypeError, "cannot create 'tain.NestedClass' instances"):
        type(attribute)()
    del outer.Inner
    assert not hasattr(outer, "Inner")


def test_a_class_nested_in_a_class_of_python() -> None:
    @tain.py_class("nested_python.Outer")
    class Outer(tain.Object):
        x: int

    @tain.py_class("nested_python.Outer.Inner")
    class Inner(tain.Object):
        y: int

    assert Outer.Inner is Inner is tain.types.nested_python.Outer.Inner
    assert Outer.Inner(2).y == 2


def test_many_keys_are_listed_once() -> None:
    """Making a class does not search the registry for nested ones again."""
    for i in range(2000):
        register_key(f"nested_many.Type{i}")
    made = [tain.get_class(f"nested_many.Type{i}") for i in range(2000)]
    assert len(set(made)) == 2000


def test_enums_of_texts_and_ints_keep_their_kind(space: types.ModuleType) -> None:
    assert issubclass(space.Expr.Kind, enum.IntEnum)
    assert issubclass(space.Expr.Flags, enum.IntFlag)
    assert sys.modules["tain.types.nested_classes"] is space
