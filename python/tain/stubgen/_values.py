# SPDX-License-Identifier: Apache-2.0
"""Values and documentation as Python code."""

from __future__ import annotations

import ast
import enum
import inspect
import math
import re
from collections.abc import Callable
from typing import Any

from tain._enums import parts_of
from tain.stubgen._names import Names, is_spelled

__all__ = ["default_text", "doc_lines", "literal_of", "written"]

_LONGEST = 80  # a longer default is written as `...`


def default_text(value: object, annotation: str, names: Names) -> str:
    """Return the code of a default: a literal or a member of an enum, or else ``...``.

    A literal that does not fit `annotation`, the code of the parameter's type, is ``...`` too.
    """
    if isinstance(value, enum.Enum):
        home = type(value)
        if home.__name__ in annotation:
            return _member_text(value, names.use(home.__module__, home.__qualname__))
        return "..."
    text = repr(value)
    if len(text) <= _LONGEST and _is_literal(value) and _fits(value, annotation):
        return text
    return "..."


def _member_text(value: enum.Enum, home: str) -> str:
    """Return the code of a member, or of flags: `Open.A | Open.B`, `Open(64)`."""
    if value.name in type(value).__members__:
        return f"{home}.{value.name}" if is_spelled(value.name) else "..."
    if not isinstance(value, enum.IntFlag):
        return "..."
    names, rest = parts_of(value, is_spelled)
    parts = [f"{home}.{name}" for name in names]
    return " | ".join(parts) if parts and not rest else f"{home}({int(value)})"


def written(name: str, indent: str, write: Callable[..., list[str]], *args: Any) -> list[str]:
    """Return the lines of a definition, or a comment that says why it cannot be written."""
    try:
        return write(*args)
    except Exception as error:
        text = ascii(f"{type(error).__name__}: {' '.join(str(error).split())}")[1:-1]
        return [f"{indent}# {ascii(name)[1:-1]}: not written: {text}"]


def _is_literal(value: object) -> bool:
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (bool, int, str, bytes)


def _fits(value: object, annotation: str) -> bool:
    alternatives = {part.rpartition(".")[2] for part in _alternatives(annotation)}
    wide = {"bool": {"int", "float"}, "int": {"float"}}.get(type(value).__name__, set())
    name = "None" if value is None else type(value).__name__
    return not alternatives.isdisjoint({"Any", "object", name, *wide})


def _alternatives(annotation: str) -> list[str]:
    """Return the parts of a union."""
    node: ast.expr = ast.parse(annotation, mode="eval").body
    parts = []
    while isinstance(node, ast.BinOp):
        parts.append(ast.unparse(node.right))
        node = node.left
    return [*parts, ast.unparse(node)]


def doc_lines(doc: str | None, indent: str) -> list[str]:
    """Return the lines of a docstring; none if there is no documentation."""
    if not doc or not doc.strip():
        return []
    cleaned = inspect.cleandoc(doc)
    lines = cleaned.split("\n")
    if not all(line.isprintable() for line in lines):  # the escapes need one line
        return [f"{indent}{cleaned!r}"]
    text = re.sub(r'"(?="|\Z)', '\\"', cleaned.replace("\\", "\\\\"))
    first, *rest = text.split("\n")
    if not rest:
        return [f'{indent}"""{first}"""']
    return [
        f'{indent}"""{first}',
        *(f"{indent}{line}".rstrip() for line in rest),
        f'{indent}"""',
    ]


def literal_of(value: Any) -> str | None:
    """Return the code of a literal, or None if the value has none."""
    return repr(value) if _is_literal(value) and len(repr(value)) <= _LONGEST else None
