# SPDX-License-Identifier: Apache-2.0
"""What stubs are made of in tests: the library ``stubbed``, and a package with an API."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tain
from tain.stubgen import namespace_stubs

FOLDER = Path(__file__).resolve().parents[1] / "package" / "stubs"

PACKAGE = '''
"""A package with Python code of its own."""

import os
from collections.abc import Sequence

import tain

LIMIT = 5
NAMES: list[str] = []
_private = {}


def first(items: Sequence[str], *, strict: bool = True) -> str:
    """Return the first."""
    return items[0]


class Own:
    """A class of Python."""

    size: int = 3

    def grow(self, by: int = 1) -> None:
        self.size += by


tain.init_ffi_api("testing.save", __name__)
'''

COMMAND = (
    "import tain, tain.types.testing, sys; from tain.__main__ import main; "
    "sys.exit(main(['stubgen', *sys.argv[1:]]))"
)


def stubbed() -> dict[str, str]:
    """Compile stubbed.cc and return the stubs of its namespaces by the names of their modules."""
    tain.cpp.load("stubbed", sources=[FOLDER / "stubbed.cc"], extra_cflags=["-O0"])
    return namespace_stubs("stubbed")


def make_package(folder: Path) -> Path:
    """Write a package ``stub_package``, and return its folder."""
    import tain.types.testing  # noqa: F401 -- loads the library

    made = folder / "stub_package"
    made.mkdir()
    (made / "__init__.py").write_text(PACKAGE)
    return made


def stubgen(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder that has the package."""
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=package.parent,
    )
