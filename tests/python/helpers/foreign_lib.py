# SPDX-License-Identifier: Apache-2.0
"""The libraries of tests/foreign_lib: the binary contract as others declare it, none of tain."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sysconfig
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tain
from tain import libinfo

SOURCES = Path(__file__).resolve().parents[2] / "foreign_lib"
_folder = TemporaryDirectory(prefix="tain-foreign-")


@cache
def compiled(name: str) -> str:
    """Compile a source with the system's compiler, once for each process."""
    source = next(SOURCES.glob(name + ".c*"))
    libtain = Path(libinfo.find_libtain())
    made = Path(_folder.name) / f"lib{name}.so"
    _compile(source, made, "-Wl,--no-as-needed", str(libtain), f"-Wl,-rpath,{libtain.parent}")
    return str(made)


def _compile(source: Path, made: Path, *further: str) -> None:
    is_c = source.suffix == ".c"
    compiler = os.environ.get("CC", "cc") if is_c else os.environ.get("CXX", "c++")
    options = ["-std=gnu11"] if is_c else ["-std=c++17"]
    options += ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread"]
    command = [*compiler.split(), *options, str(source), "-o", str(made), *further]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@cache
def extension(name: str) -> Any:
    """Compile and import a module of Python that is written in C."""
    made = Path(_folder.name) / f"{name}.so"
    _compile(SOURCES / f"{name}.c", made, f"-I{sysconfig.get_paths()['include']}")
    spec = importlib.util.spec_from_file_location(name, made)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def load(name: str) -> None:
    """Load a compiled library, once."""
    tain.load_library(compiled(name))


def function(name: str) -> tain.Function:
    return tain.get_global_func(name)
