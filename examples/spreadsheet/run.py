# SPDX-License-Identifier: Apache-2.0
"""Calculates a small budget: formulas, a function of Python, a listener, a cycle, undo, JSON."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> None:
    """Run everything with one of the two engines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nanobind", action="store_true", help="use the engine with nanobind")
    options = parser.parse_args()
    engine = importlib.import_module("spreadsheet_nb" if options.nanobind else "spreadsheet")

    class Euros(engine.Sheet):
        def format(self, value: object) -> str:
            return f"{value:.2f} EUR" if isinstance(value, float) else super().format(value)

    class Tax(engine.Function):
        def __init__(self, rate: float) -> None:
            super().__init__("TAX")
            self.rate = rate

        def evaluate(self, args: list[float]) -> float:
            return args[0] * self.rate

    sheet = Euros()
    sheet.define(Tax(0.19))
    sheet.define("ROUND", lambda value, digits: round(value, int(digits)))
    for row, (name, price) in enumerate({"bread": 3.2, "milk": 1.15, "tea": 4.9}.items(), 1):
        sheet[f"A{row}"], sheet[f"B{row}"] = name, price
    sheet["B4"] = "=SUM(B1:B3)"
    sheet["B5"] = "=ROUND(TAX(B4), 2)"
    sheet["B6"] = engine.Reference("B4") + engine.Reference("B5")
    for cell in sheet:
        print(f"{cell.address}  {cell.expr.text():18}{sheet.display(cell.address)}")

    sheet.listen(lambda addresses: print("changed:", *addresses))
    sheet.checkpoint()
    sheet["B3"] = 6
    print("B6 is now", sheet.display("B6"))
    sheet["B2"] = "=B6/10"
    try:
        sheet["B6"]
    except engine.CycleError as error:
        print("a cycle:", " -> ".join(error.path))
    sheet.undo()
    print("B6 is again", sheet.display("B6"))

    plain = engine.Sheet(cells=sheet.cells)  # functions of Python cannot be saved
    text = engine.save(plain)
    again = engine.load(text)
    print("difference after loading:", engine.difference(plain, again))
    again["B1"] = 3.4
    print("difference after a change:", engine.difference(plain, again))


if __name__ == "__main__":
    main()
