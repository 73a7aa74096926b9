# SPDX-License-Identifier: Apache-2.0
"""The work that `tain.Tensor` leaves to numpy: printing, assignment, conversion of elements.

numpy is imported when an array is used for the first time.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import types
import typing
import weakref
from collections.abc import Callable
from typing import Any

import tain
from tain import _core
from tain._checks import loaded, refuse
from tain._tensor_math import makers_of
from tain._tracebacks import ends_at_caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy

    from tain._values import Tensor

# Which parameters of a function want a Tensor.
_wanted: weakref.WeakKeyDictionary[Callable[..., Any], _Wanted] = weakref.WeakKeyDictionary()


def wants_tensor(function: Callable[..., Any], place: int | str) -> bool:
    """Return whether a parameter of a Python callable has the annotation `tain.Tensor`.

    `place` is the position of an argument, or its name if it is given by name.
    """
    bound = inspect.ismethod(function)
    target = getattr(function, "__func__", function) if bound else function
    try:
        known = _wanted.get(target)
    except TypeError:  # it has no weak references, or no hash
        return _Wanted(function).has(place)
    if known is None:
        known = _wanted[target] = _Wanted(target)
    return known.has(place + 1 if bound and isinstance(place, int) else place)


class _Wanted:
    """The parameters of a function with the annotation `tain.Tensor`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.places: set[int | str] = set()
        self.rest = sys.maxsize  # the position from which on `*args` want it
        self.other_names = False  # whether `**kwargs` want it
        try:
            parameters = _signature(function).parameters
            names = _globals_of(function)
        except Exception:  # there is no signature
            parameters = types.MappingProxyType({})
            names = {}
        self.named = frozenset(parameters)
        for i, one in enumerate(parameters.values()):
            if not _is_tensor(one.annotation, names):
                continue
            if one.kind is one.VAR_POSITIONAL:
                self.rest = i
            elif one.kind is one.VAR_KEYWORD:
                self.other_names = True
            else:
                if one.kind is not one.KEYWORD_ONLY:
                    self.places.add(i)
                if one.kind is not one.POSITIONAL_ONLY:
                    self.places.add(one.name)

    def has(self, place: int | str) -> bool:
        """Return whether the parameter of an argument is one of them."""
        if place in self.places:
            return True
        if isinstance(place, int):
            return place >= self.rest
        return self.other_names and place not in self.named


def _globals_of(function: Any) -> dict[str, Any]:
    """Return the names by which the annotations of a callable are evaluated."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    if not hasattr(function, "__globals__"):
        function = getattr(type(function), "__call__", None)  # noqa: B004
    return getattr(function, "__globals__", {})


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):  # names that do not exist are no error
        from annotationlib import Format

        return inspect.signature(function, annotation_format=Format.FORWARDREF)
    return inspect.signature(function)


def _is_tensor(annotation: Any, names: dict[str, Any]) -> bool:
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, names)  # as typing.get_type_hints does
        except Exception:  # an annotation that cannot be evaluated is none
            return False
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        parts = [part for part in typing.get_args(annotation) if part is not type(None)]
        return len(parts) == 1 and parts[0] is tain.Tensor
    return annotation is tain.Tensor


def as_numpy(tensor: Tensor) -> numpy.ndarray[Any, Any]:
    """Return the array of `Tensor.numpy()` where numpy has no type of its own for the elements."""
    import numpy as np

    if not tensor._is_on_host:
        raise RuntimeError(
            f"Tensor.numpy(): the tensor is on {tensor.device}; copy it with the library that "
            "made it"
        )
    dtype = tensor.dtype.numpy()
    # In a tensor, elements of less than a byte share bytes; in numpy each has its own.
    if dtype.itemsize * 8 != tensor.dtype.bits * tensor.dtype.lanes:
        raise BufferError("the elements of this Tensor have no format of the buffer protocol")
    return np.asarray(_bits(tensor)).view(dtype)


def _bits(tensor: Tensor) -> Tensor:
    """Return a view whose elements are unsigned ints of the same size."""
    return tensor._view(f"uint{8 * tensor.itemsize}")


def array(tensor: Tensor, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
    """`Tensor.__array__`."""
    import numpy as np

    found = tensor.numpy()
    if dtype is not None and found.dtype != dtype:
        if copy is False:
            raise ValueError(
                f"Tensor.__array__(): {tensor.dtype} as {np.dtype(dtype)} must be copied"
            )
        return found.astype(dtype)
    return found.copy() if copy else found


def item(tensor: Tensor) -> Any:
    """Return the only element."""
    if tensor.size != 1:
        raise ValueError(f"Tensor: expected one element, got shape {tensor.shape}")
    return tensor.numpy().item()


def index(tensor: Tensor) -> int:
    """`Tensor.__index__`: as for numpy's arrays, other numbers are a TypeError."""
    if tensor.size != 1 or tensor.dtype.code not in _INTEGERS:
        raise TypeError(
            f"Tensor: expected one integer element as an index, got {tensor.dtype}, shape "
            f"{tensor.shape}"
        )
    return int(item(tensor))


