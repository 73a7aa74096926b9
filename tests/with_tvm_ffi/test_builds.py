# SPDX-License-Identifier: Apache-2.0
"""`tvm_ffi.cpp`: the options that tain itself does not have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

BEGIN = """
import tvm_ffi
CODE = "int add(int a, int b) { return a + b; }"
def raised(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"
"""


@pytest.fixture
def program(run: Callable[..., str], tmp_path: Path) -> Callable[..., list[str]]:
    def run_text(text: str) -> list[str]:
        file = tmp_path / "program.py"
        file.write_text(BEGIN + text)
        return run(str(file)).splitlines()

    return run_text


def test_a_backend_is_for_gpu_code(program: Callable[..., list[str]]) -> None:
    """Without such code any backend does; tain has no compiler for that of AMD."""
    lines = program(
        """
for backend in (None, "cuda", "hip"):
    built = tvm_ffi.cpp.load_inline(
        "plain", cpp_sources=CODE, functions="add", backend=backend, extra_cflags=None,
        keep_module_alive=False)
    print(built.add(1, 2))
load = tvm_ffi.cpp.load_inline
print(raised(load, "gpu", cuda_sources=CODE, functions="add", backend="hip"))
print(raised(load, "gpu", cpp_sources=CODE, backend="metal"))
print(raised(tvm_ffi.cpp.build, "gpu", sources="a.cu", backend="hip").partition(":")[0])
print(raised(load, "x", cpp_sources=CODE, backends="hip"))
""",
    )
    assert lines[:3] == ["3"] * 3
    assert lines[3].startswith("RuntimeError: backend='hip': tain compiles code for GPUs with nvcc")
    assert lines[4] == (
        "ValueError: Invalid backend: metal. Supported backends are 'cuda' and 'hip'."
    )
    assert lines[5] == "RuntimeError"
    assert "has no parameter 'backends'" in lines[6]


def test_files_by_language(program: Callable[..., list[str]], tmp_path: Path) -> None:
    source = tmp_path / "add.cc"
    source.write_text(
        "#include <tain/tain.h>\nTAIN_EXPORT(add, [](int a, int b) { return a + b; });\n"
    )
    text = f"""
print(tvm_ffi.cpp.load("files", cpp_files={str(source)!r}, backend="hip").add(1, 2))
print(tvm_ffi.load_module(tvm_ffi.cpp.build("files", cpp_files=[{str(source)!r}])).add(3, 4))
"""
    assert program(text) == ["3", "7"]
