# SPDX-License-Identifier: Apache-2.0
"""The flags of a compile_commands.json that matter for reading a header."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tain.describe._errors import SettingsError

__all__ = ["flags_of_compile_commands"]

# What each takes stands in the same argument or in the next one; the second are folders and files.
_DEFINES = ("-D", "-U")
_PATHS = ("-isystem", "-iquote", "-idirafter", "-I")
_NOT_CXX = {".c", ".m", ".s", ".asm"}


def flags_of_compile_commands(path: Path, header: str | None) -> list[str]:
    """Return the flags that say what a header means, each once, in their order.

    These are ``-I``, ``-isystem``, ``-iquote``, ``-idirafter``, ``-D``, ``-U``, ``-include`` and
    the newest ``-std``. Relative folders become absolute.

    Parameters
    ----------
    path : Path
        The file.
    header : str or None
        If there are entries for this header, only their flags count. Otherwise all entries count,
        those of C and assembler only if there are no others.

    Raises
    ------
    SettingsError
        The file cannot be read, or is not such a file.
    """
    entries = _entries(path)
    if header is not None:
        wanted = os.path.realpath(header)
        own = [entry for entry in entries if os.path.realpath(_file(entry)) == wanted]
        entries = own or entries
    cxx = [entry for entry in entries if _file(entry).suffix.lower() not in _NOT_CXX]
    found: dict[tuple[str, ...], None] = {}
    standards: list[str] = []
    for entry in cxx or entries:
        for flag in _flags(_arguments(entry, path), Path(entry["directory"])):
            if flag[0].startswith("-std="):
                standards.append(flag[0])
            else:
                found[flag] = None
    newest = [max(standards, key=_year)] if standards else []
    return newest + [word for flag in found for word in flag]


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from None
    if not isinstance(data, list):
        raise SettingsError(f"{path}: expected a compilation database: an array of entries")
    for i, entry in enumerate(data):
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise SettingsError(f"{path}: entry {i}: expected a table with 'file'")
        given = entry.get("arguments")
        words = isinstance(given, list) and all(isinstance(word, str) for word in given)
        if not words and not isinstance(entry.get("command"), str):
            raise SettingsError(f"{path}: entry {i}: expected 'command' or 'arguments'")
        directory = entry.get("directory")
        entry["directory"] = path.absolute().parent / (
            directory if isinstance(directory, str) else ""
        )
    return data


def _file(entry: dict[str, Any]) -> Path:
    return Path(entry["directory"], entry["file"])


def _arguments(entry: dict[str, Any], path: Path) -> list[str]:
    """Return the words of a command; a response file (``@file``) is replaced by its words."""
    try:
        given = entry.get("arguments")
        words: list[str] = given if isinstance(given, list) else shlex.split(entry["command"])
        found: list[str] = []
        for word in words:
            file = Path(entry["directory"], word[1:])
            if word.startswith("@") and file.is_file():
                found += shlex.split(file.read_text(encoding="utf-8"))
            else:
                found.append(word)
    except (ValueError, OSError) as error:
        raise SettingsError(f"{path}: {entry['file']}: {error}") from None
    return found


def _flags(words: list[str], folder: Path) -> Iterator[tuple[str, ...]]:
    rest = iter(words)
    for word in rest:
        if word.startswith(("-std=", "--std=")):
            yield (word.removeprefix("-") if word.startswith("--") else word,)
        elif word in ("-include", "--include"):
            name = next(rest, "")
            file = folder / name  # otherwise it is found in the include folders
            yield "-include", os.path.normpath(file) if file.exists() else name
        elif option := next((each for each in _DEFINES + _PATHS if word.startswith(each)), ""):
            given = word.removeprefix(option) or next(rest, "")
            if not given:
                continue
            if option in _PATHS and not given.startswith("="):  # `=` is the sysroot
                given = os.path.normpath(folder / given)
            yield (option, given) if option in _PATHS[:-1] else (option + given,)


def _year(flag: str) -> int:
    """Return the year of ``-std=c++20``; 98 and 03 are the oldest, ``2a`` is 20."""
    match = re.search(r"\+\+(\d)(\w)\Z", flag)
    if match is None:
        return -1
    drafts = {"0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23, "2c": 26, "98": 0, "03": 3}
    text = match[1] + match[2]
    return drafts.get(text, int(text) if text.isdigit() else 0)
