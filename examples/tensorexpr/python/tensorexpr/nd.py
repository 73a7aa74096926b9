# SPDX-License-Identifier: Apache-2.0
"""Arrays, under the names of the older package; they are the tensors of tain."""

from __future__ import annotations

from typing import Any

import tain
from tain import Tensor, from_dlpack

__all__ = ["Tensor", "array", "from_dlpack"]


def array(values: Any, device: Any = None) -> Tensor:
    """Return a tensor with a copy of an array or of nested lists, on a device (the CPU)."""
    made = tain.tensor(values)
    return made if device is None else tain.tensor(made, device=device)
