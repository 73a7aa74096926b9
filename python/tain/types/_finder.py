# SPDX-License-Identifier: Apache-2.0
"""The importer of `tain.types`: modules without files, whose attributes are asked of the registry.

Nothing that can change is kept: a class is looked up each time, so that a type that was redefined
or registered anew gives its new class.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from tain import _core, _discovery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from types import FrameType
    from typing import Any
else:
    Loader = object  # importlib.abc brings half of importlib with it

__all__ = ["Finder", "Namespace", "install"]

_ROOT = "tain.types"
_NEVER: tuple[int, Any] = (-1, None)

# Namespaces that are no classes, with the state of the registry for which that was found out.
_checked: dict[str, tuple[int, ModuleType]] = {}


class Namespace(ModuleType):
    """A module of registered types; its attributes are classes, enums and deeper namespaces."""

    __prefix__: str  # what the keys of its types begin with

    def _become(self, prefix: str) -> None:
        """Begin to be the module of the keys with a prefix."""
        # In the module and not in the class: Python asks it before it makes up an error.
        vars(self).update(__prefix__=prefix, __getattr__=self._find)

    def _find(self, name: str) -> Any:
        if name[:2] == "__" or not name.isidentifier():
            if name == "__all__":
                return self._names(types=True, namespaces=False)
            raise _no_attribute(self, name)
        key = self.__prefix__ + name
        generation, module = _checked.get(key, _NEVER)
        if generation == _core.registry_generation():
            return module
        try:
            found = _core.find_class(key)
        except AttributeError as error:
            # Python would take it to mean that there is no such name.
            raise RuntimeError(f"{self.__name__}.{name} cannot be made: {error}") from error
        if found is not None:
            return found
        if not _is_namespace(key):
            raise _no_attribute(self, name)
        module = import_module(f"{_ROOT}.{key}")
        _checked[key] = _core.registry_generation(), module
        return module

    def __setattr__(self, name: str, value: object) -> None:
        # The import system binds submodules to their parents. Not these: they are found by asking,
        # so that a class that has the same key comes first.
        if not (isinstance(value, Namespace) and value.__name__ == f"{self.__name__}.{name}"):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        own = [name for name in vars(self) if name.startswith("__")]
        return sorted({*own, *self._names()})

    def _names(self, *, types: bool = True, namespaces: bool = True) -> list[str]:
        """Return what the registry has here now; nothing is imported to find out."""
        prefix = self.__prefix__
        found = set()
        for key in _core.type_keys(prefix):
            name, dot, _ = key[len(prefix) :].partition(".")
            if (namespaces if dot else types) and _is_importable(key):
                found.add(name)
        return sorted(found)


class Finder(Loader):
    """Meta path finder and loader of the namespaces below `tain.types`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a namespace; raises if `tain.types` has none of that name."""
        if not fullname.startswith(f"{_ROOT}."):
            return None
        _core.raise_pending_faults()
        namespace = _namespace_of(fullname)
        if _is_namespace(namespace):
            return ModuleSpec(fullname, self, origin="registered types", is_package=True)
        raise _not_found(fullname)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module; if importing a package on the way has made it, that one."""
        module = sys.modules.get(spec.name)
        if isinstance(module, Namespace):
            return module
        namespace = _namespace_of(spec.name)
        module = Namespace(spec.name, f"The types registered as {namespace}.*")
        module._become(f"{namespace}.")
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a namespace has no code."""


def install(root: str) -> None:
    """Make a module the root namespace, and put the finder where imports reach it, once."""
    module = sys.modules[root]
    module.__class__ = Namespace
    module._become("")
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if type(finder).__module__ != __name__  # of an earlier import of this module
    ]
    sys.meta_path.append(Finder())


def _namespace_of(module_name: str) -> str:
    return module_name[len(_ROOT) + 1 :]


def _is_namespace(name: str) -> bool:
    """Whether keys begin with a name, as it is or after loading what may define them."""
    prefix = f"{name}."
    return _is_importable(name) and (
        any(map(_is_importable, _core.type_keys(prefix)))
        or (_discovery.provide("key", prefix) and _is_namespace(name))
    )


def _is_importable(key: str) -> bool:
    return all(map(str.isidentifier, key.split(".")))


def _no_attribute(namespace: ModuleType, name: str) -> AttributeError:
    text = f"module {namespace.__name__!r} has no attribute {name!r}{_near(namespace, name)}"
    return AttributeError(text, name=name)


def _near(namespace: ModuleType, name: str) -> str:
    if name.startswith("_"):
        return ""  # a tool asks whether there is some hook of its own
    from difflib import get_close_matches

    matches = get_close_matches(name, [n for n in dir(namespace) if not n.startswith("__")])
    return f": did you mean {' or '.join(matches)}?" if matches else ""


def _not_found(fullname: str) -> ImportError:
    """Return the error of an import: of a name if it is a `from` import, else of a module."""
    parent, _, name = fullname.rpartition(".")
    near = _near(sys.modules[parent], name)
    if _is_from_import():
        return ImportError(f"cannot import name {name!r} from {parent!r}{near}", name=parent)
    key = _namespace_of(fullname)
    if key in _core.type_keys(key):
        near = f": it is a type; from {parent} import {name}"
    elif not near:
        near = (
            f": no loaded library registers {key}.*, and no installed package announces "
            f"{key.partition('.')[0]!r} as an entry point of the group {_discovery.ENTRY_POINTS!r};"
            " first load the library that registers it"
        )
    return ModuleNotFoundError(f"No module named {fullname!r}{near}", name=fullname)


def _is_from_import() -> bool:
    # `from m import x` tries the module `m.x` when `m` has no `x`, and takes a ModuleNotFoundError
    # of that name as leave to raise an error of its own, which knows no near matches.
    frame: FrameType | None = sys._getframe(3)  # of the importer that called find_spec
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        if frame.f_code.co_name == "_handle_fromlist":
            return True
        frame = frame.f_back
    return False
