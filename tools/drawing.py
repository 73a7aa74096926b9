# SPDX-License-Identifier: Apache-2.0
"""Pictures as SVG, in light and dark: the colours of the project, and text in columns.

Used by tools/picture.py and benchmarks/chart.py. A picture is drawn twice, once for each palette;
nothing in it depends on the machine, so that a test can compare it.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "_static"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Palette:
    """Colours by what they are for."""

    name: str
    back: str
    panel: str
    edge: str
    text: str
    faint: str
    brand: str  # also in docs/conf.py and site.css
    keyword: str
    string: str
    type: str
    number: str
    comment: str
    error: str
    others: tuple[str, str, str]  # three that also the colour-blind tell apart


LIGHT = Palette(
    *("light", "#ffffff", "#f6f8fa", "#d0d7de", "#1f2328", "#656d76", "#0b6e83"),
    *("#a3297a", "#8a4b08", "#0b6e83", "#4c51bf", "#6e7781", "#c0271d"),
    others=("#0072b2", "#8a6d00", "#b5491b"),
)
DARK = Palette(
    *("dark", "#0d1117", "#161b22", "#30363d", "#e6edf3", "#8d96a0", "#58c4d8"),
    *("#ff9bd0", "#f2b880", "#7fd6e6", "#a5b4fc", "#8b949e", "#ff8a80"),
    others=("#6cb6ff", "#d8c25a", "#f0905c"),
)
PALETTES = (LIGHT, DARK)

Piece = tuple[str, str]  # text and its colour


@dataclass
class Drawing:
    """A picture that grows: boxes, lines and text."""

    width: int
    height: int
    palette: Palette
    title: str  # what a screen reader says
    parts: list[str] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, **style: object) -> None:
        """Draw a rectangle."""
        self._tag("rect", x=x, y=y, width=width, height=height, **style)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: object) -> None:
        """Draw a line."""
        self._tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **style)

    def _tag(self, tag: str, **attributes: object) -> None:
        text = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        self.parts.append(f"<{tag} {text}/>")

    def label(self, x: float, y: float, text: str, colour: str, **style: object) -> None:
        """Write a text of one colour, in the font of prose."""
        known = {"font_size": 13, "font_family": SANS, **style}
        given = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in known.items())
        escaped = html.escape(text, quote=False)
        self.parts.append(f'<text x="{x}" y="{y}" fill="{colour}" {given}>{escaped}</text>')

    def code(self, x: float, y: float, pieces: Iterable[Piece], size: float = 13) -> None:
        """Write a line of code; a character is as wide as in every other font of fixed width."""
        pieces = [(text, colour) for text, colour in pieces if text]
        length = sum(len(text) for text, _ in pieces)
        if not length:
            return
        spans = "".join(
            f'<tspan fill="{colour}">{html.escape(text, quote=False)}</tspan>'
            for text, colour in pieces
        )
        self.parts.append(
            f'<text x="{x}" y="{y}" xml:space="preserve" font-family="{MONO}" font-size="{size}" '
            f'textLength="{length * size * 0.602:.1f}" lengthAdjust="spacingAndGlyphs">'
            f"{spans}</text>"
        )

    def text(self) -> str:
        """Return the picture."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img">',
                f"<title>{html.escape(self.title, quote=False)}</title>",
                *self.parts,
                "</svg>\n",
            ]
        )


def write(name: str, texts: dict[str, str], check: bool) -> list[str]:
    """Write a picture for each palette, or only compare; return what is not as it must be."""
    stale = []
    for palette, text in texts.items():
        path = FOLDER / f"{name}_{palette}.svg"
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(f"docs/_static/{path.name} is out of date")
    return stale
