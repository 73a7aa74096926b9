# SPDX-License-Identifier: Apache-2.0
"""tain::check and tain::range: conditions on the values of fields, wherever they come from."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import typing
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Dial, Offer

import tain
from tain.stubgen import namespace_stubs

# (field, a value that does not fit, the end of the message)
BAD = [
    ("price", -1.0, "expected float above 0, got float (-1.0)"),
    ("price", math.nan, "expected float above 0, got float (nan)"),
    ("price", 0, "expected float above 0, got int (0)"),
    ("count", -1, "expected int from 0 to 1000, got int (-1)"),
    ("count", 1001, "expected int from 0 to 1000, got int (1001)"),
    ("percent", 101, "expected int from 0 to 100, got int (101)"),
    ("name", "", "expected str that is not empty, got str ('')"),
    ("name", "123456789", "expected str of at most 8 bytes, got str ('123456789')"),
    ("weight", -2.5, "expected float | None above 0, or None, got float (-2.5)"),
    ("id", 3, "expected int that is even, got int (3)"),
]
GOOD = [
    ("price", 0.5),
    ("count", 0),
    ("count", 1000),
    ("percent", 100),
    ("name", "12345678"),
    ("weight", None),
    ("weight", 1),
    ("sizes", [1, 2]),
    ("next", None),
    ("id", 4),
]
READ_ONLY = {"id"}


def offer(**values: Any) -> Any:
    return Offer(**{"price": 2.0, **values})


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_what_fits(name: str, value: Any) -> None:
    made = offer(**{name: value})
    assert getattr(made, name) == value
    if name not in READ_ONLY:
        other = offer()
        setattr(other, name, value)
        assert getattr(other, name) == value


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "text"), BAD)
def test_assignment(name: str, value: Any, text: str) -> None:
    if name in READ_ONLY:
        return
    made = offer()
    before = getattr(made, name)
    with raises(ValueError, f"Offer.{name}: {text}"):
        setattr(made, name, value)
    assert getattr(made, name) == before


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "text"), BAD)
def test_construction(name: str, value: Any, text: str) -> None:
    with raises(ValueError, f"testing.Offer: argument {name}: {text}"):
        offer(**{name: value})


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "text"), BAD)
def test_replacement(name: str, value: Any, text: str) -> None:
    made = offer()
    with raises(ValueError, f"testing.Offer: argument {name}: {text}"):
        dataclasses.replace(made, **{name: value})
    assert tain.structural_equal(made, offer())


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "text"), BAD)
def test_loading(name: str, value: Any, text: str) -> None:
    if isinstance(value, float) and math.isnan(value):
        return  # JSON has a form of its own for it
    saved = json.loads(tain.save_json(offer()))

    def change(part: Any) -> bool:
        if isinstance(part, dict):
            if name in part:
                part[name] = value
                return True
            return any(map(change, part.values()))
        return isinstance(part, list) and any(map(change, part))

    assert change(saved)
    with raises(ValueError, f"load_json: node 1, testing.Offer.{name}: {text}"):
        tain.load_json(json.dumps(saved))


def test_what_was_saved_is_loaded() -> None:
    made = offer(count=5, sizes=[1], next=offer(name="b"), id=2)
    for again in (
        tain.load_json(tain.save_json(made)),
        tain.load_binary(tain.save_binary(made)),
        pickle.loads(pickle.dumps(made)),
        copy.copy(made),
        copy.deepcopy(made),
        dataclasses.replace(made, count=5),
    ):
        assert tain.structural_equal(again, made)


@pytest.mark.bad_input
def test_parts() -> None:
    made = offer()
    with raises(
        ValueError,
        "Offer.sizes: expected Array[int] of numbers above 0, got list ([1, 0])",
    ):
        made.sizes = [1, 0]
    expensive = offer(price=100)
    text = "Offer.next: expected testing.Offer | None with a price below 100, or None, got "
    with raises(ValueError, text + "testing.Offer"):
        made.next = expensive
    assert made.next is None
    made.next = offer(price=99)
    assert made.next.price == 99


@pytest.mark.bad_input
def test_rewriting() -> None:
    made = offer(next=offer(name="b"))
    cheap, expensive = offer(price=99), offer(price=100)
    replaced = tain.rewrite(made, lambda part: cheap if part is made.next else part)
    assert replaced.next.price == 99
    with raises(
        ValueError,
        "testing.Offer.next: expected testing.Offer | None with a price below 100, or None, got "
        "testing.Offer",
    ):
        tain.rewrite(made, lambda part: expensive if part is made.next else part)


@pytest.mark.bad_input
def test_wrong_types_are_what_they_were() -> None:
    made = offer()
    with raises(TypeError, "Offer.price: expected float, got str ('x')"):
        made.price = "x"
    with raises(OverflowError, "Offer.percent: expected int in 0..255, got 256"):
        made.percent = 256
    with raises(TypeError, "Offer.count: expected int, got float (0.5)"):
        made.count = 0.5


@pytest.mark.bad_input
def test_a_condition_that_throws() -> None:
    with raises(IndexError, "ids are from 0 on"):
        offer(id=-1)


@pytest.mark.bad_input
def test_subclasses() -> None:
    class Special(Offer):
        pass

    made = Special(price=3.0)
    with raises(ValueError, "Offer.price: expected float above 0, got int (-3)"):
        made.price = -3
    with raises(
        ValueError, "testing.Offer: argument price: expected float above 0, got float (-3.0)"
    ):
        Special(price=-3.0)


@pytest.mark.bad_input
def test_boxes() -> None:
    dial = Dial()
    dial.angle = -1.5
    with raises(ValueError, "Dial.angle: expected float from -1.5 to 1.5, got float (1.6)"):
        dial.angle = 1.6
    assert dial.angle == -1.5


def test_reflection() -> None:
    checks = {field.name: field.check for field in tain.type_info(Offer).fields}
    assert checks["price"] == "above 0"
    assert checks["count"] == "from 0 to 1000"
    assert checks["name"] == "that is not empty, of at most 8 bytes"
    fields = {field.name: field for field in tain.type_info(Offer).fields}
    assert fields["price"].annotation == typing.Annotated[float, "above 0"]
    assert fields["price"].type == "float"
    assert Offer.price.__doc__ == "In EUR. Values: above 0."
    assert Offer.count.__doc__ == "Values: from 0 to 1000."
    assert tain.type_info(Dial).fields[0].check == "from -1.5 to 1.5"
    assert {field.check for field in tain.type_info("testing.Point").fields} == {""}


def test_stub() -> None:
    text = namespace_stubs("testing")["tain.types.testing"]
    assert "    price: typing.Annotated[float, 'above 0']\n" in text
    assert "    def id(self) -> typing.Annotated[int, 'that is even']: ...\n" in text


OWN_CONSTRUCTOR = """
    #include <tain/stl.h>
    struct PitchObj : tain::Object {
      int64_t octave, step;
      PitchObj(int64_t octave, int64_t step) : octave(octave), step(step) {}
      TAIN_OBJECT("field_check.Pitch", PitchObj, tain::Object);
    };
    struct SampleObj : tain::Object {
      std::optional<double> purity;
      tain::Optional<int64_t> count;
      TAIN_OBJECT("field_check.Sample", SampleObj, tain::Object);
    };
    TAIN_REGISTER {
      using tain::arg;
      tain::reflection::ObjectDef<SampleObj>()
          .def_init<>()
          .def_rw("purity", &SampleObj::purity, tain::range(0.0, 1.0))
          .def_rw("count", &SampleObj::count, tain::range(1, 9));
      tain::reflection::ObjectDef<PitchObj>()
          .def_init<int64_t, int64_t>(arg("octave"), arg("step") = 0)
          .def_ro("octave", &PitchObj::octave, tain::range(-1, 9))
          .def_rw("step", &PitchObj::step, tain::range(0, 6));
    }
