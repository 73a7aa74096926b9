# SPDX-License-Identifier: Apache-2.0
"""The containers."""

from tain import Array, Dict, List, Map

from .core import MISSING

__all__ = ["MISSING", "Array", "Dict", "List", "Map"]
