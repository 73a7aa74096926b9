# SPDX-License-Identifier: Apache-2.0
"""Classes as code: registered types, enums, and exceptions that ErrorDef describes."""

from __future__ import annotations

import typing
from collections.abc import Callable, Container
from typing import Any, cast

import tain
from tain import _core
from tain._error_classes import fields_of
from tain.stubgen._annotations import Place, annotation_text, home_of, is_registered
from tain.stubgen._functions import EQUALITIES, forms_of, write_function
from tain.stubgen._names import Names, is_spelled
from tain.stubgen._python_part import PythonPart
from tain.stubgen._values import doc_lines, literal_of, written

__all__ = ["member_names", "nested_classes", "write_enum", "write_exception", "write_type"]

_INDENT = "    "
_ENUM_BASES = {"int": ("enum", "IntEnum"), "flag": ("enum", "IntFlag")}
_ITERABLES = (tain.Array, tain.List, tain.Map, tain.Dict)


def nested_classes(cls: Any) -> dict[str, Any]:
    """Return the registered classes and enums that are attributes of a class, by name."""
    if issubclass(cls, BaseException) or isinstance(_core.type_info(cls), _core.EnumInfo):
        return {}
    prefix = f"{_core.type_info(cls).key}."
    found = {}
    for key in _core.type_keys(prefix):
        name = key[len(prefix) :]
        value = getattr(cls, name, None) if is_spelled(name) else None
        if value is not None and value is _core.find_class(key):
            found[name] = value
    return found


def member_names(cls: Any, python: PythonPart) -> set[str]:
    """Return the names of a class that hide those of its module inside its body."""
    return _registered_names(cls) | python.names | set(nested_classes(cls))


def _registered_names(cls: Any) -> set[str]:
    if issubclass(cls, BaseException):
        return set(fields_of(cls))
    info = _core.type_info(cls)
    if isinstance(info, _core.EnumInfo):
        return {member.name for member in info.members}
    kinds = (info.own_fields, info.own_methods, _own(info.properties, info), info.constants)
    return {member.name for kind in kinds for member in kind}


def _own(members: Any, info: _core.TypeInfo) -> list[Any]:
    return [member for member in members if member.key == info.key]


def _body(head: str, parts: list[list[str]], notes: list[str]) -> list[str]:
    lines = [line for part in parts for line in part]
    if notes:
        lines.append(f"{_INDENT}# no Python code spells: {', '.join(map(ascii, notes))}")
    if not any(part for part in parts):
        lines.append(f"{_INDENT}...")
    return [head, *lines]


# ---------------------------------------------------------------- types


def write_type(name: str, info: _core.TypeInfo, names: Names, python: PythonPart) -> list[str]:
    """Return the lines of the class of a registered type, with what Python code adds to it."""
    abstract: frozenset[str] = getattr(info.cls, "__abstractmethods__", frozenset())
    base = tain.Object if info.parent is None else info.parent.cls

    def each(write: Callable[..., list[str]], members: Any, *args: Any) -> list[list[str]]:
        shown = [member for member in _spelled(members) if member.name not in python.names]
        return [written(m.name, _INDENT, write, m, names, *args) for m in shown]

    parts = [
        doc_lines(python.doc or info.doc, _INDENT),
        _match_args(info),
        *each(_constant, _own_constants(info)),
        *each(_attribute, info.own_fields),
        *each(_attribute, _own(info.properties, info)),
        [] if "__init__" in python.names else _constructor(info, names),
        *_comparisons(info, names, python.names),
        *each(_method, info.own_methods),
        # The type may define them in C++, or still not.
        *each(_method, [m for m in info.methods if m.is_abstract and m.key != info.key], abstract),
        python.lines(names),
    ]
    lines = [f"@{names.use('typing', 'final')}"] if info.is_final else []
    head = f"class {name}({', '.join([*python.bases(names), names.use(*home_of(base))])}):"
    return lines + _body(
        head, parts, sorted(n for n in _registered_names(info.cls) if not is_spelled(n))
    )


