# SPDX-License-Identifier: Apache-2.0
"""Two graphs side by side: tain.diff."""

from __future__ import annotations

import copy
import gc
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tain.types.testing.save import Mood
from testing_functions import get

import tain
from tain.types import testing as t

NAN = float("nan")
MISSING = tain.Diff.missing


class Labelled(t.Point):
    pass


def labelled(**attributes: Any) -> Labelled:
    made = Labelled(1, 2)
    vars(made).update(attributes)
    return made


def exhibit(**fields: Any) -> Any:
    made = t.Exhibit("vase")
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def tree() -> Any:
    return get("make_tree")(3)


def changed_tree() -> Any:
    made = tree()
    made.left.right.value = 7
    return made


CASES: dict[str, tuple[Any, Any, list[tuple[str, Any, Any]]]] = {
    "equal objects": (t.Point(1, 2), t.Point(1, 2), []),
    "a field": (t.Point(1, 2), t.Point(1, 3), [("<root>.y", 2.0, 3.0)]),
    "a deep field": (tree(), changed_tree(), [("<root>.left.right.value", 1, 7)]),
    "attributes": (
        labelled(a=1, b=2),
        labelled(b=3, c=4),
        [("<root>.a", 1, MISSING), ("<root>.b", 2, 3), ("<root>.c", MISSING, 4)],
    ),
    "an ignored and a hidden field": (exhibit(), exhibit(place=3, secret=4), []),
    "a field that cannot be read": (exhibit(fragile=-1), exhibit(fragile=-1), []),
    "the roots": (1, "x", [("<root>", 1, "x")]),
    "types": ([1, 0], [1.0, False], [("<root>[0]", 1, 1.0), ("<root>[1]", 0, False)]),
    "nan": ([NAN, 0.5], [float("nan"), 0.5], []),
    "an insertion": (list("abc"), list("xabc"), [("<root>[0]", MISSING, "x")]),
    "a removal": (tain.List([1, 2, 3]), tain.List([1, 3]), [("<root>[1]", 2, MISSING)]),
    "an insertion among equal objects": (
        tain.Array([t.Point(1, 2), t.Point(3, 4)]),
        tain.Array([t.Point(1, 2), t.Point(9, 9), t.Point(3, 4)]),
        [("<root>[1]", MISSING, t.Point(9, 9))],
    ),
    "changed elements": ([1, 2, 3], [1, 7, 3], [("<root>[1]", 2, 7)]),
    "entries": (
        tain.Dict({"a": 1, "b": 2}),
        tain.Dict({"b": 3, "c": 4}),
        [('<root>["a"]', 1, MISSING), ('<root>["b"]', 2, 3), ('<root>["c"]', MISSING, 4)],
    ),
    "entries in another order": (tain.Map({"a": 1, "b": 2}), tain.Map({"b": 2, "a": 1}), []),
    "keys with parts": (
        tain.Map({t.Point(1, 2): 1, t.Point(3, 4): 2}),
        tain.Map({t.Point(3, 4): 2, t.Point(1, 2): 5}),
        [("<root>[testing.Point(x=1.0, y=2.0)]", 1, 5)],
    ),
    "empty containers": (tain.List([]), tain.List([]), []),
    "a container and an empty one": (tain.List([]), tain.List([1]), [("<root>[0]", MISSING, 1)]),
    "None": (t.Holder(t.Point(1, 2)), None, [("<root>", t.Holder(t.Point(1, 2)), None)]),
}


def plain(value: Any) -> Any:
    """Return what can be compared with ==."""
    return tain.to_text(value) if isinstance(value, tain.Object) else value


@pytest.mark.parametrize("name", CASES)
def test_changes(name: str) -> None:
    left, right, expected = CASES[name]
    found = tain.diff(left, right)
    changes = [(str(path), plain(a), plain(b)) for path, a, b in found.changes]
    assert changes == [(path, plain(a), plain(b)) for path, a, b in expected]
    assert bool(found) is bool(expected)
    assert len(found) == len(expected)
    back = tain.diff(right, left)
    assert len(back) == len(expected)
    for value in (left, right):
        assert not tain.diff(value, value)
        assert str(tain.diff(value, value)) == "no differences"


