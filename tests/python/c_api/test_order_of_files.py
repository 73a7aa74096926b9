# SPDX-License-Identifier: Apache-2.0
"""Types that a library uses before another of its files describes them, and throwing blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

import tain

HEADER = """
#pragma once
#include <tain/boxed.h>
#include <tain/tain.h>
#include <stdexcept>
enum class State { kRed, kGreen };
enum class Never { kOne };
enum class Same { kOne };
struct Plain { int x = 0; };
struct User : tain::Object {
  State state = State::kRed;
  Never never = Never::kOne;
  Same same = Same::kOne;
  Plain plain;
  State next_impl() const { return state; }
  TAIN_VIRTUAL(next)
  virtual ~User() = default;
  State call() const { return next(); }
  TAIN_OBJECT("undescribed.User", User, tain::Object);
};
"""
USER = """#include "types.h"
TAIN_REGISTER {
  tain::reflection::ObjectDef<User>()
      .def_init<>()
      .def_rw("state", &User::state)
      .def_rw("never", &User::never)
      .def_rw("same", &User::same)
      .def_rw("plain", &User::plain)
      .def_virtual("next", &User::next_impl)
      .def("call", &User::call);
}
TAIN_REGISTER { tain::reflection::EnumDef<Same>("undescribed.Same").value("ONE", Same::kOne); }
"""
ENUMS = """#include "types.h"
TAIN_REGISTER {
  tain::reflection::EnumDef<State>("undescribed.State")
      .value("RED", State::kRed)
      .value("GREEN", State::kGreen);
  tain::reflection::ObjectDef<tain::Boxed<Plain>>("undescribed.Plain").def_rw("x", &Plain::x);
}
TAIN_REGISTER { throw std::runtime_error("five"); }

TAIN_REGISTER { throw 5; }
TAIN_REGISTER { TAIN_THROW(ValueError) << "six"; }
"""


def an_enum(place: str, name: str, advice: str = "") -> str:
    """Return the fault of a member with an enum that nobody described."""
    return (
        f"  - undescribed.User.{place}: expected an enum that is registered, got {name}: describe "
        f"it with EnumDef<{name}> before, declare that of another library with "
        f"tain::declare_enum<{name}>(key), or set tain::enum_as_int<{name}> to true to pass its "
        f"number{advice}"
    )


@pytest.mark.bad_input
def test_a_fault_says_which_file_to_list_first_and_where_a_block_threw(tmp_path: Path) -> None:
    for name, text in {"types.h": HEADER, "user.cc": USER, "enums.cc": ENUMS}.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ImportError) as caught:
        tain.cpp.load(
            "undescribed", sources=[str(tmp_path / "user.cc"), str(tmp_path / "enums.cc")]
        )
    later = (
        "; enums.cc does so later: list enums.cc before user.cc among the sources of the library"
    )
    heading, *faults = str(caught.value).splitlines()
    assert faults == [
        an_enum("state", "State", later),
        an_enum("never", "Never"),
        an_enum("same", "Same", "; user.cc does so further down: move that up"),
        "  - undescribed.User.plain: expected a class that is registered, got Plain: describe it "
        "with ObjectDef<tain::Boxed<Plain>>(key), or declare it with "
        f"tain::declare_boxed<Plain>(key), before{later}",
        an_enum("next: result", "State", later),
        an_enum("call: result", "State", later),
        f"  - TAIN_REGISTER ({tmp_path}/enums.cc:8): five",
        f"  - TAIN_REGISTER ({tmp_path}/enums.cc:10): registration code threw something that is no "
        "std::exception",
        f"  - TAIN_REGISTER ({tmp_path}/enums.cc:11): six",
    ]
    assert " cannot be used, and what was registered with it is withdrawn (undescribed." in heading
