# SPDX-License-Identifier: Apache-2.0
"""The tools of ``python -m tain``.

``config`` prints the paths and compiler options that build scripts need; it does not load the core,
so that a Makefile may ask often. ``cache`` shows what `tain.cpp` keeps, and removes it. ``types``
prints the table of registered types. ``stubgen`` writes stubs of registered types and functions.
``new`` writes the project of a new package.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time

from tain import libinfo

__all__ = ["main"]


def _includes() -> str:
    return shlex.quote(f"-I{libinfo.include_dir()}")


_FACTS = {
    "version": ("the version of tain", libinfo.version),
    "includedir": ("the folder of tain/tain.h", libinfo.include_dir),
    "includes": ("the compiler options that find the headers", _includes),
    "libdir": ("the folder of libtain", libinfo.lib_dir),
    "cmakedir": ("the folder of the CMake package", libinfo.cmake_dir),
    "pkgconfigdir": ("the folder of tain.pc", libinfo.pkgconfig_dir),
    "cflags": ("compiler options", lambda: shlex.join(libinfo.cxxflags())),
    "ldflags": (
        "linker options that find libtain, for a library that is loaded after `import tain`",
        lambda: shlex.join(libinfo.ldflags()),
    ),
    "libs": ("linker options that find and link libtain", lambda: shlex.join(libinfo.libs())),
}
_UNITS = ("bytes", "KiB", "MiB", "GiB")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tain", description="Tools of tain.")
    commands = parser.add_subparsers(dest="command", required=True)
    config = commands.add_parser("config", help="print where tain is and how to compile with it")
    for name, (text, _) in _FACTS.items():
        config.add_argument(f"--{name}", dest="facts", action="append_const", const=name, help=text)
    config.add_argument(
        "--compat",
        action="store_true",
        help="with --includes or --cflags: also find the headers tvm/ffi/... and tvm/runtime/...",
    )
    cache = commands.add_parser("cache", help="show or empty the cache of tain.cpp")
    chosen = cache.add_mutually_exclusive_group()
    chosen.add_argument("--clear", action="store_true", help="remove everything")
    chosen.add_argument("--prune", action="store_true", help="remove what exceeds the limits")
    types = commands.add_parser("types", help="print the registered types, one on each line")
    types.add_argument("prefix", nargs="?", default="", help="the beginning of the keys to print")
    types.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="LIBRARY",
        help="load this library first, by its path or its bare name; can be repeated",
    )
    stubgen = commands.add_parser(
        "stubgen", help="write stubs (.pyi) for type checkers and editors"
    )
    _add_stubgen(stubgen)
    new = commands.add_parser("new", help="write the project of a new package of C++ types")
    new.add_argument("name", metavar="NAME", help="the name of the package, an identifier")
    new.add_argument("--dir", metavar="DIR", help="the folder of the project (default: ./NAME)")
    new.add_argument(
        "--minimal", action="store_true", help="without tests, stub, README and CI configuration"
    )
    given = parser.parse_args(arguments)
    if given.command == "stubgen":
        from tain.stubgen import _command

        return _command.run(given)
    if given.command == "new":
        return _new(given.name, given.dir, given.minimal)
    if given.command == "types":
        return _types(given.prefix, given.load)
    if given.command == "cache":
        return _cache(given.clear, given.prune)
    for name in given.facts or _FACTS:
        value = _FACTS[name][1]()
        if given.compat and name in ("includes", "cflags"):
            value = f"{value} {shlex.quote(f'-I{libinfo.compat_dir()}')}"
        print(value if given.facts else f"{name}: {value}")
    return 0


def _add_stubgen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a package; with --types, a namespace"
    )
    parser.add_argument(
        "--types", action="store_true", help="write stubs of tain.types.NAME instead of a package"
    )
    parser.add_argument("--output", metavar="DIR", help="the folder that gets the files")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with status 1 and print a diff if files are not up to date",
    )
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="import this module first; can be repeated",
    )
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="LIBRARY",
        help="load this library first, by its path or its bare name; can be repeated",
    )


def _cache(clear: bool, prune: bool) -> int:
    """List the cache, or remove what is in it."""
    from tain.cpp import _cache as cache

    try:
        cache.check()
        if clear or prune:
            limits = cache.Limits(-1, -1) if clear else cache.Limits.read()
            removed = cache.prune(limits)
            size = _size_text(sum(entry.size for entry in removed))
            print(f"removed: {len(removed)} entries, {size}")
            return 0
        entries = cache.entries()
    except (ImportError, OSError, ValueError) as error:
        print(f"python -m tain cache: {error}", file=sys.stderr)
        return 1
    print(f"path: {_printable(str(cache.folder()))}")
    print(f"size: {_size_text(sum(entry.size for entry in entries))}")
    print(f"entries: {len(entries)}")
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        print(f"  {used}  {_size_text(entry.size):>10}  {entry.name}")
    return 0


def _types(prefix: str, libraries: list[str]) -> int:
    """Print the types, after the libraries that the user names are loaded."""
    from tain import load_library
    from tain._type_table import type_table

    try:
        for library in libraries:
            load_library(library)
        table = type_table(prefix)
    except (ImportError, OSError, ValueError) as error:
        print(f"python -m tain types: {_printable(str(error))}", file=sys.stderr)
        return 1
    print(_printable(table))
    return 0


def _new(name: str, folder: str | None, minimal: bool) -> int:
    """Write a project, and say what to do next."""
    from tain._project import create

    try:
        files = create(name, folder, minimal=minimal)
    except (OSError, ValueError) as error:
        print(f"python -m tain new: {_printable(str(error))}", file=sys.stderr)
        return 1
    for file in files:
        print(f"wrote {_printable(str(file))}")
    where = shlex.quote(folder or name)
    install = "pip install ." if minimal else "pip install '.[test]' && python -m pytest"
    print(f"next: cd {_printable(where)} && {install}")
    return 0


def _size_text(size: float) -> str:
    unit = 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{size:.0f} {_UNITS[unit]}"


def _printable(text: str) -> str:
    return text.encode(errors="surrogateescape").decode(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
