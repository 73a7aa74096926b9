# SPDX-License-Identifier: Apache-2.0
"""The files of stubs: where they are, and how they differ from what is there."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

from tain.stubgen._modules import namespace_stubs, package_stubs

__all__ = ["difference", "files_of", "write_stubs"]

_STUBS = "tain-stubs"


def files_of(
    names: list[str], *, types: bool = False, output: str | os.PathLike[str] | None = None
) -> dict[Path, str]:
    """Return the files that stubs are written to, with their texts.

    The arguments and the errors are those of `write_stubs`. Without `output`, the stub of a module
    is written beside the module, which must have a file, and those of `tain.types` into the
    installed package tain.
    """
    if types:
        return _types_files(namespace_stubs(*names), output)
    files: dict[Path, str] = {}
    for name in names:
        for module, text in package_stubs(name).items():
            files[_stub_of(module, output)] = text
        top = name.partition(".")[0]
        files.setdefault(_stub_of(top, output).with_name("py.typed"), "")
    return files


def _types_files(stubs: dict[str, str], output: str | os.PathLike[str] | None) -> dict[Path, str]:
    root = _installed() if output is None else Path(output) / _STUBS / "types"
    files = {}
    for module, text in stubs.items():
        files[root.joinpath(*module.split(".")[2:], "__init__.pyi")] = text
    if output is not None:
        files[root.parent / "py.typed"] = "partial\n"
    return files


def _installed() -> Path:
    import tain.types

    return Path(str(tain.types.__file__)).parent


def _stub_of(module: str, output: str | os.PathLike[str] | None) -> Path:
    file = getattr(sys.modules.get(module), "__file__", None)
    if output is not None:
        parts = module.split(".")
        if file is None or os.path.basename(file).startswith("__init__."):
            parts.append("__init__")
        return Path(output).joinpath(*parts).with_suffix(".pyi")
    if file is None:
        raise ValueError(f"the module {module} has no file: give the option --output")
    return Path(file).with_suffix(".pyi")


def difference(files: dict[Path, str]) -> str:
    """Return how files differ from what they should be, as a unified diff; empty if not at all."""
    parts = []
    for path, text in sorted(files.items()):
        old = path.read_text(encoding="utf-8") if path.is_file() else None
        if old == text:
            continue
        before = [] if old is None else old.splitlines(keepends=True)
        after = text.splitlines(keepends=True)
        diff = "".join(difflib.unified_diff(before, after, str(path), f"{path} (new)"))
        parts.append(diff or f"{path}: missing\n")
    return "".join(parts)


def write_stubs(
    names: list[str], *, types: bool = False, output: str | os.PathLike[str] | None = None
) -> list[Path]:
    """Write stubs and return the paths of the files. The arguments are those of the command.

    Raises
    ------
    ImportError, ValueError
        As `package_stubs` and `namespace_stubs`.
    OSError
        A file cannot be written.
    """
    files = files_of(names, types=types, output=output)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.name == "py.typed" and path.is_file() and path.parent.name != _STUBS:
            continue
        if not path.is_file() or path.read_text(encoding="utf-8") != text:  # keep its time
            path.write_text(text, encoding="utf-8")
    return sorted(files)
