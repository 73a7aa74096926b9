# SPDX-License-Identifier: Apache-2.0
"""What a browser makes of the HTML of tain.to_html and tain.diff."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing import Holder, Node, Point

import tain

HOSTILE = '<img src=x onerror="document.title=1"></div></details><script>document.title=2</script>'


class Labelled(Point):
    """A subclass with attributes."""


class Raising:
    def __repr__(self) -> str:
        raise ValueError("<b>no</b>")


def ring() -> Node:
    return tain.get_global_func("testing.make_ring")(3)


def shared() -> Any:
    point = Point(1, 2)
    return tain.convert({"a": point, "b": [point, point], "c": Holder(point)})


def hostile() -> Labelled:
    made = Labelled(1, 2)
    setattr(made, HOSTILE, HOSTILE)
    made.raises = Raising()
    made.spaces = "a  b   \t c\n d \u202e \xe9 \U0001f600 &lt; &amp; \ud800"
    made.cls = type(HOSTILE, (), {"__repr__": lambda self: HOSTILE})()
    made.table = {HOSTILE: HOSTILE, 1: [2, [3, [4, {}]]]}
    return made


GRAPHS: dict[str, Callable[[], Any]] = {
    "a point": lambda: Point(1, 2),
    "a leaf": lambda: tain.List([]),
    "a ring": ring,
    "shared parts": shared,
    "hostile names and values": hostile,
    "many lines": lambda: tain.convert([[i, [str(i)]] for i in range(700)]),
    "a tree": lambda: tain.get_global_func("testing.make_tree")(7),
    "more levels than a browser nests": lambda: tain.get_global_func("testing.make_chain")(600),
    "texts that a page would fold": lambda: tain.convert({" ": "  x  ", "": ["", " "]}),
}


def shown(value: Any) -> str:
    out = io.StringIO()
    tain.show(value, limit=None, file=out, color=False)
    return out.getvalue()


def text_of(browser: Any) -> str:
    """Return what the page shows, as one would copy it."""
    return browser.execute_script("return document.body.innerText")


def click(browser: Any, name: str) -> None:
    browser.find_element("css selector", f'input[value="{name}"]').click()


def unfold(browser: Any) -> None:
    """Unfold all; a tree of which all is seen at once has no buttons."""
    if browser.find_elements("css selector", "input"):
        click(browser, "expand all")


def previews(browser: Any) -> list[str]:
    """Return the texts that stand in place of the parts of folded lines."""
    script = """
        return [...document.querySelectorAll(".tain-brief")]
            .filter(brief => brief.checkVisibility())
            .map(brief => getComputedStyle(brief, "::after").content)
            .filter(content => content !== "none")"""
    return browser.execute_script(script)


def search(browser: Any, text: str) -> list[Any]:
    """Type into the search field; return the lines that were found."""
    field = browser.find_element("css selector", "input[type=search]")
    field.clear()
    field.send_keys(text)
    return browser.find_elements("css selector", ".tain-hit")


@pytest.mark.parametrize("name", GRAPHS)
def test_the_text_of_the_unfolded_page_is_that_of_show(name: str, opened) -> None:
    value = GRAPHS[name]()
    page = opened(tain.to_html(value, limit=None))
    unfold(page)
    assert text_of(page) + "\n" == shown(value)


@pytest.mark.parametrize("name", GRAPHS)
def test_notebooks_get_the_same_within_the_limit(name: str, opened) -> None:
    value = GRAPHS[name]()
    page = opened(value._repr_html_())
    unfold(page)
    assert text_of(page) == tain.to_text(value, limit=1000)


def test_names_and_values_that_contain_html_stay_text(opened) -> None:
    page = opened(tain.to_html(hostile(), limit=None))
    click(page, "expand all")
    assert page.find_elements("css selector", "img, b, script + script") == []
    assert page.title == ""
    assert f".{HOSTILE}: str = {HOSTILE!r}" in text_of(page)
    page = opened(tain.diff(hostile(), Labelled(3, 2))._repr_html_())
    assert page.find_elements("css selector", "img, b, script") == []
    assert page.title == ""
    assert HOSTILE[:30] in text_of(page)


def test_a_tree_is_folded_at_first(opened) -> None:
    page = opened(tain.to_html(tain.get_global_func("testing.make_tree")(7), limit=None))
    assert text_of(page).count("\n") == 21  # as many levels as fit on a screen
    click(page, "expand all")
    assert text_of(page).count("\n") > 700
    click(page, "collapse all")
    assert text_of(page) == "Tree"
    page.find_element("css selector", "summary").click()
    assert text_of(page).splitlines() == [
        "Tree",
        "  left: Tree",
        "  right: Tree",
        "  value: int = 7",
    ]


def test_a_folded_line_shows_what_it_has(opened) -> None:
    points = [Point(i, 2 * i) for i in range(30)]
    value = tain.convert(
        {"points": points, "holder": Holder(points[1]), "numbers": [1, "two", [], [3]], "": {1: 2}}
    )
    page = opened(tain.to_html(value))
    assert previews(page) == [
        '" [Point(x=0.0, y=0.0), Point(x=1.0, y=2.0), ...]"',
        '"(point=...)"',
        "\" [1, 'two', [], ...]\"",
        '" {1: 2}"',
    ]
    click(page, "expand all")
    assert previews(page) == []
    click(page, "collapse all")
    assert previews(page) == ["\" {'points': ..., 'holder': Holder(point=...), ...}\""]
    assert text_of(page) == "Map (4)"
    assert search(page, "two, []") == []  # only lines are searched


def test_the_preview_of_hostile_values_is_text(opened) -> None:
    page = opened(tain.to_html(tain.convert({"a": {HOSTILE: HOSTILE}})))
    click(page, "collapse all")
    page.find_element("css selector", "summary").click()
    assert page.find_elements("css selector", "img, b, script + script") == []
    assert page.title == ""
    (shown,) = previews(page)
    assert shown.startswith("\" {'<img src=x onerror=")


@pytest.mark.parametrize(
    ("value", "has_tools"),
    [(Point(1, 2), False), (tain.List([]), False), (Holder(Point(1, 2)), True)],
)
def test_what_is_seen_at_once_has_no_search(value: Any, has_tools: bool, opened) -> None:
    page = opened(value._repr_html_())
    assert bool(page.find_elements("css selector", "input, script")) == has_tools


def test_the_search_unfolds_what_it_finds(opened) -> None:
    page = opened(tain.to_html(tain.convert({"a": {"b": {"Needle": 1}}, "c": ["needle"]})))
    click(page, "collapse all")
    found = search(page, "NEEDLE")
    assert [line.text.strip() for line in found] == ["['Needle']: int = 1", "[0]: str = 'needle'"]
    count = page.find_element("css selector", ".tain-found")
    assert count.get_attribute("data-found") == "1 of 2"
    page.find_element("css selector", "input[type=search]").send_keys("\n")
    assert count.get_attribute("data-found") == "2 of 2"
    assert search(page, "<nothing>") == []
    assert count.get_attribute("data-found") == "nothing found"


def test_the_search_scrolls_to_what_it_finds(opened) -> None:
    page = opened(tain.to_html(tain.convert([[f"item {i}"] for i in range(400)]), limit=None))
    (line,) = search(page, "item 399")
    assert line.is_displayed()
    assert 0 <= page.execute_script("return arguments[0].getBoundingClientRect().top", line) < 700


def test_several_trees_on_one_page_are_separate(opened) -> None:
    page = opened(tain.to_html(Holder(Point(1, 2))) + tain.to_html(Holder(Point(3, 4))))
    fields = page.find_elements("css selector", "input[type=search]")
    fields[1].send_keys("x:")
    trees = page.find_elements("css selector", ".tain-tree")
    assert [len(tree.find_elements("css selector", ".tain-hit")) for tree in trees] == [0, 1]


def test_a_page_asks_nothing_of_the_network(opened) -> None:
    page = opened(tain.to_html(shared()))
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_a_tree_needs_no_script(browser: Any, tmp_path: Any) -> None:
    html = tain.to_html(Holder(Point(1, 2)))
    page = tmp_path / "plain.html"
    page.write_text(html[: html.index("<script>")] + "</div>")
    browser.get(page.as_uri())
    assert not browser.find_element("css selector", "input[type=search]").is_displayed()
    assert text_of(browser) == tain.to_text(Holder(Point(1, 2)))


def test_two_graphs_stand_side_by_side(opened) -> None:
    left, right = tain.convert({"a": [1, 2, 3], "b": 1}), tain.convert({"a": [1, 3], "b": 2})
    page = opened(tain.diff(left, right)._repr_html_())
    rows = [
        [cell.text for cell in row.find_elements("css selector", "td")]
        for row in page.find_elements("css selector", "tr")
    ]
    assert rows == [
        ["Map (2)", "Map (2)"],
        ["  ['a'][1]: int = 2", ""],
        ["  ['b']: int = 1", "  ['b']: int = 2"],
    ]
    marked = page.find_elements("css selector", "td.tain-left, td.tain-right")
    assert len(marked) == 3


# What Jupyter says of the tables in all outputs: JupyterLab 4 and Notebook 7, nbconvert's page of
# them, and its classic page, with colors that are easily seen.
JUPYTER = {
    "JupyterLab": """
        .jp-RenderedHTMLCommon table { border-collapse: collapse; border-spacing: 0; border: none;
          color: red; font-size: 12px; table-layout: fixed; margin-left: auto; margin-right: auto;
          margin-bottom: 1em; }
        .jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr {
          vertical-align: middle; padding: 0.5em; line-height: normal; white-space: normal;
          max-width: none; border: none; }
        .jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: red; }
        .jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: yellow; }
        :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td,
        :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr { text-align: right; }""",
    "classic": """
        .rendered_html table { margin-left: auto; margin-right: auto; border: none; color: red;
          border-collapse: collapse; font-size: 12px; table-layout: fixed; }
        .rendered_html tr, .rendered_html td { text-align: right; vertical-align: middle;
          padding: 0.5em; line-height: normal; white-space: normal; max-width: none; border: none; }
        .rendered_html tbody tr:nth-child(odd) { background: red; }""",
}


@pytest.mark.parametrize("name", JUPYTER)
def test_the_style_of_jupyter_leaves_a_difference_as_it_is(name: str, opened) -> None:
    html = tain.diff(Holder(Point(1, 2)), Holder(Point(3, 4)))._repr_html_()
    seen = """return [...document.querySelectorAll("td")].map(cell => {
        const {left, width, height} = cell.getBoundingClientRect();
        const style = getComputedStyle(cell);
        return [left, width, height, style.textAlign, style.color, style.backgroundColor,
                style.whiteSpace, style.fontSize, style.verticalAlign];
    })"""
    plain = opened(f'<div class="output">{html}</div>').execute_script(seen)
    assert len({cell[5] for cell in plain}) == 3  # of the page, and of what differs
    page = f'<div class="jp-RenderedHTMLCommon rendered_html output">{html}</div>'
    styled = opened(f"{page}<style>{JUPYTER[name]}</style>").execute_script(seen)
    assert styled == plain
    assert {cell[3] for cell in styled} == {"left"}
