# SPDX-License-Identifier: Apache-2.0
"""What a browser shows of the site."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

WIDE, NARROW, WIDEST = (1500, 900), (420, 900), (1700, 900)
LAPTOP, DESK, PHONE = 1280, 1400, 390
SHOWN = [
    *("index", "first_hour", "flags", "threads", "from_nanobind", "messages", "reference"),
    *("why", "performance", "cookbook", "reference/cpp_tensors"),
]


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
    assert captions[:4] == [
        *("Tutorial", "How to: write types", "How to: wrap a library", "How to: use types"),
    ]
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


@pytest.fixture
def seen_at(opened, browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page in a window of a width, in light or dark."""

    def open_page(name: str, width: int, scheme: str = "light") -> Any:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wanted = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [wanted]})
        return opened(name)

    yield open_page
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def cut(page: Any, selector: str) -> list[str]:
    """Return the texts of the elements that show less than they have."""
    return page.execute_script(
        "return [...document.querySelectorAll(arguments[0])]"
        ".filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)",
        selector,
    )


@pytest.mark.parametrize("library", ["nanobind", "pybind11", "tvm_ffi"])
def test_columns_do_not_scroll_on_a_laptop(library: str, seen_at) -> None:
    page = seen_at(f"from_{library}", LAPTOP)
    assert all_of(page, ".columns pre")
    assert cut(page, ".columns pre") == []


@pytest.mark.parametrize("name", ["messages", "why", "index"])
def test_no_table_is_cut_on_a_desk(name: str, seen_at) -> None:
    page = seen_at(name, DESK)
    assert all_of(page, ".table-wrapper")
    assert cut(page, ".table-wrapper") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_the_first_page_in_both_schemes(width: int, scheme: str, seen_at) -> None:
    page = seen_at("index", width, scheme)
    shown = [one for one in all_of(page, "article img") if one.is_displayed()]
    (picture,) = shown
    assert picture.get_attribute("src").endswith(f"_static/picture_{scheme}.svg")
    assert page.execute_script("return arguments[0].naturalWidth", picture) > 600
    frame = page.find_element("css selector", ".picture")
    assert 0 < frame.rect["width"] <= width
    assert len(all_of(page, ".doors > div")) == 3
    assert len(all_of(page, "#beside-other-libraries tbody tr")) == 10


def test_the_search_finds_a_message_and_a_name(opened) -> None:
    searches = {
        "got an unexpected keyword argument 'yy'": "Messages",
        "find_lib_path": "find_lib_path",
    }
    for words, title in searches.items():
        page = opened("index")
        page.find_element("css selector", ".sidebar-search").send_keys(f"{words}\n")
        assert wait_for(
            lambda page=page, title=title: any(
                title in one.get_attribute("textContent")
                for one in all_of(page, "#search-results li a")
            )
        ), words


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
