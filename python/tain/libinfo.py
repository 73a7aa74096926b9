# SPDX-License-Identifier: Apache-2.0
"""Returns the paths of tain's parts, for build scripts, and finds libraries by name.

``python -m tain config`` prints the same paths. The bridge does not search libtain in this way; the
loader finds it by its run path, and this module does not load the bridge.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = [
    "include_dir",
    "compat_dir",
    "lib_dir",
    "cmake_dir",
    "pkgconfig_dir",
    "debugger_script",
    "find_libtain",
    "find_lib_path",
    "cxxflags",
    "ldflags",
    "libs",
    "version",
]

_SUFFIXES = {"win32": (".dll",), "darwin": (".dylib", ".so")}.get(sys.platform, (".so",))
_LOADER_VARIABLE = {"win32": "PATH", "darwin": "DYLD_LIBRARY_PATH"}.get(
    sys.platform, "LD_LIBRARY_PATH"
)
HIDDEN = ("-fvisibility=hidden", "-fvisibility-inlines-hidden")
_BUILD_FOLDERS = ("build", os.path.join("build", "Release"))
_PROJECT_FILES = ("pyproject.toml", "CMakeLists.txt")


def _package_dir() -> str:
    # In an editable install, the folder of the bridge contains libtain, but that of this file not.
    from importlib.util import find_spec  # not needed to load a library

    bridge = find_spec("tain._core")
    if bridge is None or bridge.origin is None:
        raise FileNotFoundError(f"tain's installation in {os.path.dirname(__file__)} has no _core")
    return os.path.dirname(os.path.abspath(bridge.origin))


def include_dir() -> str:
    """Return the folder that contains ``tain/tain.h``."""
    return os.path.join(_package_dir(), "include")


def compat_dir() -> str:
    """Return the folder that contains ``tvm/ffi/tvm_ffi.h`` and other names for tain's headers.

    The headers include those of tain, so a compiler needs `include_dir` too.
    """
    return os.path.join(include_dir(), "tain_compat")


def lib_dir() -> str:
    """Return the folder of libtain."""
    return os.path.join(_package_dir(), "lib")


def cmake_dir() -> str:
    """Return the folder of the CMake package, for ``-Dtain_DIR=``."""
    return os.path.join(lib_dir(), "cmake", "tain")


def pkgconfig_dir() -> str:
    """Return the folder of ``tain.pc``, for ``PKG_CONFIG_PATH``."""
    return os.path.join(lib_dir(), "pkgconfig")


def debugger_script() -> str:
    """Return the file that shows tain's values in gdb (``source FILE``) and lldb."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "_debugger", "printers.py")


def version() -> str:
    """Return the version of tain, as its headers state it.

    Raises
    ------
    FileNotFoundError
        The installation is incomplete.
    """
    path = os.path.join(include_dir(), "tain", "version.h")
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#define TAIN_VERSION "):
                return line.split('"')[1]
    raise FileNotFoundError(f"tain's installation has no version in {path}")


def find_libtain() -> str:
    """Return the path of libtain.

    Raises
    ------
    FileNotFoundError
        The installation is incomplete.
    """
    path = find_bundled("tain")
    if path is None:
        raise FileNotFoundError(f"tain's installation has no libtain in {lib_dir()}")
    return path


def find_bundled(name: str) -> "str | None":
    """Return the path of a library that is a part of tain, or None if it is not installed."""
    paths = [os.path.join(lib_dir(), file) for file in file_names(name)]
    return next(filter(os.path.isfile, paths), None)


def cxxflags() -> list[str]:
    """Return the compiler options for a library of registered types, for Makefiles.

    They include hidden visibility, because two builds of one library in a process must not share
    the variables that hold their type indices.
    """
    return ["-std=c++20", "-fPIC", *HIDDEN, f"-I{include_dir()}"]


def ldflags() -> list[str]:
    """Return the linker options that say where libtain is, for Makefiles.

    They suffice for a library that is loaded after ``import tain``.
    """
    return [f"-L{lib_dir()}", *rpath_options(lib_dir())]


