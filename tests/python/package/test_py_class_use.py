# SPDX-License-Identifier: Apache-2.0
"""tain.py_class: inheritance, options, mistakes, protocols and use from C++."""

from __future__ import annotations

import abc
import copy
import dataclasses
import functools
import gc
import inspect
import pickle
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import pytest
from errors import empty_text, raises
from python_types import Node, Point
from threads import in_threads

import tain
from tain import libinfo

BUILT_IN = "the key of a built-in type: give the class another key"


@tain.py_class("pyuse.Pickled")
class _Pickled(tain.types.testing.Counted):  # type: ignore[misc, valid-type]
    name: str


class TestInheritance:
    def test_from_a_type_defined_in_python(self) -> None:
        @tain.py_class("pyuse.Branch")
        class Branch(Node):
            level: int = 0
            weight: float = 2.5

        made = Branch("a", level=3)
        assert (made.name, made.weight, made.level) == ("a", 2.5, 3)
        assert made.total() == 1 and isinstance(made, Node)
        assert list(inspect.signature(Branch).parameters)[-1] == "level"
        holder = Node("holder", children=[made])
        assert holder.children[0] is made
        with raises(TypeError, "Node.name: expected str, got int (3)"):
            made.name = 3

    def test_another_type_for_an_inherited_field(self) -> None:
        with raises(
            TypeError, "pyuse.Wrong.count: pyclass.Node has the field as int, so it cannot be str"
        ):

            @tain.py_class("pyuse.Wrong")
            class Wrong(Node):
                count: str = ""

        assert "pyuse.Wrong" not in tain.type_keys("pyuse.")

    def test_from_a_type_of_cpp(self) -> None:
        point = tain.types.testing.Point

        @tain.py_class("pyuse.Pixel")
        class Pixel(point):  # type: ignore[misc, valid-type]
            color: str = "red"
            tag: object = None

        made = Pixel(3, 4, "blue")
        assert (made.x, made.y, made.color) == (3, 4, "blue")
        assert isinstance(made, point) and made.norm() == 5
        assert tain.get_global_func("testing.echo_point")(made) is made
        assert Pixel(x=1).y == point(x=1).y
        made.tag = made  # collected all the same

    def test_the_destructor_of_cpp_runs(self) -> None:
        counted = tain.types.testing.Counted
        before = counted.alive()

        @tain.py_class("pyuse.Named")
        class Named(counted):  # type: ignore[misc, valid-type]
            name: str
            friend: Named | None = None

        made = Named(5, "a")
        made.friend = Named(start=6, name="b")
        assert counted.alive() == before + 2
        assert (made.start, made.next(), made.friend.next()) == (5, 6, 7)
        twin = copy.copy(made)
        assert counted.alive() == before + 3 and twin.friend is made.friend and twin.start == 5
        del made, twin
        assert counted.alive() == before
        with raises(ValueError, "Check failed: start >= 0 (-1 vs. 0) "):
            Named(-1, "a")
        with raises(TypeError, "pyuse.Named: argument name: expected str, got int (2)"):
            Named(1, 2)
        assert counted.alive() == before
        restored = pickle.loads(pickle.dumps(_Pickled(5, "a")))
        assert (restored.start, restored.name) == (5, "a")

    def test_plain_python_classes_between(self) -> None:
        class Labelled(Node):
            label = "x"

        @tain.py_class("pyuse.Leaf")
        class Leaf(Labelled):
            color: str = "green"

        made = Leaf("a")
        assert (made.label, made.color, made.total()) == ("x", "green", 1)

    def test_mixins_generics_and_abstract_methods(self) -> None:
        T = TypeVar("T")

        class Mixin:
            def hello(self) -> str:
                return f"hello {self.a}"  # type: ignore[attr-defined]

        @tain.py_class("pyuse.Mixed")
        class Mixed(Mixin, Generic[T], abc.ABC):
            a: int

            @abc.abstractmethod
            def run(self) -> int: ...

        with raises(
            TypeError,
            "Can't instantiate abstract class Mixed without an implementation for abstract "
            "method 'run'",
        ):
            Mixed(1)  # type: ignore[abstract]

        class Concrete(Mixed[int]):
            def run(self) -> int:
                return super().hello() and 3

        assert Concrete(1).run() == 3 and Concrete(2).hello() == "hello 2"

    def test_super_works_in_a_class_that_was_made_anew(self) -> None:
        @tain.py_class("pyuse.Super", slots=True)
        class Super(Node):
            def total(self, factor: int = 1) -> int:
                return 100 + super().total(factor)

        assert Super("a").total() == 101


