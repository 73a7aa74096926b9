# SPDX-License-Identifier: Apache-2.0
"""``python -m tain stubgen``."""

from __future__ import annotations

import argparse
import sys

__all__ = ["run"]


def run(given: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0, 1 if files differ, 2 for other errors."""
    from tain import _editable, load_library
    from tain.stubgen import _files
    from tain.stubgen._modules import import_named

    try:
        if given.built is not None:
            for name in given.names:
                _editable.give(name, given.source, given.built)
        elif given.source is not None:
            sys.path.insert(0, given.source)
        for module in given.imports:
            import_named(module)
        for library in given.load:
            load_library(library)
        if given.check:
            files = _files.files_of(given.names, types=given.types, output=given.output)
            text = _files.difference(files)
            sys.stdout.write(text.encode(errors="backslashreplace").decode())
            return 1 if text else 0
        for path in _files.write_stubs(given.names, types=given.types, output=given.output):
            print(path)
    except (ImportError, OSError, ValueError) as error:
        text = str(error).encode(errors="backslashreplace").decode()
        print(f"python -m tain stubgen: {text}", file=sys.stderr)
        return 2
    return 0
