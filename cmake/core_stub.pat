# Types of the slots of the views of Map and Dict, which nanobind's stub generator cannot know.

(Keys|Values|Items)View\.__repr__$:
    def __repr__(self) -> str: ...

(Keys|Values|Items)View\.__len__$:
    def __len__(self) -> int: ...

(Keys|Values|Items)View\.__iter__$:
    \from collections.abc import Iterator
    def __iter__(self) -> Iterator[Any]: ...

(Keys|Values|Items)View\.__contains__$:
    def __contains__(self, key: object, /) -> bool: ...

(Keys|Values|Items)View\.__(eq|ne|lt|le|gt|ge)__$:
    def __\2__(self, value: object, /) -> bool: ...

(Keys|Values|Items)View\.__(and|rand|or|ror|xor|rxor|sub|rsub)__$:
    def __\2__(self, value: object, /) -> set[Any]: ...

# The form in which type checkers know unhashable classes.
(Keys|Items)View\.__hash__$:
    \from typing import ClassVar
    __hash__: ClassVar[None]  # type: ignore[assignment]

# tain.Tensor is made at run time; its members are declared in _values.pyi.
from_dlpack$:
    \from tain._values import Tensor
    def from_dlpack(x: object, /, *, device: object | None = None, copy: bool | None = None, require_alignment: int = 0, require_contiguous: bool = False) -> _Tensor:
        \doc

empty$:
    \from collections.abc import Sequence
    \from tain._values import Tensor
    def empty(shape: int | Sequence[int], dtype: object = "float32", device: object | None = None) -> _Tensor:
        \doc

tensor_of_array$:
    \from tain._values import Tensor
    def tensor_of_array(array: object) -> _Tensor:
        \doc

# It is written with the C API.
call_for_array$:
    def call_for_array(function: object, make: object, /, *args: object, **kwargs: object) -> object:
        \doc

# nanobind's generator knows no types of elements.
structural_kinds$:
    structural_kinds: tuple[str, ...]
