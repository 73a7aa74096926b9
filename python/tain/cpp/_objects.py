# SPDX-License-Identifier: Apache-2.0
"""Compiles the sources of a library that have changed; the others keep their object files.

Each object file has a record with its own hash, and those of the source, of tain's headers and of
what else it includes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tain import libinfo
from tain.cpp import _cache, _cuda, _files, _inline, _precompiled
from tain.cpp._errors import CompileError
from tain.cpp._installed import hash_of_tain
from tain.cpp._progress import Progress
from tain.cpp._recipe import Recipe, Source, Tools, environment
from tain.cpp._run import Job, run

__all__ = ["Object", "compile_all"]


@dataclass
class Object:
    """The object file of a source."""

    source: Source
    path: Path
    command: list[str]  # compiles it, without input and output
    digest: str  # of the source
    included: dict[str, str] = field(default_factory=dict)  # the hashes of files by their paths
    is_certain: bool = True  # no file has changed while it was compiled

    @property
    def record(self) -> Path:
        """The file with what is known about it."""
        return self.path.with_suffix(".json")

    def is_current(self) -> bool:
        """Return whether it was made from the present files."""
        facts = {"source": self.digest, "tain": hash_of_tain()}
        found = _files.included_files(self.record, "object", self.path, facts)
        self.included = found or {}
        return found is not None


def compile_all(
    recipe: Recipe, tools: Tools, work: Path, scratch: Path, progress: Progress
) -> tuple[list[Object], _precompiled.Precompiled | None]:
    """Return the objects of all sources, and the precompiled header that they had to do without.

    The objects are in the folder `work`, which nobody else uses at the same time; `scratch` is an
    empty folder.
    """
    objects = [_object(recipe, source, tools, work) for source in recipe.sources]
    changed = [known for known in objects if not known.is_current()]
    with_header = [
        known for known in changed if known.source.language == "c++" and known.source.path is None
    ]
    header = _precompiled.find(with_header[0].command, recipe.cflags) if with_header else None
    compiler = _Compiler(recipe, tools, work, scratch, progress)
    if header and header.is_ready():
        try:
            compiler.run(changed, header.header)
            _cache.mark_used(header.folder / _cache.RECORD)
            return objects, None
        except CompileError as error:
            if not _is_refused(error, header):
                raise
            header.discard()
        changed = [known for known in changed if not known.is_current()]
    compiler.run(changed, str(compiler.plain_header()))
    return objects, header


def _object(recipe: Recipe, source: Source, tools: Tools, work: Path) -> Object:
    command = recipe.command(source, tools)
    # Sources of one path, or texts of one language, take the place of each other.
    key = _files.hash_bytes(
        json.dumps([source.path, source.language, command, environment()]).encode()
    )
    return Object(source, work / f"{key}.o", command, source.digest())


def _is_refused(error: CompileError, header: _precompiled.Precompiled) -> bool:
    """Return whether the compiler fails because of the precompiled header."""
    signs = (_precompiled.RESULT, "recompiled header", "PCH", "internal compiler error")
    return any(sign in error.output for sign in signs) or not os.path.exists(header.header)


def _include(headers: Sequence[str]) -> list[str]:
    return [word for header in headers for word in ("-include", header)]


@dataclass
class _Compiler:
    """Compiles objects in a scratch folder, and moves them to their place."""

    recipe: Recipe
    tools: Tools
    work: Path
    scratch: Path
    progress: Progress

    def plain_header(self) -> Path:
        """Return the path of the header for texts, not precompiled."""
        path = self.scratch / _precompiled.NAME
        _files.write(path, _precompiled.HEADER)
        return path

    def run(self, objects: Sequence[Object], header: str) -> None:
        """Compile sources side by side; those that compile are kept if another does not."""
        start = self.scratch.stat().st_mtime_ns

        def finished(index: int) -> None:
            self._publish(objects[index], f"{self.scratch}/{index}.o", start)

        jobs = [
            self._job(known, header, f"{self.scratch}/{index}.o")
            for index, known in enumerate(objects)
        ]
        if jobs:
            run(self.recipe.name, jobs, self.progress, finished)

    def _job(self, known: Object, header: str, output: str) -> Job:
        command = list(known.command)
        path = known.source.path
        if path is None:
            # Not in the scratch folder: debuggers and backtraces may look for it later.
            text = self.work / known.source.file_name(self.recipe.name)
            _files.write(text, known.source.text or "")
            path = str(text)
            headers = _inline.included_headers(known.source.text or "")
            if known.source.language == "c++":
                # A precompiled header must be the first that is included.
                place = len(self.tools.cxx.command)
                command[place:place] = _include([header, *headers[1:]])
            elif known.source.language == "cuda":
                command += _include(headers)
        if known.source.language == "cuda":
            for given in (path, output, libinfo.include_dir(), *self.recipe.include_paths):
                _cuda.check_path(given)
        # -MMD leaves out the headers of the system, and with them those in the user's such folders.
        which = "-MD" if self.recipe.system_folders() else "-MMD"
        dependencies = [which, "-MT", "object", "-MF", f"{output}.d"]
        return Job([*command, *dependencies, "-c", path, "-o", output], output)

    def _publish(self, known: Object, output: str, start: int) -> None:
        """Move a finished object to its place, and write its record."""
        known.record.unlink(missing_ok=True)
        known.included.clear()
        for path in _files.read_dependencies(f"{output}.d"):
            if not os.path.exists(path):
                # nvcc also lists what #line names.
                known.is_certain &= known.source.language == "cuda"
            elif self._is_watched(path, known):
                known.included[path] = _files.hash_file(path)
                known.is_certain &= os.stat(path).st_mtime_ns <= start
        known.is_certain &= known.source.digest() == known.digest
        facts = {
            "source": known.digest,
            "tain": hash_of_tain(),
            "object": _files.hash_file(output),
            "included": known.included,
        }
        os.replace(output, known.path)
        if known.is_certain:
            _files.write_record(known.record, facts)

    def _is_watched(self, path: str, known: Object) -> bool:
        """Return whether a file that a source includes is the user's."""
        if path == known.source.path or os.path.basename(path).startswith(_precompiled.NAME):
            return False
        if os.path.dirname(path) == str(self.work):
            return False  # the text itself
        real = os.path.realpath(path)
        if any(real.startswith(folder + os.sep) for folder in self.recipe.system_folders()):
            return True
        cuda = self.tools.cuda
        roots = {cuda.root, os.path.dirname(cuda.runtime)} if cuda else set()
        if self.recipe.system_folders():
            roots |= {"/usr", os.path.realpath(libinfo.include_dir())}
        return not any(real.startswith(root + os.sep) for root in roots)
