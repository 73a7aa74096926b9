# SPDX-License-Identifier: Apache-2.0
"""The repr of what is inside of containers and fields: that of the Python class and callable."""

from __future__ import annotations

import functools
import gc

import pytest
from interpreter import DEBUG
from tain.types.testing import Color, Holder, Point

import tain


class Labelled(Point):
    """A Python subclass; its repr is generated."""


class Own(Point):
    def __repr__(self) -> str:
        return f"<{self.x:g}|{self.y:g}>"


def twice(x: int, by: int = 2) -> int:
    return x * by


INSIDE = {
    "an Array": (lambda value: tain.Array([value]), "[{}]"),
    "a List": (lambda value: tain.List([1, value]), "[1, {}]"),
    "a Map": (lambda value: tain.Map({"a": value}), "{{'a': {}}}"),
    "a Dict": (lambda value: tain.Dict({1: [value]}), "{{1: [{}]}}"),
}
VALUES = {
    "a class of C++": (lambda: Point(1, 2), "testing.Point(x=1.0, y=2.0)"),
    "a subclass": (lambda: Labelled(1, 2), "Labelled(x=1.0, y=2.0)"),
    "a repr of its own": (lambda: Own(1, 2), "<1|2>"),
    "a function": (lambda: twice, "<Function twice(x: int, by: int = 2) -> int>"),
    "a lambda": (lambda: lambda a, *b: a, "<Function <lambda>(a, *b)>"),
    "a function of C++": (
        lambda: tain.get_global_func("testing.echo"),
        "<Function testing.echo(x: Any) -> Any>",
    ),
    "a callable without a name": (
        lambda: functools.partial(twice, by=3),
        "<Function partial(x: int, *, by: int = 3) -> int>",
    ),
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("container", INSIDE)
def test_a_value_inside_of(container: str, value: str) -> None:
    (contain, around), (make, text) = INSIDE[container], VALUES[value]
    # A comment of inspect's on types depends on the version of Python.
    assert repr(contain(make())).replace("'int'", "int") == around.format(text)


def test_a_field_is_shown_by_its_python_class() -> None:
    assert repr(Holder(Own(1, 2))) == "testing.Holder(point=<1|2>)"
    holder = Holder(Labelled(1, 2))
    assert repr(holder) == "testing.Holder(point=Labelled(x=1.0, y=2.0))"


def test_what_only_cpp_holds_keeps_its_class() -> None:
    held = tain.Array([Own(3, 4)])
    gc.collect()
    assert repr(held) == "[<3|4>]"


def test_a_subclass_names_itself_and_not_the_types_inside() -> None:
    class Outer(Holder):
        pass

    name = f"{test_a_subclass_names_itself_and_not_the_types_inside.__name__}.<locals>.Outer"
    assert repr(Outer(Point(1, 2))) == f"{name}(point=testing.Point(x=1.0, y=2.0))"


def test_a_member_of_an_enum_is_shown_by_its_name() -> None:
    assert (repr(Color.RED), f"{Color.RED}", str(Color.RED)) == ("Color.RED",) * 3
    assert f"{Color.RED:d}" == "1"


@pytest.mark.bad_input
def test_a_repr_that_raises_or_returns_junk() -> None:
    class Raises(Point):
        def __repr__(self) -> str:
            raise KeyError("no text")

    class Junk(Point):
        def __repr__(self) -> str:
            return 5  # type: ignore[return-value]

    held = tain.Array([Raises(1)])
    with pytest.raises(KeyError, match="no text"):
        repr(held)
    with pytest.raises(TypeError, match=r"__repr__.*(non-string|must return a str)"):
        repr(tain.Array([Junk(1)]))


@pytest.mark.bad_input
def test_a_repr_that_changes_or_enters_its_container() -> None:
    held = tain.List([])

    class Enters(Point):
        def __repr__(self) -> str:
            return f"in {held!r}"

    class Clears(Point):
        def __repr__(self) -> str:
            held.clear()
            return "cleared"

    held.append(Enters(1))
    assert repr(held) == "[in ...]"
    held[:] = [Clears(1), 2, 3]
    assert repr(held).startswith("[cleared")
    held.clear()


@pytest.mark.bad_input
def test_a_signature_that_raises() -> None:
    class Odd:
        @property
        def __signature__(self) -> object:
            raise RuntimeError("no signature")

        def __call__(self) -> None: ...

    assert repr(tain.Array([Odd()])) == "[<Function Odd(...)>]"


@pytest.mark.only_if(not DEBUG, reason="a debug build bounds calls from C to Python at 500")
@pytest.mark.bad_input
def test_reprs_nest_up_to_a_limit() -> None:
    class Outer(Point):
        """Holds others in a Python attribute, which its repr shows."""

        inner: object = None

        def __repr__(self) -> str:
            return f"Outer({tain.Array([self.inner])!r})"

    value = Outer(1)
    for _ in range(5000):
        outer = Outer(1)
        outer.inner = value
        value = outer
    assert repr(value).startswith("Outer([Outer([")
    assert "..." in repr(value)
