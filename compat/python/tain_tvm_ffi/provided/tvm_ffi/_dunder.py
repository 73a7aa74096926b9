# SPDX-License-Identifier: Apache-2.0
"""The methods that `c_class` and `py_class` add to a class."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from tain import Object, _core, get_global_func

from ._type_info import KWARGS, MISSING, member_of, set_field, type_attr

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._type_info import TypeInfo

_deep_copy = get_global_func("ffi.DeepCopy")
_from_fields = get_global_func("ffi.MakeObjectFromPackedArgs")
_make_empty = get_global_func("tain_tvm_ffi.make_empty")
_FAMILIES = (("eq", ("__eq__", "__ne__")), ("order", ("__lt__", "__le__", "__gt__", "__ge__")))


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    title = "Eq" if name == "__ne__" else name.strip("_").title()
    function = get_global_func(f"ffi.Recursive{title}")
    negated = name == "__ne__"

    def compare(self: Any, other: Any) -> Any:
        if not isinstance(other, type(self)) and not isinstance(self, type(other)):
            return NotImplemented
        return function(self, other) is not negated

    compare.__name__ = name
    return compare


_METHODS = {name: _comparison(name) for _, names in _FAMILIES for name in names}
_recursive_hash = get_global_func("ffi.RecursiveHash")


def _hash(self: Any) -> int:
    return _recursive_hash(self)


def all_fields(info: TypeInfo | None) -> list[Any]:
    """Return the fields of a type, those of the parents first."""
    chain: list[Any] = []
    while info is not None:
        chain = [*(info.fields or ()), *chain]
        info = info.parent_type_info
    return chain


def _parameters(info: TypeInfo) -> list[inspect.Parameter]:
    """Return the parameters of the constructor: what has a default comes last."""
    fields = [field for field in all_fields(info) if field.c_init]
    parameters: list[inspect.Parameter] = []
    for kw_only in (False, True):
        kind = (
            inspect.Parameter.KEYWORD_ONLY if kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        )
        for has_default in (False, True):
            default = MISSING if has_default else inspect.Parameter.empty
            parameters += [
                inspect.Parameter(field.name, kind, default=default)
                for field in fields
                if field.c_kw_only == kw_only and field.c_has_default == has_default
            ]
    return parameters


def signature_of(info: TypeInfo) -> inspect.Signature:
    """Return the signature of the constructor."""
    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = _parameters(info)
    if any(parameter.name == "self" for parameter in parameters):
        receiver = inspect.Parameter("_self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([receiver, *parameters])


def ffi_init_of(info: TypeInfo) -> Any:
    """Return the function `__ffi_init__` of a type, or None."""
    for method in info.methods:
        if method.name == "__ffi_init__":
            return method.func
    return type_attr(info.type_index, "__ffi_init__")


def own_init_of(info: TypeInfo) -> Any:
    """Return the constructor of tain's class if it does what `ffi_init_of` does; None if not.

    It does if the types of the parameters are known: then there are no keywords. It needs a third
    of the time, because no Python code runs and no second wrapper is made.
    """
    if all(method.name != "__ffi_init__" or not method.metadata for method in info.methods):
        return None
    known = _core.type_info(info.type_key)
    if known.constructor is None:
        return None
    found = (vars(base).get("__init__") for base in known.cls.__mro__)
    return next((init for init in found if type(init).__name__ == "MethodDescriptor"), None)


def _packed(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    made = list(args)
    if kwargs:
        made.append(KWARGS)
        for name, value in kwargs.items():
            if value is not MISSING:
                made += (name, value)
    return made


def _construct_of(cls: type, info: TypeInfo) -> Callable[..., None] | None:
    """Return what makes the C++ object of `self` from arguments, or None if nothing can."""
    ffi_init = ffi_init_of(info)
    if ffi_init is not None:

        def construct(self: Any, /, *args: Any, **kwargs: Any) -> None:
            self.__init_handle_by_constructor__(ffi_init, *_packed(args, kwargs))

        return construct
    if any(_is_later(field) for field in all_fields(info)):
        return _construct_by_fields(info)
    if _core.type_info(info.type_key).constructor is None:
        return None
    init = Object.__init__
    positional = [p.name for p in _parameters(info) if p.kind is p.POSITIONAL_OR_KEYWORD]

    def construct_by_tain(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if args:
            kwargs = _named(info, positional, args, kwargs)
        init(self, **{name: value for name, value in kwargs.items() if value is not MISSING})

    return construct_by_tain


def _is_later(field: Any) -> bool:
    return getattr(field.dataclass_field, "is_set_later", False)


def _construct_by_fields(info: TypeInfo) -> Callable[..., None]:
    """Return what makes an object, of whose fields the C++ constructor does not take all."""
    parameters = _parameters(info)
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    known = {p.name: p for p in parameters}
    key = info.type_key

    def construct(self: Any, /, *args: Any, **kwargs: Any) -> None:
        given = _named(info, positional, args, kwargs)
        for name in given.keys() - known.keys():
            raise TypeError(f"{key}.__init__() got an unexpected keyword argument '{name}'")
        pairs: list[Any] = []
        for name, parameter in known.items():
            if given.get(name, MISSING) is not MISSING:
                pairs += (name, given[name])
            elif parameter.default is parameter.empty:
                kind = "keyword-only " if parameter.kind is parameter.KEYWORD_ONLY else ""
                raise TypeError(f"{key}.__init__() missing required {kind}argument: '{name}'")
        self.__init_handle_by_constructor__(_from_fields, key, *pairs)

    return construct


def install_ffi_init(cls: Any, info: TypeInfo) -> None:
    """Give a class the method `__ffi_init__`, for constructors that are written by hand."""
    construct = _construct_of(cls, info)
    if construct is None or "__ffi_init__" in vars(cls):
        return
    own = own_init_of(info)
    if own is not None:
        cls.__ffi_init__ = own
        return

    def ffi_init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if type(self).__tvm_ffi_type_info__ is not info:
            raise TypeError(
                f"Calling `{cls.__name__}.__ffi_init__()` on a `{type(self).__name__}` instance "
                "is not supported: it makes objects of one type"
            )
        construct(self, *args, **kwargs)

    ffi_init.__qualname__ = f"{cls.__qualname__}.__ffi_init__"
    cls.__ffi_init__ = ffi_init


def refuse_init(cls: Any) -> None:
    """Give a class a constructor that refuses."""

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(
            f"`{cls.__name__}` cannot be constructed directly. "
            "Define a custom __init__ or use a factory method."
        )

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    cls.__init__ = init


def _computed_of(cls: type) -> dict[str, Callable[[Any], Any]]:
    """Return what computes fields when an object is made, by field."""
    made: dict[str, Callable[[Any], Any]] = {}
    for base in reversed(cls.__mro__):
        made.update(vars(base).get("__ffi_init_property_funcs__", {}))
    return made


def _install_init(cls: Any, info: TypeInfo, is_py_class: bool) -> None:
    construct = _construct_of(cls, info)
    if construct is None:
        if not is_py_class:
            refuse_init(cls)
        return
    computed = _computed_of(cls)
    signature = signature_of(info)
    has_post_init = hasattr(cls, "__post_init__")
    enums = {f.name: f.members() for f in all_fields(info) if f.members() is not None}
    positional = [p.name for p in _parameters(info) if p.kind is p.POSITIONAL_OR_KEYWORD]
    if not (is_py_class or enums or computed or has_post_init):
        own = own_init_of(info)
        if own is not None:
            if cls.__init__ is not own:  # an inherited one is not even looked up
                cls.__init__ = own
            return

    def init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        if is_py_class:
            if self.__chandle__() != 0:
                return
        elif type(self).__tvm_ffi_type_info__ is not info:
            raise TypeError(
                f"Calling `super().__init__()` is not supported for @c_class `{cls.__name__}`: "
                f"define `{type(self).__name__}` with init=True"
            )
        if enums:
            args, kwargs = (), _named(info, positional, args, kwargs)
            for name in enums.keys() & kwargs.keys():
                kwargs[name] = member_of(enums[name], kwargs[name])
        construct(self, *args, **kwargs)
        for name, function in computed.items():
            set_field(self, name, function(self))
        if has_post_init:
            self.__post_init__()

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__signature__ = signature  # type: ignore[attr-defined]
    cls.__init__ = init


def _named(
    info: TypeInfo, positional: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Name the positional arguments: the C++ constructor has them in another order."""
    where = f"{info.type_key}.__init__()"
    if len(args) > len(positional):
        raise TypeError(
            f"{where} takes at most {len(positional)} positional arguments, got {len(args)}"
        )
    named = dict(zip(positional, args, strict=False))
    for name in named.keys() & kwargs.keys():
        raise TypeError(f"{where} got multiple values for argument '{name}'")
    return {**named, **kwargs}


