# SPDX-License-Identifier: Apache-2.0
"""The stub of the package: made by tain, and what type checkers see in it."""

import subprocess
import sys

import pytest


def test_the_stub_is_that_of_the_types():
    command = [sys.executable, "-m", "tain", "stubgen", "geometry", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


def test_type_checkers_see_the_types(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "from geometry import Point, Polygon, centroid\n"
        "reveal_type(centroid(Polygon([Point(1, y=2)]).corners).x)\n"
        'Point("a")\n'
    )
    command = [sys.executable, "-m", "mypy", "--strict", str(user)]
    told = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True).stdout
    assert 'Revealed type is "float"' in told.replace("builtins.", "")
    assert 'Argument 1 to "Point" has incompatible type "str"; expected "float"' in told
    assert "Found 1 error" in told
