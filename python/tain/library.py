# SPDX-License-Identifier: Apache-2.0
"""Loads libraries. Either all registrations of a library take effect, or none and it raises."""

from __future__ import annotations

import os
import sys

from tain import _adoption, _core
from tain._checks import path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["load_library"]


def load_library(path: str | os.PathLike[str]) -> str:
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
    str
        The absolute path of the file that was opened.

    Raises
    ------
    FileNotFoundError
        There is no such file. For a bare name, the text lists the folders that were searched.
    ImportError
        The file is not a shared library, was compiled for another version of tain, or has faulty
        registrations; then none of its registrations takes effect.

    Examples
    --------
    >>> tain.load_library("build/libgeometry.so")  # doctest: +SKIP
    '/opt/geometry/build/libgeometry.so'
    """
    return load_for(path, sys._getframe(1).f_globals)


def load_for(path: str | os.PathLike[str], caller: dict[str, Any]) -> str:
    """Do the same as `load_library`, for a caller that is given by the globals of its module."""
    file = path_of("load_library: argument path", path)
    if _is_bare(file):
        from tain import libinfo

        file = libinfo.search(file, caller)
    before = _core.registry_generation()
    opened = _core.load_library_file(file)
    if _core.registry_generation() != before:
        _adoption.refresh()
    return opened


def _is_bare(file: str) -> bool:
    """Return whether `file` is a bare name that must be searched, and not a path."""
    if not file or os.path.basename(file) != file:
        return False
    return not os.path.splitext(file)[1] or not os.path.isfile(file)
