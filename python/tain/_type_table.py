# SPDX-License-Identifier: Apache-2.0
"""The table of registered types and what else is registered, for ``python -m tain types``."""

from __future__ import annotations

from tain import _core, _discovery

__all__ = ["overview", "type_table"]

_HEADINGS = ("index", "key", "parent", "fields", "methods", "objects", "threads")
# What the names of functions begin with that stand for something else.
_STARTS = {"exceptions": _discovery.ERRORS, "constants": _discovery.CONSTANTS, "functions": ""}
_NAMES = ("key", "parent")  # aligned to the left; the rest is aligned to the right


def overview(prefix: str = "") -> str:
    """Return all that is registered and begins with a prefix, as text.

    It is the table of types, then the enums, exceptions, functions and constants under a heading
    each, one on each line; ``none`` where there is nothing.
    """
    types = type_table(prefix).splitlines()
    parts: dict[str, list[str]] = {"types": types if len(types) > 1 else []}
    parts.update({heading: [] for heading in ("enums", "exceptions", "functions", "constants")})
    for info in map(_core.type_info, _core.type_keys(prefix)):
        if isinstance(info, _core.EnumInfo):
            parts["enums"].append(f"{_on_one_line(info.key)}  {len(info.members)} members")
    for name in _core.list_global_func_names():
        heading, start = next(each for each in _STARTS.items() if name.startswith(each[1]))
        if name.startswith(prefix, len(start)):
            parts[heading].append(_on_one_line(name[len(start) :]))
    return "\n\n".join(
        "\n".join([f"{heading}:", *(f"  {line}" for line in lines or ["none"])])
        for heading, lines in parts.items()
    )


def type_table(prefix: str = "") -> str:
    """Return the registered types with a prefix as text, one on each line, in the order of indices.

    After a line of headings each has the index, the key, the key of the parent (``-`` if there is
    none), the numbers of fields and of methods, inherited ones included, the number of living C++
    objects, and which methods threads may call at the same time without a GIL: ``safe`` (all),
    ``receiver`` (all, for different objects), ``some``, or ``-`` (none). Enums have no type index
    and no objects of their own, so they are not listed.
    """
    alive = _core.live_objects()
    known = map(_core.type_info, _core.type_keys(prefix))
    infos = [info for info in known if isinstance(info, _core.TypeInfo)]
    rows = []
    for info in sorted(infos, key=lambda info: info.index):
        parent = info.parent.key if info.parent is not None else "-"
        numbers = (len(info.fields), len(info.methods), alive.get(info.key, 0))
        names = (_on_one_line(info.key), _on_one_line(parent))
        rows.append((str(info.index), *names, *map(str, numbers), _threads(info)))
    lines = [_HEADINGS, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(cells, widths) for cells in lines)


def _threads(info: _core.TypeInfo) -> str:
    functions = [method.function for method in info.methods]
    safe = sum(function.is_thread_safe for function in functions)
    free = safe + sum(function.locks_receiver for function in functions)
    if free == 0:
        return "-"
    if free < len(functions):
        return "some"
    return "safe" if safe == free else "receiver"


def _on_one_line(key: str) -> str:
    return key if key.isprintable() else repr(key)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (
        cell.ljust(width) if name in _NAMES else cell.rjust(width)
        for name, cell, width in zip(_HEADINGS, cells, widths, strict=True)
    )
    return "  ".join(padded)
