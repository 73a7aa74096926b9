# SPDX-License-Identifier: Apache-2.0
"""Values that try to break whoever takes them, and classes that act when they are asked."""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import enum
import fractions
import inspect
import pathlib
import random
import typing
from collections.abc import Callable
from typing import Any

from arrays import make_array

import tain

INTS = (
    *(0, 1, -1, 2, 3, 7, 64, 127, 128, -129, 255, 256, 32768, 2**31 - 1, 2**31, -(2**31) - 1),
    *(2**32, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30, -(10**30)),
)
SMALL_INTS = (0, 1, -1, 2, 3, 5, 8, 50, -50)
FLOATS = (0.0, -0.0, 1.0, 1.5, -2.5, 1e308, 5e-324, float("nan"), float("inf"), float("-inf"))
TEXTS = (
    *("", "a", "abcdefg", "abcdefgh", "x" * 100, "\0", "a\0b", "\ud800", "é", "日本", "%s", "{}"),
    *("value", "x", "__init__", "__class__", "__dict__", "testing.Point", "tain.types", "cpu:0"),
    *("ValueError", "KeyError", "ffi.Array", "int32", "float16x4", "fuzz.f", "\U0001f600"),
)
BYTES = (b"", b"a", b"1234567", b"12345678", b"\xff\xfe", b"\0" * 40)
SLICES = (
    slice(None),
    slice(1, 3),
    slice(None, None, -1),
    slice(-2, None),
    slice(0, 0),
    slice(2**70),
)


#: Classes whose destructor waits for the function that they were given, which may run for ever.
WAITING = {"testing.Worker", "testing.ChildWorker", "testing.boxed.Joiner"}


class Odd(enum.IntEnum):
    """An enum that no C++ type knows."""

    ONE = 1
    MANY = 2**40


class Provoked(Exception):
    """Raised by hostile code."""


class Values:
    """Draws values; `act` runs a random action, in the middle of whatever takes them."""

    def __init__(self, rng: random.Random, act: Callable[[], Any]) -> None:
        self.rng = rng
        self.act = act
        self.pool: list[Any] = []
        self.signatures: dict[int, list[tuple[Any, str]] | None] = {}
        # A Countdown goes on for as long as its field says.
        keys = [key for key in tain.type_keys("testing.") if key != "testing.Countdown"]
        self.classes = [tain.get_class(key) for key in keys if key not in WAITING]
        self.makers: tuple[Callable[[], Any], ...] = (
            *(self.scalar,) * 5, *(self.text,) * 2, *(self.pooled,) * 8, self.python_container,
            *(self.tain_container,) * 3, *(self.instance,) * 4, *(self.callback,) * 2, self.hostile,
            self.odd, self.empty, self.moved, self.array,
        )  # fmt: skip

    def keep(self, value: Any) -> Any:
        """Put a value where later actions find it; another may die for it."""
        if len(self.pool) < 60:
            self.pool.append(value)
        else:
            self.pool[self.rng.randrange(len(self.pool))] = value
        return value

    def any(self, depth: int = 2) -> Any:
        if depth <= 0:
            return self.scalar()
        made = self.rng.choice(self.makers)
        takes_depth = made in (self.python_container, self.tain_container)
        return made(depth - 1) if takes_depth else made()  # type: ignore[call-arg]

    def several(self, most: int = 4, depth: int = 2) -> list[Any]:
        return [self.any(depth) for _ in range(self.rng.randint(0, most))]

    def pooled(self) -> Any:
        return self.rng.choice(self.pool) if self.pool else None

    def scalar(self) -> Any:
        which = self.rng.randrange(6)
        if which < 2:
            return self.rng.choice(INTS)
        if which == 2:
            return self.rng.choice(FLOATS)
        return self.rng.choice((None, True, False, b"", "", 1j, *BYTES))

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def python_container(self, depth: int = 2) -> Any:
        items = self.several(5, depth)
        which = self.rng.randrange(9)
        if which == 0:
            items.append(items)
            return items
        if which == 1:
            return dict(enumerate(items))
        if which == 2:
            return {self.rng.choice(TEXTS): x for x in items}
        if which == 3:
            return (x for x in items)
        if which == 4:
            return collections.deque(items)
        if which == 5:
            return set(range(len(items)))
        if which == 6:
            return array.array("d", [1.5] * len(items))
        return tuple(items) if which == 7 else items

    def tain_container(self, depth: int = 2) -> Any:
        made = self.rng.choice((tain.Array, tain.List, tain.Map, tain.Dict, tain.Shape))
        if made is tain.Shape:
            return made(range(self.rng.randint(0, 4)))
        if made in (tain.Map, tain.Dict):
            pairs = [(self.key(), self.any(depth)) for _ in range(self.rng.randint(0, 8))]
            return self.keep(made(pairs))
        return self.keep(made(self.several(6, depth)))

    def key(self) -> Any:
        which = self.rng.randrange(4)
        if which == 0:
            return self.rng.choice(SMALL_INTS)
        if which == 1:
            return self.text()
        return self.hostile() if which == 2 else self.any(1)

    def instance(self) -> Any:
        cls = self.rng.choice(self.classes)
        if issubclass(cls, enum.Enum):
            return self.rng.choice(list(cls))
        return self.keep(cls(*self.arguments_of(cls)))

    def arguments_of(self, function: Any) -> list[Any]:
        """Arguments as the parameters of a function want them, mostly."""
        parameters = self.parameters_of(function)
        if parameters is None or self.rng.randrange(6) == 0:
            return self.several()
        given: list[Any] = []
        for kind, annotation in parameters:
            if kind is inspect.Parameter.VAR_POSITIONAL:
                given += self.several()
            elif kind is not inspect.Parameter.VAR_KEYWORD:
                given.append(self.of_type(annotation))
        return given

    def parameters_of(self, function: Any) -> list[tuple[Any, str]] | None:
        """Kind and annotation of each parameter, or None where that is not known."""
        key = id(function)  # functions and classes of the registry live for ever
        if key not in self.signatures:
            try:
                found = inspect.signature(function).parameters.values()
                self.signatures[key] = [(one.kind, str(one.annotation)) for one in found]
            except (TypeError, ValueError):
                self.signatures[key] = None
        return self.signatures[key]

    def of_type(self, wanted: str) -> Any:
        """A value of a type that is given by its name."""
        if self.rng.randrange(8) == 0:
            return self.any()
        if "int" in wanted and "[" not in wanted:
            return self.rng.choice(SMALL_INTS)
        if "float" in wanted and "[" not in wanted:
            return self.rng.choice(FLOATS)
        if wanted.startswith("str"):
            return self.text()
        if "Tensor" in wanted:
            return self.array()
        if "Callable" in wanted or "Function" in wanted:
            return self.callback()
        for cls in self.classes:
            if cls.__name__ in wanted and not issubclass(cls, enum.Enum):
                found = [x for x in self.pool if isinstance(x, cls)]
                return self.rng.choice(found) if found else cls(*self.several(2))
        return self.any()

    def callback(self) -> Any:
        which = self.rng.randrange(6)
        if which == 0:
            return len
        if which == 1:
            return self.rng.choice(self.classes)
        if which == 2:
            return tain.convert(lambda *args, **kwargs: self.reaction())
        return lambda *args, **kwargs: self.reaction(*args)

    def reaction(self, *given: Any) -> Any:
        """What hostile code does when it is run."""
        which = self.rng.randrange(8)
        if which == 0:
            raise self.rng.choice((Provoked, KeyError, TypeError, StopIteration, MemoryError))("x")
        if which < 5:
            self.act()
        if given and which == 5:
            return self.keep(given[0])
        return self.any(1)

    def hostile(self) -> Any:
        return self.keep(make_hostile(self))

    def array(self) -> Any:
        return self.keep(make_array(self))

    def empty(self) -> Any:
        cls = self.rng.choice(self.classes)
        return self.keep(cls.__new__(cls))

    def moved(self) -> Any:
        value = self.pooled()
        return value._move() if isinstance(value, tain.Object) else value

    def odd(self) -> Any:
        return self.rng.choice((
            Ellipsis, NotImplemented, int, type, object(), Odd.ONE, Odd.MANY, range(3),
            decimal.Decimal("1.5"), fractions.Fraction(1, 3), pathlib.Path("a"), bytearray(b"abc"),
            memoryview(b"abc"), datetime.timedelta(seconds=1), typing.Any, tain, tain.cpu(0),
            tain.dtype("float32"), tain.Function, tain.Object, tain.Error("a"), *SLICES,
        ))  # fmt: skip


