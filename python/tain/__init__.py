# SPDX-License-Identifier: Apache-2.0
"""tain: registered C++ types are Python classes.

A C++ type that is registered under the key ``geometry.Point`` is the class
``tain.types.geometry.Point``; nobody writes binding code. Importing tain loads its two libraries
and does nothing else; `cpp`, `libinfo`, `testing` and `types` are imported when they are first
used.
"""

from tain import _core, _discovery
from tain._core import (
    Device,
    convert,
    dtype,
    get_class,
    get_global_func,
    list_global_func_names,
    type_info,
    type_keys,
)
from tain.library import load_library
from tain.registry import (
    _init_api,
    init_ffi_api,
    register_error,
    register_func,
    register_global_func,
    register_object,
    remove_global_func,
)

TYPE_CHECKING = False  # the module typing takes longer to import than all of tain
if TYPE_CHECKING:
    from types import ModuleType

    from tain import cpp, libinfo, testing, types
    from tain._values import Array, Dict, Error, Function, List, Map, Object, Shape
else:
    from tain._core import Array, Dict, Error, Function, List, Map, Object, Shape

__version__: str = _core.version()

PackedFunc = Function

_core.set_on_missing(_discovery.provide)

__all__ = [
    # values
    "Object",
    "Function",
    "PackedFunc",
    "Array",
    "List",
    "Map",
    "Dict",
    "Shape",
    "Device",
    "dtype",
    "Error",
    "convert",
    # the registry
    "register_object",
    "register_global_func",
    "register_func",
    "get_global_func",
    "list_global_func_names",
    "remove_global_func",
    "register_error",
    "type_keys",
    "get_class",
    "type_info",
    "init_ffi_api",
    "_init_api",
    # libraries
    "load_library",
    # modules, imported when first used
    "cpp",
    "libinfo",
    "testing",
    "types",
    "__version__",
]

_MODULES = frozenset({"cpp", "libinfo", "testing", "types"})


def __getattr__(name: str) -> "ModuleType":
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"tain.{name}")
    raise AttributeError(f"module 'tain' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
