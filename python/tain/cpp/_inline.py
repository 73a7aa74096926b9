# SPDX-License-Identifier: Apache-2.0
"""The C++ that is added to an inline source: the registration of the functions that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["global_name", "names_and_docs", "one_text", "with_registrations"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def one_text(sources: str | Sequence[str]) -> str:
    """Return the sources as one."""
    parts = [sources] if isinstance(sources, str) else list(sources)
    for part in parts:
        if not isinstance(part, str):
            raise TypeError(f"cpp_sources: expected C++ text, got {part!r}")
    return "\n".join(parts)


def names_and_docs(functions: str | Sequence[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Return the documentation of each function by its name."""
    if functions is None:
        return {}
    if isinstance(functions, str):
        functions = [functions]
    found = dict(functions) if isinstance(functions, Mapping) else dict.fromkeys(functions, "")
    for name in found:
        if not _IDENTIFIER.fullmatch(name):
            raise ValueError(f"functions: expected names of C++ functions, got {name!r}")
    return found


def global_name(unit: str, function: str) -> str:
    """Return the name of the global function that a function becomes."""
    return f"cpp.{unit}.{function}"


def with_registrations(source: str, unit: str, functions: Mapping[str, str]) -> str:
    """Return a source with its functions registered; its own lines keep their numbers."""
    if not functions:
        return source
    lines = [
        f".def({_literal(global_name(unit, name))}, ::{name}, ::tain::doc({_literal(text)}))"
        for name, text in functions.items()
    ]
    # One line for each name: an error in it is an error in what was asked for.
    block = ['#line 1 "functions"', "TAIN_REGISTER { ::tain::reflection::GlobalDef()", *lines, ";}"]
    return "\n".join([source, *block, ""])


def _literal(text: str) -> str:
    """Return a C++ string literal."""
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in text.encode()
    )
    return f'"{escaped}"'
