# SPDX-License-Identifier: Apache-2.0
"""Exception classes by the names of their kinds."""

from tain import Error
from tain.registry import register_error

__all__ = ["Error", "register_error"]
