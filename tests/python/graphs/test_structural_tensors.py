# SPDX-License-Identifier: Apache-2.0
"""`skip_tensor_content`: tensors are equal if shape and data type are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tain

equal, hash_of = tain.structural_equal, tain.structural_hash


def same(a: Any, b: Any) -> bool:
    """Return whether they are equal, checked in all ways that tell it."""
    is_same = equal(a, b, skip_tensor_content=True)
    assert is_same is equal(b, a, skip_tensor_content=True)
    assert is_same is (tain.first_mismatch(a, b, skip_tensor_content=True) is None)
    hashes = [hash_of(one, skip_tensor_content=True) for one in (a, b)]
    assert is_same is (hashes[0] == hashes[1])
    return is_same


@pytest.mark.parametrize(
    "wrap", [lambda t: t, lambda t: [t, 1], lambda t: {"a": [t]}, lambda t: {2: t, "x": t}]
)
def test_only_shape_and_type_count(wrap: Any) -> None:
    zeros, ones = (wrap(tain.from_dlpack(make((2, 3)))) for make in (np.zeros, np.ones))
    assert not equal(zeros, ones) and hash_of(zeros) != hash_of(ones)
    assert same(zeros, ones)
    tain.assert_structural_equal(zeros, ones, skip_tensor_content=True)
    for other in (np.zeros((3, 2)), np.zeros((2, 3), "float32"), np.zeros(6)):
        assert not same(zeros, wrap(tain.from_dlpack(other)))


def test_in_cycles() -> None:
    rings = []
    for make in (np.zeros, np.ones):
        ring = tain.List([tain.from_dlpack(make(3))])
        ring.append(ring)
        rings.append(ring)
    assert same(*rings)
    assert not equal(*rings)
    for ring in rings:
        ring.clear()


def test_values_of_maps_with_objects_as_keys() -> None:
    key = tain.types.testing.Point(1, 2)
    zeros, ones = (tain.from_dlpack(make(3)) for make in (np.zeros, np.ones))
    assert same(tain.Map({key: ones}), tain.Map({key: zeros}))


def test_what_the_processor_cannot_read() -> None:
    """The content of a tensor that was lent for a call is not asked for."""
    seen = []

    def keep(tensor: Any) -> None:
        seen.append(tensor)

    tain.Function(keep)(np.zeros(3))
    assert same(seen[0], tain.from_dlpack(np.ones(3)))
