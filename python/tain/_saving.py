# SPDX-License-Identifier: Apache-2.0
"""Graphs of objects as JSON text and in a compact binary form: arguments, files, upgrades."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any, Literal, TypeVar, overload

from tain import Object, _core
from tain._tracebacks import ends_at_caller

__all__ = ["load_binary", "load_json", "register_upgrade", "save_binary", "save_json"]

Upgrade = Callable[[dict[str, Any], int], Mapping[str, Any]]
_F = TypeVar("_F", bound=Upgrade)


def _is_file(value: object, method: str) -> bool:
    return callable(getattr(value, method, None))


def _is_text_file(file: Any) -> bool:
    """Return whether a file takes or gives str: it has an encoding, or is io.StringIO."""
    return hasattr(file, "encoding") or "TextIO" in {cls.__name__ for cls in type(file).__mro__}


def _writer(file: Any) -> Callable[[bytes], object]:
    if not _is_text_file(file):
        return lambda part: _write_all(file, part)
    from codecs import getincrementaldecoder

    decoder = getincrementaldecoder("utf-8")()  # a part may end within a character
    return lambda part: file.write(decoder.decode(part))


def _write_all(file: Any, part: bytes) -> None:
    view = memoryview(part)
    while view:
        written = file.write(view)  # a raw file may write less
        if not isinstance(written, int) or written >= len(view):
            return
        if written <= 0:
            raise OSError(f"write() of {type(file).__name__} has written {written} bytes")
        view = view[written:]


def _reader(file: Any) -> Callable[[int], bytes]:
    """Return a function that reads at most as many bytes as it is asked for."""
    rest = b""

    def read(size: int) -> bytes:
        nonlocal rest
        if not rest:
            part = file.read(size)
            rest = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            if not isinstance(rest, (bytes, bytearray, memoryview)):
                kind = type(rest).__name__
                raise TypeError(f"read(): expected bytes or str, got {kind}")
            rest = bytes(rest)
        part, rest = rest[:size], rest[size:]
        return part

    return read


def _keys(where: str, allow: Iterable[str | type] | str | type | None) -> list[str] | None:
    if allow is None:
        return None
    if isinstance(allow, (str, type)) or not isinstance(allow, Iterable):
        allow = [allow]
    return [_key(f"{where}: allow", entry) for entry in allow]


def _key(where: str, entry: object) -> str:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, type) and issubclass(entry, Object):
        return str(_core.type_info(entry).key)
    raise TypeError(f"{where}: expected keys or classes of registered types, got {entry!r}")


def _indent(indent: int | None) -> int:
    if indent is None:
        return -1
    if type(indent) is not int:
        kind = type(indent).__name__
        raise TypeError(f"save_json: indent: expected int, got {kind} ({indent!r})")
    if not 0 <= indent <= 100:
        raise ValueError(f"save_json: indent: expected 0 to 100, got {indent}")
    return indent


def _as_parent(where: str, subclasses: str | None) -> bool:
    if subclasses is not None and subclasses != "as_parent":
        raise ValueError(f"{where}: subclasses: expected None or 'as_parent', got {subclasses!r}")
    return subclasses is not None


@overload
def save_json(
    x: object,
    file: None = None,
    *,
    indent: int | None = None,
    subclasses: Literal["as_parent"] | None = None,
) -> str: ...
@overload
def save_json(
    x: object,
    file: str | os.PathLike[str] | IO[Any],
    *,
    indent: int | None = None,
    subclasses: Literal["as_parent"] | None = None,
) -> None: ...
@ends_at_caller
def save_json(
    x: object,
    file: str | os.PathLike[str] | IO[Any] | None = None,
    *,
    indent: int | None = None,
    subclasses: Literal["as_parent"] | None = None,
) -> str | None:
    """Return a value, and all that can be reached from it, as JSON text.

    Parameters
    ----------
    x : object
        What C++ can hold: objects of registered types, containers, tensors, numbers, text ...
    file : path or file, optional
        Where the text is written while it is made: a path, or a file for text or bytes.
    indent : int, optional
        The number of blanks for each level; without it the text is one line.
    subclasses : {"as_parent"}, optional
        Save objects of Python subclasses as their registered class, without what the subclass adds.

    Returns
    -------
    str or None
        The text; None if it was written to `file`.

    Raises
    ------
    TypeError
        Something cannot be saved: a function, a module, an error, a Python object, an object of a
        Python subclass, state of C++ that is no registered field. The message has the path to it.
    RuntimeError
        A container changed while it was saved.

    Examples
    --------
    >>> tain.save_json(tain.Array([1, "a"]))
    '{"tain_graph":1,"nodes":[{"$type":"ffi.Array","items":[1,"a"]}],"root":{"$node":0}}'
    """
    spaces = _indent(indent)
    as_parent = _as_parent("save_json", subclasses)
    if file is None:
        return _core.save_json(x, None, spaces, as_parent)
    if _is_file(file, "write"):
        _core.save_json(x, _writer(file), spaces, as_parent)
        return None
    _core.save_json_file(x, _path("save_json", file), spaces, as_parent)
    return None


@ends_at_caller
def load_json(
    source: str | bytes | bytearray | memoryview | os.PathLike[str] | IO[Any],
    *,
    allow: Iterable[str | type] | str | type | None = None,
) -> Any:
    """Return the value that `save_json` wrote.

    Parameters
    ----------
    source : str, bytes, path or file
        The text, or where it is: a path (not a str, which is the text), or a file for text or
        bytes, which is read in parts.
    allow : iterable of str or class, optional
        The types that may be created: their classes, their keys, or namespaces such as ``"demo"``.
        Without it every registered type may be.

    Returns
    -------
    object
        A new value.

    Raises
    ------
    ValueError
        The text is malformed, or a type is not registered, not allowed, or has other fields than
        the data. The message has the place in the text or the number of the node.
    TypeError, OverflowError
        A value does not fit its field.
    OSError
        The file cannot be read.
    """
    allowed = _keys("load_json", allow)
    if isinstance(source, (str, bytes, bytearray, memoryview)):
        return _core.load_json(source, None, allowed)
    if _is_file(source, "read"):
        return _core.load_json(None, _reader(source), allowed)
    return _core.load_json_file(_path("load_json", source), allowed)


@overload
def save_binary(
    x: object, file: None = None, *, subclasses: Literal["as_parent"] | None = None
) -> bytes: ...
@overload
def save_binary(
    x: object,
    file: str | os.PathLike[str] | IO[bytes],
    *,
    subclasses: Literal["as_parent"] | None = None,
) -> None: ...
@ends_at_caller
def save_binary(
    x: object,
    file: str | os.PathLike[str] | IO[bytes] | None = None,
    *,
    subclasses: Literal["as_parent"] | None = None,
) -> bytes | None:
    """Return a value, and all that can be reached from it, in a compact binary form.

    Parameters
    ----------
    x : object
        As for `save_json`.
    file : path or file, optional
        Where the bytes are written while they are made.
    subclasses : {"as_parent"}, optional
        As for `save_json`.

    Returns
    -------
    bytes or None
        The bytes; None if they were written to `file`.

    Raises
    ------
    TypeError, RuntimeError
        As `save_json`.
    """
    as_parent = _as_parent("save_binary", subclasses)
    if file is None:
        return _core.save_binary(x, None, as_parent)
    if _is_file(file, "write"):
        if _is_text_file(file):
            raise TypeError("save_binary: expected a file for bytes, got one for text")
        _core.save_binary(x, _writer(file), as_parent)
        return None
    _core.save_binary_file(x, _path("save_binary", file), as_parent)
    return None


@ends_at_caller
def load_binary(
    source: bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes],
    *,
    mmap: bool = True,
    allow: Iterable[str | type] | str | type | None = None,
) -> Any:
    """Return the value that `save_binary` wrote.

    Parameters
    ----------
    source : bytes, path or file
        The bytes, or where they are.
    mmap : bool, optional
        Whether tensors of a file that is given by its path are views of the mapped file. Writing to
        them does not change the file, which must not become shorter while they live.
    allow : iterable of str or class, optional
        As for `load_json`.

    Returns
    -------
    object
        A new value.

    Raises
    ------
    ValueError, TypeError, OverflowError
        As `load_json`.
    OSError
        The file cannot be read.
    """
    allowed = _keys("load_binary", allow)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _core.load_binary(source, None, allowed)
    if _is_file(source, "read"):
        return _core.load_binary(None, _reader(source), allowed)
    return _core.load_binary_file(_path("load_binary", source), bool(mmap), allowed)


def _path(where: str, value: Any) -> bytes:
    try:
        path = os.fspath(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{where}: expected a path or a file, got {kind} ({value!r})") from None
    return os.fsencode(path)


@ends_at_caller
def register_upgrade(key: str | type, *, version: int = 1) -> Callable[[_F], _F]:
    """Register the function that turns old data of a type into data of its present version.

    The decorated function is called as ``f(fields, version)`` with the fields of an object, by
    name, and the version of the data, and returns the fields that the type has now. It is called
    for data of an older version, and for data whose fields are not those of the type.

    Parameters
    ----------
    key : str or class
        The type: its key or its class.
    version : int, optional
        The version that new data of the type gets. Data of types without a version has version 1.

    Returns
    -------
    callable
        A decorator, which returns the function unchanged.

    Raises
    ------
    ValueError
        `version` is less than 1.

    Examples
    --------
    >>> @tain.register_upgrade("demo.Node", version=2)
    ... def upgrade(fields, version):
    ...     fields["name"] = fields.pop("title")
    ...     return fields
    """
    name = _key("register_upgrade", key)

    def decorate(function: _F) -> _F:
        def upgrade(fields: Mapping[str, Any], old: int) -> Mapping[str, Any]:
            return function(dict(fields), old)

        _core.register_upgrade(name, upgrade, version)
        return function

    return decorate
