# SPDX-License-Identifier: Apache-2.0
"""Numbers as keys of Map and Dict: from Python as in dict, from C++ by type and value."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from number_rows import NUMBERS

import tain
from tain import Dict, Map

FIND = tain.get_global_func("testing.find_key")
FILLED = tain.get_global_func("testing.number_keys")


@pytest.mark.parametrize("kind", [Dict, Map])
def test_number_keys_are_those_of_dict(kind: Any) -> None:
    for m, n in itertools.product(NUMBERS, repeat=2):
        mapping = kind({m: "value"})
        assert (n in mapping) is (mapping.get(n) == "value") is (n in {m: 1}), (m, n)
        keys = mapping.keys()
        assert (n in keys) is (n in {m: 1}), (m, n)
        assert (kind({m: 1}) == kind({n: 1})) is ({m: 1} == {n: 1}), (m, n)
        assert kind([(m, 1), (n, 2)]) == {m: 1} | {n: 2}, (m, n)


@pytest.mark.parametrize("others", [0, 20])
@pytest.mark.parametrize(
    ("key", "same"),
    [
        (1, 1.0),
        (1.0, True),
        (True, 1),
        (0.0, -0.0),
        (2**70, 2.0**70),
        (2.0**70, 2**70),
        (0, False),
    ],
)
def test_writing_under_another_number(key: Any, same: Any, others: int) -> None:
    source: dict[Any, Any] = {f"k{i}": i for i in range(others)}
    plain, mapping = {**source, key: 0}, Dict({**source, key: 0})

    def both(change: Callable[[Any], object]) -> None:
        assert change(plain) == change(mapping)
        assert list(plain) == list(mapping) and plain == mapping
        assert [type(k) for k in plain] == [type(k) for k in mapping]

    both(lambda d: d.__setitem__(same, 1))
    both(lambda d: d.setdefault(same, 5))
    both(lambda d: d.update({same: 2}))
    both(lambda d: d.update(Map({same: 3})) if isinstance(d, Dict) else d.update({same: 3}))
    both(lambda d: d.update([(same, 4)]))
    both(lambda d: d.__ior__({same: 6}) == d)
    both(lambda d: (d | {same: 7})[key])
    both(lambda d: d.pop(same))
    both(lambda d: d.pop(same, None))
    both(lambda d: d.__setitem__(same, 1))
    both(lambda d: d.__delitem__(key))
    both(lambda d: list(type(d).fromkeys([key, same, "a"])))


def test_cpp_keeps_numbers_apart() -> None:
    numbers = FILLED()
    assert len(numbers) == 3
    assert [numbers[k] for k in (1, True, 1.0)] == ["int", "bool", "float"]
    assert [FIND(Map({1: "int"}), k) for k in (1, True, 1.0)] == ["int", None, None]
    assert Dict(numbers) == numbers and len(Dict(numbers)) == len(Map(numbers)) == 3
    assert len(Dict({}) | numbers) == 3
    kept = Dict(numbers)
    assert [kept.pop(1.0), kept.pop(1.0), kept.pop(1.0)] == ["float", "int", "bool"]
    assert 1.0 not in kept
    # Numbers inside of keys follow the contract.
    assert (1.0, 2) not in Dict({(1, 2): 3}) and (1, 2) in Dict({(1, 2): 3})
