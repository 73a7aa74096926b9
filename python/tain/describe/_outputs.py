# SPDX-License-Identifier: Apache-2.0
"""Functions that return values through their parameters: Python gets these as results.

Of ``int Query(const char* name, int* value)`` the setting ``outputs = {"lib::Query" = "out"}``
makes a function that takes the name and returns a tuple of the result and the value. With
``"inout"`` Python gives the value too.
"""

from __future__ import annotations

import dataclasses

from tain.describe._model import Function, Headers, Parameter, TypeRef
from tain.describe._settings import Outputs, Settings

__all__ = ["apply_outputs"]

_VALUES = (
    *("bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int"),
    *("unsigned int", "long", "unsigned long", "long long", "unsigned long long"),
    *("float", "double", "const char *"),
)


def apply_outputs(headers: Headers, settings: Settings) -> None:
    """Change the functions that the settings name."""
    if not settings.outputs:
        return
    headers.functions[:] = [_applied(one, settings) for one in headers.functions]
    for class_ in headers.known.values():
        class_.members[:] = [
            _applied(one, settings) if isinstance(one, Function) else one for one in class_.members
        ]


def _applied(function: Function, settings: Settings) -> Function:
    if function.is_template or not any(_is_output(one) for one in function.parameters):
        return function
    kind: Outputs | None = settings.outputs.get(function.qualified, function.signature)
    if kind is None:
        return function
    returned = [] if function.result.canonical == "void" else [function.result]
    returned += [_value_of(one.type) for one in function.parameters if _is_output(one)]
    taken = tuple(
        dataclasses.replace(one, type=_value_of(one.type), default=None) if _is_output(one) else one
        for one in function.parameters
        if kind == "inout" or not _is_output(one)
    )
    return dataclasses.replace(
        function,
        parameters=taken,
        result=returned[0] if len(returned) == 1 else _tuple_of(returned),
        outputs=kind,
        original=function,
    )


def _is_output(parameter: Parameter) -> bool:
    """Whether C++ writes a value through a parameter."""
    type_ = parameter.type
    if type_.refers_to_const or type_.is_rvalue or type_.is_pointer == type_.is_reference:
        return False
    is_value = type_.bare in _VALUES or type_.kind == "enum"
    return is_value or (type_.kind == "record" and type_.bare.startswith("std::"))


def _value_of(type_: TypeRef) -> TypeRef:
    return TypeRef(
        spelled=type_.bare,
        canonical=type_.bare,
        kind=type_.kind,
        bare=type_.bare,
        is_complete=type_.is_complete,
        is_arithmetic=type_.kind == "other" and "*" not in type_.bare,
        arguments=type_.arguments,
    )


def _tuple_of(types: list[TypeRef]) -> TypeRef:
    """Return the type of a tuple; a reference in it is copied."""
    parts = [one.canonical.removesuffix("&").strip().removeprefix("const ") for one in types]
    spelled = f"std::tuple<{', '.join(parts)}>"
    return TypeRef(
        spelled=spelled,
        canonical=spelled,
        kind="record",
        bare=spelled,
        arguments=tuple(types),
    )
