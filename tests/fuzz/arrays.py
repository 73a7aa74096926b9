# SPDX-License-Identifier: Apache-2.0
"""Arrays of every layout and type, tensors, capsules of DLPack, and producers that act."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import tain

if TYPE_CHECKING:
    from hostile import Values

DTYPES = (
    *("float32", "float64", "int8", "uint8", "int64", "bool", "float16", "complex64", "uint16"),
    *(">f4", "O", "U3", "S2", "M8[s]", "m8[ns]", "i4,f8", "longdouble", "V8", "complex128"),
)
SHAPES = ((), (0,), (1,), (3,), (2, 3), (3, 0), (2, 1, 3), (1,) * 32, (17,), (2, 2, 2, 2))
LAYOUTS: tuple[Callable[[Any], Any], ...] = (
    lambda a: a,
    lambda a: a.T,
    lambda a: a[::-1] if a.ndim else a,
    lambda a: a[..., ::2] if a.ndim else a,
    lambda a: a[None],
    lambda a: np.broadcast_to(a, (2, *a.shape)),
    np.asfortranarray,
    lambda a: a.view(np.matrix) if a.ndim == 2 else a,
    lambda a: np.ma.masked_array(a),
    lambda a: memoryview(a),
    lambda a: np.frombuffer(b"\0" * 33, "u1")[1:].view("f4"),  # not aligned
)


def make_array(values: Values) -> Any:
    """A numpy array, a view of one, a Tensor, a capsule or a producer."""
    rng = values.rng
    array = np.zeros(rng.choice(SHAPES), rng.choice(DTYPES))
    which = rng.randrange(10)
    if which < 4:
        array = rng.choice(LAYOUTS)(array)
        if isinstance(array, np.ndarray) and rng.randrange(4) == 0:
            array.setflags(write=False)
        return array
    if which == 4:
        return tain.tensor(array)
    if which == 5:
        return tain.from_dlpack(array)
    if which == 6:
        return tain.tensor(array).to_dlpack() if rng.randrange(2) else array.__dlpack__()
    return make_producer(values) if which < 9 else array


def make_producer(values: Values) -> Any:
    """An object with `__dlpack__`, which acts before it answers, often with something wrong."""
    rng = values.rng
    array = np.zeros(3, "float32")
    used = array.__dlpack__()
    tain.from_dlpack(used)

    def capsule(*_: Any, **keywords: Any) -> Any:
        reacted = values.reaction()
        which = rng.randrange(6)
        if which < 3:
            return array.__dlpack__(**(keywords if which else {}))
        return used if which == 3 else reacted

    def device(*_: Any) -> Any:
        reacted = values.reaction()
        which = rng.randrange(6)
        return (1, 0) if which < 4 else rng.choice(((12, 3), (1,), reacted, (2**40, 0)))

    return type("Producer", (), {"__dlpack__": capsule, "__dlpack_device__": device})()


def change_array(values: Values) -> None:
    """Change a numpy array of the pool while somebody may hold it."""
    found = [one for one in values.pool if type(one) is np.ndarray]
    if not found:
        return
    rng = values.rng
    array = rng.choice(found)
    which = rng.randrange(4)
    if which == 0:
        # Never with refcheck=False, by which numpy frees memory that tensors refer to.
        array.resize(rng.choice(SHAPES))
    elif which == 1:
        array.setflags(write=bool(rng.randrange(2)))
    elif which == 2:
        array.dtype = rng.choice(DTYPES[:8])
    else:
        array.fill(1)


def write_tensor(values: Values) -> None:
    """Write elements of a Tensor of the pool, or copy them to an array."""
    found = [one for one in values.pool if type(one) is tain.Tensor]
    if not found:
        return
    rng = values.rng
    tensor = rng.choice(found)
    which = rng.randrange(3)
    if which == 0:
        tensor[values.any(1)] = values.any(1)
    elif which == 1:
        values.keep(tensor.copyto(make_array(values)))
    else:
        values.keep(np.asarray(tensor))
