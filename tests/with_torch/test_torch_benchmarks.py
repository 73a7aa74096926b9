# SPDX-License-Identifier: Apache-2.0
"""The rows of benchmarks/ about PyTorch's tensors, beside a custom operator. No time is checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def test_rows_of_pytorch_run(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    command = [sys.executable, str(FOLDER / "run.py"), "arrays of PyTorch", "--quick"]
    command += ["--contenders", "tain,torch", "--json", str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert result.returncode == 0, result.stderr
    found = {row["name"]: set(row["values"]) for row in json.loads(file.read_text())["rows"]}
    assert found == {
        "torch vector to TensorView": {"tain", "torch"},
        "torch vector to TensorRef<const float, 1>": {"tain", "torch"},
        "torch tensor through Tensor": {"tain"},
        "result of 3 floats as a torch tensor": {"tain", "torch"},
        "eight torch tensors in one call": {"tain", "torch"},
    }


def test_their_functions_do_what_the_rows_say() -> None:
    code = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
import contenders, torch
x = torch.zeros(4)
for name in ("tain", "torch"):
    m = contenders.load(name).torch
    assert [m.array_view(x), m.array_ref(x), m.eight_arrays(*[x] * 8)] == [4, 4, 32]
    assert isinstance(m.new_like(x), torch.Tensor) and m.new_like(x).tolist() == [0, 1, 2]
assert contenders.load("tain").torch.echo_array(x) is x
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=280)
