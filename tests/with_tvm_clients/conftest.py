# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without packages that are compiled for apache-tvm-ffi.

They are installed beside `tain_tvm_ffi provide`: see the stage "clients of TVM FFI" of .ci/run.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from compiled_clients import compiled
from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "compiled", "libraries", "pytest_terminal_summary", "sides"]

NEEDED = ["package tain_tvm_ffi", "variable TAIN_REAL_TVM_FFI"]
FILES = (
    "test_both_headers.py",
    "test_both_headers_objects.py",
    "test_both_headers_tensors.py",
    "test_both_runtimes.py",
    "test_jobs.py",
)
NEEDS = dict.fromkeys(FILES, NEEDED)
collect_ignore = left_out(__file__, NEEDS, "see the stage of .ci/run")


@pytest.fixture(scope="session")
def libraries(compiled: Callable[..., Path]) -> Iterator[dict[str, ModuleType]]:
    """The functions of a library of each side's headers, which do the same."""
    import tain_tvm_ffi

    import tain

    fixtures = Path(__file__).parent / "fixtures"
    tain_tvm_ffi.load()
    headers = Path(os.environ["TAIN_REAL_TVM_FFI"]) / "tvm_ffi" / "include"
    options = ["-O0", "-std=c++17", "-fvisibility=hidden", "-isystem", str(headers)]
    tain.load_module(str(compiled(fixtures / "peer_values.cc", *options)))
    options = [
        "-O0",
        "-Wl,--as-needed",
        *tain.libinfo.cxxflags(),
        f"-L{tain.libinfo.lib_dir()}",
        "-ltain",
    ]
    tain.load_module(str(compiled(fixtures / "tain_values.cc", *options)))
    found = {name: import_module(f"tain.types.{name}") for name in ("peer", "tains")}
    for library in found.values():
        for name in dir(library):
            getattr(library, name)  # a function is made when it is asked for, and stays
    gc.collect()
    gc.freeze()  # each test collects garbage: only what came since is searched
    yield found
    gc.unfreeze()


@pytest.fixture(params=["peer", "tains"])
def sides(
    request: pytest.FixtureRequest, libraries: dict[str, ModuleType]
) -> Iterator[tuple[ModuleType, ModuleType]]:
    """One library and the other one; what they made is gone in the end."""
    import tain

    def alive() -> list[list[int]]:
        return [list(one.alive()) for one in libraries.values()]

    other = "tains" if request.param == "peer" else "peer"
    before = alive()
    with tain.testing.no_leaks():
        yield libraries[request.param], libraries[other]
    assert alive() == before
