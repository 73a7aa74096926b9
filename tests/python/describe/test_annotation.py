# SPDX-License-Identifier: Apache-2.0
"""Annotations speak the author's words, and can be evaluated wherever they stand."""

from __future__ import annotations

import collections.abc
import ctypes
import inspect
import types
import typing
from pathlib import Path

import pytest

import tain

T = tain.types.testing
POINT = "__import__('tain').get_class('testing.Point')"
MAP = types.GenericAlias(tain.Map, (str, typing.Any))
FIELDS = [
    ("flag", bool, bool),
    ("i8", int, int),
    ("f32", float, float),
    ("text", str, str),
    ("data", bytes, bytes),
    ("any", typing.Any, typing.Any),
    ("maybe_int", int | None, int | None),
    ("pointer", ctypes.c_void_p | None, ctypes.c_void_p | None),
    (
        "function",
        collections.abc.Callable[..., typing.Any] | None,
        collections.abc.Callable[..., typing.Any] | None,
    ),
    (
        "typed_function",
        collections.abc.Callable[[int], int] | None,
        collections.abc.Callable[[int], int] | None,
    ),
    ("point", T.Point, POINT),
    ("maybe_point", T.Point | None, f"{POINT} | None"),
    ("object", tain.Object | None, tain.Object | None),
    ("ints", types.GenericAlias(tain.Array, (int,)), types.GenericAlias(tain.Array, (int,))),
    ("map", MAP, MAP),
    ("device", tain.Device, tain.Device),
    ("dtype", tain.dtype, tain.dtype),
    ("color", T.Color, "__import__('tain').get_class('testing.Color')"),
]


@pytest.mark.parametrize(("name", "as_object", "as_annotation"), FIELDS)
def test_types_of_fields(name: str, as_object: object, as_annotation: object) -> None:
    field = next(f for f in tain.type_info(T.AllKinds).fields if f.name == name)
    assert field.annotation == as_object
    assert T.AllKinds.__annotations__[name] == as_annotation


def all_classes() -> list[type]:
    """Every class of the testing library."""
    found = (tain.get_class(key) for key in tain.type_keys("testing."))
    return [cls for cls in found if issubclass(cls, tain.Object)]


def no_text_in(hint: object) -> bool:
    """Whether a hint is resolved to its last part."""
    if typing.get_origin(hint) is typing.Annotated:  # the rest says what an array must be
        hint = typing.get_args(hint)[0]
    parts = typing.get_args(hint)
    return not isinstance(hint, str | typing.ForwardRef) and all(
        no_text_in(part) for part in parts if not isinstance(part, list)
    )


def test_annotations_of_every_class_can_be_evaluated() -> None:
    for cls in all_classes():
        for found in (typing.get_type_hints(cls), inspect.get_annotations(cls, eval_str=True)):
            assert all(map(no_text_in, found.values())), cls
        assert inspect.get_annotations(cls, eval_str=True).keys() == cls.__annotations__.keys()
    found = typing.get_type_hints(T.AllKinds)
    assert {name: found[name] for name, _, _ in FIELDS} == {name: hint for name, hint, _ in FIELDS}


def test_annotations_of_every_method_and_function_can_be_evaluated() -> None:
    functions = [
        tain.get_global_func(name)
        for name in tain.list_global_func_names()
        if name.startswith("testing.")
    ]
    for cls in all_classes():
        functions += [
            getattr(cls, name)
            for name, member in vars(cls).items()
            if type(member).__name__ in {"MethodDescriptor", "staticmethod"}
        ]
    assert len(functions) > 100
    for function in functions:
        for found in (
            typing.get_type_hints(function),
            inspect.get_annotations(function, eval_str=True),
        ):
            assert all(map(no_text_in, found.values())), function


def test_members_named_like_types_leave_annotations_as_they_are() -> None:
    """typing.get_type_hints looks names up in the class first."""
    assert typing.get_type_hints(T.NamedLikeTypes) == {
        "str": types.GenericAlias(tain.Map, (str, T.Point)),
        "other": types.GenericAlias(tain.Map, (int, T.Point)),
    }


def test_annotations_of_subclasses_can_be_evaluated() -> None:
    class Child(T.AllKinds):
        extra: int

    hints = typing.get_type_hints(Child)
    assert hints["extra"] is int
    assert hints["color"] is T.Color


def test_annotations_in_adopted_modules_can_be_evaluated(
    run: collections.abc.Callable[..., str], tmp_path: Path
) -> None:
    """The module has no name `tain`; classes registered later are found too."""
    (tmp_path / "adopter.py").write_text("""
__import__("tain").types.testing
__import__("tain").init_ffi_api("testing", __name__)
""")
    code = """
        import adopter, inspect, typing
        import tain.testing
        hints = typing.get_type_hints(adopter.AllKinds)
        assert adopter.AllKinds.__module__ == "adopter"
        assert not hasattr(adopter, "tain")
        assert hints["maybe_point"] == adopter.Point | None
        assert hints == inspect.get_annotations(adopter.AllKinds, eval_str=True)
        assert typing.get_type_hints(adopter.centroid)["return"] is adopter.Point
        @tain.register_object("testing.Point")
        class Point(adopter.Point):
            pass
        assert typing.get_type_hints(adopter.AllKinds)["point"] is Point
    """
    run(code, path=str(tmp_path))


def test_annotations_of_classes_whose_module_is_not_imported(
    run: collections.abc.Callable[..., str],
) -> None:
    code = """
        import tain, tain.testing, typing, sys
        cls = tain.get_class("testing.AllKinds")
        assert "tain.types.testing" not in sys.modules
        assert typing.get_type_hints(cls)["color"] is tain.get_class("testing.Color")
    """
    run(code)


def test_annotations_of_functions_are_objects() -> None:
    hints = {"color": T.Color, "return": T.Color}
    function = tain.get_global_func("testing.next_color")
    assert function.__annotations__ == hints
    assert typing.get_type_hints(function) == hints
    assert T.Point.scale.__annotations__ == {"factor": float, "return": None}


def test_annotations_of_a_class_make_no_other_class(
    run: collections.abc.Callable[..., str],
) -> None:
    code = """
        import tain
        before = tain.types.testing.AllKinds.__annotations__["color"]
        assert before == "__import__('tain').get_class('testing.Color')"
        import sys
        assert "inspect" not in sys.modules and "numpy" not in sys.modules
    """
    run(code)


@pytest.mark.parametrize("key", ["testing.a-b.2D", "testing.with space", "testing.x.class"])
def test_keys_that_are_no_identifiers_name_their_classes(key: str) -> None:
    signature = tain.type_info(key).constructor.signature
    assert signature.return_annotation is tain.get_class(key)
