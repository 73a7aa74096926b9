# SPDX-License-Identifier: Apache-2.0
"""The decorator `py_class`, which defines a type or an enum."""

from __future__ import annotations

import dataclasses
import enum
import sys
import types

from tain._checks import refuse
from tain._python_types.definition import Definition
from tain._python_types.enums import define_enum
from tain._python_types.fields import field
from tain._python_types.identity import default_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import dataclass_transform

    C = TypeVar("C", bound=type)
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda function: function


__all__ = ["py_class"]


if TYPE_CHECKING:

    @overload
    def py_class(key: C, /) -> C: ...
    @overload
    def py_class(
        key: str | None = None,
        /,
        *,
        init: bool = True,
        repr: bool = True,
        eq: bool = False,
        order: bool = False,
        unsafe_hash: bool = False,
        frozen: bool = False,
        match_args: bool = True,
        kw_only: bool = False,
        slots: bool = False,
        structural: str | None = None,
    ) -> Callable[[C], C]: ...


@dataclass_transform(eq_default=False, field_specifiers=(field, dataclasses.field))
def py_class(key: Any = None, /, **options: Any) -> Any:
    """Define a type in Python: the annotations of a class become typed fields of a C++ object.

    C++ can use the type like a type that C++ registered: it can access fields by name, call
    methods, and store objects in containers. Assigning to a field checks the type of the value. A
    field takes every value if its annotation is a class that is not registered.

    Parameters
    ----------
    key : str or type, optional
        The type key, such as ``"demo.Node"``. By default, and if the decorator is used without
        parentheses, it consists of the module and the name of the class.
    init : bool
        Make a constructor that takes the fields, those of the parents first. If the class defines
        ``__init__``, that is its constructor.
    repr, match_args : bool
        Make ``__repr__`` and ``__match_args__``.
    eq, order, unsafe_hash, frozen : bool
        Compare by fields, order by fields, hash by fields, refuse assignments, as in dataclasses.
        Unlike in dataclasses, `eq` is false by default: an object equals only itself.
    kw_only : bool
        The constructor takes all fields of this class by keyword only.
    slots : bool
        Objects have no ``__dict__``: only fields can be assigned.
    structural : str, optional
        How `tain.structural_equal` compares objects: as a ``"tree"`` (the default, unless a parent
        says otherwise), a ``"dag"``, whose sharing matters, a ``"const_tree"``, which contains no
        variable, a ``"variable"``, or as a ``"unique"`` instance. The methods ``__s_equal__`` and
        ``__s_hash__`` of a class replace the comparison by fields.

    Returns
    -------
    type
        The class, with a base class that tain made for the type. If CPython cannot change the bases
        of the class in place, it is a copy of the class.

    Raises
    ------
    TypeError
        A field or an option is invalid, or the parent cannot be extended.
    ValueError
        The key belongs to another type, a default is mutable, or the structural kind is unknown.

    Examples
    --------
    >>> @tain.py_class("demo.Node")
    ... class Node:
    ...     name: str
    ...     children: list["Node"] = tain.field(default_factory=list)
    >>> Node("root", [Node("leaf")]).children[0].name
    'leaf'
    """
    unknown = options.keys() - _OPTIONS.keys()
    if unknown:
        raise TypeError(f"py_class() got an unexpected keyword argument '{min(unknown)}'")

    frame = sys._getframe(1)

    def define(cls: type) -> type:
        if not isinstance(cls, type):  # for callers without a type checker
            raise refuse("py_class", "a class", cls)
        name = default_key(cls) if key is None or key is cls else key
        if issubclass(cls, enum.Enum):
            return define_enum(name, cls)
        settings = types.SimpleNamespace(**{**_OPTIONS, **options})
        return Definition(name, cls, settings, frame.f_locals).run()

    if isinstance(key, type):
        return define(key)
    if key is not None and not isinstance(key, str):
        raise refuse("py_class", "a type key or a class", key)
    return define


_OPTIONS = {
    "init": True,
    "repr": True,
    "eq": False,
    "order": False,
    "unsafe_hash": False,
    "frozen": False,
    "match_args": True,
    "kw_only": False,
    "slots": False,
    "structural": None,
}
