# SPDX-License-Identifier: Apache-2.0
"""`tain.cpp.Module`, and the loading of builds, also of an earlier build after a later one."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterable

from tain import Function, _core
from tain.cpp import _inline
from tain.library import load_library

__all__ = ["Module", "load_module"]


class Module:
    """A compiled and loaded library. The functions named in `functions` are its attributes.

    Attributes
    ----------
    __name__ : str
        The name of the library.
    __file__ : str
        The path of the library.
    """

    __module__ = "tain.cpp"

    def __init__(self, name: str, file: str, functions: dict[str, Function]) -> None:
        self.__name__ = name
        self.__file__ = file
        self._functions = functions
        vars(self).update(functions)

    def get_function(self, name: str) -> Function:
        """Return a function by name.

        Parameters
        ----------
        name : str
            The name of a function.

        Raises
        ------
        AttributeError
            The name was not in the argument `functions`.
        """
        try:
            return self._functions[name]
        except KeyError:
            known = ", ".join(self._functions) or "none"
            raise AttributeError(
                f"{self.__name__}: there is no function {name!r} among those named in functions= "
                f"({known})"
            ) from None

    def __getattr__(self, name: str) -> Function:
        if name.startswith("__") or name == "_functions":
            raise AttributeError(name)
        return Module.get_function(self, name)

    def __getitem__(self, name: str) -> Function:
        return Module.get_function(self, name)

    def __repr__(self) -> str:
        return f"<tain.cpp.Module {self.__name__}: {', '.join(self._functions) or 'no functions'}>"


# The identity of the last loaded build by name, and the identities of all loaded builds.
_latest: dict[str, str] = {}
_loaded: set[str] = set()


def load_module(name: str, path: str, functions: Iterable[str]) -> Module:
    """Load the library at a path; return it with the given functions."""
    identity = _identity(path)
    if identity in _loaded and _latest.get(name) != identity:
        # An earlier build is loaded again. The loader would do nothing for the same file, and the
        # types and functions of the later build would stay. So load a copy.
        load_library(_copy(path))
    else:
        load_library(path)
    _loaded.add(identity)
    _latest[name] = identity
    found = {
        function: _core.get_global_func(_inline.global_name(name, function))
        for function in functions
    }
    return Module(name, path, found)


def _identity(path: str) -> str:
    status = os.stat(path)
    return f"{path}:{status.st_ino}:{status.st_mtime_ns}"


_copies: list[str] = []


def _copy(path: str) -> str:
    """Return the path of a copy that lives as long as the process."""
    if not _copies:
        _copies.append(tempfile.mkdtemp(prefix="tain-"))
        atexit.register(_remove_copies, os.getpid())
    folder = os.path.join(_copies[0], str(len(_copies)))
    _copies.append(folder)
    os.mkdir(folder)
    return shutil.copy(path, folder)


def _remove_copies(owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not remove them
        shutil.rmtree(_copies[0], ignore_errors=True)
