# SPDX-License-Identifier: Apache-2.0
"""Makes the library of an editable install current before it is loaded.

scikit-build-core rebuilds a package when a compiled *module* of it is imported
(``editable.rebuild``). A library of registered types is no module, so `load_library` and
`init_ffi_api` ask here when a module of such a package loads one.
"""

from __future__ import annotations

import os
import re
import sys
import time
import warnings
from contextlib import contextmanager

from tain._status_line import StatusLine, write
from tain.libinfo import file_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

__all__ = ["current", "give"]

_SKIP = "SKBUILD_EDITABLE_SKIP"  # the build folders whose build runs this process
_BUILT = "TAIN_BUILT"  # libraries that packages load in place of the installed ones
_LOCK = "editable_rebuild.lock"  # scikit-build-core takes turns by it too
_TICK = 0.1
# What Ninja and Make print of a step, and not of looking for what is to be done.
_STEP = re.compile(r"^\[ *\d+(?:/\d+|%)\] (?!Built target|Re-checking|Re-running)", re.M)
_FACTS = ("path", "install_dir", "rebuild_flag", "known_source_files", "known_wheel_files")

# The modules that have loaded a library since the last build, by the folder of the build: a module
# that loads its library again was reloaded, after an edit.
_current: dict[str, set[str]] = {}


# What a build has just linked, by the name of the file: it is loaded in place of what is installed.
_given: dict[str, str] = {}


def give(package: str, source: str | None, library: str) -> None:
    """Let a package, which is imported from a folder, load a library that was just linked.

    Parameters
    ----------
    package : str
        The name of the package.
    source : str, optional
        The folder that contains the package.
    library : str
        The file of the library.
    """
    _given[os.path.basename(library)] = os.path.abspath(library)
    while (finder := _finder_of(package)) is not None:
        sys.meta_path.remove(finder)
    if source is not None:
        sys.path.insert(0, os.path.abspath(source))


def current(file: str, caller: dict[str, Any]) -> str:
    """Return the library to load for a path or a bare name, after it was made current.

    Parameters
    ----------
    file : str
        What the module gives.
    caller : dict
        The globals of the module that is about to load a library.

    Raises
    ------
    ImportError
        The package cannot be built. The text ends with the compiler's first error.
    """
    given = {os.path.basename(path): path for path in filter(None, _built())} | _given
    name = os.path.basename(file)
    found = next((given[each] for each in (name, *file_names(name)) if each in given), None)
    if found is not None or _given:
        return found or file
    _make_current(caller.get("__name__"))
    return file


def _built() -> list[str]:
    """Return the files that the user wants packages to load, as after a build with a sanitizer."""
    return os.environ.get(_BUILT, "").split(os.pathsep)


def _make_current(module: object) -> None:
    """Compile what has changed in the package of a module, if its install asks for that."""
    if not isinstance(module, str) or (finder := _finder_of(module)) is None:
        return
    if not finder.rebuild_flag or not finder.path or finder.install_dir is None:
        return
    folder = str(finder.path)
    if folder in os.environ.get(_SKIP, "").split(os.pathsep):
        return
    seen = _current.setdefault(folder, set())
    if module in seen:
        seen.clear()
    elif seen or getattr(finder, "rebuilt", False):
        seen.add(module)
        return
    _Build(module.partition(".")[0], finder).run()
    finder.rebuilt = True  # scikit-build-core need not look again
    seen.add(module)


def _finder_of(module: str) -> Any:
    """Return scikit-build-core's finder of the package with a module, or None."""
    for finder in sys.meta_path:
        facts = getattr(finder, "__dict__", {})
        if all(name in facts for name in _FACTS) and (
            module in facts["known_source_files"] or module in facts["known_wheel_files"]
        ):
            return finder
    return None


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
                stacklevel=6,
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

        skip = os.pathsep.join(filter(None, (os.environ.get(_SKIP, ""), self.folder)))
        # Colours would stand in the text of an exception.
        env = {**os.environ, _SKIP: skip, "CLICOLOR_FORCE": "0", "NO_COLOR": "1"}
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
    starts = [at for at, line in enumerate(lines) if line.startswith("FAILED: ")]
    if not starts:
        return "\n".join(lines)
    start = starts[0] + 2  # after it stands the command
    rest = lines[start:]
    end = next(
        (at for at, line in enumerate(rest) if re.match(r"\[\d+/\d+\] |ninja: |FAILED: ", line)),
        len(rest),
    )
    return "\n".join(rest[:end])
