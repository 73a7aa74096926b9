# SPDX-License-Identifier: Apache-2.0
"""Compiles and loads C++, C and CUDA from Python.

The compiler of C++ is the command in the environment variable ``CXX``, else ``c++``, ``g++`` or
``clang++``; that of C is the one in ``CC``, else ``cc``, ``gcc`` or ``clang``; that of CUDA is nvcc
in ``CUDA_HOME``, on ``PATH``, or of the Python package nvidia-cuda-nvcc.

Libraries are kept in a cache folder (``TAIN_CACHE_DIR``, else the user's cache folder of the
platform). They are compiled again only if the sources, the included files, the options, the
compiler or tain have changed. A build removes what was not used for ``TAIN_CACHE_MAX_AGE`` days
(30), and what was used longest ago while the cache is larger than ``TAIN_CACHE_MAX_SIZE`` (2G).
``python -m tain cache`` shows and clears the cache.

The first build of an inline source starts a process in the background that precompiles
``<tain/tain.h>`` for later ones; ``TAIN_PRECOMPILED_HEADER=0`` prevents it.

Loading a changed source under the same name redefines its types and functions in the running
process.
"""

from __future__ import annotations

from collections.abc import Sequence

from tain._tracebacks import ends_at_caller
from tain.cpp import _request
from tain.cpp._errors import CompileError
from tain.cpp._module import load_build
from tain.cpp._request import Functions, Options, Path, Texts, takes_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tain._values import Module

__all__ = ["load", "load_inline", "build", "build_inline", "CompileError"]


@ends_at_caller
@takes_options
def build(
    name: str,
    *,
    sources: Path | Sequence[Path],
    **options: Unpack[Options],
) -> str:
    """Compile files to a library of registered types, without loading it.

    Parameters
    ----------
    name : str
        The name of the library, an identifier. Loading another library of the same name redefines
        its types.
    sources : path or sequence of paths
        Files of C++ (``.cc .cpp .cxx .c++ .cp .C``), C (``.c``) or CUDA (``.cu``). They include
        ``<tain/tain.h>`` themselves. They are compiled side by side, and only the changed ones
        again.
    extra_cflags : sequence of str
        Options that are added to the command lines of the compilers of C++ and C.
    extra_cuda_cflags : sequence of str
        Options that are added to the command line of nvcc.
    extra_ldflags : sequence of str
        Options that are added to the command line of the linker.
    extra_include_paths : sequence of paths
        Folders in which the compiler searches for headers.
    build_directory : path, optional
        The folder for the library. By default it is a folder in the cache.
    verbose : bool
        Whether the commands, what they print, and the time are printed on ``sys.stderr``.
        Otherwise a build that takes more than a second shows its time if that is a terminal.
    timeout : float, optional
        The number of seconds after which the compiler is ended.

    Returns
    -------
    str
        The path of the library, for `tain.load_library`.

    Raises
    ------
    CompileError
        The sources do not compile or link, or the compiler crashed. The text begins and ends with
        the first error, and has the whole output of the compiler.
    FileNotFoundError
        A source does not exist.
    OSError
        The folder of the library cannot be written: it is read-only, or the disk is full.
    PermissionError
        The cache belongs to another user, or others may write to it.
    RuntimeError
        There is no compiler.
    TimeoutError
        The build took longer than `timeout`.
    ValueError
        There are no sources, one does not end in a known way, or the name is not an identifier.
    """
    return _request.build(lambda given: _request.of_files(name, sources, given), options)


@ends_at_caller
@takes_options
def load(
    name: str,
    *,
    sources: Path | Sequence[Path],
    **options: Unpack[Options],
) -> Module:
    """Compile files and load the library.

    The parameters are those of `build`.

    Returns
    -------
    Module
        The library. Its attributes are the functions that the sources export with
        ``TAIN_EXPORT``. The types that they register are in `tain.types`.

    Raises
    ------
    CompileError
        The sources do not compile or link. `build` names the other errors of a build.
    ImportError
        A registration in the sources is faulty.

    Examples
    --------
    >>> tain.cpp.load(name="geometry", sources=["geometry.cc"])  # doctest: +SKIP
    >>> from tain.types.geometry import Point  # doctest: +SKIP
    """
    path = build(name, sources=sources, **options)
    return load_build(name, path)


@ends_at_caller
@takes_options
def build_inline(
    name: str,
    *,
    cpp_sources: Texts | None = None,
    c_sources: Texts | None = None,
    cuda_sources: Texts | None = None,
    functions: Functions | None = None,
    **options: Unpack[Options],
) -> str:
    """Compile text of C++, C and CUDA to a library, without loading it.

    Parameters
    ----------
    name : str
        The name of the library, an identifier.
    cpp_sources, c_sources, cuda_sources : str or sequence of str, optional
        Source texts; at least one is given. Several texts of a language are joined in order. The
        compilers of C++ and CUDA include ``<tain/tain.h>`` before them. Errors name the lines of a
        text as ``<inline>:7:``, those of a second text as ``<inline 2>:7:``.
    functions : str, sequence of str, or mapping of str to str, optional
        The names of functions in the C++ text (in the CUDA text if there is no other) that become
        functions of the module. A mapping also gives their documentation. It is not needed for what
        the source itself registers.
    extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths
        The same as for `build`.
    build_directory, verbose, timeout
        The same as for `build`.

    Returns
    -------
    str
        The path of the library.

    Raises
    ------
    CompileError
        The source does not compile or link. `build` names the other errors of a build.
    ValueError
        There is no source, or a name is not an identifier.
    """
    texts = (cpp_sources, c_sources, cuda_sources)
    return _request.build(lambda given: _request.of_texts(name, texts, functions, given), options)


@ends_at_caller
@takes_options
def load_inline(
    name: str,
    *,
    cpp_sources: Texts | None = None,
    c_sources: Texts | None = None,
    cuda_sources: Texts | None = None,
    functions: Functions | None = None,
    **options: Unpack[Options],
) -> Module:
    """Compile text of C++, C and CUDA, and load the library.

    The parameters are those of `build_inline`.

    Returns
    -------
    Module
        The library. Its attributes are the functions named in `functions`, and those that the
        source itself exports with ``TAIN_EXPORT``.

    Raises
    ------
    CompileError
        The source does not compile or link. `build` names the other errors of a build.
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
        c_sources=c_sources,
        cuda_sources=cuda_sources,
        functions=functions,
        **options,
    )
    return load_build(name, path)
