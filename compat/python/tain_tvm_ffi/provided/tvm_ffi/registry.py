# SPDX-License-Identifier: Apache-2.0
"""Functions and classes by their names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import tain
from tain import list_global_func_names, registry, remove_global_func
from tain.registry import register_error

from . import core

if TYPE_CHECKING:
    from collections.abc import Callable


def register_object(type_key: Any = None, *, init: bool = True) -> Any:
    """Make a class the class of a registered type; a decorator."""

    def register(cls: type) -> type:
        key = cls.__name__ if type_key is None or type_key is cls else type_key
        try:
            return registry.register_object(key)(cls)
        except ValueError as error:
            raise ValueError(f"Cannot find object type index for {key}") from error

    return register(type_key) if isinstance(type_key, type) else register


def register_global_func(
    func_name: str | Callable[..., Any], f: Callable[..., Any] | None = None, override: bool = False
) -> Any:
    """Make a Python function global, as a decorator too."""
    if f is None and isinstance(func_name, str):
        return lambda function: register_global_func(func_name, function, override)
    if f is None:
        func_name, f = func_name.__name__, func_name
    registry.register_global_func(func_name, f, override)
    return get_global_func(func_name)


def get_global_func(name: str, allow_missing: bool = False) -> Any:
    """Return a global function; None if there is none and `allow_missing` is true."""
    return tain.get_global_func(name, allow_missing)


def get_global_func_metadata(name: str) -> dict[str, Any]:
    """Return what is known of the types of a global function."""
    text = core.metadata_of(get_global_func(name))
    return json.loads(text) if text else {}


def init_ffi_api(namespace: str, target_module_name: str | None = None) -> None:
    """Put the global functions of a namespace into a module, by the names behind the last dot."""
    registry.init_ffi_api(namespace, target_module_name)


__all__ = [
    "get_global_func",
    "get_global_func_metadata",
    "init_ffi_api",
    "list_global_func_names",
    "register_error",
    "register_global_func",
    "register_object",
    "remove_global_func",
]
