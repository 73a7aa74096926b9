# SPDX-License-Identifier: Apache-2.0
"""tain.List: a mutable sequence that behaves as list, and is shared with C++."""

# ruff: noqa: RUF005  (concatenation is what is tested)

from __future__ import annotations

import copy
import gc
import operator
import pickle
import weakref

import pytest
from acting_key import Slips
from errors import moved_text, raises
from like_python import check_both

import tain
from tain import Array, List


def both(act, values=(0, 1, 2, 3, 4)) -> None:
    """Do the same to a list and to a List, and compare results, errors and contents."""
    check_both(act, list(values), List(values))


@pytest.mark.parametrize(
    "act",
    [
        lambda x: x.append(9),
        lambda x: x.append(x.pop()),
        lambda x: x.extend([7, 8]),
        lambda x: x.extend((7, 8)),
        lambda x: x.extend(iter("ab")),
        lambda x: x.extend(x),
        lambda x: x.extend(5),
        lambda x: x.insert(0, "a"),
        lambda x: x.insert(2, "a"),
        lambda x: x.insert(100, "a"),
        lambda x: x.insert(-1, "a"),
        lambda x: x.insert(-100, "a"),
        lambda x: x.insert("a", "a"),
        lambda x: x.insert(2**70, "a"),
        lambda x: x.pop(),
        lambda x: x.pop(0),
        lambda x: x.pop(-2),
        lambda x: x.pop(5),
        lambda x: x.pop(-6),
        lambda x: x.pop("a"),
        lambda x: x.remove(3),
        lambda x: x.remove(3.0),
        lambda x: x.remove(9),
        lambda x: x.clear(),
        lambda x: x.reverse(),
        lambda x: x.copy() == x and x.copy() is not x,
        lambda x: x.index(3),
        lambda x: x.index(3, 4),
        lambda x: x.count(1),
        lambda x: x.sort(reverse=True),
        lambda x: x.sort(key=lambda v: v % 3),
        lambda x: x.sort(key=lambda v: v % 2, reverse=True),
        lambda x: x.sort(key=None),
        lambda x: x.sort(lambda v: v),
        lambda x: x.sort(wrong=1),
        lambda x: x.sort(key=lambda v: 1 / v),
        lambda x: operator.setitem(x, 0, "a"),
        lambda x: operator.setitem(x, -1, "a"),
        lambda x: operator.setitem(x, 5, "a"),
        lambda x: operator.setitem(x, -6, "a"),
        lambda x: operator.setitem(x, "a", "a"),
        lambda x: operator.delitem(x, 0),
        lambda x: operator.delitem(x, -1),
        lambda x: operator.delitem(x, 5),
        lambda x: operator.delitem(x, None),
        lambda x: operator.iadd(x, [7]),
        lambda x: operator.iadd(x, "ab"),
        lambda x: operator.iadd(x, x),
        lambda x: operator.iadd(x, 7),
        lambda x: operator.imul(x, 3),
        lambda x: operator.imul(x, 1),
        lambda x: operator.imul(x, 0),
        lambda x: operator.imul(x, -1),
        lambda x: operator.imul(x, "a"),
        lambda x: list(x + [7]),
        lambda x: list(x * 2),
        lambda x: list(2 * x),
        lambda x: x + 7,
        lambda x: hash(x),
        lambda x: bool(x),
        lambda x: x.__init__([1]),
        lambda x: x.__init__(),
    ],
)
def test_methods_are_those_of_list(act) -> None:
    both(act)


SLICES = [
    slice(*bounds)
    for bounds in [
        (None, None),
        (1, 3),
        (3, 1),
        (-2, None),
        (None, -2),
        (10, 20),
        (-20, -10),
        (None, None, 2),
        (None, None, -1),
        (None, None, -2),
        (4, 0, -3),
        (1, None, 3),
        (1, 3, 1),
    ]
]


@pytest.mark.parametrize("part", SLICES, ids=str)
def test_slice_assignment(part: slice) -> None:
    for values in ([], [7], [7, 8], [7, 8, 9], [5, 6, 7, 8, 9]):
        for source in (list, iter, List):
            both(lambda x, v=values, s=source: operator.setitem(x, part, s(v)))


