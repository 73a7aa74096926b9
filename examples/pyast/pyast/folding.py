# SPDX-License-Identifier: Apache-2.0
"""What the C++ folder leaves to Python, and whether folded trees compile to the same code."""

from __future__ import annotations

import dis
import operator
from collections.abc import Iterator
from types import CodeType
from typing import Any

__all__ = ["KINDS", "evaluate", "same_code"]

KINDS = ("unary", "binary", "comparison", "tuple", "subscript")

_JUMPS = {*dis.hasjrel, *dis.hasjabs}
_MAX_BITS = 128  # MAX_INT_SIZE of CPython's ast_opt.c


def _is_too_large(name: str, left: int, right: int) -> bool:
    """Whether CPython does not try this with integers."""
    if name == "mul":
        return bool(left and right) and left.bit_length() + right.bit_length() > _MAX_BITS
    if name == "pow":
        return bool(left) and right > 0 and left.bit_length() > _MAX_BITS // right
    if name == "lshift":
        return bool(left and right) and left.bit_length() + right > _MAX_BITS
    return False


def evaluate(name: str, *operands: Any) -> Any:
    """Apply a function of the module operator to numbers; None if it raises or CPython does not.

    Parameters
    ----------
    name : str
        Such as ``"add"`` or ``"not_"``.
    """
    if len(operands) == 2 and all(isinstance(operand, int) for operand in operands):
        left, right = operands
        if _is_too_large(name, left, right):
            return None
    try:
        return getattr(operator, name)(*operands)
    except (ArithmeticError, TypeError, ValueError):
        return None


def same_code(a: CodeType, b: CodeType) -> bool:
    """Whether two code objects have the same instructions and, recursively, constants.

    Where a constant stands among those of its code object is no difference: since Python 3.14 the
    compiler folds after it has numbered them.
    """
    if a.co_code == b.co_code and _same_constant(a.co_consts, b.co_consts):
        return True
    left, right = list(_instructions(a)), list(_instructions(b))
    return len(left) == len(right) and all(map(_same_constant, left, right))


def _instructions(code: CodeType) -> Iterator[tuple[object, ...]]:
    """Yield the instructions: the name, and the constant, the target of the jump or the argument.

    A target is the number of the instruction, because a constant with a large index takes another
    byte.
    """
    found = list(dis.get_instructions(code))
    numbers, kept = {}, []
    for instruction in found:
        numbers[instruction.offset] = len(kept)
        if instruction.opname != "EXTENDED_ARG":
            kept.append(instruction)
    for instruction in kept:
        if instruction.opcode in dis.hasconst:
            yield instruction.opname, instruction.argval
        elif instruction.opcode in _JUMPS:
            yield instruction.opname, numbers[instruction.argval]
        else:
            yield instruction.opname, instruction.arg


def _same_constant(a: object, b: object) -> bool:
    """Whether two constants are the same to a program: 1, 1.0 and True differ, 0.0 and -0.0 too."""
    if type(a) is not type(b):
        return False
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return same_code(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same_constant, a, b))
    if isinstance(a, frozenset):
        return a == b and sorted(map(repr, a)) == sorted(map(repr, b))
    return repr(a) == repr(b)
