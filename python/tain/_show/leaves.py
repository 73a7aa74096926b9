# SPDX-License-Identifier: Apache-2.0
"""Names of types and short texts of values without parts, on one line.

Code of users may fail while it makes such a text, and then the text says so. The texts contain
printable characters only.
"""

from __future__ import annotations

import enum
import re
import reprlib
from typing import Any

from tain import Function, Tensor

__all__ = ["Failure", "Unreadable", "cut", "error_text", "leaf_text", "printable", "type_name"]

_FEW = 6  # values of a tensor
_qualname = type.__dict__["__qualname__"].__get__
_sets = reprlib.Repr()
_sets.maxset = _sets.maxfrozenset = 20


class Unreadable:
    """Stands for a part that cannot be read."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Failure(str):
    """A text that says what failed."""

    __slots__ = ()


def printable(text: str) -> str:
    """Return a text with escapes for all that a terminal or a line does not show as it is."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def cut(text: str, width: int | None) -> str:
    """Return the beginning of a text that is longer than `width`."""
    return text if width is None or len(text) <= width else f"{text[:width]}..."


def type_name(value: object) -> str:
    """Return the name of a value's class, without the functions around it."""
    return printable(_qualname(type(value)).rpartition("<locals>.")[2])


def error_text(what: str, error: BaseException) -> Failure:
    """Return a text for code of users that failed."""
    said = f"{what} raised {type_name(error)}"
    try:
        text = str(error)
    except Exception:
        text = ""
    return Failure(f"<{said}: {cut(printable(text), 200)}>" if text else f"<{said}>")


def leaf_text(value: Any, width: int | None) -> str:
    """Return a value without parts as text; `width` limits it, None does not."""
    if type(value) is Unreadable:
        return error_text("reading", value.error)
    cls = type(value)
    if cls is str or cls is bytes:
        shown = value if width is None else value[:width]
        return printable(repr(shown)) + ("" if len(shown) == len(value) else "...")
    try:
        if issubclass(type(cls), enum.EnumMeta):
            text = value.name or str(value)
        elif cls is set or cls is frozenset:
            text = repr(value) if width is None else _sets.repr(value)
        elif issubclass(cls, Tensor):
            text = _tensor_text(value)
        elif issubclass(cls, Function):
            text = _function_text(value)
        else:
            text = repr(value)
    except Exception as error:
        return error_text("repr", error)
    return cut(printable(re.sub(r"\s*\n\s*", " ", text)), width)


def _function_text(function: Any) -> str:
    import inspect

    name = function.__name__
    try:
        return f"{name}{inspect.signature(function)}"
    except ValueError:  # nothing is known of its parameters
        return f"{name}(...)"


def _tensor_text(tensor: Any) -> str:
    shape = ", ".join(str(size) for size in tensor.shape)
    head = f"{tensor.dtype}[{shape}] on {tensor.device}"
    try:
        array = tensor.numpy()
        values = [str(value) for value in array.flat[: _FEW + 1]]
    except Exception:  # not in the memory of the processor, or of a type that numpy lacks
        return head
    more = ["..."] if len(values) > _FEW else []
    return f"{head}: {', '.join(values[:_FEW] + more)}" if values else head
