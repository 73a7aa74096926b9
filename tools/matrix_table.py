#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the table of the matrix, and write it to its page.

Usage: matrix_table.py RESULTS PAGE

RESULTS has one line for each row of the matrix, its fields separated by tabs: Python, compiler,
sanitizer, the result (`ok` if it passed), the path of the log. The page keeps its entry for a
row that did not pass. The page is written only if all changes are committed.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HEAD = "| Python | compiler | sanitizer | tested with | tests | passed on | commit |"
NEVER = "never"


class Row(NamedTuple):
    """One row: with which versions, when, and on which commit it last passed."""

    python: str
    compiler: str
    sanitizer: str
    versions: str = ""
    tests: str = ""
    day: str = NEVER
    commit: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """The Python, compiler and sanitizer of the row."""
        return self[:3]

    def __str__(self) -> str:
        return f"| {' | '.join(self)} |".replace("|  |", "| |").replace("|  |", "| |")


def git(*arguments: str) -> str:
    """Run git and return its output."""
    command = ["git", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def read_page(page: Path) -> dict[tuple[str, str, str], Row]:
    """Return the rows of the existing page, by key."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and line != HEAD and len(cells) == len(Row._fields):
            rows[Row(*cells).key] = Row(*cells)
    return rows


def read_log(log: Path) -> tuple[str, str]:
    """Return the versions that a log names, and the number of tests that passed."""
    text = log.read_text(encoding="utf-8", errors="replace")
    versions = re.findall(r"^tested with: (.*)$", text, re.MULTILINE)
    counts = re.findall(r"(\d+) passed.* in [\d.]+s", text)
    if not counts:
        counts = re.findall(r"0 tests failed out of (\d+)", text)
    return versions[-1] if versions else "", counts[-1] if counts else ""


def read_results(results: Path, known: dict[tuple[str, str, str], Row]) -> list[Row]:
    """Return all rows of the matrix: the new ones that passed, and the known ones otherwise."""
    today = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
    commit = git("rev-parse", "--short=10", "HEAD")
    rows = []
    for line in results.read_text(encoding="utf-8").splitlines():
        python, compiler, sanitizer, result, log = line.split("\t")
        row = Row(python, compiler, sanitizer)
        if result == "ok":
            rows.append(
                row._replace(day=today, commit=commit)._replace(
                    **dict(zip(("versions", "tests"), read_log(Path(log)), strict=True))
                )
            )
        else:
            rows.append(known.get(row.key, row))
    return rows


def table(rows: list[Row]) -> str:
    """Return the table as text, after a sentence that sums it up."""
    if any(row.day == NEVER for row in rows):
        whole = "Not all rows have passed yet."
    elif len({row.commit for row in rows}) == 1:
        whole = f"All rows last passed on {rows[0].day}, on commit {rows[0].commit}."
    else:
        whole = "The rows last passed on different commits."
    rule = "|" + "---|" * len(Row._fields)
    return "\n".join([whole, "", HEAD, rule, *map(str, rows)]) + "\n"


PAGE = """# Matrix

```python
import sys
import tain

print(sys.version_info >= (3, 10), tain.testing.echo(1))  # True 1
```

Each row is the last run of the whole test suite, without a skipped test, that passed with these
versions, and the commit that was tested. `tools/matrix.sh` makes this page. The newest compilers
are those of Debian unstable.

{}
`.ci/run` tests a part of the matrix on every change: the whole suite with Python 3.11 and g++; the
suite without the slow tests with Python 3.10 and with Python 3.15 and the newest g++; the C++ tests
and those of bad input under AddressSanitizer; the C++ tests under UndefinedBehaviorSanitizer, by
Clang; stress tests and a part of the suite with a CPython 3.13 without a GIL, if there is time.
The row of the free-threaded CPython above was run with the GIL on.

## What the matrix does not cover

- Systems other than Linux, and processors other than x86-64. The C++ tests of the core also pass
  for AArch64 under qemu-user, and the core compiles with MinGW-w64, each tried by hand:
  [wheels](contributing/wheels.md).
- Python implementations other than CPython, and CPython without a GIL.
"""


def main() -> None:
    results, page = map(Path, sys.argv[1:])
    rows = read_results(results, read_page(page))
    text = table(rows)
    print(f"\n{text}")
    if git("status", "--porcelain", "--untracked-files=no", "--", ":!" + str(page)):
        print(f"{page} is left as it is: there are changes that are not committed")
        return
    page.write_text(PAGE.format(text), encoding="utf-8")


if __name__ == "__main__":
    main()
