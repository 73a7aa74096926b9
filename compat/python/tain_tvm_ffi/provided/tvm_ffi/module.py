# SPDX-License-Identifier: Apache-2.0
"""Modules: functions that were compiled, or saved, together."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import tain
from tain import Module
from tain import system_lib as _system_lib

if TYPE_CHECKING:
    import os


class ModulePropertyMask(IntEnum):
    """The bits of a module's property mask."""

    BINARY_SERIALIZABLE = 0b001
    RUNNABLE = 0b010
    COMPILATION_EXPORTABLE = 0b100


def load_module(path: str | os.PathLike[str], keep_module_alive: bool = True) -> Module:
    """Load a module from a file. The code of a library always stays loaded."""
    return tain.load_module(path)


def system_lib(symbol_prefix: str = "") -> Module:
    """Return the module of the functions that are linked into the program."""
    return _system_lib(symbol_prefix)


__all__ = ["Module", "ModulePropertyMask", "load_module", "system_lib"]
