# SPDX-License-Identifier: Apache-2.0
"""Files that are read and may wait: pipes, devices without an end, signals meanwhile."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from errors import raises

import tain

pytestmark = pytest.mark.bad_input

VALUE = tain.Array([1, "text", tain.Dict({"key": 2.5})])

LOADERS: dict[str, tuple[Callable[[], bytes], Callable[[Path], Any]]] = {
    "json": (lambda: tain.save_json(VALUE).encode(), tain.load_json),
    "binary": (lambda: tain.save_binary(VALUE), tain.load_binary),
    "binary unmapped": (
        lambda: tain.save_binary(VALUE),
        lambda path: tain.load_binary(path, mmap=False),
    ),
}
parametrize = pytest.mark.parametrize("form", LOADERS)


@contextlib.contextmanager
def written(pipe: Path, part: bytes, times: int) -> Iterator[None]:
    """Write to a pipe from another thread of Python, which needs the GIL for each part."""

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), open(pipe, "wb", buffering=0) as file:
            for _ in range(times):
                file.write(part)

    os.mkfifo(pipe)
    thread = threading.Thread(target=write)
    thread.start()
    yield
    thread.join()


@parametrize
def test_pipes(form: str, tmp_path: Path) -> None:
    save, load = LOADERS[form]
    data = save()
    with written(tmp_path / "pipe", data, 1):
        assert load(tmp_path / "pipe") == VALUE


@parametrize
@pytest.mark.parametrize("byte", [b"\0", b"x"])
def test_files_without_an_end(form: str, byte: bytes, tmp_path: Path) -> None:
    """What cannot be saved data is refused before the rest is read."""
    _, load = LOADERS[form]
    pipe = tmp_path / "endless"
    with written(pipe, byte * 4096, 1 << 40):
        with pytest.raises(ValueError) as caught:
            load(pipe)
        text = {
            "json": f"load_json: byte 0: expected '{{', got {byte.decode()!r}",
        }.get(form, "load_binary: byte 0: the data was not made by save_binary")
        assert str(caught.value) == text


@parametrize
def test_what_cannot_be_read(form: str, tmp_path: Path) -> None:
    _, load = LOADERS[form]
    with raises(IsADirectoryError, f"[Errno 21] Is a directory: '{tmp_path}'"):
        load(tmp_path)
    missing = tmp_path / "none"
    with raises(FileNotFoundError, f"[Errno 2] No such file or directory: '{missing}'"):
        load(missing)


@parametrize
@pytest.mark.parametrize("make", [str, os.fsencode], ids=["str", "bytes"])
def test_paths_with_nul(form: str, make: Any, tmp_path: Path) -> None:
    """The system would open what precedes the NUL."""
    save, load = LOADERS[form]
    (tmp_path / "a").write_bytes(save())

    class Named:
        def __fspath__(self) -> Any:
            return make(f"{tmp_path}/a\0b")

    where = "load_json" if form == "json" else "load_binary"
    with raises(ValueError, f"{where}: the path contains a NUL"):
        load(Named())  # type: ignore[arg-type]


WAIT = """
import os, signal, sys, threading, time
import tain

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
signal.alarm(60)
os.mkfifo("pipe")
{before}
ended = threading.Event()

def interrupt():
    while not ended.is_set():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    ended.set()
    print("interrupted")
"""
# A writer that is there and writes nothing, so that reading waits, not opening.
SILENT = "keeper = os.open('pipe', os.O_RDWR)"
WAITING = {
    "open load_json": ("", "tain.load_json(__import__('pathlib').Path('pipe'))"),
    "open load_binary": ("", "tain.load_binary('pipe')"),
    "open save_json": ("", "tain.save_json(1, 'pipe')"),
    "open save_binary": ("", "tain.save_binary(1, 'pipe')"),
    "read load_json": (SILENT, "tain.load_json(__import__('pathlib').Path('pipe'))"),
    "read load_binary": (SILENT, "tain.load_binary('pipe')"),
    "read load_binary unmapped": (SILENT, "tain.load_binary('pipe', mmap=False)"),
    "write save_json": (SILENT, "tain.save_json('x' * (1 << 20), 'pipe')"),
    "write save_binary": (SILENT, "tain.save_binary('x' * (1 << 20), 'pipe')"),
    "write a module": (
        SILENT,
        "tain.load_module(tain.libinfo.find_bundled('tain_testing')).write_to_file('pipe')",
    ),
}


@pytest.mark.parametrize("what", WAITING)
def test_ctrl_c_ends_the_waiting(what: str, run: Any) -> None:
    before, call = WAITING[what]
    assert run(WAIT.format(before=before, call=call)) == "interrupted\n"


ENDLESS = """
import os, signal, sys, threading, time
import tain

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

class Endless:
    '''Gives blanks, which may precede a text of JSON, without running Python between two parts.'''
    read = staticmethod({read})

try:
    tain.load_json(Endless())
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_reading_without_an_end(run: Any) -> None:
    assert run(ENDLESS.format(read="b' '.__mul__")) == "interrupted\n"


def test_a_signal_handler_that_raises_nothing(run: Any) -> None:
    """The call goes on, as Python's own do."""
    assert (
        run(
            """
        import os, signal, threading, time
        import tain
        os.mkfifo("pipe")
        seen = []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        data = tain.save_binary(tain.Array([1, 2]))

        def write():
            with open("pipe", "wb", buffering=0) as file:
                for byte in data:
                    time.sleep(0.02)
                    file.write(bytes([byte]))

        threading.Thread(target=write).start()
        print(tain.load_binary("pipe"), len(seen) > 2)
        signal.setitimer(signal.ITIMER_REAL, 0)
        """
        )
        == "[1, 2] True\n"
    )
