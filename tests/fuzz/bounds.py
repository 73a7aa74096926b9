# SPDX-License-Identifier: Apache-2.0
"""Numbers at the bounds of enums, flags that no member names, and numbers of numpy that lose."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import tain

if TYPE_CHECKING:
    from hostile import Values

ENUMS = tuple(getattr(tain.types.testing, name) for name in ("Color", "Access", "Mode"))
NUMBERS = tuple(sign * (1 << bits) + more for bits in (0, 7, 8, 31, 32, 63, 64)
                for sign in (1, -1) for more in (-1, 0, 1))  # fmt: skip
SCALARS: tuple[Any, ...] = (
    *(np.complex64(1 + 2j), np.complex128(2j), np.array(1 + 2j), np.clongdouble(1)),
    *(np.ma.masked, np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array(3, mask=True)),
    *(np.int8(-128), np.uint64(2**64 - 1), np.float32(1e38), np.longdouble("1e400"), np.bool_(1)),
)
FLAG_OPERATIONS = (operator.or_, operator.and_, operator.xor)


def bound_value(values: Values) -> Any:
    """A member, a flag, a number near a bound, or a scalar of numpy."""
    rng = values.rng
    cls = rng.choice(ENUMS)
    which = rng.randrange(5)
    if which == 0:
        return rng.choice(SCALARS)
    if which == 1:
        return rng.choice(NUMBERS)
    member = rng.choice(list(cls))
    if which == 2 or not issubclass(cls, enum.IntFlag):
        return member
    if which == 3:
        return ~member
    return rng.choice(FLAG_OPERATIONS)(member, rng.choice(NUMBERS))


def use_bound(values: Values, functions: dict[str, Callable[..., Any]]) -> None:
    """Give such a value to a function, alone or in a container, or to a class of an enum."""
    rng = values.rng
    value = bound_value(values)
    shapes: tuple[Callable[[Any], Any], ...] = (
        *(lambda v: v, lambda v: [v], lambda v: {v: v}, lambda v: (v, v)),
        *(lambda v: tain.List([v]), lambda v: tain.Map({1: v})),
    )
    given = rng.choice(shapes)(value)
    if rng.randrange(6) == 0:
        values.keep(rng.choice(ENUMS)(value))
    elif rng.randrange(6) == 0:
        values.keep(tain.load_json(tain.save_json(given)))
    else:
        values.keep(rng.choice(list(functions.values()))(given))
