# SPDX-License-Identifier: Apache-2.0
"""The source files of the standard library that belongs to the running interpreter."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

__all__ = ["name_of", "parse", "source_files"]


def source_files(count: int | None = None) -> list[Path]:
    """Return all files, or about `count` that are spread evenly over them."""
    library = Path(sysconfig.get_path("stdlib"))
    files = sorted(
        path
        for path in library.rglob("*.py")
        if "site-packages" not in path.relative_to(library).parts
    )
    if count is None or count >= len(files):
        return files
    return [files[i * len(files) // count] for i in range(count)]


def parse(path: Path) -> ast.Module:
    """Return the tree of a file; SyntaxError or ValueError if Python does not take it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(path.read_bytes(), filename=path.name)


def name_of(path: Path) -> str:
    """Return a file's path within the library."""
    return path.relative_to(sysconfig.get_path("stdlib")).as_posix()
