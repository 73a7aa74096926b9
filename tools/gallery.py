# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of docs/gallery.md: what two of the examples make.

Usage: ``python tools/gallery.py``, with tain installed, and what the extras `svg` and
`image-filter` name. Other releases of Graphviz and scikit-image draw others, so nothing compares
the files.
"""

from __future__ import annotations

import ast
import runpy
import sys

from drawing import FOLDER, ROOT

import tain

CODE = "x = 60 * 60 * hours"


def trees() -> None:
    """Draw a syntax tree, and the same after its constants were folded."""
    sys.path.insert(0, str(ROOT / "examples" / "pyast"))
    import pyast
    from pyast.convert import from_ast
    from pyast.folding import evaluate

    tree = from_ast(ast.parse(CODE))
    (FOLDER / "tree.svg").write_text(tain.to_svg(tree.body[0]), encoding="utf-8")
    pyast.Folder(evaluate).fold(tree)
    (FOLDER / "tree_folded.svg").write_text(tain.to_svg(tree.body[0]), encoding="utf-8")


def photograph() -> None:
    """Draw a photograph, filtered."""
    script = ROOT / "examples" / "image_filter" / "run.py"
    sys.argv = [str(script), "--output", str(FOLDER / "image_filter.png")]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as ended:
        if ended.code:
            raise


def main() -> None:
    """Draw all."""
    trees()
    photograph()


if __name__ == "__main__":
    main()
