# SPDX-License-Identifier: Apache-2.0
"""Class trees mixed from Python and C++, methods replaced in the classes of C++ types, and loops
that make cyclic garbage of C++ objects."""

from __future__ import annotations

import types
from typing import Any
from unittest import mock

import tain


def mixed_class(f: Any) -> None:
    """A class whose bases are a C++ type and Python classes over its parents, in any order."""
    cls = f.rng.choice(f.values.classes)
    parents = [base for base in cls.__mro__ if issubclass(base, tain.Object)]
    bases: list[type] = [cls]
    for _ in range(f.rng.randrange(1, 4)):
        body: dict[str, Any] = {} if f.rng.randrange(3) else {"__slots__": ()}
        if f.rng.randrange(3) == 0:
            body[f.rng.choice(f.names)] = lambda *args, **kwargs: f.values.reaction(*args)
        above = f.rng.choice((object, *parents))
        bases.append(types.new_class("Mix", (above,), {}, lambda full, b=body: full.update(b)))
    f.rng.shuffle(bases)
    f.note(*(base.__name__ for base in bases))
    made = types.new_class("Sub", tuple(bases))
    if tain.type_info(made).key != tain.type_info(cls).key:
        raise SystemError(f"{bases}: {tain.type_info(made).key} is not that of {cls}")
    f.values.keep(made)
    f.values.keep(made(*f.values.arguments_of(cls)))


def replaced_method(f: Any) -> None:
    """Replace a method in the class of a C++ type for a while, as tests do."""
    cls = f.rng.choice(f.values.classes)
    names = [name for name in dir(cls) if not name.startswith("__")]
    name = f.rng.choice(names or ["name"])
    f.note(cls.__name__, name)
    value: Any = lambda *args, **kwargs: f.values.reaction(*args)  # noqa: E731
    if f.rng.randrange(4) == 0:
        value = f.rng.choice((property(value), staticmethod(value), f.values.any(1)))
    with mock.patch.object(cls, name, value):
        for _ in range(f.rng.randrange(1, 6)):
            f.act()


def cyclic_garbage(f: Any) -> None:
    """A loop that drops rings of C++ objects, which CPython does not count."""
    make_ring = f.functions["testing.make_ring"]
    for i in range(f.rng.randrange(200)):
        ring = make_ring(f.rng.choice((1, 2, 100, 1000)))
        if i % 50 == 0:
            ring.next.payload = f.values.any(1)
