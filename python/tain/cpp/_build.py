# SPDX-License-Identifier: Apache-2.0
"""Compiles a library, unless the cache has one that was made from the same input.

The name of the cache folder contains a digest of the sources, the options, the compiler and tain
itself. Only the compiler knows which other files the sources include: it lists them, and a record
next to the library stores their hashes. A lock in the folder serializes builds, and the library is
moved into the folder when it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tain import _core, libinfo
from tain.cpp import _inline, _toolchain

__all__ = ["CompileError", "Recipe", "build"]

_FORMAT = 1  # the version of the record and of the digest


class CompileError(RuntimeError):
    """A C++ source does not compile or link. The text contains the command and its whole output.

    Attributes
    ----------
    name : str
        The name of the library.
    command : str
        The command line that failed, quoted for a shell.
    output : str
        The output of the compiler or linker.
    """

    __module__ = "tain.cpp"

    def __init__(self, name: str, command: str, output: str) -> None:
        super().__init__(name, command, output)
        self.name = name
        self.command = command
        self.output = output

    def __str__(self) -> str:
        return f"tain.cpp: cannot build {self.name!r}\n$ {self.command}\n{self.output}"


@dataclass(frozen=True)
class Recipe:
    """The input from which a library is made."""

    name: str
    files: tuple[str, ...] = ()  # absolute paths of sources
    text: str | None = None  # the source text of an inline library
    cflags: tuple[str, ...] = ()
    ldflags: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()  # absolute

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_.+-]+", self.name):
            raise ValueError(
                f"tain.cpp: expected a name of letters, digits and _ . + -, got {self.name!r}"
            )

    def digest(self, toolchain: _toolchain.Toolchain) -> str:
        """Return the hash of all input that is known before the compiler runs."""
        facts = [
            _FORMAT,
            toolchain,
            _core.version(),
            _core.abi_version(),
            _hash_of_tain(tuple(_stat_of_tain())),
            _toolchain.compile_options(toolchain, self.name),
            _toolchain.link_options(),
            self.text,
            [(path, _hash_file(path)) for path in self.files],
            self.cflags,
            self.ldflags,
            self.include_paths,
        ]
        return _hash(json.dumps(facts).encode())


def build(recipe: Recipe, directory: str | None = None) -> str:
    """Return the path of the library of a recipe; compile the library if necessary.

    Parameters
    ----------
    recipe : Recipe
        The input of the library.
    directory : str, optional
        The folder for the library. By default it is a folder in the cache.

    Raises
    ------
    CompileError
        The sources do not compile or link.
    FileNotFoundError
        A source does not exist.
    RuntimeError
        There is no compiler.
    """
    toolchain = _toolchain.find_toolchain()
    digest = recipe.digest(toolchain)
    folder = Path(directory) if directory else _cache() / f"{recipe.name}-{digest}"
    library = folder / _toolchain.library_name(recipe.name)
    record = folder / f"{recipe.name}.json"
    if not _is_current(library, record, digest):
        from filelock import FileLock  # imported here because it is slow and rarely needed

        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{recipe.name}.lock"):
            if not _is_current(library, record, digest):
                included = _compile(recipe, toolchain, folder, library)
                hashes = {path: _hash_file(path) for path in included}
                _write(record, json.dumps({"digest": digest, "included": hashes}, indent=1))
    return str(library.resolve())


def _cache() -> Path:
    chosen = os.environ.get("TAIN_CACHE_DIR")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("tain") / "cpp"


def _is_current(library: Path, record: Path, digest: str) -> bool:
    """Return whether the library exists and was made from the present files."""
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
        return (
            known["digest"] == digest
            and library.is_file()
            and all(_hash_file(path) == old for path, old in known["included"].items())
        )
    except (OSError, ValueError, KeyError, AttributeError):
        return False  # not built yet, or a file is missing


def _compile(
    recipe: Recipe, toolchain: _toolchain.Toolchain, folder: Path, library: Path
) -> set[str]:
    """Make the library; return the files that its sources include.

    Headers of tain and of the system are not among them.
    """
    options = [
        *(f"-I{path}" for path in recipe.include_paths),
        *_toolchain.compile_options(toolchain, recipe.name),
    ]
    sources = list(recipe.files)
    if recipe.text is not None:
        # The text is not in the temporary folder, because compiler messages and debuggers name it.
        source = folder / f"{recipe.name}.cc"
        _write(source, recipe.text)
        sources.append(str(source))
        for header in _inline.included_headers(recipe.text):
            options += ["-include", header]
    with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
        objects = [str(Path(scratch, f"{i}.o")) for i in range(len(sources))]

        def compile_one(source: str, output: str) -> None:
            dependencies = ["-MMD", "-MF", f"{output}.d"]
            command = [*toolchain.command, *options, *recipe.cflags, *dependencies]
            _run(recipe.name, [*command, "-c", source, "-o", output])

        if len(sources) == 1:
            compile_one(sources[0], objects[0])
        else:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(compile_one, sources, objects))
        linked = str(Path(scratch, library.name))
        link = [*toolchain.command, *objects, *_toolchain.link_options(), *recipe.ldflags]
        _run(recipe.name, [*link, "-o", linked])
        included = {path for output in objects for path in _read_dependencies(f"{output}.d")}
        os.replace(linked, library)
    return included - set(sources)


def _run(name: str, command: list[str]) -> None:
    result = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if result.returncode != 0:
        output = result.stdout.decode(errors="replace")
        raise CompileError(name, shlex.join(command), output or f"status {result.returncode}")


def _read_dependencies(path: str) -> Iterator[str]:
    """Yield the files in a list of dependencies that a compiler wrote for make."""
    text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    _, _, files = text.replace("\\\n", " ").partition(": ")
    for word in re.findall(r"(?:\\.|[^\s\\])+", files):
        yield os.path.abspath(re.sub(r"\\(.)", r"\1", word).replace("$$", "$"))


def _write(path: Path, text: str) -> None:
    """Write a file so that other processes never see a part of it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(name, path)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def _hash_file(path: str) -> str:
    return _hash(Path(path).read_bytes())


def _stat_of_tain() -> Iterator[tuple[str, int, int]]:
    for folder, _, files in os.walk(libinfo.include_dir()):
        for file in sorted(files):
            path = os.path.join(folder, file)
            status = os.stat(path)
            yield path, status.st_size, status.st_mtime_ns
    status = os.stat(libinfo.find_libtain())
    yield libinfo.find_libtain(), status.st_size, status.st_mtime_ns


@cache
def _hash_of_tain(files: tuple[tuple[str, int, int], ...]) -> str:
    """Return the hash of the contents of tain's headers and of libtain."""
    return _hash("".join(_hash_file(path) for path, _, _ in files).encode())
