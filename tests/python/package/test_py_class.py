# SPDX-License-Identifier: Apache-2.0
"""tain.py_class: types defined in Python, their fields, annotations and constructors."""

from __future__ import annotations

import inspect
import traceback
from dataclasses import KW_ONLY, InitVar
from typing import Annotated, Any, Final, TypeVar

import pytest
from errors import raises
from python_types import Node, Point

import tain


class TestFields:
    def test_values_and_defaults(self) -> None:
        node = Node("a", count=3)
        assert (node.name, node.weight, node.count, node.on) == ("a", 0.5, 3, True)
        assert node.children == [] and node.parent is None and node.extra is None
        assert Node.LIMIT == 5

    def test_each_object_has_its_own_default_of_a_factory(self) -> None:
        a, b = Node("a"), Node("b")
        a.children.append(b)
        assert len(a.children) == 1 and len(b.children) == 0

    def test_the_class(self) -> None:
        assert Node.__doc__ == "A node of a tree."
        assert Node.__module__ == "python_types"
        assert issubclass(Node, tain.Object)
        assert tain.types.pyclass.Node is Node is tain.get_class("pyclass.Node")
        assert Node.__match_args__[:2] == ("name", "weight")

    @pytest.mark.parametrize(
        ("name", "value", "error", "text"),
        [
            ("name", 3, TypeError, "Node.name: expected str, got int (3)"),
            ("weight", "x", TypeError, "Node.weight: expected float, got str ('x')"),
            ("count", 1.5, TypeError, "Node.count: expected int, got float (1.5)"),
            (
                "count",
                2**63,
                OverflowError,
                f"Node.count: expected int in {-(2**63)}..{2**63 - 1}, got {2**63}",
            ),
            ("on", 1, TypeError, "Node.on: expected bool, got int (1)"),
            ("children", 1, TypeError, "Node.children: expected List[pyclass.Node], got int (1)"),
            ("children", [1], TypeError, "Node.children[0]: expected pyclass.Node, got int (1)"),
            ("parent", 1, TypeError, "Node.parent: expected pyclass.Node | None, got int (1)"),
        ],
    )
    def test_an_assignment_checks_the_type(
        self, name: str, value: object, error: type[Exception], text: str
    ) -> None:
        node = Node("a")
        before = getattr(node, name)
        with raises(error, text):
            setattr(node, name, value)
        assert getattr(node, name) == before

    def test_conversions_are_those_of_a_parameter(self) -> None:
        node = Node("a")
        node.weight = 3
        assert node.weight == 3.0 and type(node.weight) is float
        node.children = (Node("b"),)
        assert isinstance(node.children, tain.List)

    def test_object_fields_keep_identity(self) -> None:
        parent, child, anything = Node("a"), Node("b"), object()
        child.parent = parent
        child.extra = anything
        assert child.parent is parent and child.extra is anything

    def test_a_field_cannot_be_deleted(self) -> None:
        with raises(AttributeError, "Node.name cannot be deleted: it is a field of a C++ object"):
            del Node("a").name

    def test_a_list_is_shared(self) -> None:
        node = Node("a")
        shared = node.children
        shared.append(Node("b"))
        assert len(node.children) == 1

    def test_attributes_of_python(self) -> None:
        node = Node("a")
        node.anything = 3
        assert node.anything == 3


