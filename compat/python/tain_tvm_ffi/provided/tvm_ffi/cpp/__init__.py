# SPDX-License-Identifier: Apache-2.0
"""C++ that is compiled and loaded from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tain.cpp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tain import Module

    Texts = Sequence[str] | str | None

__all__ = ["build", "build_inline", "load", "load_inline"]


def _options(backend: str | None, has_gpu_code: bool, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a build for tain; raise if nothing compiles for the backend."""
    if backend not in (None, "cuda", "hip"):
        raise ValueError(f"Invalid backend: {backend}. Supported backends are 'cuda' and 'hip'.")
    if has_gpu_code and backend == "hip":
        raise RuntimeError(
            "backend='hip': tain compiles code for GPUs with nvcc, the compiler of CUDA, and not "
            "with hipcc: compile it yourself and load the library with load_module"
        )
    return {name: value for name, value in options.items() if value is not None}


def _inline(cuda_sources: Texts, backend: str | None, options: dict[str, Any]) -> dict[str, Any]:
    return _options(backend, bool(cuda_sources), {**options, "cuda_sources": cuda_sources})


def _files(
    sources: Texts,
    cpp_files: Texts,
    cuda_files: Texts,
    backend: str | None,
    options: dict[str, Any],
) -> dict[str, Any]:
    given: list[str] = []
    for files in (sources, cpp_files, cuda_files):
        given += [files] if isinstance(files, str) else files or ()
    has_gpu_code = bool(cuda_files) or any(str(file).endswith((".cu", ".hip")) for file in given)
    return {**_options(backend, has_gpu_code, options), "sources": given}


def build(
    name: str,
    *,
    sources: Texts = None,
    cpp_files: Texts = None,
    cuda_files: Texts = None,
    backend: str | None = None,
    **options: Any,
) -> str:
    """Compile files to a library and return its path; the options are those of `tain.cpp.build`.

    Raises
    ------
    ValueError
        The backend is neither "cuda" nor "hip".
    RuntimeError
        There is code for a GPU, and no compiler for it.
    """
    return tain.cpp.build(name, **_files(sources, cpp_files, cuda_files, backend, options))


def load(
    name: str,
    *,
    sources: Texts = None,
    cpp_files: Texts = None,
    cuda_files: Texts = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
    **options: Any,
) -> Module:
    """Compile files and load the library; see `build`."""
    del keep_module_alive  # it lives as long as any of its functions
    return tain.cpp.load(name, **_files(sources, cpp_files, cuda_files, backend, options))


def build_inline(
    name: str,
    *,
    cpp_sources: Texts = None,
    cuda_sources: Texts = None,
    functions: Mapping[str, str] | Texts = None,
    backend: str | None = None,
    **options: Any,
) -> str:
    """Compile texts to a library and return its path; see `build`."""
    options.update(cpp_sources=cpp_sources, functions=functions)
    return tain.cpp.build_inline(name, **_inline(cuda_sources, backend, options))


def load_inline(
    name: str,
    *,
    cpp_sources: Texts = None,
    cuda_sources: Texts = None,
    functions: Mapping[str, str] | Texts = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
    **options: Any,
) -> Module:
    """Compile texts and load the library; see `build`."""
    options.update(cpp_sources=cpp_sources, functions=functions)
    del keep_module_alive
    return tain.cpp.load_inline(name, **_inline(cuda_sources, backend, options))