@pytest.mark.parametrize("part", SLICES, ids=str)
def test_slice_deletion_and_reading(part: slice) -> None:
    both(lambda x: operator.delitem(x, part))
    both(lambda x: x[part])
    both(lambda x: operator.setitem(x, part, 5))
    both(lambda x: operator.setitem(x, part, x))
    assert type(List([1, 2])[part]) is List


def test_handles_share_one_list() -> None:
    push = tain.get_global_func("testing.list_push")
    values = List([1])
    push(values, "two")
    assert list(values) == [1, "two"]
    outer = List([values])
    outer[0].append(3)
    assert list(values) == [1, "two", 3]
    assert outer[0] is values


def test_subclasses() -> None:
    class Stack(List):
        def push(self, value: object) -> None:
            self.append(value)

    stack = Stack()
    stack.push(1)
    stack.note = "n"
    assert stack == [1]
    for copied in (copy.copy(stack), copy.deepcopy(stack)):
        assert type(copied) is Stack
        assert copied.note == "n"
        assert copied == [1]

    class Forgetful(List):
        def __init__(self) -> None:
            pass

    forgetful = Forgetful()
    forgetful.append(1)
    assert forgetful == [1]
    assert List.__new__(List) == []


def test_cycles_through_python_are_collected() -> None:
    """What is left would be reported by the fixture that counts live objects."""

    class Holder:
        pass

    for make in (
        lambda holder: List([holder]),
        lambda holder: Array([1, (holder,)]),
        lambda holder: tain.Map({"a": holder}),
        lambda holder: tain.Dict({"a": [holder]}),
        lambda holder: iter(List([holder])),
        lambda holder: tain.Map({"a": holder}).items(),
        lambda holder: iter(tain.Dict({"a": holder}).values()),
    ):
        holder = Holder()
        gone = weakref.ref(holder)
        holder.container = make(holder)
        del holder
        gc.collect()
        assert gone() is None


# ---------------------------------------------------------------- bad input


class Evil:
    """Changes a List whenever it is compared."""

    def __init__(self, values: List, act) -> None:
        self.values, self.act = values, act

    def __eq__(self, other: object) -> bool:
        self.act(self.values)
        return False

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.clear(),
        lambda x: x.append(1) if len(x) < 100 else x.clear(),
        lambda x: x.__delitem__(slice(0, 2)),
        lambda x: x._move() if type(x) is List and len(x) == 7 else None,
    ],
)
@pytest.mark.parametrize(
    "act",
    [
        lambda x: 5 in x,
        lambda x: x.index(5),
        lambda x: x.count(5),
        lambda x: x.remove(5),
        lambda x: x == [5] * 7,
        lambda x: x < [5] * 7,
        lambda x: x == List(x),
        lambda x: copy.deepcopy(x),
    ],
)
def test_comparisons_that_change_the_list(act, change) -> None:
    values = List()
    values.extend(Evil(values, change) for _ in range(7))
    try:
        act(values)
    except (ValueError, IndexError, TypeError):
        pass
    finally:
        if values.__chandle__():
            values.clear()


@pytest.mark.bad_input
def test_elements_that_use_the_list_when_they_die() -> None:
    deaths = []

    class Mortal:
        def __init__(self, values: List) -> None:
            self.values = values

        def __del__(self) -> None:
            deaths.append(len(self.values))
            self.values.append("from __del__")

    for act in (
        lambda x: x.clear(),
        lambda x: x.__delitem__(slice(None)),
        lambda x: x.__delitem__(slice(None, None, 2)),
        lambda x: x.__setitem__(slice(None), [1]),
        lambda x: x.__setitem__(slice(None, None, -1), range(3)),
        lambda x: x.__setitem__(0, 1),
        lambda x: x.pop(),
        lambda x: x.__imul__(0),
        lambda x: x.__init__([5]),
    ):
        deaths.clear()
        values = List()
        values.extend(Mortal(values) for _ in range(3))
        act(values)
        assert deaths
        assert "from __del__" in list(values)
        values[:] = [x for x in values if isinstance(x, str)]
        values.clear()


