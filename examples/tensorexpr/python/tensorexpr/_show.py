# SPDX-License-Identifier: Apache-2.0
"""Programs in colours: on terminals, and in notebooks.

Pygments reads the text; without it, the text has no colours. What is no text, because it is too
deep or too long for one, a notebook shows as tain shows every object: as a tree.
"""

from __future__ import annotations

import os
import sys
from html import escape
from typing import Any

import tain

__all__ = ["repr_html", "show"]

# As much of a text as a notebook shows.
_LINES, _CHARACTERS = 1000, 100_000
# The kinds of tokens that have a colour, on a light page and on a dark one.
_COLORS = {
    "Keyword": ("#0a3d91", "#7fb2ff"),
    "Operator.Word": ("#0a3d91", "#7fb2ff"),
    "Name.Decorator": ("#8a2a8a", "#d79ad7"),
    "Name.Function": ("#0a6a74", "#6fc7d1"),
    "Literal.Number": ("#17662e", "#8fd39f"),
    "Literal.String": ("#a3441a", "#eba87a"),
    "Comment": ("#6b6b6b", "#9c9c9c"),
}


def _style() -> str:
    """Return the style; the theme of a notebook may differ from that of the system."""

    def colors(which: int) -> str:
        parts = [f"--c{k}:{pair[which]}" for k, pair in enumerate(_COLORS.values())]
        return ";".join(parts) + f";color:{('#1a1a1a', '#eaeaea')[which]}"

    name = ".tensorexpr-script"
    light, dark = colors(0), colors(1)
    return (
        f"{name}{{{light};background:transparent;text-align:left;white-space:pre;overflow-x:auto}}"
        f"@media(prefers-color-scheme:dark){{{name}{{{dark}}}}}"
        f"[data-jp-theme-light=true] {name},.vscode-light {name}{{{light}}}"
        f"[data-jp-theme-light=false] {name},.vscode-dark {name}{{{dark}}}"
        + "".join(f"{name} .c{k}{{color:var(--c{k})}}" for k in range(len(_COLORS)))
    )


def _shortened(text: str) -> tuple[str, str]:
    """Return what is shown of a text, and what is said of the rest."""
    lines = text.split("\n")
    shown = "\n".join(lines[:_LINES])
    if len(shown) > _CHARACTERS:
        return shown[:_CHARACTERS], f" ... {len(text) - _CHARACTERS} more characters"
    return shown, f"\n... {len(lines) - _LINES} more lines" if len(lines) > _LINES else ""


def _colored(text: str) -> str | None:
    """Return the text as HTML, its tokens in colours; None without Pygments."""
    try:
        from pygments.lexers import PythonLexer
        from pygments.token import string_to_tokentype
    except ImportError:
        return None
    kinds = [string_to_tokentype(name) for name in _COLORS]
    parts: list[str] = []
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        kind = next((k for k, one in enumerate(kinds) if token in one), None)
        parts.append(
            escape(value) if kind is None else f'<span class="c{kind}">{escape(value)}</span>'
        )
    return "".join(parts)


def repr_html(self: Any) -> str:
    """Return the program as text in colours, for Jupyter; `tain.to_html` returns the tree."""
    try:
        text = self.script()
    except (RecursionError, ValueError):
        return tain.to_html(self)
    shown, rest = _shortened(text)
    body = _colored(shown)
    if body is None:
        made = f"<pre>{escape(shown + rest)}</pre>"
    else:
        made = f'<style>{_style()}</style><pre class="tensorexpr-script">{body}{rest}</pre>'
    # References in place of other characters mean the same in every encoding of a page.
    return made.encode("ascii", "xmlcharrefreplace").decode()


def _has_colors(file: Any) -> bool:
    """Return whether a file is a terminal that shows colours, as `tain.show` finds out."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(file, "isatty", lambda: False)())


def show(self: Any, style: str | None = None, file: Any = None) -> None:
    """Print the program; in colours if it goes to a terminal and Pygments is installed.

    Parameters
    ----------
    style
        The name of a style of Pygments; with one, every file gets colours.
    file
        Where to print; None is `sys.stdout`.
    """
    out = sys.stdout if file is None else file
    text = self.script()
    if style is None and not _has_colors(out):
        print(text, file=out)
        return
    try:
        from pygments import highlight
        from pygments.formatters import Terminal256Formatter
        from pygments.lexers import PythonLexer
    except ImportError:
        print(text, file=out)
        return
    made = highlight(text, PythonLexer(), Terminal256Formatter(style=style or "default"))
    print(made, end="", file=out)
