# SPDX-License-Identifier: Apache-2.0
"""Makes a precompiled header; run as a program of its own, which imports nothing of tain.

Usage: _precompile.py [--wait] FOLDER HEADER RECORD SECONDS COMMAND...

The program works in a child that has a process group of its own. The record is written last. It has
the size of the file, or null if the compiler cannot make it.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
import sys

__all__: list[str] = []

ROOM = 200 << 20  # bytes that must be free: a precompiled header takes 70 MiB


def make(header: str, record: str, command: list[str]) -> None:
    """Precompile a header of the current folder, unless another process does it."""
    lock = os.open("lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    space = os.statvfs(".")
    if os.path.exists(record) or space.f_bavail * space.f_frsize < ROOM:
        return
    scratch, listed = f"{header}.part", f"{header}.d"
    status = subprocess.run(
        [*command, "-MMD", "-MF", listed, "-x", "c++-header", header, "-o", scratch],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode
    if status < 0:
        return  # it was ended; the next build tries again
    size = None
    if status != 0 and os.path.exists(scratch):
        os.unlink(scratch)
    if status == 0 and includes_nothing_else(listed):
        size = os.stat(scratch).st_size
        os.replace(scratch, f"{header}.gch")
    write(record, json.dumps({"size": size}))


def includes_nothing_else(listed: str) -> bool:
    """Whether the header includes no file of the user, which may change later."""
    with open(listed, encoding="utf-8", errors="surrogateescape") as file:
        words = re.sub(r"\\.", "", file.read().replace("\\\n", " ")).split()
    return len(words) == 2


def write(path: str, text: str) -> None:
    """Write a file so that no process sees a part of it."""
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.part", path)


def end(number: int, frame: object) -> None:
    """End the compiler and this program, after too much time."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    os._exit(1)


def main(arguments: list[str]) -> None:
    """Run the program."""
    waits = arguments[0] == "--wait"
    folder, header, record, seconds, *command = arguments[waits:]
    os.chdir(folder)
    if not waits:
        if os.fork() != 0:
            os._exit(0)
        os.setsid()
        os.nice(10)
        signal.signal(signal.SIGALRM, end)
        signal.alarm(int(seconds))
    make(header, record, command)


if __name__ == "__main__":
    main(sys.argv[1:])
