# SPDX-License-Identifier: Apache-2.0
"""Asks Clang which types cross, by the templates of tain's own headers.

The questions are declarations, one in a line, in a text that Clang parses. A question whose answer
does not compile is a line with an error, and the error is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tain.describe._clang import Unit
from tain.describe._model import Class, Constant, Function, TypeRef

__all__ = ["Answers", "ClassFacts", "Questions"]

_SPACE = "tain::internal::declared"


@dataclass(frozen=True)
class ClassFacts:
    """What Clang says of a class: the bits of tain/internal/declared_facts.h, in their order."""

    is_object: bool = False
    is_registered: bool = False
    in_box: bool = False
    is_exception: bool = False
    is_abstract: bool = False
    is_default_constructible: bool = False
    is_final: bool = False
    is_polymorphic: bool = False
    is_destructible: bool = False

    @classmethod
    def of(cls, bits: int) -> ClassFacts:
        """Return the facts that a number says."""
        return cls(*(bool(bits >> at & 1) for at in range(len(cls.__dataclass_fields__))))


@dataclass
class Answers:
    """What Clang answered: a number for each question, and the errors."""

    numbers: Mapping[str, int]
    errors: Mapping[str, str] = field(default_factory=dict)

    def of(self, question: str) -> int:
        """Return the answer to a question, 0 if it does not compile."""
        return self.numbers.get(question, 0)

    def class_facts(self, canonical: str) -> ClassFacts:
        """Return the facts of a class."""
        return ClassFacts.of(self.of(Questions.of_class(canonical)))


class Questions:
    """Collects questions; each is an expression."""

    def __init__(self) -> None:
        self._all: dict[str, None] = {}

    @staticmethod
    def of_class(canonical: str) -> str:
        """Ask what a class is."""
        return f"{_SPACE}::kClass<{canonical}>"

    @staticmethod
    def of_parameter(type_: TypeRef) -> str:
        """Ask whether a type can be that of a parameter."""
        return f"{_SPACE}::kParameter<{type_.canonical}>"

    @staticmethod
    def of_result(type_: TypeRef) -> str:
        """Ask whether a type can be that of a result."""
        return f"{_SPACE}::kResult<{type_.canonical}>"

    @staticmethod
    def of_field(type_: TypeRef) -> str:
        """Ask whether a type can be that of a field."""
        return f"{_SPACE}::kField<{type_.canonical}>"

    @staticmethod
    def of_signature(function: Function) -> str:
        """Ask whether a function can be called."""
        types = [function.result, *(one.type for one in function.parameters)]
        return f"{_SPACE}::kSignature<{', '.join(one.canonical for one in types)}>"

    @staticmethod
    def of_enum(canonical: str) -> str:
        """Ask whether an enum crosses as an int."""
        return f"{_SPACE}::kEnum<{canonical}>"

    @staticmethod
    def of_constant(constant: Constant) -> str:
        """Ask whether a value crosses."""
        return f"{_SPACE}::kConstant<std::remove_cvref_t<decltype(({constant.qualified}))>>"

    @staticmethod
    def of_value(constant: Constant) -> str:
        """Ask whether a compiler knows a value."""
        return f"std::bool_constant<((void)({constant.qualified}), true)>::value"

    @staticmethod
    def of_spelling(type_: TypeRef) -> str:
        """Ask whether a type can be written as its declaration writes it."""
        return f"std::is_same_v<{type_.spelled}, {type_.canonical}>"

    @staticmethod
    def of_iteration(class_: Class) -> str:
        """Ask whether the elements of a class cross."""
        self = f"std::declval<{class_.canonical}&>()"
        return (
            f"{_SPACE}::kResult<decltype(*{self}.begin())> * "
            f"(int)requires {{ {self}.begin() != {self}.end(); }}"
        )

    @staticmethod
    def of_element(class_: Class) -> str:
        """Ask what the elements of a class are, as of_class does."""
        return Questions.of_class(_element_of(class_))

    @staticmethod
    def of_same_element(class_: Class, canonical: str) -> str:
        """Ask whether the elements of a class are those of another class."""
        return f"std::is_same_v<{_element_of(class_)}, {canonical}>"

    @staticmethod
    def of_default(type_: TypeRef, text: str) -> str:
        """Ask whether an expression is a default that Python can be shown."""
        bare = f"std::remove_cvref_t<{type_.canonical}>"
        return f"(int)requires {{ {bare}{{{text}}}; tain::Any({bare}({text})); }}"

    def ask(self, questions: Iterable[str]) -> None:
        """Add questions."""
        for one in questions:
            self._all.setdefault(one)

    def text(self) -> tuple[str, dict[int, str]]:
        """Return the text to parse, and the question of each line."""
        lines = [
            f"enum {{ tain_answer_{at} = ({question}) }};" for at, question in enumerate(self._all)
        ]
        return "\n".join(lines), dict(enumerate(self._all))


def _element_of(class_: Class) -> str:
    return f"std::remove_cvref_t<decltype(*std::declval<{class_.canonical}&>().begin())>"


def answers_of(unit: Unit, first_line: int, questions: Sequence[str]) -> Answers:
    """Return the answers that a parsed text gives.

    Parameters
    ----------
    first_line
        The line of the first question, from 1.
    """
    wrong = unit.lines_with_errors()
    numbers: dict[str, int] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind.name != "ENUM_DECL":
            continue
        for one in cursor.get_children():
            if one.spelling.startswith("tain_answer_"):
                question = questions[int(one.spelling.removeprefix("tain_answer_"))]
                numbers[question] = one.enum_value
    errors = {}
    for at, question in enumerate(questions):
        if first_line + at in wrong:
            errors[question] = wrong[first_line + at]
            numbers.pop(question, None)
    return Answers(numbers, errors)
