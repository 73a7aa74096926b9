# SPDX-License-Identifier: Apache-2.0
"""Structural comparison for tests and dictionaries: what is built on `tain.structural_equal`."""

from __future__ import annotations

from typing import Any, NamedTuple

from tain import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain._values import AccessPath

__all__ = [
    "StructuralKey",
    "StructuralMismatch",
    "StructuralMismatchError",
    "assert_structural_equal",
    "first_mismatch",
]


class StructuralMismatch(NamedTuple):
    """The first difference of two graphs.

    Attributes
    ----------
    path_a, path_b : tain.AccessPath
        The place in each graph. They differ only by keys of maps.
    a, b : object
        The values there; None also where a graph has no such place.
    message : str
        The place, both values, and excerpts of what is around.
    """

    path_a: AccessPath
    path_b: AccessPath
    a: Any
    b: Any
    message: str

    def __repr__(self) -> str:
        sides = f"path_a={self.path_a}, path_b={self.path_b}, a={self.a!r}, b={self.b!r}"
        return f"{type(self).__name__}({sides}, message={self.message!r})"


class StructuralMismatchError(AssertionError, ValueError):
    """Two graphs differ; `mismatch` says where.

    It is an `AssertionError`, like other failed assertions of tests, and a `ValueError`, which code
    that was written for Apache TVM catches.
    """

    mismatch: StructuralMismatch

    def __init__(self, mismatch: StructuralMismatch) -> None:
        super().__init__(mismatch.message)
        self.mismatch = mismatch

    def __reduce__(self) -> tuple[type, tuple[StructuralMismatch]]:
        return type(self), (self.mismatch,)


def first_mismatch(
    a: object, b: object, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> StructuralMismatch | None:
    """Return the first difference of two graphs.

    Parameters
    ----------
    a, b : object
        The graphs: objects, containers, other values.
    map_free_vars : bool
        Whether variables that no field defines may stand for each other.
    skip_tensor_content : bool
        Whether tensors are equal if shape and data type are.

    Returns
    -------
    StructuralMismatch or None
        None if the graphs are equal.

    Raises
    ------
    TypeError
        A tensor is in memory that the processor cannot read.
    """
    found = _core.first_mismatch(a, b, map_free_vars, skip_tensor_content)
    return None if found is None else StructuralMismatch(*found)


def assert_structural_equal(
    a: object, b: object, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> None:
    """Raise an error that shows the first difference, if two graphs differ.

    Parameters
    ----------
    a, b : object
        The graphs: objects, containers, other values.
    map_free_vars : bool
        Whether variables that no field defines may stand for each other.
    skip_tensor_content : bool
        Whether tensors are equal if shape and data type are.

    Raises
    ------
    StructuralMismatchError
        The graphs differ. It is an AssertionError and a ValueError.
    TypeError
        A tensor is in memory that the processor cannot read.
    """
    if _core.structural_equal(a, b, map_free_vars, skip_tensor_content):
        return
    found = first_mismatch(a, b, map_free_vars, skip_tensor_content)
    if found is None:  # a hook that does not answer twice in the same way
        raise RuntimeError("structural_equal() is false, but first_mismatch() finds no difference")
    raise StructuralMismatchError(found)


class StructuralKey:
    """Wraps a graph so that dictionaries and sets compare its structure.

    Its hash is computed once, so the graph must not change while the key is in use.

    Parameters
    ----------
    value : object
        The graph.
    map_free_vars : bool
        Whether variables that no field defines may stand for each other. Keys with different
        settings differ.

    Raises
    ------
    TypeError
        A tensor is in memory that the processor cannot read.

    Examples
    --------
    >>> {tain.StructuralKey([1, "a"]): "found"}[tain.StructuralKey([1, "a"])]
    'found'
    """

    __slots__ = ("_hash", "map_free_vars", "value")

    def __init__(self, value: object, map_free_vars: bool = False) -> None:
        self.value = value
        self.map_free_vars = map_free_vars
        self._hash = _core.structural_hash(value, map_free_vars)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructuralKey):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.map_free_vars == other.map_free_vars
            and _core.structural_equal(self.value, other.value, self.map_free_vars)
        )

    def __reduce__(self) -> tuple[type, tuple[object, bool]]:
        return type(self), (self.value, self.map_free_vars)

    def __repr__(self) -> str:
        return f"StructuralKey({self.value!r})"
