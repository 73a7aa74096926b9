# Written by `python -m tain stubgen`; do not edit.
# A C++ class may change what it inherits, and overloads may overlap.
# mypy: disable-error-code="override, assignment, misc, overload-overlap, overload-cannot-match, mutable-override"
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false

import abc
import builtins as _builtins
import collections.abc
import enum
import sys
import tain as _tain
import typing as _typing

__all__ = ['CycleError', 'Hostile', 'LongCycleError', 'Mode', 'Right', 'Scale', 'Shape', 'Square', 'Tree', 'Unit', 'apply', 'by_width', 'dashed', 'data', 'defaults', 'fail', 'image', 'keywords', 'more', 'typing', 'unnamed']

_Hostile = Hostile
if sys.version_info >= (3, 11):
    from enum import StrEnum as _StrEnum
else:
    class _StrEnum(str, enum.Enum): ...

class CycleError(ValueError):
    """A cell needs itself."""
    @property
    def cell(self) -> str:
        """The cell."""
    @cell.setter
    def cell(self, value: str, /) -> None: ...
    def __init__(self, /, *args: object, cell: str = ...) -> None: ...

class Hostile(_tain.Object):
    """Its members have the names of other things."""
    __match_args__ = ('class', 'int', 'list', 'str')
    int: _builtins.int
    @_builtins.property
    def list(self) -> _tain.Array[_builtins.str]: ...
    @list.setter
    def list(self, value: collections.abc.Iterable[_builtins.str], /) -> None: ...
    @_builtins.property
    def str(self) -> _tain.Array[_builtins.str]: ...
    def __init__(self, class_: _builtins.int = 1, int: _builtins.int = 1, list: collections.abc.Iterable[_builtins.str] = ..., str: collections.abc.Iterable[_builtins.str] = ...) -> None: ...
    def property(self) -> _builtins.int: ...
    def builtins(self) -> bool: ...
    def tain(self) -> _Hostile: ...
    def Hostile(self) -> _Hostile: ...
    def _private(self) -> _builtins.int: ...
    # no Python code spells: 'class', 'import'

class LongCycleError(CycleError):
    @property
    def length(self) -> int: ...
    @length.setter
    def length(self, value: int, /) -> None: ...
    def __init__(self, /, *args: object, cell: str = ..., length: int = ...) -> None: ...

class Mode(_StrEnum):
    FAST = 'fast'
    """quickly"""
    SAFE = 'safe'

class Right(enum.IntFlag):
    """Rights."""
    READ = 1
    WRITE = 2

class Scale(_tain.Object):
    """A scale."""
    @property
    def marks(self) -> _tain.Array[int]: ...
    def __init__(self, *args: _typing.Any, _no_constructor: _typing.NoReturn, **kwargs: _typing.Any) -> None: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __lt__(self, value: Scale, /) -> bool: ...
    def __le__(self, value: Scale, /) -> bool: ...
    def __gt__(self, value: Scale, /) -> bool: ...
    def __ge__(self, value: Scale, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[int]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, arg0: int, /) -> int: ...
    def steps(self) -> collections.abc.Iterator[int]: ...

class Shape(_tain.Object):
    """A shape.

    Its "area" is a \\ path; äöü. \"\""quoted\"\"\"
    """
    __match_args__ = ()
    LIMIT: _typing.ClassVar[int] = 100
    """The largest size."""
    UNIT: _typing.ClassVar[str] = 'cm'
    count: int
    """How many."""
    size: float
    """ends in a "quote\""""
    @property
    def name(self) -> str:
        'a bell: \x07'
    @property
    def weights(self) -> _tain.Array[float]: ...
    @weights.setter
    def weights(self, value: collections.abc.Iterable[float], /) -> None: ...
    @property
    def table(self) -> _tain.Map[str, _tain.Array[int]]: ...
    @property
    def pair(self) -> tuple[int, str]: ...
    either: int | str
    @property
    def pixels(self) -> _tain.Tensor | None:
        """An image."""
    @pixels.setter
    def pixels(self, value: _typing.Any, /) -> None: ...
    next: Shape | None
    @property
    def unit(self) -> Unit: ...
    @unit.setter
    def unit(self, value: Unit | int, /) -> None: ...
    scale: collections.abc.Callable[[float], float] | None
    any: _typing.Any
    @property
    def mood(self) -> str: ...
    @property
    def twice(self) -> float:
        """Twice the size."""
    @_typing.overload
    def __init__(self) -> None:
        """A shape of size 1."""
    @_typing.overload
    def __init__(self, size: float) -> None: ...
    @_typing.overload
    def __init__(self, name: str) -> None:
        """By name."""
    @abc.abstractmethod
    def area(self) -> float:
        """Its area."""
    def label(self, unit: Unit, marks: _tain.Array[int]) -> str: ...
    def __add__(self, x: float) -> float: ...
    @_typing.final
    def describe(self) -> str: ...
    @staticmethod
    def parse(arg0: str, /) -> int: ...
    @_typing.overload
    def grow(self, by: int) -> int: ...
    @_typing.overload
    def grow(self, by: float = 2) -> float: ...

@_typing.final
class Square(Shape):
    """A square."""
    __match_args__ = ()
    def __init__(self) -> None: ...
    def label(self) -> float: ...
    def parent(self) -> Shape | None: ...
    def dashed(self) -> Shape: ...
    def area(self) -> float:
        """Its area."""

class Tree(_tain.Object):
    __match_args__ = ()
    def __init__(self) -> None: ...

    class Leaf(_tain.Object):
        __match_args__ = ()
        tree: Tree | None
        def __init__(self) -> None: ...

class Unit(enum.IntEnum):
    """Units."""
    METRE = 1
    """a metre"""
    FOOT = 2

class typing(_tain.Object):
    __match_args__ = ()
    def __init__(self) -> None: ...
    def any(self) -> _typing.Any: ...

def apply(f: collections.abc.Callable[[str], int] | None) -> int: ...

def by_width(x: int) -> str | int: ...

def dashed() -> Shape: ...

def data(x: bytes | bytearray | memoryview) -> bytes: ...

def defaults(inf: float = ..., x: float = 0.5, b: bool = True, s: str = 'it\'s "quoted" \\ \n', unit: Unit | int = Unit.FOOT, mode: Mode | str = Mode.SAFE, none: int | None = None, texts: collections.abc.Iterable[str] = ..., *, last: int = -1) -> str:
    """Defaults of all kinds."""

def fail() -> None: ...

def image(x: _typing.Any) -> _tain.Tensor: ...

def keywords(from_: int, in_: int) -> int: ...

def more(first: int, *args: _typing.Any, **kwargs: _typing.Any) -> int: ...

def unnamed(arg0: _typing.Any, arg1: int, /) -> _typing.Any: ...
