# SPDX-License-Identifier: Apache-2.0
"""Makes the exception classes that C++ describes with ErrorDef."""

from __future__ import annotations

from typing import Any

__all__ = ["make_error_class"]


def make_error_class(
    module: str,
    name: str,
    parent: type[BaseException],
    doc: str,
    fields: list[tuple[str, str]],
    record: int,
) -> type[BaseException]:
    """Return a class of exceptions that have the fields as attributes.

    Parameters
    ----------
    module, name : str
        Where the class is imported from.
    parent : type
        Its base class.
    doc : str
        Its documentation.
    fields : list of (str, str)
        Names and documentation of its own fields.
    record : int
        The address of the record of the ErrorDef, as an int.
    """
    inherited: tuple[str, ...] = getattr(parent, "_tain_fields", ())
    names = (*inherited, *(field for field, _ in fields if field not in inherited))

    def __init__(self: Any, *args: object, **values: object) -> None:  # noqa: N807
        for given in values:
            if given not in names:
                raise TypeError(f"{name}() got an unexpected keyword argument {given!r}")
        super(cls, self).__init__(*args)
        for field in names:
            setattr(self, field, values.get(field))

    text = doc
    if fields:
        lines = [f"{field}\n    {about}".rstrip() for field, about in fields]
        text = "\n".join([doc, "", "Attributes", "----------", *lines]).strip()
    # A class of Python that derives from another exception too may never call this __init__.
    defaults = {field: None for field, _ in fields if not hasattr(parent, field)}
    members = {
        **defaults,
        "__init__": __init__,
        "__module__": module,
        "__qualname__": name,
        "__doc__": text,
        "_tain_fields": names,
        "_tain_record": record,
    }
    cls: Any = type(name, (parent,), members)
    __init__.__qualname__ = f"{name}.__init__"
    return cls  # type: ignore[no-any-return]
