# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without TAIN_WHEELS: the folder of the wheel that is tested.

They install packages of others, such as JupyterLab, into environments of their own.
"""

from __future__ import annotations

import os

collect_ignore = [] if os.environ.get("TAIN_WHEELS") else ["test_first_hour.py"]
