# SPDX-License-Identifier: Apache-2.0
"""Graphs as text: tain.show and tain.to_text."""

from __future__ import annotations

import enum
import gc
import io
import os
import subprocess
import sys
from typing import Any

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Labelled(t.Point):
    """A subclass with attributes and a slot."""

    __slots__ = ("slot",)


class More(Labelled):
    """It has a dict."""


class Shade(enum.Enum):
    DARK = 1


def labelled() -> More:
    made = More(1, 2)
    made.slot = b"\x00"
    made.note = "a note"
    return made


def shared() -> Any:
    point = t.Point(1, 2)
    return tain.Dict({"a": point, "b": [point, t.Holder(point)]})


def ring_of_containers() -> Any:
    made = tain.List([1])
    made.append({"self": made})
    return made


def raising(error: BaseException) -> object:
    class Raises:
        def __repr__(self) -> str:
            raise error

    return Raises()


def vase() -> Any:
    made = t.Exhibit("vase")
    made.fragile = -2
    return made


def add(a, b="x"):  # type: ignore[no-untyped-def]
    return a + len(b)


GOLDEN: dict[str, tuple[Any, str]] = {
    "an object": (
        lambda: t.Holder(t.Point(1, 2)),
        """\
Holder
  point: Point
    x: float = 1.0
    y: float = 2.0""",
    ),
    "attributes of a Python subclass": (
        labelled,
        """\
More
  .slot: bytes = b'\\x00'
  .note: str = 'a note'
  x: float = 1.0
  y: float = 2.0""",
    ),
    "shared parts": (
        shared,
        """\
Dict (2)
  ['a']: Point #1
    x: float = 1.0
    y: float = 2.0
  ['b']: Array (2)
    [0]: Point #1 ...
    [1]: Holder
      point: Point #1 ...""",
    ),
    "a ring": (
        lambda: get("make_ring")(2),
        """\
Node #1
  value: int = 0
  next: Node
    value: int = 1
    next: Node #1 ...
    items: List (0)
    payload: None
    callback: None
  items: List (0)
  payload: None
  callback: None""",
    ),
    "containers that contain themselves": (
        ring_of_containers,
        """\
List (2) #1
  [0]: int = 1
  [1]: Map (1)
    ['self']: List (2) #1 ...""",
    ),
    "long containers": (
        lambda: tain.Dict({"long": list(range(1000)), "empty": {}}),
        """\
Dict (2)
  ['long']: Array (1000)
    [0]: int = 0
    [1]: int = 1
    [2]: int = 2
    [3]: int = 3
    [4]: int = 4
    [5]: int = 5
    [6]: int = 6
    [7]: int = 7
    [8]: int = 8
    [9]: int = 9
    ... 990 more
  ['empty']: Map (0)""",
    ),
    "long texts": (
        lambda: ["x" * 81, b"y" * 10**6, "z" * 80],
        f"""\
list (3)
  [0]: str = '{"x" * 80}'...
  [1]: bytes = b'{"y" * 80}'...
  [2]: str = '{"z" * 80}'""",
    ),
    "keys with parts": (
        lambda: tain.Map({t.Point(1, 2): 3}),
        """\
Map (1)
  [Point 0]: Entry
    key: Point
      x: float = 1.0
      y: float = 2.0
    value: int = 3""",
    ),
    "a field that cannot be read, hidden ones": (
        vase,
        """\
Exhibit
  name: str = 'vase'
  fragile: <reading raised ValueError: broken: -2>
  part: None
  place: int = 0""",
    ),
    "a repr that raises": (
        lambda: tain.Array([raising(ValueError("no\n")), raising(RecursionError())]),
        """\
Array (2)
  [0]: Raises = <repr raised ValueError: no\\n>
  [1]: Raises = <repr raised RecursionError>""",
    ),
    "values of Python": (
        lambda: [None, True, 2**70, 1.5, Shade.DARK, {1, 2}, (1,), {"k": [2]}, t.Color.RED],
        """\
list (9)
  [0]: None
  [1]: bool = True
  [2]: int = 1180591620717411303424
  [3]: float = 1.5
  [4]: Shade = DARK
  [5]: set = {1, 2}
  [6]: tuple (1)
    [0]: int = 1
  [7]: dict (1)
    ['k']: list (1)
      [0]: int = 2
  [8]: Color = RED""",
    ),
    "values of tain": (
        lambda: [
            tain.Shape((1, 2)),
            tain.cpu(1),
            tain.dtype("int8"),
            get("make_ring"),
            tain.convert(add),
            tain.Function(lambda *rest: 1),
        ],
        """\
list (6)
  [0]: Shape = (1, 2)
  [1]: Device = device('cpu:1')
  [2]: dtype = dtype('int8')
  [3]: Function = make_ring(n: int) -> tain.types.testing.Node
  [4]: Function = add(a, b='x')
  [5]: Function = <lambda>(*rest)""",
    ),
    "an empty wrapper": (
        lambda: t.Point.__new__(t.Point),
        "Point = <tain.types.testing.Point: empty>",
    ),
    "nothing": (lambda: None, "None"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_lines(name: str) -> None:
    make, text = GOLDEN[name]
    assert tain.to_text(make()) == text


def test_enums_of_fields() -> None:
    lines = tain.to_text(t.AllKinds()).splitlines()
    assert "  color: Color = RED" in lines
    assert "  mode: Mode = FAST" in lines


def test_tensors_are_abbreviated() -> None:
    import numpy as np

    lines = tain.to_text(
        [
            tain.tensor(np.arange(1000, dtype="float32").reshape(10, 100)),
            tain.tensor(np.array([[1, 2], [3, 4]], dtype="int8")),
            tain.tensor(np.zeros((0, 3))),
        ]
    )
    assert (
        lines
        == """\
list (3)
  [0]: Tensor = float32[10, 100] on cpu:0: 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, ...
  [1]: Tensor = int8[2, 2] on cpu:0: 1, 2, 3, 4
  [2]: Tensor = float64[0, 3] on cpu:0"""
    )


def test_a_moved_object_and_its_attributes() -> None:
    made = labelled()
    del made.slot
    empty = t.Point(1, 2)
    get("keep")(empty._move())
    get("drop_kept")()
    assert tain.to_text([empty]).splitlines()[1].startswith("  [0]: Point = <")
    bare = More.__new__(More)
    bare.note = 1
    assert tain.to_text(bare) == "More\n  .note: int = 1"


# ---------------------------------------------------------------- limits


def test_everything_without_a_limit() -> None:
    value = tain.convert({"long": list(range(1000)), "text": "x" * 1000})
    lines = tain.to_text(value, limit=None).splitlines()
    assert len(lines) == 1003
    assert lines[-1] == f"  ['text']: str = '{'x' * 1000}'"


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 7, 10, 20, 50, 99, 100, 1000])
def test_a_limit_is_kept_and_used(limit: int) -> None:
    for value, least in (
        (get("make_tree")(9), 0.5),
        (get("make_chain")(500), 0.5),
        (get("make_ring")(40), 0.5),
        (tain.convert([[[i] * 30] * 30 for i in range(30)]), 0.5),
    ):
        lines = tain.to_text(value, limit=limit).splitlines()
        assert len(lines) <= limit
        if limit >= 10:
            assert len(lines) >= min(limit, 150) * least


