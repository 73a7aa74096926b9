# SPDX-License-Identifier: Apache-2.0
"""Signatures and annotations speak the author's words, for inspect, help() and typing."""

from __future__ import annotations

import inspect
import pydoc
import sys
import types

import pytest

import tain
from tain import _core

T = tain.types.testing

FUNCTIONS = [
    ("testing.nop", "() -> None"),
    ("testing.echo", "(x: Any) -> Any"),
    ("testing.greet", "(name: str, greeting: str = 'hello', punctuation: str = '!') -> str"),
    ("testing.scale", "(x: int, factor: int = 2, *, negate: bool = False) -> int"),
    ("testing.sum_from", "(start: int, *rest: Any) -> int"),
    ("testing.describe", "(*args: Any) -> str"),
    ("testing.serial", "(value: int = <factory>) -> int"),
    ("testing.positional", "(arg0: int, arg1: float, /) -> int"),
    ("testing.optional_text", "(text: str | None = None) -> str | None"),
    ("testing.default_any", "(value: Any = 1.5) -> Any"),
    ("testing.packed_count", "(*args) -> Any"),
    ("testing.scaled", "(x: int, by: int = Ellipsis, times: int = Ellipsis) -> int"),
    ("testing.scaled_unnamed", "(arg0: int, arg1: int, arg2: int = Ellipsis, /) -> int"),
    ("testing.scaled_by_spec", "(x: int, by: int, *, times: int = Ellipsis) -> int"),
    (
        "testing.next_color",
        "(color: tain.types.testing.Color = Color.RED) -> tain.types.testing.Color",
    ),
    (
        "testing.echo_mode",
        "(mode: tain.types.testing.Mode = Mode.SAFE) -> tain.types.testing.Mode",
    ),
]


@pytest.mark.parametrize(("name", "expected"), FUNCTIONS)
def test_signature_of_a_function(name: str, expected: str) -> None:
    text = str(inspect.signature(tain.get_global_func(name)))
    assert text.replace("typing.Any", "Any") == expected


METHODS = [
    ("norm", "(self) -> float"),
    ("scale", "(self, factor: float) -> None"),
    ("origin", "() -> tain.types.testing.Point"),
]


def test_members_as_defaults_of_unions() -> None:
    @tain.py_class("test_signature.Colored")
    class Colored(tain.Object):
        color: T.Color | float = T.Color.RED
        mode: T.Mode | None = T.Mode.SAFE

    info = tain.type_info(Colored)
    assert [str(field) for field in info.fields] == [
        "FieldInfo(color: testing.Color | float = Color.RED)",
        "FieldInfo(mode: testing.Mode | None = Mode.SAFE)",
    ]
    assert "color: testing.Color | float = Color.RED" in repr(info.constructor)


@pytest.mark.parametrize(("name", "expected"), METHODS)
def test_signature_of_a_method(name: str, expected: str) -> None:
    assert str(inspect.signature(getattr(T.Point, name))) == expected


def test_signature_of_a_bound_method_has_no_receiver() -> None:
    assert str(inspect.signature(T.Point(1).scale)) == "(factor: float) -> None"


def test_a_receiver_before_positional_only_parameters_is_so_too() -> None:
    text = str(inspect.signature(T.Vector.__add__))
    assert text == "(self, arg0: tain.types.testing.Vector, /) -> tain.types.testing.Vector"


def test_signatures_bind() -> None:
    signature = inspect.signature(tain.get_global_func("testing.scale"))
    bound = signature.bind(3, negate=True)
    bound.apply_defaults()
    assert bound.args == (3, 2) and bound.kwargs == {"negate": True}
    with pytest.raises(TypeError, match="too many positional arguments"):
        signature.bind(1, 2, True)


def test_a_function_written_in_python_keeps_its_own() -> None:
    def add(a: int, b: int = 1) -> int:
        return a + b

    assert inspect.signature(tain.Function(add)) == inspect.signature(add)


# ---------------------------------------------------------------- classes

CLASSES = [
    ("Point", "(x: float, y: float = 0.0)"),
    ("TestIntPair", "(arg0: int, arg1: int, /)"),
    ("Square", "(side: float = 1.0)"),
    ("AllKinds", "()"),
    ("CreatesCounted", "(start: int = 0, *, note: Any = None)"),
]


@pytest.mark.parametrize(("name", "expected"), CLASSES)
def test_signature_of_a_class_is_that_of_its_constructor(name: str, expected: str) -> None:
    text = str(inspect.signature(getattr(T, name)))
    assert text.replace("typing.Any", "Any") == expected


