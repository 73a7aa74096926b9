# SPDX-License-Identifier: Apache-2.0
"""Several bases, of which one is a Python class over a C++ parent, and one a C++ child of it: the
object is of the most derived C++ class, whatever base CPython takes the memory layout from."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import weakref
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Actor, Depth2, Depth5, Node, Point, Shape, Square
from testing_functions import get

import tain

pytestmark = pytest.mark.usefixtures("nothing_kept")


class Plain:
    """A class that has nothing to do with C++."""


class Mixin(Depth2):
    """A Python class over the parent."""

    def more(self) -> str:
        return f"more of {self.name()}"


class Slotted(Depth2):
    __slots__ = ()


class WithSlot(Depth2):
    __slots__ = ("note",)


ORDERS = [
    bases
    for mixin in (Mixin, Slotted, WithSlot)
    for bases in (
        *itertools.permutations((mixin, Depth5)),
        *itertools.permutations((mixin, Depth5, Plain)),
    )
]


def orders() -> dict[str, tuple[type, ...]]:
    return {"-".join(base.__name__ for base in bases): bases for bases in ORDERS}


MADE = {name: type(f"Both_{name}", bases, {}) for name, bases in orders().items()}
for made in MADE.values():
    globals()[made.__name__] = made  # for pickle


@pytest.mark.parametrize("cls", MADE.values(), ids=MADE)
def test_the_object_is_of_the_most_derived_type(cls: Any) -> None:
    both = cls()
    assert both.name() == "testing.Depth5"
    assert isinstance(both, Depth5) and isinstance(both, Depth2)
    assert (both.a, both.b, both.c, both.d, both.e) == (1, 2, 3, 4, 5)
    both.e = 50
    both.extra = [1]
    assert get("depth1_a")(both) == 1
    assert get("echo")(both) is both
    for copied in (copy.copy(both), copy.deepcopy(both), pickle.loads(pickle.dumps(both))):
        assert type(copied) is cls and copied.name() == "testing.Depth5"
        assert (copied.e, copied.extra) == (50, [1])
    assert tain.type_info(cls).key == "testing.Depth5"


def test_children_of_such_classes() -> None:
    class Both(Mixin, Depth5):
        pass

    class Child(Plain, Both):
        def __init__(self) -> None:
            super().__init__()
            self.e = 7

    assert Child().name() == "testing.Depth5" and Child().e == 7
    assert Child().more() == "more of testing.Depth5"


class Halved(Shape):
    def __init__(self, *args: float, note: str = "") -> None:
        super().__init__(*args)
        self.note = note

    def area(self) -> float:
        return super().area() / 2


def test_constructors_and_methods_follow_the_mro() -> None:
    class HalvedSquare(Halved, Square):
        pass

    square = HalvedSquare(4.0, note="mine")
    assert (square.side, square.note, square.area()) == (4.0, "mine", 8.0)
    assert get("shape_area")(square) == 8.0
    assert square.describe() == "a square of area 8.000000"

    class SquareFirst(Square, Halved):
        pass

    first = SquareFirst(4.0)
    assert first.area() == get("shape_area")(first) == 8.0


def test_mixins_of_the_root_and_of_containers() -> None:
    class Mark(tain.Object):
        def mark(self) -> str:
            return "marked"

    class Marked(Mark, Point):
        pass

    assert (Marked(1, 2).y, Marked(1, 2).mark()) == (2.0, "marked")

    class Items(Mark, tain.List):
        pass

    items = Items([1, 2])
    items.append(3)
    assert (list(items), items.mark(), len(items)) == ([1, 2, 3], "marked", 3)


def test_types_of_py_class() -> None:
    class Above(Point):
        pass

    @tain.py_class("mixed.Below")
    class Below(Point):
        payload: Any = None

    class Both(Above, Below):
        pass

    both = Both(1, 2, payload="p")
    assert (both.x, both.payload, tain.type_info(Both).key) == (1.0, "p", "mixed.Below")

    @tain.py_class("mixed.Under")
    class Under(Above, Below):
        z: float = 0.0

    assert "mixed.Below" in [one.key for one in tain.type_info(Under).parents]
    assert repr(Under(1, 2, "p", 3)).endswith("Under(x=1.0, y=2.0, payload='p', z=3.0)")


@pytest.mark.parametrize("slots", [False, True], ids=["dict", "slots"])
def test_cycles_are_collected_if_the_parent_reaches_nothing(slots: bool) -> None:
    """CPython takes the layout from a parent that the collector does not traverse."""

    @tain.py_class(f"mixed.Reaching{slots}")
    class Reaching(Point):
        payload: Any = None

    body = {"__slots__": ()} if slots else {}
    above = type("Above", (Point,), dict(body))
    generated = Reaching.__mro__[1]
    both = type("Both", (above, generated), dict(body))
    child = type("Child", (both,), {})
    for cls in (both, child):
        before = tain.testing.live_objects().get(f"mixed.Reaching{slots}", 0)
        made = cls(1, 2)
        made.payload = [made]
        assert tain.testing.live_objects()[f"mixed.Reaching{slots}"] == before + 1
        made.payload = lambda kept=made: kept
        alive = weakref.ref(made)
        del made
        gc.collect()
        assert alive() is None
        assert tain.testing.live_objects().get(f"mixed.Reaching{slots}", 0) == before


def test_registered_classes(run: Any) -> None:
    run("""
        import tain
        from tain.types.testing import Depth2, Depth5
        generated = Depth5

        @tain.register_object("testing.Depth2")
        class Mine(Depth2):
            def mine(self): return "mine"

        class Mixin(Mine): pass
        from tain.types.testing import Depth5
        for bases in ((Mixin, Depth5), (Depth5, Mixin), (Mixin, generated), (Mine, generated)):
            try:
                both = type("Both", bases, {})()
            except TypeError as error:
                assert "MRO" in str(error) or "method resolution" in str(error), error
                continue
            assert both.name() == "testing.Depth5" and both.mine() == "mine", bases

        @tain.register_object("testing.Depth5")
        class Lower(Mixin, Depth5): pass
        assert Lower().name() == "testing.Depth5"
        assert type(tain.get_global_func("testing.make_depth8")()).__mro__[1:].count(Lower) == 1
    """)


@pytest.mark.bad_input
def test_what_stays_refused() -> None:
    class OfNode(Node):
        pass

    text = (
        "Wrong: the C++ types tain.types.testing.Point and tain.types.testing.Node are unrelated, "
        "so one object cannot be both; derive from one and hold the other in an attribute"
    )
    with raises(TypeError, text):
        type("Wrong", (Point, OfNode), {})

    class Forgetful(type):
        def mro(cls) -> list[type]:
            return [base for base in super().mro() if base not in (tain.Object, Point)]

    with raises(
        TypeError,
        "Lost: its MRO lacks tain.Object, from which it derives (the mro() of its metaclass must "
        "keep all bases)",
    ):
        Forgetful("Lost", (Point,), {})()


def test_overrides_of_a_mixin_before_and_after_the_child() -> None:
    from tain.types.testing import LouderActor

    class Polite(Actor):
        def greet(self, whom: str) -> str:
            return f"please, {super().greet(whom)}"

    for bases in ((Polite, LouderActor), (LouderActor, Polite)):
        both = type("Both", bases, {})()
        assert both.greet("x") == "please, LOUD actor x!"
        assert both.introduce() == "please, LOUD actor you!, 70"
