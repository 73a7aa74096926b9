# SPDX-License-Identifier: Apache-2.0
"""An enum that two libraries use: one declares it, or both include the same definition."""

from __future__ import annotations

import pytest

import tain

HEADER = (
    "enum class Mode { Off, On }; enum class Side : short { Left, Right }; enum class Odd { A };"
)
BASE = r"""
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::EnumDef<Mode>("shared.Mode").value("Off", Mode::Off).value("On", Mode::On);
  refl::EnumDef<Side>("shared.Side").value("Left", Side::Left).value("Right", Side::Right);
  refl::GlobalDef().def("shared.make", [] { return Mode::On; });
}
"""
USER = r"""
TAIN_REGISTER {
  namespace refl = tain::reflection;
  tain::declare_enum<Mode>("shared.Mode");
  refl::EnumDef<Side>("shared.Side").value("Left", Side::Left).value("Right", Side::Right);
  refl::GlobalDef().def("shared.take", [](Mode m) { return m; })
      .def("shared.side", [](Side s) { return s; });
}
"""
WRONG = r"""
TAIN_REGISTER {
  namespace refl = tain::reflection;
  tain::declare_enum<Odd>("shared.Unknown");
  tain::declare_enum<Side>("shared.Mode");
  refl::EnumDef<Side>("shared.Side").value("Left", Side::Left).value("Up", Side::Right);
}
"""


def load(name: str, code: str) -> None:
    tain.cpp.load_inline(name, cpp_sources=HEADER + code, extra_cflags=["-O0"])


def test_two_libraries_share_an_enum() -> None:
    load("shared_base", BASE)
    load("shared_user", USER)
    shared = tain.types.shared
    assert shared.take(shared.make()) is shared.make() is shared.Mode.On
    assert shared.side(1) is shared.Side.Right
    with pytest.raises(ImportError) as caught:
        load("shared_wrong", WRONG)
    lines = [line for line in str(caught.value).splitlines() if line.startswith("  - ")]
    assert lines[0] == (
        "  - shared.Unknown: no enum is registered under the key: load the library that defines it "
        "before"
    )
    assert lines[1] == (
        "  - shared.Mode: the enum has ints in -2147483648..2147483647, but Side has ints in "
        "-32768..32767"
    )
    assert lines[2].startswith("  - shared.Side: the enum is already defined by ")
    assert lines[2].endswith("; this definition has another member Up")
