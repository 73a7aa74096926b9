# SPDX-License-Identifier: Apache-2.0
"""tain under the names of the package apache-tvm-ffi, for programs that import `tvm_ffi`."""

import tain_tvm_ffi

LIB = tain_tvm_ffi.load()

from tain import (  # noqa: E402
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

from . import _protocols, access_path, core, cpp, dataclasses, libinfo, serialization, structural  # noqa: E402
from ._convert import convert_func  # noqa: E402
from ._dtype import *  # noqa: E402, F403
from ._tensor import Device, DLDeviceType, device, from_dlpack  # noqa: E402
from ._version import __version__, __version_tuple__  # noqa: E402
from .core import CAny, CContainerBase, ObjectConvertible  # noqa: E402
from .dataclasses import method  # noqa: E402
from .error import register_error  # noqa: E402
from .module import Module, load_module, system_lib  # noqa: E402
from .registry import (  # noqa: E402
    get_global_func,
    get_global_func_metadata,
    init_ffi_api,
    register_global_func,
    register_object,
    remove_global_func,
)
from .stream import StreamContext, get_raw_stream, use_raw_stream, use_torch_stream  # noqa: E402
from .structural import (  # noqa: E402
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
