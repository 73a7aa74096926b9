# SPDX-License-Identifier: Apache-2.0
"""What mypy makes of the stubs of ``python -m tain stubgen``."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import stub_files

import tain
from tain.stubgen import namespace_stubs, write_stubs

pytestmark = pytest.mark.slow

USER = (stub_files.FOLDER / "user.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def stubbed() -> dict[str, str]:
    return stub_files.stubbed()


def typings(folder: Path, stubs: dict[str, str]) -> Path:
    """Write stubs so that mypy finds them with MYPYPATH."""
    for module, text in stubs.items():
        file = folder.joinpath(*module.split("."), "__init__.pyi")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def run(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **env},
    )


def mypy(folder: Path, *arguments: str) -> str:
    result = run("mypy", "--strict", *arguments, cwd=folder, MYPYPATH=str(folder))
    return result.stdout + result.stderr


def test_user_code_and_stubs_pass_mypy(stubbed: dict[str, str], tmp_path: Path) -> None:
    typings(tmp_path, stubbed)
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    assert "Success" in mypy(tmp_path, "user.py")
    assert "Success" in mypy(tmp_path, "-p", "tain.types.stubbed")


MISTAKES = {
    "Shape(1, 2)": "No overload variant",
    "Shape()": "Cannot instantiate abstract class",
    "Scale()": "Missing named argument",
    "circle.count = 'a'": "Incompatible types in assignment",
    "circle.name = 'a'": 'Property "name" defined in "Shape" is read-only',
    "circle.nothing": 'has no attribute "nothing"',
    "class A(Square): ...": "final",
    "by_width('a')": "incompatible type",
}


def test_mistakes_are_found(stubbed: dict[str, str], tmp_path: Path) -> None:
    typings(tmp_path, stubbed)
    (tmp_path / "user.py").write_text("\n".join([USER, *MISTAKES]), encoding="utf-8")
    first = len(USER.splitlines()) + 2
    found = mypy(tmp_path, "user.py")
    for line, (code, message) in enumerate(MISTAKES.items(), first):
        errors = [e for e in found.splitlines() if e.startswith(f"user.py:{line}: ")]
        assert any(message in error for error in errors), f"{code}: {found}"


# What no stub can say: names that no Python code spells, and a default that the signature shows as
# an Array though its type is a tuple. The descriptor of an abstract method that C++ code of a child
# defines says that it is abstract, though the child can be constructed.
ALLOWED = r"""
tain\.types\.testing\.OddMembers\.(class|lambda|a-b)
tain\.types\.testing\.overload\.Trip\.(class|from)
tain\.types\.testing\.(Blob|Tile)\.area
tain\.types\.testing\.StlFields\.__init__
tain\.types\.testing\.x\.(__all__|class|import)
"""


def test_stubtest_agrees_on_the_testing_library(tmp_path: Path) -> None:
    stubs = namespace_stubs("testing")
    typings(tmp_path, stubs)
    (tmp_path / "allowed").write_text(ALLOWED)
    result = run(
        "mypy.stubtest",
        "--concise",
        "--allowlist",
        "allowed",
        "tain.types.testing",
        cwd=tmp_path,
        MYPYPATH=str(tmp_path),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Success" in mypy(tmp_path, "-p", "tain.types.testing")


def test_a_partial_stub_package_is_found_by_mypy(tmp_path: Path) -> None:
    """Partial stub packages count in the environment's site-packages."""
    venv.create(tmp_path / "venv", with_pip=False)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    folder = Path(str(tain.__file__)).parent.parent
    import typing_extensions

    others = Path(typing_extensions.__file__).parent
    (site / "others.pth").write_text(f"{folder}\n{others}\n")
    write_stubs(["testing"], types=True, output=site)
    assert (site / "tain-stubs" / "py.typed").read_text() == "partial\n"
    (tmp_path / "user.py").write_text(
        "import tain\n"
        "from tain.types import other\n"
        "from tain.types.testing import Point\n"
        "reveal_type(Point(1).norm())\n"
        "reveal_type(tain.Array([1]))\n"
        "reveal_type(other.Name)\n"
    )
    python = tmp_path / "venv" / "bin" / "python"
    result = run("mypy", "--strict", "--python-executable", str(python), "user.py", cwd=tmp_path)
    revealed = [line.split('"')[1] for line in result.stdout.splitlines() if "Revealed" in line]
    assert revealed == ["float", "tain._values.Array[int]", "Any"], result.stdout


def test_a_package_passes_mypy(tmp_path: Path) -> None:
    package = stub_files.make_package(tmp_path)
    assert stub_files.stubgen(package, "stub_package").returncode == 0
    assert "Success" in mypy(tmp_path, "-p", "stub_package")
