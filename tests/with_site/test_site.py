# SPDX-License-Identifier: Apache-2.0
"""The site has every page, and each of its links leads somewhere."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from doc_blocks import PAGES, ROOT

# Other pages of the repository that are part of the site.
OTHERS = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]


class Page(HTMLParser):
    """What a page of HTML refers to, and where it can be referred to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []  # that a reader may follow
        self.parts: list[str] = []  # that a browser loads
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical",):
            self.parts.append(given.get("href", ""))
        elif "src" in given:
            self.parts.append(given["src"])


@cache
def read(path: Path) -> Page:
    """Return what is known of a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def pages(site: Path) -> list[Path]:
    """Return all pages of the site."""
    return sorted(site.rglob("*.html"))


def fault(site: Path, page: Path, link: str) -> str | None:
    """Return what is wrong with a link to the site itself."""
    address, anchor = urldefrag(link)
    target = (page.parent / unquote(address)).resolve() if address else page
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return f"{page.relative_to(site)}: {link}: no such file"
    if anchor and target.suffix == ".html" and unquote(anchor) not in read(target).anchors:
        return f"{page.relative_to(site)}: {link}: no such place in the page"
    return None


def test_every_page_of_the_repository_is_there(site: Path) -> None:
    sources = [*PAGES[1:], *(ROOT / name for name in OTHERS), *ROOT.glob("examples/*/README.md")]
    for source in sources:
        assert (site / source.relative_to(ROOT)).with_suffix(".html").is_file(), source
    assert 'url=docs/index.html"' in (site / "index.html").read_text(encoding="utf-8")


def test_links_lead_somewhere(site: Path) -> None:
    faults = []
    count = 0
    for page in pages(site):
        for link in read(page).links:
            if not urlsplit(link).scheme and link not in ("#", ""):
                count += 1
                faults.append(fault(site, page, link))
    assert count > 1000
    assert list(filter(None, faults)) == []


def test_a_link_that_leads_nowhere_is_found(site: Path) -> None:
    page = site / "docs" / "index.html"
    assert fault(site, page, "writing_types.html#building") is None
    assert fault(site, page, "nothing.html") == "docs/index.html: nothing.html: no such file"
    assert fault(site, page, "../../secret.html") is not None
    assert fault(site, page, "iteration.html#nowhere") == (
        "docs/index.html: iteration.html#nowhere: no such place in the page"
    )


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    parts = {part for page in pages(site) for part in read(page).parts}
    assert any("site.css" in part for part in parts)
    assert [part for part in parts if urlsplit(part).scheme or part.startswith("//")] == []


@pytest.mark.parametrize("library", ["nanobind", "pybind11", "tvm_ffi"])
def test_columns_are_pairs(library: str, site: Path) -> None:
    html = (site / "docs" / f"from_{library}.html").read_text(encoding="utf-8")
    assert html.count('<div class="columns">') > 3
    for part in html.split('<div class="columns">')[1:]:
        inside = part.partition("</div>\n<p>")[0] if "</div>\n<p>" in part else part
        assert inside.count('<div class="highlight">') >= 2
