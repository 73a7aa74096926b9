# SPDX-License-Identifier: Apache-2.0
"""A graph as a diagram of Mermaid, which many pages and editors draw."""

from __future__ import annotations

import re
from typing import Any

from tain._show.boxes import BOXES, boxes_of
from tain._show.rows import checked_limit
from tain._tracebacks import ends_at_caller

__all__ = ["to_mermaid"]

# All that may have a meaning in a quoted label is written as a number.
_SPECIAL = re.compile(r"[^\w .,:=+/()\[\]'-]")


@ends_at_caller
def to_mermaid(obj: Any, *, limit: int | None = BOXES) -> str:
    """Return a graph as a flowchart in the language of Mermaid.

    Each object is one box, however often it is met; arrows have the names of fields, indices and
    keys.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of boxes; see `to_dot`.

    Raises
    ------
    TypeError
        `limit` is not an int.
    ValueError
        `limit` is less than 1.
    """
    lines = ["flowchart TD"]
    boxes = boxes_of(obj, checked_limit("to_mermaid", "limit", limit, 1))
    for box in boxes:
        text = "<br>".join(_quoted(line) for line in [box.name, *box.lines])
        lines.append(f'  n{box.number}["{text}"]')
    for box in boxes:
        for label, target in box.arrows:
            lines.append(f'  n{box.number} -->|"{_quoted(label)}"| n{target.number}')
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", text)
