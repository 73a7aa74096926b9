# SPDX-License-Identifier: Apache-2.0
"""Compiles an editable install again, before a library of it is loaded; see `tain._editable`."""

from __future__ import annotations

import os
import re
import time
import warnings
from contextlib import contextmanager

from tain._editable import SKIP
from tain._status_line import StatusLine, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

__all__ = ["build"]

_LOCK = "editable_rebuild.lock"  # scikit-build-core takes turns by it too
_TICK = 0.1
_NINJA = re.compile(r"\[\d+/\d+\] |ninja: |FAILED: ")  # how Ninja's own lines begin
# The text that Ninja and Make print of a step, and not of looking for what is to be done.
_STEP = re.compile(r"^\[ *\d+(?:/\d+|%)\] (?!Built target|Re-checking|Re-running)", re.M)


def build(package: str, finder: Any) -> None:
    """Compile and install what has changed in a package, given scikit-build-core's finder of it.

    Raises
    ------
    ImportError
        The package cannot be built. The text ends with the first error of the compiler or of CMake.
    """
    _Build(package, finder).run()


class _Build:
    """One build of a package, in the folder where it was installed from."""

    def __init__(self, package: str, finder: Any) -> None:
        self.package = package
        self.folder = str(finder.path)
        self.build_options = list(getattr(finder, "build_options", ()))
        self.install_options = list(getattr(finder, "install_options", ()))
        self.install_dir = str(finder.install_dir)
        self.output = ""  # of the last command
        self.line = StatusLine()
        known = _cache_of(self.folder)
        self.source = known.get("CMAKE_HOME_DIRECTORY", "")
        self.known = known

    def run(self) -> None:
        gone = next((file for file in _needed(self.known) if not os.path.exists(file)), None)
        if gone is not None or "CMAKE_COMMAND" not in self.known:
            what = f"there is no {gone or os.path.join(self.folder, 'CMakeCache.txt')}"
            where = f"in {self.source}" if self.source else "in the folder of its project"
            warnings.warn(
                f"{self.package} is not compiled again after an edit: {what}, as after an "
                f"installation with build isolation; run `python -m tain develop` {where}",
                UserWarning,
                stacklevel=7,
            )
            return
        cmake = self.known["CMAKE_COMMAND"]
        try:
            with self.turn():
                self.command(cmake, "--build", ".", *self.build_options)
                did_something = _STEP.search(self.output) is not None
                install = ("--install", ".", "--prefix", self.install_dir, *self.install_options)
                self.command(cmake, *install)
        finally:
            self.line.erase()
        if did_something:
            write(f"{self.package}: compiled what has changed, in {self.line.elapsed():.1f} s\n")

    def tick(self) -> None:
        self.line.show(f"{self.package}: compiling what has changed", self.line.elapsed())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the lock of the build folder: other processes import the package too."""
        try:
            import fcntl
        except ImportError:  # on Windows, where scikit-build-core takes none either
            yield
            return
        try:
            lock = os.open(os.path.join(self.folder, _LOCK), os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            self.fail(f"cannot be built: {error}")
        try:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    self.tick()
                    time.sleep(_TICK / 2)
            yield
        finally:
            os.close(lock)

    def command(self, *command: str) -> None:
        """Run a command of CMake; raise ImportError with what it says if it fails."""
        import subprocess
        import tempfile

        skip = os.pathsep.join(filter(None, (os.environ.get(SKIP, ""), self.folder)))
        # Colours would stand in the text of an exception.
        env = {**os.environ, SKIP: skip, "CLICOLOR_FORCE": "0", "NO_COLOR": "1"}
        with tempfile.TemporaryFile() as output:
            try:
                process = subprocess.Popen(
                    command,
                    cwd=self.folder,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            except OSError as error:
                self.fail(f"cannot be built: {command[0]}: {error.strerror}")
            try:
                while True:
                    try:
                        status = process.wait(_TICK)
                        break
                    except subprocess.TimeoutExpired:
                        self.tick()
            except BaseException:  # Ctrl-C, which Ninja and the compilers get too
                process.terminate()
                process.wait()
                raise
            output.seek(0)
            self.output = output.read().decode(errors="replace")
        if status != 0:
            from tain.cpp._errors import first_error

            printed = _failed_step(self.output)
            self.fail(
                f"does not build ({os.path.join(self.source, '')}):\n{printed}\n"
                f"{first_error(printed)}"
            )

    def fail(self, text: str) -> NoReturn:
        raise ImportError(f"{self.package} {text}", name=self.package)


def _cache_of(folder: str) -> dict[str, str]:
    """Return what CMake remembers of a build folder; nothing if there is no build."""
    values = {}
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as lines:
            for line in lines:
                name, _, value = line.strip().partition("=")
                values[name.partition(":")[0]] = value
    except OSError:
        return {}
    return values


def _needed(known: dict[str, str]) -> Iterator[str]:
    """Yield the files of other packages without which a build cannot go on."""
    for name in ("CMAKE_COMMAND", "CMAKE_MAKE_PROGRAM", "tain_DIR"):
        if os.path.isabs(known.get(name, "")):
            yield known[name]


def _failed_step(output: str) -> str:
    """Return what the first failed step printed, without its command line; all if there is none."""
    lines = output.rstrip().splitlines()
    failed = next((at for at, line in enumerate(lines) if line.startswith("FAILED: ")), None)
    if failed is None:
        return "\n".join(lines)
    start = failed + 2  # after it stands the command
    end = next((at for at in range(start, len(lines)) if _NINJA.match(lines[at])), len(lines))
    if any(lines[start:end]):
        return "\n".join(lines[start:end])
    # CMake itself, and other steps that use the terminal, print before Ninja knows of the failure.
    start = next((at + 1 for at in range(failed - 1, -1, -1) if _NINJA.match(lines[at])), 0)
    return "\n".join(lines[start:failed]) if any(lines[start:failed]) else "\n".join(lines)
