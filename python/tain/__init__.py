# SPDX-License-Identifier: Apache-2.0
"""tain: registered C++ types are Python classes.

A C++ type that is registered under the key ``geometry.Point`` is the Python class
``tain.types.geometry.Point``. Importing tain loads its own libraries only. The modules `cpp`,
`libinfo`, `module`, `testing`, `transform` and `types`, and the functions `py_class`, `field`,
`visit` and `rewrite`, are imported when they are first used.
"""

import sys as _sys

if (
    _sys.argv[:2] == ["-m", "config"]
    and _sys.orig_argv[-len(_sys.argv) :][0].removeprefix("-m") == "tain"
):
    # `config` does not load the core. `python -m tain` runs this file before tain/__main__.py, so
    # only this file can end the program before the imports below load the core.
    from tain.__main__ import main as _main

    _sys.exit(_main())

from tain import _core

# Importing the module typing would take longer than importing tain. The modules that are imported
# with tain also do without __future__ and write such annotations in quotes. Type checkers read the
# names below from __init__.pyi, which tools/face.py makes of them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__: str = _core.version()


def _provide(kind: str, name: str) -> bool:
    from tain._discovery import provide

    return provide(kind, name)


_core.set_on_missing(_provide)

# The names of the core that are here at once.
_AT_ONCE = (
    *("Object", "Function", "Error", "InternalError"),
    *("get_class", "get_global_func", "list_global_func_names", "type_keys"),
)
globals().update({name: getattr(_core, name) for name in _AT_ONCE})
PackedFunc = _core.Function
# The modules that are imported when they are first used.
_MODULES = ("cpp", "libinfo", "testing", "transform", "types")
# The classes that are made when they are first needed.
_CLASSES = (
    *("Array", "List", "Map", "Dict", "Shape", "Tensor", "Module", "AccessPath", "AccessStep"),
)
# The modules that are imported when one of their names is first used.
_NAMES_OF = {
    "_core": (
        *("Device", "dtype", "device", *_core.device_kinds()),
        *("convert", "type_info", "from_dlpack", "empty"),
        *("structural_equal", "structural_hash", "free_vars"),
    ),
    "registry": (
        *("register_object", "register_global_func", "register_func", "remove_global_func"),
        *("register_error", "init_ffi_api", "_init_api"),
    ),
    "library": ("load_library", "Library"),
    "_python_types.decorator": ("py_class",),
    "_python_types.fields": ("field",),
    "_show.text": ("show", "to_text"),
    "_show.html": ("to_html",),
    "_show.dot": ("to_dot", "to_svg"),
    "_show.mermaid": ("to_mermaid",),
    "_show.differences": ("diff", "Diff", "Change"),
    "_saving": ("save_json", "load_json", "save_binary", "load_binary", "register_upgrade"),
    "_graphs": ("rewrite", "visit"),
    "_builtins": ("to_builtins",),
    "_from_builtins": ("from_builtins",),
    "_tensors": ("tensor", "to_pytorch_func"),
    "module": ("load_module", "system_lib", "register_module_loader"),
    "_structural": (
        *("StructuralKey", "StructuralMismatch", "StructuralMismatchError"),
        *("assert_structural_equal", "first_mismatch"),
    ),
}
__all__ = [*_AT_ONCE, "PackedFunc", "__version__", *_MODULES, *_CLASSES]
for _names in _NAMES_OF.values():
    __all__ += _names
del _names
# Names that are not for `import *`: of modules, and what IPython calls.
_MODULES += ("library", "module", "registry")
_NAMES_OF["_notebook"] = ("load_ipython_extension", "unload_ipython_extension")


def __getattr__(name: str) -> "Any":
    if name in _MODULES:
        return _imported(f"tain.{name}")
    if name in _CLASSES:
        found = globals()[name] = _core.get_class(f"ffi.{name}")
        return found
    for module, names in _NAMES_OF.items():
        if name in names:
            found = globals()[name] = getattr(_imported(f"tain.{module}"), name)
            return found
    raise AttributeError(f"module 'tain' has no attribute {name!r}")


class _TypesWait:
    """Finds `tain.types.geometry` while another thread imports `tain.types`.

    The module exists by then, so Python looks for `geometry` at once, and the finder of namespaces
    (types/_finder.py) is not there yet. Python holds a lock of all imports while it asks a finder;
    so this one waits as a loader, and then does what that one says.
    """

    def find_spec(self, fullname: str, path: "Any" = None, target: "Any" = None) -> "Any":
        if not fullname.startswith("tain.types.") or fullname == "tain.types._finder":
            return None
        return type(__spec__)(fullname, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: "Any") -> "Any":
        _imported("tain.types")
        found = _imported("tain.types._finder").Finder().find_spec(spec.name)
        spec.loader, spec.origin = found.loader, found.origin
        return found.loader.create_module(found)

    def exec_module(self, module: "Any") -> None:
        """Do nothing; importlib finds out whether there is this function."""


# Behind all others, and once, should this module be executed again.
if not any(type(finder).__name__ == "_TypesWait" for finder in _sys.meta_path):
    _sys.meta_path.append(_TypesWait())


def _imported(module: str) -> "Any":
    __import__(module)  # the module importlib would be imported first
    return _sys.modules[module]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
