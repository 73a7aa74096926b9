# SPDX-License-Identifier: Apache-2.0
"""Clang's own parser, by the wheel `libclang-ng`.

The wheel brings Clang's built-in headers. Those of the standard library are the ones that the
compiler of the build uses, so that the types are the same.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clang.cindex import Cursor, Diagnostic, TranslationUnit, Type

__all__ = ["HeaderError", "Session", "Unit", "system_flags"]

_HINT = "python -m tain describe reads headers with Clang: pip install 'tain[describe]'"
#: all errors, each with all of its notes: one of them says which line needs a template
_OPTIONS = ("-fparse-all-comments", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0")
#: CXTranslationUnit_CreatePreambleOnFirstParse
_PREAMBLE_AT_ONCE = 0x100
#: The most lines of Clang's messages that an error shows.
_MOST_LINES = 15


class HeaderError(ValueError):
    """Clang refuses the headers; the text is Clang's."""


@cache
def _cindex() -> Any:
    """Return the module clang.cindex, with the functions that its Python part does not declare."""
    try:
        from clang import cindex
    except ImportError as error:
        raise ImportError(_HINT) from error
    lib = cindex.conf.lib
    if not hasattr(lib, "clang_getFullyQualifiedName"):
        raise ImportError(f"{_HINT} (the installed libclang is older than 21)")
    cindex.Config.libcxx_dir = None  # the build's standard library, not the wheel's
    lib.clang_getCursorPrintingPolicy.restype = ctypes.c_void_p
    lib.clang_getCursorPrintingPolicy.argtypes = [cindex.Cursor]
    lib.clang_getFullyQualifiedName.restype = cindex._CXString
    lib.clang_getFullyQualifiedName.errcheck = lambda result, *_: cindex._CXString.from_result(
        result
    )
    lib.clang_getFullyQualifiedName.argtypes = [cindex.Type, ctypes.c_void_p, ctypes.c_uint]
    lib.clang_Cursor_isInlineNamespace.argtypes = [cindex.Cursor]
    lib.clang_getSpecializedCursorTemplate.argtypes = [cindex.Cursor]
    visitor = ctypes.CFUNCTYPE(ctypes.c_int, cindex.Cursor, ctypes.py_object)
    for name in ("clang_visitCXXMethods", "clang_Type_visitFields", "clang_visitCXXBaseClasses"):
        function = ctypes.cast(
            getattr(lib, name),
            ctypes.CFUNCTYPE(ctypes.c_uint, cindex.Type, visitor, ctypes.py_object),
        )
        setattr(lib, f"tain_{name}", (function, visitor))
    return cindex


def system_flags(compiler: str) -> list[str]:
    """Return the options with which Clang finds the headers of a compiler's standard library.

    Raises
    ------
    OSError
        The compiler cannot be run.
    """
    return list(_system_flags(compiler))


@cache
def _system_flags(compiler: str) -> tuple[str, ...]:
    command = [*shlex.split(compiler), "-E", "-x", "c++", "-v", os.devnull]
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    except OSError as error:
        raise OSError(
            f"the compiler {compiler!r} cannot be run: {error.strerror} (set CXX, or `compiler` in "
            "the settings)"
        ) from error
    native = Path(_cindex().__file__).parent / "native"
    folders: list[str] = []
    is_listed = False
    for line in run.stderr.splitlines():
        if line.startswith("#include <...>"):
            is_listed = True
        elif line.startswith("End of search list"):
            is_listed = False
        elif is_listed:
            folders.append(os.path.normpath(line.strip()))
    own = str(native / "resource" / "include")
    # A compiler's built-in headers are for itself alone.
    folders = [one for one in folders if not os.path.exists(os.path.join(one, "float.h"))]
    at = next((i for i, one in enumerate(folders) if "c++" not in one), len(folders))
    folders.insert(at, own)
    flags = ["-nostdinc", "-nostdinc++", "-resource-dir", str(native / "resource")]
    for folder in folders:
        flags += ["-isystem", folder]
    return tuple(flags)


