# SPDX-License-Identifier: Apache-2.0
"""Finds what is registered, and loads types on demand: of the testing library, of packages.

A package announces the namespaces of its types as entry points of the group ``tain.types``. The
name of an entry point is the first component of the keys. Its value is the module whose import
loads the library.
"""

import os
import sys

from tain import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = [
    *("CONSTANTS", "ENTRY_POINTS", "ERRORS", "NOTHING"),
    *("constant", "doc_of_constant", "find", "load_announced", "provide", "registered"),
]

ENTRY_POINTS = "tain.types"
# With a key, the name of the function that returns the record of an exception class, or the value
# of a constant.
ERRORS = "ffi.Error."
CONSTANTS = "ffi.Constant."
NOTHING: "Any" = object()

_has_testing_library = False
# Namespaces whose announced modules were imported, with what was installed then.
_searched: "dict[str, tuple[object, ...]]" = {}


def registered(prefix: str) -> "Iterator[str]":
    """Yield the keys of types, enums, exceptions, functions and constants with a prefix.

    A key of several kinds is yielded several times.
    """
    yield from _core.type_keys(prefix)
    for name in _core.list_global_func_names():
        key = name.removeprefix(ERRORS).removeprefix(CONSTANTS)
        if key.startswith(prefix):
            yield key


def find(key: str) -> "Any":
    """Return what is registered under a key, or NOTHING. Loads no library of a package.

    If several have the key, the class comes first, then the function, then the constant.
    """
    before = _core.registry_generation()
    found: Any = _core.find_class(key, load=False)
    if found is None:
        found = _core.get_global_func(key, allow_missing=True)
    if found is not None:
        return found
    getter = constant(key)
    if getter is not None:
        return getter()
    # Looking for a function may have loaded the testing library.
    return NOTHING if _core.registry_generation() == before else find(key)


def constant(key: str) -> "Any":
    """Return the function that returns the value of a constant, or None if there is none."""
    return _core.get_global_func(CONSTANTS + key, allow_missing=True)


def doc_of_constant(key: str) -> str:
    """Return the documentation of a constant."""
    info = _core.function_info(constant(key))
    return "" if info is None else info.doc


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
        True if something was registered. If not, another thread may have registered the name since
        the caller looked for it, so it must look again.
    """
    before = _core.registry_generation()
    namespace = name.partition(".")[0]
    if namespace == "testing":
        _load_testing_library()
    elif kind == "key" and not namespace.startswith("_"):
        _import_announced(namespace)
    return _core.registry_generation() != before


def load_announced(prefix: str) -> "Iterator[tuple[str, Exception]]":
    """Load what packages announce of keys with a prefix; yield what cannot be loaded, and why."""
    from importlib.metadata import entry_points

    namespace, dot, _ = prefix.partition(".")
    if namespace == "testing":
        _load_testing_library()
    announced = {entry.name for entry in entry_points(group=ENTRY_POINTS)}
    for name in sorted(announced):
        if name == namespace if dot else name.startswith(namespace):
            try:
                _import_announced(name)
            except Exception as error:  # whatever the module of a package raises
                yield name, error


def _load_testing_library() -> None:
    global _has_testing_library
    if _has_testing_library:
        return
    from tain.libinfo import find_bundled
    from tain.library import load_library

    path = find_bundled("tain_testing")
    if path is not None:
        load_library(path)
        _has_testing_library = True


def _import_announced(namespace: str) -> None:
    if _core.type_keys(f"{namespace}."):
        return  # the library of the namespace is loaded, so the name does not exist
    installed = _installed()
    if _searched.get(namespace) == installed:
        return
    from importlib import import_module
    from importlib.metadata import entry_points

    for module in dict.fromkeys(
        entry.module for entry in entry_points(group=ENTRY_POINTS, name=namespace)
    ):
        import_module(module)
    _searched[namespace] = installed


def _installed() -> "tuple[object, ...]":
    """Return what changes when a package is installed: reading all their metadata is slow."""
    return (*map(id, sys.meta_path), *((path, _time_of(path)) for path in sys.path))


def _time_of(path: str) -> int:
    try:
        return os.stat(path or ".").st_mtime_ns
    except (OSError, ValueError, TypeError):
        return 0
