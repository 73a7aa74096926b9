# SPDX-License-Identifier: Apache-2.0
"""The cache of tain.cpp: who may write to it, what is verified, its limits, its command."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from fake_compiler import FakeCompiler

import tain
from tain.__main__ import main
from tain.cpp import _cache, _files, _objects, _recipe

DAY = 24 * 60 * 60


@pytest.fixture
def fake(tmp_path: Path, monkeypatch) -> FakeCompiler:
    compiler = FakeCompiler(tmp_path)
    monkeypatch.setenv("CXX", str(compiler.path))
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "a.cc").write_text("the text")
    return compiler


def build(name: str = "kept", **options) -> Path:
    source = Path(os.environ["CXX"]).with_name("a.cc")
    return Path(tain.cpp.build(name, sources=source, **options))


def test_the_cache_is_for_its_user_alone(fake: FakeCompiler, tmp_path: Path) -> None:
    build()
    folder = tmp_path / "cache"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name for path in folder.iterdir()} == {
        "tain-facts",
        "tain-headers",
        "tain-libraries",
        "tain-locks",
    }


@pytest.mark.bad_input
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_cache_that_others_may_write_is_refused(fake: FakeCompiler, mode: int) -> None:
    build()
    folder = _cache.folder()
    folder.chmod(mode)
    text = (
        f"tain.cpp: others may write to the cache folder {str(folder)!r} (mode {mode:04o}): run "
        "chmod go-w on it, or set TAIN_CACHE_DIR to another folder"
    )
    for _ in range(2):
        with pytest.raises(PermissionError) as caught:
            build()
        assert str(caught.value) == text
        shutil.rmtree(folder / "tain-libraries", ignore_errors=True)
    folder.chmod(0o755)
    assert build().is_file()


def folders_of(library: Path) -> dict[str, Path]:
    """Return the folders of the cache on the way to a library, and others with what is trusted."""
    root = _cache.folder()
    return {
        "tain-libraries": root / "tain-libraries",
        "tain-headers": root / "tain-headers",
        "tain-locks": root / "tain-locks",
        "tain-facts": root / "tain-facts",
        "name": library.parents[1],
        "library": library.parent,
        "objects": library.parents[1] / _cache.OBJECTS,
    }


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "which",
    ["tain-libraries", "tain-headers", "tain-locks", "tain-facts", "name", "library", "objects"],
)
def test_a_part_of_the_cache_that_others_may_write_is_refused(fake: FakeCompiler, which) -> None:
    folder = folders_of(build())[which]
    folder.chmod(0o770)
    text = (
        f"tain.cpp: others may write to the cache folder {str(folder)!r} (mode 0770): run "
        "chmod go-w on it, or set TAIN_CACHE_DIR to another folder"
    )
    for _ in range(2):
        with pytest.raises(PermissionError) as caught:
            build()
        assert str(caught.value) == text
    folder.chmod(0o755)
    assert build().is_file()


@pytest.mark.bad_input
def test_a_part_of_the_cache_of_another_user_is_refused(fake: FakeCompiler, monkeypatch) -> None:
    folder = folders_of(build())["library"]
    stat_of = Path.stat

    def foreign(path: Path, **options: Any) -> os.stat_result:
        found = stat_of(path, **options)
        if path != folder:
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, *found[5:]])

    monkeypatch.setattr(Path, "stat", foreign)
    owner = os.geteuid() + 1
    with pytest.raises(PermissionError, match=rf"belongs to another user \(number {owner}\): set"):
        build()


@pytest.mark.parametrize("mask", [0o002, 0o000])
def test_what_the_cache_makes_is_for_its_user_alone(fake: FakeCompiler, mask: int) -> None:
    before = os.umask(mask)
    try:
        folders = folders_of(build())
        for folder in folders.values():
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        shutil.rmtree(folders["name"])
        assert build().is_file()
        build("another")
    finally:
        os.umask(before)


@pytest.mark.bad_input
def test_sources_that_are_no_files(fake: FakeCompiler, tmp_path: Path) -> None:
    """A pipe is not waited for, and what has no end is not read."""
    os.mkfifo(tmp_path / "pipe.cc")
    with pytest.raises(OSError, match=r"expected a regular file: '.*pipe\.cc'"):
        tain.cpp.build("pipe", sources=tmp_path / "pipe.cc")


@pytest.mark.bad_input
def test_the_cache_of_another_user_is_refused(fake: FakeCompiler, monkeypatch, capsys) -> None:
    build()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(PermissionError, match=rf"belongs to another user \(number {owner}\): set"):
        build()
    assert main(["cache"]) == 1
    assert "belongs to another user" in capsys.readouterr().err
    assert build(build_directory=_cache.folder() / "mine").is_file()


@pytest.mark.bad_input
@pytest.mark.parametrize("who", ["the same user", "another user", "all users"])
def test_a_library_that_others_may_have_forged(fake: FakeCompiler, who: str, monkeypatch) -> None:
    """A `build_directory` may be any folder: what others may have written there is built again."""
    folder = _cache.folder().parent / "shared"
    path = build(build_directory=folder)
    fake.compiled()
    record = folder / "kept.json"
    path.write_text("forged")
    facts = {**_files.read_record(record), "library": _files.hash_file(str(path))}
    record.write_text(json.dumps(facts))
    if who == "another user":
        owner = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    elif who == "all users":
        record.chmod(0o666)
    assert build(build_directory=folder) == path
    if who == "the same user":
        assert path.read_text() == "forged" and fake.compiled() == []
    else:
        assert path.read_text() == "linked\n" and "linked" in fake.compiled()


@pytest.mark.bad_input
@pytest.mark.parametrize("change", ["library", "record", "empty record", "no library", "list"])
def test_an_entry_is_verified(fake: FakeCompiler, change: str) -> None:
    path = build()
    record = path.with_name(_cache.RECORD)
    fake.compiled()
    if change == "library":
        path.write_text("something else")
    elif change == "record":
        _files.write_record(record, {"digest": path.parent.name, "library": "0" * 20})
    elif change == "no library":
        path.unlink()
    else:
        record.write_text("" if change == "empty record" else "[]")
    assert build() == path
    assert fake.compiled() == ["linked"]
    assert path.read_text() == "linked\n"


def test_another_tain_compiles_anew(fake: FakeCompiler, monkeypatch) -> None:
    path = build()
    assert fake.compiled() == ["a.cc", "linked"]
    for module in (_objects, _recipe):
        monkeypatch.setattr(module, "hash_of_tain", lambda: "another")
    assert build() != path
    assert fake.compiled() == ["a.cc", "linked"]
    build()
    assert fake.compiled() == []


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("folder", "number"),
    [("a.cc/cache", errno.EEXIST), ("a.cc", errno.EEXIST), ("x" * 300, errno.ENAMETOOLONG)],
)
def test_a_cache_that_cannot_be_made(fake: FakeCompiler, folder, number, monkeypatch) -> None:
    path = Path(os.environ["CXX"]).parent / folder
    monkeypatch.setenv("TAIN_CACHE_DIR", str(path))
    with pytest.raises(OSError) as caught:
        build()
    assert caught.value.errno == number
    assert f"tain.cpp: cannot write to the folder {str(path)!r} (" in str(caught.value)
    assert "set TAIN_CACHE_DIR or build_directory= to another" in str(caught.value)


@pytest.mark.bad_input
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_cannot_be_written(fake: FakeCompiler, number: int, monkeypatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as context:
        context.setattr(os, "replace", refuse)
        with pytest.raises(OSError) as caught:
            build()
    assert caught.value.errno == number
    folder = str(_cache.folder())
    assert f"cannot write to the folder {folder!r} ({os.strerror(number)})" in str(caught.value)
    # What is there already needs no writing.
    path = build()
    for name in ("replace", "utime", "mkdir"):
        monkeypatch.setattr(os, name, refuse)
    assert build() == path


def age(path: Path, days: float) -> None:
    """Let an entry be as if it had been used some days ago."""
    record = path.with_name(_cache.RECORD)
    then = time.time() - days * DAY
    for file in (record, *path.parents[1].glob("build")):
        os.utime(file, (then, then))


def test_what_is_not_used_is_removed(fake: FakeCompiler, monkeypatch) -> None:
    old, used, never = build("old"), build("used"), build("limited")
    for path in (old, used):
        age(path, 31)
    build("used")  # is not built, but used
    build("new")
    assert [path.is_file() for path in (old, used, never)] == [False, True, True]
    assert not old.parents[1].exists()
    age(never, 5)
    monkeypatch.setenv("TAIN_CACHE_MAX_AGE", "2.5")
    build("newer")
    assert [path.is_file() for path in (used, never)] == [True, False]


def test_a_cache_that_is_too_large_loses_what_was_used_least(fake, monkeypatch) -> None:
    paths = [build(f"entry{i}") for i in range(4)]
    for days, path in enumerate(paths):
        age(path, 4 - days)
    size = sum(entry.size for entry in _cache.entries())
    monkeypatch.setenv("TAIN_CACHE_MAX_SIZE", str(size))
    last = build("entry4")
    assert [path.is_file() for path in paths] == [False, True, True, True]
    monkeypatch.setenv("TAIN_CACHE_MAX_SIZE", "0K")
    just_built = build("entry5")  # stays, whatever the limit
    assert [path.is_file() for path in (*paths, last)] == [False] * 5
    assert just_built.is_file()


def test_what_is_being_built_is_not_removed(fake: FakeCompiler) -> None:
    from filelock import FileLock

    path = build()
    nothing = _cache.Limits(-1, -1)
    with FileLock(_cache.lock("kept")):
        assert _cache.prune(nothing) == []
    assert path.is_file()
    assert {entry.path for entry in _cache.prune(nothing)} == {
        path.parent,
        path.parents[1] / _cache.OBJECTS,
    }


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("variable", "value", "text"),
    [
        ("SIZE", "much", "expected a size in bytes, or with K, M, G or T behind the number, got "),
        ("SIZE", "-1", "expected a size in bytes, or with K, M, G or T behind the number, got "),
        ("SIZE", "1E", "expected a size in bytes, or with K, M, G or T behind the number, got "),
        ("AGE", "nan", "expected a number of days, got "),
        ("AGE", "1 week", "expected a number of days, got "),
    ],
)
def test_limits_that_are_none(fake, variable, value, text, monkeypatch, capsys) -> None:
    monkeypatch.setenv(f"TAIN_CACHE_MAX_{variable}", value)
    with pytest.raises(ValueError) as caught:
        build()
    assert str(caught.value) == f"TAIN_CACHE_MAX_{variable}: {text}{value!r}"
    assert main(["cache", "--prune"]) == 1
    assert capsys.readouterr().err == f"python -m tain cache: {caught.value}\n"


def test_the_command_line(fake: FakeCompiler, capsys) -> None:
    def printed(*options: str) -> list[str]:
        assert main(["cache", *options]) == 0
        return capsys.readouterr().out.splitlines()

    folder = _cache.folder()
    nothing = [f"path: {folder}", "size: 0 bytes", "entries: 0"]
    assert printed() == nothing
    path = build("shown")
    age(path, 3)
    lines = printed()
    size = sum(entry.size for entry in _cache.entries())
    assert lines[:3] == [f"path: {folder}", f"size: {size} bytes", "entries: 2"]
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() - 3 * DAY))
    assert {(line.split()[0], line.split("bytes  ")[1]) for line in lines[3:]} == {
        (day, "shown"),
        (day, "shown (object files)"),
    }
    assert printed("--prune") == ["removed: 0 entries, 0 bytes"]
    assert printed("--clear") == [f"removed: 2 entries, {size} bytes"]
    assert printed() == nothing
    assert build("shown") == path