def rpath_options(folder: str) -> list[str]:
    """Return the options by which a library finds others in a folder when it is loaded."""
    if "," in folder:  # which -Wl would cut at
        return ["-Xlinker", "-rpath", "-Xlinker", folder]
    return [f"-Wl,-rpath,{folder}"]


def libs() -> list[str]:
    """Return the linker options that link libtain: those of `ldflags`, and the library."""
    return [*ldflags(), "-ltain"]


def find_lib_path(name: str) -> str:
    """Return the path of a library, found by its bare name.

    The function searches these folders, in this order: the folder of the calling module and the
    folders of the packages that contain it, each with its ``lib`` folder; the folders of
    ``TAIN_LIBRARY_PATH``; the folders of the system loader's variable (on Linux
    ``LD_LIBRARY_PATH``); ``build`` and ``build/Release`` in the project of the calling package and
    in the current folder; the folders of ``PATH``; the folder that ``TAIN_HOME`` names, with its
    ``lib``, ``build`` and ``build/Release``.

    Parameters
    ----------
    name : str
        The name without prefix and suffix (``"geometry"`` for ``libgeometry.so`` or
        ``geometry.so``), or the file name.

    Returns
    -------
    str
        The path of the file.

    Raises
    ------
    FileNotFoundError
        No folder has the library. The text lists the folders.
    """
    return search(name, sys._getframe(1).f_globals)


def search(name: str, caller: "dict[str, Any]") -> str:
    """Return what `find_lib_path` returns, for a caller given by its module's globals."""
    files = [name] if name.endswith(_SUFFIXES) else file_names(name)
    folders = list(dict.fromkeys(os.path.abspath(folder) for folder in _folders(caller)))
    for folder in folders:
        for file in files:
            path = os.path.join(folder, file)
            if os.path.isfile(path):
                return path
    tried = "".join(f"\n  {folder}" for folder in folders)
    raise FileNotFoundError(
        f"there is no library {name!r}: expected {' or '.join(files)} in one of{tried}"
    )


def file_names(name: str) -> list[str]:
    """Return the names that the file of a library may have, by its bare name."""
    return [f"{prefix}{name}{suffix}" for suffix in _SUFFIXES for prefix in ("lib", "")]


def _folders(caller: "dict[str, Any]") -> "Iterator[str]":
    homes = list(dict.fromkeys(_homes(caller)))
    for home in homes:
        yield home
        yield os.path.join(home, "lib")
    yield from _folders_of("TAIN_LIBRARY_PATH")
    yield from _folders_of(_LOADER_VARIABLE)
    for root in [*filter(None, map(_project_of, homes)), os.curdir]:
        for folder in _BUILD_FOLDERS:
            yield os.path.join(root, folder)
    yield from _folders_of("PATH")
    if tain_home := os.environ.get("TAIN_HOME"):
        for folder in ("", "lib", *_BUILD_FOLDERS):
            yield os.path.join(tain_home, folder)


def _folders_of(variable: str) -> "Iterator[str]":
    """Yield the folders that an environment variable lists."""
    yield from filter(None, os.environ.get(variable, "").split(os.pathsep))


def _homes(caller: "dict[str, Any]") -> "Iterator[str]":
    """Yield the folder of a module and the folders of the packages that contain it, inner first."""
    if caller.get("__file__"):
        yield os.path.dirname(os.path.abspath(caller["__file__"]))
    package = caller.get("__name__", "") if "__path__" in caller else caller.get("__package__")
    while package:
        # In an editable install, `__path__` also has the folder of compiled files.
        yield from map(os.path.abspath, getattr(sys.modules.get(package), "__path__", ()))
        package = package.rpartition(".")[0]


def _project_of(folder: str) -> "str | None":
    """Return the root folder of the project to which the folder of a package belongs, or None."""
    for _ in range(3):  # the folder of the package, `python` or `src`, the root
        if any(os.path.isfile(os.path.join(folder, file)) for file in _PROJECT_FILES):
            return folder
        folder = os.path.dirname(folder)
    return None
