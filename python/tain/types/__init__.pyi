# SPDX-License-Identifier: Apache-2.0
"""What type checkers may know of the namespaces: any name, until a stub says more."""

from typing import Any

def __getattr__(name: str) -> Any: ...
