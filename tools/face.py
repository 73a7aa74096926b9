#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes python/tain/__init__.pyi, the names of the package for type checkers and editors.

The names are those of the tables in python/tain/__init__.py, which imports them when they are first
used. ``--check`` compares instead of writing.
"""

import argparse
import sys
from pathlib import Path

import tain

FILE = Path(__file__).parents[1] / "python" / "tain" / "__init__.pyi"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Made by tools/face.py of the tables in __init__.py.
"""
# Where type checkers find the classes that C++ makes.
VALUES = "_values"


def lines() -> list[str]:
    """Return the lines of the stub."""
    imports: dict[str, list[str]] = {}
    for module, names in tain._NAMES_OF.items():
        imports.setdefault(module, []).extend(names)
    for name in tain._AT_ONCE:
        is_class = isinstance(getattr(tain, name), type)
        imports.setdefault(VALUES if is_class else "_core", []).append(name)
    imports.setdefault(VALUES, []).extend(tain._CLASSES)
    made = [f"from tain import {name} as {name}" for name in sorted(tain._MODULES)]
    for module in sorted(imports):
        made += [f"from tain.{module} import {name} as {name}" for name in sorted(imports[module])]
    return [*made, "", "PackedFunc = Function", "__version__: str"]


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    text = HEAD + "\n".join(lines()) + "\n"
    if not parser.parse_args().check:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        print(f"{FILE} is out of date: run tools/face.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