@pytest.mark.bad_input
def test_sources_that_change_the_target() -> None:
    values = List([1, 2, 3])

    def source():
        values.clear()
        yield 7
        values.extend([8, 9])

    values[1:] = source()
    assert list(values) == [8, 7, 9] or list(values) == [8, 7]
    values = List([1])
    values.extend(values.pop() for _ in range(1))
    assert list(values) == [1]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda x: x.pop(3), IndexError, "pop index out of range"),
        (lambda x: List().pop(), IndexError, "pop from empty List"),
        (lambda x: x.remove("a"), ValueError, "'a' is not in List"),
        (lambda x: x.__setitem__(3, 1), IndexError, "List index 3 out of range for size 3"),
        (
            lambda x: x.__setitem__("a", 1),
            TypeError,
            "List index: expected int or slice, got str ('a')",
        ),
        (
            lambda x: x.__setitem__(slice(None, None, 2), [1]),
            ValueError,
            "attempt to assign sequence of size 1 to extended slice of size 2",
        ),
        (lambda x: x.insert(1), TypeError, "insert expected 2 arguments, got 1"),
        (lambda x: List.append(Array([1]), 1), TypeError, None),
        (lambda x: x.__imul__(2**62), MemoryError, ""),
        (
            lambda x: x.insert(10**30, 1),
            OverflowError,
            "Python int too large to convert to C ssize_t",
        ),
        (lambda x: x.pop(-(10**30)), OverflowError, "Python int too large to convert to C ssize_t"),
        (
            lambda x: x.insert(None, 1),
            TypeError,
            "'NoneType' object cannot be interpreted as an integer",
        ),
        (lambda x: hash(x), TypeError, "unhashable type: 'List'"),
    ],
)
def test_messages(act, error: type[Exception], text: str | None) -> None:
    values = List([1, 2, 3])
    with pytest.raises(error) as caught:
        act(values)
    if text is not None:
        assert str(caught.value).replace("tain.List", "List") == text
    assert list(values) == [1, 2, 3]


@pytest.mark.bad_input
def test_moved_lists() -> None:
    values = List([1])
    carrier = values._move()
    for act in (
        lambda x: x.append(1),
        lambda x: x.pop(),
        lambda x: x.sort(),
        lambda x: x.clear(),
        lambda x: x.__setitem__(0, 1),
        lambda x: x.__setitem__(slice(None), []),
        lambda x: x.__iadd__([1]),
        lambda x: copy.copy(x),
        lambda x: pickle.dumps(x),
    ):
        with raises(ValueError, moved_text("tain.List")):
            act(values)
    del carrier


HUGE = 10**30
HUGE_INDICES = [
    lambda x: x[HUGE],
    lambda x: x[-HUGE],
    lambda x: x.__setitem__(HUGE, 1),
    lambda x: x.__delitem__(-HUGE),
    lambda x: x[-HUGE:HUGE] == [0, 1, 2, 3, 4],
    lambda x: x[HUGE::-HUGE] == [4],
    lambda x: x.__setitem__(slice(HUGE, None), [1]),
    lambda x: x.insert(HUGE, 1),
    lambda x: x.insert(-HUGE, 1),
    lambda x: x.pop(HUGE),
    lambda x: x.index(1, -HUGE, HUGE),
    lambda x: x.index(1, HUGE),
    lambda x: x.count(HUGE),
    lambda x: x * HUGE,
    lambda x: HUGE * x,
    lambda x: x * -HUGE,
    lambda x: operator.imul(x, HUGE),
    lambda x: operator.imul(x, 2**63 - 1),
]


@pytest.mark.bad_input
@pytest.mark.parametrize("act", HUGE_INDICES)
def test_huge_indices(act) -> None:
    both(act)


@pytest.mark.bad_input
@pytest.mark.parametrize("search", [List.remove, List.index, List.count, List.__contains__])
def test_an_element_that_is_dropped_during_a_search_shrinks_the_list(search) -> None:
    values = List(range(100))
    values[0] = Slips(lambda: values.__setitem__(0, None), values.clear, False)
    if search in (List.remove, List.index):
        with raises(ValueError, "99 is not in List"):
            search(values, 99)
    else:
        assert not search(values, 99)
    assert list(values) == []
