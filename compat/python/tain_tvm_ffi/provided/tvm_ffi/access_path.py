# SPDX-License-Identifier: Apache-2.0
"""Places inside of graphs."""

from tain import AccessPath, AccessStep

__all__ = ["AccessPath", "AccessStep"]