def _spelled(members: Any) -> list[Any]:
    return [member for member in members if is_spelled(member.name)]


def _own_constants(info: _core.TypeInfo) -> list[Any]:
    inherited = {c.name for c in info.parent.constants} if info.parent is not None else set()
    mine = _own_members(info)
    return [c for c in _spelled(info.constants) if c.name not in inherited or c.name in mine]


def _own_members(info: _core.TypeInfo) -> dict[str, Any]:
    """Return the members of the class of a type: those of tain's class, and those of Python's."""
    parent: Any = tain.Object if info.parent is None else info.parent.cls
    mro = cast(type, info.cls).__mro__
    classes = mro[: mro.index(parent)]
    own: dict[str, Any] = {}
    for cls in reversed(classes):
        if is_registered(cls):
            own |= vars(cls)
    return own


def _match_args(info: _core.TypeInfo) -> list[str]:
    names = _own_members(info).get("__match_args__")
    return [] if names is None else [f"{_INDENT}__match_args__ = {names!r}"]


def constant_line(name: str, kind: str, value: object, names: Names) -> str:
    """Return the line of a constant that is `Final` or `ClassVar`."""
    annotation = annotation_text(type(value), Place.RESULT, names)
    literal = literal_of(value)
    text = "" if literal is None else f" = {literal}"
    return f"{name}: {names.use('typing', kind)}[{annotation}]{text}"


def _constant(constant: _core.ConstantInfo, names: Names) -> list[str]:
    text = constant_line(constant.name, "ClassVar", constant.value, names)
    return [_INDENT + text, *doc_lines(constant.doc, _INDENT)]


def _attribute(member: Any, names: Names) -> list[str]:
    """Write a field or a property: an attribute, or a property if reading and writing differ."""
    check = getattr(member, "check", "")  # of a field

    def text(place: Place) -> str:
        inner = annotation_text(member.annotation, place, names)
        return f"{names.use('typing', 'Annotated')}[{inner}, {check!r}]" if check else inner

    writable = member.writable
    got = text(Place.RESULT)
    taken = text(Place.PARAMETER) if writable else got
    if writable and got == taken:
        return [f"{_INDENT}{member.name}: {got}", *doc_lines(member.doc, _INDENT)]
    return _property(member, got, taken if writable else None, names)


def _property(member: Any, got: str, taken: str | None, names: Names) -> list[str]:
    """Write a property that gives the type `got`; `taken` is that of its setter, if it has one."""
    decorator = names.use("builtins", "property")
    head = f"{_INDENT}def {member.name}(self) -> {got}:"
    inner = doc_lines(member.doc, _INDENT * 2)
    lines = [f"{_INDENT}@{decorator}", *([head, *inner] if inner else [f"{head} ..."])]
    if taken is not None:
        lines += [
            f"{_INDENT}@{member.name}.setter",
            f"{_INDENT}def {member.name}(self, value: {taken}, /) -> None: ...",
        ]
    return lines


def _constructor(info: _core.TypeInfo, names: Names) -> list[str]:
    found = info.constructor
    if found is None:
        # No value has the type NoReturn, so every call of the class is an error.
        more, never = names.use("typing", "Any"), names.use("typing", "NoReturn")
        given = f"self, *args: {more}, _no_constructor: {never}, **kwargs: {more}"
        return [f"{_INDENT}def __init__({given}) -> None: ..."]

    def write() -> list[str]:
        forms = forms_of(found, names, name="__init__", receiver=True, result="None")
        return write_function("__init__", forms, names, _INDENT)

    return written("__init__", _INDENT, write)


