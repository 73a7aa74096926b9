# SPDX-License-Identifier: Apache-2.0
"""Makes the files of inline sources: the texts with their line numbers, and their exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tain._checks import refuse, text_of

__all__ = ["included_headers", "names_and_docs", "one_text", "with_name", "with_registrations"]

_TVM_NAME = re.compile(r"\btvm::ffi::|\bTVM_FFI_")
_TVM_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]tvm/", re.MULTILINE)


def one_text(parameter: str, sources: Any, label: str) -> str:
    """Return texts as one; errors of the compiler name each text, and the lines in it."""
    expected = "a text or a sequence of texts"
    if isinstance(sources, bytes) or not isinstance(sources, Iterable):
        raise refuse(parameter, expected, sources)
    lines = []
    for number, part in enumerate([sources] if isinstance(sources, str) else sources, 1):
        if not isinstance(part, str):
            raise refuse(parameter, expected, part)
        _check_unicode(parameter, part)
        lines += [f'#line 1 "<{label}>"' if number == 1 else f'#line 1 "<{label} {number}>"', part]
    return "\n".join([*lines, ""])


def with_name(source: str, unit: str) -> str:
    """Return C++ text after the definition of the library's name, which HEADER declares."""
    return f'extern "C" const char tain_unit_name[] = "{unit}";\n{source}'


def included_headers(source: str) -> list[str]:
    """Return the headers that the compiler includes before an inline source.

    A source that includes headers of ``tvm/`` itself may mean those of apache-tvm-ffi.
    """
    tvm = _TVM_NAME.search(source) and not _TVM_INCLUDE.search(source)
    return ["tain/tain.h", *(["tvm/ffi/tvm_ffi.h"] if tvm else [])]


def names_and_docs(functions: Any) -> dict[str, str]:
    """Return a dict of the functions' names and their documentation."""
    if functions is None:
        return {}
    if isinstance(functions, str):
        functions = [functions]
    if isinstance(functions, bytes) or not isinstance(functions, Iterable):
        raise refuse("functions", "the names of C++ functions", functions)
    if not isinstance(functions, Mapping):
        functions = {text_of("functions", name): "" for name in functions}
    for name, text in functions.items():
        text_of("functions", name)
        _check_unicode("functions", text_of(f"functions[{name!r}]", text))
        if not (name.isascii() and name.isidentifier()):
            raise ValueError(f"functions: expected names of C++ functions, got {name!r}")
    return dict(functions)


def _check_unicode(parameter: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{parameter}: expected text in Unicode: {error}") from None


def with_registrations(source: str, functions: Mapping[str, str]) -> str:
    """Return a source followed by the exports of its functions."""
    # Each name has its own line, so the line number of a compile error tells which one is wrong.
    lines = [
        f"TAIN_EXPORT({name}, ::{name}, ::tain::doc({_literal(text)}));"
        for name, text in functions.items()
    ]
    return "\n".join([source, '#line 1 "functions"', *lines, ""]) if lines else source


def _literal(text: str) -> str:
    """Return a C++ string literal."""
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in text.encode()
    )
    return f'"{escaped}"'
