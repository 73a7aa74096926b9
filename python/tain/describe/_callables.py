# SPDX-License-Identifier: Apache-2.0
"""How a function is written in a description: its callable, its parameters, its options."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tain.describe._crossing import Answers, ClassFacts, Questions
from tain.describe._model import Constant, Field, Function, Notes, Parameter, TypeRef
from tain.describe._names import python_name, snake_case
from tain.describe._rows import Row, quoted
from tain.describe._settings import Settings

__all__ = ["TEMPLATE", "Callables", "default_text", "is_text"]

#: what a template counts among the functions of a name: more than any number of functions
TEMPLATE = 1 << 20


def default_text(parameter: Parameter) -> str:
    text = parameter.default.text if parameter.default is not None else ""
    return "" if text == "{}" else text


class Callables:
    """Writes functions and fields of what Clang and the settings say."""

    def __init__(self, answers: Answers, settings: Settings):
        self.answers = answers
        self.settings = settings
        self._facts: dict[str, ClassFacts] = {}

    def facts(self, canonical: str) -> ClassFacts:
        """Return what Clang says of a class."""
        known = self._facts.get(canonical)
        if known is None:
            known = self._facts[canonical] = self.answers.class_facts(canonical)
        return known

    # Names and types.

    def name_of(
        self,
        qualified: str,
        identifier: str,
        notes: Notes,
        *signature: str,
        is_type: bool = False,
    ) -> str:
        if notes.name is not None:
            return notes.name
        renamed = self.settings.rename.get(qualified, *signature)
        if renamed is not None:
            return renamed
        if self.settings.snake_case and not is_type:
            identifier = snake_case(identifier)
        return python_name(identifier)

    def function_name(self, function: Function) -> str:
        return self.name_of(function.qualified, function.name, function.notes, function.signature)

    def spelled(self, type_: TypeRef) -> str:
        """Return a type as the description writes it: if possible, as its declaration does."""
        if type_.spelled != type_.canonical and not self.answers.of(Questions.of_spelling(type_)):
            return _joined(type_.canonical)
        return _joined(type_.spelled)

    # Parts of rows.

    def docs(self, declared: Field | Constant) -> list[str]:
        """Return the documentation of a field or constant as arguments."""
        if declared.notes.doc is not None:
            return [declared.notes.doc]
        text = declared.docs.docstring()
        return [quoted(text)] if text else []

    def field_row(self, call: str, field: Field, options: list[str]) -> Row:
        name = self.name_of(field.qualified, field.name, field.notes)
        arguments = (quoted(name), f"&{field.qualified}", *self.docs(field), *options)
        return Row(call, arguments, name=name)

    def parameters_of(self, function: Function, *, with_values: bool) -> list[str]:
        """Return the `tain::arg`s of a function; none if a parameter has no name."""
        names = []
        for one in function.parameters:
            if not one.name and one.notes.name is None:
                return []
            names.append(
                one.notes.name
                or python_name(snake_case(one.name) if self.settings.snake_case else one.name)
            )
        if len(set(names)) != len(names):
            return []
        none_is_wrong = self.settings.not_none.get(function.qualified, function.signature)
        made = []
        for name, one in zip(names, function.parameters, strict=True):
            doc = one.notes.doc or ""
            if not doc and function.docs.parameters.get(one.name):
                doc = quoted(function.docs.parameters[one.name])
            text = f"arg({quoted(name)}{', ' + doc if doc else ''})"
            if none_is_wrong and one.type.is_pointer:
                text += ".none(false)"
            if one.notes.kw_only:
                text += ".kw_only()"
            if one.notes.default is not None:
                text += f" = {one.notes.default}"
            elif one.notes.default_factory is not None:
                text += f".factory(tain::Function::FromTyped({one.notes.default_factory}))"
            elif one.default is not None and not with_values:
                text += ".optional()"
            elif one.default is not None and self._is_shown(one):
                text += f" = {self._shown_default(one)}"
            made.append(text)
        return made

    def has_values(self, function: Function) -> bool:
        """Whether Python can be shown the values of all default arguments."""
        with_defaults = [one for one in function.parameters if one.default is not None]
        if any(_states_default(one) for one in function.parameters):
            return True
        if not with_defaults or any(not one.name for one in function.parameters):
            return False
        return all(self._is_shown(one) for one in with_defaults)

    def _is_shown(self, parameter: Parameter) -> bool:
        """Whether the default of a parameter is a value that Python can be shown."""
        type_ = parameter.type
        if parameter.default is None or not parameter.default.text:
            return False
        is_null = parameter.default.text in ("nullptr", "NULL", "0")
        if type_.is_pointer:
            return is_null != is_text(type_)  # no text is None
        if type_.kind == "record":
            facts = self.facts(type_.bare)
            if facts.in_box or facts.is_object:
                return False
        return bool(self.answers.of(Questions.of_default(type_, default_text(parameter))))

    def _shown_default(self, parameter: Parameter) -> str:
        type_ = parameter.type
        text = default_text(parameter)
        if type_.is_pointer and not is_text(type_):
            return "nullptr"
        if text in ("nullptr", "std::nullopt"):
            return "nullptr"
        bare = re.sub(r"\s*(&&?|\bconst\b)\s*", "", self.spelled(type_)).strip()
        if type_.is_arithmetic and type_.bare in ("double", "float", "long double"):
            if re.fullmatch(r"-?\d+", text):
                return f"{text}.0"
            return text.rstrip("fF") if _is_float(text) else f"static_cast<{bare}>({text})"
        if _is_literal(text) and not (type_.bare == "bool" and text not in ("true", "false")):
            return text
        if type_.kind == "enum" and re.fullmatch(r"[\w:]+", text):
            return text
        if type_.kind == "record":
            return f"{bare}({text})"
        return f"static_cast<{bare}>({text})"

    def callable_of(
        self, function: Function, *, overloads: int, receiver: str = ""
    ) -> tuple[str, list[str]]:
        """Return the C++ callable of a function, and its options.

        Parameters
        ----------
        overloads
            How many functions have the name, and TEMPLATE for each that is a template.
        receiver
            The class of the object, for a member function that is no static one.
        """
        with_values = self.has_values(function)
        full = (
            self._address(function, overloads, receiver) if not self._needs_lambda(function) else ""
        )
        if not full:
            full = self._lambda(function, len(function.parameters), receiver)
        if function.num_defaults and not with_values:
            count = len(function.parameters)
            if receiver and not function.qualified.startswith(f"{receiver}::"):
                full = self._lambda(function, count, receiver)  # all forms have one receiver
            shorter = [
                self._lambda(function, count - at, receiver)
                for at in range(1, function.num_defaults + 1)
            ]
            full = f"tain::with_defaults({', '.join([full, *shorter])})"
        return full, self.options_of(function, with_values=with_values)

    def options_of(self, function: Function, *, with_values: bool) -> list[str]:
        """Return the parameters, the documentation and the flags of a function."""
        options = self.parameters_of(function, with_values=with_values)
        doc = function.notes.doc
        if doc is None and function.docs.docstring():
            doc = quoted(function.docs.docstring())
        if doc:
            options.append(doc)
        options += function.notes.options
        names = (function.qualified, function.signature)
        if self.settings.release_gil.get(*names):
            options.append("tain::release_gil()")
        if self.settings.thread_safe.get(*names):
            options.append("tain::thread_safe()")
        if self.settings.no_keep_alive.get(*names):
            options.append("tain::no_keep_alive()")
        for nurse, patient in self.settings.keep_alive.get(*names) or ():
            options.append(f"tain::keep_alive<{nurse}, {patient}>()")
        return options

    def _returns(self, function: Function) -> str:
        return self.settings.returns.get(function.qualified, function.signature) or ""

    def _needs_lambda(self, function: Function) -> bool:
        return (
            function.ref_qualifier != ""
            or function.outputs != ""
            or self._returns(function) in ("copy", "take")
            or bool(function.instance and "(" in function.instance)
        )

    def _address(self, function: Function, overloads: int, receiver: str) -> str:
        name = function.instance or function.qualified
        if overloads <= 1:
            return f"&{name}"
        types = ", ".join(self.spelled(one.type) for one in function.parameters)
        if overloads < TEMPLATE:
            const = ", tain::const_" if function.is_const else ""
            return f"tain::overload_cast<{types}>(&{name}{const})"
        # The compiler deduces nothing from a set with a template.
        scope = f"{function.qualified.rsplit('::', 1)[0]}::" if receiver else ""
        const = " const" if function.is_const else ""
        result = self.spelled(function.result)
        return f"static_cast<{result} ({scope}*)({types}){const}>(&{name})"

    def _lambda(self, function: Function, count: int, receiver: str) -> str:
        """Return a lambda that calls a function with its first arguments."""
        parameters, arguments = self.lambda_parameters(function.parameters[:count])
        name = function.instance.split("(")[0] or function.qualified
        if receiver:
            parameters.insert(0, f"{'const ' if function.is_const else ''}{receiver}& self")
            name = f"self.{self._member_name(function)}"
        if function.original is not None:
            return self._lambda_with_outputs(function, function.original, count, parameters, name)
        call = f"{name}({', '.join(arguments)})"
        kind = self._returns(function)
        if kind == "take":
            made = f"std::unique_ptr<{function.result.bare}>({call})"
            return f"[]({', '.join(parameters)}) {{ return {made}; }}"
        if kind == "copy":
            bare = function.result.bare
            star = "*" if function.result.is_pointer else ""
            return f"[]({', '.join(parameters)}) -> {bare} {{ return {star}{call}; }}"
        result = self.spelled(function.result)
        if result == "void":
            return f"[]({', '.join(parameters)}) {{ {call}; }}"
        arrow = f" -> {result}" if function.result.is_reference else ""
        return f"[]({', '.join(parameters)}){arrow} {{ return {call}; }}"

    def _lambda_with_outputs(
        self, function: Function, original: Function, count: int, taken: list[str], name: str
    ) -> str:
        """Return a lambda that returns what C++ writes through parameters."""
        given = {one.name or f"x{at}" for at, one in enumerate(function.parameters[:count])}
        body, passed, returned, omitted = [], [], [], []
        kept = [one.type for one in function.parameters]
        for at, one in enumerate(original.parameters):
            variable = one.name or f"x{at}"
            is_output = one.type not in kept or function.outputs == "inout"
            if one.type in kept or (variable not in given and not is_output):
                if variable in given:
                    passed.append(variable)
                elif one.default is not None:  # stands before an argument that is passed
                    omitted.append(one.default.text or "its_default_cannot_be_read")
                continue
            passed += omitted
            omitted.clear()
            if function.outputs == "out":
                body.append(f"{one.type.bare} {variable}{{}};")
            passed.append(f"&{variable}" if one.type.is_pointer else variable)
            returned.append(variable)
        call = f"{name}({', '.join(passed)})"
        if original.result.canonical == "void":
            body.append(f"{call};")
        else:
            body.append(f"auto result = {call};")
            returned.insert(0, "result")
        result = self.spelled(function.result)
        made = returned[0] if len(returned) == 1 else f"{result}({', '.join(returned)})"
        return f"[]({', '.join(taken)}) {{ {' '.join(body)} return {made}; }}"

    def _member_name(self, function: Function) -> str:
        if function.instance:
            return "template " + function.instance.split("(")[0].rsplit("::", 1)[-1]
        return function.name

    def lambda_parameters(self, parameters: Iterable[Parameter]) -> tuple[list[str], list[str]]:
        declared, passed = [], []
        for at, one in enumerate(parameters):
            name = one.name if one.name and one.name != "self" else f"x{at}"
            declared.append(declare(self.spelled(one.type), name))
            moves = one.type.is_rvalue or one.type.is_value
            passed.append(f"std::move({name})" if moves else name)
        return declared, passed


def _joined(type_: str) -> str:
    """Return a type with `*` and `&` next to what they belong to."""
    return re.sub(r"(?<=[\w>*&]) +(?=[*&])", "", type_)


def declare(type_: str, name: str) -> str:
    """Return the declaration of a parameter."""
    for mark in ("(*)", "(&)"):
        if mark in type_:
            return type_.replace(mark, f"({mark[1]}{name})", 1)
    return f"{type_} {name}"


def _states_default(parameter: Parameter) -> bool:
    notes = parameter.notes
    return notes.default is not None or notes.default_factory is not None


def is_text(type_: TypeRef) -> bool:
    return type_.canonical in ("const char *", "const char *const")


def _is_float(text: str) -> bool:
    return re.fullmatch(r"-?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?[fF]?", text) is not None


def _is_literal(text: str) -> bool:
    return (
        text in ("true", "false")
        or re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)", text) is not None
        or re.fullmatch(r'"(?:[^"\\]|\\.)*"', text) is not None
    )
