# SPDX-License-Identifier: Apache-2.0
"""The members that a class written in Python adds to the C++ type for which it is registered."""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from tain.stubgen._annotations import home_of, is_registered
from tain.stubgen._functions import Form, python_form, write_function
from tain.stubgen._names import Names, is_spelled

__all__ = ["PythonPart"]

_INDENT = "    "
_WRAPPERS: dict[type, tuple[str, str]] = {
    staticmethod: ("builtins", "staticmethod"),
    classmethod: ("builtins", "classmethod"),
    property: ("builtins", "property"),
    functools.cached_property: ("functools", "cached_property"),
}


class PythonPart:
    """The members that Python code defines in a class; none in a class that tain made.

    Parameters
    ----------
    cls : type
        The class of a registered type.
    statement : ast.ClassDef, optional
        Its definition without code, if it stands in the module that the stub describes. Otherwise
        the members are those of the class object, as far as their annotations can be written.

    Attributes
    ----------
    names : set of str
        The names of the members, which hide those of C++.
    doc : str or None
        The docstring.
    """

    def __init__(self, cls: type, statement: ast.ClassDef | None = None) -> None:
        self._cls = cls
        self._body = None if statement is None else _without_docstring(statement)
        self._members = dict(_members_of(cls)) if statement is None else {}
        self.names = set(self._members) if self._body is None else _names_in(self._body)
        is_python = statement is not None or bool(self._members)
        self.doc = cls.__doc__ if is_python else None

    def bases(self, names: Names) -> list[str]:
        """Return the code of the bases that are not of a registered type."""
        others = [b for b in self._cls.__bases__ if b is not object and not is_registered(b)]
        homes = [home for home in map(home_of, others) if home[1]]
        return [names.use(*home, registered=False) for home in homes]

    def lines(self, names: Names) -> list[str]:
        """Return the code of the members."""
        if self._body is not None:
            return [
                f"{_INDENT}{line}" for each in self._body for line in ast.unparse(each).splitlines()
            ]
        return [
            line
            for name, member in self._members.items()
            for line in _member_lines(name, member, names)
        ]


def _without_docstring(statement: ast.ClassDef) -> list[ast.stmt]:
    first, *rest = statement.body
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)  # or `...`
    return rest if is_text else [first, *rest]


def _names_in(body: list[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for each in body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(each.name)
        targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def _members_of(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the functions and properties that the class statement of a class defines."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    for name, member in vars(cls).items():
        code = getattr(_function_of(member), "__code__", None)
        if code is None or not is_spelled(name):
            continue
        # Code that decorators such as py_class write themselves is in no file.
        if code.co_filename == file or (file is None and not name.startswith("__")):
            yield name, member


def _function_of(member: Any) -> types.FunctionType | None:
    for attribute in ("fget", "func", "__func__", "__wrapped__"):
        inner = getattr(member, attribute, None)
        if isinstance(inner, types.FunctionType):
            return inner
    return member if isinstance(member, types.FunctionType) else None


def _member_lines(name: str, member: Any, names: Names) -> list[str]:
    decorator = _WRAPPERS.get(type(member))
    decorators = [] if decorator is None else [names.use(*decorator)]

    def form(function: Any) -> Form:
        return python_form(function, names, receiver=not isinstance(member, staticmethod))

    lines = write_function(name, [form(_function_of(member))], names, _INDENT, decorators)
    setter: Callable[..., Any] | None = getattr(member, "fset", None)
    if setter is not None:
        lines += write_function(name, [form(setter)], names, _INDENT, [f"{name}.setter"])
    return lines