class Unit:
    """A text that Clang has parsed."""

    def __init__(self, unit: TranslationUnit, name: str, text: str):
        self.cursor: Cursor = unit.cursor
        self.name = name
        self._unit = unit
        self._lib = _cindex().conf.lib
        self._policy = self._lib.clang_getCursorPrintingPolicy(unit.cursor)
        self._texts: dict[str, bytes] = {name: text.encode()}

    def spelling(self, type_: Type) -> str:
        """Return a type as any scope can write it; aliases stay."""
        text: str = self._lib.clang_getFullyQualifiedName(type_, self._policy, 0)
        return text

    def is_inline_namespace(self, cursor: Cursor) -> bool:
        """Whether a namespace is `inline`."""
        return bool(self._lib.clang_Cursor_isInlineNamespace(cursor))

    def template_of(self, cursor: Cursor) -> Cursor | None:
        """Return what an instance was made of; None if it is none."""
        found = cursor.specialized_template
        return None if found is None or found.kind.is_invalid() else found

    def methods(self, record: Type) -> list[Cursor]:
        """Return the member functions of a class, also of an instance of a template."""
        return self._visited("clang_visitCXXMethods", record)

    def fields(self, record: Type) -> list[Cursor]:
        """Return the data members of a class, also of an instance of a template."""
        return self._visited("clang_Type_visitFields", record)

    def bases(self, record: Type) -> list[Cursor]:
        """Return the base specifiers of a class, also of an instance of a template."""
        return self._visited("clang_visitCXXBaseClasses", record)

    def _visited(self, name: str, record: Type) -> list[Cursor]:
        function, visitor = getattr(self._lib, f"tain_{name}")
        found: list[Cursor] = []

        def add(cursor: Cursor, _: object) -> int:
            cursor._tu = self._unit  # as Cursor.get_children does
            found.append(cursor)
            return 1

        function(record, visitor(add), None)
        return found

    def source(self, cursor: Cursor) -> str:
        """Return the text of a cursor in its file."""
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None or end.file is None or start.file.name != end.file.name:
            return ""
        return self.bytes_of(start.file.name)[start.offset : end.offset].decode(errors="replace")

    def bytes_of(self, file: str) -> bytes:
        """Return the content of a file that the unit contains."""
        known = self._texts.get(file)
        if known is None:
            known = self._texts[file] = Path(file).read_bytes()
        return known

    def included(self) -> list[str]:
        """Return the files that the unit contains, in their order."""
        return list(dict.fromkeys(one.include.name for one in self._unit.get_includes()))

    def errors(self) -> Iterator[Diagnostic]:
        """Iterate over the errors of the unit."""
        return (one for one in self._unit.diagnostics if one.severity >= one.Error)

    def lines_with_errors(self) -> dict[int, str]:
        """Return the lines of the text itself that are wrong, each with its first error.

        An error inside of a template belongs to the line that needs the template.
        """
        wrong: dict[int, str] = {}
        for error in self.errors():
            for one in _with_notes(error):
                file = one.location.file
                if file is not None and file.name == self.name:
                    wrong.setdefault(one.location.line, error.spelling)
        return wrong

    def check(self) -> None:
        """Raise HeaderError if there are errors."""
        lines: list[str] = []
        for error in self.errors():
            lines += self._shown(error)
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], "..."]
        if lines:
            raise HeaderError("\n".join(lines))

    def _shown(self, error: Diagnostic) -> list[str]:
        """Return an error as Clang shows it, with the line and a mark."""
        location = error.location
        if location.file is None:
            return [f"error: {error.spelling}"]
        severity = "fatal error" if error.severity > error.Error else "error"
        lines = [
            f"{location.file.name}:{location.line}:{location.column}: {severity}: {error.spelling}"
        ]
        try:
            content = self.bytes_of(location.file.name).decode(errors="replace").splitlines()
        except OSError:
            return lines
        if 0 < location.line <= len(content):
            source = content[location.line - 1]
            if len(source) <= 200:
                mark = "".join("\t" if c == "\t" else " " for c in source[: location.column - 1])
                lines += [source, f"{mark}^"]
        return lines


def _with_notes(error: Diagnostic) -> Iterator[Diagnostic]:
    yield error
    yield from error.children


class Session:
    """Parses texts that begin with the same lines, of which Clang keeps what they include.

    A unit lives until the next text is parsed.
    """

    def __init__(self, flags: Sequence[str], name: str = "tain_describe.cc"):
        self._flags = [*flags, *_OPTIONS]
        self._path = os.path.join(os.getcwd(), name)
        self._unit: TranslationUnit | None = None

    def parse(self, text: str) -> Unit:
        """Parse a text as a C++ file.

        Raises
        ------
        HeaderError
            Clang does not take the options.
        """
        cindex = _cindex()
        kinds = cindex.TranslationUnit
        options = (
            kinds.PARSE_DETAILED_PROCESSING_RECORD
            | kinds.PARSE_PRECOMPILED_PREAMBLE
            | _PREAMBLE_AT_ONCE
        )
        unsaved = [(self._path, text)]
        try:
            if self._unit is None:
                self._unit = cindex.Index.create().parse(
                    self._path, args=self._flags, unsaved_files=unsaved, options=options
                )
            else:
                self._unit.reparse(unsaved, options)
        except cindex.TranslationUnitLoadError as error:
            raise HeaderError(
                f"error: Clang does not take the options {shlex.join(self._flags)}"
            ) from error
        return Unit(self._unit, self._path, text)