_INTEGERS = frozenset({0, 1})  # int and uint, from DLPack


def as_complex(tensor: Tensor) -> complex:
    """`Tensor.__complex__`."""
    return complex(item(tensor))


def tolist(tensor: Tensor) -> Any:
    """Return the elements as nested lists."""
    return tensor.numpy().tolist()


def assign(tensor: Tensor, key: Any, value: Any) -> None:
    """`tensor[key] = value`."""
    if tensor.read_only:
        raise ValueError("Tensor: the tensor is read-only")
    tensor.numpy()[key] = value


def to(tensor: Tensor, device: Any, /, *, copy: bool | None = None) -> Tensor:
    """Return the tensor on a device."""
    wanted = _core.device(device)
    if wanted != tensor.device:
        raise ValueError(
            f"Tensor.to(): tain copies to no other device: expected {tensor.device}, got {wanted}"
        )
    return tensor.__copy__() if copy else tensor


def show(tensor: Tensor) -> str:
    """Return the repr."""
    import numpy as np

    facts = f"dtype={tensor.dtype}"
    if not tensor._is_on_host:
        return f"tain.Tensor(shape={tensor.shape}, {facts}, device={tensor.device})"
    try:
        values = tensor.numpy()
    except (BufferError, TypeError):  # numpy has no such elements
        return f"tain.Tensor(shape={tensor.shape}, {facts})"
    if tensor.size == 0 and tensor.shape != (0,):
        facts = f"shape={tensor.shape}, {facts}"
    text = np.array2string(values, separator=", ", prefix="tain.Tensor(")
    return f"tain.Tensor({text}, {facts})"


def reduce(tensor: Tensor, protocol: int) -> tuple[Any, ...]:
    """`Tensor.__reduce_ex__`: from protocol 5 on the memory can travel out of band."""
    import pickle

    if not tensor._is_on_host:
        raise TypeError(f"a Tensor on {tensor.device} cannot be pickled")
    if tensor.dtype.bits * tensor.dtype.lanes % 8:
        raise TypeError(f"a Tensor of {tensor.dtype} cannot be pickled: its elements share bytes")
    source = tensor if tensor.is_contiguous else tensor.__copy__()
    try:
        memory = memoryview(source)  # type: ignore[arg-type]  # a Buffer in C only
    except BufferError:
        memory = memoryview(_bits(source))  # type: ignore[arg-type]
    data: Any = bytes(memory) if protocol < 5 else pickle.PickleBuffer(memory)
    return _rebuild, (data, str(tensor.dtype), tensor.shape)


def _rebuild(data: Any, dtype: str, shape: tuple[int, ...]) -> Tensor:
    import numpy as np

    if isinstance(data, bytes):
        data = bytearray(data)  # a new tensor is writable
    wanted = _core.dtype(dtype)
    is_complex = wanted.itemsize > 8
    name = dtype if is_complex else f"uint{8 * wanted.itemsize}"
    elements = np.frombuffer(data, name).reshape(shape)
    return _core.tensor_of_array(elements)._view(wanted)