def test_one_large_part_does_not_hide_the_others() -> None:
    tree = get("make_tree")(12)
    lines = tain.to_text(tree, limit=60).splitlines()
    assert [line for line in lines if line.startswith("  ") and line[2] != " "] == [
        "  left: Tree",
        "  right: Tree",
        "  value: int = 12",
    ]
    half = lines.index("  right: Tree")
    assert 20 <= half <= 40


def test_limited_output_reads_no_more_than_it_shows() -> None:
    """A part beyond the limit is not read: here reading it would raise, and be seen."""
    chain = get("make_chain")(10**6)
    assert len(tain.to_text(chain).splitlines()) <= 100
    read = []

    class Counts(t.Point):
        def __repr__(self) -> str:
            read.append(self)
            return "never"

    assert "never" not in tain.to_text(tain.List([Counts(1, 2)] * 1000))
    assert read == []


def test_depth() -> None:
    value = tain.convert({"a": {"b": {"c": 1}}, "d": 2})
    assert tain.to_text(value, depth=0) == "Map (2) ..."
    assert tain.to_text(value, depth=1) == "Map (2)\n  ['a']: Map (1) ...\n  ['d']: int = 2"
    assert tain.to_text(value, depth=3) == tain.to_text(value)


def test_deep_lines_say_how_deep_they_are() -> None:
    nested: Any = 1
    for _ in range(50):
        nested = [nested]
    lines = tain.to_text(nested).splitlines()
    assert lines[40] == f"{'  ' * 40}[0]: list (1)"
    assert lines[41] == f"{'  ' * 40}+1 [0]: list (1)"
    assert lines[50] == f"{'  ' * 40}+10 [0]: int = 1"


