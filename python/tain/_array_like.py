# SPDX-License-Identifier: Apache-2.0
"""Arrays for parameters that convert (`tain::Convert`), and arrays of structs.

Each function returns an array that C++ may read, or the reason why there is none.
"""

from __future__ import annotations

import functools
from typing import Any, Literal

import numpy as np

import tain
from tain import _core

__all__ = ["converted", "described", "structs"]


def converted(
    value: Any, dtype: _core.dtype | None, ndim: int, order: Literal["C", "F", "K"]
) -> Any:
    """Return a value as an array of numbers: itself if it is one, else a copy.

    Parameters
    ----------
    value : object
        An array of any library, a number, or nested sequences of numbers.
    dtype : tain.dtype or None
        The type of the elements; None for any numbers.
    ndim : int
        The number of dimensions; -1 for any.
    order : str
        `C` or `F` for arrays without gaps in that order, `K` for any strides.
    """
    given = _array_of(value)
    if isinstance(given, str):
        return given
    wanted = given.dtype.newbyteorder("=") if dtype is None else _numpy_dtype(dtype)
    if given.dtype.kind not in "biufc" and (dtype is None or given.dtype != wanted):
        return f"its elements are no numbers (dtype {given.dtype})"
    if ndim not in (-1, given.ndim):
        return f"it has shape {given.shape}"
    made = _cast(given, wanted, None if order == "K" else order)
    if isinstance(made, str) or _is_regular(made):
        return made
    return made.copy(order="C" if order == "K" else order)


@functools.lru_cache(maxsize=128)
def _numpy_dtype(dtype: _core.dtype) -> Any:
    return dtype.numpy()


def _is_regular(array: Any) -> Any:
    """Return whether the elements are aligned and lie whole elements apart."""
    size = array.itemsize
    return array.flags.aligned and not any(stride % size for stride in array.strides)


def _array_of(value: Any) -> Any:
    """Return the array of a value before its elements are converted."""
    if isinstance(value, tain.Tensor):
        return value.numpy()
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        return "it has masked values"
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError) as error:
        return str(error).partition("\n")[0]


def _cast(given: Any, wanted: Any, order: Literal["C", "F"] | None) -> Any:
    """Return the array with other elements, or why they would not keep their values.

    Rounding is no loss.
    """
    have = given.dtype
    if have == wanted or np.can_cast(have, wanted, "safe") or given.size == 0:
        return np.asarray(given, wanted, order=order)
    source, target = have.kind, wanted.kind
    if target == "b" or (source == "c" and target != "c"):
        return f"elements of {have} are no {wanted}"
    with np.errstate(all="ignore"):
        if target in "iu" and (refused := _integer_refusal(given, wanted)) is not None:
            return refused
        made = np.asarray(given, wanted, order=order)
        if target in "iu" or np.isfinite(made).all():
            return made
        lost = np.isfinite(given) & ~np.isfinite(made)
    if not lost.any():
        return made
    return f"the element {_first(given, lost)} is out of the range of {wanted}"


def _integer_refusal(given: Any, wanted: Any) -> str | None:
    if given.dtype.kind == "f":
        broken = ~np.isfinite(given) | (given != np.trunc(given))
        if broken.any():
            return f"the element {_first(given, broken)} is no integer"
    limits = np.iinfo(wanted)
    for extreme in (given.argmin(), given.argmax()):
        value = given.ravel()[extreme].item()
        if not limits.min <= int(value) <= limits.max:
            return f"the element {value} is out of the range of {wanted}"
    return None


def _first(given: Any, marked: Any) -> Any:
    """Return the first of the marked elements."""
    return given[marked].ravel()[0].item()


def structs(
    value: Any,
    fields: tuple[tuple[str, _core.dtype, int, int], ...],
    size: int,
    alignment: int,
    ndim: int,
    writable: bool,
) -> Any:
    """Return an array whose elements are the structs that C++ describes, or the reason.

    Parameters
    ----------
    value : object
        What was given.
    fields : tuple
        For each member its name, the type of its numbers, the length if it is an array (else 0),
        and its place in bytes.
    size, alignment : int
        Bytes of the struct.
    ndim : int
        The number of dimensions; -1 for any.
    writable : bool
        Whether C++ writes the structs.
    """
    if not isinstance(value, np.ndarray):
        return "it is no array of numpy"
    if isinstance(value, np.ma.MaskedArray):
        return "it has a mask"
    if not _is_struct(value.dtype, fields, size):
        return f"dtype {value.dtype}"
    if ndim not in (-1, value.ndim):
        return f"it has shape {value.shape}"
    if writable and not value.flags.writeable:
        return "it is read-only"
    if any(
        stride % size and extent > 1
        for stride, extent in zip(value.strides, value.shape, strict=True)
    ):
        return "its strides are no multiples of the size of the struct"
    if value.size and value.__array_interface__["data"][0] % alignment:
        return "its structs are not aligned"
    return value


def _is_struct(
    dtype: Any, fields: tuple[tuple[str, _core.dtype, int, int], ...], size: int
) -> bool:
    have = dtype.fields
    if have is None or dtype.itemsize != size or dtype.names != tuple(name for name, *_ in fields):
        return False
    for name, number, count, place in fields:
        wanted = np.dtype((number.numpy(), (count,))) if count else number.numpy()
        if have[name][0] != wanted or have[name][1] != place:
            return False
    return True


def described(array: Any) -> str:
    """Return what is known of an array, for the message about its extents or order."""
    return f"dtype {array.dtype}, shape {array.shape}, strides {array.strides} in bytes"
