# SPDX-License-Identifier: Apache-2.0
"""Access paths: text, prefixes, the value at a place, copies with another value there."""

from __future__ import annotations

import copy
import enum
import pickle
from typing import Any

import interpreter
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from tain.types.testing import Coin
from tain.types.testing.save import Mood

import tain

Path = tain.AccessPath


@tain.py_class("pathtest.Node")
class Node(tain.Object):
    value: Any = None
    body: Any = None
    count: int = 0


class Marked(Node):
    """A Python subclass with state of its own."""

    mark: str = "none"


TEXTS = [
    ("", "<root>"),
    ("<root>", "<root>"),
    (".body", "<root>.body"),
    ('.body[3].value["k"]', '<root>.body[3].value["k"]'),
    ("['it\\'s']", '<root>["it\'s"]'),
    (r'["\x41\u00e4\U0001F600\n\\"]', '<root>["Aä\U0001f600\\n\\\\"]'),
    ("[-1][+1.5]"[:4], "<root>[-1]"),
    ("[1.5][True][False][None]", "<root>[1.5][True][False][None]"),
    ("[b'a\\xff']", "<root>[b'a\\xff']"),
    ("[1e+16][inf][-inf][nan]", "<root>[1e+16][inf][-inf][nan]"),
    ('."odd name".größe', '<root>."odd name".größe'),
    ('["]"]', '<root>["]"]'),
    ("[[1, 'a', [2.5, None], b'b']]", "<root>[[1, \"a\", [2.5, None], b'b']]"),
    ("[[]][()][(1,)][(2, 3)]", "<root>[[]][()][(1,)][(2, 3)]"),
    ("[(1, 'a')]", '<root>[[1, "a"]]'),
]


@pytest.mark.parametrize(("text", "printed"), TEXTS)
def test_a_path_prints_as_it_is_read(text: str, printed: str) -> None:
    path = Path.parse(text)
    assert str(path) == printed
    again = Path.parse(printed)
    assert str(again) == printed
    assert "nan" in text or (again == path and hash(again) == hash(path))


