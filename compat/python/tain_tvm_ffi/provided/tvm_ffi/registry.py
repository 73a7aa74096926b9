# SPDX-License-Identifier: Apache-2.0
"""Functions and classes by their names."""

from __future__ import annotations

import inspect
import json
import sys
import warnings
from typing import TYPE_CHECKING, Any

import tain
from tain import list_global_func_names, registry
from tain.registry import register_error

from . import _dunder, _type_info

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_SKIP_UNKNOWN_OBJECTS = False


def register_object(type_key: Any = None, *, init: bool = True) -> Any:
    """Make a class the class of a registered type; a decorator."""
    if type_key is not None and not isinstance(type_key, (str, type)):
        raise TypeError("type_key must be a string, type, or None")

    def register(cls: Any) -> Any:
        key = type_key if isinstance(type_key, str) else cls.__name__
        index = _type_info.index_of_key(key)
        if index is None:
            if _SKIP_UNKNOWN_OBJECTS:
                return cls
            raise ValueError(f"Cannot find object type index for {key}")
        if not issubclass(cls, tain.Object):
            body = {n: v for n, v in vars(cls).items() if n not in ("__dict__", "__weakref__")}
            cls = type(cls)(cls.__name__, (tain.Object, *cls.__bases__[:-1]), body)
        made = registry.register_object(key)(cls)
        info = _type_info.replace_class(key, made)
        made.__tvm_ffi_type_info__ = info
        _add_class_attrs(made, info)
        if init and "__init__" not in vars(made):
            _dunder._install_init(made, info, False)
        return made

    return register(type_key) if isinstance(type_key, type) else register


def _add_class_attrs(type_cls: Any, type_info: Any, type_attr_names: Collection[str] = ()) -> Any:
    """Add what is registered of a type, and the class does not define, to the class."""
    for one in type_info.fields:
        if one.name not in vars(type_cls):
            setattr(type_cls, one.name, one.as_attribute(type_cls))
    for one in type_info.methods:
        if not one.name.startswith("__ffi_") and not hasattr(type_cls, one.name):
            setattr(type_cls, one.name, one.as_callable(type_cls))
    _dunder.install_ffi_init(type_cls, type_info)
    for name in type_attr_names:
        value = _type_info.type_attr(type_info.type_index, name)
        if value is not None and name not in vars(type_cls):
            setattr(type_cls, name, value)
    return type_cls


def _warn_missing_field_annotations(cls: type, type_info: Any, *, stacklevel: int) -> None:
    """Warn if a class does not annotate a field of its type."""
    names = {field.name for field in type_info.fields} - set(inspect.get_annotations(cls))
    if names:
        warnings.warn(
            f"@c_class({type_info.type_key!r}): class `{cls.__qualname__}` does not annotate the "
            f"following reflected field(s): {', '.join(sorted(names))}",
            UserWarning,
            stacklevel=stacklevel + 1,
        )


def register_global_func(
    func_name: str | Callable[..., Any], f: Callable[..., Any] | None = None, override: bool = False
) -> Any:
    """Make a Python function global, as a decorator too."""
    if f is None and isinstance(func_name, str):
        return lambda function: register_global_func(func_name, function, override)
    if f is None:
        func_name, f = func_name.__name__, func_name
    if not isinstance(func_name, str):
        raise ValueError("expect string function name")
    registry.register_global_func(func_name, f, override)
    return get_global_func(func_name)


def get_global_func(name: str, allow_missing: bool = False) -> Any:
    """Return a global function; None if there is none and `allow_missing` is true."""
    return tain.get_global_func(name, allow_missing)


def remove_global_func(name: str) -> None:
    """Remove a global function, if there is one of that name."""
    if get_global_func(name, allow_missing=True) is not None:
        tain.remove_global_func(name)


def get_global_func_metadata(name: str) -> dict[str, Any]:
    """Return what is known of the types of a global function."""
    text = get_global_func("ffi.GetGlobalFuncMetadata")(name)
    return json.loads(text) if text else {}


def get_registered_type_keys() -> Sequence[str]:
    """Return the keys of all types."""
    return get_global_func("ffi.GetRegisteredTypeKeys")()


def init_ffi_api(namespace: str, target_module_name: str | None = None) -> None:
    """Put the global functions of a namespace into a module, by the names behind the last dot."""
    module = sys.modules[target_module_name or namespace]
    prefix = namespace.removeprefix("tvm.") + "."
    for name in list_global_func_names():
        short = name.removeprefix(prefix)
        if short != name and "." not in short:
            setattr(module, short, get_global_func(name))


__all__ = [
    "get_global_func",
    "get_global_func_metadata",
    "get_registered_type_keys",
    "init_ffi_api",
    "list_global_func_names",
    "register_error",
    "register_global_func",
    "register_object",
    "remove_global_func",
]
