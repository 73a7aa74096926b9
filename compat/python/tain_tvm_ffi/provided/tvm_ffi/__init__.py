# SPDX-License-Identifier: Apache-2.0
"""tain under the names of the package apache-tvm-ffi, for programs that import `tvm_ffi`."""

from tain import (
    Array,
    Dict,
    Function,
    List,
    Map,
    Object,
    Shape,
    Tensor,
    convert,
    structural_hash,
)

from . import _protocols, access_path, core, cpp, dataclasses, libinfo, serialization, structural
from ._convert import convert_func
from ._dtype import *  # noqa: F403
from ._library import LIB
from ._tensor import Device, DLDeviceType, device, from_dlpack
from ._version import __version__, __version_tuple__
from .core import CAny, CContainerBase, ObjectConvertible
from .dataclasses import method
from .error import register_error
from .module import Module, load_module, system_lib
from .registry import (
    get_global_func,
    get_global_func_metadata,
    init_ffi_api,
    register_global_func,
    register_object,
    remove_global_func,
)
from .stream import StreamContext, get_raw_stream, use_raw_stream, use_torch_stream
from .structural import (
    DefRegionKind,
    InplaceMode,
    StructuralKey,
    StructuralMutator,
    StructuralVisitor,
    VisitInterrupt,
    WalkOrder,
    WalkResult,
    get_first_structural_mismatch,
    structural_equal,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)

_protocols.install()
