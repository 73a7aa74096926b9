# SPDX-License-Identifier: Apache-2.0
"""A compiler for tests: a script that logs its command, acts, and writes some bytes."""

from __future__ import annotations

import os
import time
from pathlib import Path

__all__ = ["FakeCompiler", "is_running", "wait_until"]

SCRIPT = """\
#!/bin/sh
case " $* " in *" --version "*) echo "fake 1"; exit 0 ;; esac
echo "$@" >> '{log}'
source=linked output= dependencies=
while [ $# -gt 0 ]; do
  case "$1" in
    -c) source=$2; shift ;;
    -o) output=$2; shift ;;
    -MF) dependencies=$2; shift ;;
  esac
  shift
done
name=$(basename "$source")
{act}
[ -z "$dependencies" ] || echo "object: $source" {headers} > "$dependencies"
{{ echo "$name"; [ "$name" = linked ] || cat "$source"; }} > "$output"
"""


class FakeCompiler:
    """A script that is to be the value of CXX."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "fake-compiler"
        self.log = folder / "fake-compiler.log"
        self.act("")

    def act(self, text: str, headers: str = "") -> None:
        """Set what it does before it writes, as shell text, and which headers it says it read."""
        script = SCRIPT.format(log=self.log, act=text, headers=headers)
        # Another name first: a running script must not change.
        self.path.with_suffix(".new").write_text(script)
        self.path.with_suffix(".new").chmod(0o755)
        os.replace(self.path.with_suffix(".new"), self.path)

    def compiled(self) -> list[str]:
        """Return the names of what was compiled or linked since the last time, sorted."""
        if not self.log.exists():
            return []
        commands = [line.split() for line in self.log.read_text().splitlines()]
        self.log.unlink()
        sources = [
            words[words.index("-c") + 1] if "-c" in words else "linked" for words in commands
        ]
        return sorted(map(os.path.basename, sources))


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def wait_until(condition, seconds: float = 60) -> None:
    """Wait for something that comes for sure; fail if it does not."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not come"
        time.sleep(0.01)
