# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without a browser, or without Graphviz.

They need Debian's packages chromium, chromium-driver and graphviz, and
pip install "tain[test-browser]".
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import open_browser

# Each file, with the package and the program that it needs.
NEEDS = {
    "test_html_in_browser.py": ("selenium", "chromedriver"),
    "test_svg.py": ("graphviz", "dot"),
}
collect_ignore = [
    file
    for file, (package, program) in NEEDS.items()
    if importlib.util.find_spec(package) is None or shutil.which(program) is None
]


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
