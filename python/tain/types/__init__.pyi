# SPDX-License-Identifier: Apache-2.0
"""For type checkers: every name in `tain.types` has the type `Any`."""

from typing import Any

def __getattr__(name: str) -> Any: ...
