# SPDX-License-Identifier: Apache-2.0
"""Types defined in Python: `py_class` and `field`.

The fields of such a type lie in a C++ object, each in the memory that its annotation asks for; the
class is made by the same factory as those of types that C++ registers.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
import types
from dataclasses import MISSING

from tain import Object, _adoption, _annotations, _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import dataclass_transform

    C = TypeVar("C", bound=type)
    T = TypeVar("T")
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda function: function


__all__ = ["py_class", "field"]


class _NotGiven:
    """What a signature shows for an argument that was not given."""

    def __repr__(self) -> str:
        return "<not given>"


_NOT_GIVEN = _NotGiven()


if TYPE_CHECKING:

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
) -> Any:
    """Describe a field of a `py_class` beyond its annotation, as `dataclasses.field` does.

    Parameters
    ----------
    default : object, optional
        Its default; it is converted to the field's type when the class is defined.
    default_factory : callable, optional
        A function without arguments that makes the default of each object.
    init : bool
        Whether it is a parameter of the constructor.
    repr, compare : bool
        Whether ``repr`` shows it, and whether comparisons look at it.
    hash : bool, optional
        Whether the hash is computed with it; by default as `compare` says.
    kw_only : bool, optional
        Whether the constructor takes it by keyword only; by default as the class says.
    doc : str
        Its documentation.

    Raises
    ------
    ValueError
        Both a default and a factory are given.
    """
    given = {"default": default, "default_factory": default_factory, "kw_only": kw_only}
    return dataclasses.field(
        **{name: value for name, value in given.items() if value is not _NOT_GIVEN},
        init=init,
        repr=repr,
        hash=hash,
        compare=compare,
        metadata={"doc": doc},
    )


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
    ) -> Callable[[C], C]: ...


@dataclass_transform(eq_default=False, field_specifiers=(field, dataclasses.field))
def py_class(key: Any = None, /, **options: Any) -> Any:
    """Define a type in Python: its annotations become typed fields of a C++ object.

    C++ sees the type as one that C++ registered: its fields by name, its methods, containers of its
    objects. An assignment to a field checks the value's type. Annotations that C++ knows nothing of
    (any other class) make fields that take every value.

    Parameters
    ----------
    key : str, optional
        The type key, such as ``"demo.Node"``; module and name of the class if it is left out or if
        the decorator is used bare.
    init : bool
        Make a constructor of the fields, those of the parents first. A class with an ``__init__``
        of its own keeps that one.
    repr, match_args : bool
        Make ``__repr__`` and ``__match_args__``.
    eq, order, unsafe_hash, frozen : bool
        Compare by fields, order by fields, hash by fields, refuse assignments, as in dataclasses;
        but without `eq`, objects are equal only to themselves.
    kw_only : bool
        The constructor takes all fields of this class by keyword only.
    slots : bool
        Leave out ``__dict__``: only fields can be assigned.

    Returns
    -------
    type
        The class, with the type's class among its bases: the same one where CPython can change the
        bases of a class, else the same class made anew.

    Raises
    ------
    TypeError
        A field or an option does not fit; the parent cannot be extended.
    ValueError
        The key belongs to another type; a default is mutable.

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
        name = _default_key(cls) if key is None or key is cls else key
        if issubclass(cls, enum.Enum):
            return _define_enum(name, cls)
        settings = types.SimpleNamespace(**{**_OPTIONS, **options})
        return _Definition(name, cls, settings, frame.f_locals).run()

    if isinstance(key, type):
        return define(key)
    if key is not None and not isinstance(key, str):
        raise TypeError(f"py_class: expected a type key or a class, got {key!r}")
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
}


def _default_key(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}".replace("<locals>.", "")


