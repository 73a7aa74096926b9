# SPDX-License-Identifier: Apache-2.0
"""Puts a CUBIN into an object file, as `TVM_FFI_EMBED_CUBIN(name)` in its source expects it.

python -m tvm_ffi.utils.embed_cubin --cubin K.cubin --input-obj A.o --output-obj B.o --name NAME

It needs a compiler (`cc`, or the variable CC), `ld` and `objcopy`, and no CUDA.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["embed_cubin", "main"]

_SYMBOL = "__tvm_ffi__cubin_{}"
_ASSEMBLY = """
    .section .rodata.{symbol}, "a", %progbits
    .balign 64
    .globl {symbol}, {symbol}_end
    .type {symbol}, %object
{symbol}:
    .incbin "{path}"
{symbol}_end:
    .byte 0
    .size {symbol}, {symbol}_end - {symbol}
    .section .note.GNU-stack, "", %progbits
"""


def _run(command: list[str], verbose: bool) -> None:
    if verbose:
        print(shlex.join(command))
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RuntimeError(
            f"embed_cubin needs the command {command[0]}, which is not here"
        ) from error
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{done.stderr.strip()}")


def embed_cubin(
    cubin_path: Path, input_obj_path: Path, output_obj_path: Path, name: str, verbose: bool = False
) -> None:
    """Write an object file that is another one with the content of a file.

    Parameters
    ----------
    cubin_path, input_obj_path : Path
        The CUBIN, and the object file whose source names it.
    output_obj_path : Path
        What is written; may be the input.
    name : str
        The name in the source, an identifier. Symbols of it are seen in this object file alone.
    verbose : bool
        Whether the commands are printed.

    Raises
    ------
    FileNotFoundError
        One of both files is not there.
    ValueError
        The name is no identifier.
    RuntimeError
        A tool is not there or fails, or this is not Linux.
    """
    if sys.platform != "linux":
        raise RuntimeError("embed_cubin works on Linux only")
    cubin, source, output = (
        Path(path).resolve() for path in (cubin_path, input_obj_path, output_obj_path)
    )
    for path in (cubin, source):
        if not path.is_file():
            raise FileNotFoundError(f"embed_cubin: there is no file {path}")
    if not (name.isidentifier() and name.isascii()):
        raise ValueError(f"embed_cubin: expected an identifier as name, got {name!r}")
    symbol = _SYMBOL.format(name)
    with TemporaryDirectory(prefix="embed-cubin-", dir=output.parent) as folder:
        assembly, data, merged = (Path(folder) / file for file in ("data.s", "data.o", "merged.o"))
        path = str(cubin).replace("\\", "\\\\").replace('"', '\\"')
        assembly.write_text(_ASSEMBLY.format(symbol=symbol, path=path), encoding="utf-8")
        compiler = shlex.split(os.environ.get("CC", "cc"))
        _run([*compiler, "-c", str(assembly), "-o", str(data)], verbose)
        _run(["ld", "-r", "-o", str(merged), str(source), str(data)], verbose)
        ends = [f"--localize-symbol={one}" for one in (symbol, f"{symbol}_end")]
        _run(["objcopy", *ends, str(merged)], verbose)
        os.replace(merged, output)
    if verbose:
        print(f"{cubin} is in {output} as {symbol}")


def main() -> int:
    """Run the command line; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tvm_ffi.utils.embed_cubin",
        description="Puts a CUBIN into an object file, as TVM_FFI_EMBED_CUBIN expects it.",
    )
    for option, text in (
        ("--output-obj", "the object file that is written"),
        ("--input-obj", "the object file whose source has TVM_FFI_EMBED_CUBIN(NAME)"),
        ("--cubin", "the CUBIN"),
        ("--name", "NAME"),
    ):
        parser.add_argument(option, required=True, help=text)
    parser.add_argument("-v", "--verbose", action="store_true", help="print the commands")
    given = parser.parse_args()
    paths = (Path(given.cubin), Path(given.input_obj), Path(given.output_obj))
    try:
        embed_cubin(*paths, given.name, given.verbose)
    except (OSError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
