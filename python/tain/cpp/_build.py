# SPDX-License-Identifier: Apache-2.0
"""Builds a library, unless there is one that was made from the same input.

The folder of a library in the cache bears the digest of its sources, the options, the compilers and
tain itself. Only a compiler knows which other files a source includes: it lists them, and a record
next to the library stores their hashes and that of the library. Builds of one name take turns.
Whatever is written gets to its place when it is complete, and its record last: a process that is
killed leaves nothing that another one uses.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tain import libinfo
from tain.cpp import _cache, _files, _objects
from tain.cpp._needs import cpp_extra
from tain.cpp._progress import Progress
from tain.cpp._recipe import Recipe, Tools
from tain.cpp._run import Job, run

__all__ = ["build"]


@dataclass(frozen=True)
class Place:
    """Where a library and what belongs to it are."""

    library: Path
    record: Path
    work: Path  # the folder of object files, shared by all builds of the name
    lock: Path
    is_cached: bool = False

    @classmethod
    def of(cls, name: str, digest: str, directory: str | None) -> Place:
        """Return the place in a folder that the user gave, else in the cache."""
        file = libinfo.file_names(name)[0]
        if directory is not None:
            root = Path(os.path.abspath(directory))
            work = root / f"{name}.build"
            return cls(root / file, root / f"{name}.json", work, work / "lock")
        root = _cache.libraries() / name
        folder = root / digest
        record, work = folder / _cache.RECORD, root / _cache.OBJECTS
        return cls(folder / file, record, work, _cache.lock(name), is_cached=True)

    def make_folders(self) -> None:
        """Make the folders of the object files and of the lock."""
        if self.is_cached:
            _cache.make(self.work)
        else:
            self.work.mkdir(parents=True, exist_ok=True)

    def has(self, digest: str) -> bool:
        """Return whether the library is there, unchanged, and made from the present files."""
        facts = {"digest": digest}
        return _files.included_files(self.record, "library", self.library, facts) is not None


def build(
    recipe: Recipe,
    directory: str | None = None,
    *,
    verbose: bool = False,
    timeout: float | None = None,
) -> str:
    """Return the path of the library of a recipe; build it if necessary.

    The options and the errors are those of `tain.cpp.build`.
    """
    tools = recipe.find_tools()
    digest = recipe.digest(tools)
    place = Place.of(recipe.name, digest, directory)
    if place.is_cached:
        _cache.check(place.library.parent, place.work)
    if place.has(digest):
        _cache.mark_used(place.record)
    else:
        limits = _cache.Limits.read()
        where = str(_cache.folder()) if directory is None else directory
        with Progress(recipe.name, verbose, timeout) as progress, _cache.writing(where):
            _build_in_turn(recipe, tools, place, progress)
        if directory is None:
            with suppress(OSError):  # another process may remove the same
                _cache.prune(limits, keep=place.library.parent)
    return str(place.library.resolve())


def _build_in_turn(recipe: Recipe, tools: Tools, place: Place, progress: Progress) -> None:
    """Build a library when no other process builds one of its name."""
    with cpp_extra():  # imported here because it is slow and rarely needed
        from filelock import FileLock, Timeout

    place.make_folders()
    lock = FileLock(place.lock)
    while True:
        try:
            lock.acquire(timeout=0.2, poll_interval=0.02)
            break
        except Timeout:
            progress.tick("it waited for another process that builds the same name")
    try:
        place.make_folders()  # they may have been removed before the lock
        digest = recipe.digest(tools)
        if not place.has(digest):
            _make(recipe, tools, place, digest, progress)
    finally:
        lock.release()


def _make(recipe: Recipe, tools: Tools, place: Place, digest: str, progress: Progress) -> None:
    """Compile what has changed, link, and write the record."""
    for old in place.work.glob("scratch-*"):
        shutil.rmtree(old, ignore_errors=True)  # of a process that was killed
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=place.work) as scratch:
        objects, header = _objects.compile_all(recipe, tools, place.work, Path(scratch), progress)
        linked = os.path.join(scratch, place.library.name)
        _link(recipe, tools, [str(known.path) for known in objects], linked, progress)
        facts = {
            "digest": digest,
            "library": _files.hash_file(linked),
            "included": {
                path: value for known in objects for path, value in known.included.items()
            },
        }
        place.library.parent.mkdir(mode=0o700 if place.is_cached else 0o777, exist_ok=True)
        place.record.unlink(missing_ok=True)
        os.replace(linked, place.library)
        # A source that changed meanwhile is compiled again by the next build.
        if all(known.is_certain for known in objects) and recipe.digest(tools) == digest:
            _files.write_record(place.record, facts)
    if header is not None:
        header.make_in_background()  # last, so that it takes nothing from this build


def _link(
    recipe: Recipe, tools: Tools, objects: Sequence[str], output: str, progress: Progress
) -> None:
    run(recipe.name, [Job([*recipe.link_command(objects, tools), "-o", output], output)], progress)
