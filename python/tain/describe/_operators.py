# SPDX-License-Identifier: Apache-2.0
"""C++ operators and conversions as Python's special methods.

The table is that of include/tain/internal/operators.h, which a test compares.
"""

from __future__ import annotations

import re

from tain.describe._model import Function, TypeRef

__all__ = [
    "is_safe_bool",
    "defaulted_comparison",
    "shown_operator",
    "bare_value",
    "OPERATORS",
    "conversion_name",
    "is_of_cpp_only",
    "operator_names",
]

#: symbol, number of operands (0: any), method, method of the right operand, method in place
OPERATORS = (
    ("()", 0, "__call__", "", ""),
    ("[]", 0, "__getitem__", "", ""),
    ("+", 1, "__pos__", "", ""),
    ("-", 1, "__neg__", "", ""),
    ("~", 1, "__invert__", "", ""),
    ("+", 2, "__add__", "__radd__", "__iadd__"),
    ("-", 2, "__sub__", "__rsub__", "__isub__"),
    ("*", 2, "__mul__", "__rmul__", "__imul__"),
    ("/", 2, "__truediv__", "__rtruediv__", "__itruediv__"),
    ("%", 2, "__mod__", "__rmod__", "__imod__"),
    ("^", 2, "__xor__", "__rxor__", "__ixor__"),
    ("&", 2, "__and__", "__rand__", "__iand__"),
    ("|", 2, "__or__", "__ror__", "__ior__"),
    ("<<", 2, "__lshift__", "__rlshift__", "__ilshift__"),
    (">>", 2, "__rshift__", "__rrshift__", "__irshift__"),
    ("==", 2, "__eq__", "__eq__", ""),
    ("!=", 2, "__ne__", "__ne__", ""),
    ("<", 2, "__lt__", "__gt__", ""),
    (">", 2, "__gt__", "__lt__", ""),
    ("<=", 2, "__le__", "__ge__", ""),
    (">=", 2, "__ge__", "__le__", ""),
)
_CPP_ONLY = {"=", "new", "delete", "new[]", "delete[]", " new", " delete", " new[]", " delete[]"}
_TEXTS = ("std::basic_string<", "std::basic_string_view<", "tain::String", "const char *")


def symbol_of(function: Function) -> str:
    """Return `+` of `operator+`."""
    return function.name.removeprefix("operator").strip()


def operator_names(symbol: str, operands: int) -> tuple[str, str]:
    """Return the methods of the left and of the right operand; "" if Python has none."""
    for one, number, name, swapped, in_place in OPERATORS:
        if number not in (0, operands):
            continue
        if one == symbol:
            return name, swapped
        if in_place and symbol == f"{one}=":
            return in_place, ""
    return "", ""


def is_of_cpp_only(function: Function) -> bool:
    """Whether C++ alone uses an operator: assignment, allocation."""
    return symbol_of(function) in _CPP_ONLY


def conversion_name(target: TypeRef) -> str:
    """Return the Python method for a conversion to a type; "" if there is none."""
    if target.bare == "bool" and not target.is_pointer:
        return "__bool__"
    if target.canonical.startswith("const char *") or (
        target.kind == "record" and target.bare.startswith(_TEXTS)
    ):
        return "__str__"
    if target.is_arithmetic:
        return "__float__" if target.bare in ("float", "double", "long double") else "__int__"
    return ""


def is_safe_bool(function: Function) -> bool:
    """Whether a conversion is the test of C++98: to a pointer that is good for nothing else."""
    return re.search(r"\*\)?\(|::\*|\*\*", function.result.canonical) is not None


def defaulted_comparison(function: Function) -> str:
    """Return the flag of a class of objects whose comparison is `= default`."""
    if not function.is_defaulted or function.kind != "operator":
        return ""
    return {"<=>": "tain::order()", "==": "tain::eq()"}.get(symbol_of(function), "")


def shown_operator(function: Function) -> str:
    types = ", ".join(one.type.spelled for one in function.parameters)
    scope = (
        function.qualified.rsplit("::", 1)[0].rsplit("::", 1)[-1]
        if "::" in function.qualified
        else ""
    )
    return f"{scope + '::' if scope else ''}{function.name}({types})"


def bare_value(type_: TypeRef) -> str:
    return "" if type_.is_pointer else type_.bare
