# SPDX-License-Identifier: Apache-2.0
"""The tools of ``python -m tain``.

``config`` prints the paths and compiler options that build scripts need; it does not load the core,
so that a Makefile may ask often. ``cache`` shows what `tain.cpp` keeps, and removes it. ``types``
prints the table of registered types. ``stubgen`` writes stubs of registered types and functions.
``describe`` reads C++ headers and writes the registration of what they declare.
``new`` writes the project of a new package, ``develop`` installs a project in place. The command
``tain`` is the same.
"""

from __future__ import annotations

import argparse
import os
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
    "debugger": (
        "the file that shows tain's values in gdb (source) and lldb (command script import)",
        libinfo.debugger_script,
    ),
    "cflags": ("compiler options", lambda: shlex.join(libinfo.cxxflags())),
    "ldflags": (
        "linker options that find libtain, for a library that is loaded after `import tain`",
        lambda: shlex.join(libinfo.ldflags()),
    ),
    "libs": ("linker options that find and link libtain", lambda: shlex.join(libinfo.libs())),
}
_UNITS = ("bytes", "KiB", "MiB", "GiB")


class _Version(argparse.Action):
    """The option --version, which reads the version when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"tain {libinfo.version()}")
        parser.exit()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    try:
        status = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # as in `python -m tain types | head -1`
        # Python flushes what is left when it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    return status


def _run(arguments: list[str] | None) -> int:
    program = "tain" if os.path.splitext(os.path.basename(sys.argv[0]))[0] == "tain" else None
    parser = argparse.ArgumentParser(
        prog=program or "python -m tain", description="Tools of tain.", allow_abbrev=False
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version of tain")
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
    types = commands.add_parser(
        "types", help="print what is registered: types, enums, exceptions, functions, constants"
    )
    types.add_argument("prefix", nargs="?", default="", help="the beginning of the keys to print")
    _add_load(types)
    develop = commands.add_parser(
        "develop", help="install a project in place: an import compiles what was edited"
    )
    develop.add_argument("dir", nargs="?", default=".", metavar="DIR", help="the project's folder")
    develop.add_argument(
        "--extra",
        dest="extras",
        action="append",
        metavar="NAME",
        help="an extra to install, can be repeated (default: test, if the project has it)",
    )
    develop.add_argument(
        "--debug", action="store_true", help="compile for a debugger, without optimization"
    )
    stubgen = commands.add_parser(
        "stubgen", help="write stubs (.pyi) for type checkers and editors"
    )
    _add_stubgen(stubgen)
    describe = commands.add_parser(
        "describe", help="read C++ headers and write the registration of what they declare"
    )
    _add_describe(describe)
    new = commands.add_parser("new", help="write the project of a new package of C++ types")
    new.add_argument("name", metavar="NAME", help="the name of the package, an identifier")
    new.add_argument("--dir", metavar="DIR", help="the folder of the project (default: ./NAME)")
    new.add_argument(
        "--minimal", action="store_true", help="without tests, stub, README and CI configuration"
    )
    new.add_argument(
        "--describe",
        dest="header",
        metavar="HEADER",
        help="the types are those that a header of a library declares, as #include finds it",
    )
    new.add_argument(
        "--namespace", metavar="NAME", help="with --describe: the namespace (default: NAME)"
    )
    new.add_argument(
        "--link", default="", metavar="LIBRARY", help="with --describe: the library to link"
    )
    given = parser.parse_args(arguments)
    if given.command == "stubgen":
        from tain.stubgen import _command

        return _command.run(given)
    if given.command == "describe":
        from tain.describe import _command as describing

        return describing.run(given)
    if given.command == "config":
        return _config(given)
    run = {"cache": _cache, "types": _types, "new": _new, "develop": _develop}[given.command]
    try:
        return run(given)
    except BrokenPipeError:
        raise
    except (ImportError, OSError, ValueError) as error:
        _complain(given.command, str(error))
        return 1


def _complain(command: str, text: str) -> None:
    print(f"python -m tain {command}: {_printable(text)}", file=sys.stderr)


def _config(given: argparse.Namespace) -> int:
    """Print where tain is."""
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
        "--source", metavar="DIR", help="the folder that contains the package, searched first"
    )
    parser.add_argument(
        "--built",
        metavar="LIBRARY",
        help="the package loads this file in place of the installed library of its name",
    )
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="import this module first; can be repeated",
    )
    _add_load(parser)


def _add_describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "headers", nargs="*", metavar="HEADER", help="a header, as #include finds it"
    )
    parser.add_argument(
        "--namespace",
        dest="namespaces",
        action="append",
        metavar="NAME",
        help="a namespace to describe, '::' for the global one; can be repeated",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the C++ file to write (default: standard output)"
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        help="a TOML file, or a pyproject.toml with [tool.tain.describe]"
        " (default: ./pyproject.toml if no header is named)",
    )
    parser.add_argument(
        "--module", metavar="NAME", help="the first part of the keys (default: the namespace)"
    )
    parser.add_argument(
        "--strict", action="store_true", help="exit with status 1 if a member is left out"
    )
    parser.add_argument("--quiet", action="store_true", help="do not list what is left out")
    compiling = parser.add_argument_group("compiling")
    compiling.add_argument(
        "-I",
        dest="include_dirs",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of headers",
    )
    compiling.add_argument(
        "-D",
        dest="macros",
        action="append",
        default=[],
        metavar="MACRO",
        help="a macro, or MACRO=VALUE",
    )
    compiling.add_argument(
        "--flag",
        dest="flags",
        action="append",
        default=[],
        metavar="OPTION",
        help="another option for Clang, as --flag=-fexceptions; can be repeated",
    )
    compiling.add_argument("--std", metavar="STD", help="the language (default: c++20)")
    compiling.add_argument(
        "--compiler",
        metavar="CXX",
        help="the compiler whose standard library is used (default: $CXX, or c++)",
    )
    building = parser.add_argument_group("for build systems")
    building.add_argument(
        "--depfile", metavar="FILE", help="write the headers that were read as a rule of make"
    )
    building.add_argument(
        "--touch", action="store_true", help="renew the time of a file that does not change"
    )


def _add_load(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="LIBRARY",
        help="load this library first, by its path or its bare name; can be repeated",
    )


def _cache(given: argparse.Namespace) -> int:
    """List the cache, or remove what is in it."""
    from tain.cpp import _cache as cache

    cache.check()
    if given.clear or given.prune:
        limits = cache.Limits(-1, -1) if given.clear else cache.Limits.read()
        removed = cache.prune(limits)
        size = _size_text(sum(entry.size for entry in removed))
        print(f"removed: {len(removed)} entries, {size}")
        return 0
    entries = cache.entries()
    print(f"path: {_printable(str(cache.folder()))}")
    print(f"size: {_size_text(sum(entry.size for entry in entries))}")
    print(f"entries: {len(entries)}")
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        print(f"  {used}  {_size_text(entry.size):>10}  {entry.name}")
    return 0


def _types(given: argparse.Namespace) -> int:
    """Print what is registered, after what the user names and what packages announce is loaded."""
    from tain import _discovery, load_library
    from tain._type_table import overview

    failed = False
    for library in given.load:
        load_library(library)
    for namespace, reason in _discovery.load_announced(given.prefix):
        failed = True
        _complain("types", f"{namespace}: {type(reason).__name__}: {reason}")
    print(_printable(overview(given.prefix)))
    return 1 if failed else 0


def _new(given: argparse.Namespace) -> int:
    """Write a project, and say what to do next."""
    from tain._project import Described, create

    described = None
    if given.header is not None:
        described = Described(given.header, given.namespace or given.name, given.link)
    elif given.namespace is not None or given.link:
        raise ValueError("--namespace and --link belong to --describe HEADER")
    for file in create(given.name, given.dir, minimal=given.minimal, described=described):
        print(f"wrote {_printable(str(file))}")
    where = shlex.quote(given.dir or given.name)
    test = "" if given.minimal else " && python -m pytest"
    print(f"next: cd {_printable(where)} && python -m tain develop{test}")
    return 0


def _develop(given: argparse.Namespace) -> int:
    """Install a project in place, and say what an edit needs."""
    from tain._project._develop import develop

    status = develop(given.dir, given.extras, debug=given.debug)
    if status == 0:
        print("done: edit the C++, then run Python; what has changed is compiled by the import")
    return status


def _size_text(size: float) -> str:
    unit = 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{size:.0f} {_UNITS[unit]}"


def _printable(text: str) -> str:
    return text.encode(errors="surrogateescape").decode(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
