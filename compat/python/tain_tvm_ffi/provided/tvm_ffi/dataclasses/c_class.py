# SPDX-License-Identifier: Apache-2.0
"""The decorator `c_class`, which makes a class the class of a registered type."""

from __future__ import annotations

import contextlib
import typing
from typing import TYPE_CHECKING, Any

from typing_extensions import dataclass_transform

from .._dunder import _install_dataclass_dunders
from .._type_info import TYPE_ATTRS
from ..registry import _add_class_attrs, _warn_missing_field_annotations, register_object
from .field import Field, _field_converter, field

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["c_class"]


def _attach_field_objects(cls: type, type_info: Any, *, frozen: bool = False) -> None:
    """Describe the fields of a type, for `fields`."""
    hints: dict[str, Any] = {}
    with contextlib.suppress(Exception):  # of the annotations, which may name anything
        hints = typing.get_type_hints(cls)
    for one in type_info.fields:
        one.frozen = one.frozen or frozen
        one.dataclass_field = Field(
            one.name,
            one.ty,
            default=one.c_default,
            default_factory=one.c_default_factory,
            frozen=one.frozen,
            init=one.c_init,
            repr=one.c_repr,
            hash=one.c_hash,
            compare=one.c_compare,
            kw_only=one.c_kw_only,
            structural_eq=one.c_structural_eq,
            doc=one.doc,
        )
        one.dataclass_field.type = hints.get(one.name)


@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def c_class(
    type_key: str,
    *,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
) -> Callable[[Any], Any]:
    """Make a class the class of a registered type, with what a dataclass has."""

    def decorate(cls: Any) -> Any:
        for name, value in list(vars(cls).items()):
            if isinstance(value, Field):
                delattr(cls, name)
        written = set(vars(cls))
        made = register_object(type_key, init=False)(cls)
        info = made.__tvm_ffi_type_info__
        _warn_missing_field_annotations(made, info, stacklevel=2)
        _attach_field_objects(made, info, frozen=frozen)
        _add_class_attrs(made, info, TYPE_ATTRS)
        for one in info.fields:
            if one.name not in written:
                setattr(made, one.name, one.as_attribute(made, frozen))
        _install_dataclass_dunders(
            made,
            init=init,
            repr=repr,
            eq=eq,
            order=order,
            unsafe_hash=unsafe_hash,
            match_args=match_args,
        )
        made.__ffi_is_dataclass__ = True
        return made

    return decorate


_transform: Any = c_class
_transform.__dataclass_transform__["kwargs"]["converter"] = _field_converter
