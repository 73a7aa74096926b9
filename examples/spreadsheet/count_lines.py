# SPDX-License-Identifier: Apache-2.0
"""Counts the lines that each engine had to write for each feature, and prints the README's table.

A comment such as `// [operators]` says which feature the lines after it are for, until the next
such comment. Blank lines, comments and docstrings of one line do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
FEATURES = [
    "classes",
    "methods",
    "operators",
    "iteration",
    "enums",
    "exceptions",
    "conversions",
    "subclass overrides",
    "abstract methods",
    "module",
    "fields by name",
    "repr",
    "comparison and hash",
    "pickling and copying",
    "structural comparison",
    "saving as JSON",
    "collection of cycles",
    "stubs",
]
FILES = {
    "tain": ["src/address.h", "src/types.cc", "spreadsheet.py"],
    "nanobind": [
        "nanobind/casters.h",
        "nanobind/types.cc",
        "nanobind/CMakeLists.txt",
        "nanobind/spreadsheet_nb/__init__.py",
        "nanobind/spreadsheet_nb/errors.py",
        "nanobind/spreadsheet_nb/protocols.py",
    ],
}
# Lines for Python within the classes of the engine itself.
WITHIN = {
    "tain": {
        r"TAIN_OBJECT\(": "classes",
        r"TAIN_VIRTUAL\(|virtual ~": "subclass overrides",
        r"TAIN_ABSTRACT\(": "abstract methods",
    },
    "nanobind": {r"nb::intrusive_base \{": "classes"},
}
CLASSES = {
    "tain": ["src/nodes.h", "src/sheet.h"],
    "nanobind": ["nanobind/nodes.h", "nanobind/sheet.h"],
}
# What an engine does not have.
MISSING: dict[str, set[str]] = {"tain": set(), "nanobind": {"abstract methods"}}
MARK = re.compile(r"\s*(?://|#) \[(.+)\]$")
NOT_CODE = re.compile(r'\s*(//|#(?!include)|"""|$)')


def count(engine: str) -> Counter[str]:
    """Return the lines of each feature."""
    lines: Counter[str] = Counter()
    for name in FILES[engine]:
        feature = None
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            if found := MARK.match(line):
                feature = found[1]
                if feature not in FEATURES:
                    raise ValueError(f"{name}: the feature {feature!r} is not in FEATURES")
            elif feature is not None and not NOT_CODE.match(line):
                lines[feature] += 1
    for name in CLASSES[engine]:
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            for pattern, feature in WITHIN[engine].items():
                lines[feature] += bool(re.search(pattern, line))
    return lines


def table() -> str:
    """Return the table in Markdown."""
    counts = {engine: count(engine) for engine in FILES}
    rows = [f"| lines for Python | {' | '.join(FILES)} |", "|---|" + "--:|" * len(FILES)]
    for feature in FEATURES:
        cells = [
            "missing" if feature in MISSING[engine] else str(counts[engine][feature])
            for engine in FILES
        ]
        rows.append(f"| {feature} | {' | '.join(cells)} |")
    sums = [str(sum(counts[engine].values())) for engine in FILES]
    rows.append(f"| all | {' | '.join(sums)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
