# SPDX-License-Identifier: Apache-2.0
"""Functions, methods and constructors as code, with their overloads."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Sequence

from tain import _core
from tain.stubgen._annotations import Place, annotation_text
from tain.stubgen._names import Names
from tain.stubgen._values import default_text, doc_lines

__all__ = ["EQUALITIES", "Form", "forms_of", "python_form", "write_function"]

EQUALITIES = ("__eq__", "__ne__")  # for type checkers they take any object and return a bool
# Of the numeric tower as type checkers see it, the narrower types first.
_RANKS = {"bool": 0, "int": 1, "float": 2, "complex": 3}


@dataclasses.dataclass(frozen=True)
class Form:
    """One way to call a function: its parameters and its result as code."""

    parameters: str
    result: str
    doc: str
    rank: tuple[tuple[int, int], ...]  # narrower parameters have a lower rank


def forms_of(
    info: _core.FunctionInfo,
    names: Names,
    *,
    name: str,
    receiver: bool,
    result: str | None = None,
    doc: str = "",
) -> list[Form]:
    """Return the forms of a function, one for each overload, the narrower ones first.

    A type checker takes the first overload that fits, and tain the one that fits exactly. Overloads
    that Python cannot tell apart, such as those for int8_t and int64_t, are one form.

    With `receiver` the first parameter is ``self``. `result` is the code of the result if it is not
    what the function returns, `doc` the documentation if the function itself has none.
    """
    place = Place.RESULT if info.is_virtual else Place.PARAMETER
    forms: dict[str, Form] = {}
    for each in info.overloads or (info,):
        signature = each.signature
        parameters, rank = _parameters(signature, place, names, name, receiver)
        returned = result or _result(signature, names)
        known = forms.get(parameters)
        if known is not None:  # different types in C++, the same in Python
            if returned not in known.result.split(" | "):
                joined = f"{known.result} | {returned}"
                forms[parameters] = dataclasses.replace(known, result=joined)
            continue
        forms[parameters] = Form(
            parameters, returned, each.doc or ("" if info.overloads else doc), rank
        )
    return sorted(forms.values(), key=lambda form: form.rank)


def _result(signature: inspect.Signature, names: Names) -> str:
    if signature.return_annotation is inspect.Signature.empty:
        return names.use("typing", "Any")
    return annotation_text(signature.return_annotation, Place.RESULT, names)


class _Code(str):
    """Code that `inspect` writes into a signature as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def _text(parameters: list[inspect.Parameter]) -> str:
    """Return the code of parameters, whose annotations and defaults are `_Code`."""
    return str(inspect.Signature(parameters))[1:-1]


def _typed(parameter: inspect.Parameter, annotation: str, names: Names) -> inspect.Parameter:
    """Return a parameter with the code of its type and of its default."""
    default = parameter.default
    if default is not parameter.empty:
        default = _Code(default_text(default, annotation, names))
    return parameter.replace(annotation=_Code(annotation), default=default)


def _parameters(
    signature: inspect.Signature, place: Place, names: Names, name: str, receiver: bool
) -> tuple[str, tuple[tuple[int, int], ...]]:
    given = list(signature.parameters.values())
    if receiver and given and _is_receiver(given[0]):
        del given[0]
    shown = [_typed(each, _annotation(each, place, names, name), names) for each in given]
    if receiver:
        first = inspect.Parameter.POSITIONAL_OR_KEYWORD
        shown.insert(0, inspect.Parameter("self", min([first, *(each.kind for each in given)])))
    return _text(shown), tuple(_rank(each.annotation) for each in given)


def _is_receiver(parameter: inspect.Parameter) -> bool:
    return parameter.name == "self" and parameter.annotation is inspect.Parameter.empty


def _annotation(parameter: inspect.Parameter, place: Place, names: Names, name: str) -> str:
    if parameter.annotation is inspect.Parameter.empty:
        return names.use("typing", "Any")
    if name in EQUALITIES:
        return names.use("builtins", "object")
    return annotation_text(parameter.annotation, place, names)


def _rank(annotation: object) -> tuple[int, int]:
    """Return a number that is lower for narrower types; a type comes before its bases."""
    if annotation is typing.Any or annotation is inspect.Parameter.empty:
        return 9, 0
    if isinstance(annotation, type):
        if annotation.__name__ in _RANKS and annotation.__module__ == "builtins":
            return _RANKS[annotation.__name__], 0
        return 4, -len(annotation.__mro__)
    return 5, len(typing.get_args(annotation))


def write_function(
    name: str,
    forms: Sequence[Form],
    names: Names,
    indent: str = "",
    decorators: Sequence[str] = (),
) -> list[str]:
    """Return the lines of a function, after `indent`; the decorators are without ``@``."""
    lines: list[str] = []
    for form in forms:
        if len(forms) > 1:
            lines.append(f"{indent}@{names.use('typing', 'overload')}")
        lines += [f"{indent}@{decorator}" for decorator in decorators]
        head = f"{indent}def {name}({form.parameters}) -> {form.result}:"
        docs = doc_lines(form.doc, indent + "    ")
        lines += [head, *docs] if docs else [f"{head} ..."]
    return lines


def python_form(function: typing.Any, names: Names, *, receiver: bool = False) -> Form:
    """Return the form of a function that has no record, such as one of Python.

    With `receiver`, its first parameter is ``self`` or ``cls``.
    """
    try:
        signature = inspect.signature(function, eval_str=True)
    except (TypeError, ValueError, NameError):
        signature = inspect.signature(lambda *args, **kwargs: None)
    any_type = names.use("typing", "Any")

    def code_of(annotation: object) -> str:
        plain = _is_plain(annotation)
        return annotation_text(annotation, Place.RESULT, names) if plain else any_type

    shown = [
        _typed(each, code_of(each.annotation), names) for each in signature.parameters.values()
    ]
    if receiver and shown:
        shown[0] = shown[0].replace(annotation=inspect.Parameter.empty)
    result = code_of(signature.return_annotation)
    doc = (
        function.__doc__
        if receiver
        else getattr(getattr(function, "__wrapped__", None), "__doc__", None)
    )
    return Form(_text(shown), result, doc or "", ())


def _is_plain(annotation: object) -> bool:
    """Return whether an annotation of Python code is a class of Python or a union of such."""
    if annotation is None:
        return True
    if isinstance(annotation, types.UnionType):
        return all(map(_is_plain, annotation.__args__))
    if isinstance(annotation, type):
        return annotation in (int, float, bool, str, bytes, complex, type(None))
    return False