TEXTS = [
    (
        t.Point(1, 2),
        t.Point(1, 3),
        """\
Point              Point
  y: float = 2.0 !   y: float = 3.0
  ... 1 equal        ... 1 equal""",
    ),
    (1, 2, "int = 1 ! int = 2"),
    (
        tain.Dict({"k": [1, 2, t.Point(1, 2)], "same": t.Point(1, 1), "gone": [1]}),
        tain.Dict({"k": [1, t.Point(1, 3), 4], "same": t.Point(1, 1), "new": {"a": 1}}),
        """\
Dict (3)                       Dict (3)
  ['k']: Array (3)               ['k']: Array (3)
    [1]: int = 2             !     [1]: Point(x=1.0, y=3.0)
    [2]: Point(x=1.0, y=2.0) !     [2]: int = 4
    ... 1 equal                    ... 1 equal
  ['gone']: Array (1)        <
                             >   ['new']: Map (1)
  ... 1 equal                    ... 1 equal""",
    ),
    (
        {"long": "x" * 70, "e": 1},
        {"long": "y" * 70, "e": 1},
        f"""\
{"dict (2)":66}   dict (2)
  ['long']: str = '{"x" * 44}... ! """
        f"""  ['long']: str = '{"y" * 44}...
{"  ... 1 equal":66}     ... 1 equal""",
    ),
]


@pytest.mark.parametrize(("left", "right", "text"), TEXTS, ids=range(len(TEXTS)))
def test_side_by_side(left: Any, right: Any, text: str) -> None:
    assert str(tain.diff(left, right)) == text


def test_reprs() -> None:
    one, two = tain.diff(1, 2), tain.diff([1, 2], [3, 4])
    assert (repr(one), repr(two)) == ("<tain.Diff: 1 difference>", "<tain.Diff: 2 differences>")
    assert repr(tain.diff(1, 1)) == "<tain.Diff: 0 differences>"
    (change,) = one.changes
    assert repr(change) == "<<root>: int = 1 != int = 2>"
    assert isinstance(change, tain.Change)
    assert repr(MISSING) == "<missing>"


def test_where_only_one_part_differs_the_line_has_the_path_to_it() -> None:
    lines = str(tain.diff(tree(), changed_tree())).splitlines()
    assert lines[1].split(" ! ")[0].strip() == "left.right.value: int = 1"


def test_shared_parts_are_reported_once() -> None:
    def graph(value: int) -> Any:
        part = [value]
        return {"a": part, "b": part, "c": [part, 1]}

    found = tain.diff(graph(1), graph(2))
    assert [str(path) for path, _, _ in found.changes] == ['<root>["a"][0]']
    assert "(as above)" in str(found) or str(found).count("int = 1") == 1


def test_sharing_makes_no_difference() -> None:
    point = t.Point(1, 2)
    assert not tain.diff([point, point], [t.Point(1, 2), t.Point(1, 2)])


def test_cycles() -> None:
    assert not tain.diff(get("make_ring")(1), get("make_ring")(1))
    found = tain.diff(get("make_ring")(2), get("make_ring")(3))
    assert [(str(path), left, right) for path, left, right in found.changes] == [
        ("<root>.next.next.value", 0, 2),
        ("<root>.next.next.next.value", 1, 0),
        ("<root>.next.next.next.next.value", 0, 1),
        ("<root>.next.next.next.next.next.value", 1, 2),
    ]
    ring = tain.List([1])
    ring.append(ring)
    again = tain.List([1])
    again.append(tain.List([1, again]))
    assert not tain.diff(ring, again)
    again.append(2)
    assert tain.diff(ring, again)


