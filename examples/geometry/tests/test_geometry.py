# SPDX-License-Identifier: Apache-2.0
"""The package from inside and from processes that know nothing of it."""

import importlib.metadata
import pickle
import subprocess
import sys

import geometry
import pytest
from geometry import Orientation, Point, Polygon

import tain


def run(code: str, data: bytes = b"") -> bytes:
    """Run code in a new interpreter and return what it writes."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def test_values():
    assert Point(3, y=4).norm() == 5
    triangle = Polygon([Point(0), Point(2), Point(0, 2)])
    assert triangle.area() == 2
    assert triangle.orientation is Orientation.COUNTERCLOCKWISE
    assert geometry.centroid(triangle.corners).x == pytest.approx(2 / 3)


def test_errors_speak_of_the_types():
    with pytest.raises(TypeError, match=r"geometry\.Polygon"):
        Polygon([Point(1), "b"])
    with pytest.raises(ValueError, match="centroid of no points"):
        geometry.centroid([])


def test_the_package_is_the_home_of_its_types():
    assert Point.__module__ == "geometry"
    assert tain.types.geometry.Point is Point
    assert {"Point", "Polygon", "Orientation", "centroid"} <= set(dir(geometry))


def test_a_subclass_comes_back_as_itself():
    class Labelled(Point):
        def __init__(self, x: float, y: float, label: str) -> None:
            super().__init__(x, y)
            self.label = label

    home = Labelled(1, 2, "home")
    assert Polygon([home]).corners[0] is home
    assert Polygon([home]).corners[0].label == "home"


def test_a_new_interpreter_finds_the_types():
    assert run("from tain.types.geometry import Point; print(Point(1).x)").split() == [b"1.0"]


def test_pickles_cross_processes():
    written = run(
        "import pickle, sys; from geometry import Point, Polygon;"
        "pickle.dump(Polygon([Point(1, 2)]), sys.stdout.buffer)"
    )
    assert pickle.loads(written).corners[0].y == 2
    read = "import pickle, sys; print(pickle.load(sys.stdin.buffer).corners[0].y)"
    assert run(read, written).split() == [b"2.0"]


# examples/geometry_auto is the same package without a stub
HAS_STUB = pytest.mark.skipif(
    "without a list" in importlib.metadata.metadata("geometry")["Summary"],
    reason="geometry_auto has no stub",
)


@HAS_STUB
def test_the_stub_is_that_of_the_types():
    command = [sys.executable, "-m", "tain", "stubgen", "geometry", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


@HAS_STUB
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


@pytest.mark.parametrize("key", tain.type_keys("geometry."))
def test_every_class_is_documented(key):
    cls = tain.get_class(key)
    assert cls.__doc__
    assert cls.__name__ == key.removeprefix("geometry.")
