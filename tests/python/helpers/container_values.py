# SPDX-License-Identifier: Apache-2.0
"""Elements that containers are tried with."""

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
