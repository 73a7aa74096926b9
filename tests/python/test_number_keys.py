# SPDX-License-Identifier: Apache-2.0
"""Numbers as keys of Map and Dict: from Python as in dict, from C++ by type and value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

import tain
from tain import Dict, Map

FIND = tain.get_global_func("testing.find_key")
FILLED = tain.get_global_func("testing.number_keys")

NUMBERS: list[Any] = [
    n
    for m in (0, 1, -1, 2, 3, 2**31, 2**53 + 1, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64,
              2**64 - 1, 2**70, 3 * 2**90, 2**1000, 2**1023, -(2**61 - 1), -(2**63), -(2**64),
              -(2**70) + 1, -(2**53) * 2**30)
    for n in (m, float(m))
] + [True, False, -0.0, 0.5, -1.5, 1e-300, 5e-324, math.inf, -math.inf, 10**400]  # fmt: skip


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
