# SPDX-License-Identifier: Apache-2.0
"""Sources inside a Python script: what the first build costs, a later one, and one done before.

Each run starts with an empty cache. tain's header is precompiled in the background after the first
build; the later build, of another source, starts when that is done, and so does apache-tvm-ffi's.
"""

from __future__ import annotations

import json
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import processes
from report import Line, summary

_SECONDS = 120  # to wait for the precompiled header
_ARRAY = """
double total({0}Array<double> x) {{
  double sum = 0;
  for (double value : x) sum += value;
  return sum * {1};
}}
"""
# What apache-tvm-ffi calls TensorView has the same members.
_TENSOR = """
void add_one({0}TensorView x, {0}TensorView y) {{
  for (int64_t i = 0; i < x.size(0); ++i) {{
    static_cast<float*>(y.data_ptr())[i] = static_cast<float*>(x.data_ptr())[i] + {1};
  }}
}}
"""
_KINDS = {"Array<double>": ("total", _ARRAY), "TensorView": ("add_one", _TENSOR)}
_NAMESPACES = {"tain": "tain::", "tvm": "tvm::ffi::"}


# ---------------------------------------------------------------- in the child process


def _build(name: str, kind: str, number: int) -> float:
    """Build and load a source that has this number in it; return milliseconds."""
    cpp: Any
    if name == "tain":
        import tain.cpp as cpp
    else:
        import tvm_ffi.cpp as cpp
    function, text = _KINDS[kind]
    source = text.format(_NAMESPACES[name], number)
    start = time.perf_counter()
    cpp.load_inline(f"inline_{number}", cpp_sources=source, functions=[function])
    return (time.perf_counter() - start) * 1e3


def _wait_for_header(cache: str) -> None:
    """Return when the header of tain's inline sources is precompiled."""
    end = time.monotonic() + _SECONDS
    while not any(
        '"size"' in record.read_text()
        for header in Path(cache).glob("**/*.gch")
        for record in header.parent.glob("*.json")
    ):
        if time.monotonic() > end:
            raise TimeoutError(f"tain's header was not precompiled within {_SECONDS} s")
        time.sleep(0.1)


def builds(name: str, kind: str, cache: str) -> None:
    """Build one source and then another; print the milliseconds of both."""
    took = {"first": _build(name, kind, 1)}
    if name == "tain":
        _wait_for_header(cache)
    took["later"] = _build(name, kind, 2)
    print(json.dumps(took))


def rebuild(name: str, kind: str) -> None:
    """Load a source that another process has built; print the milliseconds."""
    print(json.dumps({"before": _build(name, kind, 2)}))


# ---------------------------------------------------------------- in the parent


def _job(name: str, kind: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as cache:
        code = (
            "import os, inline_builds\n"
            f"os.environ['TAIN_CACHE_DIR'] = os.environ['TVM_FFI_CACHE_DIR'] = {cache!r}\n"
            "inline_builds."
        )
        return {
            **processes.child(f"{code}builds({name!r}, {kind!r}, {cache!r})"),
            **processes.child(f"{code}rebuild({name!r}, {kind!r})"),
        }


def lines(names: list[str], quick: bool) -> list[Line]:
    """Return the times of builds beside apache-tvm-ffi's."""
    made = []
    for kind in _KINDS:
        jobs = {name: partial(_job, name, kind) for name in names if name in _NAMESPACES}
        figures = processes.in_turn(jobs, 1 if quick else 7)
        for key, title, targets in (
            ("first", "first build", {"tvm": 0.8}),
            ("later", "later build", {"tvm": 0.4}),
            ("before", "built before", {}),
        ):
            made.append(summary("inline sources", f"{kind}: {title}", "ms", figures[key], targets))
    return made
