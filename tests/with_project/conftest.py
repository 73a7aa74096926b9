# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without TAIN_WHEELS, the folder of a wheel of tain."""

from __future__ import annotations

import os

collect_ignore = [] if os.environ.get("TAIN_WHEELS") else ["test_new_project.py"]
