# SPDX-License-Identifier: Apache-2.0
"""The source distribution has what a build needs, and what its tests and examples need.

TAIN_WHEELS is its folder; the wheel beside it was built from it by ``python -m build``.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

from tain import libinfo

ROOT = Path(__file__).resolve().parents[2]
TOP = f"tain-{libinfo.version()}"


def names_in_sdist() -> set[str]:
    """Return the files of the distribution, by their paths in it."""
    with tarfile.open(Path(os.environ["TAIN_WHEELS"]) / f"{TOP}.tar.gz") as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
    assert all(member.name.startswith(f"{TOP}/") for member in members)
    return {member.name.removeprefix(f"{TOP}/") for member in members}


def test_it_has_the_files_of_the_repository() -> None:
    command = ["git", "-C", str(ROOT), "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    left_out = {name for name in tracked if name.startswith(".ci/")}
    assert names_in_sdist() == (tracked - left_out) | {"PKG-INFO"}
