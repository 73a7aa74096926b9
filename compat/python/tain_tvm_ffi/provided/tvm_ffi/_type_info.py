# SPDX-License-Identifier: Apache-2.0
"""What is registered of types, in the form in which the ecosystem's Python code reads it."""

from __future__ import annotations

import copy
import functools
import json
import sys
from typing import TYPE_CHECKING, Any

import tain
from tain import _core, get_global_func

from . import _library  # brings the functions that are found below
from ._type_schema import TypeSchema, keys_of_classes

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MISSING", "FFIProperty", "TypeField", "TypeInfo", "TypeMethod"]

MISSING = get_global_func("ffi.GetInvalidObject")()
KWARGS = get_global_func("ffi.GetKwargsObject")()
_describe = get_global_func("tain_tvm_ffi.describe_type")
set_field = get_global_func("tain_tvm_ffi.set_field")

# The bits of a field's flags.
_WRITABLE, _DEFAULT, _NO_STRUCTURAL, _DEF = 1 << 0, 1 << 1, 1 << 3, 1 << 4
_FACTORY, _NO_REPR, _NO_COMPARE, _NO_HASH = 1 << 5, 1 << 6, 1 << 7, 1 << 8
_NO_INIT, _KW_ONLY, _SIMPLE_DEF = 1 << 9, 1 << 10, 1 << 12
STRUCTURAL_KINDS = (None, "tree", "variable", "dag", "const_tree", "unique")
_STRUCTURAL_FLAGS = {
    "ignore": "structural_ignore",
    "def": "structural_def",
    "def-pattern": "structural_def",
    "def-simple": "structural_simple_def",
}


# The attributes of types that Python code can define.
TYPE_ATTRS = frozenset(
    {
        *("__ffi_repr__", "__ffi_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_convert__"),
        *("__ffi_convert_type_schema__", "__any_hash__", "__any_equal__", "__s_equal__"),
        *("__s_hash__", "__s_visit__", "__s_mutate__", "__s_maybe_inplace_mutate__"),
        *("__data_to_json__", "__data_from_json__"),
    }
)

# The enums whose members have a number or a text as their value, by key.
_payload_enums: dict[str | None, Any] = {}


def add_payload_enum(key: str, cls: Any) -> None:
    """Let fields take the values of an enum in the place of its members."""
    _payload_enums[key] = cls


def member_of(cls: Any, value: Any) -> Any:
    """Return the member of an enum for a value."""
    if isinstance(value, (int, str)):
        try:
            return cls.get(value)
        except (KeyError, OverflowError):
            raise TypeError(f"expected a member of {cls.__name__}, got {value!r}") from None
    return value


class FFIProperty(property):
    """A field of a class, which `set` writes even if it cannot be assigned."""

    def __init__(self, descriptor: Any, field: TypeField) -> None:
        setter = None if field.frozen else descriptor.__set__
        members = field.members()
        if setter is not None and members is not None:
            plain = descriptor.__set__

            def setter(obj: Any, value: Any) -> None:
                plain(obj, member_of(members, value))

        super().__init__(descriptor.__get__, setter, None, field.doc)
        self.__doc__ = field.doc  # else it is that of this class
        self.name = field.name

    def set(self, obj: Any, value: Any) -> None:
        """Write the field of an object."""
        set_field(obj, self.name, value)


class TypeField:
    """A field of a type."""

    def __init__(self, described: Any) -> None:
        flags = described["flags"]
        self.name = described["name"]
        self.doc = described["doc"] or None
        self.size = described["size"]
        self.alignment = described["alignment"]
        self.offset = described["offset"]
        self.field_static_type_index = described["type_index"]
        self.metadata = _metadata(described["metadata"])
        schema = self.metadata.get("type_schema")
        self.ty = None if schema is None else TypeSchema.from_json_str(schema)
        self.frozen = not flags & _WRITABLE
        self.c_init = not flags & _NO_INIT
        self.c_kw_only = bool(flags & _KW_ONLY)
        self.c_has_default = bool(flags & _DEFAULT)
        given = described.get("default", None)
        is_factory = bool(flags & _FACTORY)
        self.c_default = given if self.c_has_default and not is_factory else MISSING
        self.c_default_factory = given if is_factory else MISSING
        self.c_repr = not flags & _NO_REPR
        self.c_compare = not flags & _NO_COMPARE
        self.c_hash = not flags & _NO_HASH
        self.c_structural_eq = (
            "ignore"
            if flags & _NO_STRUCTURAL
            else "def-pattern"
            if flags & _DEF
            else "def-simple"
            if flags & _SIMPLE_DEF
            else None
        )
        self.dataclass_field: Any = None

    def members(self) -> Any:
        """Return the enum whose members the field holds, if a value can stand for a member."""
        key = None if self.ty is None else self.ty.type_key or self.ty.origin
        return _payload_enums.get(key)

    def as_property(self, cls: type) -> FFIProperty:
        """Return the attribute of a class for the field, which has a method `set`."""
        return FFIProperty(self._descriptor(cls), self)

    def as_attribute(self, cls: type, frozen: bool = False) -> Any:
        """Return the attribute of a class for the field; `frozen` if nobody may assign it."""
        if frozen or self.members() is not None:
            return self.as_property(cls)
        return self._descriptor(cls)  # takes half the time of a property

    def _descriptor(self, cls: type) -> Any:
        for base in cls.__mro__:
            found = vars(base).get(self.name)
            if found is not None and type(found).__name__ == "getset_descriptor":
                return found
        raise AttributeError(f"{cls.__name__} has no field {self.name}")


