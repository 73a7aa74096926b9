# SPDX-License-Identifier: Apache-2.0
"""The pictures of README and docs are what their scripts draw."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "docs" / "_static"


@pytest.mark.parametrize("script", ["tools/picture.py", "benchmarks/chart.py"])
def test_pictures_are_current(script: str) -> None:
    command = [sys.executable, str(ROOT / script), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/performance.md"])
def test_each_picture_is_there_in_light_and_dark(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    names = re.findall(r"_static/(\w+)_(light|dark)\.svg", text)
    assert names
    for name, scheme in names:
        assert (name, {"light": "dark", "dark": "light"}[scheme]) in names
        picture = ElementTree.parse(STATIC / f"{name}_{scheme}.svg").getroot()
        assert picture.findtext("{http://www.w3.org/2000/svg}title")
