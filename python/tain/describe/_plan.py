# SPDX-License-Identifier: Apache-2.0
"""The rules: what is registered for a declaration, under which name, and what is left out.

They are those of TAIN_REFLECT (docs/reflection.md), whose own code is
include/tain/internal/reflect/. A test compares what both register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tain.describe._callables import TEMPLATE, Callables, default_text
from tain.describe._crossing import Answers, ClassFacts, Questions
from tain.describe._model import (
    Class,
    Constant,
    Enum,
    Field,
    Function,
    Headers,
    Notes,
    TypeRef,
)
from tain.describe._names import python_name
from tain.describe._rows import ClassPlan, EnumPlan, ErrorPlan, Plan, Row, Skipped, quoted
from tain.describe._settings import Settings

__all__ = ["Planner", "questions_of"]

#: the errors of Python for the exceptions of the standard library, the first that fits
_STANDARD_ERRORS = (
    ("std::bad_alloc", "MemoryError"),
    ("std::out_of_range", "IndexError"),
    ("std::invalid_argument", "ValueError"),
    ("std::domain_error", "ValueError"),
    ("std::length_error", "ValueError"),
    ("std::overflow_error", "OverflowError"),
    ("std::range_error", "OverflowError"),
    ("std::bad_cast", "TypeError"),
)


def _is_base_of(base: str, class_: str) -> str:
    return f"std::is_base_of_v<{base}, {class_}>"


def questions_of(headers: Headers) -> Questions:
    """Return all that must be known of the types to plan the headers' description."""
    questions = Questions()

    def ask_type(type_: TypeRef) -> None:
        if type_.kind == "record" and type_.is_complete:
            questions.ask([Questions.of_class(type_.bare)])
        elif type_.kind == "enum":
            questions.ask([Questions.of_enum(type_.bare)])
        if type_.spelled != type_.canonical:
            questions.ask([Questions.of_spelling(type_)])
        for argument in type_.arguments:
            ask_type(argument)

    def ask_function(function: Function) -> None:
        if function.is_template:
            return
        ask_type(function.result)
        questions.ask([Questions.of_result(function.result)])
        for one in function.parameters:
            ask_type(one.type)
            questions.ask([Questions.of_parameter(one.type)])
            if one.default is not None and one.default.text:
                questions.ask([Questions.of_default(one.type, default_text(one))])
        questions.ask([Questions.of_signature(function)])
        if function.is_virtual:  # Python gets the parameters, and gives the result
            questions.ask(Questions.of_result(one.type) for one in function.parameters)
            questions.ask([Questions.of_parameter(function.result)])

    def ask_constant(constant: Constant) -> None:
        questions.ask([Questions.of_constant(constant), Questions.of_value(constant)])
        if constant.type is not None:
            ask_type(constant.type)

    for class_ in headers.known.values():
        questions.ask([Questions.of_class(class_.canonical)])
        for base in class_.bases:
            ask_type(base.type)
        for member in class_.members:
            if isinstance(member, Field):
                ask_type(member.type)
                questions.ask([Questions.of_field(member.type)])
            elif isinstance(member, Constant):
                ask_constant(member)
            else:
                ask_function(member)
        for friend in class_.friends:
            ask_function(friend)
        names = {one.name for one in class_.members}
        if {"begin", "end"} <= names:
            questions.ask([Questions.of_iteration(class_), Questions.of_element(class_)])
            questions.ask(Questions.of_same_element(class_, one) for one in headers.known)
        if class_.bases:
            questions.ask(_is_base_of(base, class_.canonical) for base, _ in _STANDARD_ERRORS)
    for function in headers.functions:
        ask_function(function)
    for constant in headers.constants:
        ask_constant(constant)
    return questions


