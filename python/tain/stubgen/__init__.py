# SPDX-License-Identifier: Apache-2.0
"""Writes stubs (``.pyi`` files) of the registered types and functions; see docs/stubs.md.

``python -m tain stubgen`` calls `write_stubs`; `package_stubs` and `namespace_stubs` return the
texts. Everything is read from the registry: nothing parses C++ or the texts of signatures.
"""

from __future__ import annotations

from tain.stubgen._files import write_stubs
from tain.stubgen._modules import namespace_stubs, package_stubs

__all__ = ["namespace_stubs", "package_stubs", "write_stubs"]
