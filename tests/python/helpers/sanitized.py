# SPDX-License-Identifier: Apache-2.0
"""Whether the tests run under AddressSanitizer, which python itself was not built for."""

from __future__ import annotations

import os

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
