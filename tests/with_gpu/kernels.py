# SPDX-License-Identifier: Apache-2.0
"""The library of kernels.cu, compiled once for all tests of this folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import tain

__all__ = ["FUNCTIONS", "kernels"]

SOURCE = Path(__file__).with_name("kernels.cu")
FUNCTIONS = [
    *("scale", "factor", "plus_one", "scale_anywhere", "spin", "host_sum", "address", "read_only"),
    *("device_memory", "managed_memory", "pinned_memory", "freed", "with_stream"),
]


@cache
def kernels() -> Any:
    """Return the library, compiled by nvcc as text."""
    return tain.cpp.load_inline(
        "gpu_kernels",
        cuda_sources=SOURCE.read_text(encoding="utf-8"),
        functions=FUNCTIONS,
        extra_cuda_cflags=["-DFACTOR=7"],
    )
