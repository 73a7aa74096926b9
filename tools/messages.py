# SPDX-License-Identifier: Apache-2.0
"""Write docs/messages.md: the messages that users see, from tests/python/helpers/messages.py.

Usage: ``python tools/messages.py [--check]``, with tain installed. ``--check`` compares and writes
nothing.
"""

from __future__ import annotations

import argparse
import html
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "messages.md"
sys.path.insert(0, str(ROOT / "tests" / "python" / "helpers"))

from messages import MESSAGES  # noqa: E402

HEAD = """\
# Messages

```python
import tain
from tain.types.testing import Point

try:
    Point(1, yy=2)
except TypeError as error:
    print(error)  # testing.Point() got an unexpected keyword argument 'yy'. Did you mean 'y'?
```

What tain's messages mean and what to do about each. A test raises all of them and compares the
whole text. The lower-case names in the examples are functions of the bundled testing library, such
as `tain.get_global_func("testing.add_one")`.

Conversion errors have one form: `where: expected X, got Y (value)`. `where` names the function,
type or field, and the place inside the value if only a part of it is wrong. A TypeError says that
the type is wrong, an OverflowError that a number is out of range.
"""

TAIL = """\
## What it does not do

It does not list messages of Python itself, such as those of `dataclasses`, or messages that the
authors of C++ code write. The texts may change from one version to the next; programs should look
at the class of an exception.
"""


def code(text: str) -> str:
    """Return text as code in a cell of a table."""
    lines = (html.escape(line, quote=False).replace("|", "&#124;") for line in text.splitlines())
    return "<code>" + "<br>".join(line.replace("  ", "&nbsp; ") for line in lines) + "</code>"


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD]
    for title, group in MESSAGES.items():
        rows = [f"## {title}", "", "| code | message | what to do |", "|---|---|---|"]
        rows += [
            f"| {code(row.code)} | {code(f'{row.error.__name__}: {row.text}')} | {row.advice} |"
            for row in group
        ]
        parts.append("\n".join(rows) + "\n")
    return "\n".join([*parts, TAIL])


def main() -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    if not parser.parse_args().check:
        TARGET.write_text(page(), encoding="utf-8")
        return 0
    if TARGET.read_text(encoding="utf-8") == page():
        return 0
    print("docs/messages.md is not what tools/messages.py writes", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
