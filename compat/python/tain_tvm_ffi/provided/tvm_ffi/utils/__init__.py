# SPDX-License-Identifier: Apache-2.0
"""Helpers: locks between processes, functions with keywords, dataclasses as tuples."""

from . import kwargs_wrapper
from .lockfile import FileLock

__all__ = ["FileLock", "kwargs_wrapper"]