def _comparisons(info: _core.TypeInfo, names: Names, python: set[str]) -> list[list[str]]:
    own = _own_members(info)
    registered = python | {method.name for method in info.own_methods}
    result = names.use("builtins", "bool")
    lines = []
    if info.has_eq and "__eq__" in own and "__eq__" not in registered:
        any_object = names.use("builtins", "object")
        lines.append([f"{_INDENT}def __eq__(self, value: {any_object}, /) -> {result}: ..."])
    if info.has_order:
        other = names.use(*home_of(info.cls))
        lines += [
            [f"{_INDENT}def {each}(self, value: {other}, /) -> {result}: ..."]
            for each in ("__lt__", "__le__", "__gt__", "__ge__")
            if each in own and each not in registered
        ]
    if "__hash__" in own and "__hash__" not in registered:
        if own["__hash__"] is None:
            any_var = names.use("typing", "ClassVar")
            lines.append([f"{_INDENT}__hash__: {any_var}[None]"])
        else:
            integer = names.use("builtins", "int")
            lines.append([f"{_INDENT}def __hash__(self) -> {integer}: ..."])
    return lines


def _method(
    method: _core.MethodInfo, names: Names, abstract: Container[str] | None = None
) -> list[str]:
    """Write a method; with `abstract`, an inherited one, which is abstract if it is in there."""
    decorators = []
    if method.is_static:
        decorators.append(names.use("builtins", "staticmethod"))
    if method.is_final:
        decorators.append(names.use("typing", "final"))
    if method.is_abstract if abstract is None else method.name in abstract:
        decorators.append(names.use("abc", "abstractmethod"))
    function = method.function
    result = _iterator(function, names) if method.name == "__iter__" else None
    if method.name in EQUALITIES:
        result = names.use("builtins", "bool")
    forms = forms_of(
        function,
        names,
        name=method.name,
        receiver=not method.is_static,
        result=result,
        doc=method.doc,
    )
    return write_function(method.name, forms, names, _INDENT, decorators)


def _iterator(function: _core.FunctionInfo, names: Names) -> str | None:
    """Return the result of an `__iter__`: an iterator, also if C++ returns a container."""
    declared = function.signature.return_annotation
    if typing.get_origin(declared) not in _ITERABLES:
        return None
    element = annotation_text(typing.get_args(declared)[0], Place.RESULT, names)
    return f"{names.use('collections.abc', 'Iterator')}[{element}]"


# ---------------------------------------------------------------- enums, exceptions


def write_enum(name: str, info: _core.EnumInfo, names: Names) -> list[str]:
    """Return the lines of the class of an enum."""
    bases = names.str_enum() if info.kind == "str" else names.use(*_ENUM_BASES[info.kind])
    parts = [doc_lines(info.doc, _INDENT)]
    parts += [
        [f"{_INDENT}{member.name} = {member.value!r}", *doc_lines(member.doc, _INDENT)]
        for member in _spelled(info.members)
    ]
    return _body(
        f"class {name}({bases}):", parts, [m.name for m in info.members if not is_spelled(m.name)]
    )


def write_exception(name: str, cls: type[BaseException], names: Names) -> list[str]:
    """Return the lines of an exception class that ErrorDef describes."""
    own = vars(cls)
    fields = [field for field in fields_of(cls).values() if is_spelled(field.name)]
    keywords = [f"{each.name}: {_of_field(each, Place.PARAMETER, names)} = ..." for each in fields]
    parameters = ["self", "/", f"*args: {names.use('builtins', 'object')}", *keywords]
    parts = [
        doc_lines(cls.__doc__, _INDENT),
        # A property, because the attribute of the class is the description of the field.
        *(
            _property(
                field,
                _of_field(field, Place.RESULT, names),
                _of_field(field, Place.PARAMETER, names),
                names,
            )
            for field in fields
            if field.name in own
        ),
        [f"{_INDENT}def __init__({', '.join(parameters)}) -> None: ..."],
    ]
    return _body(f"class {name}({names.use(*home_of(cls.__mro__[1]))}):", parts, [])


def _of_field(field: _core.ErrorFieldInfo, place: Place, names: Names) -> str:
    alternatives: tuple[Any, ...] = (field.annotation,)
    if place is Place.RESULT and not field.has_default:
        alternatives = (field.annotation, None)
    union: Any = typing.Union[alternatives]  # noqa: UP007 -- a str takes no operator |
    return annotation_text(union, place, names)