def test_tensors() -> None:
    import numpy as np

    ones = tain.tensor(np.ones((2, 2)))
    assert not tain.diff([ones], [tain.tensor(np.ones((2, 2)))])
    for other in (np.zeros((2, 2)), np.ones(4), np.ones((2, 2), dtype="float32")):
        assert len(tain.diff([ones], [tain.tensor(other)])) == 1


ARRAYS: list[Callable[[], Any]] = [
    lambda: np.array([1.0, 2.0]),
    lambda: np.array([1.0, 3.0]),
    lambda: np.array([1.0, 2.0], dtype="float32"),
    lambda: np.array([[1.0, 2.0]]),
    lambda: np.array([1.0, 2.0], dtype=">f8"),
    lambda: np.arange(8.0)[::4],
    lambda: np.array([NAN]),
    lambda: np.array([0.0]),
    lambda: np.array([-0.0]),
    lambda: np.array(3.0),
    lambda: np.array(["a"]),
    lambda: np.array(["b"]),
    lambda: np.array(["NaT"], dtype="M8[D]"),
    lambda: np.array([None, [1, np.ones(2)]], dtype=object),
    lambda: np.array([None, [1, np.zeros(2)]], dtype=object),
    lambda: np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
    lambda: np.ma.array([1, 2], mask=[0, 1]),
    lambda: np.ma.array([1, 2], mask=[0, 0]),
    lambda: np.ones(2, dtype=np.longdouble),
    lambda: np.float32(0.0),
    lambda: np.float32(-0.0),
    lambda: np.float32(NAN),
    lambda: np.complex64(complex(NAN, 1)),
    lambda: np.longdouble(NAN),
    lambda: np.longdouble(1),
    lambda: np.datetime64("NaT", "Y"),
    lambda: np.datetime64("2020"),
    lambda: np.int64(1),
]


def test_arrays_of_numpy_are_equal_by_shape_dtype_and_elements() -> None:
    for one, left in enumerate(ARRAYS):
        for other, right in enumerate(ARRAYS):
            assert bool(tain.diff(left(), right())) is (one != other), (left(), right())
            assert bool(tain.diff([1, left()], [1, right()])) is (one != other)


def test_a_copy_is_equal() -> None:
    for value in (tree(), exhibit(part=[1, {"a": t.Point(1, 2)}]), labelled(a=[1], b=(1, 2))):
        assert not tain.diff(value, copy.deepcopy(value))


def test_a_path_leads_to_the_difference() -> None:
    left, right = tree(), changed_tree()
    (change,) = tain.diff(left, right).changes
    assert change.path == tain.AccessPath.parse(".left.right.value")
    assert (change.path.get(left), change.path.get(right)) == (1, 7)
    assert not tain.diff(change.path.set_copy(left, change.right), right)
    left, right = tain.Dict({"a": [1, {2: 3}]}), tain.Dict({"a": [1, {2: t.Point(1, 2)}]})
    (change,) = tain.diff(left, right).changes
    assert str(change.path) == '<root>["a"][1][2]'
    assert change.path.get(left) == 3 and change.path.get(right) is change.right
    made = labelled()
    setattr(made, "odd name", 1)
    made.__dict__[3] = 2
    paths = [str(path) for path, _, _ in tain.diff(made, labelled()).changes]
    assert paths == ['<root>."odd name"', '<root>."3"']


def test_functions() -> None:
    assert not tain.diff([get("keep")], [get("keep")])
    assert tain.diff([get("keep")], [get("kept")])


def test_deep_graphs() -> None:
    left, right = get("make_chain")(20_000), get("make_chain")(20_000)
    assert not tain.diff(left, right)
    node = right
    for _ in range(15_000):
        node = node.next
    node.value = -1
    found = tain.diff(left, right)
    (change,) = found.changes
    assert str(change.path) == "<root>" + ".next" * 15_000 + ".value"
    assert (change.left, change.right) == (15_000, -1)
    lines = str(found).splitlines()
    assert len(lines) == 3
    assert all(len(line) < 140 for line in lines)