class TypeMethod:
    """A method of a type."""

    def __init__(self, described: Any) -> None:
        self.name = described["name"]
        self.doc = described["doc"] or None
        self.func = described["func"]
        self.is_static = described["is_static"]
        self.metadata = _metadata(described["metadata"])

    def as_callable(self, cls: type) -> Any:
        """Return the attribute of a class for the method."""
        if self.is_static:
            return staticmethod(self.func)
        function = self.func

        def call(self: Any, *args: Any) -> Any:
            return function(self, *args)

        call.__name__, call.__doc__ = self.name, self.doc
        call.__module__, call.__qualname__ = cls.__module__, f"{cls.__qualname__}.{self.name}"
        return call


def _metadata(text: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text)) if text else {}
    except ValueError:
        return {}


class TypeInfo:
    """A registered type, or one that is just being defined."""

    def __init__(self, key: str, index: int, type_cls: type | None) -> None:
        self.type_key = key
        self.type_index = index
        self.type_cls = type_cls
        self.fields: list[TypeField] | None = None
        self.methods: list[TypeMethod] = []
        self.type_ancestors: list[int] = []
        self.parent_type_info: TypeInfo | None = None
        self.total_size = -1
        self._has_type_metadata = False
        self._decorator_args: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"TypeInfo({self.type_key!r})"

    def read(self) -> TypeInfo:
        """Read again what is registered."""
        described = _describe(self.type_index)
        known = {field.name: field for field in self.fields or ()}
        self.fields = [TypeField(one) for one in described["fields"]]
        for field in self.fields:
            if field.name in known:
                field.dataclass_field = known[field.name].dataclass_field
                field.frozen = known[field.name].frozen
                field.c_init = known[field.name].c_init
                field.c_kw_only = known[field.name].c_kw_only
        self.methods = [TypeMethod(one) for one in described["methods"]]
        self.type_ancestors = list(described["ancestors"])
        if self.parent_type_info is None and self.type_ancestors:
            self.parent_type_info = of_index(self.type_ancestors[-1])
        self.total_size = described["size"]
        self._has_type_metadata = described["has_metadata"]
        return self

    def _register_fields(self, fields: list[Any], structure_kind: int | None = None) -> None:
        """Define the type with these fields, and make the class its class."""
        if self.fields is not None:
            raise ValueError(f"{self.type_key}: the fields are registered already")
        cls: Any = self.type_cls
        parent: Any = self.parent_type_info
        kind = STRUCTURAL_KINDS[structure_kind or 0]
        module = sys.modules.get(cls.__module__)
        before = (
            self.type_key,
            (cls.__doc__ or "").strip(),
            f"{cls.__module__}:{cls.__qualname__}:{id(cls)}",
            str(getattr(module, "__file__", None) or f"<{cls.__module__}>"),
            parent.type_cls,
            [] if kind is None else [kind],
        )
        try:
            _core.define_type(*before, [_described(field) for field in fields])
        except (TypeError, OverflowError) as error:
            if "default" not in str(error):
                raise
            _core.define_type(*before, [_described(_with_fit_default(one)) for one in fields])
        self.type_cls = _core.graft_class(self.type_key, cls, False, False)
        _infos.pop(cls, None)
        keys_of_classes.pop(cls, None)
        if self.type_cls is not cls:
            keys_of_classes[cls] = self.type_key
        self.type_index = _core.type_info(self.type_key).index
        _infos[self.type_cls] = self
        self.read()
        for made, field in zip(self.fields or (), fields, strict=True):
            made.dataclass_field = field
            made.frozen = field.frozen
            made.c_init, made.c_kw_only = field.init, bool(field.kw_only)

    def _register_py_methods(
        self, py_methods: list[Any] | None = None, type_attr_names: Any = frozenset()
    ) -> None:
        """Register methods of the class, and attributes of the type."""
        for name, value, is_static, *_ in py_methods or ():
            if name in type_attr_names:
                set_type_attr(self.type_index, name, value)
            else:
                function = value if is_static else _caller(name)
                _core.define_method(
                    self.type_key, name, (value.__doc__ or "").strip(), function, is_static
                )
        self.read()


