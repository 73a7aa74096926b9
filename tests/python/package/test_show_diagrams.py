# SPDX-License-Identifier: Apache-2.0
"""Graphs as diagrams: tain.to_dot, tain.to_mermaid and tain.to_svg."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


def shared() -> Any:
    point = t.Point(1, 2)
    return tain.Dict({"a": point, "b": [point, t.Holder(point)], "c": 3, "d": []})


DOT = """\
digraph {
  node [shape=box, fontname="monospace"];
  edge [fontname="monospace"];
  n0 [label="Dict (4)\\n['c'] = 3\\l['d']: Array (0)\\l"];
  n1 [label="Point\\nx = 1.0\\ly = 2.0\\l"];
  n2 [label="Array (2)"];
  n3 [label="Holder"];
  n0 -> n1 [label="['a']"];
  n0 -> n2 [label="['b']"];
  n2 -> n1 [label="[0]"];
  n2 -> n3 [label="[1]"];
  n3 -> n1 [label="point"];
}"""

MERMAID = """\
flowchart TD
  n0["Dict (4)<br>['c'] = 3<br>['d']: Array (0)"]
  n1["Point<br>x = 1.0<br>y = 2.0"]
  n2["Array (2)"]
  n3["Holder"]
  n0 -->|"['a']"| n1
  n0 -->|"['b']"| n2
  n2 -->|"[0]"| n1
  n2 -->|"[1]"| n3
  n3 -->|"point"| n1"""


def test_shared_objects_are_one_box() -> None:
    assert tain.to_dot(shared()) == DOT
    assert tain.to_mermaid(shared()) == MERMAID


def test_cycles() -> None:
    ring = get("make_ring")(2)
    text = tain.to_dot(ring)
    assert '  n0 -> n1 [label="next"];\n  n1 -> n0 [label="next"];\n' in text
    assert text.count("[label=") == 4


def test_values_without_parts() -> None:
    assert '  n0 [label="int\\n3\\l"];' in tain.to_dot(3)
    assert tain.to_mermaid(None) == 'flowchart TD\n  n0["NoneType<br>None"]'


HOSTILE = 'a"b\\n\\"<b>&lt;`|;#%%[x]{y}\n\u202e\xe9'


class Labelled(t.Point):
    pass


def hostile() -> Any:
    made = Labelled(1, 2)
    setattr(made, HOSTILE, [HOSTILE])
    made.text = HOSTILE
    return made


@pytest.mark.bad_input
def test_labels_are_escaped() -> None:
    dot = tain.to_dot(hostile())
    assert '  n0 -> n1 [label=".a\\"b\\\\n\\\\\\"<b>&amp;lt;`|;#%%[x]{y}\\\\n\\\\u202eé"];' in dot
    mermaid = tain.to_mermaid(hostile()).splitlines()
    arrow = mermaid[-1]
    assert arrow == (
        '  n0 -->|".a#34;b#92;n#92;#34;#60;b#62;#38;lt#59;#96;#124;#59;#35;#37;#37;[x]#123;y#125;'
        '#92;n#92;u202eé"| n1'
    )
    assert all(line.isprintable() for line in [*mermaid, *dot.splitlines()])


def test_limits() -> None:
    tree = get("make_tree")(9)
    for write in (tain.to_dot, tain.to_mermaid):
        assert write(tree, limit=None).count("value = ") == 1023
        assert write(tree, limit=7).count("value = ") == 7
        assert write(tree).count("value = ") == 100
        assert "left: Tree ..." in write(tree, limit=1)
        assert "... 970 more" in write(tain.List(range(1000)))
        assert "... 10 more" not in write(tain.List(range(1000)), limit=None)
        assert "x" * 41 not in write(["x" * 50])
    # The nearest boxes are kept.
    assert tain.to_dot(tree, limit=7).count("value = 7") == 4


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["to_dot", "to_mermaid", "to_svg"])
def test_wrong_limits(name: str) -> None:
    function = getattr(tain, name)
    with raises(TypeError, f"{name}: argument limit: expected int or None, got float (1.5)"):
        function(1, limit=1.5)
    with raises(ValueError, f"{name}: argument limit: expected at least 1, got 0"):
        function(1, limit=0)


def test_long_chains() -> None:
    chain = get("make_chain")(10_000)
    assert tain.to_dot(chain, limit=None).count("->") == 9999
    assert tain.to_mermaid(get("make_chain")(10**6)).count("-->") == 99


def test_svg_without_the_package(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    text = "to_svg: the package graphviz is not installed: pip install 'tain[svg]'"
    with raises(ImportError, text) as caught:
        tain.to_svg(1)
    assert caught.value.name == "graphviz"