@ends_at_caller
def tensor(data: Any, dtype: Any = None, *, device: Any = None) -> Tensor:
    """Make a Tensor of numbers, nested sequences or an array, whose elements are copied.

    Parameters
    ----------
    data : object
        What ``numpy.array`` takes; without `dtype` also any array with ``__dlpack__``.
    dtype : str, tain.dtype, numpy.dtype or torch.dtype, optional
        The type of the elements, by default what numpy makes of `data`.
    device : tain.Device or str, optional
        The device; tain itself makes tensors on ``cpu``.

    Returns
    -------
    Tensor
        A new tensor, row-major.

    Raises
    ------
    TypeError
        The elements are no numbers of one type.
    ValueError
        `data` has rows of different lengths, or the device is another one.

    Examples
    --------
    >>> tain.tensor([1, 2, 3], dtype="float32")
    tain.Tensor([1., 2., 3.], dtype=float32)
    """
    import numpy as np

    if dtype is None and hasattr(data, "__dlpack__") and not isinstance(data, np.ndarray):
        made = _core.from_dlpack(data).__copy__()  # elements of any type, which numpy may not have
        return made if device is None else made.to(device)
    wanted = None if dtype is None else _core.dtype(dtype).numpy()
    made = _core.tensor_of_array(np.array(data, dtype=wanted, order="C"))
    return made if device is None else made.to(device)


class FunctionForArrays(functools.partial):  # type: ignore[type-arg]
    """A function whose new tensors are arrays of one class, of `Function.with_tensor_type`.

    It calls `call_for_array(function, make, ...)` without a frame of Python in between.
    """

    __wrapped__: Any
    __signature__: Any
    _cls: type | None

    def __new__(cls, function: Any, array_class: type | None) -> FunctionForArrays:
        """Make the function of `array_class` of a `tain.Function` or a method."""
        made = super().__new__(cls, _core.call_for_array, function, _maker_of(array_class))
        functools.update_wrapper(made, function)
        made._cls = array_class
        with contextlib.suppress(Exception):  # there is no signature
            made.__signature__ = _signature_for(function, array_class)
        return made

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind it to an object, as an attribute of a class."""
        return self if instance is None else types.MethodType(self, instance)

    def with_tensor_type(self, cls: type | None, /) -> FunctionForArrays:
        """Return the same function with another class."""
        return FunctionForArrays(self.__wrapped__, cls)

    def __reduce__(self) -> tuple[Any, ...]:
        return with_tensor_type, (self.__wrapped__, self._cls)

    def __repr__(self) -> str:
        name = "None" if self._cls is None else f"{self._cls.__module__}.{self._cls.__qualname__}"
        return f"{self.__wrapped__!r}.with_tensor_type({name})"


def _signature_for(function: Any, cls: type | None) -> inspect.Signature:
    """Return the signature of a function whose results are of a class."""
    signature = inspect.signature(function)
    result = signature.return_annotation
    made = tain.Tensor if cls is None else cls
    arrays = [tain.Tensor, *([np.ndarray] if (np := loaded("numpy")) else [])]
    if any(result is one for one in arrays):
        return signature.replace(return_annotation=made)
    if any(result == (one | None) for one in arrays):
        return signature.replace(return_annotation=made | None)
    return signature


def with_tensor_type(function: Any, cls: type | None) -> FunctionForArrays:
    """`Function.with_tensor_type`, and that of methods."""
    return FunctionForArrays(function, cls)


def _maker_of(cls: type | None) -> Callable[[Tensor], Any] | None:
    """Return what makes an array of a class of a Tensor; None for `tain.Tensor` itself."""
    if cls is None or cls is tain.Tensor:
        return None
    where = "Function.with_tensor_type(): argument cls"
    if not isinstance(cls, type):
        raise refuse(where, "a class of arrays or None", cls)
    import numpy as np

    if cls is np.ndarray:
        return cls  # `call_for_array` makes it without a call
    if not issubclass(cls, np.ndarray):
        makers: tuple[Any, ...] = (getattr(cls, "from_dlpack", None), *makers_of(cls))
        make: Callable[[Tensor], Any] | None = next(filter(callable, makers), None)
        # Else it is a subclass of what the library makes.
        if make is not None and isinstance(make(_core.empty(0)), cls):
            return make
    raise TypeError(
        f"{where}: expected a class of arrays that from_dlpack of its library makes, got "
        f"{cls.__module__}.{cls.__qualname__}"
    )


@ends_at_caller
def to_pytorch_func(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function itself, because functions take torch tensors and return them.

    It is kept for programs that were written for other runtimes.
    """
    return function
