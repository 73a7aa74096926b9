# SPDX-License-Identifier: Apache-2.0
"""Cells of C++ in a real kernel of Jupyter."""

from __future__ import annotations

import re
from typing import Any

import pytest
from doc_blocks import ROOT, blocks, printed

POINT = """\
%%tain
#include <cmath>
struct Point : tain::Object {
  double x = 0, y = 0;
  tain::Map<tain::String, int64_t> names;
  double Norm(double power) const {
    if (x < 0) TAIN_THROW(ValueError) << "x is negative";
    return POWER;
  }
  TAIN_OBJECT("plane.Point", Point, tain::Object);
};
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<Point>("A point.")
      .def_rw("x", &Point::x)
      .def_rw("y", &Point::y)
      .def_rw("names", &Point::names)
      .def_init_fields()
      .def("norm", &Point::Norm, tain::arg("power") = 2.0);
  refl::GlobalDef().def("plane.copied", [](const Point& p, bool upright) {
    return tain::make_object<Point>(p);
  }, tain::arg("p"), tain::arg("upright") = false);
}
"""
FIRST = POINT.replace("POWER", "std::pow(x, power)")
SECOND = POINT.replace("POWER", "100 * x")


@pytest.mark.parametrize("page", ["notebooks", "first_hour"])
def test_the_cells_of_a_page(page: str, kernel: Any) -> None:
    cells = [
        block.text
        for block in blocks(ROOT / "docs" / f"{page}.md")
        if block.language in ("ipython", "python") and block.file is None
    ]
    assert (cells[0], kernel.printed("%unload_ext tain")) == ("%load_ext tain\n", "")
    said = [line for cell in cells for line in kernel.printed(cell).splitlines()]
    assert said == printed(ROOT / "docs" / f"{page}.md")


def test_a_cell_is_edited_and_run_again(kernel: Any) -> None:
    assert kernel.printed(FIRST) == ""
    assert kernel.printed("old = Point(x=3); print(old.norm(), copied(old).x)") == "9.0 3.0\n"
    kernel.cell(SECOND)
    assert kernel.printed("print(Point(x=3).norm(), old.norm())") == "300.0 9.0\n"
    assert kernel.printed("print(type(old) is Point, type(copied(Point())) is Point)") == (
        "False True\n"
    )
    kernel.cell(FIRST)  # the first text again, which is not compiled again
    assert kernel.printed("print(Point(x=3).norm())") == "9.0\n"


def test_a_compile_error_names_the_line_of_the_cell(kernel: Any) -> None:
    error = kernel.error(POINT)
    assert error["ename"] == "CompileError"
    assert error["evalue"].startswith("<cell_plane_Point>:8:12: error: ")
    first, source, mark, *_ = error["traceback"]
    assert first == f"CompileError: {error['evalue'].splitlines()[0]}"
    assert (source, mark) == ("    8 |     return POWER;", "      |            ^")
    assert not any("tain/cpp" in line for line in error["traceback"])
    kernel.cell(FIRST)
    assert kernel.printed("print(Point(x=3).norm())") == "9.0\n"


def test_the_traceback_of_a_throw_has_the_line_of_the_cell(kernel: Any) -> None:
    kernel.cell(FIRST)
    error = kernel.error("Point(x=-1).norm()")
    assert (error["ename"], error["evalue"]) == ("ValueError", "x is negative")
    assert "x is negative" in "\n".join(error["traceback"])
    assert "cell_plane_Point" in "\n".join(error["traceback"])


def test_an_object_at_the_end_of_a_cell_is_a_tree(kernel: Any) -> None:
    kernel.cell(FIRST)
    (shown,) = kernel.cell("Point(x=3)").outputs
    assert shown["data"]["text/plain"].startswith("plane.Point(x=3.0, y=0.0")
    assert 'class="tain-tree"' in shown["data"]["text/html"]


def test_completion_offers_what_there_is(kernel: Any) -> None:
    kernel.cell(FIRST)
    kernel.cell("p = Point(names={'one': 1}); import tain.types.plane")
    assert offered(kernel, "p.no") == ["norm"]
    members = {name for name in offered(kernel, "p.") if not name.startswith("_")}
    assert members >= {"x", "y", "names", "norm"}
    assert members <= {*dir(p_of_object()), "x", "y", "names", "norm"}
    assert offered(kernel, "tain.types.plane.") == ["Point", "copied"]
    assert [key.strip("'\"]") for key in offered(kernel, "p.names[")] == ["one"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p.norm(pow", {"power="}),
        ("Point(", {"x=", "y=", "names="}),
        ("copied(", {"p=", "upright="}),
    ],
)
def test_completion_offers_the_parameters(kernel: Any, text: str, expected: set[str]) -> None:
    kernel.cell(FIRST)
    kernel.cell("p = Point()")
    found = {name for name in kernel.completions(text) if name.endswith("=")}
    assert found == expected


def test_a_time_limit_ends_the_compiler(kernel: Any) -> None:
    error = kernel.error("%%tain --timeout 0.01\nint never_compiled();")
    assert error["ename"] == "TimeoutError"


def offered(kernel: Any, text: str) -> list[str]:
    """Return the last parts of what is offered."""
    return sorted(match.rpartition(".")[2] for match in kernel.completions(text))


def p_of_object() -> Any:
    """Return an object with the members that all have."""
    import tain

    return tain.Object


SLOW = r"""%%tain --cflags -O3
#include <regex>
TAIN_REGISTER {
  tain::reflection::GlobalDef().def("slow.match", [](std::string text) {
    return std::regex_match(text, std::regex("(a+|b+)*c?"));
  });
}
"""


def test_a_build_shows_how_long_it_takes(kernel: Any) -> None:
    """What is shown while the compiler runs is gone afterwards."""
    shown = []
    process = kernel.client.process_message

    def process_message(msg: Any, cell: Any, index: int) -> Any:
        if msg["msg_type"] in ("display_data", "update_display_data"):
            shown.append(msg["content"]["data"]["text/plain"])
        return process(msg, cell, index)

    kernel.client.process_message = process_message
    try:
        cell = kernel.cell(SLOW)
    finally:
        del kernel.client.process_message
    (output,) = cell.outputs
    assert output["data"] == {"text/plain": ""}
    assert re.fullmatch(r"tain\.cpp: building cell_slow_match \.\.\. \d+ s", shown[0])
    assert shown[-1] == ""
