# SPDX-License-Identifier: Apache-2.0
"""List against list and Dict against dict, in any order of operations."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tain import Dict, List

VALUES = st.one_of(
    st.integers(-(2**70), 2**70),
    st.integers(0, 3),
    st.text(max_size=12),
    st.binary(max_size=12),
    st.none(),
    st.floats(allow_nan=False),
)
# Keys that the core takes for equal where Python does: one type of number.
KEYS = st.one_of(st.integers(0, 40), st.integers(-(2**70), 2**70), st.text(max_size=10), st.none())
INDICES = st.integers(-12, 12)
BOUNDS = st.none() | st.integers(-12, 12)
SLICES = st.builds(slice, BOUNDS, BOUNDS, st.none() | st.integers(-4, 4).filter(bool))
SETTINGS = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def outcome(act, *args: object) -> object:
    """Return the result of a call, or the class of what it raised."""
    try:
        return act(*args)
    except Exception as error:
        return type(error)


class ListMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.plain: list[object] = []
        self.mine = List()

    def same(self, act) -> None:
        assert outcome(act, self.mine) == outcome(act, self.plain)

    @rule(value=VALUES)
    def append(self, value: object) -> None:
        self.same(lambda x: x.append(value))

    @rule(values=st.lists(VALUES, max_size=5))
    def extend(self, values: list[object]) -> None:
        self.same(lambda x: x.extend(values))
        self.same(lambda x: x.extend(iter(values)))

    @rule(index=INDICES, value=VALUES)
    def insert(self, index: int, value: object) -> None:
        self.same(lambda x: x.insert(index, value))

    @rule(index=INDICES)
    def pop(self, index: int) -> None:
        self.same(lambda x: x.pop(index))

    @rule(value=VALUES)
    def remove_and_find(self, value: object) -> None:
        self.same(lambda x: value in x)
        self.same(lambda x: x.count(value))
        self.same(lambda x: x.index(value))
        self.same(lambda x: x.remove(value))

    @rule(index=INDICES, value=VALUES)
    def set_item(self, index: int, value: object) -> None:
        self.same(lambda x: x.__setitem__(index, value))

    @rule(index=INDICES)
    def delete_item(self, index: int) -> None:
        self.same(lambda x: x.__delitem__(index))

    @rule(part=SLICES, values=st.lists(VALUES, max_size=6))
    def set_slice(self, part: slice, values: list[object]) -> None:
        self.same(lambda x: x.__setitem__(part, values))

    @rule(part=SLICES)
    def read_and_delete_slice(self, part: slice) -> None:
        assert list(self.mine[part]) == self.plain[part]
        self.same(lambda x: x.__delitem__(part))

    @precondition(lambda self: len(self.plain) < 40)
    @rule(times=st.integers(-1, 3))
    def repeat(self, times: int) -> None:
        self.same(lambda x: list(x * times))
        self.mine *= times
        self.plain *= times

    @rule()
    def reverse(self) -> None:
        self.same(lambda x: x.reverse())

    @rule(reverse=st.booleans())
    def sort(self, reverse: bool) -> None:
        self.same(lambda x: x.sort(key=repr, reverse=reverse))

    @rule()
    def clear(self) -> None:
        self.same(lambda x: x.clear())

    @invariant()
    def agree(self) -> None:
        assert list(self.mine) == self.plain
        assert self.mine == self.plain
        assert len(self.mine) == len(self.plain)
        assert list(reversed(self.mine)) == self.plain[::-1]


class DictMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.plain: dict[object, object] = {}
        self.mine = Dict()

    def same(self, act) -> None:
        assert outcome(act, self.mine) == outcome(act, self.plain)

    @rule(key=KEYS, value=VALUES)
    def set_item(self, key: object, value: object) -> None:
        self.same(lambda d: d.__setitem__(key, value))

    @rule(key=KEYS)
    def read(self, key: object) -> None:
        self.same(lambda d: d[key])
        self.same(lambda d: d.get(key, "default"))
        self.same(lambda d: key in d)

    @rule(key=KEYS)
    def delete(self, key: object) -> None:
        self.same(lambda d: d.__delitem__(key))

    @rule(index=st.integers(0, 60))
    def delete_present(self, index: int) -> None:
        if self.plain:
            key = list(self.plain)[index % len(self.plain)]
            self.same(lambda d: d.pop(key))

    @rule(key=KEYS)
    def pop(self, key: object) -> None:
        self.same(lambda d: d.pop(key, None))

    @rule()
    def popitem(self) -> None:
        self.same(lambda d: d.popitem())

    @rule(key=KEYS, value=VALUES)
    def setdefault(self, key: object, value: object) -> None:
        self.same(lambda d: d.setdefault(key, value))

    @rule(values=st.dictionaries(KEYS, VALUES, max_size=30))
    def update(self, values: dict[object, object]) -> None:
        self.same(lambda d: d.update(values))
        self.same(lambda d: d.update(list(values.items())))

    @rule(values=st.dictionaries(KEYS, VALUES, max_size=4))
    def union(self, values: dict[object, object]) -> None:
        self.same(lambda d: d | values)
        self.mine |= values
        self.plain |= values

    @rule()
    def clear(self) -> None:
        self.same(lambda d: d.clear())

    @invariant()
    def agree(self) -> None:
        assert list(self.mine.items()) == list(self.plain.items())
        assert self.mine == self.plain
        assert dict(self.mine) == self.plain
        assert list(reversed(self.mine)) == list(reversed(self.plain))


class TestList(ListMachine.TestCase):
    settings = SETTINGS


class TestDict(DictMachine.TestCase):
    settings = SETTINGS
