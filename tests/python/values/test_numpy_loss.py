# SPDX-License-Identifier: Apache-2.0
"""What numpy converts to a number only with a warning is no number: complex and masked values."""

from __future__ import annotations

import enum_lib  # noqa: F401 -- compiles and loads the library
import numpy as np
import pytest

from tain.types import bounds as b

Z = np.complex128(1 + 2j)
MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
LOSSES = [  # (function, value, place)
    ("double", Z, ""), ("double", np.complex64(Z), ""), ("double", np.array(Z), ""),
    ("double", np.complex128(1), ""), ("float", Z, ""), ("real_seconds", Z, ""), ("seconds", Z, ""),
    ("doubles", [Z], "[0]"), ("doubles", np.array([Z, 3]), "[0]"), ("by_double", {Z: 1}, ": key"),
    ("double", np.ma.masked, ""), ("float", np.ma.masked, ""), ("double", MASKED[1], ""),
    ("doubles", [1, np.ma.masked], "[1]"), ("doubles", MASKED, "[1]"),
    ("seconds", np.ma.masked, ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "place"), LOSSES, ids=repr)
@pytest.mark.bad_input
def test_nothing_is_lost(name: str, value: object, place: str) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(b, name)(value)
    assert str(caught.value).startswith(
        f"bounds.{name}: argument arg0{place}: expected float, got "
    )


@pytest.mark.bad_input
def test_masked_integers_and_tensors() -> None:
    with pytest.raises(TypeError, match="expected int, got MaskedArray"):
        b.int(np.ma.array(3, mask=True))
    with pytest.raises(TypeError, match=r"got MaskedArray: it has masked values$"):
        b.tensor(MASKED)


def test_arrays_without_a_masked_value_are_numbers() -> None:
    assert b.double(np.ma.array(3.0)) == 3.0 and b.int(np.ma.array(3)) == 3
    assert b.doubles(np.ma.array([1.0, 2.0])) == [1.0, 2.0]
    assert b.tensor(np.ma.array([1.0, 2.0])) == 2
    assert b.double(np.array(2.5)) == b.double(np.float64(2.5)) == 2.5
