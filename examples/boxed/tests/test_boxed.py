# SPDX-License-Identifier: Apache-2.0
"""yaml-cpp's classes in boxes: fields, methods, operators, iteration, ownership, errors."""

from __future__ import annotations

import copy
import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

import boxed  # noqa: E402

import tain  # noqa: E402


def test_a_sequence_is_iterated_by_begin_and_end() -> None:
    items = list(boxed.load("[1, two, 3.5]"))
    assert [item.scalar() for item in items] == ["1", "two", "3.5"]
    assert all(isinstance(item, boxed.Node) for item in items)
    assert items[2].number() == 3.5


def test_a_map_yields_pairs() -> None:
    pairs = {item.first.scalar(): str(item.second) for item in boxed.load("{a: 1, b: [2, 3]}")}
    assert pairs == {"a": "1", "b": "[2, 3]"}


def test_operators_are_those_of_the_class() -> None:
    node = boxed.load("{list: [1, 2], name: x}")
    assert len(node) == 2 and len(node["list"]) == 2 and bool(node)
    assert node["list"][1].scalar() == "2"
    node["name"] = boxed.Node("y")
    assert str(node["name"]) == "y"
    with pytest.raises(boxed.Error, match="key not found: z"):
        node["z"]


def test_a_node_outlives_its_document() -> None:
    document = boxed.load("{a: {b: [deep]}}")
    inner = document["a"]["b"]
    del document
    gc.collect()
    assert inner[0].scalar() == "deep"


def test_copies_refer_to_the_same_node_as_in_cpp() -> None:
    node = boxed.load("[1]")
    other = copy.copy(node)
    other.append(boxed.Node("2"))
    assert len(node) == 2 and other.is_same(node)
    separate = boxed.clone(node)
    separate.append(boxed.Node("3"))
    assert (len(node), len(separate)) == (2, 3)


def test_fields_of_a_place() -> None:
    place = boxed.load("a: 1\nb: 2")["b"].mark()
    assert (place.line, place.column, place.pos) == (1, 3, 8)
    with pytest.raises(AttributeError, match=r"Mark\.line is read-only"):
        place.line = 5
    assert not place.is_null() and tain.types.yaml.Mark is boxed.Mark


def test_an_error_has_its_place() -> None:
    with pytest.raises(boxed.Error, match="end of sequence flow not found") as caught:
        boxed.load("a: [1, 2\nb: 3")
    assert isinstance(caught.value, ValueError)
    assert (caught.value.mark.line, caught.value.msg) == (1, "end of sequence flow not found")


def test_wrong_arguments() -> None:
    text = "yaml.Node.append: argument value: expected yaml.Node, got str ('text')"
    with pytest.raises(TypeError, match=re.escape(text)):
        boxed.Node().append("text")
    with pytest.raises(RuntimeError, match="bad conversion"):
        boxed.load("text").number()


def test_the_script_prints_what_the_readme_shows() -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", readme, re.DOTALL)
    done = subprocess.run(
        [sys.executable, HERE / "run.py"], capture_output=True, text=True, check=True
    )
    assert shown and done.stdout == shown[1]
