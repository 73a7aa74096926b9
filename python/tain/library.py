# SPDX-License-Identifier: Apache-2.0
"""Loads libraries. Either all registrations of a library take effect, or none and it raises."""

import os
import sys

from tain import _core
from tain._checks import path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Library", "load_library"]


class Library:
    """A library that is loaded, and what it registered. It can be given wherever a path can.

    Attributes
    ----------
    path : str
        The absolute path of the file.
    types, enums : tuple of str
        The keys of its types and enums, sorted; `tain.get_class` returns their classes.
    functions : tuple of str
        The names of its global functions, sorted.
    errors : tuple of str
        The keys of its exception classes, sorted.
    constants : tuple of str
        The names of the constants of namespaces, sorted.
    skipped : tuple of (str, str)
        The functions of its namespaces that TAIN_REFLECT left out, each with the reason. For the
        members of a type see `tain.type_info`.
    """

    # In the order of the constructor.
    __slots__ = (*("path", "types", "functions", "enums", "errors", "skipped", "constants"),)

    path: str
    types: "tuple[str, ...]"
    functions: "tuple[str, ...]"
    enums: "tuple[str, ...]"
    errors: "tuple[str, ...]"
    skipped: "tuple[tuple[str, str], ...]"
    constants: "tuple[str, ...]"

    def __init__(
        self,
        path: str,
        types: "tuple[str, ...]",
        functions: "tuple[str, ...]",
        enums: "tuple[str, ...]",
        errors: "tuple[str, ...]" = (),
        skipped: "tuple[tuple[str, str], ...]" = (),
        constants: "tuple[str, ...]" = (),
    ) -> None:
        facts = (path, types, functions, enums, errors, skipped, constants)
        for name, fact in zip(self.__slots__, facts, strict=True):
            object.__setattr__(self, name, fact)

    def __setattr__(self, name: str, *value: object) -> None:
        raise AttributeError(f"tain.Library: {name} is read-only")

    __delattr__ = __setattr__

    def __fspath__(self) -> str:
        return self.path

    __str__ = __fspath__

    def __repr__(self) -> str:
        facts = zip(self.__slots__, self._facts(), strict=True)
        return f"tain.Library({', '.join(f'{name}={fact!r}' for name, fact in facts)})"

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, Library) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> "tuple[object, ...]":
        return Library, self._facts()

    def _facts(self) -> "tuple[Any, ...]":
        return tuple(getattr(self, name) for name in self.__slots__)


def load_library(path: "str | os.PathLike[str]") -> Library:
    """Load a shared library of registered types and functions.

    Afterwards the types can be imported from `tain.types`. Loading the same file again does
    nothing. If the file has been rebuilt, loading it again redefines its types: new objects have
    the new classes, and objects made before keep their classes.

    Parameters
    ----------
    path : str or os.PathLike
        A file, or a bare name such as ``"geometry"``. `tain.libinfo.find_lib_path` describes where
        a bare name is searched.

    Returns
    -------
    Library
        The path of the file, and the names of the types, functions, enums and exceptions that it
        registered.

    Raises
    ------
    FileNotFoundError
        There is no such file. For a bare name, the text lists the folders that were searched.
    ImportError
        The file is not a shared library, was compiled for another version of tain, or has faulty
        registrations; then none of its registrations takes effect.

    Examples
    --------
    >>> tain.load_library("build/libgeometry.so").types  # doctest: +SKIP
    ('geometry.Circle', 'geometry.Point')
    """
    try:
        return load_for(path, sys._getframe(1).f_globals)
    except Exception as error:
        from tain._tracebacks import leave_out_own

        leave_out_own(error)
        raise


def load_for(path: "str | os.PathLike[str]", caller: "dict[str, Any]") -> Library:
    """Do the same as `load_library`, for a caller that is given by the globals of its module."""
    from tain import _editable

    file = _editable.current(path_of("load_library: argument path", path), caller)
    if _is_bare(file):
        from tain import libinfo

        file = libinfo.search(file, caller)
    before = _core.registry_generation()
    _core.load_library_file(file)
    adoption = sys.modules.get("tain._adoption")  # not imported before a module adopts a namespace
    # While another thread is importing it, it has no such function, and nothing to do.
    refresh = getattr(adoption, "refresh", None)
    if refresh is not None and _core.registry_generation() != before:
        refresh()
    file = os.path.realpath(file)
    left_out = _core.list_skipped(file)
    skipped = tuple((name, why) for name, why, _ in left_out)
    types, functions, enums, errors, constants = _core.list_registered(file)
    library = Library(file, types, functions, enums, errors, skipped, constants)
    for key in _core.strict_types(library.types):
        _warn_of_skipped(key, _core.type_info(key).skipped)
    if any(is_strict for _, _, is_strict in left_out):
        _warn_of_skipped(os.path.basename(file), skipped)
    return library


def _warn_of_skipped(owner: str, skipped: "tuple[tuple[str, str], ...]") -> None:
    """Warn of what TAIN_REFLECT left out of a type or a library."""
    import warnings

    listed = "; ".join(f"{name}: {why}" for name, why in skipped)
    warnings.warn(
        f"{owner}: TAIN_REFLECT leaves out {listed}: mark it with [[=tain::hidden]], or change it",
        UserWarning,
        stacklevel=4,
    )


def _is_bare(file: str) -> bool:
    """Return whether `file` is a bare name that must be searched, and not a path."""
    if not file or os.path.basename(file) != file:
        return False
    return not os.path.splitext(file)[1] or not os.path.isfile(file)
