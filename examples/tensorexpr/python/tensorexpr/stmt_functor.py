# SPDX-License-Identifier: Apache-2.0
"""Walks through programs, under the names of the older package, by `tain.visit` and mutators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tain.types.tensorexpr.tir import PrimExpr, Stmt

import tain
from tain.transform import Mutator


def post_order_visit(node: Any, fvisit: Callable[[Any], object]) -> None:
    """Call `fvisit` for each expression and statement, after those below it."""

    def visit(one: Any) -> None:
        if isinstance(one, (PrimExpr, Stmt)):
            fvisit(one)

    tain.visit(node, visit, order="post")


def pre_order_visit(node: Any, fvisit: Callable[[Any], object]) -> None:
    """Call `fvisit` for each expression and statement; False leaves out what is below it."""
    tain.visit(node, lambda one: fvisit(one) if isinstance(one, (PrimExpr, Stmt)) else True)


class _Transformer(Mutator):
    def __init__(self, preorder: Any, postorder: Any, kinds: set[str] | None) -> None:
        super().__init__()
        self.preorder, self.postorder, self.kinds = preorder, postorder, kinds

    def visit_PrimExpr(self, node: Any) -> Any:
        is_given = self.kinds is None or type(node).__name__ in self.kinds
        made = self.preorder(node) if is_given and self.preorder is not None else None
        if made is not None:
            return made
        node = self.generic_visit(node)
        made = self.postorder(node) if is_given and self.postorder is not None else None
        return node if made is None else made

    visit_Stmt = visit_PrimExpr


def ir_transform(
    stmt: Any,
    preorder: Callable[[Any], Any] | None,
    postorder: Callable[[Any], Any] | None,
    only_enable: Sequence[str] | None = None,
) -> Any:
    """Return a program in which two functions replaced statements and expressions.

    `preorder` gets a node before its parts are changed; what it returns takes the node's place, and
    is not walked. `postorder` gets a node with its new parts. None keeps the node. `only_enable`
    names the classes that both get, such as "tir.For".
    """
    kinds = None if only_enable is None else {one.rpartition(".")[2] for one in only_enable}
    return _Transformer(preorder, postorder, kinds).visit(stmt)


def substitute(node: Any, vmap: Mapping[Any, Any]) -> Any:
    """Return a program with other expressions in the places of variables."""
    values = {id(var): value for var, value in vmap.items()}
    return tain.rewrite(node, lambda one: values.get(id(one)))
