# SPDX-License-Identifier: Apache-2.0
"""DLPack's own header beside tain's, in both orders.

DLPack's header is no part of the tests' environment: one with the same declarations stands for it.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tain import libinfo

USE = """
int64_t of_tain(tain::TensorView x) { const DLTensor& t = *x.operator->(); return t.shape[0]; }
DLTensor of_dlpack{nullptr, {kDLCPU, 0}, 0, {kDLFloat, 32, 1}, nullptr, nullptr, 0};
"""
HEADER = "#include <dlpack/dlpack.h>\n"
TENSOR = "#include <tain/tensor.h>\n"


def compiled(folder: Path, versions: str, source: str) -> str:
    """Compile a source where <dlpack/dlpack.h> is of these versions; what the compiler says."""
    ours = Path(libinfo.include_dir(), "tain", "dlpack_types.h").read_text(encoding="utf-8")
    found = re.search(r"#define TAIN_DLPACK_DECLARED 1\n(.*)#endif\n\Z", ours, re.DOTALL)
    assert found is not None
    (folder / "dlpack").mkdir()
    header = f"#pragma once\n#include <stdint.h>\n{versions}\n{found[1]}"
    (folder / "dlpack" / "dlpack.h").write_text(header, encoding="utf-8")
    (folder / "use.cc").write_text(source + USE, encoding="utf-8")
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra"]
    command += [f"-I{libinfo.include_dir()}", f"-I{folder}", str(folder / "use.cc")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr


@pytest.mark.parametrize("source", [HEADER + TENSOR, TENSOR + HEADER, TENSOR])
def test_dlpacks_own_header_declares_the_structs(tmp_path: Path, source: str) -> None:
    versions = "#define DLPACK_MAJOR_VERSION 1\n#define DLPACK_MINOR_VERSION 1"
    assert compiled(tmp_path, versions, source) == ""


def test_a_header_before_dlpack_1_is_refused(tmp_path: Path) -> None:
    said = compiled(tmp_path, "#define DLPACK_VERSION 80", HEADER + TENSOR)
    assert "tain needs DLPack 1.0 or later: the dlpack/dlpack.h that this file includes" in said
