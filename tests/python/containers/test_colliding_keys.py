# SPDX-License-Identifier: Apache-2.0
"""Keys whose hashes, which the binary contract fixes, are all the same."""

from __future__ import annotations

import random
import time

import pytest

from tain import Dict

MODULUS = 2147483647
MULTIPLIER = 1099511628211


def colliding(count: int, hash: int = 12345) -> list[bytes]:
    """Keys of two words of which the second one makes up for the first."""
    chance = random.Random(1)
    keys = []
    for _ in range(count):
        first = chance.randrange(2**63).to_bytes(8, "little")
        product = int.from_bytes(first, "little") % MODULUS * MULTIPLIER
        second = (hash + chance.randrange(2**31) * MODULUS - product) % 2**64
        keys.append(first + second.to_bytes(8, "little"))
    return keys


@pytest.mark.bad_input
def test_colliding_keys_beside_others() -> None:
    count = 8000
    keys = colliding(count)
    start = time.process_time()
    mapping = Dict()
    for i, key in enumerate(keys):
        mapping[key] = i
    # Each of these finds a member of the one long chain at its home, which must move.
    for i in range(count):
        mapping[i] = i
    assert list(mapping) == [*keys, *range(count)]
    assert [mapping[key] for key in keys[::7]] == list(range(0, count, 7))
    for key in keys[::3]:
        del mapping[key]
    assert [key in mapping for key in keys[:300]] == [i % 3 != 0 for i in range(300)]
    assert all(mapping[i] == i for i in range(count))
    # Quadratic, but no worse: under a second on a machine of 2020; it was half a minute.
    assert time.process_time() - start < 12
