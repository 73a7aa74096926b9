# SPDX-License-Identifier: Apache-2.0
"""Writes the project of a new package of C++ types, for ``python -m tain new``.

The files are made of those in the folder `template`: `minimal` has what every project needs,
`complete` what is beside it. In their names and texts ``NAME`` and ``@NAME@`` stand for the name of
the package, ``@TAIN_VERSION@`` for the version of tain. What stands between ``@COMPLETE@`` and
``@END@`` is left out of a minimal project. A name that begins with ``dot_`` is that of a hidden
file, and each ends in ``.in``, so that no tool takes the templates for sources.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tain import libinfo
from tain._project._names import check_name

__all__ = ["create"]

_TEMPLATES = Path(__file__).with_name("template")
_ONLY_COMPLETE = re.compile(r"@COMPLETE@\n(.*?)@END@\n", re.DOTALL)


def create(
    name: str, folder: str | os.PathLike[str] | None = None, *, minimal: bool = False
) -> list[Path]:
    """Write the project of a new package; return the files that were written.

    The name is also that of the namespace of its types, and of its library. A folder that does not
    exist is made.

    Raises
    ------
    ValueError
        The name cannot be that of a package.
    FileExistsError
        The folder has something in it, or is a file.
    OSError
        The folder cannot be written. What was written before is removed.
    """
    check_name(name)
    root = Path(name if folder is None else folder)
    fault = ""
    if root.is_dir():
        fault = "has something in it" if any(root.iterdir()) else ""
    elif root.exists() or root.is_symlink():
        fault = "is no folder"
    if fault:
        raise FileExistsError(
            f"expected a new or empty folder, got {str(root)!r}, which {fault}: choose another "
            "with --dir"
        )
    texts = {root / path: text for path, text in _texts(name, minimal)}
    _write(texts)
    return list(texts)


def _texts(name: str, minimal: bool) -> Iterator[tuple[str, str]]:
    """Return the files of a project: the path in its folder, and the text."""
    values = {"@NAME@": name, "@TAIN_VERSION@": libinfo.version()}
    for part in ("minimal",) if minimal else ("minimal", "complete"):
        for template in sorted((_TEMPLATES / part).rglob("*.in")):
            path = template.relative_to(_TEMPLATES / part).as_posix().removesuffix(".in")
            path = path.replace("NAME", name).replace("dot_", ".")
            text = template.read_text(encoding="utf-8")
            text = _ONLY_COMPLETE.sub("" if minimal else r"\1", text)
            for mark, value in values.items():
                text = text.replace(mark, value)
            yield path, text


def _write(texts: dict[Path, str]) -> None:
    """Write files and the folders that they need, or nothing."""
    made: list[Path] = []
    try:
        for path, text in texts.items():
            missing = [folder for folder in path.parents if not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir()
                made.append(folder)
            made.append(path)
            path.write_text(text, encoding="utf-8", newline="\n")
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise
