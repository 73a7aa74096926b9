# SPDX-License-Identifier: Apache-2.0
"""The decorator `py_class`, which defines a type in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import dataclass_transform

from .. import _type_info
from .._dunder import _install_dataclass_dunders, install_ffi_init
from .._type_schema import TypeSchema
from . import _annotations
from .field import KW_ONLY, Field, _field_converter, copy_of, field, init_property

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["method", "py_class"]

# Their kinds of structural comparison, by the place of tain's kind in STRUCTURAL_KINDS.
_KINDS = {None: 0, "tree": 1, "var": 2, "dag": 3, "const-tree": 4, "singleton": 5}
_INHERITED = ("__s_equal__", "__s_hash__", "__s_visit__", "__data_to_json__", "__data_from_json__")


def method(fn: Any) -> Any:
    """Mark a method of a type that is defined in Python as one that other languages can call."""
    if isinstance(fn, classmethod):
        raise TypeError("@method: a @classmethod is not supported: make it a @staticmethod")
    function = fn.__func__ if isinstance(fn, staticmethod) else fn
    if not callable(function):
        raise TypeError(f"@method: expected a callable, got {type(fn).__name__}")
    function.__ffi_method__ = True
    return fn


def _is_marked(value: Any) -> bool:
    function = getattr(value, "__func__", value)
    return callable(function) and getattr(function, "__ffi_method__", False) is True


def _attr_names(cls: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names that are attributes of the type, and those that it inherits."""
    extra = getattr(cls, "__ffi_type_attr_names__", ())
    inherited = getattr(cls, "__ffi_inherit_type_attrs__", _INHERITED)
    for names in (extra, inherited):
        if not isinstance(names, (tuple, list)) or not all(isinstance(n, str) for n in names):
            raise TypeError("lists of type attributes must be tuples or lists of str")
    return _type_info.TYPE_ATTRS | frozenset(extra) | frozenset(inherited), tuple(inherited)


def _collect_py_methods(cls: type, globalns: Any = None) -> list[tuple[Any, ...]] | None:
    """Return name, value and whether it is static of what is registered of a class."""
    names, _ = _attr_names(cls)
    found = []
    for name, value in vars(cls).items():
        if name not in names and not _is_marked(value):
            continue
        if isinstance(value, classmethod):
            raise TypeError(
                f"@py_class({cls.__name__!r}): {name!r} is wrapped by @classmethod, and "
                "cannot be registered: make it a @staticmethod"
            )
        is_static = isinstance(value, staticmethod)
        found.append((name, value.__func__ if is_static else value, is_static))
    return found or None