class TestOptions:
    def test_value_semantics(self) -> None:
        assert Point(1, 2) == Point(1, 2) != Point(2, 1)
        assert Point(1, 2) < Point(1, 3) and hash(Point(1, 2)) == hash(Point(1, 2))
        assert len({Point(1), Point(1), Point(2)}) == 2
        assert eval(repr(Point(1, 2)), {"Point": Point}) == Point(1, 2)

    def test_identity_by_default(self) -> None:
        assert Node("a") != Node("a")
        assert len({Node("a"), Node("a")}) == 2

    def test_eq_without_frozen_is_unhashable(self) -> None:
        @tain.py_class("pyuse.Equal", eq=True)
        class Equal:
            a: int
            note: str = tain.field(default="", compare=False)

        assert Equal(1, "x") == Equal(1, "y")
        with pytest.raises(TypeError, match="unhashable"):
            hash(Equal(1))

    def test_frozen(self) -> None:
        error = dataclasses.FrozenInstanceError
        with raises(error, "Point.x is read-only: its type is frozen"):
            Point(1).x = 2  # type: ignore[misc]
        with raises(error, "Point.x cannot be deleted: it is a field of a C++ object"):
            del Point(1).x  # type: ignore[misc]
        assert dataclasses.replace(Point(1, 2), y=5) == Point(1, 5)

    def test_post_init_completes_a_frozen_object(self) -> None:
        made = []

        @tain.py_class("pyuse.Frozen", eq=True, frozen=True)
        class Frozen:
            size: int
            area: int = 0
            other: object = None

            def __post_init__(self) -> None:
                if self.size < 0:
                    object.__setattr__(self, "area", -1)
                    raise ValueError("negative")
                object.__setattr__(self, "area", self.size**2)  # the words of dataclasses
                if self.size > 0:
                    self.other = Frozen(self.size - 1)
                    with raises(AttributeError, "Frozen.area is read-only: its type is frozen"):
                        self.other.area = 5
                    self.area += 1
                    with raises(
                        AttributeError,
                        "Frozen.area cannot be deleted: it is a field of a C++ object",
                    ):
                        del self.area
                made.append(self)

        frozen = Frozen(2)
        assert (frozen.area, frozen.other.area, frozen.other.other.area) == (5, 2, 0)
        with raises(ValueError, "negative"):
            Frozen(-1)
        for each in (*made, frozen):
            with raises(AttributeError, "Frozen.area is read-only: its type is frozen"):
                each.area = 7

        class Child(Frozen):
            def __post_init__(self) -> None:
                super().__post_init__()
                self.area = -5

        assert Child(1).area == -5
        made.clear()  # the class lives on, and its method holds the list

    @pytest.mark.bad_input
    @pytest.mark.parametrize("again", [1, 3])
    def test_post_init_that_calls_init(self, again: int) -> None:
        @tain.py_class(f"pyuse.Again{again}", frozen=True)
        class Again:
            size: int
            area: int = 0

            def __post_init__(self) -> None:
                if self.size < again:
                    self.__init__(self.size + 1)  # type: ignore[misc]
                self.area += 1

        others = []
        for _ in range(200):
            made = Again(0)
            assert (made.size, made.area) == (again, again + 1)
            others += [made, *(Again(again) for _ in range(3))]
            for each in others[-4:]:
                text = f"Again{again}.area is read-only: its type is frozen"
                with raises(AttributeError, text):
                    each.area = 7

    def test_post_init_with_arguments_completes_a_frozen_object(self) -> None:
        @tain.py_class("pyuse.FrozenWith", frozen=True)
        class FrozenWith:
            area: int = 0
            side: dataclasses.InitVar[int] = 1

            def __post_init__(self, side: int) -> None:
                self.area = side * side

        assert FrozenWith(side=3).area == 9
        with raises(AttributeError, "FrozenWith.area is read-only: its type is frozen"):
            FrozenWith().area = 2

    def test_repr(self) -> None:
        @tain.py_class("pyuse.Shown")
        class Shown:
            a: int
            secret: str = tain.field(default="x", repr=False)

        assert repr(Shown(1)).endswith("Shown(a=1)")

        @tain.py_class("pyuse.Hidden", repr=False, match_args=False)
        class Hidden:
            a: int

        assert "object at 0x" in repr(Hidden(1))
        assert Hidden.__match_args__ == ()

    def test_slots(self) -> None:
        @tain.py_class("pyuse.Slotted", slots=True)
        class Slotted:
            a: int

        with pytest.raises(AttributeError):
            Slotted(1).b = 2  # type: ignore[attr-defined]
        assert not hasattr(Slotted(1), "__dict__")

    def test_pattern_matching(self) -> None:
        match Point(1, 2):
            case Point(1, y):
                assert y == 2
            case _:
                pytest.fail("no match")


