# SPDX-License-Identifier: Apache-2.0
"""Modules that adopt a namespace get its types, exceptions, functions and constants as attributes.

When a module adopts a namespace, everything that is registered in it is set in the module, so that
the module's code can use it as global names. The module's `__getattr__` finds what is registered
later. If a load or a registration replaces a type or function, the attribute of the module is
replaced too, unless the module has assigned another value to it.
"""

import os
import sys
from _thread import RLock  # the module threading would be imported first

from tain import _core, _discovery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

__all__ = ["adopt", "refresh", "refresh_classes", "refresh_name"]

# Held while attributes are set, but not while what they become is looked for: that may import
# modules, for which another thread waits that sets attributes. Whoever has set one looks again.
_lock = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]

# The names of Python's own that C++ may define as constants of a namespace.
_ABOUT = frozenset({"__doc__", "__version__"})


class _Adopter:
    """The namespaces that one module has adopted.

    It stores the module's name, not the module, because a module can be imported a second time.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.namespaces: list[str] = []
        self.given: dict[str, object] = {}  # the attributes that this class set in the module
        self.generation = 0  # of the registry, when all attributes were set

    def adopt(self, module: "ModuleType", namespace: str) -> None:
        space = vars(module)
        with _lock:
            if namespace not in self.namespaces:
                self.namespaces.append(namespace)
            if getattr(space.get("__getattr__"), "__self__", None) is not self:
                self._next_getattr = space.get("__getattr__")
                space["__getattr__"] = self.getattr
                space["__dir__"] = self.dir
        self.generation = generation = _core.registry_generation()
        for name, value in _registered([namespace]).items():
            if name in _ABOUT:
                self.put(name, value)
            else:
                with _lock:
                    space[name] = self.given[name] = value
        if generation != _core.registry_generation():
            self.refresh()

    def refresh(self) -> None:
        generation = None
        while generation != _core.registry_generation():  # another thread may have registered more
            self.generation = generation = _core.registry_generation()
            registered = _registered(self.namespaces)
            for name in registered.keys() | self.given.keys():
                self.put(name, registered.get(name, _discovery.NOTHING))

    def refresh_name(self, name: str) -> None:
        while True:
            generation = _core.registry_generation()
            found = _find(self.namespaces, name)
            self.put(name, found)
            is_old = isinstance(found, type) and _find(self.namespaces, name) is not found
            if not is_old and generation == _core.registry_generation():
                return

    def refresh_classes(self, keys: "frozenset[str]") -> None:
        for name, value in list(self.given.items()):
            keys_of_name = {f"{namespace}.{name}" for namespace in self.namespaces}
            if isinstance(value, type) and not keys.isdisjoint(keys_of_name):
                self.refresh_name(name)

    def put(self, name: str, found: object) -> None:
        """Set an attribute of the module, or delete it if `found` is NOTHING.

        An attribute that the module itself has assigned stays as it is.
        """
        module = sys.modules.get(self.name)
        if module is None:
            return
        space = vars(module)
        with _lock:
            if name in space and space[name] is not self.given.get(name):
                return
            if found is not _discovery.NOTHING:
                space[name] = self.given[name] = found
            else:
                space.pop(name, None)
                self.given.pop(name, None)

    def getattr(self, name: str) -> "Any":
        if _is_attribute(name):
            if self.generation != _core.registry_generation():
                self.refresh()  # C++ code has registered something, and told nobody
            if (found := _find(self.namespaces, name)) is not _discovery.NOTHING:
                self.put(name, found)
                return found
        if self._next_getattr is not None:
            return self._next_getattr(name)
        raise AttributeError(f"module {self.name!r} has no attribute {name!r}")

    def dir(self) -> "list[str]":
        module = sys.modules.get(self.name)
        own = () if module is None else vars(module)
        return sorted({*own, *_registered(self.namespaces)})


_adopters: "dict[str, _Adopter]" = {}  # by the module's name


def adopt(module: "ModuleType", namespace: str) -> None:
    """Make the types and functions of a namespace attributes of a module."""
    name = module.__name__
    _adopters.setdefault(name, _Adopter(name)).adopt(module, namespace)


def refresh() -> None:
    """Update the attributes of all adopting modules, after a library was loaded."""
    for adopter in list(_adopters.values()):
        adopter.refresh()


def refresh_classes() -> None:
    """Update the classes in all adopting modules.

    Registering a Python class for one key changes the classes of derived keys too.
    """
    if _adopters:
        keys = frozenset(_core.type_keys(""))
        for adopter in list(_adopters.values()):
            adopter.refresh_classes(keys)


def refresh_name(full: str) -> None:
    """Update one name in the modules that adopted its namespace, after a registration."""
    namespace, _, name = full.rpartition(".")
    if not _is_attribute(name):
        return
    for adopter in list(_adopters.values()):
        if namespace in adopter.namespaces:
            adopter.refresh_name(name)


def _registered(namespaces: "list[str]") -> "dict[str, object]":
    """Return what is registered in some namespaces, by name.

    If several namespaces have a name, the first one counts.
    """
    found: dict[str, object] = {}
    for namespace in namespaces:
        start = f"{namespace}."
        for key in _discovery.registered(start):
            name = key[len(start) :]
            if _is_attribute(name) and name not in found:
                value = _discovery.find(key)
                if value is not _discovery.NOTHING:  # another thread may have removed it
                    found[name] = value
    return found


def _find(namespaces: "list[str]", name: str) -> "Any":
    """Return what a name is in the first namespace with it, or NOTHING."""
    values = (_discovery.find(f"{namespace}.{name}") for namespace in namespaces)
    return next((v for v in values if v is not _discovery.NOTHING), _discovery.NOTHING)


def _is_attribute(name: str) -> bool:
    """Return whether a name may be set in a module: an identifier, and not one of Python's own."""
    is_own = name.startswith("__") and name.endswith("__") and name not in _ABOUT
    return name.isidentifier() and not is_own
