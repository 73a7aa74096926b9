# SPDX-License-Identifier: Apache-2.0
"""The classes by which C++ calls the methods of Python subclasses of a foreign class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tain.describe._model import Class, Function
from tain.describe._rows import Skipped

if TYPE_CHECKING:
    from tain.describe._plan import Planner

__all__ = ["Overrides"]


class Overrides:
    """The class of overrides of one class, if it has virtual functions that Python can have."""

    def __init__(self, planner: Planner, class_: Class):
        self._planner = planner
        self._class = class_
        self.name = "Py" + re.sub(
            r"\W+", "_", "_".join((*class_.path, class_.name))
        ).title().replace("_", "")
        self.skipped: list[Skipped] = []

    def text(self) -> str:
        """Return the class; "" if there is none."""
        class_ = self._class
        facts = self._planner.facts(class_.canonical)
        if not facts.is_polymorphic or facts.is_final or class_.is_final:
            return ""
        if not self._planner.settings.overridable("::".join((*class_.path, class_.name))):
            return ""
        lines = []
        for function in self._functions():
            why = self._why_not(function)
            if why:
                if function.is_pure:
                    self.skipped.append(
                        Skipped(
                            "constructor",
                            f"{function.name} has no code, and Python cannot override it: {why}",
                        )
                    )
                    return ""
                continue
            lines.append(self._line(function))
        if not lines:
            return ""
        if not any(self._is_usable_constructor(one) for one in class_.members) and any(
            isinstance(one, Function)
            and one.kind == "constructor"
            and not one.is_copy
            and not one.is_move
            for one in class_.members
        ):
            return ""
        body = "\n".join(f"  {line}" for line in lines)
        return (
            f"struct {self.name} : tain::Overrides<{class_.spelled}> {{\n"
            f"  using Overrides::Overrides;\n{body}\n}};"
        )

    def _is_usable_constructor(self, member: object) -> bool:
        return (
            isinstance(member, Function)
            and member.kind == "constructor"
            and member.access == "public"
            and not member.is_deleted
            and not member.is_copy
            and not member.is_move
        )

    def _functions(self) -> list[Function]:
        """Return the virtual functions of the class and of its bases, the nearest of each."""
        found: dict[tuple[str, ...], Function] = {}
        for class_ in [self._class, *self._planner.ancestors_of(self._class)]:
            for one in class_.members:
                if not isinstance(one, Function) or not one.is_virtual or one.is_template:
                    continue
                if one.name.startswith("~"):
                    continue
                key = (one.name, str(one.is_const), *(p.type.canonical for p in one.parameters))
                if key not in found:
                    found[key] = one
        return [one for one in found.values() if not one.is_final]

    def _why_not(self, function: Function) -> str:
        """Return why Python cannot override a function; "" if it can."""
        if function.access == "private" and not function.is_pure:
            return "it is private"
        if function.is_variadic or function.is_volatile or function.kind != "method":
            return "it is no ordinary method"
        why: str = self._planner.why_override_fails(function)
        return why

    def _line(self, function: Function) -> str:
        """Return the override of a function."""
        planner = self._planner
        result = planner.spelled(function.result)
        types = [planner.spelled(one.type) for one in function.parameters]
        python = planner.function_name(function)
        pure = "_PURE" if function.is_pure else ""
        const = "_CONST" if function.is_const else ""
        is_plain = (
            python == function.name
            and not function.is_noexcept
            and not function.ref_qualifier
            and not any("," in one for one in (result, *types))
        )
        if is_plain:
            return f"TAIN_OVERRIDE{pure}{const}({', '.join([result, function.name, *types])})"
        declared, passed = planner.lambda_parameters(function.parameters)
        qualifiers = "".join(
            f" {word}"
            for word, says in (
                ("const", function.is_const),
                (function.ref_qualifier, bool(function.ref_qualifier)),
                ("noexcept", function.is_noexcept),
            )
            if says
        )
        given = "".join(f", {one}" for one in passed)
        named = f'_AS("{python}", ' if python != function.name else "("
        return (
            f"{result} {function.name}({', '.join(declared)}){qualifiers} override {{ "
            f"TAIN_CALL_OVERRIDE{pure}{named}{function.name}{given}); }}"
        )
