# SPDX-License-Identifier: Apache-2.0
"""Registering from Python: classes for type keys, global functions, errors, modules."""

from __future__ import annotations

import sys

from tain import _adoption, _core
from tain._core import get_class, get_global_func, list_global_func_names, type_info, type_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    C = TypeVar("C", bound=type)
    E = TypeVar("E", bound=type[BaseException])
    F = TypeVar("F", bound=Callable[..., Any])

__all__ = [
    "register_object",
    "register_global_func",
    "register_func",
    "get_global_func",
    "list_global_func_names",
    "remove_global_func",
    "register_error",
    "type_keys",
    "get_class",
    "type_info",
    "init_ffi_api",
    "_init_api",
]


if TYPE_CHECKING:

    @overload
    def register_object(key: C) -> C: ...
    @overload
    def register_object(key: str | None = None) -> Callable[[C], C]: ...


def register_object(key: Any = None) -> Any:
    """Make a class written in Python the class of a registered type.

    From then on all objects of the type are instances of it, whoever makes them, and
    `tain.types` returns it. The class that tain made for the type stays behind it, as one of its
    bases, and takes its name; what was imported before makes instances of the new class too.
    Without a docstring of its own it gets that of the type. A second registration replaces the
    first. It is never needed to use a type, only to customize it.

    Where CPython cannot change the bases of the class in place, it is made a second time, as
    ``dataclasses.dataclass(slots=True)`` does: `__init_subclass__` and the metaclass run again,
    without the keywords of the `class` statement.

    Parameters
    ----------
    key : str, optional
        The key of the type, such as ``"geometry.Point"``; the name of the class if it is left out
        or if the decorator is used bare.

    Returns
    -------
    type
        The same class.

    Raises
    ------
    ValueError
        No type has the key; the text names near ones. Or it is the key of an enum.
    TypeError
        The class is no `tain.Object`, or derives from a class that is not the type's parent, or a
        class registered earlier for a derived key cannot get it as a base, because only one
        of the two has a `__dict__` or `__slots__`: then register the parent's class first.

    Examples
    --------
    >>> @tain.register_object("testing.TestIntPair")
    ... class TestIntPair(tain.Object):
    ...     def sum(self) -> int:
    ...         return self.a + self.b
    >>> tain.types.testing.TestIntPair(1, 2).sum()
    3
    """

    def register(cls: type) -> type:
        name = cls.__name__ if key is None or key is cls else key
        registered = _core.register_class(name, cls)
        _adoption.refresh_name(name)
        _adoption.refresh_classes()
        return registered

    if isinstance(key, type):
        return register(key)
    if key is not None and not isinstance(key, str):
        raise TypeError(f"register_object: expected a type key or a class, got {key!r}")
    return register


if TYPE_CHECKING:

    @overload
    def register_global_func(func_name: F, *, override: bool = False) -> F: ...
    @overload
    def register_global_func(func_name: str, f: F, override: bool = False) -> F: ...
    @overload
    def register_global_func(
        func_name: str | None = None, f: None = None, override: bool = False
    ) -> Callable[[F], F]: ...


def register_global_func(func_name: Any = None, f: Any = None, override: bool = False) -> Any:
    """Register a function under a name that C++ and Python find it by.

    Parameters
    ----------
    func_name : str, optional
        The name; that of the function if it is left out or if the decorator is used bare.
    f : callable, optional
        The function; without it, the result is a decorator.
    override : bool
        Replace the function that has the name already.

    Returns
    -------
    callable
        The function itself, unchanged.

    Raises
    ------
    ValueError
        The name is taken, and `override` is false.

    Examples
    --------
    >>> @tain.register_global_func("example.add_one")
    ... def add_one(x: int) -> int:
    ...     return x + 1
    >>> tain.get_global_func("example.add_one")(1)
    2
    """
    if callable(func_name):
        func_name, f = None, func_name

    def register(function: Any) -> Any:
        name = func_name if func_name is not None else _name_of(function)
        _core.set_global_func(name, function, override)
        _adoption.refresh_name(name)
        return function

    return register if f is None else register(f)


register_func = register_global_func


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise ValueError(f"register_global_func: {function!r} has no name: give one")
    return name


def remove_global_func(name: str) -> None:
    """Remove a global function; who holds it can go on calling it.

    Raises
    ------
    ValueError
        There is no such function.
    """
    _core.remove_global_func(name)
    _adoption.refresh_name(name)


if TYPE_CHECKING:

    @overload
    def register_error(kind: E) -> E: ...
    @overload
    def register_error(kind: str | None = None, cls: None = None) -> Callable[[E], E]: ...
    @overload
    def register_error(kind: str, cls: E) -> E: ...


def register_error(kind: Any = None, cls: Any = None) -> Any:
    """Make an exception class stand for a kind of C++ error, in both directions.

    Parameters
    ----------
    kind : str, optional
        The kind, as in C++ ``TAIN_THROW(kind)``; the name of the class if it is left out or if the
        decorator is used bare.
    cls : type, optional
        The exception class; without it, the result is a decorator.

    Returns
    -------
    type
        The same class.

    Examples
    --------
    >>> @tain.register_error
    ... class SolverError(RuntimeError):
    ...     '''What ``TAIN_THROW(SolverError)`` raises.'''
    """
    if isinstance(kind, type):
        kind, cls = None, kind

    def register(error: type[BaseException]) -> type[BaseException]:
        _core.register_error_class(error.__name__ if kind is None else kind, error)
        return error

    return register if cls is None else register(cls)


def init_ffi_api(
    namespace: str,
    target_module_name: str | None = None,
    library: str | os.PathLike[str] | None = None,
) -> None:
    """Make the types and functions of a namespace attributes of a module, in one line.

    The module becomes the home of the types: their `__module__`, so that unpickling them imports
    it. What is registered later appears too.

    Parameters
    ----------
    namespace : str
        The common prefix of the keys and names, without its last dot. A leading ``tvm.`` or
        ``tain.`` does not count.
    target_module_name : str, optional
        Name of the module, normally ``__name__``; by default the namespace as it was given.
    library : str or os.PathLike, optional
        A library to load first, as `tain.load_library` does; a bare name is searched in the
        module's package before anywhere else.

    Raises
    ------
    ImportError
        The library cannot be found or loaded.
    ValueError
        No such module has been imported.

    Examples
    --------
    The whole of ``geometry/__init__.py``::

        import tain

        tain.init_ffi_api("geometry", __name__, library="geometry")
    """
    if not isinstance(namespace, str):  # for callers without a type checker
        given = type(namespace).__name__  # type: ignore[unreachable]
        raise TypeError(f"init_ffi_api: expected str, got {given} ({namespace!r})")
    module_name = namespace if target_module_name is None else target_module_name
    module = sys.modules.get(module_name)
    if module is None:
        raise ValueError(
            f"init_ffi_api: expected the name of an imported module, got {module_name!r}"
        )
    for prefix in ("tvm.", "tain."):
        if namespace.startswith(prefix):
            namespace = namespace[len(prefix) :]
            break
    if library is not None:
        from tain.library import load_for

        try:
            load_for(library, vars(module))
        except OSError as error:
            raise ImportError(f"{module_name}: {error}", name=module_name) from error
    else:
        _core.raise_pending_faults()
    if module_name != "__main__":  # no other process could import it
        _core.adopt_namespace(namespace, module_name)
    _adoption.adopt(module, namespace)


_init_api = init_ffi_api