KEY = "an int, a float, a quoted text, b'...', True, False, None or a sequence of these"
MISTAKES = [
    ("body", "'.' or '[' at position 0, got 'body'"),
    (".", "the name of an attribute at position 1, got the end"),
    (".3", "the name of an attribute at position 1, got '3'"),
    ('.""', "the name of an attribute at position 1, got '\"\"'"),
    (".a[", f"{KEY} at position 3, got the end"),
    (".ä[x]", f"{KEY} at position 3, got 'x]'"),
    ("[1", "']' at position 2, got the end"),
    ("[1 ]", f"{KEY} at position 1, got '1 ]'"),
    ('["a]', "a closing quote at position 1, got '\"a]'"),
    (r'["\q"]', "an escape of Python at position 2, got '\\\\q\"]'"),
    (r'["\ud800"]', "an escape of Python at position 2, got '\\\\ud800\"]'"),
    (r'["\x4', "an escape of Python at position 2, got '\\\\x4'"),
    ("[99999999999999999999]", "an int of 64 bits at position 1, got '99999999999999999999'"),
    ("[[1", "', ' or ']' at position 3, got the end"),
    ("[(1,2)]", "', ' or ')' at position 4, got '2)]'"),
    ("[[1, ]]", f"{KEY} at position 5, got ']]'"),
    ("[[,]]", f"{KEY} at position 2, got ',]]'"),
    ("[" * 40, f"a sequence that is nested less deeply at position 21, got '{'[' * 19}'"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_a_mistake_is_shown_with_its_position(text: str, expected: str) -> None:
    with raises(ValueError, f"AccessPath.parse: expected {expected}"):
        Path.parse(text)


def test_steps_and_parents() -> None:
    path = Path().attr("body").item(3).key("k").key(7)
    assert [(step.kind, step.value) for step in path] == [
        ("attr", "body"),
        ("index", 3),
        ("key", "k"),
        ("index", 7),
    ]
    assert [str(step) for step in path.steps] == [".body", "[3]", '["k"]', "[7]"]
    assert len(path) == 4 and len(Path()) == 0 and path[-1] == path.steps[3]
    assert str(path.parent) == '<root>.body[3]["k"]' and Path().parent is None
    assert list(iter(path)) == list(path.steps) and list(Path()) == []
    assert Path(path.steps) == path == Path.parse(str(path))
    with raises(IndexError, "AccessPath index 4 out of range for size 4"):
        path[4]


def test_prefixes() -> None:
    path = Path.parse(".a[1]")
    assert Path().is_prefix_of(path) and path.is_prefix_of(path)
    assert path.is_prefix_of(Path.parse(".a[1].b"))
    assert not path.is_prefix_of(Path.parse(".a"))
    assert not path.is_prefix_of(Path.parse(".a[2].b"))
    assert not Path.parse(".a").is_prefix_of(Path.parse('["a"]'))


def test_paths_are_values() -> None:
    path = Path.parse('.a[1]["k"]')
    assert {path: 1}[Path.parse(str(path))] == 1
    assert pickle.loads(pickle.dumps(path)) == path == copy.deepcopy(path)
    with pytest.raises(AttributeError):
        path.steps = ()  # type: ignore[misc]


def test_get() -> None:
    leaf = Node(5)
    root = Node(body=[Node(), {"k": leaf, 3: "three"}])
    assert Path().get(root) is root
    assert Path.parse('.body[1]["k"]').get(root) is leaf
    assert Path.parse(".body[1][3]").get(root) == "three"
    assert Path.parse('.body[1]["k"].value').get(root) == 5
    assert Path.parse("[1]").get([1, 2]) == 2


WRONG_PLACES = [
    (
        ".bodi",
        AttributeError,
        "<root>.bodi: pathtest.Node has no field 'bodi'.",
    ),
    (".body[2]", IndexError, "<root>.body[2]: List index 2 out of range for size 2"),
    (".body[-1]", IndexError, "<root>.body[-1]: List index -1 out of range for size 2"),
    ('.body["k"]', TypeError, '<root>.body["k"]: expected a map, got List'),
    ('.body[1]["x"]', KeyError, '<root>.body[1]["x"]: the map has no such key'),
    (".count.real", TypeError, "<root>.count.real: expected an object with fields, got int (0)"),
    (".count[0]", TypeError, "<root>.count[0]: expected a sequence or a map, got int (0)"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("text", "error", "message"), WRONG_PLACES)
def test_a_place_that_is_not_there(text: str, error: type[Exception], message: str) -> None:
    root = Node(body=tain.List([Node(), tain.Dict({"k": 1})]))
    for use in (lambda p: p.get(root), lambda p: p.set_copy(root, 1)):
        with pytest.raises(error) as caught:
            use(Path.parse(text))
        assert caught.value.args[0].startswith(message)


def test_set_copy_shares_the_rest() -> None:
    other, old = Node(1), Marked(2)
    old.mark = "mine"
    root = Node(body=tain.List([other, tain.Dict({"k": old, "l": other})]))
    made = Path.parse('.body[1]["k"].value').set_copy(root, 7)
    assert made.body[1]["k"].value == 7 and old.value == 2
    assert made.body[0] is other and made.body[1]["l"] is other
    assert type(made.body) is tain.List and type(made.body[1]) is tain.Dict
    assert type(made.body[1]["k"]) is Marked and made.body[1]["k"].mark == "mine"
    assert made is not root and root.body[1]["k"] is old
    assert Path().set_copy(root, 3) == 3


@pytest.mark.bad_input
def test_set_copy_of_a_value_that_does_not_fit() -> None:
    with raises(TypeError, "pathtest.Node.count: expected int, got str ('x')"):
        Path.parse(".count").set_copy(Node(), "x")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: Path().attr(""),
            ValueError,
            "AccessStep.value: the name of an attribute is empty",
        ),
        (
            lambda: tain.types.ffi.AccessStep("at", 1),
            ValueError,
            "AccessStep.kind: expected 'attr', 'index' or 'key', got str ('at')",
        ),
        (
            lambda: tain.types.ffi.AccessStep("index", "a"),
            TypeError,
            "AccessStep.value: expected int for an index, got str ('a')",
        ),
        (
            lambda: tain.types.ffi.AccessStep("attr", 1),
            TypeError,
            "AccessStep.value: expected str for an attribute, got int (1)",
        ),
    ],
)
def test_bad_steps(make: Any, error: type[Exception], message: str) -> None:
    with raises(error, message):
        make()


@pytest.mark.slow
def test_a_path_of_a_million_steps() -> None:
    size = 100_000 if interpreter.DEBUG else 1_000_000  # copying a link takes 0.3 ms there
    path = Path.parse(".value" * size)
    assert len(path) == size and path.is_prefix_of(path) and path == Path(path.steps)
    assert hash(path) == hash(Path(path.steps)) and len(str(path)) == 6 + 6 * size
    node = Node("leaf")
    for _ in range(size - 1):
        node = Node(node)
    assert path.get(node) == "leaf"
    made = path.set_copy(node, "other")
    assert path.get(made) == "other" and path.get(node) == "leaf"
    with pytest.raises(TypeError) as caught:
        path.attr("value").get(node)
    assert len(str(caught.value)) < 400 and "..." in str(caught.value)


KEYS = st.one_of(
    st.text(max_size=8),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.binary(max_size=8),
    st.floats(allow_nan=False),
    st.none(),
)


class Colour(enum.Enum):
    RED = 1


