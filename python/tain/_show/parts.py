# SPDX-License-Identifier: Apache-2.0
"""The parts of a value: fields, attributes of Python subclasses, elements, entries.

Registered objects and tain's containers have parts, and Python's list, tuple and dict too.
Everything else is a leaf. Reading parts may run code of users, such as getters; a part that cannot
be read is an `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import MemberDescriptorType
from typing import Any, Final, NamedTuple

from tain import Function, Object, Shape, Tensor, _core
from tain._show.leaves import Unreadable, leaf_text, printable, type_name

__all__ = ["ALL", "Content", "Entry", "Part", "content_of", "identity_of", "is_object", "name_of"]

# As a limit: no limit.
ALL: Final = 1 << 62

# The attributes of a class itself, without asking its metaclass.
_mro = type.__dict__["__mro__"].__get__
_members = type.__dict__["__dict__"].__get__
_dictoffset = type.__dict__["__dictoffset__"].__get__

_HIDDEN, _IGNORED, _ERROR = 1, 2, 4  # the flags of tain._core.parts
_LEAVES = (Function, Shape, Tensor)
_PLAIN = frozenset({bool, bytes, float, int, str, type(None)})  # the most frequent leaves


class Part(NamedTuple):
    """One part of a value."""

    label: str  # as lines show it: `left`, `.note`, `[0]`, `['a']`
    step: str  # as it follows another one: `.left`, `.note`, `[0]`, `['a']`
    place: tuple[str, Any] | None  # kind and value of the step of an AccessPath; None for no step
    value: Any
    ignored: bool = False  # by structural comparison


class Entry:
    """An entry of a mapping whose key has parts of its own."""

    def __init__(self, key: Any, value: Any) -> None:
        self.key = key
        self.value = value


class Content(NamedTuple):
    """The parts of a value."""

    form: str  # 'fields', 'elements' or 'entries'
    total: int  # also those that are not in `parts`
    parts: list[Part]

    @property
    def is_container(self) -> bool:
        """Whether the number of parts depends on the value."""
        return self.form != "fields"


def is_object(value: object) -> bool:
    """Return whether a value is a registered object; a `__class__` that lies does not count."""
    return issubclass(type(value), Object)


def identity_of(value: object) -> int:
    """Return a number that only this value has while it lives.

    Two wrappers of one C++ object have the same one.
    """
    return (is_object(value) and Object.__chandle__(value)) or id(value)  # type: ignore[arg-type]


def content_of(value: Any, limit: int) -> Content | None:
    """Return the first parts of a value; None if it is a leaf.

    With limit 0 no part is read.
    """
    cls = type(value)
    if cls in _PLAIN:
        return None
    if cls is list or cls is tuple:
        shown = [_element(index, item) for index, item in enumerate(value[:limit])]
        return Content("elements", len(value), shown)
    if cls is Entry:
        return Content("fields", 2, [_of_entry("key", value.key), _of_entry("value", value.value)])
    if cls is dict:
        entries = [(key, item, 0) for key, item in islice(value.items(), limit)]
        return Content("entries", len(value), list(_entries(entries)))
    return _content_of_object(value, limit) if is_object(value) else None


def name_of(value: Any, content: Content | None) -> str:
    """Return the name of a value's class, with the number of parts of a container."""
    name = type_name(value)
    return f"{name} ({content.total})" if content is not None and content.is_container else name


def _content_of_object(value: Any, limit: int) -> Content | None:
    native = None if issubclass(type(value), _LEAVES) else _core.parts(value, limit)
    form, total, found = native or ("", 0, [])
    attributes = _attributes_of(value)
    if form == "elements":
        parts = [_element(index, _read(item, flags)) for index, item, flags in found]
    elif form == "entries":
        parts = list(_entries(found))
    else:
        form = "fields"
        parts = [
            _field(name, _read(item, flags), bool(flags & _IGNORED))
            for name, item, flags in found
            if not flags & _HIDDEN
        ]
        total -= len(found) - len(parts)
        if total + len(attributes) == 0:
            return None
    return Content(form, total + len(attributes), [*attributes, *parts] if limit else [])


def _field(name: str, value: Any, ignored: bool = False) -> Part:
    shown = printable(name)
    return Part(shown, f".{shown}", ("attr", name), value, ignored)


def _of_entry(name: str, value: Any) -> Part:
    return Part(name, f".{name}", None, value)


def _element(index: int, value: Any) -> Part:
    return Part(f"[{index}]", f"[{index}]", ("index", index), value)


def _entries(found: list[tuple[Any, Any, int]]) -> Iterator[Part]:
    for index, (key, value, flags) in enumerate(found):
        if content_of(key, 0) is None:
            label = f"[{leaf_text(key, None)}]"
            yield Part(label, label, ("key", key), _read(value, flags))
        else:
            step = f"[{type_name(key)} {index}]"
            yield Part(step, step, ("key", key), Entry(key, _read(value, flags)))


def _read(value: Any, flags: int) -> Any:
    return Unreadable(value) if flags & _ERROR else value


def _attributes_of(value: Any) -> list[Part]:
    """Return what a Python subclass keeps in `__dict__` and `__slots__`."""
    cls = type(value)
    found: dict[str, Any] = {}
    for base in _mro(cls):
        members = _members(base)
        if "__slots__" not in members:
            continue
        for name, member in list(members.items()):
            if type(member) is MemberDescriptorType and name not in found:
                try:
                    found[name] = member.__get__(value)
                except AttributeError:  # the slot is empty
                    continue
    if _dictoffset(cls):
        try:
            state = object.__getattribute__(value, "__dict__")
        except Exception as error:  # the class has a property of this name
            found["__dict__"] = Unreadable(error)
        else:
            found.update(list(state.items()) if type(state) is dict else {"__dict__": state})
    parts = []
    for name, item in found.items():
        shown = f".{printable(name) if type(name) is str else leaf_text(name, None)}"
        parts.append(Part(shown, shown, ("attr", str(name)), item))
    return parts