def _caller(name: str) -> Callable[..., Any]:
    """Return a function that calls the method of the object's class, or its override."""

    def call(self: Any, /, *args: Any) -> Any:
        return getattr(self, name)(*args)

    call.__name__ = name
    return call


def _described(field: Any) -> tuple[str, str, str, list[str], object]:
    """Return the description of a field for `define_type`."""
    flags = ["writable"]
    default: object = None
    if field.default is not MISSING:
        flags.append("default")
        default = field.default
    elif field.default_factory is not MISSING:
        flags += ["default", "factory"]
        default = field.default_factory
    for flag, wanted in (
        ("no_init", not field.init or getattr(field, "is_set_later", False)),
        ("no_repr", not field.repr),
        ("no_compare", not field.compare),
        ("no_hash", not (field.compare if field.hash is None else field.hash)),
        ("kw_only", field.init and (field.kw_only or getattr(field, "is_moved", False))),
    ):
        if wanted:
            flags.append(flag)
    if field.structural_eq is not None:
        flags.append(_STRUCTURAL_FLAGS[field.structural_eq])
    return field.name, field._ty_schema.expression(), field.doc or "", flags, default


def _with_fit_default(field: Any) -> Any:
    """Return a field whose default, if it does not fit, is refused when an object is made."""
    if field.default is MISSING:
        return field
    try:
        field._ty_schema.convert(field.default)
        return field
    except (TypeError, OverflowError) as error:
        text = f"default for field '{field.name}': {error}"

    def refuse() -> Any:
        raise TypeError(text)

    made = copy.copy(field)
    made.default, made.default_factory = MISSING, refuse
    return made


# ---------------------------------------------------------------- by class, key and index

_infos: dict[type, TypeInfo] = {}


def of_class(cls: type) -> TypeInfo | None:
    """Return what is registered for a class itself, or None."""
    known = _infos.get(cls)
    if known is None and isinstance(cls, type) and issubclass(cls, tain.Object):
        info = _core.type_info(cls)
        if info.cls is cls:
            known = _infos[cls] = TypeInfo(info.key, info.index, cls).read()
    return known


def replace_class(key: str, cls: type) -> TypeInfo:
    """Return what is registered for a key, of which `cls` has become the class."""
    info = TypeInfo(key, _core.type_info(key).index, cls).read()
    _infos[cls] = info
    return info


def of_key(key: str) -> TypeInfo:
    """Return what is registered for a key."""
    info = _core.type_info(key)
    cls = info.cls
    known = of_class(cls)
    return TypeInfo(key, info.index, cls).read() if known is None else known


@functools.cache
def _key_of_index(index: int) -> str:
    return str(_describe(index)["key"])


def of_index(index: int) -> TypeInfo:
    """Return what is registered for a type index."""
    return of_key(_key_of_index(index))


def index_of_key(key: str) -> int | None:
    """Return the index of a type; None if no type has the key."""
    return _core.type_info(key).index if key in _core.type_keys(key) else None


def begin(parent: TypeInfo, key: str, cls: type) -> TypeInfo:
    """Begin the definition of a type in Python."""
    if key in _core.type_keys(key) or key in keys_of_classes.values():
        raise ValueError(f"Type key '{key}' is already registered")
    info = TypeInfo(key, -1, cls)
    info.parent_type_info = parent
    info.type_ancestors = [*parent.type_ancestors, parent.type_index]
    _infos[cls] = info
    keys_of_classes[cls] = key
    return info


def end(info: TypeInfo) -> None:
    """Forget a definition that failed."""
    cls: Any = info.type_cls
    _infos.pop(cls, None)
    keys_of_classes.pop(cls, None)


type_attr = get_global_func("tain_tvm_ffi.type_attr")
set_type_attr = get_global_func("tain_tvm_ffi.set_type_attr")
