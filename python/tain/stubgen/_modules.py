# SPDX-License-Identifier: Apache-2.0
"""Modules as code: packages that adopted namespaces, and the namespaces of `tain.types`."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import tain
from tain import _adoption, _core
from tain.stubgen._annotations import Place, annotation_text
from tain.stubgen._classes import member_names, write_enum, write_exception, write_type
from tain.stubgen._functions import Form, forms_of, write_function
from tain.stubgen._names import Names, is_spelled
from tain.stubgen._source import SourceMembers
from tain.stubgen._values import default_text, not_written

__all__ = ["import_named", "namespace_stubs", "package_stubs"]

_ROOT = "tain.types"
_ERRORS = "ffi.Error."
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
        name: adopter.namespaces
        for name, adopter in sorted(_adoption._adopters.items())
        if name == package or name.startswith(f"{package}.")
    }
    if not adopted:
        raise ValueError(
            f"{package} has no module that calls tain.init_ffi_api, so its stub would be empty: "
            f"for the types in tain.types give the option --types and a namespace"
        )
    stubs = {}
    for name, namespaces in adopted.items():
        module = sys.modules[name]
        found: dict[str, Any] = {}
        for namespace in namespaces:
            for key, value in _registered(namespace).items():
                if vars(module).get(key) is value:
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
        for home in {_home(value) for value in found.values()} - {module, ""}:
            if not _has_stub(home):
                moved[home] = module
    return {module: _write(module, found, None, moved) for module, found in sorted(every.items())}


def _nested(namespace: str) -> list[str]:
    """Return a namespace and those inside it, as far as import statements reach them."""
    prefix = f"{namespace}."
    found = {namespace}
    names = [n.removeprefix(_ERRORS) for n in _core.list_global_func_names()]
    for key in [*_core.type_keys(prefix), *names]:
        if key.startswith(prefix) and all(map(str.isidentifier, key.split("."))):
            parts = key.split(".")[:-1]
            for count in range(1, len(parts) + 1):
                inner = ".".join(parts[:count])
                if inner.startswith(prefix):
                    found.add(inner)
    return sorted(each for each in found if all(map(is_spelled, each.split("."))))


def _registered(namespace: str) -> dict[str, Any]:
    """Return what is registered in a namespace, by name: types, enums, exceptions, functions."""
    start = f"{namespace}."
    functions = _core.list_global_func_names()
    keys = [
        *_core.type_keys(start),
        *(name.removeprefix(_ERRORS) for name in functions if name.startswith(_ERRORS)),
        *functions,
    ]
    found: dict[str, Any] = {}
    for key in sorted(keys):
        name = key[len(start) :]
        if not key.startswith(start) or not is_spelled(name) or name in found:
            continue
        value = _core.find_class(key)
        if value is None:
            value = _core.get_global_func(key, allow_missing=True)
        if value is not None:
            found[name] = value
    return found


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
    declared: dict[str, Any] = {}
    imported: dict[str, Any] = {}
    for name, value in found.items():
        home = _home(value)
        elsewhere = isinstance(value, type) and moved.get(home, home) != module
        (imported if elsewhere else declared)[name] = value
    members: set[str] = set()
    for value in declared.values():
        if isinstance(value, type):
            members |= member_names(value)
    own = set(found) | (source.names if source is not None else set())
    names = Names(module, own, members, moved)
    classes = {name: value for name, value in declared.items() if isinstance(value, type)}
    blocks = [_block(_class, name, classes[name], names) for name in _by_bases(classes)]
    blocks += [
        _block(_function, name, value, names)
        for name, value in declared.items()
        if not isinstance(value, type)
    ]
    again = [
        f"from {value.__module__} import {value.__name__} as {name}"
        for name, value in imported.items()
    ]
    made = names.definitions()  # before the imports: it uses modules
    lines = [*_HEAD]
    doc = source.doc if source is not None else None
    if doc:
        lines.append(doc)
    lines += ["", *names.imports(), *again]
    if source is None:  # a namespace of tain.types lists its names
        lines += ["", f"__all__ = {sorted(found)!r}"]
    if made:
        lines += ["", *made]
    if source is not None and source.code:
        given = {*names.imports(), *again}
        lines += ["", *(line for line in source.code if line not in given)]
    for block in blocks:
        lines += ["", *block]
    return "\n".join(lines) + "\n"


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


def _block(
    write: Callable[[str, Any, Names], list[str]], name: str, value: Any, names: Names
) -> list[str]:
    """Return the lines of a class or a function, or a comment why it cannot be written."""
    try:
        return write(name, value, names)
    except Exception as error:
        return [not_written(name, error)]


def _class(name: str, cls: type, names: Names) -> list[str]:
    names.enter(member_names(cls))
    try:
        return _class_lines(name, cls, names)
    finally:
        names.enter()


def _class_lines(name: str, cls: type, names: Names) -> list[str]:
    if issubclass(cls, BaseException):
        return write_exception(name, cls, names)
    info = _core.type_info(cls)
    if isinstance(info, _core.EnumInfo):
        return write_enum(name, info, names)
    return write_type(name, info, names)


def _function(name: str, function: Any, names: Names) -> list[str]:
    info = _core.function_info(function) if isinstance(function, tain.Function) else None
    if info is None or (info.is_packed and not info.overloads):
        forms = [_python_form(function, names)]
    else:
        forms = forms_of(info, names, name=name, receiver=False)
    return write_function(name, forms, names)


def _python_form(function: Any, names: Names) -> Form:
    """Return the form of a function that has no record, such as one of Python."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except (TypeError, ValueError, NameError):
        signature = inspect.signature(lambda *args, **kwargs: None)
    any_type = names.use("typing", "Any")
    texts = []
    for parameter in signature.parameters.values():
        annotation = any_type
        if _is_plain(parameter.annotation):
            annotation = annotation_text(parameter.annotation, Place.RESULT, names)
        new = parameter.replace(annotation=parameter.empty)
        if new.default is not new.empty:
            default = default_text(new.default, annotation, names)
            texts.append((new.replace(default=new.empty), f": {annotation} = {default}"))
        else:
            texts.append((new, f": {annotation}"))
    shown: list[str] = []
    before: inspect._ParameterKind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter, rest in texts:
        kind = parameter.kind
        if before is inspect.Parameter.POSITIONAL_ONLY and kind is not before:
            shown.append("/")
        if kind is inspect.Parameter.KEYWORD_ONLY and before < inspect.Parameter.VAR_POSITIONAL:
            shown.append("*")
        shown.append(f"{parameter}{rest}")
        before = kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        shown.append("/")
    result = any_type
    if _is_plain(signature.return_annotation):
        result = annotation_text(signature.return_annotation, Place.RESULT, names)
    doc = getattr(getattr(function, "__wrapped__", None), "__doc__", None)
    return Form(", ".join(shown), result, doc or "", ())


def _is_plain(annotation: object) -> bool:
    """Return whether an annotation of Python code is a class of Python or a union of such."""
    if annotation is None:
        return True
    if isinstance(annotation, types.UnionType):
        return all(map(_is_plain, annotation.__args__))
    if isinstance(annotation, type):
        return annotation in (int, float, bool, str, bytes, complex, type(None))
    return False
