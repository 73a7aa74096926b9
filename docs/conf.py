# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings: the Markdown pages of the repository as a site.

    sphinx-build -W --keep-going -c docs . build/site

The sources are the pages as they stand in the repository, so that their links work in both places.
What only the site needs is added here: the table of contents, colours for cells of a notebook.
"""

from __future__ import annotations

import re
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
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *("docs/**.md", "examples/*/README.md"),
]
exclude_patterns = ["build", ".*", "python", "src", "include", "tests", "tools", "benchmarks"]
suppress_warnings: list[str] = []  # a page that gives a warning is mended
nitpicky = True
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
pygments_style = "friendly"
pygments_dark_style = "monokai"

# The table of contents; a page that stands in none gives a warning.
CONTENTS = {
    "Begin": ["first_hour"],
    "Use types": [
        *("importing", "subclassing", "objects", "data", "showing", "graphs", "structural"),
        *("saving", "keys", "processes", "tensors", "conversions", "modules"),
    ],
    "Write types": [
        *("writing_types", "iteration", "exceptions", "threads", "flags", "types_in_python"),
        *("foreign_classes", "arrays", "reflection", "compiling", "notebooks", "projects", "stubs"),
        *("development_loop", "debugging", "other_libraries"),
    ],
    "Come from elsewhere": [
        *("from_nanobind", "from_pybind11", "from_tvm_ffi", "porting", "source_documents"),
    ],
    "Look up": ["reference", "messages", "performance", "matrix", "/README", "/CHANGELOG"],
    "Examples": ["/examples/*/README"],
    "Contribute": ["/CONTRIBUTING", "/ARCHITECTURE", "contributing/*"],
}


def _table_of_contents() -> str:
    parts = []
    for caption, pages in CONTENTS.items():
        listed = "\n".join(pages)
        glob = ":glob:\n" if "*" in listed else ""
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n{glob}\n{listed}\n```\n")
    return "\n".join(parts)


def _link_of_folder(found: re.Match[str]) -> str:
    page = f"{found[1]}/README.md"
    return f"]({page})" if (ROOT / page).is_file() else found[0]


def for_the_site(app: Sphinx, name: str, source: list[str]) -> None:
    """Change the text of a page when it is read."""
    if name == root_doc:
        source[0] += "\n" + _table_of_contents()
    elif name == "README":  # where a repository shows a folder, the site shows its README
        source[0] = re.sub(r"\]\((examples/\w+)\)", _link_of_folder, source[0])


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
