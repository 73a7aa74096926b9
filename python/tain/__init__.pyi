# SPDX-License-Identifier: Apache-2.0
# Made by tools/face.py of the tables in __init__.py.
from tain import cpp as cpp
from tain import libinfo as libinfo
from tain import library as library
from tain import module as module
from tain import registry as registry
from tain import testing as testing
from tain import transform as transform
from tain import types as types
from tain._builtins import to_builtins as to_builtins
from tain._core import Device as Device
from tain._core import convert as convert
from tain._core import cpu as cpu
from tain._core import cuda as cuda
from tain._core import cuda_host as cuda_host
from tain._core import cuda_managed as cuda_managed
from tain._core import device as device
from tain._core import dtype as dtype
from tain._core import empty as empty
from tain._core import ext_dev as ext_dev
from tain._core import free_vars as free_vars
from tain._core import from_dlpack as from_dlpack
from tain._core import get_class as get_class
from tain._core import get_global_func as get_global_func
from tain._core import hexagon as hexagon
from tain._core import list_global_func_names as list_global_func_names
from tain._core import maia as maia
from tain._core import metal as metal
from tain._core import oneapi as oneapi
from tain._core import opencl as opencl
from tain._core import rocm as rocm
from tain._core import rocm_host as rocm_host
from tain._core import structural_equal as structural_equal
from tain._core import structural_hash as structural_hash
from tain._core import trn as trn
from tain._core import type_info as type_info
from tain._core import type_keys as type_keys
from tain._core import vpi as vpi
from tain._core import vulkan as vulkan
from tain._core import webgpu as webgpu
from tain._from_builtins import from_builtins as from_builtins
from tain._graphs import rewrite as rewrite
from tain._graphs import visit as visit
from tain._notebook import load_ipython_extension as load_ipython_extension
from tain._notebook import unload_ipython_extension as unload_ipython_extension
from tain._python_types import field as field
from tain._python_types import py_class as py_class
from tain._saving import load_binary as load_binary
from tain._saving import load_json as load_json
from tain._saving import register_upgrade as register_upgrade
from tain._saving import save_binary as save_binary
from tain._saving import save_json as save_json
from tain._show import show as show
from tain._show import to_dot as to_dot
from tain._show import to_html as to_html
from tain._show import to_mermaid as to_mermaid
from tain._show import to_svg as to_svg
from tain._show import to_text as to_text
from tain._show.differences import Change as Change
from tain._show.differences import Diff as Diff
from tain._show.differences import diff as diff
from tain._structural import StructuralKey as StructuralKey
from tain._structural import StructuralMismatch as StructuralMismatch
from tain._structural import StructuralMismatchError as StructuralMismatchError
from tain._structural import assert_structural_equal as assert_structural_equal
from tain._structural import first_mismatch as first_mismatch
from tain._tensors import tensor as tensor
from tain._tensors import to_pytorch_func as to_pytorch_func
from tain._values import AccessPath as AccessPath
from tain._values import AccessStep as AccessStep
from tain._values import Array as Array
from tain._values import Dict as Dict
from tain._values import Error as Error
from tain._values import Function as Function
from tain._values import InternalError as InternalError
from tain._values import List as List
from tain._values import Map as Map
from tain._values import Module as Module
from tain._values import Object as Object
from tain._values import Shape as Shape
from tain._values import Tensor as Tensor
from tain.library import Library as Library
from tain.library import load_library as load_library
from tain.module import load_module as load_module
from tain.module import register_module_loader as register_module_loader
from tain.module import system_lib as system_lib
from tain.registry import _init_api as _init_api
from tain.registry import init_ffi_api as init_ffi_api
from tain.registry import register_error as register_error
from tain.registry import register_func as register_func
from tain.registry import register_global_func as register_global_func
from tain.registry import register_object as register_object
from tain.registry import remove_global_func as remove_global_func

PackedFunc = Function
__version__: str

__all__ = [
    "Object",
    "Function",
    "Error",
    "InternalError",
    "get_class",
    "get_global_func",
    "list_global_func_names",
    "type_keys",
    "PackedFunc",
    "__version__",
    "cpp",
    "libinfo",
    "testing",
    "transform",
    "types",
    "Array",
    "List",
    "Map",
    "Dict",
    "Shape",
    "Tensor",
    "Module",
    "AccessPath",
    "AccessStep",
    "Device",
    "dtype",
    "device",
    "cpu",
    "cuda",
    "cuda_host",
    "cuda_managed",
    "opencl",
    "vulkan",
    "metal",
    "vpi",
    "rocm",
    "rocm_host",
    "ext_dev",
    "oneapi",
    "webgpu",
    "hexagon",
    "maia",
    "trn",
    "convert",
    "type_info",
    "from_dlpack",
    "empty",
    "structural_equal",
    "structural_hash",
    "free_vars",
    "register_object",
    "register_global_func",
    "register_func",
    "remove_global_func",
    "register_error",
    "init_ffi_api",
    "_init_api",
    "load_library",
    "Library",
    "py_class",
    "field",
    "show",
    "to_text",
    "to_html",
    "to_dot",
    "to_mermaid",
    "to_svg",
    "diff",
    "Diff",
    "Change",
    "save_json",
    "load_json",
    "save_binary",
    "load_binary",
    "register_upgrade",
    "rewrite",
    "visit",
    "to_builtins",
    "from_builtins",
    "tensor",
    "to_pytorch_func",
    "load_module",
    "system_lib",
    "register_module_loader",
    "StructuralKey",
    "StructuralMismatch",
    "StructuralMismatchError",
    "assert_structural_equal",
    "first_mismatch",
]
