# SPDX-License-Identifier: Apache-2.0
"""Compiles and loads C++ from Python.

The compiler is the command in the environment variable ``CXX``, else ``c++``, ``g++`` or
``clang++``. Libraries are kept in a cache folder (``TAIN_CACHE_DIR``, else the user's cache folder
of the platform). They are compiled again only if the sources, the included files, the options, the
compiler or tain have changed. Loading a changed source under the same name redefines its types and
functions in the running process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tain.cpp import _build, _inline
from tain.cpp._build import CompileError, Recipe
from tain.cpp._module import load_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain._values import Module

__all__ = ["load", "load_inline", "build", "build_inline", "CompileError"]

_Path = str | os.PathLike[str]
_Functions = str | Sequence[str] | Mapping[str, str]


def build(
    name: str,
    *,
    sources: _Path | Sequence[_Path],
    extra_cflags: Sequence[str] = (),
    extra_ldflags: Sequence[str] = (),
    extra_include_paths: Sequence[_Path] = (),
    build_directory: _Path | None = None,
) -> str:
    """Compile C++ files to a library of registered types, without loading it.

    Parameters
    ----------
    name : str
        The name of the library. Loading another library of the same name redefines its types.
    sources : path or sequence of paths
        C++ files. They include ``<tain/tain.h>`` themselves.
    extra_cflags, extra_ldflags : sequence of str
        Options that are added to the command lines of the compiler and the linker.
    extra_include_paths : sequence of paths
        Folders in which the compiler searches for headers.
    build_directory : path, optional
        The folder for the library. By default it is a folder in the cache.

    Returns
    -------
    str
        The path of the library, for `tain.load_library`.

    Raises
    ------
    CompileError
        The sources do not compile or link. The text contains the whole output of the compiler.
    FileNotFoundError
        A source does not exist.
    RuntimeError
        There is no compiler.
    ValueError
        There are no sources, or the name has other characters than letters, digits and ``_.+-``.
    """
    files = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not files:
        raise ValueError("sources: expected at least one C++ file, got none")
    recipe = Recipe(
        name,
        files=tuple(map(os.path.abspath, files)),
        cflags=tuple(extra_cflags),
        ldflags=tuple(extra_ldflags),
        include_paths=tuple(map(os.path.abspath, extra_include_paths)),
    )
    return _build.build(recipe, _folder(build_directory))


def load(
    name: str,
    *,
    sources: _Path | Sequence[_Path],
    extra_cflags: Sequence[str] = (),
    extra_ldflags: Sequence[str] = (),
    extra_include_paths: Sequence[_Path] = (),
    build_directory: _Path | None = None,
) -> Module:
    """Compile C++ files and load the library.

    The parameters are those of `build`.

    Returns
    -------
    Module
        The library. Its attributes are the functions that the sources export with
        ``TAIN_EXPORT``. The types that they register are in `tain.types`.

    Raises
    ------
    CompileError
        The sources do not compile or link.
    ImportError
        A registration in the sources is faulty.

    Examples
    --------
    >>> tain.cpp.load(name="geometry", sources=["geometry.cc"])  # doctest: +SKIP
    >>> from tain.types.geometry import Point  # doctest: +SKIP
    """
    path = build(
        name,
        sources=sources,
        extra_cflags=extra_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
    )
    return load_build(name, path)


def build_inline(
    name: str,
    *,
    cpp_sources: str | Sequence[str],
    functions: _Functions | None = None,
    extra_cflags: Sequence[str] = (),
    extra_ldflags: Sequence[str] = (),
    extra_include_paths: Sequence[_Path] = (),
    build_directory: _Path | None = None,
) -> str:
    """Compile C++ text to a library, without loading it.

    Parameters
    ----------
    name : str
        The name of the library.
    cpp_sources : str or sequence of str
        C++ source text. Several texts are joined in order. The compiler includes
        ``<tain/tain.h>`` before it.
    functions : str, sequence of str, or mapping of str to str, optional
        The names of functions in the source that become functions of the module. A mapping also
        gives their documentation. It is not needed for what the source itself registers.
    extra_cflags, extra_ldflags, extra_include_paths, build_directory
        The same as for `build`.

    Returns
    -------
    str
        The path of the library.

    Raises
    ------
    CompileError
        The source does not compile or link. The text contains the whole output of the compiler.
    """
    text = _inline.one_text(cpp_sources)
    recipe = Recipe(
        name,
        text=_inline.with_registrations(text, _inline.names_and_docs(functions)),
        cflags=tuple(extra_cflags),
        ldflags=tuple(extra_ldflags),
        include_paths=tuple(map(os.path.abspath, extra_include_paths)),
    )
    return _build.build(recipe, _folder(build_directory))


def load_inline(
    name: str,
    *,
    cpp_sources: str | Sequence[str],
    functions: _Functions | None = None,
    extra_cflags: Sequence[str] = (),
    extra_ldflags: Sequence[str] = (),
    extra_include_paths: Sequence[_Path] = (),
    build_directory: _Path | None = None,
) -> Module:
    """Compile C++ text and load the library.

    The parameters are those of `build_inline`.

    Returns
    -------
    Module
        The library. Its attributes are the functions named in `functions`, and those that the
        source itself exports with ``TAIN_EXPORT``.

    Raises
    ------
    CompileError
        The source does not compile or link.
    ImportError
        A registration in the source is faulty.

    Examples
    --------
    >>> module = tain.cpp.load_inline(
    ...     name="inc", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> module.add_one(1)
    2
    """
    path = build_inline(
        name,
        cpp_sources=cpp_sources,
        functions=functions,
        extra_cflags=extra_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
    )
    return load_build(name, path)


def _folder(path: _Path | None) -> str | None:
    return None if path is None else os.fspath(path)
