# SPDX-License-Identifier: Apache-2.0
"""Runs a list of cells, read as JSON from a file, as a notebook; prints what they print.

The environment of the tutorial runs it, in which only JupyterLab has been installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main(path: str) -> None:
    """Run the cells; a cell that fails ends the program with its error."""
    cells = json.loads(Path(path).read_text(encoding="utf-8"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    for cell in notebook.cells:
        for output in cell.outputs:
            print(output.get("text", ""), end="")


if __name__ == "__main__":
    main(sys.argv[1])
