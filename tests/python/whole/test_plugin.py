# SPDX-License-Identifier: Apache-2.0
"""examples/plugin: a C++ program without Python that loads a plugin with libtain.

The commands of its README are run as they stand, and the program must print what the README shows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "examples" / "plugin" / "README.md"

pytestmark = pytest.mark.slow  # the program and the plugin are compiled first

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command where the programs of this interpreter come first, as ninja does."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CXXFLAGS": "-Wall -Wextra -Werror"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def blocks() -> dict[str, str]:
    """Return the two blocks of the README: the commands, and what the last of them prints."""
    found = _BLOCK.findall(README.read_text(encoding="utf-8"))
    assert [language for language, _ in found] == ["sh", "text"]
    return dict(found)


@pytest.fixture(scope="module")
def built(blocks: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run all commands of the README but the last, and return the folder where they ran."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "examples").symlink_to(ROOT / "examples")
    *commands, last = blocks["sh"].splitlines()
    assert last == "build/plugin/shop build/plugin/libpricing.so"
    done = run("bash", "-ec", "\n".join(commands), folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_program_prints_what_the_readme_shows(built: Path, blocks: dict[str, str]) -> None:
    done = run(*blocks["sh"].splitlines()[-1].split(), folder=built)
    assert (done.returncode, done.stdout, done.stderr) == (0, blocks["text"], "")


@pytest.mark.parametrize("name", ["shop", "libpricing.so"])
def test_nothing_is_linked_with_python(built: Path, name: str) -> None:
    done = run("ldd", f"build/plugin/{name}", folder=built)
    assert done.returncode == 0, done.stderr
    needed = [Path(line.split()[0]).name for line in done.stdout.splitlines()]
    assert "libtain.so" in {library.partition(".so")[0] + ".so" for library in needed}
    assert "not found" not in done.stdout
    assert not [library for library in needed if "python" in library]


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        ([], 2, "usage: shop PLUGIN\n"),
        (["no.so"], 1, "shop: FileNotFoundError: there is no file no.so\n"),
        (
            ["build/plugin/build.ninja"],
            1,
            "shop: ValueError: no loader for modules of the format 'ninja' is registered: load "
            "the library that defines them, or register a loader as the global function "
            "ffi.Module.load_from_file.ninja\n",
        ),
    ],
)
def test_what_is_no_plugin_is_refused(
    built: Path, arguments: list[str], code: int, error: str
) -> None:
    done = run("build/plugin/shop", *arguments, folder=built)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", error)
