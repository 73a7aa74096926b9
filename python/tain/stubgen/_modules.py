# SPDX-License-Identifier: Apache-2.0
"""Modules as code: packages that adopted namespaces, and the namespaces of `tain.types`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import tain
from tain import _adoption, _core, _discovery
from tain.stubgen._annotations import home_of
from tain.stubgen._classes import (
    constant_line,
    member_names,
    nested_classes,
    write_enum,
    write_exception,
    write_type,
)
from tain.stubgen._functions import forms_of, python_form, write_function
from tain.stubgen._names import Names, is_spelled
from tain.stubgen._python_part import PythonPart
from tain.stubgen._source import SourceMembers
from tain.stubgen._values import doc_lines, written

__all__ = ["import_named", "namespace_stubs", "package_stubs"]

_ROOT = "tain.types"
_HEAD = [
    "# Written by `python -m tain stubgen`; do not edit.",
    "# A C++ class may change what it inherits, and overloads may overlap.",
    '# mypy: disable-error-code="override, assignment, misc, overload-overlap, '
    'overload-cannot-match, mutable-override"',
    "# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false",
    "# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false",
]


def import_named(name: str, prefix: str = "") -> None:
    """Import a module; raise ValueError if the text is no name, but the path of a file."""
    if not all(map(str.isidentifier, name.split("."))):
        what = "namespace" if prefix else "module"
        raise ValueError(f"expected the name of a {what}, such as 'geometry', got {name!r}")
    importlib.import_module(prefix + name)


def package_stubs(package: str) -> dict[str, str]:
    """Return the stubs of the modules of a package that adopted a namespace.

    Parameters
    ----------
    package : str
        The name of a module; it is imported.

    Returns
    -------
    dict of str to str
        By the names of the modules, the texts of their stubs.

    Raises
    ------
    ImportError
        There is no such module.
    ValueError
        The text is no name, or no module of the package has called `tain.init_ffi_api`.
    """
    import_named(package)
    adopted = {
        name: adopter
        for name, adopter in sorted(_adoption._adopters.items())
        if name == package or name.startswith(f"{package}.")
    }
    if not adopted:
        raise ValueError(
            f"{package} has no module that calls tain.init_ffi_api, so its stub would be empty: "
            f"for the types in tain.types give the option --types and a namespace"
        )
    stubs = {}
    for name, adopter in adopted.items():
        module = sys.modules[name]
        given = adopter.given
        found: dict[str, Any] = {}
        for namespace in adopter.namespaces:
            for key, value in _registered(namespace).items():
                # The module may have assigned other values to the names.
                if vars(module).get(key) is given.get(key, _discovery.NOTHING):
                    found.setdefault(key, value)
        stubs[name] = _write(name, found, SourceMembers(module, set(found)), {})
    return stubs


def namespace_stubs(*namespaces: str) -> dict[str, str]:
    """Return the stubs of namespaces of `tain.types`, with those inside them.

    Types of a package that has a stub are imported from it; all others are declared.

    Parameters
    ----------
    *namespaces : str
        The namespaces, such as ``"geometry"``. A library or package that is not loaded yet is
        found by its entry point.

    Returns
    -------
    dict of str to str
        By the names of the modules, the texts of their stubs.

    Raises
    ------
    ImportError
        There is no such namespace.
    """
    every: dict[str, dict[str, Any]] = {}
    for namespace in namespaces:
        import_named(namespace, f"{_ROOT}.")
        for each in _nested(namespace):
            every[f"{_ROOT}.{each}"] = _registered(each)
    moved = {}
    for module, found in every.items():
        homes = {_home(value) for value in found.values() if not _is_nested(value)}
        for home in homes - {*every, ""}:
            if not _has_stub(home):
                moved[home] = module
    return {module: _write(module, found, None, moved) for module, found in sorted(every.items())}


def _nested(namespace: str) -> list[str]:
    """Return a namespace and those inside it, as far as import statements reach them."""
    prefix = f"{namespace}."
    found = {namespace}
    for key in _discovery.registered(prefix):
        parts = key.split(".")[:-1]
        for count in range(1, len(parts) + 1):
            inner = ".".join(parts[:count])
            if inner.startswith(prefix) and all(map(str.isidentifier, key.split("."))):
                found.add(inner)
    return sorted(each for each in found if all(map(is_spelled, each.split("."))))


class _Constant(NamedTuple):
    """A constant of a namespace."""

    key: str
    value: object


def _registered(namespace: str) -> dict[str, Any]:
    """Return what is registered in a namespace, by name: classes, functions and `_Constant`."""
    start = f"{namespace}."
    found: dict[str, Any] = {}
    for key in sorted(set(_discovery.registered(start))):
        name = key[len(start) :]
        value = _discovery.find(key) if is_spelled(name) else _discovery.NOTHING
        if value is _discovery.NOTHING:
            continue
        is_constant = not isinstance(value, type) and _discovery.constant(key) is not None
        found[name] = _Constant(key, value) if is_constant else value
    return found


def _is_nested(value: Any) -> bool:
    return isinstance(value, type) and "." in value.__qualname__


def _home(value: Any) -> str:
    return value.__module__ if isinstance(value, type) else ""


def _has_stub(module: str) -> bool:
    """Return whether a module has a stub beside it, or its package says that it is typed."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and os.path.isfile(f"{os.path.splitext(file)[0]}.pyi")


