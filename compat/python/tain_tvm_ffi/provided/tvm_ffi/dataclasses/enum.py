# SPDX-License-Identifier: Apache-2.0
"""Enums whose members are objects, which all languages know by number and by name."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from tain import Dict, Object, get_global_func

from .. import _type_info
from . import _annotations
from .c_class import c_class
from .py_class import py_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Enum", "EnumAttrMap", "EnumState", "IntEnum", "StrEnum", "auto", "entry"]

ENUM_STATE_ATTR = "__ffi_enum__"
_set_field = get_global_func("tain_tvm_ffi.set_field")
_make_empty = get_global_func("tain_tvm_ffi.make_empty")


@c_class("ffi.EnumState")
class EnumState(Object):
    """The members of an enum, in order and by what they are found by."""

    entries: Any
    indexes: Any
    attrs: Any


class _EnumEntry:
    """A member in the body of a class."""

    __slots__ = ("args", "kwargs")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        named = [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"entry({', '.join([*map(repr, self.args), *named])})"


def entry(*args: Any, **kwargs: Any) -> Any:
    """Declare a member of an enum, with values of its fields."""
    return _EnumEntry(*args, **kwargs)


def auto() -> Any:
    """Declare a member of an enum that has no values of its own."""
    return _EnumEntry()


class _OfClass:
    """A property of a class."""

    def __init__(self, function: Callable[[type], Any]) -> None:
        self.function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.function(type(instance) if owner is None else owner)


def _index(index: Any) -> int | str:
    if isinstance(index, bool):
        return int(index)
    if isinstance(index, int):
        if not -(2**63) <= index < 2**63:
            raise OverflowError(f"enum integer index {index} is outside int64")
        return index
    if isinstance(index, str):
        return index
    raise TypeError(f"enum index must be int or str, got {type(index).__name__}")


def _state(cls: Any, create: bool = False) -> Any:
    info = getattr(cls, "__tvm_ffi_type_info__", None)
    if info is None:
        return None
    state = _type_info.type_attr(info.type_index, ENUM_STATE_ATTR)
    if state is None and create:
        _type_info.set_type_attr(info.type_index, ENUM_STATE_ATTR, EnumState())
        state = _type_info.type_attr(info.type_index, ENUM_STATE_ATTR)
    return state


def _entries(cls: type) -> list[Any]:
    state = _state(cls)
    return [] if state is None else list(state.entries)


_OPTIONS = ("frozen", "init", "repr")
# The base classes of enums whose members have values.
_PAYLOADS: dict[Any, type] = {}


class _EnumMeta(type(Object)):  # type: ignore[misc]
    """Makes the members of an enum iterable, and finds them by `Cls(value)`."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        body: dict[str, Any],
        *,
        type_key: str | None = None,
        **options: Any,
    ) -> Any:
        rest = {key: options.pop(key) for key in list(options) if key not in _OPTIONS}
        cls = super().__new__(mcs, name, bases, body, **rest)
        base = next((b for b in cls.__mro__[1:] if b in _PAYLOADS), None)
        is_own = "value" in body or "value" in inspect.get_annotations(cls)
        if base is not None and is_own and not _is_copy(body):
            raise TypeError(f"{base.__name__} reserves `value` as its canonical index alias")
        return cls if type_key is None else _define(cls, type_key, base, **options)

    def __init__(cls, *args: Any, **options: Any) -> None:
        super().__init__(*args)

    def __iter__(cls) -> Iterator[Any]:
        return iter(_entries(cls))

    def __len__(cls) -> int:
        return len(_entries(cls))

    def __bool__(cls) -> bool:
        return True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs:
            if isinstance(args[0], cls):
                return args[0]
            if isinstance(args[0], (int, str)):
                try:
                    return cls.get(args[0])
                except KeyError:
                    raise ValueError(f"{args[0]!r} is not a valid {cls.__name__}") from None
        return super().__call__(*args, **kwargs)


