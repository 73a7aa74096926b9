# SPDX-License-Identifier: Apache-2.0
"""One idea per file: past 600 lines it holds more than one."""

from __future__ import annotations

from lint_sources import CPP, files, relative, text

LIMIT = 600
FOLDERS = ("include", "src", "python", "tests", "examples", "benchmarks", "tools")


def test_no_file_is_longer_than_the_limit() -> None:
    sizes = {path: text(path).count("\n") for path in files(*FOLDERS, suffixes=(*CPP, ".py"))}
    assert sizes
    long = [f"{relative(path)}: {size} lines" for path, size in sizes.items() if size > LIMIT]
    assert not long, "\n".join([f"expected at most {LIMIT} lines:", *long])
