# SPDX-License-Identifier: Apache-2.0
"""Every code block of README and docs is executed, and what it says it prints is compared.

All blocks of a page make one program, run in an empty folder. A C++ block is the file that its
first line names; a text block is a drawing. A block with the mark c++26 after its language needs
static reflection: the page is run by tests/with_reflection. A TOML, CMake or Python block whose
first line names a file of the repository is an excerpt of it. Shell blocks run between the Python
blocks; what installs tain is run by .ci/run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Those for users: each begins with an example.
GUIDES = [page for page in PAGES[1:] if page.parent.name == "docs"]

SHELL = ("sh", "bash")
DRAWING = "text"

_BLOCK = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_REFLECTION = re.compile(r"^```\w+ c\+\+26$", re.MULTILINE)
_FILE = re.compile(r"^(?://|#) ([\w./-]+\.\w+)\n")
_PRINTED = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, its text, and the file that its first line names."""

    language: str
    text: str
    file: str | None


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page."""
    return [
        Block(language, text, named[1] if (named := _FILE.match(text)) else None)
        for language, text in _BLOCK.findall(page.read_text(encoding="utf-8"))
    ]


def excerpts(page: Path) -> list[Block]:
    """Return the blocks that stand in a file of the repository too."""
    return [block for block in blocks(page) if block.file and (ROOT / block.file).is_file()]


def is_run_elsewhere(block: Block) -> bool:
    """Whether a shell block installs or measures something."""
    return block.language in SHELL and ("pip install" in block.text or "benchmarks/" in block.text)


def program(page: Path, folder: Path) -> str:
    """Write the files of a page to a folder, and return its program."""
    parts = []
    for block in blocks(page):
        if block in excerpts(page) or is_run_elsewhere(block) or block.language == DRAWING:
            continue
        if block.language == "cpp":
            assert block.file, f"a C++ block without a file name:\n{block.text}"
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            parts.append(block.text)
        elif block.language in SHELL:
            parts.append(
                f"__import__('subprocess').run(['bash', '-ec', {block.text!r}], check=True)\n"
            )
        else:
            pytest.fail(f"a block that nothing runs: ```{block.language}\n{block.text}")
    return "\n".join(parts)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def needs_reflection(page: Path) -> bool:
    """Whether a block of the page has the mark c++26."""
    return bool(_REFLECTION.search(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [page for page in PAGES if not needs_reflection(page)], ids=name)
def test_every_block_runs(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def run_page(page: Path, tmp_path: Path) -> None:
    """Run the program of a page, and compare what it prints."""
    code = program(page, tmp_path)
    environment = {**os.environ}
    # The interpreter's own programs first, as in an activated environment.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment.setdefault("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{result.stderr}\nof the program\n{code}"
    assert result.stdout.splitlines() == _PRINTED.findall(code)


@pytest.mark.parametrize("page", [page for page in PAGES if excerpts(page)], ids=name)
def test_excerpts_are_what_the_file_says(page: Path) -> None:
    for block in excerpts(page):
        assert block.file
        first = block.text.partition("\n")[2]
        assert first in (ROOT / block.file).read_text(encoding="utf-8"), block.file


def test_ci_runs_the_commands_of_the_readme() -> None:
    commands = [
        line
        for block in blocks(ROOT / "README.md")
        if is_run_elsewhere(block)
        for line in block.text.splitlines()
    ]
    assert commands == [
        "pip install . && python examples/pyast/run.py",
        'pip install ".[test]" && pytest',
    ]
    script = (ROOT / ".ci" / "run").read_text()
    for command in commands:
        for part in command.split(" && "):
            assert part in script


def test_the_readme_shows_import_subclass_write() -> None:
    languages = [block.language for block in blocks(ROOT / "README.md")]
    assert languages == ["python", "python", "cpp", "sh"]
    _, _, source, _ = blocks(ROOT / "README.md")
    first = "\n".join(source.text.splitlines()[:15])
    assert re.search(r'\.def_ro\("x", &\w+::x', first)
    assert re.search(r'\.def_static\("__create__", .*\n? *tain::arg\("x"\)', first)


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_pages_begin_with_an_example_and_end_with_limits(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.match(r"# [^\n]+\n\n```(python|cpp|sh|bash)( c\+\+26)?\n", text)
    last = text.rpartition("\n## ")[2] if "\n## " in text else text.rpartition("\n\n")[2]
    assert re.match(r"What [\w ]+ does not ", last)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_within_the_repository(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", page.read_text(encoding="utf-8")))
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name(page)}: {target}"
