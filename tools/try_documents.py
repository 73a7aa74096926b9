#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of a folder of documents with tain, and prints which of them work.

    python tools/try_documents.py FOLDER

The documents are about Apache TVM's FFI. Only their import lines are changed, by the tables below.
The Python blocks of a document share one namespace and one process. A C++ block is compiled with
the forwarding headers, and loaded if it registers something. A Makefile builds the C++ block that
comes before it.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from document_blocks import Block, cut

__all__ = ["main"]

# What replaces the import lines of the documents.
PYTHON_IMPORTS = [
    (r"^(\s*)import tvm_ffi$", r"\1import tain as tvm_ffi"),
    (r"^(\s*)import tvm_ffi\.(\w+)$", r"\1import tain.\2"),
    (r"^(\s*)from tvm_ffi import ", r"\1from tain import "),
    # What the older package keeps in several modules is in one here.
    (
        r"^(\s*)import tvm$",
        r"\1import tain as tvm, types; tvm.runtime = tvm.ir = tvm.tir = tvm; "
        r"tvm.nd = types.SimpleNamespace(**vars(tvm), array=tvm.tensor)",
    ),
    (r"^(\s*)import testing$", r"\1from tain import testing"),
    (r"^(\s*)from tvm\.(runtime\.packed_func|contrib\.dlpack) import ", r"\1from tain import "),
    (r"^(\s*)from tvm import ", r"\1from tain import "),
]
# The language of expressions is a package of its own, examples/tensorexpr.
LANGUAGE_IMPORTS = [
    (
        r"^(\s*)import tvm$",
        r"\1import tain as tvm, tensorexpr, types; tvm.runtime = tvm.ir = tvm; "
        r"tvm.tir, tvm.te, tvm.build = tensorexpr.tir, tensorexpr.te, tensorexpr.build; "
        r"tvm.nd = types.SimpleNamespace(**vars(tvm), array=tensorexpr.nd.array)",
    ),
    (r"^(\s*)from tvm import (te|tir)\b", r"\1from tensorexpr import \2"),
]
if importlib.util.find_spec("tensorexpr") is not None:
    PYTHON_IMPORTS[:0] = LANGUAGE_IMPORTS
# A Makefile names the folder of the headers, which here is a folder of links, and the language.
MAKE_SETTINGS = [(r"^TVM_ROOT ?=.*$", "TVM_ROOT=../tvm_root"), (r"-std=c\+\+17", "-std=c++20")]
# What a C++ block without include lines gets, if no block before it has some.
CPP_HEAD = "#include <functional>\n#include <tvm/runtime/registry.h>\nusing namespace tvm::runtime;"

_REGISTERS = re.compile(r"^\s*\w*(REGISTER|STATIC_INIT)\w*\b", re.MULTILINE)
# Types of the bundled testing library, which cannot be loaded twice: loaded in another process.
_BUNDLED = re.compile(r'"testing\.\w+"')
_NAMED = re.compile(r"^\s*// ([\w./]+\.(?:h|cc))\s*$")
_INCLUDED = re.compile(r'#\s*include\s+"(\w+)\.h"')
_TIMEOUT = 900  # seconds for one document
_NAME_WIDTH = 24  # of the column of documents
_WIDTH = 44  # of the column of first lines


class Result(NamedTuple):
    """What became of one block."""

    kind: str
    first_line: str
    result: str