class Planner(Callables):
    """Plans the description of what headers declare."""

    def __init__(
        self,
        headers: Headers,
        answers: Answers,
        settings: Settings,
        refused: Mapping[str, str] | None = None,
    ):
        super().__init__(answers, settings)
        self.headers = headers
        #: classes that do not compile, and why
        self._refused = refused or {}
        self._plan = Plan()
        self._objects: list[Class] = []
        self.boxed: dict[str, Class] = {}
        self._errors: list[Class] = []
        self._enums: set[str] = set()
        self.class_names: dict[tuple[str, ...], str] = {}
        self._why: dict[str, str] = {}

    # What is registered.

    def plan(self) -> Plan:
        """Return the plan."""
        enums = [one for one in self.headers.enums if self._is_wanted_enum(one)]
        self._enums = {one.canonical for one in enums}
        for class_ in self.headers.classes:
            self._sort_class(class_)
        for enum in enums:
            self._plan.enums.append(self._enum(enum))
        for class_ in self._errors:
            self._plan.errors.append(self._error(class_))
        for class_ in [*self._objects, *self.boxed.values()]:
            self._plan.classes.append(self._class(class_))
        self._add_documentation()
        self._add_functions()
        self._add_constants()
        self._plan.skipped = [
            Skipped(name, why) for name, why in self.headers.skipped if not self.is_excluded(name)
        ] + self._plan.skipped
        return self._plan

    def ancestors_of(self, class_: Class) -> Iterator[Class]:
        """Iterate over the public base classes, the nearest first."""
        for base in class_.bases:
            parent = self.headers.known.get(base.type.bare)
            if parent is not None:
                yield parent
                yield from self.ancestors_of(parent)

    def count_excluded(self) -> None:
        """Count a member that the settings exclude."""
        self._plan.excluded += 1

    def is_excluded(self, *names: str) -> bool:
        return self.settings.exclude.get(*names) is not None

    def _is_included(self, *names: str) -> bool:
        return not self.settings.include or self.settings.include.get(*names) is not None

    def _is_wanted(self, qualified: str, notes: Notes, *names: str) -> bool:
        """Whether a declaration of a namespace is to be registered."""
        if notes.hidden:
            return False
        if not self._is_included(qualified, *names) or self.is_excluded(qualified, *names):
            self._plan.excluded += 1
            return False
        return True

    def _is_wanted_enum(self, enum: Enum) -> bool:
        return self._is_wanted("::".join((*enum.path, enum.name)), enum.notes)

    def _sort_class(self, class_: Class) -> None:
        qualified = "::".join((*class_.path, class_.name))
        if not self._is_wanted(qualified, class_.notes, class_.spelled):
            return
        if class_.spelled in self._refused:
            self._plan.skipped.append(Skipped(qualified, self._refused[class_.spelled]))
            return
        facts = self.facts(class_.canonical)
        self.class_names[(*class_.path, class_.name)] = self.name_of(
            qualified, class_.name, class_.notes, is_type=True
        )
        if facts.is_object:
            if facts.is_registered:
                self._objects.append(class_)
            else:
                self._plan.skipped.append(
                    Skipped(qualified, "it has no TAIN_OBJECT(key, T, Parent)")
                )
        elif facts.is_exception:
            self._errors.append(class_)
        elif facts.in_box:
            self.boxed[class_.canonical] = class_
        elif not class_.path or class_.path[0] not in ("std", "tain"):
            why = self.answers.errors.get(Questions.of_class(class_.canonical))
            if why is not None:
                self._plan.skipped.append(Skipped(qualified, why))

    # Names.

    def key_of(self, path: Sequence[str], name: str) -> str:
        """Return the key of a type or function: its scopes and its name, with dots."""
        names = self._python_path(tuple(path))
        return ".".join((*names, name))

    def _python_path(self, path: tuple[str, ...]) -> tuple[str, ...]:
        named = [
            self.class_names.get(path[: at + 1], python_name(one)) for at, one in enumerate(path)
        ]
        module = self.settings.module
        if not module:
            return tuple(named)
        spaces = [tuple(p for p in one.split("::") if p) for one in self.settings.namespaces]
        fitting = [one for one in spaces if path[: len(one)] == one]
        longest = max(map(len, fitting), default=0)
        return (*module.split("."), *named[longest:])

    # Types.

    def why_type_fails(self, type_: TypeRef) -> str:
        """Return why a type cannot be that of a parameter, a result or a field; "" if it can."""
        known = self._why.get(type_.canonical)
        if known is None:
            known = self._why[type_.canonical] = self._find_why_type_fails(type_)
        return known

    def _find_why_type_fails(self, type_: TypeRef) -> str:
        bare = type_.bare
        is_unknown = type_.kind == "enum" and bare not in self._enums
        if is_unknown and not self.answers.of(Questions.of_enum(bare)):
            return f"{bare} is an enum outside of what is described"
        if type_.kind != "record":
            return ""
        if not type_.is_complete:
            return f"{bare} is incomplete"
        if bare in self.boxed:
            return ""
        if self.facts(bare).in_box:
            return f"{bare} is no registered class"
        for argument in type_.arguments:
            why = self.why_type_fails(argument)
            if why:
                return why
        return ""

    def why_call_fails(self, function: Function) -> str:
        """Return why a function cannot be called from Python; "" if it can."""
        if function.is_variadic:
            return "it takes C's variable arguments"
        if function.is_volatile:
            return "it is volatile"
        if function.is_explicit_object:
            return "it has an explicit object parameter"
        if function.ref_qualifier == "&&":
            return "it is for temporaries (&&)"
        for at, one in enumerate(function.parameters):
            where = f"parameter {one.name or at}"
            why = self.why_type_fails(one.type)
            if why:
                return f"{where}: {why}"
            bits = self.answers.of(Questions.of_parameter(one.type))
            if not bits & 1:
                return f"{where}: {one.type.canonical} does not cross"
            if not bits & 2:
                return f"{where} is a reference to a value that C++ may change"
        why = self.why_type_fails(function.result)
        if why:
            return f"the result: {why}"
        if not self.answers.of(Questions.of_result(function.result)) & 1:
            return f"the result: {function.result.canonical} does not cross"
        if not self.answers.of(Questions.of_signature(function)):
            return "an object is passed by value that cannot be copied or moved"
        return ""

    def why_override_fails(self, function: Function) -> str:
        """Return why Python cannot override a function; "" if it can."""
        for at, one in enumerate(function.parameters):
            why = self.why_type_fails(one.type)
            if why:
                return f"parameter {one.name or at}: {why}"
            if not self.answers.of(Questions.of_result(one.type)) & 1:
                return f"parameter {one.name or at}: {one.type.canonical} does not cross"
        why = self.why_type_fails(function.result)
        gives = function.result.canonical != "void"
        if not why and gives and not self.answers.of(Questions.of_parameter(function.result)) & 1:
            why = f"{function.result.canonical} does not cross"
        return f"the result: {why}" if why else ""

    def is_range(self, class_: Class) -> bool:
        """Whether a class has elements that cross, by begin() and end()."""
        if not self.answers.of(Questions.of_iteration(class_)):
            return False
        if not ClassFacts.of(self.answers.of(Questions.of_element(class_))).in_box:
            return True
        return any(self.answers.of(Questions.of_same_element(class_, one)) for one in self.boxed)

    # Enums and errors.

    def _enum(self, enum: Enum) -> EnumPlan:
        qualified = "::".join((*enum.path, enum.name))
        name = self.name_of(qualified, enum.name, enum.notes, is_type=True)
        kind = enum.notes.enum_kind or ""
        rows = []
        for one in enum.members:
            if one.notes.hidden or self.is_excluded(one.qualified):
                continue
            arguments = [
                quoted(self.name_of(one.qualified, one.name, one.notes, is_type=True)),
                f"{enum.spelled}::{one.name}",
            ]
            text = one.notes.doc or (quoted(one.docs.docstring()) if one.docs.docstring() else "")
            if text and "kStr" in kind:
                arguments.append('""')  # its value is its name
            if text:
                arguments.append(text)
            rows.append(Row("value", tuple(arguments)))
            self._plan.crossed += 1
        doc = enum.notes.doc or quoted(enum.docs.docstring())
        return EnumPlan(enum.spelled, self.key_of(enum.path, name), doc, kind, rows)

    def _error(self, class_: Class) -> ErrorPlan:
        qualified = "::".join((*class_.path, class_.name))
        kind = self.settings.exceptions.get(qualified, "") or self._error_base(class_)
        if not kind:
            kind = next(
                (
                    name
                    for base, name in _STANDARD_ERRORS
                    if self.answers.of(_is_base_of(base, class_.canonical))
                ),
                "RuntimeError",
            )
        name = self.class_names[(*class_.path, class_.name)]
        rows: list[Row] = []
        for member in self.members_of(class_):
            if not isinstance(member, Field) or member.notes.hidden or not member.name:
                continue
            if self.why_type_fails(member.type):
                continue
            if self.answers.of(Questions.of_field(member.type)) & 1:
                rows.append(self.field_row("def_ro", member, []))
        self._plan.crossed += 1
        doc = class_.notes.doc or quoted(class_.docs.docstring())
        return ErrorPlan(class_.spelled, self.key_of(class_.path, name), kind, doc, rows)

    def _error_base(self, class_: Class) -> str:
        """Return the key of the described exception from which one derives; "" if it does not."""
        for base in class_.bases:
            for other in self._errors:
                if other.canonical == base.type.bare:
                    name = self.class_names[(*other.path, other.name)]
                    return self.key_of(other.path, name)
        return ""

    # Classes.

    def base_of(self, class_: Class) -> str:
        """Return the canonical base class that is the class's parent in Python; "" if none is."""
        for base in class_.bases:
            if not base.is_virtual and base.type.bare in self.boxed:
                return base.type.bare
        return ""

    def _is_registered_base(self, class_: Class, base: str) -> bool:
        facts = self.facts(base)
        if facts.is_object:
            return facts.is_registered
        return not self.facts(class_.canonical).is_object and base == self.base_of(class_)

    def members_of(self, class_: Class) -> list[Field | Constant | Function]:
        """Return the members of a class, after those of bases that are no registered types."""
        found: list[Field | Constant | Function] = []
        for base in class_.bases:
            parent = self.headers.known.get(base.type.bare)
            if parent is None or self._is_registered_base(class_, base.type.bare):
                continue
            found += self.members_of(parent)
        return found + class_.members

    def _class(self, class_: Class) -> ClassPlan:
        from tain.describe._class_plan import ClassPlanner

        return ClassPlanner(self, class_).plan()

    # Functions and constants of namespaces.

    def _add_documentation(self) -> None:
        for path, docs in self.headers.namespaces.items():
            key = ".".join(self._python_path(path))
            self._plan.rows.append(Row("def_doc", (quoted(key), quoted(docs.docstring()))))

    def _add_functions(self) -> None:
        overloads = Counter(one.qualified for one in self.headers.functions)
        for name in self.headers.templates:
            overloads[name] += TEMPLATE
        for function in self.headers.functions:
            if function.kind != "function" or function.is_deleted:
                continue
            if not self._is_wanted(function.qualified, function.notes, function.signature):
                continue
            path = tuple(one for one in function.scope.split("::") if one)
            name = self.key_of(path, self.function_name(function))
            why = self.why_call_fails(function)
            if why:
                self._plan.skipped.append(Skipped(name, why))
                continue
            callable_, options = self.callable_of(function, overloads=overloads[function.qualified])
            self._plan.rows.append(Row("def", (quoted(name), callable_, *options), name=name))
            self._plan.crossed += 1

    def _add_constants(self) -> None:
        for constant in self.headers.constants:
            if constant.is_macro:
                if self.settings.macros.get(constant.name) is None:
                    continue
            elif not self._is_wanted(constant.qualified, constant.notes):
                continue
            path = tuple(one for one in constant.qualified.split("::")[:-1] if one)
            if constant.is_macro:  # belongs to no namespace: to the first that is described
                path = tuple(one for one in self.settings.namespaces[0].split("::") if one)
            name = self.key_of(
                path, self.name_of(constant.qualified, constant.name, constant.notes, is_type=True)
            )
            why = self.why_constant_fails(constant)
            if why:
                self._plan.skipped.append(Skipped(name, why))
                continue
            self._plan.rows.append(
                Row(
                    "def_constant",
                    (quoted(name), constant.qualified, *self.docs(constant)),
                    name=name,
                )
            )
            self._plan.crossed += 1

    def why_constant_fails(self, constant: Constant) -> str:
        """Return why a constant is left out; "" if it is not."""
        type_ = constant.type
        is_const = type_ is None or type_.is_const
        if not is_const or not self.answers.of(Questions.of_value(constant)):
            what = "a static member" if constant.scope else "a variable"
            return f"it is {what} whose value the compiler does not know"
        if type_ is not None and self.why_type_fails(type_):
            return self.why_type_fails(type_)
        if not self.answers.of(Questions.of_constant(constant)):
            return f"{type_.canonical if type_ else 'its type'} does not cross"
        return ""
