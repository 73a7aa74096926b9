# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings: the Markdown pages of the repository as a site.

    sphinx-build -W --keep-going -c docs . build/site

The sources are the pages as they stand in the repository, so that their links work in both places.
What only the site needs is added here: the table of contents, pictures in the scheme that a reader
chose, colours for cells of a notebook.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Keyword, Name, String, Whitespace

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent

_VERSION = re.search(
    r'#define TAIN_VERSION "([^"]+)"', (ROOT / "include/tain/version.h").read_text()
)
assert _VERSION is not None

project = "tain"
author = "the authors of tain"
version = release = _VERSION[1]
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    *("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *("docs/**.md", "examples/*/README.md"),
]
exclude_patterns = ["build", ".*", "python", "src", "include", "tests", "tools", "benchmarks"]
suppress_warnings: list[str] = []  # a page that gives a warning is mended
nitpicky = True
smartquotes = False  # a message that a reader searches has straight ones
myst_heading_anchors = 3  # as repositories show Markdown

html_theme = "furo"
html_title = f"tain {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_additional_pages = {"index": "to_docs.html"}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_logo = "_static/mark.svg"
html_favicon = "_static/mark.svg"
html_theme_options = {  # the colours of tools/drawing.py
    "light_css_variables": {
        "color-brand-primary": "#0b6e83",
        "color-brand-content": "#0b6e83",
        "color-brand-visited": "#4c51bf",
    },
    "dark_css_variables": {
        "color-brand-primary": "#58c4d8",
        "color-brand-content": "#58c4d8",
        "color-brand-visited": "#a5b4fc",
    },
}
pygments_style = "friendly"
pygments_dark_style = "monokai"


# The table of contents: the groups of pages, authors of types first. A page that stands in none
# gives a warning.
CONTENTS = {
    "Tutorial": ["installing", "first_hour", "projects"],
    "How to: write types": [
        *("writing_types", "iteration", "exceptions", "arrays", "threads", "types_in_python"),
        *("development_loop", "debugging"),
        *("compiling", "notebooks", "stubs", "sphinx", "cookbook", "publishing"),
    ],
    "How to: wrap a library": [
        *("foreign_classes", "keep_alive", "reflection", "describing"),
        *("from_nanobind", "from_pybind11", "from_others"),
        *("from_tvm_ffi", "porting", "other_libraries"),
    ],
    "How to: use types": [
        *("importing", "subclassing", "objects", "data", "showing", "graphs", "structural"),
        *("saving", "processes", "tensors", "modules"),
    ],
    "Explanation": ["why", "performance", "keys", "conversions", "compatibility"],
    "Reference": [
        *("reference", "flags", "messages", "glossary", "platforms", "matrix"),
        *("source_documents", "/CHANGELOG"),
    ],
    "Examples": ["gallery", "/examples/*/README"],
    "Contribute": ["/CONTRIBUTING", "/ARCHITECTURE", "contributing/*"],
}


def _toctree(caption: str, pages: list[str]) -> str:
    listed = "\n".join(pages)
    options = (f":caption: {caption}\n" if caption else "") + (":glob:\n" if "*" in listed else "")
    return f"```{{toctree}}\n:hidden:\n{options}\n{listed}\n```\n"


def _table_of_contents() -> str:
    return "\n".join(_toctree(caption, pages) for caption, pages in CONTENTS.items())


def _table_of_readme() -> str:
    """Return the table that README and the first page share."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("<!-- table -->\n")[2].partition("<!-- end -->")[0]
    assert table
    return table.replace("](docs/", "](")


def _in_both_schemes(name: str) -> Callable[[re.Match[str]], str]:
    """Return what shows a picture in the scheme of the theme, which a reader may choose."""
    up = "../" * name.count("/")

    def images(found: re.Match[str]) -> str:
        file, alt = found[2], " ".join(found[1].split())
        shown = "".join(
            f'<img class="only-{scheme}" alt="{alt}" src="{up}_static/{file}_{scheme}.svg">\n'
            for scheme in ("light", "dark")
        )
        return f'<div class="picture">\n{shown}</div>\n'

    return images


_PICTURE = re.compile(r'<picture>.*?alt="([^"]*)".*?_static/(\w+)_light\.svg.*?</picture>\n', re.S)
_README_TABLE = re.compile(r"<!-- the table of README.md: -->\n[^\n]*\n")


def for_the_site(app: Sphinx, name: str, source: list[str]) -> None:
    """Change the text of a page when it is read."""
    text = _PICTURE.sub(_in_both_schemes(name), source[0])
    if name == root_doc:
        text = _README_TABLE.sub(lambda _: _table_of_readme(), text)
        text += "\n" + _table_of_contents()
    elif name == "docs/reference":
        text += "\n" + _toctree("", ["reference/python*", "reference/registry", "reference/cpp*"])
    source[0] = text


class CellLexer(RegexLexer):
    """Cells of IPython: with the magic ``%%tain`` C++, else Python with magics on lines."""

    name = "IPython cell"
    aliases = ("ipython",)
    tokens = {
        "root": [
            (
                r"(%%tain)([^\n]*)(\n)((?:.|\n)*)",
                bygroups(Keyword.Namespace, String, Whitespace, using(CppLexer)),
            ),
            (r"(%\w+)([^\n]*)(\n)", bygroups(Keyword.Namespace, Name, Whitespace)),
            (r"[^\n]*\n", using(PythonLexer)),
        ]
    }


def setup(app: Sphinx) -> None:
    """Add what the pages need; Sphinx calls it."""
    app.connect("source-read", for_the_site)
    app.add_lexer("ipython", CellLexer)
