# SPDX-License-Identifier: Apache-2.0
"""Copying, pickling, operators, matching, equality, help and inspect of registered types."""

from __future__ import annotations

import copy
import inspect
import io
import multiprocessing
import pickle
import pydoc
from contextlib import redirect_stdout

import pytest
from testing_functions import get

import tain
from tain.types import testing as t


class Labelled(t.Point):
    """A subclass that can be pickled."""


class Slotted(t.Point):
    __slots__ = ("label",)


# ---------------------------------------------------------------- copy and pickle


MADE = {
    "Point": lambda: t.Point(1.5, -0.0),
    "TestIntPair": lambda: t.TestIntPair(1, 2),
    "Config": lambda: t.Config("n", items=[1, "two", [3]], rate=2.5),
    "ChildConfig": lambda: t.ChildConfig("n", verbose=True),
    "AllKinds": lambda: t.AllKinds(),
    "Mixed": lambda: t.Mixed(1.5),
    "Aligned": lambda: t.Aligned(1.5),
    "Depth8": lambda: t.Depth8(),
    "Private": lambda: t.Private(9),
    "Vector": lambda: t.Vector(3, 4),
    "Holder": lambda: t.Holder(t.Point(1, 2)),
    "Tree": lambda: t.Tree(t.Tree(), None, 5),
    "NoConstructor": lambda: get("make_no_constructor")(4),
    "Uncopyable": lambda: t.Uncopyable(),
    "Frozen": lambda: t.Frozen(5),
    "Bare": lambda: t.Bare(),
    "OddMembers": lambda: t.OddMembers(),
    "Array": lambda: tain.convert([1, t.Point(1, 2), {"a": None}]),
}
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    **{
        f"pickle {protocol}": lambda x, protocol=protocol: pickle.loads(pickle.dumps(x, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL)
    },
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MADE)
def test_copies_look_the_same(name: str, way: str) -> None:
    made = MADE[name]()
    made_again = WAYS[way](made)
    assert repr(made_again) == repr(made)
    assert type(made_again) is type(made)
    assert made_again is not made or way == "copy"


@pytest.mark.parametrize("way", WAYS)
def test_subclasses_are_copied_with_their_state(way: str) -> None:
    made = Labelled(1, 2)
    made.note = ["own"]
    made_again = WAYS[way](made)
    assert type(made_again) is Labelled
    assert (made_again.x, made_again.note) == (1.0, ["own"])
    assert (made_again.note is made.note) is (way == "copy")


def test_shallow_and_deep() -> None:
    holder = t.Holder(t.Point(1, 2))
    assert copy.copy(holder).point is holder.point
    deep = copy.deepcopy(holder)
    assert deep.point is not holder.point
    assert deep.point.x == 1.0
    node = t.Node()
    node.items.append(node.items)
    assert copy.copy(node).items is node.items
    node.items.clear()


def test_functions_and_classes_are_pickled_by_name() -> None:
    for value in (get("echo"), t.Point, t.Point.norm, tain.get_global_func, t.Color, t.Color.RED):
        assert pickle.loads(pickle.dumps(value)) is value or value is t.Point.norm
        assert copy.copy(value) is value or value is t.Point.norm
    assert pickle.loads(pickle.dumps(t.Point.norm))(t.Point(3, 4)) == 5.0


@pytest.mark.bad_input
def test_what_cannot_be_pickled() -> None:
    with pytest.raises(
        TypeError, match=r"^cannot pickle a tain\.Function that is no global function"
    ):
        pickle.dumps(get("make_adder")(3))
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(tain.Function(lambda: 1))
    with pytest.raises(ValueError, match=r"^tain\.types\.testing\.Point object is empty"):
        pickle.dumps(t.Point.__new__(t.Point))
    with pytest.raises(TypeError) as caught:
        pickle.dumps(t.Countdown(3))
    assert str(caught.value) == (
        "cannot pickle testing.Countdown: its constructor needs 'start', which is no field"
    )


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("args", "text"),
    [
        ((int, {}), "_rebuild: expected a class of a registered type"),
        ((5, {}), "_rebuild: expected a class"),
        ((tain.Object, {}), "_rebuild: expected a class of a registered type"),
        ((t.Point, {"z": 1, "x": 1.0}), "testing.Point has no field 'z' that the pickle holds"),
        ((t.Point, {"y": 1.0}), "testing.Point() missing argument 'x'"),
        ((t.Point, {"x": "a"}), "testing.Point: argument x: expected float, got str ('a')"),
    ],
)
def test_pickles_that_do_not_fit(args: tuple, text: str) -> None:
    rebuild = t.Point(1, 2).__reduce__()[0]
    with pytest.raises(TypeError) as caught:
        rebuild(*args)
    assert str(caught.value) == text


