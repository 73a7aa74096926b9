# SPDX-License-Identifier: Apache-2.0
"""Which methods are operators is said in one table of C++."""

from __future__ import annotations

import re

from lint_sources import CPP, ROOT, files, relative, text

_TABLE = ROOT / "include/tain/internal/operators.h"
_NAME = re.compile(r'"_*([a-z]+?)_*"')
_FEW = 4  # a file may use some operators without listing them


def operators_in(source: str) -> set[str]:
    """Return the operators that strings of C++ code name, with underscores or without them."""
    known = set(re.findall(r'"__([a-z]+)__"', text(_TABLE)))
    return known & set(_NAME.findall(source))


def test_one_table() -> None:
    assert len(operators_in(text(_TABLE))) > 50
    lists = {
        relative(path): sorted(found)
        for path in files("src", "include", suffixes=CPP)
        if path != _TABLE and len(found := operators_in(text(path))) > _FEW
    }
    # The functions of Python's module operator for the slots of tain.Tensor, which it fills itself.
    assert lists.pop("src/bindings/tensors/tensor_math.cc")
    assert not lists, lists


def test_a_second_table_is_found() -> None:
    source = 'constexpr const char* kAll[] = {"add", "__radd__", "__eq__", "name", "lt", "pow"};'
    assert operators_in(source) == {"add", "radd", "eq", "lt", "pow"}
