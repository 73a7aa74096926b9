# SPDX-License-Identifier: Apache-2.0
"""Tensor expressions: programs made in Python, transformed in C++, compiled to machine code."""

from . import _library as _library
from . import libinfo, nd, te, tir
from ._operators import install as _install
from .driver import build, lower

_install()

__all__ = ["build", "libinfo", "lower", "nd", "te", "tir"]