class TestMistakes:
    def test_order_of_defaults(self) -> None:
        with raises(
            TypeError,
            "pyuse.Wrong.b: a field without default follows 'a', which has one: give it a "
            "default, or make it kw_only",
        ):

            @tain.py_class("pyuse.Wrong")
            class Wrong:
                a: int = 1
                b: int

    @pytest.mark.parametrize("default", [[], {}, set()], ids=["list", "dict", "set"])
    def test_mutable_defaults(self, default: object) -> None:
        cls = type("Wrong", (), {"__annotations__": {"a": object}, "a": default})
        text = (
            f"pyuse.Wrong.a: a default of type {type(default).__name__} would be shared by all "
            "objects: use tain.field(default_factory=...)"
        )
        with raises(ValueError, text):
            tain.py_class("pyuse.Wrong")(cls)

    def test_a_default_of_another_type(self) -> None:
        with raises(TypeError, "pyuse.Wrong.a: the default: expected int, got str ('x')"):

            @tain.py_class("pyuse.Wrong")
            class Wrong:
                a: int = "x"  # type: ignore[assignment]

    def test_a_key_of_cpp(self) -> None:
        library = libinfo.find_bundled("tain_testing")
        text = f"testing.TestIntPair: already registered by {library}: give the class another key"
        with raises(ValueError, text):

            @tain.py_class("testing.TestIntPair")
            class Wrong:
                a: int

    @pytest.mark.parametrize(
        ("key", "text"),
        [
            ("ffi.List", BUILT_IN),
            ("ffi.Object", BUILT_IN),
            ("int", BUILT_IN),
            ("testing.Color", "the key belongs to an enum"),
        ],
    )
    def test_keys_of_others(self, key: str, text: str) -> None:
        tain.get_class("testing.Color")  # loads the library
        before = len(tain.type_info(key).fields) if key.startswith("ffi.") else 0
        with raises(ValueError, f"{key}: {text}"):
            tain.py_class(key)(type("Wrong", (), {"__annotations__": {"a": int}}))
        if key.startswith("ffi."):
            assert len(tain.type_info(key).fields) == before

    @pytest.mark.parametrize("name", ["__class__", "__init__"])
    def test_names_of_python(self, name: str) -> None:
        text = f"pyuse.Wrong.{name}: names of this form are reserved for Python"
        with raises(TypeError, text):
            tain.py_class("pyuse.Wrong")(type("Wrong", (), {"__annotations__": {name: int}}))

    def test_an_object_that_was_not_initialized(self) -> None:
        with raises(ValueError, empty_text("Point")):
            _ = Point.__new__(Point).x

    def test_descriptors_of_another_type(self) -> None:
        with pytest.raises(TypeError):
            Node.name.__get__(Point(1))  # type: ignore[attr-defined]

    def test_twice(self) -> None:
        with raises(TypeError, "pyclass.Node: the class is already defined by py_class"):
            tain.py_class("pyclass.Node")(Node)

    @pytest.mark.parametrize("base", ["tain.Array", "tain.Function"])
    def test_parents_that_cannot_be_extended(self, base: str) -> None:
        parent = getattr(tain, base.removeprefix("tain."))
        with pytest.raises(TypeError):
            tain.py_class("pyuse.Wrong")(type("Wrong", (parent,), {"__annotations__": {"a": int}}))

    def test_two_parents(self) -> None:
        with pytest.raises(TypeError):

            @tain.py_class("pyuse.Wrong")
            class Wrong(Node, tain.types.testing.TestIntPair):
                a: int = 0

    @pytest.mark.parametrize("key", [1, b"x", None.__class__.__mro__], ids=str)
    def test_keys_that_are_none(self, key: Any) -> None:
        given = f"{type(key).__name__} ({key!r})"
        with raises(TypeError, f"py_class: expected a type key or a class, got {given}"):
            tain.py_class(key)

    def test_no_class(self) -> None:
        with raises(TypeError, "py_class: expected a class, got int (3)"):
            tain.py_class("pyuse.Wrong")(3)

    def test_options(self) -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'froze'"):
            tain.py_class("pyuse.Wrong", froze=True)
        with raises(ValueError, "pyuse.Wrong: eq must be true if order is true"):
            tain.py_class("pyuse.Wrong", order=True)(type("Wrong", (), {}))
        with raises(ValueError, "cannot specify both default and default_factory"):
            tain.field(default=1, default_factory=list)

    def test_a_field_in_slots(self) -> None:
        with raises(
            TypeError,
            "pyuse.Wrong.a: a field cannot be in __slots__: it is stored in the C++ object",
        ):

            @tain.py_class("pyuse.Wrong")
            class Wrong:
                __slots__ = ("a",)
                a: int

    def test_a_field_without_annotation(self) -> None:
        with raises(TypeError, "pyuse.Wrong.a is a field without an annotation"):

            @tain.py_class("pyuse.Wrong")
            class Wrong:
                a = tain.field(default=1)

    def test_nothing_is_left_of_a_mistake(self) -> None:
        assert "pyuse.Wrong" not in tain.type_keys("pyuse.")

        @tain.py_class("pyuse.Wrong")
        class Right:
            a: int = 1

        assert Right().a == 1


