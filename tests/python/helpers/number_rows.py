# SPDX-License-Identifier: Apache-2.0
"""Numbers of every size and class, many of which are equal to others."""

from __future__ import annotations

import math
from typing import Any

NUMBERS: list[Any] = [
    n
    for m in (0, 1, -1, 2, 3, 2**31, 2**53 + 1, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64,
              2**64 - 1, 2**70, 3 * 2**90, 2**1000, 2**1023, -(2**61 - 1), -(2**63), -(2**64),
              -(2**70) + 1, -(2**53) * 2**30)
    for n in (m, float(m))
] + [True, False, -0.0, 0.5, -1.5, 1e-300, 5e-324, math.inf, -math.inf, 10**400]  # fmt: skip
