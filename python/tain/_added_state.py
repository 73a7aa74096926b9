# SPDX-License-Identifier: Apache-2.0
"""Pickles what a Python subclass adds to an object whose state C++ gives and takes."""

from __future__ import annotations

from typing import Any

from tain import _core

__all__ = ["AddedState"]


class AddedState:
    """The state of an object for the `__setstate__` of C++, which does not take what is added.

    It is pickled after the object is known, and becomes the state of C++ when it is unpickled; that
    restores what is added, which may refer to the object.
    """

    __slots__ = ("_added", "_object", "_state")

    def __init__(self, object_: object, added: object, state: object) -> None:
        self._object, self._added, self._state = object_, added, state

    def __reduce__(self) -> tuple[Any, tuple[object, object, object]]:
        return _core.restore_added, (self._object, self._added, self._state)

    def __tain_convert__(self) -> object:
        """For copy.copy, which does not reduce states."""
        return self._state
