# SPDX-License-Identifier: Apache-2.0
"""The key, the registration unit and the documentation of a class that is defined in Python."""

from __future__ import annotations

import sys

from tain import _core

__all__ = ["default_key", "doc_of", "known", "origin"]


def default_key(cls: type) -> str:
    """Return the default key of a class: its module and its qualified name."""
    return f"{cls.__module__}.{cls.__qualname__}".replace("<locals>.", "")


def origin(cls: type) -> tuple[str, str]:
    """Return the unit and the file that define a class. The same unit may define it again."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or f"<{cls.__module__}>"
    return f"{cls.__module__}:{cls.__qualname__}", str(file)


def doc_of(thing: object) -> str:
    """Return the docstring of a class or function, or an empty text."""
    return (getattr(thing, "__doc__", None) or "").strip()


def known(key: str) -> type | None:
    """Return the class of a key, or None, without loading a library."""
    if key not in _core.type_keys(key):
        return None
    return _core.get_class(key)
