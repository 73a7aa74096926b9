# SPDX-License-Identifier: Apache-2.0
"""Elements and items that containers are tried with."""

from __future__ import annotations

#: The elements of one sequence each.
VALUES: list[list[object]] = [
    [],
    [1],
    [1, 2, 3, 4, 5],
    [None, True, False, 0, -1, 2**62, -(2**62), 2**200, 1.5, "a", "long enough", b"b", b"\0" * 9],
    ["é", "\ud800", "nul\0nul\0nul"],
    [[1, [2, [3]]], {"a": 1}],
]

#: The items of one mapping each.
DICTS: list[dict[object, object]] = [
    {},
    {"a": 1},
    {"a": 1, "b": 2, "c": 3, "d": 4},
    {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5},
    {i: str(i) for i in range(100)},
    {f"a rather long key {i}": [i] for i in range(100)},
    {None: 1, 1.5: 2, b"bytes": 3, "": 4, 2**70: 5, -1: 6},
    {"\ud800": "\udfff", "nul\0nul": "é"},
]
