# SPDX-License-Identifier: Apache-2.0
"""Whether the tests run under AddressSanitizer, which python itself was not built for."""

from __future__ import annotations

import os

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")

# For tools that do not run under it, such as GNU make.
PLAIN_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
