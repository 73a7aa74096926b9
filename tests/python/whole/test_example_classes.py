# SPDX-License-Identifier: Apache-2.0
"""The class of every key of the examples; test_every_accessor has those of the testing library."""

from __future__ import annotations

import enum
import importlib
import inspect
import sys
from pathlib import Path

import pytest
from errors import raises

import tain

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NAMESPACES = ["geometry.", "pyast."]


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Load what the examples compile."""
    tain.cpp.load("geometry", sources=EXAMPLES / "geometry" / "src" / "geometry.cc")
    sys.path.insert(0, str(EXAMPLES / "pyast"))
    importlib.import_module("pyast")  # compiles it
    sys.path.remove(str(EXAMPLES / "pyast"))


def keys(*, enums: bool) -> list[str]:
    found = [
        key
        for namespace in NAMESPACES
        for key in tain.type_keys(namespace)
        if issubclass(tain.get_class(key), enum.Enum) is enums
    ]
    assert found
    return found


def check_place(cls: type, key: str, doc: str) -> None:
    namespace, _, name = key.rpartition(".")
    assert cls.__name__ == cls.__qualname__ == name
    home = "pyast" if namespace == "pyast" else f"tain.types.{namespace}"  # pyast is adopted
    assert cls.__module__ == home
    assert doc
    assert (cls.__doc__ or "").startswith(doc)


def test_enums() -> None:
    for key in keys(enums=True):
        cls, info = tain.get_class(key), tain.type_info(key)
        check_place(cls, key, info.doc)
        assert [member.name for member in cls] == [member.name for member in info.members]
        assert tain.type_info(cls) == info


def test_names_places_and_parents() -> None:
    for key in keys(enums=False):
        cls, info = tain.get_class(key), tain.type_info(key)
        check_place(cls, key, info.doc)
        assert issubclass(cls, tain.Object)
        assert tain.type_info(cls) == info
        assert info.cls is cls
        assert [base.__name__ for base in cls.__mro__[1:-1]] == [
            parent.cls.__name__ for parent in info.parents
        ]


def test_constructors() -> None:
    for key in keys(enums=False):
        cls, constructor = tain.get_class(key), tain.type_info(key).constructor
        if constructor is None:
            with raises(TypeError, f"{key} has no constructor"):
                cls()
        else:
            parameters = inspect.signature(cls).parameters
            assert len(parameters) == len(constructor.args), key


def test_accessors() -> None:
    for key in keys(enums=False):
        cls, info = tain.get_class(key), tain.type_info(key)
        for field in info.fields:
            descriptor = inspect.getattr_static(cls, field.name)
            assert inspect.isdatadescriptor(descriptor), f"{key}.{field.name}"
            assert field.doc in (descriptor.__doc__ or "")
            assert descriptor.__name__ == field.name
        for accessor in info.properties:
            descriptor = inspect.getattr_static(cls, accessor.name)
            assert inspect.isdatadescriptor(descriptor), f"{key}.{accessor.name}"
            assert accessor.doc in (descriptor.__doc__ or "")
        for method in info.methods:
            found = getattr(cls, method.name)
            assert callable(found), f"{key}.{method.name}"
            if not method.name.startswith("__"):
                assert found.__name__ == method.name
                assert inspect.signature(found) is not None
                assert method.doc in (found.__doc__ or "")


def test_the_names_of_tain_itself() -> None:
    for key in tain.type_keys("ffi."):
        assert isinstance(tain.get_class(key), type), key
    for name in ("Object", "Function", "Array", "List", "Map", "Dict", "Shape", "Error"):
        assert tain.get_class(f"ffi.{name}") is getattr(tain, name)
