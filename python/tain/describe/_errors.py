# SPDX-License-Identifier: Apache-2.0
"""The error of settings that are wrong."""

from __future__ import annotations

__all__ = ["SettingsError"]


class SettingsError(ValueError):
    """Settings that are wrong; the text names the file, the key and the pattern."""
