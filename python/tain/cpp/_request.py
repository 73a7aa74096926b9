# SPDX-License-Identifier: Apache-2.0
"""Checks the arguments of the functions of tain.cpp, and makes recipes of them."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypedDict, TypeVar

from tain import _core
from tain._checks import path_of, refuse
from tain.cpp import _build, _inline
from tain.cpp._recipe import Recipe, Source, language_of

__all__ = [
    "Functions",
    "Options",
    "Path",
    "Texts",
    "build",
    "of_files",
    "of_texts",
    "takes_options",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")
Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Texts = str | Sequence[str]
Functions = str | Sequence[str] | Mapping[str, str]


class Options(TypedDict, total=False):
    """The options of a build, which all functions take by keyword; `build` documents them."""

    extra_cflags: Sequence[str]
    extra_cuda_cflags: Sequence[str]
    extra_ldflags: Sequence[str]
    extra_include_paths: Sequence[Path]
    build_directory: Path | None
    verbose: bool
    timeout: float | None


_DEFAULTS = Options(
    extra_cflags=(),
    extra_cuda_cflags=(),
    extra_ldflags=(),
    extra_include_paths=(),
    build_directory=None,
    verbose=False,
    timeout=None,
)


def takes_options(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Give a function with `**options` a signature that names them, with their defaults."""
    plain = inspect.signature(function)
    named = list(plain.parameters.values())[:-1]
    types = Options.__annotations__
    for name, value in _DEFAULTS.items():
        annotation = getattr(types[name], "__forward_arg__", types[name])
        named.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=annotation
            )
        )
    known = {parameter.name for parameter in named}

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                near = _core.near_matches(name, sorted(known))
                raise TypeError(f"{function.__name__}() has no parameter {name!r}.{near}")
        return function(*args, **kwargs)

    call.__signature__ = plain.replace(parameters=named)  # type: ignore[attr-defined]
    return call


def build(recipe: Callable[[Options], Recipe], options: Options) -> str:
    """Build what `recipe` makes of the options, and return the path of the library."""
    given: Options = {**_DEFAULTS, **options}
    folder = given["build_directory"]
    return _build.build(
        recipe(given),
        None if folder is None else absolute("build_directory", folder),
        verbose=given["verbose"],
        timeout=_seconds(given["timeout"]),
    )


def _recipe(name: str, sources: Iterable[Source], options: Options) -> Recipe:
    return Recipe(
        name,
        tuple(sources),
        cflags=_options("extra_cflags", options["extra_cflags"]),
        cuda_cflags=_options("extra_cuda_cflags", options["extra_cuda_cflags"]),
        ldflags=_options("extra_ldflags", options["extra_ldflags"]),
        include_paths=_paths("extra_include_paths", options["extra_include_paths"]),
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


def _seconds(timeout: float | None) -> float | None:
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
    return _recipe(name, [Source(language_of(path), path=path) for path in paths], options)


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
    # The name and the options are checked before anything is made of them.
    _recipe(name, (), options)
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
    return _recipe(name, sources, options)