def test_a_long_chain_without_a_limit() -> None:
    lines = tain.to_text(get("make_chain")(20_000), limit=None).splitlines()
    assert len(lines) == 100_001
    assert lines[-3:] == ["  items: List (0)", "  payload: None", "  callback: None"]


# ---------------------------------------------------------------- printing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


COLORED = "\x1b[1mHolder\x1b[0m\n  \x1b[36mpoint\x1b[0m: \x1b[1mPoint\x1b[0m\x1b[2m ...\x1b[0m\n"
PLAIN = "Holder\n  point: Point ...\n"


@pytest.mark.parametrize(
    ("file", "color", "no_color", "expected"),
    [
        (Terminal, None, "", COLORED),
        (Terminal, None, "1", PLAIN),
        (Terminal, True, "1", COLORED),
        (Terminal, False, "", PLAIN),
        (io.StringIO, None, "", PLAIN),
        (io.StringIO, True, "", COLORED),
    ],
)
def test_colors(file: Any, color: bool | None, no_color: str, expected: str, monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    out = file()
    assert tain.show(t.Holder(t.Point(1, 2)), depth=1, file=out, color=color) is None
    assert out.getvalue() == expected


def test_dumb_terminals_get_no_colors(monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "dumb")
    out = Terminal()
    tain.show(1, file=out)
    assert out.getvalue() == "int = 1\n"


def test_the_text_with_colors_is_the_text() -> None:
    import re

    for make, text in GOLDEN.values():
        colored = tain.to_text(make(), color=True)
        assert re.sub(r"\x1b\[\d*m", "", colored) == text


def test_show_prints_to_the_standard_output(capsys, monkeypatch) -> None:
    tain.show(1)
    assert capsys.readouterr().out == "int = 1\n"
    monkeypatch.setattr(sys, "stdout", None)
    tain.show(1)


def test_a_file_gets_what_it_can_encode() -> None:
    for encoding, text in (("ascii", "str = '\\xe9\\u20ac'\n"), ("utf-8", "str = 'é€'\n")):
        raw = io.BytesIO()
        file = io.TextIOWrapper(raw, encoding=encoding)
        tain.show("é€", file=file)
        file.flush()
        assert raw.getvalue().decode(encoding) == text


def test_a_terminal_in_a_process_of_its_own() -> None:
    import pty

    mine, its = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    code = "import tain; tain.show([1])"
    subprocess.run([sys.executable, "-c", code], stdout=its, env=environment, check=True)
    os.close(its)
    shown = os.read(mine, 1000)
    os.close(mine)
    assert shown.startswith(b"\x1b[1mlist\x1b[0m")


# ---------------------------------------------------------------- bad input


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["show", "to_text", "to_html"])
def test_wrong_limits(name: str) -> None:
    function = getattr(tain, name)
    with raises(TypeError, f"{name}: argument limit: expected int or None, got str ('x')"):
        function(1, limit="x")
    with raises(TypeError, f"{name}: argument limit: expected int or None, got bool (True)"):
        function(1, limit=True)
    with raises(ValueError, f"{name}: argument limit: expected at least 1, got 0"):
        function(1, limit=0)
    with raises(ValueError, f"{name}: argument depth: expected at least 0, got -1"):
        function(1, depth=-1)
    assert function(1, limit=10**30) is None or name != "show"


@pytest.mark.bad_input
def test_a_wrong_file() -> None:
    with raises(
        TypeError, "show: argument file: expected an object with a method write, got int (3)"
    ):
        tain.show(1, file=3)
    closed = io.StringIO()
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        tain.show(1, file=closed)


@pytest.mark.bad_input
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_asks_to_stop_stops(error: type[BaseException]) -> None:
    for show in (tain.to_text, tain.to_html, tain.to_dot, tain.to_mermaid):
        with pytest.raises(error):
            show(tain.List([raising(error())]))


