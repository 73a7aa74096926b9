# SPDX-License-Identifier: Apache-2.0
"""``python -m tain describe``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tain.describe import Description

__all__ = ["run"]


def run(given: argparse.Namespace) -> int:
    """Run the command; return the exit status.

    It is 0, and 1 after an error or, with --strict, if members are left out.
    """
    from tain.describe import HeaderError, describe

    try:
        settings = _settings(given)
        description = describe(settings)
    except HeaderError as error:
        print(_printable(str(error)), file=sys.stderr)
        return 1
    except (ImportError, OSError, ValueError) as error:
        return _complain(str(error))
    if description.complaints:
        return _complain("\n  ".join(description.complaints))
    try:
        _write(given.output, description.text, touch=given.touch)
        if given.depfile is not None:
            _write(given.depfile, _depfile(given.output, description.files))
    except OSError as error:
        return _complain(str(error))
    _print_table(description, is_quiet=given.quiet)
    return 1 if settings.strict and description.skipped else 0


def _settings(given: argparse.Namespace) -> Any:
    """Return the settings of the file and of the command line."""
    from tain.describe import _settings

    said = {
        "headers": given.headers or None,
        "namespaces": given.namespaces or None,
        "module": given.module,
        "strict": True if given.strict else None,
        "std": given.std,
        "compiler": given.compiler,
    }
    path = given.settings
    if path is None and not given.headers and Path("pyproject.toml").exists():
        path = "pyproject.toml"
    if path is None and not given.headers:
        raise ValueError(
            "no header is named: write `python -m tain describe HEADER --namespace NAMESPACE -o "
            "FILE`, or give a file of settings"
        )
    if path is None:
        data = {key: value for key, value in said.items() if value is not None}
        settings = _settings.from_mapping(data, "the command line", Path.cwd())
    else:
        settings = _settings.read(path, overrides=said)
    return _settings.with_options(
        settings,
        include_dirs=given.include_dirs,
        flags=[*(f"-D{one}" for one in given.macros), *given.flags],
    )


def _complain(text: str) -> int:
    print(f"python -m tain describe: {_printable(text)}", file=sys.stderr)
    return 1


def _printable(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()


def _write(output: str | None, text: str, *, touch: bool = False) -> None:
    """Write a file if it changes, whole or not at all; print the text if there is no file."""
    if output is None:
        sys.stdout.write(text)
        return
    path = Path(output)
    if path.exists() and path.read_bytes() == text.encode():
        if touch:
            os.utime(path)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(text.encode())
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _depfile(output: str | None, files: Sequence[str]) -> str:
    """Return a rule of make: the output depends on the headers."""
    escaped = [one.replace("\\", "\\\\").replace(" ", "\\ ").replace("$", "$$") for one in files]
    return f"{(output or '').replace(' ', chr(92) + ' ')}: " + " \\\n  ".join(escaped) + "\n"


def _print_table(description: Description, *, is_quiet: bool) -> None:
    """Print what is left out, by reason."""
    crossed, skipped = description.crossed, description.skipped
    total = crossed + len(skipped)
    share = 100 * crossed // total if total else 100
    excluded = f", {description.excluded} excluded" if description.excluded else ""
    print(f"{crossed} of {total} members cross ({share} %){excluded}", file=sys.stderr)
    if is_quiet:
        return
    width = min(48, max((len(name) for name, _ in skipped), default=0))
    for name, why in skipped:
        print(f"  {_printable(name):{width}}  {_printable(why)}", file=sys.stderr)
