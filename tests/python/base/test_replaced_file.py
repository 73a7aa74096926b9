# SPDX-License-Identifier: Apache-2.0
"""Files that are written: as a whole, beside the old one, under a name that nobody can foretell."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from errors import raises

import tain
from tain import libinfo

pytestmark = pytest.mark.bad_input

Writer = Callable[[Path], Any]


def library_module() -> Any:
    path = libinfo.find_bundled("tain_testing")
    assert path is not None
    return tain.load_module(path)


class Empty(tain.Module):
    """A module without anything, of which an exported library is made quickly."""

    kind = "testing_replaced_file"

    def save_to_bytes(self) -> bytes:
        return b""


WRITERS: dict[str, Writer] = {
    "save_json": lambda path: tain.save_json(tain.Array([1, 2]), path),
    "save_binary": lambda path: tain.save_binary(tain.Array([1, 2]), path),
    "write_to_file": lambda path: library_module().write_to_file(str(path)),
    "export_library": lambda path: Empty().export_library(path),
}


@pytest.fixture(params=WRITERS)
def write(request: pytest.FixtureRequest) -> Writer:
    return WRITERS[request.param]


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_what_lies_beside_the_file_stays(write: Writer, tmp_path: Path) -> None:
    """No name that an attacker can foretell is written to, or followed."""
    target, victim = tmp_path / "file.so", tmp_path / "victim"
    victim.write_text("precious")
    planted = [".part", f".{os.getpid()}.{threading.get_ident()}.part", ".tmp", "~"]
    for ending in planted:
        (tmp_path / f"file.so{ending}").symlink_to(victim)
    target.write_text("old")
    target.chmod(0o640)
    write(target)
    assert victim.read_text() == "precious"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert target.read_bytes()[:3] != b"old"
    assert names(tmp_path) == sorted(["file.so", "victim", *(f"file.so{one}" for one in planted)])


def test_links_stay(write: Writer, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    for name, target in (("link", "real/file"), ("to_link", "link"), ("dangling", "real/new")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "real" / "file").write_text("old")
    write(tmp_path / "to_link")
    write(tmp_path / "dangling")
    content = (tmp_path / "real" / "new").read_bytes()
    assert len(content) > 3
    assert len((tmp_path / "real" / "file").read_bytes()) == len(content)
    assert all((tmp_path / name).is_symlink() for name in ("link", "to_link", "dangling"))
    assert names(tmp_path / "real") == ["file", "new"]
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write(tmp_path / "loop")
    assert names(tmp_path) == ["dangling", "link", "loop", "real", "to_link"]


def test_pipes_are_written_to(write: Writer, tmp_path: Path) -> None:
    """The thread that reads needs the GIL, and starts when the writer waits for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    write(tmp_path / "file")
    expected = (tmp_path / "file").read_bytes()
    for path in (pipe, tmp_path / "link"):
        got: list[bytes] = []
        reader = threading.Thread(target=lambda got=got: got.append(pipe.read_bytes()))
        reader.start()
        write(path)
        reader.join()
        assert len(got[0]) == len(expected)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["file", "link", "pipe"]


def test_folders_and_folders_that_are_missing(write: Writer, tmp_path: Path) -> None:
    with raises(IsADirectoryError, f"[Errno 21] Is a directory: '{tmp_path}'"):
        write(tmp_path)
    missing = tmp_path / "none" / "file"
    with raises(FileNotFoundError, f"[Errno 2] No such file or directory: '{missing}'"):
        write(missing)
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["save_json", "save_binary", "write_to_file", "export_library"])
def test_paths_with_nul(name: str, tmp_path: Path) -> None:
    where = "export_library: argument file" if name == "export_library" else name
    with pytest.raises(ValueError, match=f"{where}: .*path.*NUL"):
        WRITERS[name](Path(f"{tmp_path}/a\0b"))
    assert names(tmp_path) == []


# ---------------------------------------------------------------- while it is written

acts: list[Callable[[], Any]] = []


@tain.py_class("replaced_file.ActsWhenSaved")
class ActsWhenSaved:
    """Does something in the middle of saving."""

    def __data_to_json__(self) -> int:
        acts[-1]()
        return 1

    @classmethod
    def __data_from_json__(cls, data: int) -> ActsWhenSaved:
        return cls()


SAVERS = {"json": tain.save_json, "binary": tain.save_binary}


@pytest.mark.parametrize("save", SAVERS.values(), ids=SAVERS)
def test_the_file_beside_it(save: Any, tmp_path: Path) -> None:
    seen: set[str] = set()

    def look() -> None:
        (name,) = set(os.listdir(tmp_path)) - {"file"}
        assert name.startswith(".tain-")
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o111 == 0
        seen.add(name)

    acts.append(look)
    for _ in range(3):
        save(ActsWhenSaved(), tmp_path / "file")
    assert len(seen) == 3
    acts.append(lambda: 1 / 0)
    before = (tmp_path / "file").read_bytes()
    with pytest.raises(ZeroDivisionError):
        save(ActsWhenSaved(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == before
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("save", SAVERS.values(), ids=SAVERS)
def test_a_file_that_becomes_a_pipe(save: Any, tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def exchange() -> None:
        target.unlink()
        os.mkfifo(target)

    acts.append(exchange)
    with raises(FileExistsError, f"[Errno 17] File exists: '{target}'"):
        save(ActsWhenSaved(), target)
    assert stat.S_ISFIFO(target.stat().st_mode)
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("save", SAVERS.values(), ids=SAVERS)
def test_new_files_have_the_usual_mode(save: Any, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save(1, tmp_path / "file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
