# SPDX-License-Identifier: Apache-2.0
"""What expressions have in Python alone: `==`, showing, elements of tensors."""

from __future__ import annotations

import sys
from typing import Any

from tain.types.tensorexpr import IRModule
from tain.types.tensorexpr.te import Tensor
from tain.types.tensorexpr.tir import (
    Buffer,
    BufferLoad,
    ExprConvertible,
    PrimExpr,
    PrimFunc,
    ProducerLoad,
    Stmt,
)


def _eq(self: Any, other: Any) -> Any:
    return self.equal(other)


def _ne(self: Any, other: Any) -> Any:
    return self.not_equal(other)


def _indices(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _show(self: Any, style: str | None = None, file: Any = None) -> None:
    """Print the program; in colours if it goes to a terminal and Pygments is installed."""
    out = sys.stdout if file is None else file
    text = self.script()
    if style is None and not getattr(out, "isatty", lambda: False)():
        print(text, file=out)
        return
    try:
        from pygments import highlight
        from pygments.formatters import Terminal256Formatter
        from pygments.lexers import PythonLexer
    except ImportError:
        print(text, file=out)
        return
    print(
        highlight(text, PythonLexer(), Terminal256Formatter(style=style or "default")),
        end="",
        file=out,
    )


def install() -> None:
    """Give the classes of C++ what only Python can say."""
    for cls in (PrimExpr, ExprConvertible):
        cls.__eq__ = _eq  # type: ignore[method-assign]
        cls.__ne__ = _ne  # type: ignore[method-assign]
        cls.__hash__ = cls.__mro__[-2].__hash__  # identity: `==` is an expression
    for cls in (PrimExpr, Stmt, PrimFunc, IRModule):
        cls.show = _show
    Tensor.__getitem__ = lambda self, index: ProducerLoad(self, _indices(index))
    Buffer.__getitem__ = lambda self, index: BufferLoad(self, _indices(index))
    Buffer.__iter__ = None
    Tensor.__iter__ = None
