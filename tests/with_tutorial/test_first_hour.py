# SPDX-License-Identifier: Apache-2.0
"""docs/first_hour.md from its first line to its last, as a reader follows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
from doc_blocks import ROOT, SHELL, blocks, printed

PAGE = ROOT / "docs" / "first_hour.md"
RUN_CELLS = Path(__file__).with_name("run_cells.py")
# What a command of the shell prints, as the page says.
SAYS = re.compile(r"^\S*python -c '.*'  # (.*)$", re.MULTILINE)


def script(folder: Path) -> tuple[str, list[str]]:
    """Return the page as a program of the shell, and what it prints; the cells go to files."""
    parts: list[str] = []
    expected: list[str] = []
    groups = groupby(blocks(PAGE), key=lambda block: block.language)
    for number, (language, found) in enumerate(groups):
        texts = [block.text for block in found]
        if language in SHELL:
            parts += texts
            expected += [line for text in texts for line in SAYS.findall(text)]
        else:
            assert language == "ipython"
            cells = folder / f"cells_{number}.json"
            cells.write_text(json.dumps(texts), encoding="utf-8")
            parts.append(f"python {RUN_CELLS} {cells}")
            expected += printed(PAGE)
    return "\n".join(parts), expected


@pytest.mark.timeout(1500)
def test_the_page_from_pip_install_to_a_wheel_elsewhere(tmp_path: Path) -> None:
    pattern = f"tain-*-cp3{sys.version_info[1]}-*.whl"
    (wheel,) = Path(os.environ["TAIN_WHEELS"]).resolve().glob(pattern)
    constraint = tmp_path / "constraint.txt"
    constraint.write_text(f"tain @ {wheel.as_uri()}\n")  # this one, whatever an index has
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV", "TAIN_CACHE_DIR")
    }
    env = {
        **kept,
        "PIP_CONSTRAINT": str(constraint),
        "PIP_FIND_LINKS": str(wheel.parent),
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "TAIN_CACHE_DIR": str(tmp_path / "cache"),
    }
    code, expected = script(tmp_path)
    assert len(expected) > 8
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", code],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    lines = iter(done.stdout.splitlines())
    for line in expected:  # in this order, between what pip and pytest print
        assert line in lines, f"{line!r} is not printed\n{done.stdout[-6000:]}"
