# SPDX-License-Identifier: Apache-2.0
"""Test files that need packages or programs which a machine may lack.

A file whose needs are not met is no part of the run, whatever the other files of its folder need;
the end of the run names it. For the conftest.py of such a folder, which also imports the hook.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["left_out", "pytest_terminal_summary"]


def has_gpu(_: str) -> bool:
    """Return whether the driver of CUDA finds a GPU."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


#: For each kind of need, whether there is one of a name.
KINDS: dict[str, Callable[[str], Any]] = {
    "package": importlib.util.find_spec,
    "program": shutil.which,
    "variable": os.environ.get,
    "folder": os.path.isdir,
    "file": os.path.isfile,
    "gpu": has_gpu,
}
#: What the end of the run tells, by file.
LEFT_OUT: dict[str, str] = {}


def missing(needs: Sequence[str]) -> list[str]:
    """Return the needs that are not met: ``package numpy``, ``program dot``."""
    return [need for need in needs if not KINDS[need.split()[0]](need.split()[1])]


def left_out(conftest: str, needs: Mapping[str, Sequence[str]], remedy: str) -> list[str]:
    """Return the files beside a conftest.py that cannot run here, for ``collect_ignore``."""
    folder = Path(conftest).parent
    found = {file: missing(wanted) for file, wanted in needs.items()}
    for file, lacks in found.items():
        assert (folder / file).is_file(), file
        if lacks:
            LEFT_OUT[f"{folder.name}/{file}"] = f"needs {', '.join(lacks)}: {remedy}"
    return [file for file, lacks in found.items() if lacks]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name what was left out, once for all folders."""
    if not LEFT_OUT:
        return
    terminalreporter.section("left out")
    for file, why in LEFT_OUT.items():
        terminalreporter.write_line(f"tests/{file} {why}")
    LEFT_OUT.clear()
