# SPDX-License-Identifier: Apache-2.0
"""Makes passes of Python functions, and finds passes by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from tain import _core, registry
from tain._checks import refuse, text_of
from tain.transform._classes import FunctionPass, Pass, PassContext

__all__ = ["create_pass", "get_pass", "list_passes", "register_pass"]

_PREFIX = "tain.pass."
PassT = TypeVar("PassT", bound=Pass)


def _takes_context(fn: Callable[..., Any]) -> bool:
    """Whether a function takes a second argument by position."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return False
    by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in by_position if p.default is p.empty]
    return len(required) >= 2 or any(p.kind is p.VAR_POSITIONAL for p in parameters)


@overload
def create_pass(
    fn: Callable[..., Any],
    /,
    *,
    opt_level: int = 0,
    name: str | None = None,
    required: Sequence[str] = (),
) -> FunctionPass: ...


@overload
def create_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], FunctionPass]: ...


def create_pass(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    opt_level: int = 0,
    name: str | None = None,
    required: Sequence[str] = (),
) -> FunctionPass | Callable[[Callable[..., Any]], FunctionPass]:
    """Make a pass of a function; a decorator, with or without arguments.

    Parameters
    ----------
    fn : callable
        ``fn(graph)`` or ``fn(graph, context)``; it returns the new graph, or the same.
    opt_level : int, optional
        The lowest `opt_level` of a `PassContext` at which a `Sequential` runs the pass.
    name : str, optional
        By default that of the function.
    required : sequence of str, optional
        Names of registered passes that a `Sequential` runs before this one.

    Returns
    -------
    FunctionPass
        The pass. Calling it with a graph runs it. An exception has a note with the pass's name.

    Raises
    ------
    TypeError
        An argument has the wrong type.

    Examples
    --------
    >>> @tain.transform.create_pass(opt_level=1)
    ... def keep(graph):
    ...     return graph
    >>> keep.name
    'keep'
    """

    def make(fn: Callable[..., Any]) -> FunctionPass:
        if not callable(fn):
            raise refuse("create_pass: argument fn", "a callable", fn)
        chosen = getattr(fn, "__name__", type(fn).__name__) if name is None else name
        text_of("create_pass: argument name", chosen)

        def run(graph: Any, _context: PassContext) -> Any:
            return fn(graph)

        return FunctionPass(chosen, opt_level, required, fn if _takes_context(fn) else run)

    return make if fn is None else make(fn)


def register_pass(pass_: PassT, *, override: bool = False) -> PassT:
    """Register a pass under its name, for `get_pass` and ``required``; also a decorator.

    Parameters
    ----------
    pass_ : Pass
        The pass, of any class.
    override : bool, optional
        Whether it replaces a pass of this name.

    Returns
    -------
    Pass
        The same pass.

    Raises
    ------
    TypeError
        It is no pass.
    ValueError
        The name is taken and `override` is false.
    """
    if not isinstance(pass_, Pass):
        raise refuse("register_pass: argument pass_", "Pass", pass_)
    registry.register_global_func(_PREFIX + pass_.name, lambda: pass_, override=override)
    return pass_


def get_pass(name: str) -> Pass:
    """Return a registered pass, written in C++ or in Python.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    Pass
        The pass.

    Raises
    ------
    TypeError
        The name is not a str.
    ValueError
        No pass has this name. The text suggests similar names.
    """
    text_of("get_pass: argument name", name)
    found: Pass = _core.get_global_func("tain.transform.get_pass")(name)
    return found


def list_passes() -> list[str]:
    """Return the names of the registered passes, sorted."""
    names = _core.list_global_func_names()
    return sorted(name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX))
