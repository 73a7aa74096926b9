# SPDX-License-Identifier: Apache-2.0
"""Tables of `python -m tain describe` that C++ has too: they say the same."""

from __future__ import annotations

import re
from pathlib import Path

from tain import libinfo
from tain.describe._crossing import ClassFacts
from tain.describe._operators import OPERATORS
from tain.describe._plan import _STANDARD_ERRORS

INTERNAL = Path(libinfo.include_dir(), "tain", "internal")


def test_operators() -> None:
    text = (INTERNAL / "operators.h").read_text(encoding="utf-8")
    rows = re.findall(r'^    \{"([^"]*)", (\d), ((?:"\w+",? ?)+)\},$', text, re.MULTILINE)
    assert len(rows) > 20
    expected = []
    for symbol, operands, names in rows:
        methods = [*re.findall(r'"(\w+)"', names), "", ""][:3]
        if symbol:  # C++ has no other
            expected.append((symbol, int(operands), *methods))
    assert list(OPERATORS) == expected


def test_errors_of_the_standard_library() -> None:
    text = (INTERNAL / "caught.h").read_text(encoding="utf-8")
    rows = re.findall(r'ROW\((std::\w+), "(\w+)"\)', text)
    assert len(rows) > 5 and list(_STANDARD_ERRORS) == rows


def test_facts_of_classes() -> None:
    text = (INTERNAL / "declared_facts.h").read_text(encoding="utf-8")
    bits = re.search(r"return Bits\(\{(kObject.*?)\}\);", text, re.DOTALL)
    assert bits is not None
    facts = re.sub(r"<[^<>]*>", "", bits[1]).split(",")
    assert len(facts) == len(ClassFacts.__dataclass_fields__)
