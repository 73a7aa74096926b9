# SPDX-License-Identifier: Apache-2.0
"""Finds nvcc, the compiler of CUDA, and the options that compile and link what it compiled.

nvcc is that of the folder in ``CUDA_HOME`` or ``CUDA_PATH``, else the one on ``PATH``, else that of
the Python package nvidia-cuda-nvcc. It compiles without a GPU.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tain import libinfo
from tain.cpp._toolchain import Toolchain, hidden_options, probe

__all__ = ["Cuda", "check_path", "find_cuda"]

_LIBRARIES = ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib")
_RUNTIMES = ("libcudart_static.a", "libcudart.so", "libcudart.so.*")


class Cuda(NamedTuple):
    """An installation of CUDA."""

    command: tuple[str, ...]
    version: str
    runtime: str  # the path of the library that objects of nvcc need

    @property
    def root(self) -> str:
        """The folder of the installation."""
        return os.path.dirname(os.path.dirname(os.path.realpath(self.command[0])))

    def compile_options(self, host: Toolchain) -> list[str]:
        """Return the options that compile a source, together with a C++ compiler."""
        folders = ["-isystem", libinfo.include_dir(), "-isystem", libinfo.compat_dir()]
        options = ["-std=c++20", "-O2", *folders, "-ccbin", host.command[0]]
        return [*options, "-Xcompiler", ",".join(["-fPIC", *hidden_options(host)])]

    def link_options(self) -> list[str]:
        """Return the options that the linker needs for objects of nvcc."""
        folder = os.path.dirname(self.runtime)
        shared = [] if self.runtime.endswith(".a") else libinfo.rpath_options(folder)
        return [self.runtime, *shared, "-ldl", "-lrt", "-lpthread"]


def check_path(path: str) -> None:
    """Refuse a path that nvcc, which runs other programs by a shell, would not take as it is.

    Raises
    ------
    ValueError
        The path has a character that a shell replaces between quotes.
    """
    if set(path) & set('`$"\\\n'):
        raise ValueError(
            'tain.cpp: expected a path without ` $ " \\ and line breaks, as nvcc uses a shell, '
            f"got {path!r}"
        )


def find_cuda() -> Cuda:
    """Return the installation of CUDA.

    Raises
    ------
    RuntimeError
        There is no nvcc, or no runtime library beside it.
    ValueError
        A folder that nvcc uses has a comma in its name.
    """
    for what, folder in (
        ("a folder for temporary files (TMPDIR)", os.environ.get("TMPDIR", "")),
        ("a folder of tain's headers", libinfo.include_dir()),
    ):
        if "," in folder:
            raise ValueError(
                f"tain.cpp: expected {what} without a comma, where nvcc divides a list, "
                f"got {folder!r}"
            )
    environment = (os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH", "PATH"))
    return _find(*environment)


@cache
def _find(home: str, cuda_path: str, path: str) -> Cuda:
    folders = [os.path.join(folder, "bin") for folder in (home, cuda_path) if folder]
    found = (shutil.which("nvcc", path=folder) for folder in [*folders, path, *_of_packages()])
    nvcc = next(filter(None, found), None)
    if nvcc is None:
        raise RuntimeError(
            "tain.cpp: cannot find nvcc, which compiles CUDA, in CUDA_HOME or on PATH: install "
            "CUDA, or the Python packages nvidia-cuda-nvcc, nvidia-cuda-runtime and "
            "nvidia-cuda-cccl"
        )
    tool = probe((nvcc,))
    return Cuda(tool.command, tool.version, _runtime(tool))


def _of_packages() -> Iterator[str]:
    """Yield the folders of programs in NVIDIA's Python packages."""
    packages = importlib.util.find_spec("nvidia")
    for folder in packages.submodule_search_locations or () if packages else ():
        yield from map(str, sorted(Path(folder).glob("*/bin")))


def _runtime(nvcc: Toolchain) -> str:
    # `nvcc` on PATH may be a script that starts another: this is asked only where its own folder
    # has no libraries.
    roots = [Path(os.path.realpath(nvcc.command[0])).parents[1], Path("/usr/local/cuda")]
    for root in roots:
        for folder in _LIBRARIES:
            for pattern in _RUNTIMES:
                for file in sorted((root / folder).glob(pattern)):
                    return str(file)
    raise RuntimeError(
        f"tain.cpp: cannot find the CUDA runtime library (libcudart_static.a) in {roots[0]}: "
        "install it, or set CUDA_HOME to the folder of a complete installation"
    )
