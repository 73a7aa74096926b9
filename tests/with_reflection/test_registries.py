# SPDX-License-Identifier: Apache-2.0
"""The registry of a reflected library is that of the same library with lists."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).with_name("registry.py")


def registry(library: Path, namespace: str) -> dict[str, Any]:
    """Return what a library registers, from a process that loads only this one."""
    command = [sys.executable, str(REGISTRY), str(library), namespace]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    made: dict[str, Any] = json.loads(result.stdout)
    return made


def test_the_two_forms_register_the_same(library: Callable[..., Path]) -> None:
    reflected = registry(library("shapes_reflected"), "shapes")
    listed = registry(library("shapes_listed", "-std=c++20"), "shapes")
    assert list(reflected) == list(listed)
    for key, facts in listed.items():
        assert reflected[key] == facts, key


def test_the_comparison_sees_all_kinds_of_members(library: Callable[..., Path]) -> None:
    facts = registry(library("shapes_listed", "-std=c++20"), "shapes")
    point, number, shape = (facts[f"shapes.{name}"] for name in ("Point", "Number", "Shape"))
    assert [field["name"] for field in point["info"]["fields"]] == [
        "x",
        "y",
        "id",
        "version",
        "color",
        "weight",
        "height",
    ]
    assert point["info"]["has_eq"] and not number["info"]["has_eq"]
    assert {method["name"] for method in number["info"]["methods"]} >= {"__add__", "__rmul__"}
    assert "area" in shape["members"] and "area_impl" not in shape["members"]
    assert "Of a number." in facts["shapes.half()"][1]
