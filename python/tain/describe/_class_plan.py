# SPDX-License-Identifier: Apache-2.0
"""The rules for the members of a class."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tain.describe._callables import TEMPLATE, is_text
from tain.describe._crossing import Questions
from tain.describe._model import Class, Constant, Field, Function
from tain.describe._names import python_name, snake_case
from tain.describe._operators import (
    bare_value,
    conversion_name,
    defaulted_comparison,
    is_of_cpp_only,
    is_safe_bool,
    operator_names,
    shown_operator,
    symbol_of,
)
from tain.describe._overrides import Overrides
from tain.describe._rows import ClassPlan, Row, Skipped, quoted

if TYPE_CHECKING:
    from tain.describe._plan import Planner

__all__ = ["ClassPlanner"]

_ORDER = ("<", "<=", ">", ">=")
_ITERATION = {"begin", "end", "cbegin", "cend"}


def _is_tains_own(name: str) -> bool:
    """Whether a macro of tain made a member."""
    return name.startswith(("Tain", "_type_")) or name == "RuntimeTypeIndex"


class ClassPlanner:
    """Plans the description of one class."""

    def __init__(self, planner: Planner, class_: Class):
        self._planner = planner
        self._class = class_
        self._settings = planner.settings
        self._facts = planner.facts(class_.canonical)
        self._members = planner.members_of(class_)
        self._functions = [one for one in self._members if isinstance(one, Function)]
        self._qualified = "::".join((*class_.path, class_.name))
        self._overrides = Overrides(planner, class_)
        name = planner.class_names[(*class_.path, class_.name)]
        self._plan = ClassPlan(
            spelled=class_.spelled,
            key=planner.key_of(class_.path, name),
            is_boxed=not self._facts.is_object,
        )
        #: names with the types of parameters
        self._taken: set[tuple[str, ...]] = set()
        self._counts: Counter[tuple[str, str]] = Counter()
        for one in self._functions:
            self._counts[one.scope, one.name] += TEMPLATE if one.is_template else 1

    def plan(self) -> ClassPlan:
        """Return the plan."""
        plan = self._plan
        if self._facts.in_box:
            base = self._planner.base_of(self._class)
            plan.base = self._planner.boxed[base].spelled if base else ""
            plan.overrides = self._overrides.text()
            plan.overrides_name = self._overrides.name
        for member in self._members:
            self._add_member(member)
        if self._has_field_init():
            self._row("def_init_fields")
        self._add_free_operators()
        self._add_iteration()
        self._add_class_options()
        plan.extra = self._settings.members.get(self._qualified, "")
        plan.skipped += self._overrides.skipped
        return plan

    def _row(self, call: str, *arguments: str, types: tuple[str, ...] = (), name: str = "") -> None:
        self._plan.rows.append(Row(call, arguments, types, name))

    def _skip(self, name: str, why: str) -> None:
        self._plan.skipped.append(Skipped(name, why))

    def _add_class_options(self) -> None:
        class_, plan = self._class, self._plan
        doc = class_.notes.doc or quoted(class_.docs.docstring())
        if doc != '""':
            plan.options.append(doc)
        plan.options += class_.notes.options
        if self._facts.is_final and "tain::final_()" not in plan.options:
            plan.options.append("tain::final_()")
        if self._facts.is_object:
            for one in self._functions:
                flag = defaulted_comparison(one)
                if flag and flag not in plan.options:
                    plan.options.append(flag)
        names = (self._qualified, class_.spelled)
        if self._settings.no_copy.get(*names):
            plan.options.append("tain::no_copy()")
        if self._settings.thread_safe.get(*names):
            plan.options.append("tain::thread_safe()")

    def _has_entry(self, name: str) -> bool:
        return any(row.name == name for row in self._plan.rows)

    # Members.

    def _add_member(self, member: Field | Constant | Function) -> None:
        if isinstance(member, Field):
            self._add_field(member)
        elif isinstance(member, Constant):
            self._add_constant(member)
        else:
            self._add_function(member)

    def _is_out(self, member: Field | Constant | Function) -> bool:
        """Whether the settings exclude a member; that of a base under the name of this class."""
        names = [member.qualified]
        if member.scope != self._class.canonical and member.scope in self._planner.headers.known:
            names = [f"{self._qualified}::{member.name}"]
        elif isinstance(member, Function):
            names.append(member.signature)
        if self._planner.is_excluded(*names):
            self._planner.count_excluded()
            return True
        return False

    def _add_field(self, field: Field) -> None:
        if field.notes.hidden or not field.name or self._is_out(field):
            return
        if field.is_bit_field:
            return self._skip(field.name, "it is a bit field")
        if field.type.is_reference:
            return self._skip(field.name, "it is a reference")
        why = self._planner.why_type_fails(field.type)
        if why:
            return self._skip(field.name, why)
        bits = self._planner.answers.of(Questions.of_field(field.type))
        if not bits & 1:
            return self._skip(field.name, f"{field.type.canonical} does not cross")
        if is_text(field.type):
            return self._add_text_field(field)
        if not bits & 2:
            return self._skip(field.name, f"{field.type.canonical} is a view that owns nothing")
        is_writable = bool(bits & 4) and not field.notes.read_only
        options = list(field.notes.options)
        if field.notes.default is not None:
            options.append(f"tain::default_({field.notes.default})")
        elif field.notes.default_factory is not None:
            made = f"tain::Function::FromTyped({field.notes.default_factory})"
            options.append(f"tain::default_factory({made})")
        self._plan.rows.append(
            self._planner.field_row("def_rw" if is_writable else "def_ro", field, options)
        )
        self._plan.crossed += 1

    def _add_text_field(self, field: Field) -> None:
        """Add a `const char*`, which Python reads as a text of its own."""
        name = self._planner.name_of(field.qualified, field.name, field.notes)
        getter = f"[](const {self._class.spelled}& self) {{ return self.{field.name}; }}"
        self._row("def_property", quoted(name), getter, *self._planner.docs(field), name=name)
        self._plan.crossed += 1

    def _add_constant(self, constant: Constant) -> None:
        if constant.notes.hidden or _is_tains_own(constant.name):
            return
        if self._is_out(constant):
            return
        why = self._planner.why_constant_fails(constant)
        if why:
            return self._skip(constant.name, why)
        name = self._planner.name_of(
            constant.qualified, constant.name, constant.notes, is_type=True
        )
        self._row(
            "def_attr", quoted(name), constant.qualified, *self._planner.docs(constant), name=name
        )
        self._plan.crossed += 1

    def _add_function(self, function: Function) -> None:
        if function.access != "public" or function.notes.hidden:
            return
        if _is_tains_own(function.name) or function.is_deleted:
            return
        if self._is_out(function):
            return
        if function.is_template:
            if any(function.name == cpp for cpp, _ in self._class.virtuals):
                return
            if any(one.instance and one.name == function.name for one in self._functions):
                return None  # the settings list instances
            is_constructor = function.name == self._class.name
            return self._skip(
                "constructor" if is_constructor else function.name, "it is a template"
            )
        if function.kind == "constructor":
            if function.scope == self._class.canonical:
                self._add_constructor(function)
        elif function.kind == "operator":
            self._add_operator(function)
        elif function.kind == "conversion":
            self._add_conversion(function)
        else:
            self._add_method(function)

    def _is_twin(self, function: Function) -> bool:
        """Whether an earlier function differs in const only: Python has no const."""
        types = [one.type.canonical for one in function.parameters]
        for other in self._functions:
            if other is function:
                return False
            if (
                other.name == function.name
                and other.is_const != function.is_const
                and other.access == "public"
                and not other.is_template
                and [one.type.canonical for one in other.parameters] == types
            ):
                self._plan.crossed += 1
                return True
        return False

    def _overloads(self, function: Function) -> int:
        return self._counts[function.scope, function.name]

    def _receiver(self, function: Function) -> str:
        return "" if function.kind == "static" else self._class.spelled

    def _add_callable(self, call: str, name: str, function: Function, shown: str) -> None:
        why = self._planner.why_call_fails(function)
        if why:
            return self._skip(shown, why)
        taken = (name, *(one.type.canonical for one in function.parameters))
        if function.outputs and taken in self._taken:
            return self._skip(shown, "another function takes the same arguments")
        self._taken.add(taken)
        callable_, options = self._planner.callable_of(
            function,
            overloads=self._overloads(function),
            receiver=self._receiver(function),
        )
        self._row(call, quoted(name), callable_, *options, name=name)
        self._plan.crossed += 1

    # Methods and properties.

    def _virtual_name(self, name: str) -> str:
        """Return the name in Python of what TAIN_VIRTUAL declares; "" if it declares no such."""
        for cpp, python in self._class.virtuals:
            if name in (cpp, f"{cpp}_impl"):
                return python
        return ""

    def _add_method(self, function: Function) -> None:
        if function.notes.property:
            return self._add_property(function)
        virtual_name = self._virtual_name(function.name)
        if not virtual_name and self._overrides_known(function):
            self._plan.crossed += 1
            return
        if self._is_twin(function):
            return
        if self._add_ruled_property(function):
            return
        name = virtual_name or self._planner.function_name(function)
        call = "def_virtual" if virtual_name else "def"
        self._add_callable(
            "def_static" if function.kind == "static" else call, name, function, function.name
        )

    def _overrides_known(self, function: Function) -> bool:
        """Whether the method of a base class reaches a function."""
        if not function.is_virtual or function.notes.name is not None:
            return False
        types = [one.type.canonical for one in function.parameters]
        for class_ in self._planner.ancestors_of(self._class):
            for other in class_.members:
                if (
                    isinstance(other, Function)
                    and other is not function
                    and other.name == function.name
                    and other.access == "public"
                    and other.is_virtual
                    and other.is_const == function.is_const
                    and [one.type.canonical for one in other.parameters] == types
                ):
                    return function.scope != other.scope
        return False

    def _setter_of(self, name: str) -> Function | None:
        for one in self._functions:
            is_setter = one.kind == "method" and one.notes.property and len(one.parameters) == 1
            if is_setter and self._planner.function_name(one) == name:
                return one
        return None

    def _add_property(self, function: Function) -> None:
        if function.parameters:
            self._plan.crossed += 1  # a setter
            return
        name = self._planner.function_name(function)
        self._property_row(name, function, self._setter_of(name))

    def _property_row(self, name: str, getter: Function, setter: Function | None) -> None:
        why = self._planner.why_call_fails(getter)
        if why:
            return self._skip(getter.name, why)
        callable_, options = self._planner.callable_of(
            getter, overloads=self._overloads(getter), receiver=self._receiver(getter)
        )
        arguments = [quoted(name), callable_]
        if setter is not None:
            why = self._planner.why_call_fails(setter)
            if why:
                self._skip(setter.name, why)
            else:
                arguments.append(
                    self._planner.callable_of(
                        setter,
                        overloads=self._overloads(setter),
                        receiver=self._receiver(setter),
                    )[0]
                )
        self._row("def_property", *arguments, *options, name=name)
        self._plan.crossed += 1

    def _add_ruled_property(self, function: Function) -> bool:
        """Add what the settings make a property; return whether the function is one."""
        if function.kind != "method":
            return False
        if function.parameters:
            return self._is_ruled_setter(function)
        if function.result.canonical == "void":
            return False
        rule = self._settings.property_of(function.qualified)
        if rule is None:
            return False
        common, setter = rule
        found = self._setter_named(setter) if setter else None
        name = self._settings.rename.get(function.qualified)
        if name is None:
            name = common[:1].lower() + common[1:]
            name = python_name(snake_case(name) if self._settings.snake_case else name)
        self._property_row(name, function, found)
        return True

    def _setter_named(self, name: str) -> Function | None:
        for one in self._functions:
            is_method = one.name == name and one.kind == "method" and one.access == "public"
            if is_method and len(one.parameters) == 1 and not self._planner.why_call_fails(one):
                return one
        return None

    def _is_ruled_setter(self, function: Function) -> bool:
        """Whether a function is the setter of a property that the settings make."""
        if len(function.parameters) != 1:
            return False
        for one in self._functions:
            if one.kind != "method" or one.access != "public" or one.parameters:
                continue
            rule = self._settings.property_of(one.qualified)
            is_setter = rule is not None and rule[1] == function.name
            if is_setter and self._setter_named(function.name) is function:
                self._plan.crossed += 1
                return True
        return False

    # Operators.

    def _add_operator(self, function: Function) -> None:
        if is_of_cpp_only(function):
            return
        if self._facts.is_object and defaulted_comparison(function):
            return
        symbol = symbol_of(function)
        if symbol == "<=>":
            return self._add_order(function)
        name = function.notes.name or operator_names(symbol, len(function.parameters) + 1)[0]
        shown = shown_operator(function)
        if symbol == "!" and not name:
            return self._add_not()
        if not name:
            return self._skip(shown, "Python has no such operator")
        if name == "__getitem__":
            self._add_element_setter(function)
        if self._is_twin(function):
            return
        self._add_callable("def", name, function, shown)

    def _add_not(self) -> None:
        """Add `__bool__` for a class that only says when it is false."""
        self._plan.crossed += 1
        if any(
            one.kind == "conversion" and conversion_name(one.result) == "__bool__"
            for one in self._functions
        ):
            return
        self._row(
            "def",
            quoted("__bool__"),
            f"[](const {self._class.spelled}& self) {{ return !(!self); }}",
            name="__bool__",
        )

    def _add_order(self, function: Function) -> None:
        operand = function.parameters[0].type
        why = self._planner.why_type_fails(operand)
        if why:
            return self._skip(shown_operator(function), f"parameter 0: {why}")
        self._order_rows(self._planner.spelled(operand))

    def _order_rows(self, operand: str) -> None:
        self_type = self._class.spelled
        for symbol in _ORDER:
            name = operator_names(symbol, 2)[0]
            self._row(
                "def",
                quoted(name),
                f"[](const {self_type}& a, {operand} b) {{ return (a <=> b) {symbol} 0; }}",
                name=name,
            )
        self._plan.crossed += 1

    def _add_element_setter(self, function: Function) -> None:
        result = function.result
        if function.is_const or not result.is_reference or result.refers_to_const:
            return
        if result.is_rvalue or result.is_pointer or self._planner.why_call_fails(function):
            return
        if result.kind == "record" and self._planner.facts(result.bare).is_object:
            return
        declared, passed = self._planner.lambda_parameters(function.parameters)
        value = re.sub(r"\s*&$", "", self._planner.spelled(result))
        self._row(
            "def",
            quoted("__setitem__"),
            f"[]({self._class.spelled}& self, {', '.join(declared)}, {value} value) "
            f"{{ self[{', '.join(passed)}] = std::move(value); }}",
            name="__setitem__",
        )

    def _add_conversion(self, function: Function) -> None:
        shown = shown_operator(function)
        name = function.notes.name or conversion_name(function.result)
        if not name and is_safe_bool(function) and self._has_not():
            self._plan.crossed += 1  # operator! says the same
            return None
        if not name:
            return self._skip(shown, "Python has no such conversion")
        if self._is_twin(function):
            return
        self._add_callable("def", name, function, shown)

    def _has_not(self) -> bool:
        return any(one.name == "operator!" for one in self._functions)

    def _add_free_operators(self) -> None:
        """Add the operators of namespaces and the friends that have the class as an operand."""
        class_ = self._class.canonical
        free = [
            *(one for one in self._planner.headers.functions if one.kind == "operator"),
            *(one for one in self._class.friends if one.kind == "operator"),
        ]
        for function in free:
            operands = function.parameters
            if function.notes.hidden or function.is_deleted or not operands:
                continue
            is_left = bare_value(operands[0].type) == class_
            is_right = len(operands) == 2 and bare_value(operands[1].type) == class_
            if not is_left and not is_right:
                continue
            if self._is_out(function):
                continue
            self._add_free_operator(function, is_left=is_left)

    def _add_free_operator(self, function: Function, *, is_left: bool) -> None:
        symbol = symbol_of(function)
        operands = function.parameters
        if symbol == "<=>":
            if is_left:
                self._order_rows(self._planner.spelled(operands[1].type))
            return
        shown = shown_operator(function)
        if (
            symbol == "<<"
            and not is_left
            and operands[0].type.bare.startswith("std::basic_ostream<")
        ):
            return self._add_text()
        names = operator_names(symbol, len(operands))
        name = names[0] if is_left else names[1]
        if not name:
            return self._skip(shown, "Python has no such operator")
        why = self._planner.why_call_fails(function)
        if why:
            return self._skip(shown, why)
        left, *rest = ["a", "b"][: len(operands)]
        texts = [
            f"{self._planner.spelled(one.type)} {name_}"
            for one, name_ in zip(operands, (left, *rest), strict=True)
        ]
        body = f"{symbol}a" if len(operands) == 1 else f"a {symbol} b"
        result = self._planner.spelled(function.result)
        arrow = f" -> {result}" if function.result.is_reference else ""
        if not is_left:
            texts.reverse()
        self._row(
            "def", quoted(name), f"[]({', '.join(texts)}){arrow} {{ return {body}; }}", name=name
        )
        self._plan.crossed += 1

    def _add_text(self) -> None:
        """Add `__str__` for a class that writes itself to a stream."""
        self._plan.crossed += 1
        if self._has_entry("__str__"):
            return
        self._row(
            "def",
            quoted("__str__"),
            f"[](const {self._class.spelled}& self) "
            "{ return (std::ostringstream() << self).str(); }",
            name="__str__",
        )

    def _add_iteration(self) -> None:
        names = (self._qualified, self._class.spelled)
        asked = self._class.notes.iterable or self._settings.iterable.get(*names)
        is_range = self._planner.is_range(self._class)
        if not asked and (not is_range or self._settings.not_iterable.get(*names)):
            return
        self._row("def_iter", name="__iter__")
        kept = [one for one in self._plan.skipped if one.name not in _ITERATION]
        self._plan.crossed += len(self._plan.skipped) - len(kept)
        self._plan.skipped[:] = kept

    # Constructors.

    def _constructors(self) -> list[Function]:
        return [
            one
            for one in self._functions
            if one.kind == "constructor" and one.scope == self._class.canonical
        ]

    def _is_constructible(self) -> bool:
        if not self._facts.is_destructible:
            return False
        return not self._facts.is_abstract or bool(self._plan.overrides)

    def _add_constructor(self, function: Function) -> None:
        if function.is_copy or function.is_move:
            return
        is_defaulted = function.is_default_constructor and function.is_defaulted
        if is_defaulted and self._has_field_init():
            return
        if not self._is_constructible():
            if not self._facts.is_abstract:
                self._skip("constructor", "the destructor is not public")
            return
        why = self._planner.why_call_fails(function)
        if why:
            return self._skip("constructor", why)
        with_values = self._planner.has_values(function)
        types = [self._planner.spelled(one.type) for one in function.parameters]
        options = self._planner.options_of(function, with_values=with_values)
        if function.num_defaults and not with_values:
            forms = tuple(
                f"void({', '.join(types[: len(types) - at])})"
                for at in range(function.num_defaults + 1)
            )
            self._row("def_init_with_defaults", *options, types=forms)
        else:
            self._row("def_init", *options, types=tuple(types) or ("",))
        self._plan.crossed += 1

    def _has_field_init(self) -> bool:
        """Whether the fields are the parameters of the constructor."""
        if not self._is_constructible():
            return False
        if not self._facts.is_default_constructible and not self._facts.is_abstract:
            return False
        for one in self._constructors():
            if one.is_template:
                return False
            if one.is_copy or one.is_move:
                continue
            if not one.is_default_constructor or not one.is_defaulted:
                return False
        return not any(one.is_template and one.name == self._class.name for one in self._functions)
