# SPDX-License-Identifier: Apache-2.0
"""pyright in its strict mode, with the stubs in the installed package. Needs basedpyright."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import stub_files

import tain


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tain as an installation has it, and the stubs in it."""
    root = tmp_path_factory.mktemp("pyright")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(str(tain.__file__)).parent, root / "site" / "tain", ignore=ignored)
    core = Path(str(tain._core.__file__)).with_name("_core.pyi")
    shutil.copy(core, root / "site" / "tain")
    for module, text in stub_files.stubbed().items():
        file = root.joinpath("site", *module.split("."), "__init__.pyi")
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    settings = {"typeCheckingMode": "strict", "extraPaths": ["site"], "ignore": ["site/tain/*.py"]}
    (root / "pyrightconfig.json").write_text(json.dumps(settings))
    return root


def pyright(folder: Path, *files: str) -> list[str]:
    command = [sys.executable, "-m", "basedpyright", "--outputjson", *files]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    found = json.loads(result.stdout)
    assert found["summary"]["filesAnalyzed"] == len(files)
    return [each["message"] for each in found["generalDiagnostics"] if each["severity"] == "error"]


def test_user_code(folder: Path) -> None:
    shutil.copy(stub_files.FOLDER / "user.py", folder / "user.py")
    assert pyright(folder, "user.py") == []


def test_the_stubs(folder: Path) -> None:
    names = ("site/tain/types/stubbed/__init__.pyi", "site/tain/types/stubbed/Tree/__init__.pyi")
    assert pyright(folder, *names) == []


def test_a_mistake_is_found(folder: Path) -> None:
    (folder / "wrong.py").write_text("from tain.types.stubbed import Square\nSquare(1)\n")
    (message,) = pyright(folder, "wrong.py")
    assert message.startswith("Expected 0 positional arguments")
