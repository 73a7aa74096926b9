# SPDX-License-Identifier: Apache-2.0
"""Functions of the testing library that several tests call."""

from __future__ import annotations

import tain


def get(name: str) -> tain.Function:
    """Return a function of the testing library."""
    return tain.get_global_func("testing." + name)


KEEP, KEPT, DROP = get("keep"), get("kept"), get("drop_kept")  # C++ holds objects
