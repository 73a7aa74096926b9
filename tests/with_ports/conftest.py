# SPDX-License-Identifier: Apache-2.0
"""Both bindings of each library in examples/ports, built once; each file of tests takes both."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from optional import left_out, pytest_terminal_summary

PORTS = Path(__file__).resolve().parents[2] / "examples" / "ports"
sys.path.insert(0, str(PORTS))

import ports  # noqa: E402

__all__ = ["collect_ignore", "pytest_terminal_summary"]

BUILD = ["program cmake", "program ninja", "package numpy"]
NEEDS = {
    f"test_{port.name}.py": [f"file {port.header}", f"package {port.other}", *BUILD]
    for port in ports.PORTS.values()
}
collect_ignore = left_out(
    __file__,
    NEEDS,
    "apt-get install "
    + " ".join(port.package for port in ports.PORTS.values())
    + " && pip install pybind11 nanobind",
)


@pytest.fixture(scope="session")
def binding(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Any]:
    """A function of a port and a tool that returns the module; it is built at the first call.

    TAIN_PORTS_BUILD may name a folder to build in, which the next run finds again.
    """
    kept = os.environ.get("TAIN_PORTS_BUILD")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("ports")
    loaded: dict[tuple[str, str], Any] = {}

    def module(name: str, tool: str) -> Any:
        port = ports.PORTS[name]
        if (name, tool) not in loaded:
            ports.configure(port, folder / name)
            target = port.target if tool == "tain" else port.module
            ports.build(folder / name, target)
            loaded[name, tool] = ports.load(port, tool, folder / name)
        return loaded[name, tool]

    return module