class TestAnnotations:
    def test_expressions(self) -> None:
        T = TypeVar("T", bound=Node)

        @tain.py_class("pyclass.Many")
        class Many:
            a: list[int]
            b: dict[str, list[float]]
            c: tuple[int, str]
            d: tuple[int, ...]
            e: int | str
            f: Final[int]
            g: Annotated[int, "seconds"]
            h: tain.Array
            i: tain.Map[str, int]
            j: Any
            k: bytes
            l: T  # noqa: E741
            m: set[int]
            n: tain.Function
            o: list
            p: str | None

        types = {field.name: field.type for field in tain.type_info("pyclass.Many").fields}
        assert types == {
            "a": "List[int]",
            "b": "Dict[str, List[float]]",
            "c": "tuple[int, str]",
            "d": "Array[int]",
            "e": "int | str",
            "f": "int",
            "g": "int",
            "h": "Array",
            "i": "Map[str, int]",
            "j": "Any",
            "k": "bytes",
            "l": "pyclass.Node",
            "m": "Any",
            "n": "Function",
            "o": "List",
            "p": "str | None",
        }

    @pytest.mark.parametrize(
        ("annotation", "good", "bad", "text"),
        [
            (list[int], [1, 2], [1, "x"], "[1]: expected int, got str ('x')"),
            (dict[str, int], {"a": 1}, {"a": "b"}, "['a']: expected int, got str ('b')"),
            (dict[str, int], {"a": 1}, {1: 1}, ": key: expected str, got int (1)"),
            (tuple[int, str], (1, "a"), (1, 2), "[1]: expected str, got int (2)"),
            (tuple[int, str], (1, "a"), (1,), ": expected tuple[int, str] of 2 elements, got 1"),
            (int | str, "a", 1.5, ": expected int | str, got float (1.5)"),
            (list[list[int]], [[1]], [[1], ["a"]], "[1][0]: expected int, got str ('a')"),
            (bytes, b"a", "a", ": expected bytes, got str ('a')"),
            (list[int] | None, None, ["a"], "[0]: expected int, got str ('a')"),
            (tain.Function, len, 1, ": expected Function, got int (1)"),
            (list[str | None], ["a", None], [1], "[0]: expected str | None, got int (1)"),
        ],
        ids=str,
    )
    def test_what_a_type_takes(self, annotation: Any, good: object, bad: object, text: str) -> None:
        cls = type("Holder", (), {"__annotations__": {"value": annotation}})
        holder = tain.py_class("pyclass.Holder")(cls)
        made = holder(good)
        shown = made.value
        if not callable(good):
            assert shown == good
        with raises(TypeError, f"Holder.value{text}".replace("['a']", '["a"]')):
            made.value = bad
        with raises(TypeError, f"pyclass.Holder: argument value{text}".replace("['a']", '["a"]')):
            holder(bad)

    def test_a_class_that_comes_later(self) -> None:
        @tain.py_class("pyclass.First")
        class First:
            second: Second | None = None

        with raises(TypeError, "its type pyclass.Second is not registered"):
            First().second = 3

        @tain.py_class("pyclass.Second")
        class Second:
            first: First

        first = First()
        first.second = Second(first)
        assert first.second.first is first
        with raises(TypeError, "First.second: expected pyclass.Second | None, got int (3)"):
            first.second = 3

    def test_an_annotation_that_cannot_be_evaluated(self) -> None:
        cls = type("Wrong", (), {"__annotations__": {"x": "1 +"}})
        with pytest.raises(SyntaxError) as wrong:
            eval("1 +")
        text = f"pyclass.Wrong.x: the annotation '1 +' cannot be evaluated: {wrong.value}"
        with raises(TypeError, text):
            tain.py_class("pyclass.Wrong")(cls)

    def test_a_frame_has_only_the_names_that_are_asked_for(self) -> None:
        """A test runner looks for `__tracebackhide__` in each frame of a failure."""
        cls = type("Wrong", (), {"__annotations__": {"x": "list[Unknown + 1]"}})
        with pytest.raises(TypeError) as wrong:
            tain.py_class("pyclass.Wrong")(cls)
        error: BaseException | None = wrong.value
        namespaces = []
        while error is not None:
            for frame, _ in traceback.walk_tb(error.__traceback__):
                namespaces += [frame.f_locals, frame.f_globals]
            error = error.__cause__
        assert {"list", "Unknown"} in [set(names) for names in namespaces]
        for names in namespaces:
            with pytest.raises(KeyError):
                names["__tracebackhide__"]

    def test_a_name_of_python_s_own_form_is_no_key(self) -> None:
        cls = type("Wrong", (), {"__annotations__": {"x": "__missing__"}})
        text = (
            "pyclass.Wrong.x: the annotation '__missing__' cannot be evaluated: name '__missing__' "
            "is not defined"
        )
        with raises(TypeError, text):
            tain.py_class("pyclass.Wrong")(cls)

    def test_registered_classes_of_cpp(self) -> None:
        pair = tain.types.testing.TestIntPair

        @tain.py_class("pyclass.WithPair")
        class WithPair:
            pair: pair  # type: ignore[valid-type]

        made = WithPair(pair(1, 2))
        assert made.pair.b == 2
        with raises(TypeError, "WithPair.pair: expected testing.TestIntPair, got pyclass.WithPair"):
            made.pair = made


