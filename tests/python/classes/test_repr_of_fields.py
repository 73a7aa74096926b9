# SPDX-License-Identifier: Apache-2.0
"""The repr of fields whose declared type says more than their values, and keys of a KeyError."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tain

SOURCE = r"""
#include <tain/stl.h>

enum class Color { kRed, kGreen };
struct Held : tain::Object {
  tain::Tuple<int64_t, double> pair{1, 2.0};
  std::pair<int, Color> colored{1, Color::kGreen};
  std::tuple<int> one{1};
  std::optional<std::pair<int, int>> maybe;
  std::optional<Color> color = Color::kRed;
  tain::List<std::pair<int, std::vector<std::pair<int, int>>>> nested;
  tain::Map<std::pair<int, int>, std::pair<int, int>> entries;
  tain::Tensor array;
  tain::Any any = tain::Array<int>{1, 2};
  TAIN_OBJECT("repr_fields.Held", Held, tain::Object);
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::Any;
  refl::LibraryDef().set(tain::as_numpy());
  refl::EnumDef<Color>("repr_fields.Color").value("RED", Color::kRed).value("GREEN", Color::kGreen);
  refl::ObjectDef<Held>()
      .def_init_fields()
      .def_rw("pair", &Held::pair)
      .def_rw("colored", &Held::colored)
      .def_rw("one", &Held::one)
      .def_rw("maybe", &Held::maybe)
      .def_rw("color", &Held::color)
      .def_rw("nested", &Held::nested)
      .def_rw("entries", &Held::entries)
      .def_rw("array", &Held::array)
      .def_rw("any", &Held::any);
  refl::GlobalDef()
      .def("repr_fields.at", [](tain::Map<Any, Any> map, Any key) { return map.at(key); })
      .def("repr_fields.dict_at", [](tain::Dict<Any, Any> map, Any key) { return map.at(key); })
      .def("repr_fields.text_of", [](tain::Map<Any, Any> map, Any key) {
        try {
          return map.at(key).cast<std::string>();
        } catch (const tain::Error& error) {
          return error.kind() + ": " + error.message();
        }
      });
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    """The namespace of the library."""
    tain.cpp.load_inline("repr_fields", cpp_sources=SOURCE)
    return tain.types.repr_fields


def test_tuples_members_and_arrays_are_shown_as_python_gets_them(lib: Any) -> None:
    held = lib.Held()
    assert repr(held) == (
        "repr_fields.Held(pair=(1, 2.0), colored=(1, Color.GREEN), one=(1,), maybe=None, "
        "color=Color.RED, nested=[], entries={}, array=None, any=[1, 2])"
    )
    held.maybe = (3, 4)
    held.nested = [(1, [(2, 3)])]
    held.entries = {(1, 2): (3, 4)}
    held.array = np.arange(3.0)
    assert repr(held) == (
        "repr_fields.Held(pair=(1, 2.0), colored=(1, Color.GREEN), one=(1,), maybe=(3, 4), "
        "color=Color.RED, nested=[(1, [(2, 3)])], entries={(1, 2): (3, 4)}, "
        "array=array([0., 1., 2.]), any=[1, 2])"
    )
    assert [repr(held.nested), repr(held.entries)] == ["[(1, [(2, 3)])]", "{(1, 2): (3, 4)}"]


def test_a_tuple_that_leads_back_ends(lib: Any) -> None:
    ring = tain.List([1])
    ring.append(ring)
    held = lib.Held(any=ring)
    ring.append(held)
    assert repr(held).endswith("any=[1, ..., ...])")


@pytest.mark.bad_input
@pytest.mark.parametrize("key", ["zz", 5, None, 2.5, b"a", True])
def test_the_argument_of_a_key_error_is_the_key(lib: Any, key: object) -> None:
    for at in (lib.at, lib.dict_at):
        with pytest.raises(KeyError) as caught:
            at({}, key)
        with pytest.raises(KeyError) as expected:
            {}[key]
        assert caught.value.args == expected.value.args
        assert type(caught.value.args[0]) is type(key)
        assert str(caught.value) == str(expected.value)
    assert lib.text_of({}, key) == f"KeyError: {key!r}"


@pytest.mark.bad_input
def test_an_object_as_missing_key_is_itself(lib: Any) -> None:
    held = lib.Held()
    with pytest.raises(KeyError) as caught:
        lib.at({}, held)
    assert caught.value.args[0] is held
    with pytest.raises(KeyError) as caught:
        lib.at({}, (1, 2))
    assert caught.value.args == (tain.Array([1, 2]),)
