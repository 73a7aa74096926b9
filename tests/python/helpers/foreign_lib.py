# SPDX-License-Identifier: Apache-2.0
"""The libraries of tests/foreign_lib: the binary contract as others declare it, none of tain."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import tain
from tain import libinfo

SOURCES = Path(__file__).resolve().parents[2] / "foreign_lib"
_folder = TemporaryDirectory(prefix="tain-foreign-")


@cache
def compiled(name: str) -> str:
    """Compile a source with the system's compiler, once for each process."""
    source = next(SOURCES.glob(name + ".c*"))
    is_c = source.suffix == ".c"
    compiler = os.environ.get("CC", "cc") if is_c else os.environ.get("CXX", "c++")
    libtain = Path(libinfo.find_libtain())
    made = Path(_folder.name) / f"lib{name}.so"
    options = ["-std=gnu11"] if is_c else ["-std=c++17"]
    options += ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread"]
    command = [*compiler.split(), *options, str(source), "-o", str(made)]
    command += ["-Wl,--no-as-needed", str(libtain), f"-Wl,-rpath,{libtain.parent}"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return str(made)


@cache
def load(name: str) -> None:
    """Load a compiled library, once."""
    tain.load_library(compiled(name))


def function(name: str) -> tain.Function:
    return tain.get_global_func(name)
