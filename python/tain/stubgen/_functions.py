# SPDX-License-Identifier: Apache-2.0
"""Functions, methods and constructors as code, with their overloads."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Sequence

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

    Parameters
    ----------
    info : FunctionInfo
        The function.
    names : Names
        The names of the stub.
    name : str
        The name of the function.
    receiver : bool
        Whether the first parameter is ``self``.
    result : str, optional
        The code of the result; by default it is what the function returns.
    doc : str
        The documentation, if the function itself has none.
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


def _parameters(
    signature: inspect.Signature, place: Place, names: Names, name: str, receiver: bool
) -> tuple[str, tuple[tuple[int, int], ...]]:
    parameters = list(signature.parameters.values())
    if receiver and parameters and _is_receiver(parameters[0]):
        del parameters[0]
    texts = ["self"] if receiver else []
    rank: list[tuple[int, int]] = []
    before: inspect._ParameterKind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter in parameters:
        kind = parameter.kind
        if before is inspect.Parameter.POSITIONAL_ONLY and kind is not before:
            texts.append("/")
        if kind is inspect.Parameter.KEYWORD_ONLY and before < inspect.Parameter.VAR_POSITIONAL:
            texts.append("*")
        texts.append(_parameter(parameter, place, names, name))
        rank.append(_rank(parameter.annotation))
        before = kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        texts.append("/")
    return ", ".join(texts), tuple(rank)


def _is_receiver(parameter: inspect.Parameter) -> bool:
    return parameter.name == "self" and parameter.annotation is inspect.Parameter.empty


def _parameter(parameter: inspect.Parameter, place: Place, names: Names, name: str) -> str:
    if parameter.annotation is inspect.Parameter.empty:
        annotation = names.use("typing", "Any")
    elif name in EQUALITIES:
        annotation = names.use("builtins", "object")
    else:
        annotation = annotation_text(parameter.annotation, place, names)
    stars: dict[inspect._ParameterKind, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    text = f"{stars.get(parameter.kind, '')}{parameter.name}: {annotation}"
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text} = {default_text(parameter.default, annotation, names)}"


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
    wrap: Callable[[str], str] = str,
) -> list[str]:
    """Return the lines of a function.

    Parameters
    ----------
    name : str
        Its name.
    forms : sequence of Form
        The ways to call it.
    names : Names
        The names of the stub.
    indent : str
        Blanks in front of each line.
    decorators : sequence of str
        Decorators, without ``@``.
    wrap : callable
        Changes the code of the results.
    """
    lines: list[str] = []
    for form in forms:
        if len(forms) > 1:
            lines.append(f"{indent}@{names.use('typing', 'overload')}")
        lines += [f"{indent}@{decorator}" for decorator in decorators]
        head = f"{indent}def {name}({form.parameters}) -> {wrap(form.result)}:"
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
    texts: list[tuple[inspect.Parameter, str]] = []
    for parameter in signature.parameters.values():
        annotation = any_type
        if _is_plain(parameter.annotation):
            annotation = annotation_text(parameter.annotation, Place.RESULT, names)
        new = parameter.replace(annotation=parameter.empty)
        if receiver and not texts:
            texts.append((new, ""))
        elif new.default is not new.empty:
            default = default_text(new.default, annotation, names)
            texts.append((new.replace(default=new.empty), f": {annotation} = {default}"))
        else:
            texts.append((new, f": {annotation}"))
    shown: list[str] = []
    before: inspect._ParameterKind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for parameter, rest in texts:
        kind = parameter.kind
        if before is inspect.Parameter.POSITIONAL_ONLY and kind is not before:
            shown.append("/")
        if kind is inspect.Parameter.KEYWORD_ONLY and before < inspect.Parameter.VAR_POSITIONAL:
            shown.append("*")
        shown.append(f"{parameter}{rest}")
        before = kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        shown.append("/")
    result = any_type
    if _is_plain(signature.return_annotation):
        result = annotation_text(signature.return_annotation, Place.RESULT, names)
    doc = (
        function.__doc__
        if receiver
        else getattr(getattr(function, "__wrapped__", None), "__doc__", None)
    )
    return Form(", ".join(shown), result, doc or "", ())


def _is_plain(annotation: object) -> bool:
    """Return whether an annotation of Python code is a class of Python or a union of such."""
    if annotation is None:
        return True
    if isinstance(annotation, types.UnionType):
        return all(map(_is_plain, annotation.__args__))
    if isinstance(annotation, type):
        return annotation in (int, float, bool, str, bytes, complex, type(None))
    return False
