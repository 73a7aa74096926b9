# SPDX-License-Identifier: Apache-2.0
"""What rich, IPython and Jupyter show of registered objects."""

from __future__ import annotations

import importlib

import pytest
from errors import kind_text, raises
from testing_functions import get

import tain
from tain.types import testing as t


def test_rich_repr() -> None:
    assert list(t.Point(1, 2).__rich_repr__()) == [("x", 1.0), ("y", 2.0)]
    names = [name for name, _ in t.Config().__rich_repr__()]
    assert "secret" not in names  # no_repr
    assert list(t.Point.__new__(t.Point).__rich_repr__()) == []


class Printer:
    """As much of IPython's printer as a repr needs, on one line."""

    max_width = 79
    output_width = 0

    def __init__(self) -> None:
        self.written = ""

    def text(self, text: str) -> None:
        self.written += text

    def breakable(self) -> None:
        self.written += " "

    def group(self, indent: int, open: str, close: str) -> Printer:
        assert indent == len(open)
        self.text(open)
        self.close = close
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.text(self.close)

    def pretty(self, value: object) -> None:
        self.text(repr(value))


def pretty(value: object, cycle: bool = False) -> str:
    printer = Printer()
    value._repr_pretty_(printer, cycle)
    return printer.written


def test_pretty_repr() -> None:
    class Labelled(t.Point):
        pass

    class Own(t.Point):
        def __repr__(self) -> str:
            return "own"

    assert pretty(t.Point(1, 2)) == "testing.Point(x=1.0, y=2.0)"
    assert pretty(Labelled(1, 2)).endswith("Labelled(x=1.0, y=2.0)")
    assert pretty(Own(1, 2)) == "own"
    assert pretty(t.Tree(), cycle=True) == repr(t.Tree())
    assert pretty(tain.convert([1, 2])) == repr(tain.convert([1, 2]))


def test_ipython_prints_wide_objects_on_several_lines() -> None:
    lib = importlib.import_module("IPython.lib.pretty")
    text = lib.pretty(t.Config("n" * 60))
    assert text.startswith("testing.Config(name='nnn")
    assert text.count("\n") > 3


def test_html_is_that_of_to_html() -> None:
    for value in (t.Holder(t.Point(1, 2)), tain.convert({"<i>": [1, 2]}), t.Point.__new__(t.Point)):
        assert value._repr_html_() == tain.to_html(value)
    assert "... 900 more" in tain.convert(list(range(1000)))._repr_html_()


def test_keys_are_completed() -> None:
    made = tain.convert({"a": 1, "b": 2})
    assert made._ipython_key_completions_() == ["a", "b"]
    assert tain.Dict({1: 2})._ipython_key_completions_() == [1]
    assert not hasattr(t.Point(1), "_ipython_key_completions_")


# ---------------------------------------------------------------- what a repr raises


class Raises:
    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __repr__(self) -> str:
        raise self.error("in a repr")


def holders(value: object) -> list[object]:
    node = t.Node(1)
    node.payload = value
    return [
        tain.List([1, value]),
        tain.Array([value]),
        tain.Dict({"a": value}),
        tain.Map({1: [{2: value}]}),
        node,
        tain.List([node]),
    ]


STOPS = [KeyboardInterrupt, SystemExit, GeneratorExit, BaseException]


@pytest.mark.parametrize("error", [*STOPS, ValueError, RecursionError, MemoryError])
@pytest.mark.parametrize("show", [repr, str, "{}".format])
def test_what_a_repr_raises_comes_out(error: type[BaseException], show) -> None:
    for holder in holders(Raises(error)):
        with raises(error, "in a repr") as caught:
            show(holder)
        assert type(caught.value) is error
    assert repr(tain.List([1])) == "[1]"


HIDDEN = "<unprintable Raises object>"


MESSAGES = [  # (what is done with the value, the text of the TypeError)
    (get("echo_int64"), f"testing.echo_int64: argument x: expected int, got Raises ({HIDDEN})"),
    (
        lambda x: get("echo_array_int")([1, x]),
        f"testing.echo_array_int: argument x[1]: expected int, got Raises ({HIDDEN})",
    ),
    (
        lambda x: get("echo_array_int")([[x]]),
        f"testing.echo_array_int: argument x[0]: expected int, got list ([{HIDDEN}])",
    ),
    (get("kind"), kind_text("Raises", f"Raises ({HIDDEN})")),
    (lambda x: get("kind")({1: x}), kind_text("dict", f"dict ({{1: {HIDDEN}}})")),
    (t.Point, f"testing.Point: argument x: expected float, got Raises ({HIDDEN})"),
    (
        lambda x: setattr(t.Point(1, 2), "x", x),
        f"Point.x: expected float, got Raises ({HIDDEN})",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("act", "text"), MESSAGES, ids=range(len(MESSAGES)))
def test_a_message_does_not_swallow_what_asks_to_stop(act, text: str) -> None:
    with raises(TypeError, text):
        act(Raises(ValueError))
    for error in STOPS:
        with raises(error, "in a repr") as caught:
            act(Raises(error))
        assert type(caught.value) is error
