# SPDX-License-Identifier: Apache-2.0
"""Makes the exception classes that C++ describes with ErrorDef."""

from __future__ import annotations

from typing import Any

from tain import _core

__all__ = ["fields_of", "make_error_class"]


class _FieldDoc:
    """The docstring of a field: its type, which Sphinx's napoleon reads, and the author's text."""

    def __get__(self, field: _core.ErrorFieldInfo | None, cls: type | None = None) -> str:
        if field is None:
            return "A field of an exception class."
        return f"{field.type}: {field.doc}" if field.doc else field.type


_described: Any = _core.ErrorFieldInfo
_described.__doc__ = _FieldDoc()


def fields_of(cls: type[BaseException]) -> dict[str, _core.ErrorFieldInfo]:
    """Return the fields of an exception class by name, those of its parents first."""
    members = (member for base in reversed(cls.__mro__) for member in vars(base).items())
    return {name: each for name, each in members if isinstance(each, _core.ErrorFieldInfo)}


def make_error_class(
    module: str,
    name: str,
    parent: type[BaseException],
    doc: str,
    fields: list[_core.ErrorFieldInfo],
    record: _core.ErrorInfo,
) -> type[BaseException]:
    """Return a class of exceptions that have its own and the parent's fields as attributes.

    It is imported from the module by its name; `record` is the identity of what C++ said of it.
    """

    def __init__(self: Any, /, *args: object, **values: object) -> None:  # noqa: N807
        for given in values:
            if given not in known:
                near = _core.near_matches(given, sorted(known))
                said = f"{name}() got an unexpected keyword argument {given!r}"
                raise TypeError(f"{said}.{near}" if near else said)
        super(cls, self).__init__(*args)
        # All are converted before the first is set.
        for field, value in {each: known[each].convert(values[each]) for each in values}.items():
            setattr(self, field, value)

    members = {
        **{field.name: field for field in fields},
        "__init__": __init__,
        "__module__": module,
        "__qualname__": name,
        "__doc__": doc,
        "_tain_record": record,
    }
    cls: Any = type(name, (parent,), members)
    known = fields_of(cls)
    __init__.__qualname__ = f"{name}.__init__"
    return cls  # type: ignore[no-any-return]
