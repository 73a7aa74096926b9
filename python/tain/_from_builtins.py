# SPDX-License-Identifier: Apache-2.0
"""Objects of dicts and lists: the way back of `tain.to_builtins`.

The open containers are kept in a list, so any depth works. Of data that is shared, each type makes
one value, which is shared too. What a type makes of data is decided in `_builtins_types`; this
module walks the data.
"""

from __future__ import annotations

from typing import Any

from tain._builtins import path_of_part
from tain._builtins_types import LEAVES, Making, RefusedDataError, plan
from tain._tracebacks import ends_at_caller

__all__ = ["from_builtins"]


@ends_at_caller
def from_builtins(cls: Any, data: object) -> Any:
    """Return an object of a class, made from what `to_builtins` returns.

    A dict becomes an object where the class, or the declared type of a field, is a registered type
    or a dataclass. The constructor gets the values that are its parameters; the other fields are
    assigned. A value becomes the member of an enum, a list the container or the tuple, a name the
    device or the data type that is declared. Of a union the first type that fits is made. A text
    becomes a number where it is a key, as JSON has no other keys. Where no type is declared
    (`Any`), values stay as they are, and so does an object that already has the declared type. A
    dict or list that is in two places becomes one object in both, if both declare one type.

    Parameters
    ----------
    cls : type
        A registered class, a dataclass, an enum, or a type with parts such as ``list[Point]`` or
        ``Point | None``.
    data : object
        Dicts, lists, numbers and texts.

    Returns
    -------
    object
        The new object.

    Raises
    ------
    TypeError
        A value does not have the declared type, or a dict has a key that is no field, or lacks a
        parameter of the constructor. The text says where.
    ValueError
        A value has the declared type but is not allowed, such as a number out of range, or the data
        contains itself.

    Examples
    --------
    >>> tain.from_builtins(tain.types.testing.Point, {"x": 3, "y": 4}).norm()
    5.0
    """
    root = Making(iter([("", (None, cls), data)]), lambda keys, made: made[0])
    stack = [root]
    above: set[int] = set()  # the data of which containers are being made, by identity
    known: dict[Any, tuple[object, Any]] = {}  # by data and type: the data, held, and the value

    def where() -> str:
        return path_of_part("from_builtins", cls, [frame.place for frame in stack])

    while True:
        frame = stack[-1]
        part = next(frame.parts, None)
        try:
            if part is not None:
                frame.place, (key, wanted), value = part
                frame.keys.append(key)
                identity = _identity(value, wanted)
                if identity in known:
                    frame.made.append(known[identity][1])
                    continue
                made = plan(wanted, value)
                if not isinstance(made, Making):
                    frame.made.append(made)
                    continue
                if id(value) in above:
                    raise ValueError("expected a tree, got data that contains itself")
                above.add(id(value))
                made.data = value
                made.identity = identity
                stack.append(made)
                continue
            stack.pop()
            above.discard(id(frame.data))
            result = frame.finish(frame.keys, frame.made)
            if frame.identity is not None:
                known[frame.identity] = frame.data, result
        except RefusedDataError as refusal:
            raise TypeError(f"{where()}{refusal.place}: {refusal}") from None
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            kind = TypeError if isinstance(error, (TypeError, AttributeError)) else ValueError
            raise kind(f"{where()}: {error}") from error
        if not stack:
            return result
        stack[-1].made.append(result)


def _identity(data: object, wanted: object) -> Any:
    """Return what tells data that is made into a type from all other; None if nothing does."""
    if type(data) in LEAVES:
        return None
    try:
        hash(wanted)
    except TypeError:  # an annotation with a list in it
        return None
    return id(data), wanted
