# SPDX-License-Identifier: Apache-2.0
"""Compiling C++ from Python: what a source registers can be imported when the call returns.

The compiler is that of the environment variable ``CXX``, else ``c++``, ``g++`` or ``clang++``.
Libraries are kept in the user's cache (``TAIN_CACHE_DIR``, else the platform's cache folder) and
compiled again only if their sources, what these include, the options, the compiler or tain have
changed. A changed source under the same name redefines its types and functions in the running
process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tain.cpp import _build, _inline
from tain.cpp._build import CompileError, Recipe
from tain.cpp._module import Module, load_module

__all__ = ["load", "load_inline", "build", "build_inline", "Module", "CompileError"]

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
        The name of the library, under which a later version of it redefines its types.
    sources : path or sequence of paths
        C++ files. They include ``<tain/tain.h>`` themselves.
    extra_cflags, extra_ldflags : sequence of str
        Options added to the compiler's and the linker's command lines.
    extra_include_paths : sequence of paths
        Folders of headers.
    build_directory : path, optional
        Where the library is made; by default a folder in the user's cache.

    Returns
    -------
    str
        The path of the library, for `tain.load_library`.

    Raises
    ------
    CompileError
        The sources do not compile or link; the text has the compiler's whole output.
    FileNotFoundError
        A source does not exist.
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
    """Compile C++ files as `build` does, and load the library.

    Returns
    -------
    Module
        The library. What it registers is found by key and name: in `tain.types`, and with
        `tain.get_global_func`.

    Raises
    ------
    CompileError
        The sources do not compile or link.
    ImportError
        The registrations in them are faulty.

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
    return load_module(name, path, ())


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
        C++ source text; several are joined in order. ``<tain/tain.h>`` is included before it.
    functions : str, sequence of str, or mapping of str to str, optional
        Names of functions in the source that become functions of the module; a mapping gives
        their documentation. Nothing if the source only registers types and global functions.
    extra_cflags, extra_ldflags, extra_include_paths, build_directory
        As for `build`.

    Returns
    -------
    str
        The path of the library.

    Raises
    ------
    CompileError
        The source does not compile or link; the text has the compiler's whole output.
    """
    text = _inline.one_text(cpp_sources)
    recipe = Recipe(
        name,
        text=_inline.with_registrations(text, name, _inline.names_and_docs(functions)),
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
    """Compile C++ text as `build_inline` does, and load the library.

    Returns
    -------
    Module
        The library, with the named functions as attributes. They are global functions too, named
        ``cpp.<name>.<function>``.

    Raises
    ------
    CompileError
        The source does not compile or link.
    ImportError
        The registrations in it are faulty.

    Examples
    --------
    >>> module = tain.cpp.load_inline(
    ...     name="inc", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> module.add_one(1)
    2
    """
    names = list(_inline.names_and_docs(functions))
    path = build_inline(
        name,
        cpp_sources=cpp_sources,
        functions=functions,
        extra_cflags=extra_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
    )
    return load_module(name, path, names)


def _folder(path: _Path | None) -> str | None:
    return None if path is None else os.fspath(path)