# Keys of every kind that a map can have, and how a path shows them.
READ_KEYS = [
    ('a "b" c', r'["a \"b\" c"]'),
    ("it's", '["it\'s"]'),
    ("line\n\\", r'["line\n\\"]'),
    ("", '[""]'),
    (b"\xff'\"", r"""[b'\xff\'"']"""),
    (3, "[3]"),
    (-3, "[-3]"),
    (2.5, "[2.5]"),
    (3.0, "[3.0]"),
    (-0.0, "[-0.0]"),
    (float("inf"), "[inf]"),
    (float("nan"), "[nan]"),
    (True, "[True]"),
    (None, "[None]"),
    (Mood.BAD, "[1]"),
    ((1, "x"), '[[1, "x"]]'),
    (tain.Array([1, (2.5, (b"b", None))]), "[[1, [2.5, [b'b', None]]]]"),
    ((), "[[]]"),
    (tain.Shape((1, 2)), "[(1, 2)]"),
    (tain.Shape((1,)), "[(1,)]"),
]
SHOWN_KEYS = [
    (2**70, "[1180591620717411303424]", "an int of 64 bits"),
    (tain.dtype("int8"), "[dtype('int8')]", KEY),
    (tain.cpu(0), "[device('cpu:0')]", KEY),
    (Colour.RED, "[<Colour.RED: 1>]", KEY),
    (Coin(1, "EUR"), "[testing.Coin(amount=1.0, currency='EUR'", KEY),
    (tain.Map({1: 2}), "[{1: 2}]", KEY),
    (frozenset([1]), "[frozenset({1})]", KEY),
]


def same_key(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or (a != a and b != b))


@pytest.mark.parametrize(("key", "text"), READ_KEYS, ids=[text for _, text in READ_KEYS])
def test_keys_that_are_read_as_they_are_printed(key: Any, text: str) -> None:
    check_key(key, text)
    path, again = Path().key(key), Path.parse(text)
    assert str(again) == f"<root>{text}"
    assert same_key(path[0].value, again[0].value)
    assert key != key or (again == path and hash(again) == hash(path))
    graph = tain.Map({key: "here", "other": 1})
    assert again.get(graph) == "here"
    assert list(again.set_copy(graph, "new").values()) == ["new", 1]


@pytest.mark.parametrize(
    ("key", "text", "expected"), SHOWN_KEYS, ids=[text for _, text, _ in SHOWN_KEYS]
)
def test_keys_that_are_printed_only(key: Any, text: str, expected: str) -> None:
    path = check_key(key, text)
    with pytest.raises(ValueError) as caught:
        Path.parse(str(path))
    assert f"AccessPath.parse: expected {expected} at position 7" in str(caught.value)


def test_a_key_with_identity() -> None:
    node, other = Node(1), Node(1)
    path = check_key(node, "[Node(value=1, body=None, count=0)]")
    graph = tain.Map({other: 1})
    for use in (lambda: path.get(graph), lambda: path.set_copy(graph, 2)):
        with pytest.raises(KeyError, match="the map has no such key"):
            use()


def check_key(key: Any, text: str) -> Any:
    """Check the text, the value and the copy of the entry of a key; return its path."""
    for make in (tain.Map, tain.Dict):
        graph = Node(body=[make({"other": 0, key: Node("old")})])
        path = Path().attr("body").item(0).key(key).attr("value")
        shown = str(path)
        assert shown.startswith(f"<root>.body[0]{text}"[:60]) and shown.endswith("].value")
        assert path.get(graph) == "old"
        made = path.set_copy(graph, "new")
        assert path.get(made) == "new" and path.get(graph) == "old"
        assert type(made.body[0]) is make and len(made.body[0]) == 2
        # The difference of both graphs is at this place.
        found = tain.first_mismatch(graph, made)
        assert found is not None and str(found.path_a) == str(found.path_b)
        assert found.path_a.get(graph) == "old" and found.path_b.get(made) == "new"
        assert found.message.startswith(f"{found.path_a}: 'old' != 'new'")
    return Path().key(key)


def test_a_mismatch_shows_paths_as_they_are_printed() -> None:
    a, b = (Node(body=tain.List([0, {"k": Node(value)}])) for value in ("x", "y"))
    found = tain.first_mismatch(a, b)
    path = '<root>.body[1]["k"].value'
    assert found is not None
    assert repr(found) == (
        f"StructuralMismatch(path_a={path}, path_b={path}, a='x', b='y', message={found.message!r})"
    )
    root = tain.first_mismatch(1, "1")
    assert repr(root).startswith("StructuralMismatch(path_a=<root>, path_b=<root>, a=1, b='1', ")


@given(st.lists(st.one_of(st.text(min_size=1, max_size=8).map(lambda t: (".", t)), KEYS)))
def test_every_path_is_read_as_it_is_printed(steps: list[Any]) -> None:
    path = Path()
    for step in steps:
        path = path.attr(step[1]) if isinstance(step, tuple) else path.key(step)
    again = Path.parse(str(path))
    assert again == path
    assert [(s.kind, type(s.value)) for s in again] == [(s.kind, type(s.value)) for s in path]


@given(st.text(alphabet=".[]\"'\\bx0aA_-+eäinfT", max_size=20))
@pytest.mark.bad_input
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        path = Path.parse(text)
    except ValueError:
        return
    assert str(Path.parse(str(path))) == str(path)