def _inherited(info: Any, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return the attributes that a type gets from its parents."""
    found = []
    for name in names:
        if name in vars(info.type_cls):
            continue
        parent = info.parent_type_info
        while parent is not None:
            value = _type_info.type_attr(parent.type_index, name)
            if value is not None:
                found.append((name, value, True))
                break
            if parent.type_cls is not None and name in vars(parent.type_cls):
                break  # it says None
            parent = parent.parent_type_info
    return found


class _Definition:
    """One use of py_class."""

    def __init__(self, cls: Any, key: str, params: dict[str, Any]) -> None:
        parent = next(
            (i for b in cls.__mro__[1:] if (i := _type_info.of_class(b)) is not None), None
        )
        if parent is None:
            raise TypeError(f"{cls.__name__} must inherit from a registered type such as Object")
        self.cls = cls
        self.info = _type_info.begin(parent, key, cls)
        self.params = self.info._decorator_args = params
        cls.__tvm_ffi_type_info__ = self.info
        _annotations.remember(cls)

    def undo(self) -> None:
        _annotations.forget(self.cls)
        _type_info.end(self.info)
        for name in ("__tvm_ffi_type_info__", "__ffi_is_dataclass__"):
            if name in vars(self.cls):
                delattr(self.cls, name)

    def run(self) -> Any:
        annotations, missing = _annotations.evaluated(self.cls)
        fields, computed = self.fields(annotations)
        names, inherited = _attr_names(self.cls)
        _collect_py_methods(self.cls)
        for base in reversed(self.cls.__mro__):
            for hook in list(vars(base).values()):
                if callable(hook) and getattr(hook, "__ffi_on_fields_resolved__", False) is True:
                    hook(self.info, fields)
        for one in fields:
            if one.extra_kwargs:
                rest = ", ".join(sorted(one.extra_kwargs))
                raise TypeError(
                    f"{self.cls.__name__}.{one.name}: unrecognized field options: {rest}"
                )
        if computed:
            self.cls.__ffi_init_property_funcs__ = computed
        self.move_required(fields)
        methods = [*(_collect_py_methods(self.cls) or ()), *_inherited(self.info, inherited)]
        _annotations.forget(self.cls)
        self.info._register_fields(fields, _KINDS[self.params["structural_eq"]])
        made: Any = self.info.type_cls
        made.__tvm_ffi_type_info__ = self.info
        _annotations.remember(made)
        self.info._register_py_methods(methods, names)
        for one in self.info.fields or ():
            if one.name not in vars(made):
                setattr(made, one.name, one.as_property(made))
        self.dress(made)
        if missing:
            _await(made)
        return made

    def fields(
        self, annotations: dict[type, dict[str, Any]]
    ) -> tuple[list[Field], dict[str, Callable[[Any], Any]]]:
        """Return the fields, and what computes some of them."""
        cls = self.cls
        made: dict[str, Field] = {}
        computed: dict[str, Callable[[Any], Any]] = {}
        kw_only = self.params["kw_only"]
        marks = getattr(cls, "__ffi_field_markers__", ())
        if not isinstance(marks, (tuple, list)) or not all(isinstance(m, type) for m in marks):
            raise TypeError("__ffi_field_markers__ must be a tuple or list of types")
        parent = self.info.parent_type_info
        found = list(getattr(parent, "_decorator_args", {}).get("field_markers", ()))
        inherited = 0
        while parent is not None:
            inherited += len(parent.fields or ())
            parent = parent.parent_type_info
        for owner, of_owner in annotations.items():
            for name, annotation in of_owner.items():
                if _annotations.is_class_var(annotation):
                    continue
                given = vars(owner).get(name, _type_info.MISSING)
                if annotation is KW_ONLY:
                    kw_only = True
                elif any(annotation is mark for mark in marks):
                    found.append((annotation, owner, name, inherited + len(made)))
                    continue
                else:
                    if isinstance(given, init_property):
                        computed[name] = given.func
                    else:
                        computed.pop(name, None)
                    made[name] = self.field(name, annotation, given, owner is cls, kw_only)
                if owner is cls and given is not _type_info.MISSING:
                    delattr(cls, name)
        self.params["field_markers"] = tuple(found)
        return list(made.values()), computed

    def field(self, name: str, annotation: Any, given: Any, is_own: bool, kw_only: bool) -> Field:
        if isinstance(given, Field):
            made = given if is_own else copy_of(given)
        elif isinstance(given, init_property):
            made = given.field()
        elif given is _type_info.MISSING or type(given).__name__ == "member_descriptor":
            made = field()
        else:
            made = field(default=given)
        made.name = name
        made.type = annotation
        made._ty_schema = TypeSchema.from_annotation(annotation)
        if made.kw_only is None:
            made.kw_only = kw_only
        made.frozen = made.frozen or self.params["frozen"]
        if made.hash is None:
            made.hash = made.compare
        return made

    def move_required(self, fields: list[Field]) -> None:
        """Note the required fields behind optional ones; their constructor has them last."""
        parents = _type_info_fields(self.info.parent_type_info)
        has_own = "__init__" in vars(self.cls)
        optional = any(one.c_init and not one.c_kw_only and one.c_has_default for one in parents)
        for one in fields:
            one.is_set_later = has_own
            if not one.init or one.kw_only:
                continue
            one.is_moved = optional and one.is_required()
            optional = optional or not one.is_required()

    def dress(self, made: Any) -> None:
        params = self.params
        names = ("init", "repr", "eq", "order", "unsafe_hash", "match_args")
        install_ffi_init(made, self.info)
        _install_dataclass_dunders(
            made, **{name: params[name] for name in names}, py_class_mode=True
        )
        made.__ffi_is_dataclass__ = True


def _type_info_fields(info: Any) -> list[Any]:
    from .._dunder import all_fields

    return all_fields(info)


def _await(cls: Any) -> None:
    """Refuse objects of a class as long as names in its annotations are unknown."""
    init = cls.__init__

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        missing = _annotations.unresolved(cls)
        if missing:
            raise TypeError(
                f"Cannot instantiate {cls.__name__}: unresolved forward references: {missing}"
            )
        cls.__init__ = init
        init(self, *args, **kwargs)

    first.__wrapped__ = init  # type: ignore[attr-defined]
    cls.__init__ = first


@dataclass_transform(eq_default=False, order_default=False, field_specifiers=(Field, field))
def py_class(
    cls_or_type_key: Any = None,
    /,
    *,
    type_key: str | None = None,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
    kw_only: bool = False,
    structural_eq: str | None = "tree",
    slots: bool = True,
) -> Any:
    """Define a type in Python: the annotations of a class become fields of a C++ object.

    The options are those of `dataclasses.dataclass`; `structural_eq` is how graphs are compared:
    "tree", "dag", "const-tree", "var", "singleton", or None.
    """
    if order and not eq:
        raise ValueError("order=True requires eq=True")
    if structural_eq not in _KINDS:
        raise ValueError(f"structural_eq must be one of {list(_KINDS)}, got {structural_eq!r}")
    params = {
        "frozen": frozen,
        "init": init,
        "repr": repr,
        "eq": eq,
        "order": order,
        "unsafe_hash": unsafe_hash,
        "match_args": match_args,
        "kw_only": kw_only,
        "structural_eq": structural_eq,
    }
    given = type_key
    if isinstance(cls_or_type_key, str):
        given = cls_or_type_key
    elif cls_or_type_key is not None and not isinstance(cls_or_type_key, type):
        raise TypeError(f"py_class: expected str or type, got {type(cls_or_type_key)}")

    def decorate(cls: Any) -> Any:
        key = given or f"{cls.__module__}.{cls.__qualname__}".replace("<locals>.", "")
        definition = _Definition(cls, key, dict(params))
        try:
            return definition.run()
        except BaseException:
            definition.undo()
            raise

    return decorate(cls_or_type_key) if isinstance(cls_or_type_key, type) else decorate


_transform: Any = py_class
_transform.__dataclass_transform__["kwargs"]["converter"] = _field_converter
