# SPDX-License-Identifier: Apache-2.0
"""What the file for debuggers, which imports nothing of tain, repeats of tain's tables."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

import tain
from tain import libinfo
from tain._debugger import printers


@pytest.mark.parametrize("kind", range(1, 40))
def test_devices(kind: int) -> None:
    cell = struct.pack("<iIii", 6, 0, kind, 3)
    assert printers._Memory(lambda *_: b"").any(cell) == str(tain.Device(kind, 3))


def _newest_code() -> int:
    header = Path(libinfo.include_dir(), "tain", "dlpack_types.h").read_text(encoding="utf-8")
    return max(int(code) for code in re.findall(r"^  kDL\w+ = (\d+)U\b", header, re.MULTILINE))


@pytest.mark.parametrize("code", range(_newest_code() + 1))
@pytest.mark.parametrize("lanes", [1, 4])
def test_data_types(code: int, lanes: int) -> None:
    width = {3: 64, 4: 16, 5: 64, 6: 8, 15: 6, 16: 6, 17: 4}.get(code, 8 if code > 6 else 32)
    shown = printers._dtype(struct.pack("<BBH", code, width, lanes))
    dtype = tain.dtype(shown)
    assert (dtype.code, dtype.bits, dtype.lanes) == (code, width, lanes)
    assert str(dtype) == shown
