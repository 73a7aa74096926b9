# SPDX-License-Identifier: Apache-2.0
"""Installs a project so that an import compiles what was edited, for ``python -m tain develop``."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["develop"]

_BACKEND = "scikit_build_core.build"
# The packages that the backend asks for beside the requirements in pyproject.toml: CMake and Ninja,
# unless the system has them.
_ASK_BACKEND = """
import json
from scikit_build_core.build import get_requires_for_build_editable
print(json.dumps(get_requires_for_build_editable()))
"""


def develop(folder: str, extras: list[str] | None = None, *, debug: bool = False) -> int:
    """Install the project in a folder; return the exit status of pip.

    The project is installed in place and without build isolation: the compiler then finds tain's
    headers at the same place each time. The arguments are those of the command.

    Raises
    ------
    ValueError
        There is no project in the folder, it is not built by scikit-build-core, or it does not have
        an extra.
    OSError
        A file cannot be read.
    """
    root = Path(folder)
    facts = _facts_of(root)
    known = facts.get("project", {}).get("optional-dependencies", {})
    chosen = [name for name in ("test",) if name in known] if extras is None else extras
    for name in chosen:
        if name not in known:
            has = f"has {', '.join(sorted(known))}" if known else "has none"
            raise ValueError(f"{root / 'pyproject.toml'} has no extra {name!r}: it {has}")
    print("What the build needs, in this environment:", flush=True)
    status = _pip(root, *facts.get("build-system", {}).get("requires", []))
    if status == 0 and (more := _asked_by_backend(root)):
        status = _pip(root, *more)
    if status != 0:
        return status
    print("The package, in place; an import compiles what has changed:", flush=True)
    options = ["--no-build-isolation", "-Ceditable.rebuild=true"]
    if "build-dir" not in facts.get("tool", {}).get("scikit-build", {}):
        options.append("-Cbuild-dir=build/{state}-{wheel_tag}")
    if debug:
        options.append("-Ccmake.build-type=Debug")
    package = f".[{','.join(chosen)}]" if chosen else "."
    return _pip(root, *options, "-e", package)


def _pip(root: Path, *arguments: str) -> int:
    """Run `pip install`, and say so; return its exit status."""
    if not arguments:
        return 0
    command = ("pip", "install", "--quiet", *arguments)
    print(f"$ python -m {shlex.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=root, check=False).returncode


def _asked_by_backend(root: Path) -> list[str]:
    command = [sys.executable, "-c", _ASK_BACKEND]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"scikit-build-core does not say what it needs to build {root}")
    # The backend may print before.
    asked: list[str] = json.loads(done.stdout.strip().splitlines()[-1])
    return asked


def _facts_of(root: Path) -> dict[str, Any]:
    """Return what pyproject.toml says."""
    file = root / "pyproject.toml"
    if not file.is_file():
        raise ValueError(
            "expected the folder of a project, with a pyproject.toml, got "
            f"{str(root.resolve())!r}: give another, or make a project with `python -m tain new`"
        )
    toml = _toml()
    try:
        facts: dict[str, Any] = toml.loads(file.read_text(encoding="utf-8"))
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {error}") from None
    backend = facts.get("build-system", {}).get("build-backend")
    if backend != _BACKEND:
        raise ValueError(f"{file}: expected the build-backend {_BACKEND!r}, got {backend!r}")
    return facts


def _toml() -> Any:
    """Return the module that reads TOML: Python has it since 3.11, pip brings one for 3.10."""
    from importlib import import_module

    for name in ("tomllib", "tomli", "pip._vendor.tomli"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise ValueError("reading pyproject.toml needs Python 3.11 or the package tomli")
