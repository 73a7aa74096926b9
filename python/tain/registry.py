# SPDX-License-Identifier: Apache-2.0
"""Registration from Python: classes for type keys, global functions, errors, modules."""

import sys

from tain import _adoption, _core
from tain._checks import refuse, text_of
from tain._core import get_global_func
from tain._tracebacks import ends_at_caller

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
    "remove_global_func",
    "register_error",
    "init_ffi_api",
    "_init_api",
]


if TYPE_CHECKING:

    @overload
    def register_object(key: C) -> C: ...
    @overload
    def register_object(key: str | None = None) -> Callable[[C], C]: ...


@ends_at_caller
def register_object(key: "Any" = None) -> "Any":
    """Make a class written in Python the class of a registered type.

    From then on, all new objects of the type are instances of this class, and `tain.types` returns
    it. The class that tain made for the type becomes one of its bases and takes its name and
    module; calling that class makes instances of the registered class too. If the registered class
    has no docstring, it gets the docstring of the type. A second registration replaces the first. A
    type can be used without this function; it is needed only to add Python code to the type.

    If CPython cannot change the bases of the class in place, the class is made a second time, as
    ``dataclasses.dataclass(slots=True)`` does: `__init_subclass__` and the metaclass run again,
    without the keywords of the `class` statement.

    Parameters
    ----------
    key : str or type, optional
        The key of the type, such as ``"geometry.Point"``. By default, and if the decorator is used
        without parentheses, the key is the name of the class.

    Returns
    -------
    type
        The registered class.

    Raises
    ------
    ValueError
        No type has the key (the text suggests similar keys), or it is the key of an enum.
    TypeError
        The class does not derive from `tain.Object`, or it derives from a registered class that is
        not a parent of the type. Also if a class that was registered earlier for a derived key
        cannot get this class as a base, because only one of the two has a `__dict__` or
        `__slots__`; then register the class of the parent first.

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
        if not isinstance(cls, type):  # for callers without a type checker
            raise refuse("register_object", "a class", cls)
        name = cls.__name__ if key is None or key is cls else key
        registered = _core.register_class(name, cls)
        _adoption.refresh_name(name)
        _adoption.refresh_classes()
        return registered

    if isinstance(key, type):
        return register(key)
    if key is not None and not isinstance(key, str):
        raise refuse("register_object", "a type key or a class", key)
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


@ends_at_caller
def register_global_func(func_name: "Any" = None, f: "Any" = None, override: bool = False) -> "Any":
    """Register a function under a name by which C++ and Python find it.

    Parameters
    ----------
    func_name : str or callable, optional
        The name. By default, and if the decorator is used without parentheses, it is the
        `__name__` of the function.
    f : callable, optional
        The function. Without it, the result is a decorator.
    override : bool
        If true, replace a function that is already registered under the name.

    Returns
    -------
    callable
        The function itself, unchanged.

    Raises
    ------
    TypeError
        The argument is neither a name nor a function.
    ValueError
        The name is taken and `override` is false, or the function has no `__name__` and none is
        given.

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
    elif f is None and not (func_name is None or isinstance(func_name, str)):
        raise refuse("register_global_func", "a name or a function", func_name)

    def register(function: "Any") -> "Any":
        name = func_name if func_name is not None else _name_of(function)
        _core.set_global_func(name, function, override)
        _adoption.refresh_name(name)
        return function

    return register if f is None else register(f)


register_func = register_global_func


def _name_of(function: "Any") -> str:
    name = getattr(function, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise ValueError(f"register_global_func: {function!r} has no name: pass one as func_name")
    return name


@ends_at_caller
def remove_global_func(name: str) -> None:
    """Remove a global function. Code that already got the function can still call it.

    Parameters
    ----------
    name : str
        The name of the function.

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


@ends_at_caller
def register_error(kind: "Any" = None, cls: "Any" = None) -> "Any":
    """Register an exception class for a kind of C++ error.

    C++ errors of the kind become exceptions of the class, and exceptions of the class become C++
    errors of the kind.

    Parameters
    ----------
    kind : str or type, optional
        The kind, as in C++ ``TAIN_THROW(kind)``. By default, and if the decorator is used without
        parentheses, it is the name of the class.
    cls : type, optional
        The exception class. Without it, the result is a decorator.

    Returns
    -------
    type
        The same class.

    Raises
    ------
    TypeError
        `cls` is not an exception class.

    Examples
    --------
    >>> @tain.register_error
    ... class SolverError(RuntimeError):
    ...     '''What ``TAIN_THROW(SolverError)`` raises.'''
    """
    if isinstance(kind, type):
        kind, cls = None, kind

    def register(error: "type[BaseException]") -> "type[BaseException]":
        name = getattr(error, "__name__", "") if kind is None else kind
        _core.register_error_class(name, error)
        return error

    return register if cls is None else register(cls)


def init_ffi_api(
    namespace: str,
    target_module_name: "str | None" = None,
    library: "str | os.PathLike[str] | None" = None,
) -> None:
    """Make the types and functions of a namespace attributes of a module.

    The module becomes the `__module__` of the types, so that unpickling their objects imports it.
    Types and functions that are registered later become attributes too.

    Parameters
    ----------
    namespace : str
        The common prefix of the keys and names, without its last dot. A leading ``tvm.`` or
        ``tain.`` is removed.
    target_module_name : str, optional
        The name of the module, normally ``__name__``. By default it is `namespace`.
    library : str or os.PathLike, optional
        A library to load first, as `tain.load_library` does. A bare name is searched in the
        package of the module first.

    Raises
    ------
    ImportError
        The library cannot be found or loaded.
    TypeError
        `namespace` is not a str.
    ValueError
        No module of this name has been imported.

    Examples
    --------
    The whole of ``geometry/__init__.py``::

        import tain

        tain.init_ffi_api("geometry", __name__, library="geometry")
    """
    text_of("init_ffi_api: argument namespace", namespace)
    module_name = namespace
    if target_module_name is not None:
        module_name = text_of("init_ffi_api: argument target_module_name", target_module_name)
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
    if module_name != "__main__":  # another process could not import it to unpickle objects
        _core.adopt_namespace(namespace, module_name)
    _adoption.adopt(module, namespace)


_init_api = init_ffi_api


def _function_of_pickle(name: str, library: str) -> "Any":
    """Return the global function that a pickle holds by its name.

    Raises
    ------
    ValueError
        This process has no such function. The text says which library registered it in the process
        that wrote the pickle.
    """
    found: Any = get_global_func(name, allow_missing=True)
    if found is not None:
        return found
    first = (
        f"load {library} first, by tain.load_library or by an import of the package that loads it"
        if library
        else "import the module that calls tain.register_global_func first"
    )
    raise ValueError(f"no global function {name!r} is registered in this process: {first}")