class Document:
    """Runs the blocks of one document in the current folder."""

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks = blocks
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        exec(_with_imports("import tvm"), self.namespace)  # some documents do not show this line
        self.head = ""  # the include lines of the last C++ block that has some
        self.last_source = ""  # the last C++ block with include lines
        self.has_makefile = any(block.kind == "make" for block in blocks)

    def run(self, number: int) -> str:
        """Run a block; return `works`, `not code` or `fails: ...`."""
        block = self.blocks[number]
        runners: dict[str, Callable[[int], None]] = {
            "python": self._python,
            "cpp": self._cpp,
            "make": self._make,
        }
        runner = runners.get(block.kind)
        if runner is None:
            return "not code"
        try:
            with redirect_stdout(io.StringIO()):
                runner(number)
        except BaseException as error:  # a document may raise anything
            said = traceback.format_exception_only(type(error), error)[-1].strip()
            if block.raises is not None and said.endswith(block.raises):
                return "works"
            return f"fails: {_last_line(error, said)}"
        return "works" if block.raises is None else f"fails: expected {block.raises}"

    def _python(self, number: int) -> None:
        text = _with_imports(self.blocks[number].text)
        exec(compile(text, f"<block {number}>", "exec"), self.namespace)

    def _cpp(self, number: int) -> None:
        text = self.blocks[number].text
        if named := _NAMED.match(text.splitlines()[0]):
            self._named(Path(named[1]))
            return
        if _INCLUDED.search(text) or text.startswith('extern "C"'):
            return  # a part of a named file
        includes = re.findall(r"^\s*(?:#\s*include.*|using namespace .*)$", text, re.MULTILINE)
        if includes:
            self.head = "\n".join(includes)
            self.last_source = text
        else:
            text = f"{self.head or CPP_HEAD}\n{text}"
        source = Path(f"block_{number}.cc")
        source.write_text(text + "\n", encoding="utf-8")
        import tain
        import tain.cpp

        name = f"document_block_{number}"
        built_by_make = self.has_makefile and bool(includes)
        path = tain.cpp.build(name, sources=source)
        if _REGISTERS.search(text) and _BUNDLED.search(text):
            load = "import sys, tain; tain.load_library(sys.argv[1])"
            _check([sys.executable, "-c", load, path])
        elif _REGISTERS.search(text) and not built_by_make:
            tain.load_library(path)

    def _named(self, path: Path) -> None:
        """Write the files that belong to a named one, and build the library of a source."""
        for suffix in (".h", ".cc"):
            parts = list(self._parts(path.stem, suffix))
            path.with_suffix(suffix).write_text("\n".join(parts) + "\n", encoding="utf-8")
        if path.suffix == ".cc":
            command = ["c++", "-shared", "-fPIC", "-o", f"{path.stem}.so", str(path)]
            _check(command)

    def _parts(self, stem: str, suffix: str) -> list[str]:
        """Return the blocks that a file consists of: its own, and those that continue it."""
        parts = []
        for block in self.blocks:
            first = _NAMED.match(block.text.partition("\n")[0])
            if first and first[1] == stem + suffix:
                parts.append(block.text)
            elif not first and block.kind == "cpp":
                included = _INCLUDED.search(block.text)
                continues = included is not None and included[1] == stem
                declares = block.text.startswith('extern "C"')
                if (suffix == ".cc" and continues) or (suffix == ".h" and declares):
                    parts.append(block.text)
        if suffix == ".h" and parts:
            parts.insert(0, "#pragma once")
        return parts

    def _make(self, number: int) -> None:
        import tain.libinfo

        root = Path("tvm_root")
        (root / "include").mkdir(parents=True, exist_ok=True)
        links = {
            root / "include" / "tain": Path(tain.libinfo.include_dir(), "tain"),
            root / "include" / "tvm": Path(tain.libinfo.compat_dir(), "tvm"),
            root / "build": Path(tain.libinfo.lib_dir()),
        }
        for link, target in links.items():
            if not link.exists():
                link.symlink_to(target)
        text = self.blocks[number].text
        for pattern, replacement in MAKE_SETTINGS:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        # Recipes begin with a tab, which web pages lose.
        text = re.sub(r"^(?=@?mkdir |@mkdir|\$\(CXX\))", "\t", text, flags=re.MULTILINE)
        folder = Path("tests")
        (folder / "src").mkdir(parents=True, exist_ok=True)
        if found := re.search(r"^[\w./]+: ([\w./]+\.cc)$", text, re.MULTILINE):
            (folder / found[1]).write_text(self.last_source + "\n", encoding="utf-8")
        (folder / "Makefile").write_text(text + "\n", encoding="utf-8")
        _check(["make", "-C", str(folder)])


def _with_imports(text: str) -> str:
    """Return Python code with its import lines changed."""
    for pattern, replacement in PYTHON_IMPORTS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def _check(command: list[str]) -> None:
    """Run a command; raise RuntimeError with its last line if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(_first_error(done.stderr))


def _first_error(output: str) -> str:
    """Return the line of a compiler's output that says what is wrong."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error: " in line or "undefined" in line]
    found = errors[0] if errors else (lines or ["no output"])[-1]
    return found.replace(f"{os.getcwd()}/", "")


def _last_line(error: BaseException, said: str) -> str:
    output = getattr(error, "output", None)  # of a tain.cpp.CompileError
    return _first_error(output) if isinstance(output, str) and output else said.splitlines()[-1]


# ---------------------------------------------------------------- one process for each document


def run_document(path: Path, results: Path) -> None:
    """Run a document in the current folder; append one line of JSON for each block."""
    document = Document(cut(path.read_text(encoding="utf-8", errors="replace")))
    for number in range(len(document.blocks)):
        result = document.run(number)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


def try_document(path: Path) -> list[Result]:
    """Run a document in a process and a folder of its own; return what became of its blocks."""
    blocks = cut(path.read_text(encoding="utf-8", errors="replace"))
    with tempfile.TemporaryDirectory(prefix="documents-") as folder:
        results = Path(folder) / "results.jsonl"
        results.touch()
        command = [sys.executable, os.path.abspath(__file__), "--document", str(path.resolve())]
        environment = {**os.environ, "MPLBACKEND": "agg"}
        try:
            done = subprocess.run(
                [*command, "--results", str(results)],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=_TIMEOUT,
                check=False,
            )
            ended = f"fails: the process ended with status {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"fails: not done after {_TIMEOUT} seconds"
        found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    missing = [ended, *["fails: the process had ended before"] * len(blocks)]
    found += missing[: len(blocks) - len(found)]
    return [
        Result(block.kind, block.first_line, result)
        for block, result in zip(blocks, found, strict=True)
    ]


def print_table(name: str, results: list[Result]) -> None:
    """Print one line for each block of a document."""
    for number, result in enumerate(results, 1):
        first = result.first_line
        first = first if len(first) <= _WIDTH else f"{first[: _WIDTH - 3]}..."
        place = f"{name[:_NAME_WIDTH]:<{_NAME_WIDTH}} {number:>3} {result.kind:<7}"
        print(f"{place} {first:<{_WIDTH}} {result.result}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Run the code blocks of documents with tain.")
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of .md and .txt files")
    parser.add_argument("--document", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--results", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.document is not None and given.results is not None:
        run_document(given.document, given.results)
        return 0
    if given.folder is None or not given.folder.is_dir():
        parser.error(f"expected a folder of documents, got {given.folder}")
    paths = sorted(path for path in given.folder.iterdir() if path.suffix in (".md", ".txt"))
    if not paths:
        parser.error(f"expected .md or .txt files in {given.folder}, found none")
    counts = {"works": 0, "fails": 0, "not code": 0}
    for path in paths:
        results = try_document(path)
        print_table(path.stem, results)
        for result in results:
            counts[result.result.partition(":")[0]] += 1
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
