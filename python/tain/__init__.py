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
from tain._core import (
    get_class,
    get_global_func,
    list_global_func_names,
    type_keys,
)

# Importing the module typing would take longer than importing tain. The modules that are imported
# with tain also do without __future__ and write such annotations in quotes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tain import cpp, libinfo, testing, transform, types
    from tain._builtins import to_builtins
    from tain._core import (
        Device,
        convert,
        cpu,
        cuda,
        cuda_host,
        cuda_managed,
        device,
        dtype,
        empty,
        ext_dev,
        free_vars,
        from_dlpack,
        hexagon,
        maia,
        metal,
        oneapi,
        opencl,
        rocm,
        rocm_host,
        structural_equal,
        structural_hash,
        trn,
        type_info,
        vpi,
        vulkan,
        webgpu,
    )
    from tain._from_builtins import from_builtins
    from tain._graphs import rewrite, visit
    from tain._python_types import field, py_class
    from tain._saving import load_binary, load_json, register_upgrade, save_binary, save_json
    from tain._show import Change, Diff, diff, show, to_dot, to_html, to_mermaid, to_svg, to_text
    from tain._structural import (
        StructuralKey,
        StructuralMismatch,
        StructuralMismatchError,
        assert_structural_equal,
        first_mismatch,
    )
    from tain._tensors import tensor, to_pytorch_func
    from tain._values import (
        AccessPath,
        AccessStep,
        Array,
        Dict,
        Error,
        Function,
        InternalError,
        List,
        Map,
        Module,
        Object,
        Shape,
        Tensor,
    )
    from tain.library import Library, load_library
    from tain.module import load_module, register_module_loader, system_lib
    from tain.registry import (
        _init_api,
        init_ffi_api,
        register_error,
        register_func,
        register_global_func,
        register_object,
        remove_global_func,
    )
else:
    from tain._core import Error, Function, InternalError, Object

__version__: str = _core.version()

PackedFunc = Function


def _provide(kind: str, name: str) -> bool:
    from tain._discovery import provide

    return provide(kind, name)


_core.set_on_missing(_provide)

__all__ = [
    "Object",
    "Function",
    "PackedFunc",
    "Array",
    "List",
    "Map",
    "Dict",
    "Shape",
    "Tensor",
    "Module",
    "Device",
    "dtype",
    "Error",
    "InternalError",
    "convert",
    "device",
]
__all__ += ["cpu", "cuda", "cuda_host", "cuda_managed", "opencl", "vulkan", "metal", "vpi", "rocm"]
__all__ += ["rocm_host", "ext_dev", "oneapi", "webgpu", "hexagon", "maia", "trn"]
__all__ += ["register_object", "register_global_func", "register_func", "get_global_func"]
__all__ += ["list_global_func_names", "remove_global_func", "register_error", "type_keys"]
__all__ += ["get_class", "type_info", "init_ffi_api", "_init_api"]
__all__ += ["load_library", "Library", "load_module", "system_lib", "register_module_loader"]
__all__ += ["from_dlpack", "tensor", "empty", "to_pytorch_func"]
__all__ += ["py_class", "field"]
__all__ += ["show", "to_text", "to_html", "to_dot", "to_mermaid", "to_svg"]
__all__ += ["diff", "Diff", "Change"]
__all__ += ["save_json", "load_json", "save_binary", "load_binary", "register_upgrade"]
__all__ += ["AccessPath", "AccessStep", "structural_equal", "structural_hash", "free_vars"]
__all__ += ["assert_structural_equal", "first_mismatch", "StructuralKey", "StructuralMismatch"]
__all__ += ["StructuralMismatchError"]
__all__ += ["to_builtins", "from_builtins"]
__all__ += ["rewrite", "visit"]
__all__ += ["cpp", "libinfo", "testing", "transform", "types"]  # modules, imported when first used
__all__ += ["__version__"]

_MODULES = frozenset(
    {"cpp", "libinfo", "library", "module", "registry", "testing", "transform", "types"}
)
# The modules that are imported when one of their names is first used.
_NAMES_OF = {
    "_core": (
        *("cpu", "cuda", "cuda_host", "cuda_managed", "opencl", "vulkan", "metal", "vpi", "rocm"),
        *("rocm_host", "ext_dev", "oneapi", "webgpu", "hexagon", "maia", "trn", "device"),
        *("from_dlpack", "empty", "structural_equal", "structural_hash", "free_vars"),
        *("Device", "dtype", "convert", "type_info"),
    ),
    "registry": (
        *("register_object", "register_global_func", "register_func", "remove_global_func"),
        *("register_error", "init_ffi_api", "_init_api"),
    ),
    "library": ("load_library", "Library"),
    "_python_types": ("py_class", "field"),
    "_show": ("show", "to_text", "to_html", "to_dot", "to_mermaid", "to_svg"),
    "_show.differences": ("diff", "Diff", "Change"),
    "_saving": ("save_json", "load_json", "save_binary", "load_binary", "register_upgrade"),
    "_graphs": ("rewrite", "visit"),
    "_builtins": ("to_builtins",),
    "_from_builtins": ("from_builtins",),
    "_notebook": ("load_ipython_extension", "unload_ipython_extension"),  # called by IPython
    "_tensors": ("tensor", "to_pytorch_func"),
    "module": ("load_module", "system_lib", "register_module_loader"),
    "_structural": (
        *("StructuralKey", "StructuralMismatch", "StructuralMismatchError"),
        *("assert_structural_equal", "first_mismatch"),
    ),
}
# The classes that are made when they are first needed.
_CLASSES = frozenset(
    {"Array", "List", "Map", "Dict", "Shape", "Tensor", "Module", "AccessPath", "AccessStep"}
)


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


def _imported(module: str) -> "Any":
    __import__(module)  # the module importlib would be imported first
    return _sys.modules[module]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