def _origin(cls: type) -> tuple[str, str]:
    """Return who defines a class: the same module may define it again."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or f"<{cls.__module__}>"
    return f"{cls.__module__}:{cls.__qualname__}", str(file)


def _doc_of(cls: type) -> str:
    return (vars(cls).get("__doc__") or "").strip()


class _Definition:
    """One use of py_class."""

    def __init__(
        self, key: str, cls: type, options: types.SimpleNamespace, names: dict[str, Any]
    ) -> None:
        self.key = key
        self.cls = cls
        self.options = options
        self.fields: dict[str, dataclasses.Field[Any]] = {}
        self.init_vars: dict[str, dataclasses.Field[Any]] = {}
        self.reader = _annotations.Reader(key, cls, names)
        self.parent = next((b for b in cls.__mro__ if issubclass(b, Object)), Object)

    def run(self) -> type:
        self.check()
        self.read_fields()
        unit, file = _origin(self.cls)
        _core.define_type(
            self.key,
            _doc_of(self.cls),
            unit,
            file,
            self.parent,
            self.flags(),
            [self.described(name, field) for name, field in self.fields.items()],
        )
        return self.dress(self.bare())

    def check(self) -> None:
        options = self.options
        if options.order and not options.eq:
            raise ValueError(f"{self.key}: eq must be true if order is true")
        if self.cls is self.parent and _known(self.key) is self.cls:
            raise TypeError(f"{self.key}: the class is already defined by py_class")

    def read_fields(self) -> None:
        """Sort the annotations into fields and init-only variables."""
        kw_only = self.options.kw_only
        for name, annotation in self.reader.annotations():
            if annotation is dataclasses.KW_ONLY:
                kw_only = True
                continue
            if _annotations.is_class_var(annotation):
                continue
            if name.startswith("__") and name.endswith("__"):
                raise TypeError(f"{self.key}.{name}: names of this form belong to Python")
            given = vars(self.cls).get(name, MISSING)
            if isinstance(given, types.MemberDescriptorType):
                raise TypeError(
                    f"{self.key}.{name}: a field cannot stand in __slots__: it has its memory in "
                    "the C++ object"
                )
            described = given if isinstance(given, dataclasses.Field) else None
            if described is None:
                described = dataclasses.field(default=given)
            if described.kw_only is MISSING:
                described.kw_only = kw_only
            described.name = name
            described.type = annotation
            self.check_default(described)
            is_init_var = isinstance(annotation, dataclasses.InitVar)
            (self.init_vars if is_init_var else self.fields)[name] = described
        for name, value in vars(self.cls).items():
            if isinstance(value, dataclasses.Field) and name not in self.fields | self.init_vars:
                raise TypeError(f"{self.key}.{name} is a field without an annotation")

    def check_default(self, described: dataclasses.Field[Any]) -> None:
        default = described.default
        if default is not MISSING and type(default).__hash__ is None:
            raise ValueError(
                f"{self.key}.{described.name}: a default of type {type(default).__name__} would be "
                "shared by all objects: use tain.field(default_factory=...)"
            )

    def flags(self) -> list[str]:
        options = self.options
        flags = [name for name in ("eq", "order", "frozen") if getattr(options, name)]
        if options.unsafe_hash or (options.eq and options.frozen):
            flags.append("hash")
        return flags

    def described(
        self, name: str, field: dataclasses.Field[Any]
    ) -> tuple[str, str, str, list[str], object]:
        """Return what `_core.define_type` wants to know of a field."""
        flags = [] if self.options.frozen else ["writable"]
        default: object = None
        if field.default is not MISSING:
            flags.append("default")
            default = field.default
        elif field.default_factory is not MISSING:
            flags += ["default", "factory"]
            default = field.default_factory
        elif self.has_own_init:
            # The class's own __init__ sets it, before or after the C++ object is made.
            flags.append("no_init")
        for flag, wanted in (
            ("no_init", not (field.init and self.options.init)),
            ("no_repr", not field.repr),
            ("no_compare", not field.compare),
            ("no_hash", field.hash is False),
            ("kw_only", field.kw_only is True),
        ):
            if wanted and flag not in flags:
                flags.append(flag)
        doc = field.metadata.get("doc", "")
        return name, self.reader.expression(name, field.type), doc, flags, default

    @property
    def has_own_init(self) -> bool:
        return "__init__" in vars(self.cls)

    def bare(self) -> type:
        """Return the class without the defaults, which would hide the fields."""
        for name in (*self.fields, *self.init_vars):
            if name in vars(self.cls):
                delattr(self.cls, name)
        post_init = hasattr(self.cls, "__post_init__") and not self.has_own_init
        calls_it = post_init and self.options.init and not self.all_init_vars
        return _core.graft_class(self.key, self.cls, self.options.slots, calls_it)

    @property
    def all_init_vars(self) -> dict[str, dataclasses.Field[Any]]:
        """Return the init-only variables, those of the parents first."""
        return {**getattr(self.cls, "__tain_init_vars__", {}), **self.init_vars}

    def dress(self, cls: type) -> type:
        """Add what the options ask for, and tell C++ of the methods."""
        options: Any = self.options
        made: Any = cls
        own = set(vars(cls))
        if init_vars := self.all_init_vars:
            made.__tain_init_vars__ = init_vars
            if options.init and "__init__" not in own:
                made.__init__ = _make_init(cls, self.key, init_vars)
        if not options.repr and "__repr__" not in own:
            made.__repr__ = object.__repr__
        if not options.match_args and "__match_args__" not in own:
            made.__match_args__ = ()  # type: ignore[misc]
        for name, value in list(vars(cls).items()):
            if name.startswith("__") and name.endswith("__"):
                continue
            if isinstance(value, types.FunctionType):
                _core.define_method(self.key, name, _doc_of_function(value), _caller(name), False)
            elif isinstance(value, staticmethod):
                function = value.__func__
                _core.define_method(self.key, name, _doc_of_function(function), function, True)
        _adoption.refresh_name(self.key)
        return cls


def _doc_of_function(function: Any) -> str:
    return (getattr(function, "__doc__", None) or "").strip()


def _caller(name: str) -> Callable[..., Any]:
    """Return what C++ calls: the method of the object's own class, which may override it."""

    def call(self: Any, /, *args: Any) -> Any:
        return getattr(self, name)(*args)

    call.__name__ = name
    return call


