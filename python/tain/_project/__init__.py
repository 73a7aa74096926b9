# SPDX-License-Identifier: Apache-2.0
"""Writes the project of a new package of C++ types, for ``python -m tain new``.

The files are made of those in the folder `template`: `minimal` has what every project needs,
`complete` what is beside it. In their names and texts ``NAME`` and ``@NAME@`` stand for the name of
the package, ``@TAIN_VERSION@`` for the version of tain. What stands between ``@COMPLETE@`` and
``@END@`` is left out of a minimal project, what stands after ``@DESCRIBED@`` of one whose types are
listed. A project whose types headers declare is a minimal one with the files of `described`. A name
that begins with ``dot_`` is that of a hidden file, and each ends in ``.in``, so that no tool takes
the templates for sources.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tain import libinfo
from tain._project._names import check_name

__all__ = ["Described", "create"]

_TEMPLATES = Path(__file__).with_name("template")
_BLOCK = re.compile(r"@(COMPLETE|DESCRIBED)@\n(.*?)@END@\n", re.DOTALL)


@dataclass(frozen=True)
class Described:
    """A library whose headers declare the types of a new package."""

    header: str
    #: "::" for the global one
    namespace: str
    #: what is linked, as target_link_libraries takes it
    link: str = ""


def create(
    name: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    minimal: bool = False,
    described: Described | None = None,
) -> list[Path]:
    """Write the project of a new package; return the files that were written.

    The name is also that of the namespace of its types, and of its library. A folder that does not
    exist is made.

    Raises
    ------
    ValueError
        The name cannot be that of a package, or what is described is named wrongly.
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
    if described is not None:
        described = _checked(described, root)
    texts = {root / path: text for path, text in _texts(name, minimal, described)}
    _write(texts)
    return list(texts)


def _checked(described: Described, root: Path) -> Described:
    """Return what is described, with a header of another project by its path from the new one."""
    if re.search(r'["\\\x00-\x1f]', described.header):
        raise ValueError(f"expected the name of a header, got {described.header!r}")
    if not re.fullmatch(r"(::)?(\w+(::\w+)*)?", described.namespace):
        raise ValueError(f"expected the name of a namespace, got {described.namespace!r}")
    if not re.fullmatch(r"[\w:.+/ -]*", described.link):
        raise ValueError(f"expected libraries to link, got {described.link!r}")
    header = described.header
    if os.path.exists(header):
        header = Path(os.path.relpath(header, root)).as_posix()
    return replace(described, header=header)


def _texts(name: str, minimal: bool, described: Described | None) -> Iterator[tuple[str, str]]:
    """Return the files of a project: the path in its folder, and the text."""
    values = {"@NAME@": name, "@TAIN_VERSION@": libinfo.version(), "@DESCRIBE@": ""}
    parts = ["minimal"]
    kept = set()
    if described is not None:
        parts.append("described")
        kept.add("DESCRIBED")
        link = f"target_link_libraries({name} PRIVATE {described.link or '...'})"
        values |= {
            "@DESCRIBE@": "[describe]",
            "@HEADER@": described.header,
            "@NAMESPACE@": described.namespace,
            "@LINK@": link if described.link else f"# The library of the headers: {link}",
        }
    elif not minimal:
        parts.append("complete")
        kept.add("COMPLETE")
    for part in parts:
        for template in sorted((_TEMPLATES / part).rglob("*.in")):
            path = template.relative_to(_TEMPLATES / part).as_posix().removesuffix(".in")
            if described is not None and path == "src/NAME.cc":
                continue  # the build writes it
            path = path.replace("NAME", name).replace("dot_", ".")
            text = template.read_text(encoding="utf-8")
            text = _BLOCK.sub(lambda block: block[2] if block[1] in kept else "", text)
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