#: Every special method that somebody who takes a value may call.
SPECIAL = (
    *("__eq__", "__hash__", "__lt__", "__index__", "__int__", "__float__", "__bool__", "__str__"),
    *("__repr__", "__len__", "__iter__", "__next__", "__getitem__", "__call__", "__del__"),
    *("__tain_convert__", "asobject", "__fspath__", "__contains__", "keys", "__reduce_ex__"),
    *("__copy__", "__deepcopy__", "__enter__", "__length_hint__", "__complex__", "__bytes__"),
    *("__set_name__", "__get__", "__instancecheck__", "__format__", "__add__", "__radd__"),
)


def special_methods(values: Values, most: int) -> dict[str, Any]:
    """Some special methods; most answer as they should, after having acted."""
    rng = values.rng
    good: dict[str, Any] = {
        "__eq__": lambda: rng.random() < 0.5, "__hash__": lambda: rng.randrange(3),
        "__index__": lambda: rng.randrange(5), "__int__": lambda: 3, "__float__": lambda: 1.5,
        "__bool__": lambda: True, "__str__": lambda: "s", "__repr__": lambda: "r",
        "__len__": lambda: rng.randrange(4), "__iter__": lambda: iter(values.several(3, 1)),
        "__lt__": lambda: rng.random() < 0.5, "__fspath__": lambda: "p", "keys": lambda: ["a"],
        "__del__": lambda: None,
    }  # fmt: skip

    def method(name: str) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            reacted = values.reaction(*args)
            answer = good.get(name)
            return answer() if answer is not None and rng.randrange(5) else reacted

        return run

    return {name: method(name) for name in rng.sample(SPECIAL, rng.randint(1, most))}


def make_hostile(values: Values) -> Any:
    """An object of a new class whose special methods act."""
    namespace = special_methods(values, 8)
    if "__eq__" in namespace and "__hash__" not in namespace:
        namespace["__hash__"] = lambda self: 1
    return type("Hostile", (), namespace)()