"""


def test_replacement_by_a_constructor_of_the_authors_own() -> None:
    """The constructor asks what it wants; a replacement asks the conditions of what it changes."""
    tain.cpp.load_inline("field_check", cpp_sources=OWN_CONSTRUCTOR)
    from tain.types.field_check import Pitch

    made = Pitch(20, 3)
    for changes, text in (
        ({"octave": 10}, "Pitch.octave: expected int from -1 to 9, got int (10)"),
        ({"step": 7}, "Pitch.step: expected int from 0 to 6, got int (7)"),
    ):
        for replace in (dataclasses.replace, lambda one, **new: one.__replace__(**new)):
            with pytest.raises(ValueError, match="expected int from") as caught:
                replace(made, **changes)
            assert text in str(caught.value)
    assert made.__replace__(octave=4).octave == 4
    assert made.__replace__(step=5).step == 5


def test_a_range_lets_a_missing_number_pass() -> None:
    tain.cpp.load_inline("field_check", cpp_sources=OWN_CONSTRUCTOR)
    from tain.types.field_check import Sample

    made = Sample()
    for again in (pickle.loads(pickle.dumps(made)), tain.load_json(tain.save_json(made))):
        assert (again.purity, again.count) == (None, None)
    made.purity, made.count = 0.5, 9
    made.purity = None
    for name, value in (("purity", 1.5), ("count", 0)):
        with pytest.raises(ValueError, match=r"expected (float|int) \| None from"):
            setattr(made, name, value)
