# SPDX-License-Identifier: Apache-2.0
"""The function `field`, which describes a field of a type defined in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, overload

__all__ = ["field"]

T = TypeVar("T")


class _NotGiven:
    """In a signature, represents an argument that was not given."""

    def __repr__(self) -> str:
        return "<not given>"


_NOT_GIVEN = _NotGiven()


@overload
def field(
    *,
    default: T,
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool = ...,
    doc: str = "",
    structural: str | None = None,
) -> T: ...


@overload
def field(
    *,
    default_factory: Callable[[], T],
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool = ...,
    doc: str = "",
    structural: str | None = None,
) -> T: ...


@overload
def field(
    *,
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool = ...,
    doc: str = "",
    structural: str | None = None,
) -> Any: ...


def field(
    *,
    default: Any = _NOT_GIVEN,
    default_factory: Any = _NOT_GIVEN,
    init: bool = True,
    repr: bool = True,  # noqa: A002 -- the names of dataclasses.field
    hash: bool | None = None,  # noqa: A002
    compare: bool = True,
    kw_only: Any = _NOT_GIVEN,
    doc: str = "",
    structural: str | None = None,
) -> Any:
    """Describe a field of a `py_class`, as `dataclasses.field` does.

    Parameters
    ----------
    default : object, optional
        The default. It is converted to the field's type when the class is defined.
    default_factory : callable, optional
        A function without arguments that makes the default for each object.
    init : bool
        Whether the field is a parameter of the constructor.
    repr, compare : bool
        Whether ``repr`` shows the field, and whether comparisons use it.
    hash : bool, optional
        Whether the hash uses the field. By default it does if `compare` is true.
    kw_only : bool, optional
        Whether the constructor takes the field by keyword only. By default the option of the class
        decides.
    doc : str
        The documentation of the field.
    structural : str, optional
        What `tain.structural_equal` does with the field: ``"ignore"``; ``"def"`` if it defines the
        variables in it, at any depth; ``"simple_def"`` if it defines only a variable that is its
        value or an element of it.

    Returns
    -------
    dataclasses.Field
        The description, to be assigned in the body of the class.

    Raises
    ------
    ValueError
        Both a default and a factory are given, or `structural` is unknown.
    """
    if structural not in (None, "ignore", "def", "simple_def"):
        raise ValueError(
            f"field: structural: expected 'ignore', 'def' or 'simple_def', got {structural!r}"
        )
    given = {"default": default, "default_factory": default_factory, "kw_only": kw_only}
    return dataclasses.field(
        **{name: value for name, value in given.items() if value is not _NOT_GIVEN},
        init=init,
        repr=repr,
        hash=hash,
        compare=compare,
        metadata={"doc": doc, "structural": structural},
    )
