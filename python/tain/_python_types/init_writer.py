# SPDX-License-Identifier: Apache-2.0
"""Makes the `__init__` of a class with init-only variables, which C++ does not know."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING
from typing import Any

from tain import Object, _core

__all__ = ["make_init"]


# In a signature, represents a default that is made again for each call.
_FACTORY = dataclasses._HAS_DEFAULT_FACTORY  # type: ignore[attr-defined]


class _InitWriter:
    """Writes an `__init__` that makes the C++ object and passes the rest to `__post_init__`."""

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
                f"{self.key}.{name}: an InitVar without a default follows a field with a default: "
                "give it a default, or make it kw_only"
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
        exec("\n".join(lines), self.names)  # as dataclasses does, to get the right signature
        made = self.names["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        made.__module__ = cls.__module__
        made.__annotations__ = self.annotations
        return made  # type: ignore[no-any-return]


def make_init(
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
