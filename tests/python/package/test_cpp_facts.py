# SPDX-License-Identifier: Apache-2.0
"""What tain.cpp remembers of files that do not change: the versions of compilers, tain's hash."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tain import libinfo
from tain.cpp import _cache, _facts, _installed, _toolchain

DAY = 24 * 60 * 60

linux = pytest.mark.only_if(sys.platform.startswith("linux"), "compilers are ELF files there")


class Fact:
    """A fact about a file, and how often it was computed."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "about"
        self.computed = 0
        self.change("first")

    def change(self, text: str) -> None:
        """Write the file, as if some time ago."""
        self.file.write_text(text)
        past = time.time() - 100 + len(text)
        os.utime(self.file, (past, past))

    def _compute(self) -> str:
        self.computed += 1
        return self.file.read_text().upper()

    def find(self, *, in_new_process: bool = True) -> str:
        """Find it as a new process does, which knows nothing, or as this one does."""
        if in_new_process:
            _facts._known.clear()
            _facts._recorded.clear()
        path, inode, size, modified, _ = _facts.state_of(str(self.file))
        # No call sets the time of the change, which is now: here it is that of the modification.
        return _facts.find("the file", [(path, inode, size, modified, modified)], self._compute)


@pytest.fixture
def fact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fact:
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_facts, "_known", {})
    monkeypatch.setattr(_facts, "_recorded", set())
    return Fact(tmp_path)


def test_a_fact_is_computed_once_for_all_processes(fact: Fact) -> None:
    assert [fact.find() for _ in range(3)] == ["FIRST"] * 3
    assert fact.computed == 1
    assert fact.find(in_new_process=False) == "FIRST" and fact.computed == 1


def test_a_file_that_changed_is_asked_again(fact: Fact) -> None:
    fact.find()
    fact.change("other")  # as long as before
    assert fact.find() == fact.find() == "OTHER"
    assert fact.computed == 2
    same = fact.file.with_name("same")
    shutil.copy2(fact.file, same)  # another file with the same size and time
    same.replace(fact.file)
    assert fact.find() == "OTHER" and fact.computed == 3


def test_a_file_that_has_just_changed_is_asked_by_each_process(fact: Fact) -> None:
    now = time.time()
    os.utime(fact.file, (now, now))
    assert [fact.find() for _ in range(2)] == ["FIRST"] * 2
    assert fact.computed == 2
    assert fact.find(in_new_process=False) == "FIRST" and fact.computed == 2  # but once by each


def _writable_by_others(record: Path) -> None:
    record.chmod(0o666)


def _broken(record: Path) -> None:
    record.write_text("{")


def _of_another_type(record: Path) -> None:
    record.write_text(json.dumps({**json.loads(record.read_text()), "value": 5}))


def _folder_writable_by_others(record: Path) -> None:
    _cache.folder().chmod(0o777)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "damage", [_writable_by_others, _broken, _of_another_type, _folder_writable_by_others]
)
def test_a_record_that_is_not_to_be_trusted(fact: Fact, damage: Callable[[Path], None]) -> None:
    fact.find()
    (record,) = _cache.fact("").parent.iterdir()
    damage(record)
    assert fact.find() == "FIRST" and fact.computed == 2


@pytest.mark.bad_input
def test_a_cache_that_cannot_be_made(
    fact: Fact, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert [fact.find() for _ in range(2)] == ["FIRST"] * 2
    assert fact.computed == 2


def test_old_facts_are_removed(fact: Fact) -> None:
    fact.find()
    (record,) = _cache.fact("").parent.iterdir()
    _cache.prune(_cache.Limits(1e9, DAY))
    assert record.exists()
    past = time.time() - 2 * DAY
    os.utime(record, (past, past))
    _cache.prune(_cache.Limits(1e9, DAY))
    assert not record.exists()


@pytest.fixture
def asked(fact: Fact, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were asked for their version, which take the place of processes."""
    programs: list[str] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        programs.append(command[0])
        return subprocess.CompletedProcess(command, 0, b"a version")

    monkeypatch.setattr(subprocess, "run", run)
    return programs


def _probe(program: Path, *arguments: str) -> None:
    """Ask as a new process does."""
    _facts._known.clear()
    _facts._recorded.clear()
    _toolchain._version.cache_clear()
    assert _toolchain.probe((str(program), *arguments)).version == "a version"


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of the system under the name of a compiler; its times are long ago."""
    program = tmp_path / "x86_64-linux-gnu-g++-12"
    shutil.copy(Path(sys.executable).resolve(), program)
    monkeypatch.setattr(_facts, "_SETTLED", -(10**12))  # its time of change is now
    return program


@linux
def test_a_compiler_is_asked_once(asked: list[str], compiler: Path, tmp_path: Path) -> None:
    link = tmp_path / "c++"
    link.symlink_to(compiler)
    for _ in range(3):
        _probe(link)
    assert asked == [str(link)]
    with compiler.open("ab") as file:  # an upgrade
        file.write(b"\0")
    _probe(link)
    assert len(asked) == 2


@linux
def test_what_may_start_another_compiler_is_asked_each_time(
    asked: list[str], compiler: Path, tmp_path: Path
) -> None:
    script, launcher = tmp_path / "g++", tmp_path / "ccache"
    script.write_text("#!/bin/sh\n")
    shutil.copy(compiler, launcher)
    link = tmp_path / "clang++"
    link.symlink_to(launcher)
    for program, arguments in ((script, ()), (link, ()), (launcher, ("g++",)), (compiler, ("-m",))):
        asked.clear()
        for _ in range(2):
            _probe(program, *arguments)
        assert len(asked) == 2, program


def test_the_hash_of_tain_follows_its_headers(
    fact: Fact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = tmp_path / "include"
    (headers / "inner").mkdir(parents=True)
    monkeypatch.setattr(libinfo, "include_dir", lambda: str(headers))
    found = set()
    for text in ("one", "two", "two"):
        (headers / "inner" / "a.h").write_text(text)
        found.add(_installed.hash_of_tain())
    (headers / "b.h").write_text("three")
    found.add(_installed.hash_of_tain())
    assert len(found) == 3
