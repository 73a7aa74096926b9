# SPDX-License-Identifier: Apache-2.0
"""Docstrings in numpy's form, and comments of headers, as Markdown for the reference."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_LISTS = ("Parameters", "Returns", "Yields", "Raises", "Attributes", "Other Parameters")


def inline(text: str) -> str:
    """Return a paragraph on one line; what looks like a tag outside of code is escaped."""
    words = " ".join(text.replace("``", "`").split())
    code = re.split(r"(`[^`]*`)", words)
    return "".join(part if part[:1] == "`" else part.replace("<", "&lt;") for part in code)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.lstrip().startswith((">>>", "...")):
            yield f"```text\n{textwrap.dedent(paragraph).strip()}\n```"
        elif re.match(r"\s*(-|\d+\.) ", paragraph):
            yield textwrap.dedent(paragraph).replace("``", "`").replace("<", "&lt;").strip()
        elif paragraph.strip():
            yield inline(paragraph.removesuffix("::"))


def _items(text: str) -> Iterator[str]:
    """Yield the entries of a section: lines at the margin, each with what is indented below it."""
    for head, body in re.findall(r"^(\S[^\n]*)\n((?:[ \t]+[^\n]*\n?|\n)*)", text + "\n", re.M):
        name, _, kind = head.partition(" : ")
        shown = f"- `{name}`" + (f" (`{kind}`)" if kind else "")
        yield shown + (f": {inline(body)}" if body.strip() else "")


def markdown(doc: str) -> str:
    """Return a docstring as Markdown."""
    first, *sections = _SECTION.split(inspect.cleandoc(doc) + "\n")
    parts = list(_paragraphs(first))
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        if title in _LISTS:
            parts += [f"**{title}**", "\n".join(_items(body.strip("\n")))]
        elif title == "Examples":
            parts += [f"```text\n{body.strip()}\n```"]
        else:
            parts += [f"**{title}**", *_paragraphs(body)]
    return "\n\n".join(part for part in parts if part)
