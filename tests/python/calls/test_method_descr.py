# SPDX-License-Identifier: Apache-2.0
"""Methods of classes: wrong receivers, their module, what inspect sees."""

from __future__ import annotations

import inspect

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Labelled(t.Point):
    """A subclass that can be pickled."""


def test_inspect() -> None:
    assert inspect.isclass(t.Point)
    assert inspect.isroutine(t.Point.norm)
    assert inspect.ismethoddescriptor(t.Point.norm)
    assert inspect.ismethod(t.Point(1, 2).norm)
    assert inspect.isgetsetdescriptor(t.Point.x)
    assert inspect.getdoc(t.Point.norm) == "Euclidean length"
    assert inspect.getdoc(Labelled.norm) == inspect.getdoc(t.Point.norm)
    assert str(inspect.signature(t.Point)) == "(x: float, y: float = 0.0)"
    assert str(inspect.signature(Labelled)) == "(x: float, y: float = 0.0)"
    assert str(inspect.signature(t.Point.scale)) == "(self, factor: float) -> None"
    assert str(inspect.signature(t.Point(1, 2).scale)) == "(factor: float) -> None"
    members = dict(inspect.getmembers(t.Point(1, 2)))
    assert members["x"] == 1.0
    assert t.Point.norm.__qualname__ == "Point.norm"
    assert repr(t.Point.norm) == "<method Point.norm(self) -> float>"
    assert {"x", "y", "norm", "scale", "origin"} <= set(dir(t.Point(1, 2)))


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: t.Point.norm(5), "testing.Point.norm: expected testing.Point as self, got int"),
        (
            lambda: t.Point.norm(t.Vector(1, 2)),
            "testing.Point.norm: expected testing.Point as self, got testing.Vector",
        ),
        (
            lambda: t.Point.norm(),
            "testing.Point.norm() needs an object as its first argument",
        ),
        (
            lambda: t.Point(1, 2).norm(1),
            "testing.Point.norm() takes 0 arguments but 1 was given",
        ),
        (lambda: t.Point(1, 2).scale(), "testing.Point.scale() missing argument 'factor'"),
        (
            lambda: t.Point(1, 2).scale(facto=2),
            "testing.Point.scale() got an unexpected keyword argument 'facto'. "
            "Did you mean 'factor'?",
        ),
        (
            lambda: t.Point(1, 2).scale("x"),
            "testing.Point.scale: argument factor: expected float, got str ('x')",
        ),
        (lambda: t.Point.origin(1), "testing.Point.origin() takes 0 arguments but 1 was given"),
    ],
)
def test_methods_called_wrongly(call, text: str) -> None:
    with raises(TypeError, text):
        call()


def test_methods_are_of_the_module_of_their_class(run, tmp_path) -> None:
    assert t.Point.norm.__module__ == t.Point(1, 2).norm.__module__ == "tain.types.testing"
    assert t.Point.origin.__module__ == "tain.types.testing"
    assert t.Point.norm.__qualname__ == "Point.norm"
    assert type(t.Point.norm).__module__ == "tain._core"
    assert type(t.Point.origin).__module__ == "tain"
    assert get("echo").__module__ == "tain"
    assert tain.Function(len).__module__ == "builtins"
    (tmp_path / "adopter.py").write_text(
        "import tain\ntain.types.testing\ntain.init_ffi_api('testing', __name__)\n"
    )
    code = """
        import adopter, doctest, pickle, pydoc
        assert adopter.Point.norm.__module__ == adopter.Point.origin.__module__ == "adopter"
        assert adopter.centroid.__module__ == "adopter"
        assert pickle.loads(pickle.dumps(adopter.Point.norm))(adopter.Point(3, 4)) == 5.0
        assert pickle.loads(pickle.dumps(adopter.Point(3, 4).norm))() == 5.0
        names = {test.name for test in doctest.DocTestFinder(exclude_empty=False).find(adopter)}
        assert {"adopter.Point", "adopter.Point.norm", "adopter.Point.origin"} <= names
        shown = pydoc.render_doc(adopter.Point.norm, renderer=pydoc.plaintext)
        assert "norm(self) -> float" in shown
    """
    run(code, path=str(tmp_path))