def test_another_process_reads_a_pickle(run, tmp_path) -> None:
    (tmp_path / "pickle").write_bytes(pickle.dumps([t.Point(3, 4), t.Color.RED, get("echo")]))
    printed = run("import pickle; print(pickle.load(open('pickle', 'rb'))[0].norm())")
    assert printed == "5.0\n"


def test_multiprocessing_passes_objects() -> None:
    queue = multiprocessing.get_context("spawn").SimpleQueue()
    queue.put(t.Point(1, 2))
    assert queue.get().y == 2.0
    queue.close()


# ---------------------------------------------------------------- operators


V = t.Vector
OPERATORS = [
    (lambda: V(1, 2) + V(3, 4), V(4, 6)),
    (lambda: V(1, 2) - V(3, 4), V(-2, -2)),
    (lambda: V(1, 2) * 3, V(3, 6)),
    (lambda: 3 * V(1, 2), V(3, 6)),
    (lambda: -V(1, 2), V(-1, -2)),
    (lambda: abs(V(3, 4)), 25),
    (lambda: V(1, 2) == V(1, 2), True),
    (lambda: V(1, 2) != V(1, 2), False),
    (lambda: V(1, 2) == V(2, 2), False),
    (lambda: V(1, 2) < V(2, 2), True),
    (lambda: V(1, 2) > V(2, 2), False),
    (lambda: hash(V(1, 2)), 33),
    (lambda: bool(V(0, 0)), False),
    (lambda: bool(V(0, 1)), True),
    (lambda: str(V(1, 2)), "1,2"),
    (lambda: int(V(5, 1)), 5),
    (lambda: float(V(5, 1)), 5.0),
    (lambda: {V(1, 2): "a"}[V(1, 2)], "a"),
    (lambda: sorted([V(2, 0), V(1, 0)], key=lambda v: v)[0], V(1, 0)),
    (lambda: list(t.Countdown(3)), [3, 2, 1]),
    (lambda: sum(t.Countdown(4)), 10),
    (lambda: t.Bag()(1, 2, 3), 3),
    # an operand of another type is left to the other side
    (lambda: V(1, 2) == "x", False),
    (lambda: V(1, 2) != 5, True),
    (lambda: "x" in [V(1, 2)], False),
    (lambda: V(1, 2).__eq__(5), NotImplemented),
    (lambda: V(1, 2).__add__(5), NotImplemented),
]


@pytest.mark.parametrize(("operate", "expected"), OPERATORS)
def test_operators(operate, expected: object) -> None:
    assert operate() == expected


def test_in_place_operators() -> None:
    vector = same = V(1, 2)
    vector += V(10, 20)
    assert vector is same
    assert vector == V(11, 22)


def test_the_other_operand_is_asked() -> None:
    class Answers:
        def __radd__(self, other: object) -> str:
            return f"added to {other}"

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None

    assert V(1, 2) + Answers() == "added to 1,2"
    assert V(1, 2) == Answers()


