# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without a kernel of Jupyter.

They need pip install "tain[test-notebook]".
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from optional import left_out
from optional import pytest_terminal_summary as pytest_terminal_summary

KERNEL = ["package nbclient", "package nbformat", "package ipykernel"]
NEEDS = {path.name: KERNEL for path in Path(__file__).parent.glob("test_*.py")}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-notebook]"')


class Kernel:
    """A kernel of Jupyter in a process of its own, whose cells nbclient runs."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def cell(self, text: str) -> Any:
        """Run a cell at the end of the notebook; return it with its outputs."""
        from nbformat.v4 import new_code_cell

        self.client.nb.cells.append(new_code_cell(text))
        made = self.client.nb.cells[-1]
        return self.client.execute_cell(made, len(self.client.nb.cells) - 1)

    def printed(self, text: str) -> str:
        """Run a cell; return what it prints."""
        return "".join(
            out["text"] for out in self.cell(text).outputs if out["output_type"] == "stream"
        )

    def error(self, text: str) -> Any:
        """Run a cell that fails; return the output with its error."""
        from nbclient.exceptions import CellExecutionError

        with pytest.raises(CellExecutionError):
            self.cell(text)
        (found,) = [
            out for out in self.client.nb.cells[-1].outputs if out["output_type"] == "error"
        ]
        return found

    def completions(self, text: str) -> list[str]:
        """Return what a front end offers at the end of a text."""
        from nbclient.util import run_sync

        async def ask() -> Any:
            return await self.client.kc.complete(text, len(text), reply=True, timeout=60)

        return run_sync(ask)()["content"]["matches"]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    """A kernel with the magic."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_notebook

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    client = NotebookClient(new_notebook(), timeout=240, kernel_name="python3")
    with client.setup_kernel(cwd=str(tmp_path)):
        made = Kernel(client)
        made.cell("%load_ext tain")
        yield made
