# SPDX-License-Identifier: Apache-2.0
"""Diagrams that Graphviz draws: tain.to_svg."""

from __future__ import annotations

import xml.etree.ElementTree as Tree
from typing import Any

import pytest
from tain.types.testing import Holder, Point

import tain

HOSTILE = 'a"b\\n\\"<b>&lt;`|;#%%[x]{y}\n\u202e\xe9'


class Labelled(Point):
    """A subclass with attributes."""


def texts(drawn: Tree.Element) -> set[str]:
    """Return what is written in a drawing; Graphviz writes a space as one that does not break."""
    found = ("".join(text.itertext()) for text in drawn.iterfind(".//{*}text"))
    return {text.replace("\xa0", " ") for text in found}


def test_boxes_and_arrows() -> None:
    point = Point(1, 2)
    drawn = Tree.fromstring(tain.to_svg(tain.Dict({"a": point, "b": [point, Holder(point)]})))
    groups = [group.get("class") for group in drawn.iterfind(".//{*}g")]
    assert (groups.count("node"), groups.count("edge")) == (4, 5)
    assert texts(drawn) >= {"Point", "x = 1.0", "y = 2.0", "['b']", "point", "Array (2)"}


def test_names_and_values_are_drawn_as_they_are() -> None:
    made: Any = Labelled(1, 2)
    setattr(made, HOSTILE, HOSTILE)
    setattr(made, f"x{HOSTILE}", [HOSTILE])
    escaped = HOSTILE.replace("\n", "\\n").replace("\u202e", "\\u202e")
    drawn = texts(Tree.fromstring(tain.to_svg(made, limit=None)))
    assert f".x{escaped}" in drawn
    assert any(text.startswith(f".{escaped} = 'a\"b") for text in drawn)
    assert len([text for text in drawn if "<b>&lt;" in text]) == 3


def test_limits() -> None:
    tree = tain.get_global_func("testing.make_tree")(6)
    assert tain.to_svg(tree, limit=5).count('class="node"') == 5
    assert tain.to_svg(tree, limit=None).count('class="node"') == 127


def test_without_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ImportError) as caught:
        tain.to_svg(1)
    assert str(caught.value) == (
        "to_svg: the program dot is not installed: install Graphviz "
        "(on Debian: apt-get install graphviz)"
    )