class TestProtocols:
    def test_copies(self) -> None:
        node = Node("a")
        node.children.append(Node("b", parent=node))
        node.note = "mine"
        deep = copy.deepcopy(node)
        assert deep.children[0].parent is deep and deep.note == "mine"
        shallow = copy.copy(node)
        assert shallow.children is node.children and shallow.note == "mine"

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_pickles(self, protocol: int) -> None:
        node = Node("a", extra={"k": (1, 2)})
        node.children.append(Node("b", parent=node))
        made = pickle.loads(pickle.dumps(node, protocol))
        assert type(made) is Node and made.children[0].parent is made
        assert made.extra == node.extra
        point = pickle.loads(pickle.dumps(Point(1, 2), protocol))
        assert point == Point(1, 2)

    def test_dataclass_functions(self) -> None:
        assert dataclasses.is_dataclass(Point)
        assert [field.name for field in dataclasses.fields(Point)] == ["x", "y"]
        assert dataclasses.asdict(Point(1, 2)) == {"x": 1, "y": 2}
        assert dataclasses.astuple(Point(1, 2)) == (1, 2)
        assert dataclasses.fields(Node)[4].metadata["doc"] == "the nodes below"


class TestUnderAttack:
    def test_a_value_that_changes_the_object_while_it_is_converted(self) -> None:
        node = Node("a")

        class Sneaky:
            def __index__(self) -> int:
                node.count = 5
                return 7

        class Iterating:
            def __iter__(self) -> Iterator[Node]:
                node.children = [Node("other")]
                yield Node("first")
                raise ValueError("stop")

        node.count = Sneaky()  # type: ignore[assignment]
        assert node.count == 7
        with raises(ValueError, "stop"):
            node.children = Iterating()  # type: ignore[assignment]
        assert [child.name for child in node.children] == ["other"]

    def test_cycles_are_collected(self) -> None:
        for _ in range(100):
            node = Node("a")
            node.extra, node.parent = [node, lambda: node], node  # noqa: B023
            node.children.append(node)
            node.note = node

    def test_a_long_chain_dies(self) -> None:
        head = None
        for _ in range(200_000):
            head = Node("a", parent=head)
        assert head is not None and head.parent is not None

    def test_definitions_from_many_threads(self) -> None:
        failures: list[object] = []

        def define(number: int) -> None:
            for _ in range(10):
                cls = type("Many", (), {"__annotations__": {"a": int, "b": "Many | None"}})
                made = tain.py_class(f"pyuse.Threads{number % 2}")(cls)(3, None)
                if made.a != 3:
                    failures.append(made)

        in_threads(functools.partial(define, i) for i in range(4))
        assert not failures

    def test_a_resurrected_object(self) -> None:
        kept = []

        class Stubborn(Node):
            def __del__(self) -> None:
                kept.append(self)

        node = Stubborn("a")
        node.parent = node
        del node
        gc.collect()
        assert kept[0].name == "a"
        kept.clear()
