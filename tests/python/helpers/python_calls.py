# SPDX-License-Identifier: Apache-2.0
"""How much Python code an access runs: none, if its result was kept."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable


def python_calls(access: Callable[[], object]) -> int:
    """Return how many functions run during the second call of `access`, beside itself."""
    access()
    count = 0

    def profile(frame: types.FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        access()
    finally:
        sys.setprofile(None)
    return count - 1
