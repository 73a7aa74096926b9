# SPDX-License-Identifier: Apache-2.0
"""Writes a plan as C++: an ordinary registration, formatted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tain.describe._rows import ClassPlan, EnumPlan, ErrorPlan, Plan, Row, Skipped, quoted

__all__ = ["Piece", "head_of", "pieces_of", "text_of"]

_WIDTH = 100
#: a library's deprecated functions are described like the others
_DEPRECATED = [
    "#if defined(__GNUC__)",
    '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
    "#endif",
    "",
]


class Piece:
    """A part of the text, of which Clang can be asked whether it compiles."""

    def __init__(self, lines: Sequence[str], row: Row | None = None, owner: object = None):
        self.lines = list(lines)
        self.row = row
        self.owner = owner


def _indented(text: str, indent: int) -> list[str]:
    return [" " * indent + line if line else "" for line in text.split("\n")]


def _call(head: str, arguments: Iterable[str], indent: int) -> list[str]:
    """Return a call, on one line if it fits, else with its arguments below each other."""
    given = [one for one in arguments if one]
    text = f"{head}({', '.join(given)})"
    if "\n" not in text and indent + len(text) <= _WIDTH:
        return [" " * indent + text]
    # As many arguments in a line as fit.
    lines = [" " * indent + head + "("]
    inner = indent + 4
    for at, argument in enumerate(given):
        end = ")" if at == len(given) - 1 else ","
        first, *rest = (argument + end).split("\n")
        is_first = lines[-1].endswith("(")
        gap = "" if is_first else " "
        fits = len(lines[-1]) + len(gap) + len(first) <= _WIDTH and not rest
        if fits and (is_first or "\n" not in argument):
            lines[-1] += gap + first
        else:
            lines.append(" " * inner + first)
        lines += [" " * inner + one for one in rest]
    return lines


def _row_lines(row: Row, indent: int) -> list[str]:
    types = f"<{', '.join(one for one in row.types)}>" if row.types else ""
    return _call(f".{row.call}{types}", row.arguments, indent)


def _skipped_lines(skipped: Sequence[Skipped], indent: int) -> list[str]:
    lines = [" " * indent + ".def_skipped({"]
    for one in skipped:
        lines += _call_pair(one, indent + 4)
    lines[-1] = lines[-1].rstrip(",") + "})"
    return lines


def _call_pair(one: Skipped, indent: int) -> list[str]:
    text = f"{{{quoted(one.name)}, {quoted(one.why)}}},"
    if indent + len(text) <= _WIDTH:
        return [" " * indent + text]
    return [" " * indent + f"{{{quoted(one.name)},", " " * (indent + 1) + f"{quoted(one.why)}}},"]


def _statement(
    head: list[str], rows: Sequence[Row], tail: list[list[str]], owner: object
) -> list[Piece]:
    """Return a definition with its rows."""
    pieces = [Piece(head, owner=owner)]
    pieces += [Piece(_row_lines(row, 6), row, owner) for row in rows]
    pieces += [Piece(lines) for lines in tail]  # C++ of the settings is never left out
    pieces[-1].lines[-1] += ";"
    return pieces


def _enum(enum: EnumPlan) -> list[Piece]:
    options = [quoted(enum.key)]
    if (enum.doc and enum.doc != '""') or enum.kind:
        options.append(enum.doc or '""')
    if enum.kind:
        options.append(enum.kind)
    return _statement(_call(f"refl::EnumDef<{enum.spelled}>", options, 2), enum.rows, [], enum)


def _error(error: ErrorPlan) -> list[Piece]:
    options = [quoted(error.key), quoted(error.kind)]
    if error.doc and error.doc != '""':
        options.append(error.doc)
    return _statement(_call(f"refl::ErrorDef<{error.spelled}>", options, 2), error.rows, [], error)


def _boxed_types(class_: ClassPlan) -> str:
    return f"{class_.spelled}, {class_.overrides_name}" if class_.overrides else class_.spelled


def _declaration(class_: ClassPlan) -> list[str]:
    options = [quoted(class_.key)]
    if class_.base:
        options.append(f"tain::boxed_base<{class_.base}>()")
    *lines, last = _call(f"tain::declare_boxed<{_boxed_types(class_)}>", options, 2)
    return [*lines, f"{last};"]


def _class(class_: ClassPlan) -> list[Piece]:
    options = []
    if class_.is_boxed:
        name = f"refl::ObjectDef<Boxed<{_boxed_types(class_)}>>"
        options.append(quoted(class_.key))
        if class_.base:
            options.append(f"tain::boxed_base<{class_.base}>()")
    else:
        name = f"refl::ObjectDef<{class_.spelled}>"
    tail = []
    if class_.extra.strip():
        tail.append(_indented(class_.extra.strip("\n"), 6))
    if class_.skipped:
        tail.append(_skipped_lines(class_.skipped, 6))
    return _statement(_call(name, [*options, *class_.options], 2), class_.rows, tail, class_)


def _functions(plan: Plan, extra: str) -> list[Piece]:
    tail = []
    if extra.strip():
        tail.append(_indented(extra.strip("\n"), 6))
    if plan.skipped:
        tail.append(_skipped_lines(plan.skipped, 6))
    if not plan.rows and not tail:
        return []
    return _statement(["  refl::GlobalDef()"], plan.rows, tail, plan)


def head_of(includes: Sequence[str], title: str) -> list[str]:
    """Return the first lines."""
    return [
        *(f"// {line}".rstrip() for line in title.split("\n")),
        "#include <tain/boxed.h>",
        "#include <tain/stl.h>",
        "#include <tain/tain.h>",
        "",
        "#include <sstream>",
        "",
        *(f"#include {one}" for one in includes),
        "",
    ]


def pieces_of(
    plan: Plan, includes: Sequence[str], title: str, preamble: str = "", functions: str = ""
) -> list[Piece]:
    """Return the parts of the text in their order."""
    head = head_of(includes, title)
    pieces = [Piece(head), Piece(_DEPRECATED)]
    if preamble.strip():
        pieces.append(Piece([*preamble.strip("\n").split("\n"), ""]))
    overriding = [one for one in plan.classes if one.overrides]
    if overriding:
        pieces.append(Piece(["namespace {", ""]))
        for class_ in overriding:
            pieces.append(Piece([*class_.overrides.split("\n"), ""], owner=class_))
        pieces.append(Piece(["}  // namespace", ""]))
    pieces.append(
        Piece(
            [
                "TAIN_REGISTER {",
                "  namespace refl = tain::reflection;",
                "  using tain::arg, tain::Boxed;",
                "",
            ]
        )
    )
    for enum in plan.enums:
        pieces += [*_enum(enum), Piece([""])]
    early = _declared(plan)
    for class_ in early:
        pieces.append(Piece(_declaration(class_), owner=class_))
    if early:
        pieces.append(Piece([""]))
    for error in plan.errors:
        pieces += [*_error(error), Piece([""])]
    for class_ in plan.classes:
        pieces += [*_class(class_), Piece([""])]
    pieces += _functions(plan, functions)
    pieces.append(Piece(["}"]))
    return pieces


def _declared(plan: Plan) -> list[ClassPlan]:
    """Return the classes to declare before any is described: they may name each other."""
    boxed = [one for one in plan.classes if one.is_boxed]
    return boxed if len(plan.classes) + len(plan.errors) > 1 else []


def text_of(pieces: Iterable[Piece]) -> str:
    """Return the text of the parts."""
    lines = [line for piece in pieces for line in piece.lines]
    text = "\n".join(lines) + "\n"
    return re.sub(r"\n\n+}\n$", "\n}\n", re.sub(r"\n\n\n+", "\n\n", text))
