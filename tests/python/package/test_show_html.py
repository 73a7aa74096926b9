# SPDX-License-Identifier: Apache-2.0
"""Graphs as HTML, read by a parser; tests/with_browser looks at it in a browser."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from typing import Any

import pytest
from testing_functions import get

import tain
from tain.types import testing as t


class Page(HTMLParser):
    """The tags, attributes and lines of a tree. What a tag closes must be open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.lines: list[str] = []
        self.deepest = 0
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "input":
            self.open.append(tag)
        self.deepest = max(self.deepest, len(self.open))
        if tag in ("summary", "div"):
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] not in ("style", "script"):
            self.lines[-1] += data

    @property
    def text(self) -> str:
        return "\n".join(line for line in self.lines if line)


HOSTILE = "<script>alert(1)</script>\"'&lt;</details><!--"


class Labelled(t.Point):
    pass


def hostile() -> Any:
    made = Labelled(1, 2)
    setattr(made, HOSTILE, [HOSTILE, {HOSTILE: 1}])
    made.cls = type(HOSTILE, (), {"__repr__": lambda self: HOSTILE})()
    return made


@pytest.mark.parametrize(
    "make",
    [
        lambda: t.Holder(t.Point(1, 2)),
        lambda: get("make_ring")(5),
        lambda: get("make_tree")(5),
        lambda: get("make_chain")(3000),
        hostile,
        lambda: tain.List([]),
        lambda: "a leaf <b>",
    ],
)
def test_the_text_is_that_of_to_text(make: Any) -> None:
    value = make()
    page = Page(tain.to_html(value, limit=None))
    assert page.text == tain.to_text(value, limit=None)
    assert set(page.tags) <= {
        *("div", "style", "input", "span", "i", "details", "summary", "script")
    }
    assert page.tags.count("script") == (1 if "\n    " in page.text else 0)  # what is seen at once
    assert page.deepest < 500  # browsers nest at most 512


def test_the_tree_is_self_contained() -> None:
    html = tain.to_html(hostile())
    assert html.isascii()
    names = {name for name, _ in Page(html).attributes}
    assert names <= {"class", "type", "value", "placeholder", "hidden", "open", "data-text"}
    assert "http" not in html and "url(" not in html and "@import" not in html


def test_what_is_unfolded_at_first() -> None:
    small = tain.to_html(t.Holder(t.Point(1, 2)))
    assert small.count("<details open>") == small.count("<details") == 2
    large = tain.to_html(tain.convert([list(range(30)) for _ in range(10)]), limit=None)
    assert (large.count("<details open>"), large.count("<details")) == (1, 11)


def test_limits() -> None:
    value = tain.convert([[i] * 30 for i in range(1000)])
    assert Page(tain.to_html(value)).text == tain.to_text(value, limit=1000)
    assert Page(tain.to_html(value, limit=20, depth=1)).text == tain.to_text(
        value, limit=20, depth=1
    )
    assert len(value._repr_html_()) < 10**6


def test_the_whole_graph_is_not_walked() -> None:
    assert len(get("make_chain")(10**6)._repr_html_()) < 10**6


def test_a_diff_as_html() -> None:
    page = Page(tain.diff(hostile(), Labelled(1, 3))._repr_html_())
    assert set(page.tags) <= {"div", "style", "table", "tr", "td"}
    assert "y: float = 3.0" in page.text
    assert tain.diff(1, 1)._repr_html_() == "<div>no differences</div>"


def test_to_html_is_no_printer() -> None:
    out = io.StringIO()
    tain.show(hostile(), file=out, limit=None)
    assert out.getvalue() == Page(tain.to_html(hostile(), limit=None)).text + "\n"
