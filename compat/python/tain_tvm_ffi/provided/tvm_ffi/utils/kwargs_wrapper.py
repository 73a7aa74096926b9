# SPDX-License-Identifier: Apache-2.0
"""Functions that take keywords and have defaults, in front of functions that have neither."""

from __future__ import annotations

import functools
import inspect
import keyword
from typing import TYPE_CHECKING, Any

from .unpack_dataclass import unpack_dataclass_to_tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["make_kwargs_wrapper", "make_kwargs_wrapper_from_signature"]

# Names of the generated code begin with it.
_INTERNAL = "__i_"


def _check_names(names: list[str], what: str) -> None:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} name must be a string, got {type(name).__name__}")
        if not name.isidentifier():
            raise ValueError(f"{what} name {name!r} is not a valid Python identifier")
        if keyword.iskeyword(name):
            raise ValueError(
                f"{what} name {name!r} is a Python keyword and cannot be used as a parameter name"
            )
    if len(set(names)) != len(names):
        raise ValueError(f"Duplicate {what.lower()} names found in: {names}")
    internal = [name for name in names if name.startswith(_INTERNAL)]
    if internal:
        raise ValueError(f"{what} names conflict with internal names: {internal}")


def _check(
    names: list[str], defaults: Any, kwonly: list[str], kwonly_defaults: dict[str, Any]
) -> None:
    _check_names(names, "Argument")
    _check_names(kwonly, "Keyword-only argument")
    if not isinstance(defaults, tuple):
        raise TypeError(f"arg_defaults must be a tuple, got {type(defaults).__name__}")
    if len(defaults) > len(names):
        raise ValueError(
            f"arg_defaults has {len(defaults)} values but only {len(names)} arguments can have one"
        )
    both = set(names) & set(kwonly)
    if both:
        raise ValueError(f"Arguments cannot be both positional and keyword-only: {sorted(both)}")
    unknown = kwonly_defaults.keys() - set(kwonly)
    if unknown:
        raise ValueError(f"kwonly_defaults has names that are not in kwonly_names: {unknown}")


def make_kwargs_wrapper(
    target_func: Callable[..., Any],
    arg_names: list[str],
    arg_defaults: tuple[Any, ...] = (),
    kwonly_names: list[str] | None = None,
    kwonly_defaults: dict[str, Any] | None = None,
    prototype: Callable[..., Any] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """Return a function with these parameters, which passes all by position.

    Parameters
    ----------
    target_func : callable
        The function that is called.
    arg_names, arg_defaults : list of str, tuple
        The parameters that may be given by position, and the defaults of the last ones.
    kwonly_names, kwonly_defaults : list of str, dict
        The parameters that are given by keyword only, and defaults of them.
    prototype : callable, optional
        A function whose name, documentation and annotations the result gets.
    map_dataclass_to_tuple : list of str, optional
        The parameters that are passed as tuples.

    Raises
    ------
    TypeError, ValueError
        The names or defaults do not fit together.
    """
    kwonly = list(kwonly_names or ())
    by_name = dict(kwonly_defaults or {})
    _check(arg_names, arg_defaults, kwonly, by_name)
    unpacked = set(map_dataclass_to_tuple or ())
    with_default = arg_names[len(arg_names) - len(arg_defaults) :]
    defaults = dict(zip(with_default, arg_defaults, strict=True))
    defaults.update(by_name)
    space: dict[str, Any] = {
        f"{_INTERNAL}target": target_func,
        f"{_INTERNAL}unpack": unpack_dataclass_to_tuple,
        **{f"{_INTERNAL}default_{name}": value for name, value in defaults.items()},
    }

    def parameter(name: str) -> str:
        return f"{name}={_INTERNAL}default_{name}" if name in defaults else name

    def argument(name: str) -> str:
        return f"{_INTERNAL}unpack({name})" if name in unpacked else name

    parameters = [*map(parameter, arg_names), *(["*"] if kwonly else []), *map(parameter, kwonly)]
    arguments = ", ".join(map(argument, [*arg_names, *kwonly]))
    # As dataclasses does, so that Python itself sorts the arguments.
    exec(f"def wrapper({', '.join(parameters)}):\n    return {_INTERNAL}target({arguments})", space)
    made: Callable[..., Any] = space["wrapper"]
    return made if prototype is None else functools.wraps(prototype, updated=())(made)


def make_kwargs_wrapper_from_signature(
    target_func: Callable[..., Any],
    signature: inspect.Signature,
    prototype: Callable[..., Any] | None = None,
    exclude_arg_names: Iterable[str] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """Return a function with the parameters of a signature, except some; see the function above."""
    excluded = set(exclude_arg_names or ())
    names: list[str] = []
    defaults: list[Any] = []
    kwonly: list[str] = []
    by_name: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if name in excluded:
            continue
        has_default = parameter.default is not inspect.Parameter.empty
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise ValueError("*args not supported in wrapper generation")
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            raise ValueError("**kwargs not supported in wrapper generation")
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            kwonly.append(name)
            if has_default:
                by_name[name] = parameter.default
            continue
        if defaults and not has_default:
            raise ValueError(f"the parameter {name} has no default, and one before it has one")
        names.append(name)
        if has_default:
            defaults.append(parameter.default)
    return make_kwargs_wrapper(
        target_func, names, tuple(defaults), kwonly, by_name, prototype, map_dataclass_to_tuple
    )