NAME = "tain.types.testing.Vector"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("operate", "text"),
    [
        (lambda: V(1, 2) + 1, f"unsupported operand type(s) for +: '{NAME}' and 'int'"),
        (lambda: 1 + V(1, 2), f"unsupported operand type(s) for +: 'int' and '{NAME}'"),
        (lambda: V(1, 2) @ 3, f"unsupported operand type(s) for @: '{NAME}' and 'int'"),
        (lambda: +V(1, 2), f"bad operand type for unary +: '{NAME}'"),
        (lambda: V(1, 2) < 5, f"'<' not supported between instances of '{NAME}' and 'int'"),
        (lambda: t.Bag()["x"], "testing.Bag.__getitem__: argument i: expected int, got str ('x')"),
        (lambda: t.Point(1, 2) < t.Point(1, 2), "'<' not supported between instances of"),
        (lambda: len(t.Point(1, 2)), "object of type 'tain.types.testing.Point' has no len()"),
        (lambda: t.Point(1, 2)(), "'tain.types.testing.Point' object is not callable"),
        (lambda: iter(t.Point(1, 2)), "'tain.types.testing.Point' object is not iterable"),
    ],
)
def test_operands_that_do_not_fit(operate, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        operate()
    assert str(caught.value).startswith(text)


def test_a_container_written_in_cpp() -> None:
    bag = t.Bag()
    with bag as entered:
        assert entered is bag
        assert bag.entered
        for i, value in enumerate(["a", 2, None]):
            bag[i] = value
    assert not bag.entered
    assert (len(bag), bag[0], bag[-1]) == (3, "a", None)
    assert "a" in bag
    assert "b" not in bag
    del bag[0]
    assert list(bag) == [2, None]
    with pytest.raises(IndexError, match="bag index out of range"):
        bag[5]
    with pytest.raises(StopIteration):
        next(t.Countdown(0))


def test_equality_and_hash_by_default() -> None:
    point, same = t.Point(1, 2), t.Point(1, 2)
    assert point == point
    assert point != same
    assert point.__eq__(5) is NotImplemented
    assert len({point, same, point}) == 2
    assert hash(point) == hash(point)
    record = t.Record(1, "a")
    assert record == t.Record(1, "a", 5)
    assert hash(record) == hash(t.Record(1, "a", 5))
    assert record < t.Record(1, "b") <= t.Record(1, "b")
    assert record != 5


# ---------------------------------------------------------------- match, help, inspect


def test_match_statements() -> None:
    def describe(value: object) -> str:
        match value:
            case t.Point(0, 0):
                return "the origin"
            case t.Point(x, y=0.0):
                return f"on the axis at {x}"
            case t.Point(x=x, y=y):
                return f"{x} {y}"
            case t.Config("special"):
                return "special"
            case t.Color.RED:
                return "red"
            case [first, *_]:
                return f"starts with {first}"
        return "nothing"

    assert describe(t.Point(0, 0)) == "the origin"
    assert describe(t.Point(3, 0)) == "on the axis at 3.0"
    assert describe(Labelled(1, 2)) == "1.0 2.0"
    assert describe(t.Config("special")) == "special"
    assert describe(t.Color.RED) == "red"
    assert describe(tain.convert([7, 8])) == "starts with 7"
    assert describe(t.Vector(1, 2)) == "nothing"
    assert t.Point.__match_args__ == ("x", "y")


HELP = [
    (t.Point, ["class Point(tain.Object)", "A point in the plane.", "norm(self) -> float"]),
    (t.Point, ["abscissa", "ordinate", "Point(x: float, y: float = 0.0)", "origin()"]),
    (t.Point.norm, ["norm(self) -> float", "Euclidean length"]),
    (t.Point(1, 2).norm, ["norm() -> float", "Euclidean length"]),
    (t.Point.x, ["abscissa"]),
    (get("greet"), ["greet(name: str, greeting: str = 'hello', punctuation", "A greeting."]),
    (t.Gadget, ["A gadget.", "With a longer text.", "How large it is.", "MAX_SIZE = 100"]),
    (t.Color, ["Colors.", "RED"]),
    (tain.Object, ["Base class of every registered C++ type."]),
    (tain, ["NAME", "tain"]),
]


@pytest.mark.parametrize(("thing", "parts"), HELP)
def test_help(thing: object, parts: list[str]) -> None:
    text = pydoc.plain(pydoc.render_doc(thing))
    for part in parts:
        assert part in text
    with redirect_stdout(io.StringIO()):
        help(thing)


def test_inspect() -> None:
    assert inspect.isclass(t.Point)
    assert inspect.isroutine(t.Point.norm)
    assert inspect.ismethoddescriptor(t.Point.norm)
    assert inspect.ismethod(t.Point(1, 2).norm)
    assert inspect.isgetsetdescriptor(t.Point.x)
    assert inspect.getdoc(t.Point.norm) == "norm(self) -> float\n\nEuclidean length"
    assert inspect.getdoc(Labelled.norm) == inspect.getdoc(t.Point.norm)
    assert str(inspect.signature(t.Point)) == "(x: float, y: float = 0.0)"
    assert str(inspect.signature(Labelled)) == "(x: float, y: float = 0.0)"
    assert str(inspect.signature(t.Point.scale)) == "(self, factor: float) -> None"
    assert str(inspect.signature(t.Point(1, 2).scale)) == "(factor: float) -> None"
    members = dict(inspect.getmembers(t.Point(1, 2)))
    assert members["x"] == 1.0
    assert t.Point.norm.__qualname__ == "Point.norm"
    assert repr(t.Point.norm) == "<method 'norm' of 'tain.types.testing.Point' objects>"
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
            "testing.Point.norm() missing the object that it is a method of",
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
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == text


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
        assert "norm(self) -> float" in pydoc.render_doc(adopter.Point.norm)
    """
    run(code, path=str(tmp_path))
