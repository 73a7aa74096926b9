# SPDX-License-Identifier: Apache-2.0
"""Lets Clang compile a description before it is written, and leaves out what it refuses.

The rules of _plan.py leave out what does not cross. A library can still break a rule that no type
says: a class whose copy constructor is declared and does not compile, a deleted function in a base.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tain.describe._clang import Unit
from tain.describe._rows import ClassPlan, EnumPlan, ErrorPlan, Plan, Skipped
from tain.describe._write import Piece, text_of

__all__ = ["verify"]

#: how often a description is compiled again after something was left out
_MOST_ROUNDS = 5


def verify(
    plan: Plan, pieces_of: Callable[[Plan], Sequence[Piece]], parse: Callable[[str], Unit]
) -> None:
    """Leave out of a plan what Clang does not compile.

    Parameters
    ----------
    plan
        What is left out is moved to its lists. If a whole class is refused, the plan must be made
        again without it.
    pieces_of
        Makes the parts of the text.
    parse
        Compiles a text.

    Raises
    ------
    HeaderError
        The description of a class, or C++ of the settings, does not compile.
    """
    for _ in range(_MOST_ROUNDS):
        pieces = pieces_of(plan)
        text = text_of(pieces)
        unit = parse(text)
        wrong = unit.lines_with_errors()
        if not wrong:
            unit.check()
            return
        if not _leave_out(plan, pieces, wrong):
            unit.check()
        if plan.refused:
            return
    unit.check()


def _leave_out(plan: Plan, pieces: Sequence[Piece], wrong: dict[int, str]) -> bool:
    """Leave out what is wrong; return whether that is enough."""
    line = 1
    changed = False
    for piece in pieces:
        lines = range(line, line + len(piece.lines))
        line += len(piece.lines)
        errors = [(at - lines.start, wrong[at]) for at in lines if at in wrong]
        if not errors:
            continue
        if piece.row is not None:
            _drop(plan, piece, errors[0][1])
            changed = True
        elif isinstance(piece.owner, ClassPlan) and piece.lines[0].startswith("struct "):
            changed |= _drop_override(piece.owner, piece.lines, errors)
        elif isinstance(piece.owner, ClassPlan | ErrorPlan):
            _refuse(plan, piece.owner, errors[0][1])
            changed = True
    return changed


def _refuse(plan: Plan, described: ClassPlan | ErrorPlan, error: str) -> None:
    """Leave out a class; one that may only be unable to be copied is tried without copies first."""
    options = described.options if isinstance(described, ClassPlan) else None
    if options is not None and _is_about_copies(error) and "tain::no_copy()" not in options:
        options.append("tain::no_copy()")
        return
    plan.refused[described.spelled] = f"it does not compile: {error}"


def _is_about_copies(error: str) -> bool:
    """Whether a class says that it can be copied and cannot."""
    return (
        re.search(r"copy|deleted|no matching constructor|no matching function", error) is not None
    )


def _drop(plan: Plan, piece: Piece, error: str) -> None:
    row, owner = piece.row, piece.owner
    assert row is not None
    why = f"it does not compile: {error}"
    if isinstance(owner, Plan):
        owner.rows.remove(row)
        owner.skipped.append(Skipped(row.name, why))
        owner.crossed -= 1
    elif isinstance(owner, ClassPlan):
        owner.rows.remove(row)
        owner.skipped.append(Skipped(row.name or "constructor", why))
        owner.crossed -= 1
    elif isinstance(owner, EnumPlan | ErrorPlan):
        owner.rows.remove(row)
        plan.skipped.append(Skipped(owner.key, why))
        plan.crossed -= 1


def _drop_override(class_: ClassPlan, lines: Sequence[str], errors: list[tuple[int, str]]) -> bool:
    """Leave out overrides that do not compile; all of them if one is needed."""
    kept = list(class_.overrides.split("\n"))
    for at, error in reversed(errors):
        is_member = 2 <= at < len(kept) - 1
        if not is_member or "_PURE" in kept[at]:
            class_.skipped.append(
                Skipped("constructor", f"Python cannot override its functions: {error}")
            )
            class_.overrides = ""
            class_.rows = [row for row in class_.rows if not row.call.startswith("def_init")]
            return True
        del kept[at]
    class_.overrides = "\n".join(kept) if len(kept) > 3 else ""
    return True
