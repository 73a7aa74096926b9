# SPDX-License-Identifier: Apache-2.0
"""``python -m tain config`` prints the paths and compiler options that build scripts need."""

from __future__ import annotations

import argparse
import shlex
import sys

from tain import _core, libinfo

__all__ = ["main"]


def _includes() -> str:
    return shlex.quote(f"-I{libinfo.include_dir()}")


_FACTS = {
    "version": ("the version of tain", _core.version),
    "includedir": ("the folder of tain/tain.h", libinfo.include_dir),
    "includes": ("the compiler options that find the headers", _includes),
    "libdir": ("the folder of libtain", libinfo.lib_dir),
    "cmakedir": ("the folder of the CMake package", libinfo.cmake_dir),
    "cflags": ("compiler options", lambda: shlex.join(libinfo.cxxflags())),
    "libs": ("linker options", lambda: shlex.join(libinfo.ldflags())),
}


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
    given = parser.parse_args(arguments)
    for name in given.facts or _FACTS:
        value = _FACTS[name][1]()
        if given.compat and name in ("includes", "cflags"):
            value = f"{value} {shlex.quote(f'-I{libinfo.compat_dir()}')}"
        print(value if given.facts else f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