@c_class("ffi.Enum", init=False)
class Enum(Object, metaclass=_EnumMeta):
    """The base class of enums whose members are objects."""

    __slots__ = ()

    _int_index: int
    _str_index: str

    @classmethod
    def get(cls, index: int | str) -> Any:
        """Return the member of a number or name."""
        index = _index(index)
        state = _state(cls)
        if state is not None and index in state.indexes:
            return state.indexes[index]
        raise KeyError(index)

    @classmethod
    def all_entries(cls) -> Iterator[Any]:
        """Iterate over the members in order."""
        return iter(_entries(cls))

    @_OfClass
    def attr_dict(cls: type) -> Any:
        """Return what is known of members besides their fields, by name."""
        state = _state(cls)
        return Dict({}) if state is None else state.attrs

    @classmethod
    def def_attr(cls, name: str, *, default: Any = _type_info.MISSING) -> EnumAttrMap:
        """Return what is known of members under a name, by member."""
        return EnumAttrMap(cls, name, default=default)


class EnumAttrMap:
    """Values under one name, by the members of an enum."""

    __slots__ = ("_default", "_enum_cls", "_name")

    def __init__(self, enum_cls: type, name: str, *, default: Any = _type_info.MISSING) -> None:
        self._enum_cls = enum_cls
        self._name = name
        self._default = default

    def _check(self, variant: object) -> None:
        if not isinstance(variant, self._enum_cls):
            raise TypeError(f"expected {self._enum_cls.__name__}, got {type(variant).__name__}")

    def _values(self, create: bool) -> Any:
        state = _state(self._enum_cls, create)
        if state is None:
            return None
        attrs = state.attrs
        if create and self._name not in attrs:
            attrs[self._name] = Dict({})
        return attrs.get(self._name)

    def __setitem__(self, variant: object, value: Any) -> None:
        self._check(variant)
        self._values(True)[variant] = value

    def __getitem__(self, variant: object) -> Any:
        self._check(variant)
        values = self._values(False)
        if values is not None and variant in values:
            return values[variant]
        if self._default is not _type_info.MISSING:
            return self._default
        raise KeyError(f"{variant!r} has no extensible attribute {self._name!r}")

    def __contains__(self, variant: object) -> bool:
        if not isinstance(variant, self._enum_cls):
            return False
        values = self._values(False)
        return values is not None and variant in values

    def get(self, variant: object, default: Any = None) -> Any:
        """Return the value of a member, or a default."""
        found = variant in self
        return self[variant] if found else default

    @property
    def name(self) -> str:
        """Return the name."""
        return self._name


@c_class("ffi.IntEnum", init=False)
class IntEnum(Enum):
    """The base class of enums whose members have a number as their value."""

    __slots__ = ()

    value: int


@c_class("ffi.StrEnum", init=False)
class StrEnum(Enum):
    """The base class of enums whose members have a text as their value."""

    __slots__ = ()

    value: str


_PAYLOADS.update({IntEnum: int, StrEnum: str})