class _Factory:
    """What a signature shows for a default that is made anew."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


class _InitWriter:
    """Writes an `__init__` that builds the C++ object and calls `__post_init__` with the rest."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.names: dict[str, Any] = {
            "_construct": Object.__init__,
            "_post_init": _core.post_init,
            "_FACTORY": _FACTORY,
        }
        self.annotations: dict[str, Any] = {"return": None}
        self.positional: list[str] = []
        self.by_keyword: list[str] = []
        self.passed: list[str] = []

    def add_field(self, name: str, arg: _core.ArgInfo) -> None:
        value = name
        if arg.default_factory is not None:
            self.names[f"_make_{name}"] = arg.default_factory
            value = f"_make_{name}() if {name} is _FACTORY else {name}"
            self.add(name, "_FACTORY", arg.kw_only)
        elif arg.has_default:
            self.add_default(name, arg.default, arg.kw_only)
        else:
            self.add(name, None, arg.kw_only)
        self.passed.append(f"{name}={value}" if arg.kw_only else value)

    def add_init_var(self, name: str, field: dataclasses.Field[Any]) -> None:
        kw_only = field.kw_only is True
        if field.default is not MISSING:
            self.add_default(name, field.default, kw_only)
            return
        if not kw_only and self.positional and "=" in self.positional[-1]:
            raise TypeError(
                f"{self.key}.{name}: an InitVar without default follows a field with one: give it "
                "a default, or make it kw_only"
            )
        self.add(name, None, kw_only)

    def add_default(self, name: str, default: object, kw_only: bool) -> None:
        self.names[f"_default_{name}"] = default
        self.add(name, f"_default_{name}", kw_only)

    def add(self, name: str, default: str | None, kw_only: bool) -> None:
        text = name if default is None else f"{name}={default}"
        (self.by_keyword if kw_only else self.positional).append(text)

    def write(self, cls: type, init_vars: list[str]) -> Callable[..., None]:
        parameters = ["__tain_self__", *self.positional]  # a field may be called self
        if self.by_keyword:
            parameters += ["*", *self.by_keyword]
        lines = [
            f"def __init__({', '.join(parameters)}):",
            f"    _construct({', '.join(['__tain_self__', *self.passed])})",
        ]
        if hasattr(cls, "__post_init__"):
            lines.append(f"    _post_init({', '.join(['__tain_self__', *init_vars])})")
        exec("\n".join(lines), self.names)  # as dataclasses does, to give it its signature
        made = self.names["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        made.__module__ = cls.__module__
        made.__annotations__ = self.annotations
        return made  # type: ignore[no-any-return]


def _make_init(
    cls: type, key: str, init_vars: dict[str, dataclasses.Field[Any]]
) -> Callable[..., None]:
    """Return the `__init__` of a class with init-only variables."""
    writer = _InitWriter(key)
    constructor: Any = _core.type_info(key).constructor
    for index, arg in enumerate(constructor.args):
        name = arg.name if arg.is_named else f"_arg{index}"
        writer.annotations[name] = arg.annotation
        writer.add_field(name, arg)
    for name, field in init_vars.items():
        if isinstance(field.type, dataclasses.InitVar):
            writer.annotations[name] = field.type.type
        writer.add_init_var(name, field)
    return writer.write(cls, list(init_vars))


def _define_enum(key: str, cls: type[enum.Enum]) -> type[enum.Enum]:
    """Register an enum written in Python, or make it the class of one that C++ registered."""
    if issubclass(cls, enum.IntFlag):
        kind = "flag"
    elif issubclass(cls, int):
        kind = "int"
    elif issubclass(cls, str):
        kind = "str"
    else:
        raise TypeError(
            f"{key}: expected an IntEnum, IntFlag or StrEnum, whose members C++ can hold, got a "
            f"{cls.__mro__[1].__name__}"
        )
    known = _known(key)
    unit, file = _origin(cls)
    if known is None or known.__module__ == cls.__module__:
        _core.define_enum(key, _doc_of(cls), unit, file, cls, kind)
    _core.adopt_enum_class(key, cls)
    _adoption.refresh_name(key)
    return cls


def _known(key: str) -> type | None:
    """Return the class that has a key by now; nothing is loaded to find one."""
    if key not in _core.type_keys(key):
        return None
    return _core.get_class(key)
