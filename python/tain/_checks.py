# SPDX-License-Identifier: Apache-2.0
"""Checks arguments of the package's functions; the errors name what was given."""

import os
import sys

from tain import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["callable_of", "loaded", "path_of", "refuse", "text_of"]


def refuse(where: str, expected: str, given: object) -> TypeError:
    """Return the TypeError for a value of a wrong type."""
    return TypeError(f"{where}: expected {expected}, got {_core.given_text(given)}")


def text_of(where: str, value: object) -> str:
    """Return a str that was given."""
    if not isinstance(value, str):
        raise refuse(where, "str", value)
    return value


def path_of(where: str, path: object) -> str:
    """Return a path that was given, as text."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise refuse(where, "a path (str, bytes or os.PathLike)", path)
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"{where}: expected a path without NUL, got {text!r}")
    return text


def loaded(name: str) -> "Any":
    """Return a module, or None if it is not imported, or another thread is just importing it.

    Without it no value is one of its classes.
    """
    module = sys.modules.get(name)
    is_partial = getattr(getattr(module, "__spec__", None), "_initializing", False)
    return None if is_partial else module


def callable_of(where: str, value: "Any") -> "Any":
    """Return an object that can be called, or None if it was given."""
    if value is not None and not callable(value):
        raise refuse(where, "a callable or None", value)
    return value
