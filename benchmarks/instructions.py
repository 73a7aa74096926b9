# SPDX-License-Identifier: Apache-2.0
"""Instructions an operation, counted by callgrind: exact where time is noisy.

Started by `run.py --instructions`; as a program of its own it is what runs under callgrind.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import building  # noqa: E402
import contenders  # noqa: E402
import timing  # noqa: E402
from rows import ROWS, Row  # noqa: E402

_TURNS = (20, 220)  # two lengths of the loop: their difference is free of what stands around it


@cache
def marks() -> ModuleType:
    """Return the extension with callgrind's marks."""
    source = building.EXT / "callgrind_marks.c"
    return building.load_module(building.build(source, building.toolkit("c")))


def possible() -> bool:
    """Return whether instructions can be counted here, and say why if not."""
    if shutil.which("valgrind") is None:
        print("instructions are left out: valgrind is not installed", file=sys.stderr)
        return False
    try:
        marks()
    except RuntimeError as error:
        print(
            f"instructions are left out, valgrind's headers are missing: {error}", file=sys.stderr
        )
        return False
    return True


def count(rows: list[Row], names: list[str]) -> dict[str, dict[str, float]]:
    """Return the instructions of each row by contender; empty without valgrind."""
    if not possible():
        return {}
    for name in names:
        contenders.load(name)  # builds what is missing, outside of callgrind
    wanted = [str(ROWS.index(row)) for row in rows]
    totals = run([sys.executable, "-W", "ignore", __file__, ",".join(names), ",".join(wanted)])
    return _differences(rows, names, totals)


def run(program: list[str], environment: dict[str, str] | None = None) -> dict[str, int]:
    """Run a program under callgrind and return the instructions before each of its marks.

    The program calls `begin`.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out"
        options = [f"--callgrind-out-file={output}", "--instr-atstart=no"]
        command = ["valgrind", "--tool=callgrind", *options, *program]
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        totals = {}
        for path in Path(folder).iterdir():
            text = path.read_text(errors="replace")
            trigger = re.search(r"^desc: Trigger: Client Request: (\S+)", text, re.MULTILINE)
            total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
            if trigger and total:
                totals[trigger[1]] = int(total[1])
    return totals


def begin() -> None:
    """Begin to count in a program that `run` has started; what it imports is not counted."""
    marks().start()
    marks().dump("warm")  # what the first dump resolves must not be counted


def count_loop(loop: Callable[[int], float], key: str) -> None:
    """Run a loop, compiled from a row, with the marks that `of_one` knows."""
    loop(200)  # the interpreter specializes, caches fill
    for turns in _TURNS:
        marks().zero()
        loop(turns)
        marks().dump(f"{key}/{turns}")


def of_one(totals: dict[str, int], key: str, operations: int) -> float | None:
    """Return the instructions of one operation of a loop; None if it did not run."""
    found = [totals.get(f"{key}/{turns}") for turns in _TURNS]
    if found[0] is None or found[1] is None:
        return None
    return (found[1] - found[0]) / ((_TURNS[1] - _TURNS[0]) * timing.UNROLL * operations)


def _differences(
    rows: list[Row], names: list[str], totals: dict[str, int]
) -> dict[str, dict[str, float]]:
    counted: dict[str, dict[str, float]] = {}
    for row in rows:
        for name in names:
            figure = of_one(totals, f"{ROWS.index(row)}/{name}", row.count)
            if figure is not None:
                counted.setdefault(row.name, {})[name] = figure
    return counted


def main() -> None:
    """Run the rows, with a mark around each loop."""
    names = sys.argv[1].split(",")
    loaded = {name: made for name in names if (made := contenders.load(name)) is not None}
    begin()
    for index in map(int, sys.argv[2].split(",")):
        for name, loop in timing.loops_of(ROWS[index], loaded).items():
            count_loop(loop, f"{index}/{name}")


if __name__ == "__main__":
    main()