def test_signature_of_a_field_constructor_shows_what_the_class_body_says() -> None:
    parameters = inspect.signature(T.Config).parameters
    assert parameters["name"].default == "unnamed"
    assert parameters["size"].default == 10
    assert parameters["shape"].default == [1, 2]
    assert repr(parameters["made"].default) == "<factory>"
    assert parameters["given"].default == 11
    assert parameters["secret"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "computed" not in parameters
    assert next(iter(inspect.signature(T.ChildConfig).parameters)) == "name"


@pytest.mark.parametrize("name", ["Shape", "NoConstructor", "ChildWithoutConstructor"])
def test_a_class_without_constructor_has_no_signature(name: str) -> None:
    cls = getattr(T, name)
    assert not hasattr(cls, "__signature__")
    with pytest.raises(ValueError, match="no signature found"):
        inspect.signature(cls)


def test_a_subclass_has_the_signature_of_what_runs() -> None:
    class Plain(T.Point):
        pass

    class Init(T.Point):
        def __init__(self, label: str, *, z: int = 3) -> None:
            super().__init__(1)

    class InheritsInit(Init):
        pass

    class New(T.Point):
        def __new__(cls, a: int, b: int = 2) -> New:
            return super().__new__(cls)

    class Mixin:
        def __init__(self, q: int) -> None:
            pass

    class Mixed(Mixin, T.Point):
        pass

    class MixedAfter(T.Point, Mixin):
        pass

    expected = {
        Plain: "(x: float, y: float = 0.0)",
        Init: "(label: 'str', *, z: 'int' = 3) -> 'None'",
        InheritsInit: "(label: 'str', *, z: 'int' = 3) -> 'None'",
        New: "(a: 'int', b: 'int' = 2) -> 'New'",
        Mixed: "(q: 'int') -> 'None'",
        MixedAfter: "(x: float, y: float = 0.0)",
    }
    found = {cls: str(inspect.signature(cls)) for cls in expected}
    assert found == expected


def test_instances_have_no_signature() -> None:
    point = T.Point(1)
    assert not hasattr(point, "__signature__")
    with pytest.raises(TypeError, match="is not a callable object"):
        inspect.signature(point)


def test_help_shows_the_signatures() -> None:
    text = pydoc.render_doc(T.Point, renderer=pydoc.plaintext)
    assert "Point(x: float, y: float = 0.0)" in text
    assert "scale(self, factor: float) -> None" in text


def test_documentation_is_the_text_of_the_author() -> None:
    function = tain.get_global_func("testing.next_color")
    assert function.__doc__ is None
    assert repr(function) == (
        "<Function testing.next_color(color: testing.Color = Color.RED) -> testing.Color>"
    )
    assert T.Point.scale.__doc__ == "Multiplies both coordinates."
    assert repr(T.Point.scale) == "<method Point.scale(self, factor: float) -> None>"


def test_help_shows_each_signature_once() -> None:
    text = pydoc.render_doc(T.Point, renderer=pydoc.plaintext)
    assert text.count("scale(self, factor: float) -> None") == 1
    lines = [line.strip(" |") for line in text.splitlines()]
    assert lines.count("Point(x: float, y: float = 0.0)") == 1
    text = pydoc.render_doc(tain.get_global_func("testing.next_color"), renderer=pydoc.plaintext)
    assert text.count("-> tain.types.testing.Color") == 1


# ---------------------------------------------------------------- types


def test_the_factory_mark_is_one_of_its_kind() -> None:
    default = inspect.signature(tain.get_global_func("testing.serial")).parameters["value"].default
    assert isinstance(default, _core._Factory)


# ---------------------------------------------------------------- __init__


def test_signature_of_init() -> None:
    assert str(inspect.signature(T.Point.__init__)) == "(self, x: float, y: float = 0.0)"
    assert str(inspect.signature(T.Point(1).__init__)) == "(x: float, y: float = 0.0)"
    assert T.Point.__init__.__qualname__ == "Point.__init__"


def test_the_documentation_of_init_is_that_of_the_constructor() -> None:
    assert T.Point.__init__.__doc__ is None
    assert T.CreatesCounted.__init__.__doc__ is None
    assert (T.Length.__init__.__doc__ or "").startswith(
        "``__init__(self) -> testing.Length``\n    Nothing.\n\n"
    )


def test_help_leaves_out_what_only_tain_needs() -> None:
    text = pydoc.render_doc(T.Point, renderer=pydoc.plaintext)
    assert "__init__(self, x: float, y: float = 0.0)\n" in text
    assert "__create__" not in text
    assert ("__signature__" in text) == (sys.version_info < (3, 11))  # inspect needs it there


def test_methods_and_functions_are_routines_to_those_who_look() -> None:
    for method in (T.Point.norm, T.Point.__init__):
        assert isinstance(method, types.MethodDescriptorType)
        assert inspect.ismethoddescriptor(method) and inspect.isroutine(method)
        assert type(method).__name__ == "MethodDescriptor"
    for function in (T.Point.origin, tain.get_global_func("testing.next_color")):
        assert isinstance(function, types.BuiltinFunctionType)
        assert inspect.isbuiltin(function) and inspect.isroutine(function)
        assert type(function) is tain.Function and isinstance(function, tain.Function)
        assert function.__class__ is types.BuiltinFunctionType
    assert tain.Function.__class__ is type


def test_signatures_of_subclasses() -> None:
    class Plain(T.Point):
        pass

    class Own(T.Point):
        def __init__(self, z: int) -> None:
            super().__init__(z)

    class New(T.Point):
        def __new__(cls, w: int) -> New:
            return super().__new__(cls)

    class Mixin:
        def __init__(self, *, name: str) -> None:
            super().__init__(1, 2)

    class Mixed(Mixin, T.Point):
        pass

    assert str(inspect.signature(Plain)) == "(x: float, y: float = 0.0)"
    assert str(inspect.signature(Own)) == "(z: 'int') -> 'None'"
    assert str(inspect.signature(New)) == "(w: 'int') -> 'New'"
    assert str(inspect.signature(Mixed)) == "(*, name: 'str') -> 'None'"
    assert Mixed(name="m").y == 2
    assert Plain.__init__ is T.Point.__init__


@pytest.mark.parametrize("cls", [T.NoConstructor, T.ChildWithoutConstructor, T.Shape, tain.Object])
def test_no_constructor_no_signature(cls: type) -> None:
    child = type("Child", (cls,), {})
    for each in (cls, child):
        with pytest.raises(ValueError, match="no signature found"):
            inspect.signature(each)
