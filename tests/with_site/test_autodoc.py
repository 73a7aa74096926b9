# SPDX-License-Identifier: Apache-2.0
"""Sphinx's autodoc, napoleon and autosummary show a package of tain as they show Python's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from doc_blocks import ROOT, blocks

import tain

SOURCE = r"""
#include <stdexcept>
#include <tain/reflection/error_def.h>

enum class Side { kBuy, kSell };

struct MarketError : std::runtime_error {
  using std::runtime_error::runtime_error;
  int64_t code = 0;
};

struct Trade : tain::Object {
  double price;
  int64_t amount;
  Side side = Side::kBuy;
  Trade(double price, int64_t amount) : price(price), amount(amount) {}
  double Value() const { return price * static_cast<double>(amount); }
  tain::Array<double> Split(int64_t parts) const { return {price / static_cast<double>(parts)}; }
  double Twice(double x) const { return 2 * x; }
  int64_t TwiceInt(int64_t x) const { return 2 * x; }
  TAIN_OBJECT("market.Trade", Trade, tain::Object);
};

double Spread(const Trade& a, const Trade& b) { return a.price - b.price; }

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::EnumDef<Side>("market.Side", "A side.").value("BUY", Side::kBuy).value("SELL", Side::kSell);
  refl::ErrorDef<MarketError>("market.MarketError", "ValueError", "The market refuses.")
      .def_ro("code", &MarketError::code, "Its number.");
  refl::ObjectDef<Trade>("A trade.\n\nIt has a price.")
      .def_init<double, int64_t>(arg("price"), arg("amount") = 1, "Make a trade.")
      .def_rw("price", &Trade::price, "What one costs.")
      .def_ro("amount", &Trade::amount, "How many.")
      .def_rw("side", &Trade::side)
      .def("value", &Trade::Value, "What all cost.")
      .def("split", &Trade::Split, arg("parts"),
           "Split the trade.\n\nParameters\n----------\nparts : int\n    How many.")
      .def_static("free", [](int64_t n) { return tain::make_object<Trade>(0.0, n); }, arg("n"),
                  "A gift.")
      .def("twice", &Trade::Twice, arg("x"), "Of a float.")
      .def("twice", &Trade::TwiceInt, arg("x"), "Of an int.")
      .def_property("total", &Trade::Value, "The total.");
  refl::GlobalDef().def("market.spread", Spread, arg("a"), arg("b"), "The difference of prices.");
}
"""
MODULE = """
\"\"\"A market.\"\"\"

import tain

tain.load_library({library!r})
tain.init_ffi_api("market", __name__)
"""
CONF = """
import sys

sys.path.insert(0, {folder!r})
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.autosummary"]
"""
PAGE = """
Market
======

.. automodule:: market
   :members:
   :undoc-members:
   :special-members: __init__

.. currentmodule:: market

.. autosummary::

   Trade.split
   spread
"""
EXPECTED = """\
Market
******

A market.

exception market.MarketError(*args: object, **values: object)

   The market refuses.

   __init__(*args: object, **values: object) -> None

   code

      Its number.

      Type:
         int

class market.Side(value)

   A side.

   BUY = 0

   SELL = 1

class market.Trade(price: float, amount: int = 1)

   A trade.

   It has a price.

   __init__(price: float, amount: int = 1)

      Make a trade.

   amount: int

      How many.

   static free(n: int) -> Trade

      A gift.

   price: float

      What one costs.

   side: Side

   split(parts: int) -> Array[float]

      Split the trade.

      Parameters:
         **parts** (*int*) -- How many.

   total

      The total.

      Type:
         float

   twice(*args, **kwargs) -> float | int

      "twice(self, x: float) -> float"
         Of a float.

      "twice(self, x: int) -> int"
         Of an int.

   value() -> float

      What all cost.

market.spread(a: Trade, b: Trade) -> float

   The difference of prices.

"""


def built(folder: Path) -> str:
    """Build the page of a folder as text; warnings are errors."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "text"]
    done = subprocess.run(
        [*command, str(folder), str(folder / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return (folder / "out" / "index.txt").read_text(encoding="utf-8")


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The page of SOURCE as text."""
    library = tain.cpp.build_inline("market", cpp_sources=SOURCE)
    (tmp_path / "market.py").write_text(MODULE.format(library=library).lstrip())
    (tmp_path / "conf.py").write_text(CONF.format(folder=str(tmp_path)))
    (tmp_path / "index.rst").write_text(PAGE)
    return built(tmp_path)


def test_members_are_shown_as_pythons_own(page: str) -> None:
    described, _, summary = page.partition("+---")
    assert described == EXPECTED
    rows = [line.strip("|").split("|") for line in summary.splitlines() if line.startswith("|")]
    shown = ["".join(row[0].strip() for row in rows), " ".join(row[1].strip() for row in rows)]
    assert shown[0] == '"Trade.split"(parts)"spread"(a, b)'
    assert shown[1].split() == ["Split", "the", "trade.", "The", "difference", "of", "prices."]


def test_the_page_about_sphinx_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/sphinx.md: its library, its three files, and what comes of them."""
    code, _, module, conf, index, expected = (
        block.text for block in blocks(ROOT / "docs" / "sphinx.md")
    )
    library = tain.cpp.build_inline("market", cpp_sources=code)
    (tmp_path / "market").mkdir()
    (tmp_path / "market" / "__init__.py").write_text(module.replace("market.so", str(library)))
    (tmp_path / "conf.py").write_text(conf)
    (tmp_path / "index.rst").write_text(index)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    described, _, summary = built(tmp_path).partition("+---")
    assert described.strip() == expected.strip()
    assert "Split the value." in summary and "The difference of prices." in summary