class TestConstructor:
    def test_signature(self) -> None:
        text = str(inspect.signature(Point))
        assert text == "(x: int, y: int = 0)"
        assert list(inspect.signature(Node).parameters)[:3] == ["name", "weight", "count"]

    @pytest.mark.parametrize(
        ("args", "kwargs", "text"),
        [
            ((), {}, "() missing argument 'name'"),
            (("a",), {"name": "b"}, "() got multiple values for argument 'name'"),
            (
                ("a",),
                {"nam": "b"},
                "() got an unexpected keyword argument 'nam'. Did you mean 'name'?",
            ),
            (("a",) * 9, {}, "() takes 1 to 7 arguments but 9 were given"),
            ((1,), {}, ": argument name: expected str, got int (1)"),
        ],
        ids=["missing", "twice", "misspelt", "too-many", "type"],
    )
    def test_wrong_arguments(self, args: Any, kwargs: Any, text: str) -> None:
        with raises(TypeError, f"pyclass.Node{text}"):
            Node(*args, **kwargs)

    def test_keyword_only(self) -> None:
        @tain.py_class("pyclass.Keyword")
        class Keyword:
            a: int
            _: KW_ONLY
            b: int
            c: int = 3

        assert Keyword(1, b=2).c == 3
        with pytest.raises(TypeError):
            Keyword(1, 2)  # type: ignore[misc]

        @tain.py_class("pyclass.AllKeyword", kw_only=True)
        class AllKeyword:
            a: int = 0
            b: int
            c: int = tain.field(kw_only=False)

        assert str(inspect.signature(AllKeyword)) == "(c: int, *, a: int = 0, b: int)"

    def test_a_field_outside_of_the_constructor(self) -> None:
        @tain.py_class("pyclass.Partly")
        class Partly:
            a: int
            b: int = tain.field(default=7, init=False)
            c: list[int] = tain.field(default_factory=lambda: [1], init=False)
            d: str = tain.field(init=False)

        made = Partly(1)
        assert (made.b, made.c, made.d) == (7, [1], "")

    def test_post_init(self) -> None:
        @tain.py_class("pyclass.Post")
        class Post:
            a: int
            twice: int = tain.field(default=0, init=False)

            def __post_init__(self) -> None:
                if self.a < 0:
                    raise ValueError("negative")
                self.twice = 2 * self.a

        assert Post(3).twice == 6
        with raises(ValueError, "negative"):
            Post(-1)

        class Plain(Post):
            pass

        assert Plain(4).twice == 8

        class Own(Post):
            def __init__(self) -> None:
                super().__init__(5)

        assert Own().twice == 10

    def test_init_only_variables(self) -> None:
        @tain.py_class("pyclass.InitVars")
        class InitVars:
            a: int
            values: list[int] = tain.field(default_factory=list)
            scale: InitVar[int] = 2

            def __post_init__(self, scale: int) -> None:
                self.a *= scale

        assert InitVars(3).a == 6 and InitVars(3, [1], 5).a == 15 and InitVars(1, scale=7).a == 7
        assert InitVars(3).values == [] and not hasattr(InitVars(3), "scale")
        assert str(inspect.signature(InitVars)).endswith("= <factory>, scale: int = 2) -> None")
        assert InitVars(3).values is not InitVars(3).values

    def test_an_init_of_the_class(self) -> None:
        @tain.py_class("pyclass.Own")
        class Own:
            a: int
            b: str = "b"

            def __init__(self, text: str) -> None:
                self.a = len(text)

        made = Own("four")
        assert (made.a, made.b) == (4, "b")

        @tain.py_class("pyclass.OwnChild")
        class OwnChild(Own):
            c: int

            def __init__(self) -> None:
                super().__init__()
                self.a, self.c = 1, 2

        child = OwnChild()
        assert (child.a, child.b, child.c) == (1, "b", 2)

    def test_without_constructor(self) -> None:
        @tain.py_class("pyclass.NoInit", init=False)
        class NoInit:
            a: int = 4

        assert NoInit().a == 4
        with pytest.raises(TypeError):
            NoInit(1)  # type: ignore[call-arg]

    def test_a_failing_factory(self) -> None:
        @tain.py_class("pyclass.Failing")
        class Failing:
            a: int = tain.field(default_factory=lambda: 1 // 0)
            b: str = tain.field(default_factory=lambda: 5)  # type: ignore[assignment]

        with pytest.raises(ZeroDivisionError):
            Failing()
        with raises(TypeError, "pyclass.Failing: argument b: expected str, got int (5)"):
            Failing(a=1)
        assert tain.testing.live_objects().get("pyclass.Failing", 0) == 0
