# SPDX-License-Identifier: Apache-2.0
"""Built modules: saved, loaded in a fresh process, and in a C++ program without Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te

import tain

PROGRAM = r"""
#include <tain/tain.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  try {
    const tain::Module module = tain::Module::LoadFromFile(argv[1]);
    const tain::Tensor in = tain::Tensor::FromVector(std::vector<float>{1, 2, 3});
    const tain::Tensor out = tain::Tensor::FromVector(std::vector<float>(argc == 2 ? 3 : 2));
    module["main"](in, out);
    const auto* b = static_cast<const float*>(out->data);
    std::printf("%g %g %g\n", b[0], b[1], b[2]);
  } catch (const tain::Error& error) {
    std::printf("%s\n", error.what());
  }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] * 2 + 1, name="B")
    path = tmp_path_factory.mktemp("modules") / "double.so"
    tx.build(te.create_schedule(b), [a, b]).export_library(str(path))
    return path


def test_a_module_says_what_it_has(library: Path) -> None:
    module = tain.load_module(str(library))
    assert module.entry_name == "main" and list(module.get_function_list()) == ["main"]
    assert "te_check(" in module.get_source()
    x, y = np.arange(8, dtype="float32"), np.zeros(8, "float32")
    module(x, y)
    np.testing.assert_array_equal(y, x * 2 + 1)
    timing: Any = module.time_evaluator(module.entry_name, tain.cpu(0), number=2)(x, y)
    assert timing.mean >= 0


def test_a_fresh_process(library: Path) -> None:
    code = (
        "import sys, numpy, tain; y = numpy.zeros(2, 'float32');"
        "tain.load_module(sys.argv[1])(numpy.ones(2, 'float32'), y); print(y.tolist());"
        "print('tensorexpr' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(library)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["[3.0, 3.0]", "False"]


def test_a_program_without_python(library: Path, tmp_path: Path) -> None:
    def config(what: str) -> list[str]:
        command = [sys.executable, "-m", "tain", "config", what]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    source, program = tmp_path / "run.cc", tmp_path / "run"
    source.write_text(PROGRAM, encoding="utf-8")
    subprocess.run(
        ["g++", *config("--cflags"), str(source), "-o", str(program), *config("--libs")], check=True
    )
    for arguments, expected in (
        ([str(library)], "3 5 7"),
        ([str(library), "short"], "main: argument B: expected extent 3 of dimension 0, got 2"),
    ):
        done = subprocess.run(
            [str(program), *arguments], capture_output=True, text=True, check=True
        )
        assert expected in done.stdout
