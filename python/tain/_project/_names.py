# SPDX-License-Identifier: Apache-2.0
"""Says which names a new package cannot have, and why."""

from __future__ import annotations

import keyword
import re
import sys

__all__ = ["check_name"]

# Distributions that a project needs or that its tests need.
_NEEDED = ("cmake", "mypy", "ninja", "numpy", "pip", "pytest", "scikit_build_core")
# The names of tain itself, of the namespaces of its types, and of its libraries.
_TAINS = ("tain", "ffi", "testing", "tain_names", "tain_testing")
# Targets that CMake makes, or reserves.
_TARGETS = (
    *("all", "clean", "depend", "edit_cache", "help", "install", "package", "package_source"),
    *("rebuild_cache", "test"),
)
# `python -m pytest` puts the root of the project before the installed packages.
_FOLDERS = ("build", "dist", "python", "src", "tests")
_REASONS = (
    (_TAINS, "tain itself has this name"),
    (_NEEDED, "a package that the project needs has this name"),
    (_FOLDERS, "a folder of the project has this name"),
    (_TARGETS, "CMake reserves this name"),
)


def check_name(name: str) -> None:
    """Check the name of a new package.

    It becomes that of a Python package, of a distribution, of a namespace of types, and of a target
    of CMake.

    Raises
    ------
    ValueError
        The name does not fit one of these. The text says why, and suggests another if it can.
    """
    reason = _reason(name)
    if reason is not None:
        fitting = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        hint = "choose another name"
        for other in (fitting, f"my_{fitting}", f"{fitting}_types"):
            if fitting and _reason(other) is None:
                hint = f"{other} would do"
                break
        raise ValueError(f"{name!r} cannot be the name of a package: {reason}; {hint}")


def _reason(name: str) -> str | None:
    """Return why a name does not fit, or None."""
    if not name.isidentifier():
        return "it is not an identifier"
    if not name.isascii():
        return "names of distributions have letters, digits and _ of ASCII only"
    if name.startswith("_") or name.endswith("_"):
        return "names of distributions begin and end with a letter or digit"
    if keyword.iskeyword(name):
        return "it is a keyword of Python"
    # Some file systems do not tell small letters from capital ones, and pip does not either.
    small = name.lower()
    if small in {module.lower() for module in sys.stdlib_module_names}:
        return "a module of the standard library has this name"
    return next((reason for names, reason in _REASONS if small in names), None)