@pytest.mark.bad_input
def test_names_that_would_break_lines_or_terminals() -> None:
    made = labelled()
    setattr(made, "a\nb\x1b[2J\u202e", "c\nd")
    vars(made)[3] = "a key that is no str"
    made.cls = type("X\n\x1bY", (), {"__repr__": lambda self: "\x1b[31m\r\nred"})()
    lines = tain.to_text(made).splitlines()
    assert "  .a\\nb\\x1b[2J\\u202e: str = 'c\\nd'" in lines
    assert "  .3: str = 'a key that is no str'" in lines
    assert "  .cls: X\\n\\x1bY = \\x1b[31m red" in lines
    assert all(line.isprintable() for line in lines)


class Liar:
    """Says that it is a Point."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return t.Point

    def __eq__(self, other: object) -> bool:
        raise ValueError("no")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "liar"


class NoDict(t.Point):
    """Its __dict__ raises."""

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise ValueError("no")


class NoString:
    def __repr__(self) -> Any:
        return 3


class Meta(type):
    def __instancecheck__(cls, value: object) -> bool:
        raise ValueError("no")

    def __getattribute__(cls, name: str) -> Any:
        raise ValueError("no")


class Odd(metaclass=Meta):
    def __repr__(self) -> str:
        return "odd"


class BadError(Exception):
    def __str__(self) -> str:
        raise ValueError("no")


@pytest.mark.bad_input
def test_classes_that_lie_or_fail() -> None:
    value = [Liar(), NoDict(1, 2), NoString(), Odd(), raising(BadError())]
    with pytest.raises(TypeError) as caught:
        repr(NoString())
    assert (
        tain.to_text(value)
        == f"""\
list (5)
  [0]: Liar = liar
  [1]: NoDict
    .__dict__: <reading raised ValueError: no>
    x: float = 1.0
    y: float = 2.0
  [2]: NoString = <repr raised TypeError: {caught.value}>
  [3]: Odd = odd
  [4]: Raises = <repr raised BadError>"""
    )
    assert not tain.diff(value, value)
    lines = tain.to_text([10**5000]).splitlines()
    assert lines[1].startswith("  [0]: int = <repr raised ValueError: Exceeds the limit")
    assert "liar" in tain.to_dot(value) and "liar" in tain.to_html(value)


@pytest.mark.bad_input
def test_graphs_that_change_while_they_are_shown() -> None:
    grown = tain.List([])
    table = tain.Dict({})
    native: dict[Any, Any] = {}

    class Acts:
        def __repr__(self) -> str:
            grown.append(Acts())
            table[len(table)] = 1
            native[len(native)] = [Acts()]
            for container in (grown, table, native):
                if len(container) > 50:
                    container.clear()
            return "acted"

    for container in (grown, table, native):
        container.clear()
    grown.extend([Acts(), table, native, Acts()])
    table.update({"a": Acts(), "b": grown, "c": native})
    native.update({"a": grown, "b": [Acts(), table]})
    for show in (tain.to_text, tain.to_html, tain.to_dot, tain.to_mermaid):
        for limit in (10, 1000):
            assert "acted" in show(grown, limit=limit)
            assert "acted" in show(native, limit=limit)
            grown.extend([Acts(), table, native])
            native["x"] = [Acts()]
    str(tain.diff(grown, tain.List([Acts(), native])))
    for container in (grown, table, native):
        container.clear()
    gc.collect()  # the class, which held the containers; the second one frees them


@pytest.mark.bad_input
def test_an_object_that_is_dying() -> None:
    shown = []

    class Dying(t.Point):
        def __del__(self) -> None:
            shown.append(tain.to_text(self))

    made = Dying(1, 2)
    made.note = "last"
    del made
    assert shown == ["Dying\n  .note: str = 'last'\n  x: float = 1.0\n  y: float = 2.0"]


@pytest.mark.bad_input
def test_a_repr_that_moves_the_object_away() -> None:
    point = t.Point(1, 2)

    class Moves:
        def __repr__(self) -> str:
            get("keep")(point._move())
            get("drop_kept")()
            return "moved"

    lines = tain.to_text([Moves(), point]).splitlines()
    assert lines[1] == "  [0]: Moves = moved"
    assert lines[2].startswith("  [1]: Point")
