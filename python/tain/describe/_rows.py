# SPDX-License-Identifier: Apache-2.0
"""What is written for each declaration, before it is text."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ClassPlan", "EnumPlan", "ErrorPlan", "Plan", "Row", "Skipped", "quoted"]


@dataclass(frozen=True)
class Row:
    """One member of a definition: ``.def("name", &T::name, tain::arg("x"))``."""

    #: def, def_rw, def_init ...
    call: str
    arguments: tuple[str, ...] = ()
    #: the template arguments of the call
    types: tuple[str, ...] = ()
    #: the name in Python; empty for a constructor
    name: str = ""


@dataclass(frozen=True)
class Skipped:
    """A member that is left out, and why."""

    name: str
    why: str


@dataclass
class ClassPlan:
    """The description of a class."""

    #: as C++ writes it, and the class that calls Python instead of it, if there is one
    spelled: str
    key: str
    is_boxed: bool
    options: list[str] = field(default_factory=list)
    base: str = ""
    rows: list[Row] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    #: the members that cross, by their declarations
    crossed: int = 0
    #: the class with the overrides, as text; empty if there is none
    overrides: str = ""
    overrides_name: str = ""
    #: members that the settings give as C++
    extra: str = ""


@dataclass
class EnumPlan:
    spelled: str
    key: str
    doc: str
    kind: str
    rows: list[Row]


@dataclass
class ErrorPlan:
    spelled: str
    key: str
    kind: str
    doc: str
    rows: list[Row]


@dataclass
class Plan:
    """The description of a library."""

    #: classes whose descriptions do not compile, as C++ writes them, and why
    refused: dict[str, str] = field(default_factory=dict)

    enums: list[EnumPlan] = field(default_factory=list)
    errors: list[ErrorPlan] = field(default_factory=list)
    classes: list[ClassPlan] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    crossed: int = 0
    #: what the settings exclude
    excluded: int = 0


def quoted(text: str) -> str:
    """Return a text as string literals of C++, one for each of its lines."""
    lines = text.split("\n")
    literals = [
        f'"{_escaped(line)}{chr(92) + "n" if at < len(lines) - 1 else ""}"'
        for at, line in enumerate(lines)
    ]
    return "\n".join(literals)


def _escaped(text: str) -> str:
    made = []
    for c in text:
        if c in '"\\':
            made.append("\\" + c)
        elif c == "\t":
            made.append("\\t")
        elif c < " " or c == "\x7f":
            made.append(f"\\{ord(c):03o}")
        else:
            made.append(c)
    return "".join(made).replace("??", "?\\?")
