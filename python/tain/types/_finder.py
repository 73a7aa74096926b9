# SPDX-License-Identifier: Apache-2.0
"""The importer of `tain.types`: modules without files, of registered types and functions.

What a name means is kept by the bridge (objects/found_names) until anything is registered, removed
or redefined; then the next access looks it up in the registry.
"""

import sys

from tain import _core, _discovery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import FrameType, ModuleType
    from typing import Any
else:
    # The modules of these would take longer to import than tain does.
    Loader, ModuleSpec, ModuleType = object, type(__spec__), type(sys)

__all__ = ["Finder", "Namespace", "install"]

_ROOT = "tain.types"
# The attributes that every package has; those of this importer are not shown.
_SHOWN = frozenset({"__doc__", "__file__", "__loader__", "__name__", "__package__", "__path__"})


class Namespace(ModuleType):
    """A module of what is registered: classes, enums, functions, constants and namespaces.

    If several have a name, the class comes first, then the function. The module has no attributes
    of its own but those that every module has, because each would hide what is registered under
    its name.
    """

    def __setattr__(self, name: str, value: object) -> None:
        # The import system sets submodules as attributes of their parents. Ignore that: `_find`
        # finds them, and prefers a class that has the same key.
        if not (isinstance(value, Namespace) and value.__name__ == f"{self.__name__}.{name}"):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        own = _SHOWN.intersection(vars(self))
        return sorted({*own, *_names(self)})


def _doc(module: ModuleType) -> str:
    """Return what GlobalDef::def_doc says of a namespace."""
    prefix = _prefix(module)
    found = _discovery.find(f"{prefix}__doc__") if prefix else _discovery.NOTHING
    if found is _discovery.NOTHING:
        return str(vars(module)["__doc__"])
    return str(found)


_core.keep_names(Namespace)
Namespace.__doc__ = property(_doc)  # type: ignore[assignment] # it says what C++ says now


def _become_namespace(module: ModuleType) -> None:
    """Let a module find its attributes in the registry."""
    # Set in the module, not in the class: Python then calls it before it makes an error.
    vars(module)["__getattr__"] = lambda name: _find(module, name)


def _prefix(module: ModuleType) -> str:
    """Return the prefix of the keys of a namespace's types and of the names of its functions."""
    name = vars(module)["__name__"]
    return "" if name == _ROOT else f"{_namespace_of(name)}."


def _find(namespace: ModuleType, name: str) -> "Any":
    if name == "__all__":
        return _names(namespace, namespaces=False)
    key = _prefix(namespace) + name
    # Tools look for many names with underscores, which are worth no search for a library.
    is_special = name[:2] == "__"
    if not name.isidentifier() or (is_special and key not in _keys_and_functions(key)):
        raise _no_attribute(namespace, name)
    try:
        found = _discovery.find(key)
        if found is _discovery.NOTHING and not _begins_keys(key):
            _discovery.provide("key", key)
            found = _discovery.find(key)  # another thread may have registered it meanwhile, too
    except AttributeError as error:
        # Python would take the AttributeError to mean that there is no such name.
        raise RuntimeError(f"{namespace.__name__}.{name} cannot be made: {error}") from error
    if found is not _discovery.NOTHING:
        return found
    if not _is_namespace(key):
        raise _no_attribute(namespace, name)
    __import__(f"{_ROOT}.{key}")
    return sys.modules[f"{_ROOT}.{key}"]


def _names(module: ModuleType, *, namespaces: bool = True) -> list[str]:
    """Return the names that the registry has now, without importing anything."""
    prefix = _prefix(module)
    found = set()
    for key in _keys_and_functions(prefix):
        name, dot, _ = key[len(prefix) :].partition(".")
        if namespaces or not dot:
            found.add(name)
    return sorted(found)


