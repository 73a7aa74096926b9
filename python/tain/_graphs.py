# SPDX-License-Identifier: Apache-2.0
"""Visits and rewrites graphs of objects with a function."""

from __future__ import annotations

from tain import _core
from tain._checks import refuse, text_of
from tain._tracebacks import ends_at_caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

__all__ = ["rewrite", "visit"]


@ends_at_caller
def visit(
    obj: object, fn: Callable[[Any], object], *, order: Literal["pre", "post"] = "pre"
) -> None:
    """Call a function once for each object of a graph.

    The function is called for objects of registered types, containers, functions, modules and
    tensors that the registered fields and the containers lead to, but not for numbers and texts. A
    graph may have any depth; cycles end, because each object is visited once.

    Parameters
    ----------
    obj : object
        Where the graph begins. A list or dict is converted to a container first.
    fn : callable
        ``fn(node)``. In pre-order the result False leaves out what is below the node; other results
        are ignored.
    order : str, optional
        ``"pre"``: a node before what is below it; ``"post"``: after that.

    Raises
    ------
    TypeError
        `fn` is not callable.
    ValueError
        `order` is something else.
    RuntimeError
        `fn` changes a Map or Dict while its entries are visited.

    Examples
    --------
    >>> kinds = []
    >>> tain.visit(tain.convert([[1], {"a": 2}]), lambda node: kinds.append(type(node).__name__))
    >>> kinds
    ['Array', 'Array', 'Map']
    """
    if not callable(fn):
        raise refuse("visit: argument fn", "a callable", fn)
    text_of("visit: argument order", order)
    _core.get_global_func("tain.visit")(obj, fn, order)


@ends_at_caller
def rewrite(obj: Any, fn: Callable[[Any], object]) -> Any:
    """Return a graph in which each node is replaced by what a function returns for it.

    The function is called for a node after the nodes below it, and gets the node with its new
    parts. Nodes that do not change keep their identity. The others are copied with the changed
    fields, read-only ones too, whatever their constructor; copies of objects of a Python class keep
    class and attributes. A shared node is rewritten once. ``tain.rewrite(obj._move(), fn)`` changes
    nodes in place if nothing else refers to them.

    Parameters
    ----------
    obj : object
        Where the graph begins, as for `visit`.
    fn : callable
        ``fn(node)`` returns what takes the node's place. If it returns None or the node, the node
        stays.

    Returns
    -------
    object
        The new graph; `obj` if nothing has changed.

    Raises
    ------
    TypeError
        `fn` is not callable, a result does not fit its place, or a type cannot be rebuilt.
    ValueError
        A node of a cycle would have to be replaced.

    Examples
    --------
    >>> tain.rewrite(tain.convert([[1], [2]]), lambda node: len(node) if node[0] == 2 else None)
    [[1], 1]
    """
    if not callable(fn):
        raise refuse("rewrite: argument fn", "a callable", fn)
    return _core.get_global_func("tain.rewrite")(obj, fn)
