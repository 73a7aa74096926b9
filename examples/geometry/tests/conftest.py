# SPDX-License-Identifier: Apache-2.0
"""Which tests belong to a run."""

import importlib.metadata

# examples/geometry_auto, the same package without a list of members, has no stub.
IS_AUTO = "without a list" in importlib.metadata.metadata("geometry")["Summary"]
collect_ignore = ["test_stub.py"] if IS_AUTO else []
