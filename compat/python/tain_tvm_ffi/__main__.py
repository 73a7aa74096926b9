# SPDX-License-Identifier: Apache-2.0
"""``python -m tain_tvm_ffi``: runs programs of the ecosystem of TVM FFI on tain.

``run`` runs a program that imports `tvm_ffi`; ``provide`` installs a package `tvm_ffi` that leads
to tain, so that packages which require apache-tvm-ffi can be installed and used as they are.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from pathlib import Path

import tain_tvm_ffi
from tain_tvm_ffi import _provide


def _run(arguments: list[str]) -> None:
    """Run a file, or with ``-m`` a module, as Python itself would."""
    if not arguments or arguments == ["-m"]:
        raise SystemExit("tain_tvm_ffi run: expected a file, or -m and a module")
    provided = str(tain_tvm_ffi.provided_dir())
    # Processes that the program starts find the package, too.
    further = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = provided + (os.pathsep + further if further else "")
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[:0] = [provided, os.getcwd()]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[:0] = [provided, str(Path(arguments[0]).resolve().parent)]
        runpy.run_path(arguments[0], run_name="__main__")


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m tain_tvm_ffi", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "run",
        usage="%(prog)s (FILE | -m MODULE) [ARGUMENT]...",
        help="run a program that imports tvm_ffi: a file, or -m and a module",
    )
    provide = commands.add_parser(
        "provide", help="install a package tvm_ffi that leads to tain, as apache-tvm-ffi"
    )
    provide.add_argument(
        "--version",
        default=tain_tvm_ffi.STANDS_FOR,
        help="the version of apache-tvm-ffi that is stood in for (%(default)s)",
    )
    if sys.argv[1:2] == ["run"] and sys.argv[2:3] not in (["-h"], ["--help"]):
        _run(sys.argv[2:])  # what follows are the program's own options
        return
    given = parser.parse_args()
    try:
        print(_provide.provide(given.version))
    except _provide.ProvideError as error:
        raise SystemExit(f"tain_tvm_ffi provide: {error}") from None


if __name__ == "__main__":
    main()
