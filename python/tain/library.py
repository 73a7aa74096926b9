# SPDX-License-Identifier: Apache-2.0
"""Loading a library: all of its types and functions, or none of them and one ImportError."""

from __future__ import annotations

import os
import sys

from tain import _adoption, _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["load_library"]


def load_library(path: str | os.PathLike[str]) -> str:
    """Load a shared library of registered types and functions.

    The types are then importable from `tain.types`. Loading the same file again does nothing; a
    file that was rebuilt meanwhile is loaded anew and redefines its types: new objects have the
    new classes, objects made before keep theirs.

    Parameters
    ----------
    path : str or os.PathLike
        A file, or a bare name such as ``"geometry"``, searched as `tain.libinfo.find_lib_path`
        says.

    Returns
    -------
    str
        The absolute path of the file that was opened.

    Raises
    ------
    FileNotFoundError
        There is no such file; for a bare name, the text lists the folders that were searched.
    ImportError
        The file is no shared library, was compiled for another version of tain, or its
        registrations are faulty; none of them is then in effect.

    Examples
    --------
    >>> tain.load_library("build/libgeometry.so")  # doctest: +SKIP
    '/opt/geometry/build/libgeometry.so'
    """
    return load_for(path, sys._getframe(1).f_globals)


def load_for(path: str | os.PathLike[str], caller: dict[str, Any]) -> str:
    """Do what `load_library` does, for a caller given by its module's globals."""
    file = os.fsdecode(path)
    if _is_bare(file):
        from tain import libinfo

        file = libinfo.search(file, caller)
    before = _core.registry_generation()
    opened = _core.load_library_file(file)
    if _core.registry_generation() != before:
        _adoption.refresh()
    return opened


def _is_bare(file: str) -> bool:
    """Tell a name to be searched for from a path."""
    if not file or os.path.basename(file) != file:
        return False
    return not os.path.splitext(file)[1] or not os.path.isfile(file)
