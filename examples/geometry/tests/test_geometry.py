# SPDX-License-Identifier: Apache-2.0
"""The package from inside and from processes that know nothing of it."""

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


@pytest.mark.parametrize("key", tain.type_keys("geometry."))
def test_every_class_is_documented(key):
    cls = tain.get_class(key)
    assert cls.__doc__
    assert cls.__name__ == key.removeprefix("geometry.")