# ---------------------------------------------------------------- one module


def _write(
    module: str, found: dict[str, Any], source: SourceMembers | None, moved: dict[str, str]
) -> str:
    constants = {name: each for name, each in found.items() if isinstance(each, _Constant)}
    declared: dict[str, Any] = {}
    imported: dict[str, Any] = {}
    for name, value in found.items():
        home = _home(value)
        elsewhere = isinstance(value, type) and moved.get(home, home) != module
        elsewhere = elsewhere or _is_nested(value)
        if name not in constants:
            (imported if elsewhere else declared)[name] = value
    classes = {name: value for name, value in declared.items() if isinstance(value, type)}
    definitions = source.classes if source is not None else {}
    python = {name: PythonPart(value, definitions.get(name)) for name, value in classes.items()}
    all_members = (_all_member_names(value, python[name]) for name, value in classes.items())
    members: set[str] = set().union(*all_members)
    own = set(found) | (source.names if source is not None else set())
    names = Names(module, own, members, moved)
    writes: list[tuple[Callable[..., list[str]], str, Any]] = [
        *((_constant, name, each) for name, each in constants.items()),
        *((_class, name, (classes[name], python[name])) for name in _by_bases(classes)),
        *((_function, name, each) for name, each in declared.items() if name not in classes),
    ]
    blocks = [written(name, "", write, name, value, names) for write, name, value in writes]
    again = [_imported(name, value, names) for name, value in imported.items()]
    made = names.definitions()  # before the imports: it uses modules
    lines = [*_HEAD]
    doc = source.doc if source is not None else None
    if doc is None and "__doc__" in constants:
        doc = "\n".join(doc_lines(str(constants["__doc__"].value), ""))
    if doc:
        lines.append(doc)
    lines += ["", *names.imports(), *sorted(again)]
    if source is None:  # a namespace of tain.types lists its names
        lines += ["", f"__all__ = {sorted(name for name in found if name[:2] != '__')!r}"]
    if made:
        lines += ["", *made]
    if source is not None and source.code:
        given = {*names.imports(), *again}
        lines += ["", *(line for line in source.code if line not in given)]
    for block in blocks:
        lines += ["", *block] if block else []
    return "\n".join(lines) + "\n"


def _all_member_names(cls: type, python: PythonPart) -> set[str]:
    """Return the names of the members of a class and of those nested in it."""
    found = member_names(cls, python)
    for inner in nested_classes(cls).values():
        if _is_nested(inner):
            found |= _all_member_names(inner, PythonPart(inner))
    return found


def _imported(name: str, cls: type, names: Names) -> str:
    """Return the line that imports a class, or makes another name for a nested one."""
    if _is_nested(cls):
        return f"{name} = {names.use(cls.__module__, cls.__qualname__)}"
    return f"from {cls.__module__} import {cls.__name__} as {name}"


def _constant(name: str, constant: _Constant, names: Names) -> list[str]:
    if name == "__doc__":
        return []  # it is the docstring of the stub
    text = constant_line(name, "Final", constant.value, names)
    if name[:2] == "__":  # versions change
        text = text.partition(" = ")[0]
    return [text, *doc_lines(_discovery.doc_of_constant(constant.key), "")]


def _by_bases(classes: dict[str, type]) -> list[str]:
    """Return the names of classes, each after its bases, otherwise sorted."""
    order: list[str] = []
    of_class = {value: name for name, value in classes.items()}

    def add(name: str) -> None:
        if name in order:
            return
        for base in classes[name].__mro__[1:]:
            if base in of_class:
                add(of_class[base])
        if name not in order:
            order.append(name)

    for name in sorted(classes):
        add(name)
    return order


def _class(name: str, what: tuple[type, PythonPart], names: Names) -> list[str]:
    cls, python = what
    names.enter(member_names(cls, python))
    try:
        lines = _class_lines(name, cls, python, names)
    finally:
        names.enter()
    nested = nested_classes(cls)
    for inner_name in _by_bases(nested):
        inner = nested[inner_name]
        if _is_nested(inner):
            what = inner, PythonPart(inner)
            inside = written(inner_name, "", _class, inner_name, what, names)
        else:  # a class that Python code registers
            inside = [f"{inner_name} = {names.use(*home_of(inner))}"]
        lines += ["", *(f"    {line}" if line else line for line in inside)]
    return lines


def _class_lines(name: str, cls: type, python: PythonPart, names: Names) -> list[str]:
    if issubclass(cls, BaseException):
        return write_exception(name, cls, names)
    info = _core.type_info(cls)
    if isinstance(info, _core.EnumInfo):
        return write_enum(name, info, names)
    return write_type(name, info, names, python)


def _function(name: str, function: Any, names: Names) -> list[str]:
    info = _core.function_info(function) if isinstance(function, tain.Function) else None
    if info is None or (info.is_packed and not info.overloads):
        forms = [python_form(function, names)]
    else:
        forms = forms_of(info, names, name=name, receiver=False)
    return write_function(name, forms, names)
