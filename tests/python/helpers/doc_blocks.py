# SPDX-License-Identifier: Apache-2.0
"""The code blocks of README and docs, and the program that the blocks of a page make.

All blocks of a page make one program, run in an empty folder. A C++ block is the file that its
first line names; a text block is a drawing. An IPython block is a cell of a notebook. A TOML,
CMake or Python block whose first line names a file of the repository is an excerpt of it. Shell
blocks run between the Python blocks; what installs tain is run by .ci/run.

A block of another library says so after its language: "```cpp nanobind". These stand in the left
columns of pages, and make programs of their own. So do blocks with the mark c++26, which need
static reflection.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Those for users: each begins with an example.
GUIDES = [page for page in PAGES[1:] if page.parent.name == "docs"]

SHELL = ("sh", "bash")
DRAWING = "text"

FENCED = re.compile(r"^```(\S*)(?: ([\w+]+))?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^(?://|#) ([\w./-]+\.\w+)\n")
_PRINTED = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)

# Runs a cell in the program's own namespace; an error in it is one of the program.
_CELLS = """
def _cell(text):
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config
    config = Config(HistoryManager={"enabled": False})
    shell = InteractiveShell.instance(user_ns=globals(), config=config)
    shell.run_cell(text).raise_error()
"""


class Block(NamedTuple):
    """A fenced block: language, library, text, and the file that its first line names."""

    language: str
    library: str  # "" is tain
    text: str
    file: str | None


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page."""
    return [
        Block(language, library, text, named[1] if (named := _FILE.match(text)) else None)
        for language, library, text in FENCED.findall(page.read_text(encoding="utf-8"))
    ]


def excerpts(page: Path) -> list[Block]:
    """Return the blocks that stand in a file of the repository too."""
    return [block for block in blocks(page) if block.file and (ROOT / block.file).is_file()]


def is_run_elsewhere(block: Block) -> bool:
    """Whether a shell block installs or measures something."""
    return block.language in SHELL and ("pip install" in block.text or "benchmarks/" in block.text)


def program(page: Path, folder: Path, library: str = "") -> str:
    """Write the files of a page to a folder, and return the program of a library's blocks."""
    parts = [_CELLS]
    for block in blocks(page):
        if block in excerpts(page) or is_run_elsewhere(block) or block.language == DRAWING:
            continue
        if block.library != library:
            continue
        if block.language == "cpp":
            assert block.file, f"a C++ block without a file name:\n{block.text}"
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            parts.append(block.text)
        elif block.language == "ipython":
            parts.append(f"_cell({block.text!r})\n")
        elif block.language in SHELL:
            parts.append(
                f"__import__('subprocess').run(['bash', '-ec', {block.text!r}], check=True)\n"
            )
        else:
            raise ValueError(f"a block that nothing runs: ```{block.language}\n{block.text}")
    return "\n".join(parts)


def printed(page: Path, library: str = "") -> list[str]:
    """Return the lines that the program of a page prints, as the page says."""
    known = excerpts(page)
    return [
        line
        for block in blocks(page)
        if block.language in ("python", "ipython") and block.library == library
        if block not in known
        for line in _PRINTED.findall(block.text)
    ]


def run(code: str, folder: Path) -> list[str]:
    """Run a program in a folder, warnings being errors; return the lines that it prints."""
    environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
    # The interpreter's own programs first, as in an activated environment.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment.setdefault("TAIN_CACHE_DIR", str(folder / "cache"))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{result.stdout}{result.stderr}\nof the program\n{code}"
    return result.stdout.splitlines()