def _wrap_init(cls: Any, info: TypeInfo) -> None:
    """Let the constructor that a class has written find the C++ object made."""
    written = vars(cls)["__init__"]

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        if self.__chandle__() == 0:
            # The type of the object, which may be one that derives from this one.
            own = type(self).__tvm_ffi_type_info__
            self.__init_handle_by_constructor__(_make_empty, own.type_index)
        written(self, *args, **kwargs)

    init.__wrapped__ = written  # type: ignore[attr-defined]
    init.__name__, init.__qualname__ = "__init__", written.__qualname__
    init.__module__, init.__doc__ = written.__module__, written.__doc__
    cls.__init__ = init


def _deepcopy(self: Any, memo: Any = None) -> Any:
    """Return a copy of the graph that begins with an object; every container of it is new."""
    return _deep_copy(self)


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return a copy of an object in which fields have other values, read-only ones too."""
    made = self.__copy__()
    for name, value in changes.items():
        attribute = getattr(type(made), name)
        if hasattr(attribute, "set"):
            attribute.set(made, value)
        elif type(attribute).__name__ == "getset_descriptor":
            set_field(made, name, value)
        else:
            setattr(made, name, value)
    return made


def _install_dataclass_dunders(
    cls: Any,
    *,
    init: bool,
    repr: bool,
    eq: bool,
    order: bool,
    unsafe_hash: bool,
    match_args: bool = True,
    py_class_mode: bool = False,
) -> None:
    """Add the methods that the options ask for, where the class has none of its own."""
    info = cls.__tvm_ffi_type_info__
    own = set(vars(cls))
    if "__init__" in own:
        if py_class_mode:
            _wrap_init(cls, info)
    elif init:
        _install_init(cls, info, py_class_mode)
    else:
        refuse_init(cls)
    if repr and "__repr__" not in own:
        cls.__repr__ = Object.__repr__
    elif not repr and "__repr__" not in own and py_class_mode:
        cls.__repr__ = object.__repr__
    for option, names in _FAMILIES:
        if (eq if option == "eq" else order) and not own.intersection(names):
            for name in names:
                setattr(cls, name, _METHODS[name])
    if unsafe_hash and "__hash__" not in own:
        cls.__hash__ = _hash
    elif eq and "__hash__" not in own:
        cls.__hash__ = Object.__hash__
    if "__deepcopy__" not in own:
        cls.__deepcopy__ = _deepcopy
    if "__replace__" not in own:
        cls.__replace__ = _replace
    if match_args and "__match_args__" not in own:
        cls.__match_args__ = tuple(
            field.name for field in all_fields(info) if field.c_init and not field.c_kw_only
        )
