# SPDX-License-Identifier: Apache-2.0
"""Loads types on demand: the bundled testing library, and packages with an entry point.

A package announces the namespaces of its types as entry points of the group ``tain.types``. The
name of an entry point is the first component of the keys. Its value is the module whose import
loads the library.
"""

from __future__ import annotations

from tain import _core

__all__ = ["ENTRY_POINTS", "provide"]

ENTRY_POINTS = "tain.types"


def provide(kind: str, name: str) -> bool:
    """Load the library that may define an unknown name.

    The bridge calls this function before it reports that the name is unknown.

    Parameters
    ----------
    kind : str
        ``"key"`` or ``"function"``.
    name : str
        The key, or the name of the function.

    Returns
    -------
    bool
        True if something was registered.
    """
    before = _core.registry_generation()
    namespace = name.partition(".")[0]
    if namespace == "testing":
        _load_testing_library()
    elif kind == "key" and not namespace.startswith("_"):
        _import_announced(namespace)
    return _core.registry_generation() != before


def _load_testing_library() -> None:
    from tain.libinfo import find_bundled
    from tain.library import load_library

    path = find_bundled("tain_testing")
    if path is not None:
        load_library(path)


def _import_announced(namespace: str) -> None:
    if _core.type_keys(f"{namespace}."):
        return  # the library of the namespace is loaded, so the name does not exist
    from importlib import import_module
    from importlib.metadata import entry_points

    for module in dict.fromkeys(
        entry.module for entry in entry_points(group=ENTRY_POINTS, name=namespace)
    ):
        import_module(module)
