# SPDX-License-Identifier: Apache-2.0
"""Loads modules: sets of functions that were compiled, or saved, together."""

import os

from tain import _adoption, _core, registry
from tain._checks import callable_of, path_of, text_of
from tain._tracebacks import ends_at_caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tain._values import Module

__all__ = ["load_module", "system_lib", "register_module_loader"]


@ends_at_caller
def load_module(path: "str | os.PathLike[str]", fmt: str = "") -> "Module":
    """Load a module from a file.

    The functions of a library are what ``TAIN_EXPORT`` wrote, or its C symbols
    ``__tvm_ffi_<name>``. What the library registers takes effect as with `load_library`. A file
    with the same content is one module; a file that has changed gives a new module, and functions
    of the old one stay as they are.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    fmt : str, optional
        The format, by default the extension of the file. Libraries have the format ``so``
        (``dylib``, ``dll``); `register_module_loader` adds others.

    Returns
    -------
    Module
        ``mod.f`` and ``mod["f"]`` are its functions; ``mod(x)`` calls the function ``main``.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ImportError
        The file is not a library, is cut short, was compiled for another version of tain or for
        another machine, or has faulty registrations.
    ValueError
        No loader is registered for the format, or for the kind of a module that the file contains.

    Examples
    --------
    >>> tain.load_module("build/libgeometry.so").area(2.0)  # doctest: +SKIP
    12.56
    """
    file = path_of("load_module: argument path", path)
    text_of("load_module: argument fmt", fmt)
    before = _core.registry_generation()
    try:
        # A path that is not absolute would be searched by the loader in its folders.
        load = _core.get_global_func("ffi.ModuleLoadFromFile")
        module: Module = load(os.path.abspath(file), fmt)
        return module
    finally:
        if _core.registry_generation() != before:
            _adoption.refresh()


@ends_at_caller
def system_lib(symbol_prefix: str = "") -> "Module":
    """Return the module of code that is linked into the program.

    Parameters
    ----------
    symbol_prefix : str, optional
        The beginning of the names that the program passed to
        ``TainEnvModRegisterSystemLibSymbol``, without ``__tvm_ffi_``. There is one module for each
        prefix.

    Returns
    -------
    Module
        A module without functions if the program registered none.
    """
    text_of("system_lib: argument symbol_prefix", symbol_prefix)
    module: Module = _core.get_global_func("ffi.SystemLib")(symbol_prefix)
    return module


@ends_at_caller
def register_module_loader(
    kind: str,
    *,
    load_from_file: "Callable[[str, str], Module] | None" = None,
    load_from_bytes: "Callable[[bytes], Module] | None" = None,
    override: bool = False,
) -> None:
    """Register the loaders of a kind of modules.

    The package that defines a class of modules calls this when it is imported. A process that loads
    such a module imports the package first.

    Parameters
    ----------
    kind : str
        What ``kind`` of the modules returns; for `load_from_file`, the format of the file.
    load_from_file : callable, optional
        Called with the path and the format; returns the module.
    load_from_bytes : callable, optional
        Called with what ``save_to_bytes`` returned; returns the module. It is needed for pickling,
        and for modules that others import.
    override : bool, optional
        Whether to replace loaders that exist.

    Raises
    ------
    ValueError
        The kind has a loader already, or no loader was given.

    Examples
    --------
    >>> class Constant(tain.Module):
    ...     kind = "constant"
    ...     def __init__(self, value):
    ...         super().__init__()
    ...         self.value = value
    ...     def get_function(self, name):
    ...         return (lambda: self.value) if name == "main" else None
    ...     def save_to_bytes(self):
    ...         return str(self.value).encode()
    >>> tain.register_module_loader("constant", load_from_bytes=lambda data: Constant(int(data)))
    >>> import pickle
    >>> pickle.loads(pickle.dumps(Constant(7)))()
    7
    """
    text_of("register_module_loader: argument kind", kind)
    loaders = {"file": load_from_file, "bytes": load_from_bytes}
    for way, loader in loaders.items():
        callable_of(f"register_module_loader: argument load_from_{way}", loader)
    if load_from_file is None and load_from_bytes is None:
        raise ValueError(f"register_module_loader: expected a loader for {kind!r}, got none")
    for way, loader in loaders.items():
        if loader is not None:
            name = f"ffi.Module.load_from_{way}.{kind}"
            registry.register_global_func(name, loader, override=override)