class Finder(Loader):
    """The meta path finder and loader of the namespaces below `tain.types`."""

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Return the spec of a namespace below `tain.types`, or None for any other module.

        Raises
        ------
        ImportError
            `tain.types` has no namespace of this name, or a registration is faulty.
        """
        if not fullname.startswith(f"{_ROOT}.") or fullname == __name__:
            return None
        try:
            _core.raise_pending_faults()
            if _is_namespace(_namespace_of(fullname)):
                return ModuleSpec(fullname, self, origin="registered types", is_package=True)
            raise _not_found(fullname)
        except ImportError as error:
            from tain._tracebacks import leave_out_own

            leave_out_own(error)
            raise

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module; an import in `find_spec` may have made it already."""
        module = sys.modules.get(spec.name)
        if isinstance(module, Namespace):
            return module
        namespace = _namespace_of(spec.name)
        module = Namespace(spec.name, f"The types and functions registered as {namespace}.*")
        _become_namespace(module)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a namespace has no code."""


def install(root: str) -> None:
    """Make a module the root namespace, and add the finder to `sys.meta_path`."""
    module = sys.modules[root]
    module.__class__ = Namespace
    vars(module).pop("_finder", None)  # the attribute would hide a namespace of the name
    _become_namespace(module)
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if type(finder).__module__ != __name__  # drops the finder of an earlier import
    ]
    # Before others: stubs may lie in folders of the package, `types/geometry/__init__.pyi`, which
    # the finders of folders and of editable installs would take for modules.
    sys.meta_path.insert(0, Finder())


def _namespace_of(module_name: str) -> str:
    return module_name[len(_ROOT) + 1 :]


def _is_namespace(name: str) -> bool:
    """Return whether a name is a namespace; if no key has it, load what may define such keys."""
    if not _is_importable(name):
        return False
    if not _begins_keys(name):
        _discovery.provide("key", f"{name}.")
    return _begins_keys(name)  # another thread may have registered such keys meanwhile, too


def _begins_keys(name: str) -> bool:
    return next(_keys_and_functions(f"{name}."), None) is not None


def _keys_and_functions(prefix: str) -> "Iterator[str]":
    """Yield what can be imported and begins with a prefix."""
    return filter(_is_importable, _discovery.registered(prefix))


def _is_importable(key: str) -> bool:
    return all(map(str.isidentifier, key.split(".")))


def _no_attribute(namespace: ModuleType, name: str) -> AttributeError:
    near = _near(namespace, name)
    text = f"module {namespace.__name__!r} has no attribute {name!r}{near}"
    return AttributeError(text, name=name)


def _near(namespace: ModuleType, name: str) -> str:
    if name.startswith("_"):
        return ""  # some tool looks for its own hook
    near = _core.near_matches(name, [n for n in dir(namespace) if not n.startswith("__")])
    return near and f".{near}"


def _not_found(fullname: str) -> ImportError:
    """Return the error for a failed `from parent import name` or `import parent.name`."""
    parent, _, name = fullname.rpartition(".")
    near = _near(sys.modules[parent], name)
    if _is_from_import():
        return ImportError(f"cannot import name {name!r} from {parent!r}{near}", name=parent)
    key = _namespace_of(fullname)
    if key in _keys_and_functions(key):
        kind = "type" if key in _core.type_keys(key) else "function"
        near = f": it is a {kind}; from {parent} import {name}"
    elif not near:
        near = (
            f": no loaded library registers {key}.*, and no installed package announces "
            f"{key.partition('.')[0]!r} as an entry point of the group {_discovery.ENTRY_POINTS!r};"
            " first load the library that registers it"
        )
    return ModuleNotFoundError(f"No module named {fullname!r}{near}", name=fullname)


def _is_from_import() -> bool:
    # If `m` has no `x`, `from m import x` imports the module `m.x`. If that raises
    # ModuleNotFoundError, Python raises its own error, which has no suggestions of names.
    frame: FrameType | None = sys._getframe(3)  # of the importer that called find_spec
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        if frame.f_code.co_name == "_handle_fromlist":
            return True
        frame = frame.f_back
    return False
