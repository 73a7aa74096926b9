# SPDX-License-Identifier: Apache-2.0
"""Types defined in Python, made by libtain: defined again, and used from C++."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from errors import raises
from interpreter import reads_the_original
from python_types import Node, Point

import tain


class TestRedefinition:
    def test_a_later_definition_replaces(self) -> None:
        def define(default: int) -> type:
            @tain.py_class("pyuse.Again")
            class Again:
                a: int = default
                next: Again | None = None

            return Again

        first, second = define(1), define(2)
        old, new = first(), second()
        assert (old.a, new.a) == (1, 2)
        assert tain.get_class("pyuse.Again") is second and first is not second
        new.next = second()
        with raises(
            TypeError, "Again.next: expected pyuse.Again (build 2), got pyuse.Again (build 1)"
        ):
            new.next = old
        old.next = first()
        assert type(tain.get_global_func("testing.echo")(old)) is first

    def test_bare(self) -> None:
        @tain.py_class
        class Bare:
            a: int

        assert tain.type_info(Bare).key == f"{__name__}.TestRedefinition.test_bare.Bare"


class TestFromCpp:
    def test_fields_methods_and_containers(self) -> None:
        info = tain.type_info("pyclass.Node")
        assert [field.name for field in info.fields][:2] == ["name", "weight"]
        methods = {method.name: method for method in info.methods}
        assert methods["total"].doc == "Return the count of the node and all below."
        node = Node("a", children=[Node("b"), Node("c")])
        call = tain.get_global_func("testing.call_method")
        assert call(node, "total") == 3 and call(node, "total", 2) == 6
        assert tain.convert([node])[0] is node
        get, put = (tain.get_global_func(f"testing.{verb}_field") for verb in ("get", "set"))
        assert get(node, "name") == "a" and get(node, "children") is node.children
        put(node, "count", 7)
        assert node.count == 7
        with raises(TypeError, "pyclass.Node.count: expected int, got str ('x')"):
            put(node, "count", "x")
        with raises(AttributeError, "pyclass.Node has no field 'nam'"):
            get(node, "nam")
        with raises(AttributeError, "pyclass.Point.x is read-only"):
            put(Point(1), "x", 2)
        with raises(AttributeError, "pyclass.Node has no method 'totl'"):
            call(node, "totl")

    def test_an_override_is_called(self) -> None:
        class Heavy(Node):
            def total(self, factor: int = 1) -> int:
                return 1000

        assert tain.get_global_func("testing.call_method")(Heavy("a"), "total") == 1000

    def test_an_object_made_by_cpp(self) -> None:
        made = tain.get_global_func("testing.construct")("pyclass.Node", "a", 2)
        assert type(made) is Node and (made.name, made.weight) == ("a", 2.0)

    def test_an_object_that_only_cpp_holds(self) -> None:
        array = tain.convert([Node("a", children=[Node("b")])])
        assert type(array[0]) is Node
        assert array[0].children[0].name == "b"

    def test_the_constructor_by_reflection(self) -> None:
        constructor = tain.type_info("pyclass.Point").constructor
        assert [arg.name for arg in constructor.args] == ["x", "y"]


def define(key: str, fields: list[Any]) -> None:
    tain._core.define_type(key, "", "define_type_test", "", tain.Object, [], fields)


@pytest.mark.bad_input
class TestFieldsThatAreRead:
    @reads_the_original
    def test_a_list_that_is_cleared_meanwhile(self) -> None:
        def flags() -> Iterator[str]:
            fields.clear()
            yield "writable"

        fields: list[Any] = []
        fields += [(f"a{i}", "Any", "", flags(), None) for i in range(100)]
        define("define_type_test.Cleared", fields)
        info = tain.type_info("define_type_test.Cleared")
        assert [field.name for field in info.fields] == ["a0"]

    @pytest.mark.parametrize("field", [1, (), ("a", "Any"), ["a", "Any", "", [], None]])
    def test_what_describes_no_field(self, field: object) -> None:
        with pytest.raises(
            TypeError, match=r"^py_class: expected .* for a field, got (int|tuple|list)"
        ):
            define("define_type_test.Wrong", [field])
