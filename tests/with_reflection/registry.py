# SPDX-License-Identifier: Apache-2.0
"""Print what a library registers, as JSON: `python registry.py LIBRARY NAMESPACE`."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import tain

# What is not a matter of the description: identities, and where the library lies.
_OTHER = {"index", "library", "unit", "build", "cls", "parents", "parent", "function"}
_UNEQUAL = {"__module__", "__weakref__", "__dict__"}


def described(info: Any) -> Any:
    """Return the facts of an info object as data."""
    if isinstance(info, tuple | list):
        return [described(one) for one in info]
    if type(info).__name__.endswith("Info"):
        names = [name for name in dir(info) if not name.startswith("_") and name not in _OTHER]
        return {name: described(getattr(info, name)) for name in names}
    return info if isinstance(info, str | int | float | bool | None) else repr(info)


def signature(value: Any) -> str:
    """Return the signature of a callable, or why it has none."""
    try:
        return str(inspect.signature(value))
    except ValueError as error:
        return str(error)


def facts(namespace: str) -> dict[str, Any]:
    """Return the facts of all types, enums and functions of a namespace."""
    made: dict[str, Any] = {}
    for key in tain.type_keys(namespace):
        info = tain.type_info(key)
        entry = {"info": described(info), "doc": info.cls.__doc__, "signature": "", "members": {}}
        if hasattr(info, "parent"):
            entry["parent"] = info.parent.key
            entry["signature"] = signature(info.cls)
            entry["calls"] = {
                method.name: [method.function.releases_gil, method.function.keeps_alive]
                for method in info.methods
            }
            entry["overloads"] = getattr(info.cls.__init__, "__doc__", None)
        members = {
            name: [type(value).__name__, getattr(value, "__doc__", None)]
            + ([signature(value)] if callable(value) else [])
            for name, value in vars(info.cls).items()
            if name not in _UNEQUAL and "object at" not in str(value)
        }
        entry["members"] = dict(sorted(members.items()))
        made[key] = entry
    for name in tain.list_global_func_names():
        if name.startswith(f"{namespace}."):
            function = tain.get_global_func(name)
            made[f"{name}()"] = [signature(function), function.__doc__]
    return made


if __name__ == "__main__":
    tain.load_library(sys.argv[1])
    print(json.dumps(facts(sys.argv[2]), indent=1, sort_keys=True, default=str))
