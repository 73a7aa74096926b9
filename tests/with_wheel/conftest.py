# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without TAIN_WHEELS, the folder of a wheel and the sources."""

from __future__ import annotations

import os

_FILES = ["test_cibuildwheel.py", "test_sdist.py", "test_wheel.py"]
collect_ignore = [] if os.environ.get("TAIN_WHEELS") else _FILES
