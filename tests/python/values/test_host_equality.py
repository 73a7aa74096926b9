# SPDX-License-Identifier: Apache-2.0
"""Equality and hash that Python classes define, where C++ asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Coin, Point
from value_types import Cell, Corner

import tain
from tain import Dict

FIND = tain.get_global_func("testing.find_key")
FIND_UNLOCKED = tain.get_global_func("testing.find_key_unlocked")


class Bad(Point):
    error: Exception

    def __hash__(self) -> int:
        raise self.error

    def __eq__(self, other: object) -> bool:
        raise self.error


class BadEqual(Point):
    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        raise KeyError("the comparison failed")


@pytest.mark.bad_input
@pytest.mark.parametrize("find", [FIND, FIND_UNLOCKED])
def test_errors_of_python_classes_arrive(find: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bad, "error", ValueError("the hash failed"), raising=False)
    mapping = Dict({i: i for i in range(20)})
    with raises(ValueError, "the hash failed") as caught:
        find(mapping, Bad(1, 2))
    assert caught.value is Bad.error
    with raises(ValueError, "the hash failed"):
        Cell(Bad(1, 2)) in mapping  # noqa: B015
    mapping[BadEqual(1, 2)] = 1
    for use in (find, lambda d, k: d[k], lambda d, k: k in d, lambda d, k: d.__setitem__(k, 1)):
        with pytest.raises(KeyError) as raised:
            use(mapping, BadEqual(1, 2))
        assert raised.value.args == ("the comparison failed",)
    with pytest.raises(KeyError) as raised:
        Cell(BadEqual(1, 2)) == Cell(BadEqual(1, 2))  # noqa: B015
    assert raised.value.args == ("the comparison failed",)


def test_entries_stay_when_a_subclass_appears(run: Callable[..., str]) -> None:
    out = run(
        """
        import tain, tain.testing
        from tain import Dict
        from tain.types.testing import Node
        find = tain.get_global_func("testing.find_key_unlocked")
        keys = [Node(i) for i in range(40)]
        mapping = Dict({key: i for i, key in enumerate(keys)})

        class Sub(Node):
            def __eq__(self, other):
                return isinstance(other, Sub) and self.value == other.value
            def __hash__(self):
                return hash(self.value)

        mapping[Sub(7)] = "sub"
        print([mapping[key] for key in keys] == list(range(40)), mapping[Sub(7)], Sub(8) in mapping)
        print([find(mapping, key) for key in keys] == list(range(40)), find(mapping, Sub(7)))
        """
    )
    assert out == "True sub False\nTrue sub\n"


def test_a_registered_class_counts_for_objects_without_a_wrapper(run: Callable[..., str]) -> None:
    out = run(
        """
        import tain, tain.testing
        from tain.types.testing import Coin, Medal

        @tain.register_object("testing.Coin")
        class Currency(Coin):
            def __eq__(self, other):
                return isinstance(other, Coin) and self.currency == other.currency
            def __hash__(self):
                return hash(self.currency)

        coins = tain.get_global_func("testing.coins")(5)
        medals = tain.Dict({tain.types.testing.Medal(i): i for i in range(5)})
        print(len(coins), coins[Currency(77)], Currency(1, "USD") in coins, len(medals))
        """
    )
    assert out == "1 4 False 1\n"


def test_methods_that_are_assigned_later() -> None:
    class Later(Point):
        pass

    keys = [Later(1, 1) for _ in range(9)]
    assert len(Dict(dict.fromkeys(keys, 1))) == 9
    Later.__eq__ = lambda self, other: self.x == other.x  # type: ignore[assignment]
    Later.__hash__ = lambda self: hash(self.x)  # type: ignore[assignment]
    assert len(Dict(dict.fromkeys(keys, 1))) == 1
    assert FIND_UNLOCKED(Dict({keys[0]: 1}), keys[1]) == 1
    del Later.__eq__, Later.__hash__
    assert len(Dict(dict.fromkeys(keys, 1))) == 9


def test_super_reaches_the_fields() -> None:
    class Traced(Coin):
        calls = 0

        def __eq__(self, other: object) -> bool:
            type(self).calls += 1
            return super().__eq__(other)

        def __hash__(self) -> int:
            return super().__hash__()

    a, b = Traced(1), Traced(1)
    assert a == b and hash(a) == hash(b) == hash(Coin(1)) and Dict({a: 1})[b] == 1
    assert Traced.calls >= 2
    assert Coin(1) in Dict({a: 1}) and a in Dict({Coin(1): 1})


def test_more_classes_than_cpp_remembers() -> None:
    """What C++ does not remember, it asks."""
    body = {"__eq__": Corner.__eq__, "__hash__": Corner.__hash__}
    classes = [type(f"Corner{i}", (Corner,), body) for i in range(2100)]
    for cls in (classes[0], classes[-1]):
        assert FIND_UNLOCKED(Dict({cls(1, 2): "value"}), cls(1, 3)) == "value"
