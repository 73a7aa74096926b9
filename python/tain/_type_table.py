# SPDX-License-Identifier: Apache-2.0
"""The table of registered types and what else is registered, for ``python -m tain types``."""

from __future__ import annotations

from tain import _core, _discovery

__all__ = ["overview", "type_table"]

_HEADINGS = ("index", "key", "parent", "fields", "methods", "objects")
_NAMES = ("key", "parent")  # aligned to the left; the numbers are aligned to the right


def overview(prefix: str = "") -> str:
    """Return all that is registered, as text: types, enums, exceptions, functions and constants.

    Parameters
    ----------
    prefix : str
        The beginning of the keys to show; all if it is empty.

    Returns
    -------
    str
        The table of types, then each of the others under a heading, one on each line; ``none``
        where there is nothing.
    """
    enums: list[str] = []
    errors: list[str] = []
    functions: list[str] = []
    constants: list[str] = []
    for key in _core.type_keys(prefix):
        info = _core.type_info(key)
        if isinstance(info, _core.EnumInfo):
            enums.append(f"{_on_one_line(key)}  {len(info.members)} members")
    for name in _core.list_global_func_names():
        if name.startswith(_discovery.ERRORS):
            _add(errors, name.removeprefix(_discovery.ERRORS), prefix)
        elif name.startswith(_discovery.CONSTANTS):
            _add(constants, name.removeprefix(_discovery.CONSTANTS), prefix)
        else:
            _add(functions, name, prefix)
    types = type_table(prefix).splitlines()
    parts = {"types": types if len(types) > 1 else [], "enums": enums, "exceptions": errors}
    parts.update({"functions": functions, "constants": constants})
    return "\n\n".join(
        "\n".join([f"{heading}:", *(f"  {line}" for line in lines or ["none"])])
        for heading, lines in parts.items()
    )


def _add(names: list[str], name: str, prefix: str) -> None:
    if name.startswith(prefix):
        names.append(_on_one_line(name))


def type_table(prefix: str = "") -> str:
    """Return the registered types as text, one on each line, in the order of their indices.

    Enums have no type index and no objects of their own, so they are not listed.

    Parameters
    ----------
    prefix : str
        The beginning of the keys to show; all if it is empty.

    Returns
    -------
    str
        A line of headings, and for each type the index, the key, the key of the parent (``-`` if
        there is none), the numbers of fields and of methods, inherited ones included, and the
        number of living C++ objects.
    """
    alive = _core.live_objects()
    known = map(_core.type_info, _core.type_keys(prefix))
    infos = [info for info in known if isinstance(info, _core.TypeInfo)]
    rows = []
    for info in sorted(infos, key=lambda info: info.index):
        parent = info.parent.key if info.parent is not None else "-"
        numbers = (len(info.fields), len(info.methods), alive.get(info.key, 0))
        names = (_on_one_line(info.key), _on_one_line(parent))
        rows.append((str(info.index), *names, *map(str, numbers)))
    lines = [_HEADINGS, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(cells, widths) for cells in lines)


def _on_one_line(key: str) -> str:
    return key if key.isprintable() else repr(key)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (
        cell.ljust(width) if name in _NAMES else cell.rjust(width)
        for name, cell, width in zip(_HEADINGS, cells, widths, strict=True)
    )
    return "  ".join(padded)
