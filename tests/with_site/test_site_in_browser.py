# SPDX-License-Identifier: Apache-2.0
"""What a browser shows of the site."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WIDE, NARROW, WIDEST = (1500, 900), (420, 900), (1700, 900)
SHOWN = ["index", "first_hour", "flags", "threads", "from_nanobind", "messages", "reference"]


@pytest.fixture
def opened(browser: Any, site: Path) -> Callable[..., Any]:
    """Opens a page of the folder docs."""

    def open_page(name: str, size: tuple[int, int] = WIDE) -> Any:
        browser.set_window_size(*size)
        browser.get((site / "docs" / f"{name}.html").as_uri())
        return browser

    return open_page


def all_of(page: Any, selector: str) -> list[Any]:
    return page.find_elements("css selector", selector)


def wait_for(condition: Callable[[], Any]) -> Any:
    """Return what a condition gives as soon as it is true."""
    limit = time.monotonic() + 30
    while not (found := condition()) and time.monotonic() < limit:
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("size", [WIDE, NARROW, WIDEST], ids=["wide", "narrow", "widest"])
@pytest.mark.parametrize("name", SHOWN)
def test_pages_fit_their_window(name: str, size: tuple[int, int], opened) -> None:
    page = opened(name, size)
    assert page.find_element("css selector", "h1").is_displayed()
    width, seen = page.execute_script(
        "const root = document.documentElement; return [root.scrollWidth, root.clientWidth]"
    )
    assert width <= seen
    faults = [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert faults == []


def test_the_first_page_leads_to_all_others(opened, site: Path) -> None:
    page = opened("index")
    captions = [one.get_attribute("textContent") for one in all_of(page, ".caption-text")]
    assert captions[:3] == ["Begin", "Use types", "Write types"]
    (link,) = [one for one in all_of(page, ".sidebar-tree a") if one.text == "Threads and the GIL"]
    page.execute_script("arguments[0].click()", link)  # the list scrolls smoothly: no place to hit
    assert page.title.startswith("Threads and the GIL")
    page.get((site / "index.html").as_uri())
    assert wait_for(lambda: page.current_url.endswith("docs/index.html"))


@pytest.mark.parametrize("library", ["nanobind", "pybind11", "tvm_ffi"])
def test_columns_stand_side_by_side_where_there_is_room(library: str, opened) -> None:
    page = opened(f"from_{library}")
    for columns in all_of(page, ".columns"):
        left, right = columns.find_elements("css selector", "div.highlight")
        assert left.rect["y"] == right.rect["y"]
        assert left.rect["x"] + left.rect["width"] <= right.rect["x"]
        assert left.rect["width"] > 250
    page = opened(f"from_{library}", NARROW)
    for columns in all_of(page, ".columns"):
        left, right = columns.find_elements("css selector", "div.highlight")
        assert left.rect["y"] + left.rect["height"] <= right.rect["y"]


def test_code_has_colours(opened) -> None:
    page = opened("notebooks")
    cell = all_of(page, "div.highlight-ipython pre")[1]
    assert cell.text.startswith("%%tain\n#include <cmath>")
    colours = {
        part.value_of_css_property("color")
        for part in cell.find_elements("css selector", "span[class]")
    }
    assert len(colours) > 3


def test_the_search_finds_a_page(opened) -> None:
    page = opened("index")
    field = page.find_element("css selector", ".sidebar-search")
    field.send_keys("release_gil\n")
    # Results appear one after the other.
    assert wait_for(
        lambda: any(
            one.get_attribute("textContent") == "Threads and the GIL"
            for one in all_of(page, "#search-results li a")
        )
    )
