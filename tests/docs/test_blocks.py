# SPDX-License-Identifier: Apache-2.0
"""Every code block of README and docs is executed, and what it says it prints is compared.

The helper `doc_blocks` says how. The blocks of other libraries are run by tests/with_site,
those of C++26 by tests/with_reflection.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_blocks import (
    FENCED,
    GUIDES,
    PAGES,
    ROOT,
    blocks,
    excerpts,
    is_run_elsewhere,
    printed,
    program,
    run,
)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_runs(page: Path, tmp_path: Path) -> None:
    assert run(program(page, tmp_path), tmp_path) == printed(page)


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
    columns = r'(<div class="columns">\n\n)?'
    assert re.match(rf"# [^\n]+\n\n{columns}```(ipython|python|cpp|sh|bash)\b", text)
    last = text.rpartition("\n## ")[2] if "\n## " in text else text.rpartition("\n\n")[2]
    assert re.match(r"What [\w ]+ does not ", last)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_within_the_repository(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", page.read_text(encoding="utf-8")))
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name(page)}: {target}"