def _is_class_var(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.replace(" ", "").startswith(("ClassVar", "typing.ClassVar"))
    return _annotations.is_class_var(annotation)


def _is_copy(body: dict[str, Any]) -> bool:
    """Return whether tain makes a class again, with other bases."""
    return "__tvm_ffi_type_info__" in body


def _define(
    cls: Any,
    type_key: str,
    base: Any,
    frozen: bool = True,
    init: bool = True,
    repr: bool = True,
) -> Any:
    """Make a class the class of an enum, which it defines if there is none, with its members."""
    payload = _PAYLOADS.get(base)
    own_repr = "__repr__" in vars(cls)
    binders, declared = _declarations(cls, payload)
    is_known = _type_info.index_of_key(type_key) is not None
    if is_known:
        made = c_class(type_key, init=init, repr=repr)(cls)
    else:
        made = py_class(type_key, frozen=frozen, structural_eq="singleton")(cls)
    if payload is not None:
        _add_payload_methods(made, payload, own_repr)
        _type_info.add_payload_enum(type_key, made)
    elif not own_repr and repr:
        made.__repr__ = lambda self: f"{type_key}.{self._str_index}"
    _Resolution(made, type_key, is_known, payload).run(binders, declared)
    return made


def _declarations(cls: Any, payload: Any) -> tuple[list[str], dict[str, _EnumEntry]]:
    """Return the names that members of C++ get, and the members that the class declares."""
    annotations = inspect.get_annotations(cls)
    names = {name for name, annotation in annotations.items() if _is_class_var(annotation)}
    binders = [n for n in annotations if n in names and n[0] != "_" and n not in vars(cls)]
    declared: dict[str, _EnumEntry] = {}
    for name, value in list(vars(cls).items()):
        if name.startswith("_") or (name in annotations and name not in names):
            continue
        if isinstance(value, _EnumEntry):
            declared[name] = value
        elif payload is not None and not (
            isinstance(value, (staticmethod, classmethod, property)) or callable(value)
        ):
            declared[name] = _EnumEntry(value=value)
        else:
            continue
        delattr(cls, name)
    return binders, declared


def _add_payload_methods(cls: Any, payload: type, own_repr: bool) -> None:
    """Let members compare as their values."""

    def eq(self: Any, other: object) -> Any:
        if isinstance(other, type(self)):
            return self.value == other.value
        return self.value == other if isinstance(other, payload) else NotImplemented

    def ne(self: Any, other: object) -> Any:
        result = eq(self, other)
        return result if result is NotImplemented else not result

    methods: dict[str, Any] = {
        "__eq__": eq,
        "__ne__": ne,
        "__str__": lambda self: str(self.value),
        "__hash__": lambda self: hash(self.value),
        "name": property(lambda self: str(self._str_index)),
    }
    for name, value in methods.items():
        if name not in vars(cls):
            setattr(cls, name, value)
    if not own_repr:
        cls.__repr__ = lambda self: f"{type(self).__name__}.{self.name}"


class _Resolution:
    """Makes, or finds, the members of one enum."""

    def __init__(self, cls: Any, key: str, is_known: bool, payload: Any) -> None:
        self.cls, self.key, self.is_known, self.payload = cls, key, is_known, payload
        state = _state(cls, create=True)
        self.entries, self.indexes = state.entries, state.indexes

    def run(self, binders: list[str], declared: dict[str, _EnumEntry]) -> None:
        for name in binders:
            member = self.indexes.get(name)
            if member is None:
                if self.is_known:
                    raise RuntimeError(f"{self.key!r} has no enum at string index {name!r}")
                if self.payload is int:
                    raise TypeError(f"{self.cls.__name__}.{name} requires an integer value")
                member = self.make(len(self.entries), name, _EnumEntry())
            setattr(self.cls, name, member)
        for name, declaration in declared.items():
            number, text, values = self.indices(name, declaration)
            member = self.indexes.get(number if self.payload is int else text)
            if member is None:
                if number in self.indexes or text in self.indexes:
                    raise ValueError(f"duplicate enum index in {self.cls.__name__}.{name}")
                member = self.make(number, text, values)
            setattr(self.cls, name, member)

    def indices(self, name: str, declaration: _EnumEntry) -> tuple[int, str, _EnumEntry]:
        where = f"{self.cls.__name__}.{name}"
        values = dict(declaration.kwargs)
        if "_int_index" in values or "_str_index" in values:
            raise TypeError(f"{where}: enum indices are inferred")
        if self.payload is None:
            return len(self.entries), name, declaration
        if "value" not in values:
            raise TypeError(f"{where} requires a {self.payload.__name__} value")
        value = values.pop("value")
        if type(value) is not self.payload:
            raise TypeError(f"{where} value must be {self.payload.__name__}")
        rest = _EnumEntry(*declaration.args, **values)
        if self.payload is int:
            return int(_index(value)), name, rest
        return len(self.entries), value, rest

    def make(self, number: int, text: str, values: _EnumEntry) -> Any:
        """Make a member, and note it."""
        indices = {"_int_index": number, "_str_index": text}
        try:
            if self.is_known:
                if values.args:
                    raise TypeError("the members of an enum of C++ take fields by keyword")
                made = _make_empty(self.cls.__tvm_ffi_type_info__.type_index)
                for name, value in {**indices, **values.kwargs}.items():
                    _set_field(made, name, value)
            else:
                made = type.__call__(self.cls, *values.args, **values.kwargs)
                for name, value in indices.items():
                    _set_field(made, name, value)
        except Exception as error:
            where = f"{self.cls.__name__}.{text}"
            raise TypeError(f"{where}: invalid enum entry: {error}") from None
        self.entries.append(made)
        self.indexes[number] = made
        self.indexes[text] = made
        return made
