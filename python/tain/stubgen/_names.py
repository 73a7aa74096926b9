# SPDX-License-Identifier: Apache-2.0
"""The names that a stub uses: what it imports, and how it avoids names of its own members."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Mapping

__all__ = ["Names", "is_spelled"]


def is_spelled(name: str) -> bool:
    """Return whether Python code can use a name: an identifier that is no keyword."""
    return name.isidentifier() and not keyword.iskeyword(name)


class Names:
    """How one stub spells what it uses.

    Inside a class, the name of a member hides a global of the same name: a class with a member
    ``list`` cannot write ``list`` for the builtin type. Then the type is ``builtins.list``, and a
    module or a class of the stub that a member hides gets a second name.

    Parameters
    ----------
    module : str
        The name of the module that the stub describes.
    own : iterable of str
        The names that the module has.
    members : iterable of str
        The names of all members of its classes.
    moved : mapping, optional
        Modules without a stub, and the modules whose stubs declare their classes.
    """

    def __init__(
        self,
        module: str,
        own: Iterable[str],
        members: Iterable[str],
        moved: Mapping[str, str] | None = None,
    ) -> None:
        self.module = module
        self._moved = dict(moved or {})
        self._own = frozenset(own)
        self._members = frozenset(members)
        self._scope: frozenset[str] = frozenset()  # the members of the class that is written
        self._str_enum = ""  # the name of the base of string enums, if there are any
        self._modules: dict[str, str] = {}  # modules to import, and the names they get
        self._aliases: dict[str, str] = {}  # classes of the module, and their other names

    def use(self, module: str, name: str, *, registered: bool = True) -> str:
        """Return the expression for an attribute of a module, and import what it needs.

        The stub of another module may declare what is registered.
        """
        if registered:
            module = self._moved.get(module, module)
        if module == self.module:
            return self._own_name(name)
        if module == "builtins":
            taken = name in self._own or name in self._scope
            return f"{self._import(module)}.{name}" if taken else name
        return f"{self._import(module)}.{name}"

    def enter(self, members: Iterable[str] = ()) -> None:
        """Begin the body of a class with these members, or go back to the module."""
        self._scope = frozenset(members)

    def _own_name(self, name: str) -> str:
        top, dot, rest = name.partition(".")
        if top in self._scope:
            top = self._aliases.setdefault(top, self._free(f"_{top}"))
        return f"{top}{dot}{rest}"

    def _import(self, module: str) -> str:
        if module not in self._modules:
            top = module.partition(".")[0]
            clashes = top in self._own or top in self._members or top == self.module
            self._modules[module] = self._free("_" + module.replace(".", "_")) if clashes else ""
        return self._modules[module] or module

    def _free(self, name: str) -> str:
        taken = {*self._own, *self._members, *self._modules.values(), *self._aliases.values()}
        while name in taken or hasattr(builtins, name):
            name = f"_{name}"
        return name

    def str_enum(self) -> str:
        """Return the name of the base of string enums: StrEnum, or before Python 3.11 its like."""
        if not self._str_enum:
            self._str_enum = self._free("_StrEnum")
        return self._str_enum

    def definitions(self) -> list[str]:
        """Return the lines that define the names which the stub has made up itself."""
        lines = [f"{alias} = {name}" for name, alias in sorted(self._aliases.items())]
        if self._str_enum:
            test = f"{self.use('sys', 'version_info')} >= (3, 11)"
            bases = f"{self.use('builtins', 'str')}, {self.use('enum', 'Enum')}"
            lines += [
                f"if {test}:",
                f"    from enum import StrEnum as {self._str_enum}",
                "else:",
                f"    class {self._str_enum}({bases}): ...",
            ]
        return lines

    def imports(self) -> list[str]:
        """Return the import statements, sorted."""
        return sorted(
            f"import {module} as {name}" if name else f"import {module}"
            for module, name in self._modules.items()
        )
