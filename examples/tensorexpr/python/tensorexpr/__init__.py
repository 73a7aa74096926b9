# SPDX-License-Identifier: Apache-2.0
"""Tensor expressions: programs made in Python, transformed in C++, compiled to machine code."""

from . import _library as _library
from . import nd, stmt_functor, te, tir
from ._operators import install as _install
from .driver import build, lower

_install()
tir.stmt_functor = stmt_functor  # type: ignore[attr-defined]

__all__ = ["build", "lower", "nd", "te", "tir"]
