# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without a browser, or without Graphviz.

They need Debian's packages chromium, chromium-driver and graphviz, and
pip install "tain[test-browser]".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import open_browser
from optional import left_out, pytest_terminal_summary

__all__ = ["browser", "collect_ignore", "opened", "pytest_terminal_summary"]

NEEDS = {
    "test_html_in_browser.py": ["package selenium", "program chromedriver"],
    "test_svg.py": ["package graphviz", "program dot"],
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-browser]"')


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless browser, with a profile of its own."""
    with open_browser(tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Callable[[str], Any]:
    """Opens HTML as a page of the browser."""

    def open_page(html: str) -> Any:
        page = tmp_path / "page.html"
        page.write_text(html, encoding="ascii")
        browser.get(page.as_uri())
        return browser

    return open_page
