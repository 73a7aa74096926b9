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


def test_the_readme_shows_install_write_import_subclass() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 150
    languages = [block.language for block in blocks(ROOT / "README.md")]
    assert languages == ["sh", "cpp", "python", "python"]
    source = blocks(ROOT / "README.md")[1].text
    assert len(source.splitlines()) <= 26
    assert re.findall(r"__create__|def_init\w*", source) == ["def_init"] * 2  # one spelling


def test_the_table_of_the_readme_has_ten_rows() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("<!-- table -->")[2].partition("<!-- end -->")[0].strip()
    heads, _, *rows = [line.split("|")[1:-1] for line in table.splitlines()]
    assert [cell.strip() for cell in heads] == [
        "",
        "tain",
        "nanobind",
        "pybind11",
        "apache-tvm-ffi",
    ]
    assert [len(row) for row in rows] == [5] * 10


def test_minus_signs_of_tain_say_why() -> None:
    text = (ROOT / "docs" / "why.md").read_text(encoding="utf-8")
    table = text.partition("## Twenty rows")[2].partition("|---|---|---|---|---|\n")[2]
    rows = [line.split("|")[1:-1] for line in table.partition("\n\n")[0].splitlines()]
    assert len(rows) == 20
    for row in rows:
        sign, _, why = row[1].strip().partition(" ")
        assert sign in ("+", "\N{PLUS-MINUS SIGN}", "\N{MINUS SIGN}"), row
        assert sign == "+" or why, row


# The first page, and those that are looked up.
# That of describing.md needs libclang: tests/with_describe runs the command.
WITHOUT_EXAMPLE = ["index.md", "glossary.md", "describing.md"]


@pytest.mark.parametrize(
    "page", [page for page in GUIDES if page.name not in WITHOUT_EXAMPLE], ids=name
)
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
