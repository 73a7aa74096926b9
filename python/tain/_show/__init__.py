# SPDX-License-Identifier: Apache-2.0
"""Showing graphs of objects: as text, HTML, diagrams, and two graphs side by side.

Every walk here is a loop over an explicit list, so graphs of any depth can be shown.
"""

from __future__ import annotations

from tain._show.differences import Change, Diff, diff
from tain._show.dot import to_dot, to_svg
from tain._show.html import to_html
from tain._show.mermaid import to_mermaid
from tain._show.text import show, to_text

__all__ = [
    "Change",
    "Diff",
    "diff",
    "show",
    "to_dot",
    "to_html",
    "to_mermaid",
    "to_svg",
    "to_text",
]