def test_many_changes() -> None:
    left, right = get("make_chain")(5_000), get("make_chain")(5_000)
    node = right
    while node is not None:
        node.value += 1
        node = node.next
    found = tain.diff(left, right)
    assert len(found) == 5_000
    lines = str(found).splitlines()
    assert len(lines) == 201
    assert lines[-1].split() == ["...", "..."]


def test_long_sequences() -> None:
    left = list(range(10_000))
    right = [*left[:5000], -1, *left[5000:]]
    assert [(str(path), *sides) for path, *sides in tain.diff(left, right).changes] == [
        ("<root>[5000]", MISSING, -1)
    ]
    assert len(tain.diff(left, [value + 1 for value in left])) == 10_000


class Odd:
    """Comparing it fails, or answers nonsense."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "odd"


class NoBool:
    def __bool__(self) -> bool:
        raise ValueError("no")


@pytest.mark.bad_input
def test_comparisons_that_fail() -> None:
    for answer in (ValueError("no"), NoBool(), NotImplemented, None):
        (change,) = tain.diff([Odd(answer)], [Odd(answer)]).changes
        assert str(change.path) == "<root>[0]"
        assert str(tain.diff([Odd(answer)], [Odd(answer)]))
    with pytest.raises(KeyboardInterrupt):
        tain.diff([Odd(KeyboardInterrupt())], [Odd(KeyboardInterrupt())])


@pytest.mark.bad_input
def test_graphs_that_change_while_they_are_compared() -> None:
    left, right = tain.List([]), tain.List([])

    class Acts:
        def __eq__(self, other: object) -> bool:
            left.clear()
            right.append(1)
            return False

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            left.clear()
            right.append([1])
            return "acts"

    for _ in range(3):
        left.extend([Acts(), [Acts()], 2])
        right.extend([Acts(), [Acts()], 2])
        found = tain.diff(left, right)
        assert found
        for container in (left, right):
            container.clear()
        assert str(found) and found._repr_html_() and repr(found.changes)
    for container in (left, right):
        container.clear()
    gc.collect()  # the class, which held the containers; the second one frees them


QUIET_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0]


def leaves() -> list[Any]:
    """Values without parts, of all kinds; those of a kind differ by little."""
    tensors = [[1.0], [0.0], [-0.0], [NAN], [1], [[1.0]]]
    return [
        *(None, True, False, 0, 1, -1, 2**63 - 1, 2**70, -(2**70), 2**70 + 1),
        *(0.0, -0.0, 1.0, NAN, -NAN, QUIET_NAN, float("inf"), "", "0", "a", "\ud800", b"", b"a"),
        *(tain.dtype("int32"), tain.dtype("float32"), tain.cpu(), tain.cpu(1), tain.cuda(0)),
        *(tain.Shape(()), tain.Shape((1, 2)), tain.Shape((1, 3))),
        *(tain.tensor(np.array(values)) for values in tensors),
        *(get("keep"), get("kept"), tain.convert(len), tain.convert(lambda x: x)),
        *(tain.convert(lambda x: x), Mood.GOOD, Mood.BAD),
    ]


def test_what_is_equal_is_what_structural_comparison_says() -> None:
    for left in leaves():
        for right in (*leaves(), left):
            x, y = tain.Array([left]), tain.Array([right])
            assert bool(tain.diff(x, y)) is not tain.structural_equal(x, y), (left, right)
    assert tain.diff(0.0, -0.0) and not tain.diff(NAN, -QUIET_NAN)
    assert tain.diff(complex(0.0, 1.0), complex(-0.0, 1.0))
    assert not tain.diff(complex(NAN, 1.0), complex(NAN, 1.0))
    assert [str(path) for path, *_ in tain.diff(t.Point(0.0, 1), t.Point(-0.0, 1)).changes] == [
        "<root>.x"
    ]
