# SPDX-License-Identifier: Apache-2.0
"""Checks the arguments of the functions of tain.cpp, and makes recipes of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tain._checks import path_of, refuse
from tain.cpp import _inline
from tain.cpp._recipe import Recipe, Source, language_of

__all__ = ["Functions", "Options", "Path", "Texts", "of_files", "of_texts", "seconds"]

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Texts = str | Sequence[str]
Functions = str | Sequence[str] | Mapping[str, str]


@dataclass(frozen=True)
class Options:
    """The options that all functions have."""

    cflags: Sequence[str]
    cuda_cflags: Sequence[str]
    ldflags: Sequence[str]
    include_paths: Sequence[Path]

    def recipe(self, name: str, sources: Iterable[Source]) -> Recipe:
        """Return the recipe of a library."""
        return Recipe(
            name,
            tuple(sources),
            cflags=_options("extra_cflags", self.cflags),
            cuda_cflags=_options("extra_cuda_cflags", self.cuda_cflags),
            ldflags=_options("extra_ldflags", self.ldflags),
            include_paths=_paths("extra_include_paths", self.include_paths),
        )


def _sequence(parameter: str, kind: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise refuse(parameter, f"a sequence of {kind}", values)
    return tuple(values)


def _options(parameter: str, values: Sequence[str]) -> tuple[str, ...]:
    options = _sequence(parameter, "options of the compiler", values)
    for option in options:
        if not isinstance(option, str) or "\0" in option:
            raise refuse(parameter, "options of the compiler", option)
    return options


def _paths(parameter: str, values: Sequence[Path]) -> tuple[str, ...]:
    return tuple(absolute(parameter, path) for path in _sequence(parameter, "paths", values))


def absolute(parameter: str, path: Path) -> str:
    """Return the absolute form of a path, as text."""
    return os.path.abspath(path_of(parameter, path))


def seconds(timeout: float | None) -> float | None:
    """Return the time limit of a build."""
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise refuse("timeout", "a number of seconds or None", timeout)
    if not timeout > 0:
        raise ValueError(f"timeout: expected a number of seconds above 0, got {timeout!r}")
    return timeout


def of_files(name: str, sources: Path | Sequence[Path], options: Options) -> Recipe:
    """Return the recipe of a library of files."""
    paths = _paths(
        "sources", [sources] if isinstance(sources, (str, bytes, os.PathLike)) else sources
    )
    if not paths:
        raise ValueError("sources: expected at least one file, got none")
    for path in paths:
        if paths.count(path) > 1:
            raise ValueError(f"sources: expected each file once, got {path!r} twice")
    return options.recipe(name, [Source(language_of(path), path=path) for path in paths])


def of_texts(
    name: str,
    texts: tuple[Texts | None, Texts | None, Texts | None],
    functions: Functions | None,
    options: Options,
) -> Recipe:
    """Return the recipe of a library of texts in C++, C and CUDA."""
    cpp, c, cuda = texts
    if cpp is None and c is None and cuda is None:
        raise ValueError("expected cpp_sources, c_sources or cuda_sources, got none of them")
    names = _inline.names_and_docs(functions)
    if names and cpp is None and cuda is None:
        raise ValueError("functions: expected functions of C++ or CUDA, got only c_sources")
    options.recipe(name, ())  # the name and the options are checked before anything is made of them
    sources = []
    if cpp is not None:
        text = _inline.one_text("cpp_sources", cpp, "inline")
        registered = _inline.with_registrations(text, names)
        sources.append(Source("c++", text=_inline.with_name(registered, name)))
    if c is not None:
        sources.append(Source("c", text=_inline.one_text("c_sources", c, "inline C")))
    if cuda is not None:
        text = _inline.one_text("cuda_sources", cuda, "inline CUDA")
        # Where there is C++ too, the functions are in the C++.
        text = _inline.with_registrations(text, names if cpp is None else {})
        sources.append(Source("cuda", text=text))
    return options.recipe(name, sources)
