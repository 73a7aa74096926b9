# SPDX-License-Identifier: Apache-2.0
"""Mistakes of the author of a C++ type: each error says what is wrong, at the earliest place."""

from __future__ import annotations

import copy
import functools
import gc
import pickle
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tain.types.testing as t

import tain
import tain.cpp
import tain.libinfo

pytestmark = pytest.mark.bad_input


def get(name: str) -> Any:
    return tain.get_global_func(f"testing.{name}")


def error_of(call: Callable[[], object]) -> tuple[type, str]:
    with pytest.raises(Exception) as caught:
        call()
    return type(caught.value), str(caught.value)


# ---------------------------------------------------------------- objects that were not made

NOT_MADE = (
    "expected an object made by tain::make_object<T>(...), got a testing.Eager that was made in "
    "another way, such as by new, or that is still in its constructor"
)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("unmade_pointer", "testing.unmade_pointer: result: "),
        ("unmade_const_pointer", "testing.unmade_const_pointer: result: "),
        ("unmade_reference", "testing.unmade_reference: result: "),
        ("unmade_ptr", "testing.unmade_ptr: result: "),
        ("unmade_ref", "testing.unmade_ref: result: "),
        ("unmade_optional", ""),
        ("unmade_any", ""),
        ("unmade_array", ""),
        ("unmade_packed", ""),
    ],
)
def test_an_object_that_was_not_made_is_no_result(name: str, where: str) -> None:
    before = get("unmade_use_count")()
    assert error_of(get(name)) == (TypeError, where + NOT_MADE)
    assert get("unmade_use_count")() == before


def test_an_object_that_was_not_made_is_no_argument() -> None:
    seen: list[object] = []
    assert error_of(lambda: get("unmade_argument")(seen.append)) == (TypeError, NOT_MADE)
    assert seen == []


def test_an_object_does_not_cross_while_its_constructor_runs() -> None:
    seen: list[object] = []
    assert error_of(lambda: t.Eager(seen.append)) == (TypeError, NOT_MADE)
    assert seen == []
    assert t.Eager().value == 1


@pytest.mark.parametrize(
    ("field", "read", "where", "key"),
    [
        ("direct", lambda k: k.direct, "Keeper.direct: ", "testing.Eager"),
        ("any_object", lambda k: k.any_object, "Keeper.any_object: ", "ffi.Object"),
        ("direct", lambda k: k.again, "testing.Keeper.again: result: ", "testing.Eager"),
    ],
)
def test_a_field_names_itself(
    field: str, read: Callable[[Any], object], where: str, key: str
) -> None:
    keeper = t.Keeper()
    get("keep_unmade")(keeper, field)
    text = where + NOT_MADE.replace("testing.Eager", key)
    assert error_of(lambda: read(keeper)) == (TypeError, text)
    get("keep_unmade")(keeper, "none")
    assert read(keeper) is None


def test_every_operation_survives_such_a_field() -> None:
    before = get("unmade_use_count")()
    keeper = t.Keeper()
    get("keep_unmade")(keeper, "direct")
    reading = (repr, copy.deepcopy, pickle.dumps, tain.save_json, tain.save_binary)
    for operation in reading:
        assert error_of(functools.partial(operation, keeper)) == (TypeError, NOT_MADE)
    other = t.Keeper()
    get("keep_unmade")(other, "direct")
    walking = (
        *(tain.structural_hash, functools.partial(tain.structural_equal, other)),
        *(lambda k: tain.visit(k, print), lambda k: tain.rewrite(k, lambda _: None)),
    )
    texts = (NOT_MADE, NOT_MADE.replace("testing.Eager", "ffi.Object"))
    for operation in walking:
        error, text = error_of(functools.partial(operation, keeper))
        assert error is TypeError
        assert text in texts
    assert hash(keeper) == hash(keeper)  # by identity: these read no field
    assert keeper != t.Keeper()
    gc.collect()
    del keeper, other, walking, operation
    gc.collect()
    assert get("unmade_use_count")() == before


# ---------------------------------------------------------------- handles and containers


@pytest.mark.parametrize("how", ["Ptr->", "*Ptr", "Ref->", "*Ref"])
def test_a_null_handle_is_an_exception(how: str) -> None:
    assert error_of(lambda: get("null_access")(how)) == (
        ValueError,
        "testing.Eager: expected an object before -> or *, got a null handle",
    )


def test_a_null_field_in_a_method_is_an_exception() -> None:
    assert error_of(t.Keeper().text) == (
        ValueError,
        "testing.Eager: expected an object before -> or *, got a null handle",
    )


# Each field shares a container that Python made, which takes anything.
def wrong_cell(sheet: Any) -> None:
    cells = sheet.cells = tain.Dict({"B2": t.Cell(value=2)})
    cells["A1"] = 5


def wrong_key(sheet: Any) -> None:
    cells = sheet.cells = tain.Dict()
    cells[7] = t.Cell()


def wrong_number(sheet: Any) -> None:
    numbers = sheet.numbers = tain.List([1])
    numbers.append("x")


def wrong_row(sheet: Any) -> None:
    rows = sheet.rows = tain.Dict({3: tain.List([0.5])})
    rows[4] = "row"


CELL = 'Sheet.cells["A1"]: expected testing.Cell, got int (5)'


@pytest.mark.parametrize(
    ("spoil", "read", "text"),
    [
        (wrong_cell, lambda s: s.at("A1"), CELL),
        (wrong_cell, lambda s: s.get("A1"), CELL),
        (wrong_cell, lambda s: s.total(), CELL),
        (wrong_cell, get("sheet_total"), CELL),
        (wrong_key, lambda s: s.total(), "Sheet.cells: key: expected str, got int (7)"),
        (wrong_number, lambda s: s.number(1), "Sheet.numbers[1]: expected int, got str ('x')"),
        (wrong_number, lambda s: s.sum(), "Sheet.numbers[1]: expected int, got str ('x')"),
        (wrong_row, lambda s: s.row(4, 0), "Sheet.rows[4]: expected List[float], got str ('row')"),
    ],
)
def test_reading_an_element_names_field_and_key(
    spoil: Callable[[Any], None], read: Callable[[Any], object], text: str
) -> None:
    sheet = t.Sheet()
    spoil(sheet)
    assert error_of(lambda: read(sheet)) == (TypeError, text)


def test_the_field_of_an_object_that_the_call_reaches_is_named() -> None:
    book = t.Book()
    book.sheet = t.Sheet()
    wrong_cell(book.sheet)
    assert error_of(book.total) == (TypeError, CELL)


def test_a_container_in_no_field_goes_by_its_class() -> None:
    assert error_of(lambda: get("lone_dict")({"a": 1, "b": "x"})) == (
        TypeError,
        "Dict[\"b\"]: expected int, got str ('x')",
    )


# ---------------------------------------------------------------- faults of the load

FAULTY = """
namespace {
enum class Plain { kOne = 1 };
enum class Number { kOne = 1 };
enum class Late { kOne = 1 };

/// def_virtual without TAIN_VIRTUAL, by a method, a property and a function; and the reverse.
struct ShapeObj : tain::Object {
  Plain plain = Plain::kOne;
  Number number = Number::kOne;
  TAIN_VIRTUAL(listed)
  virtual double listed_impl() const { return 1; }
  TAIN_VIRTUAL(called)
  virtual double called_impl() const { return 2; }
  TAIN_VIRTUAL(uncalled)
  virtual double uncalled_impl() const { return 3; }
  TAIN_VIRTUAL_AS(plus, "__add__")
  virtual double plus_impl(double x) const { return x; }
  TAIN_VIRTUAL(as_method)
  virtual double as_method_impl() const { return 4; }
  double area() const { return listed() + called() + plus(1) + as_method(); }
  virtual ~ShapeObj() = default;
  TAIN_OBJECT("mistaken.Shape", ShapeObj, tain::Object);
};
/// Its parent declares and lists it.
struct RoundObj : ShapeObj {
  double listed_impl() const override { return 5; }
  TAIN_OBJECT("mistaken.Round", RoundObj, ShapeObj);
};
/// Only the children of an abstract class list it.
struct AbstractObj : tain::Object {
  TAIN_VIRTUAL(below)
  virtual double below_impl() const = 0;
  TAIN_VIRTUAL(nowhere)
  virtual double nowhere_impl() const = 0;
  virtual ~AbstractObj() = default;
  double call() const { return below() + nowhere(); }
  TAIN_OBJECT("mistaken.Abstract", AbstractObj, tain::Object);
};
struct ConcreteObj : AbstractObj {
  double below_impl() const override { return 1; }
  double nowhere_impl() const override { return 1; }
  TAIN_OBJECT("mistaken.Concrete", ConcreteObj, AbstractObj);
};
/// The declaration stands in a class that nobody registers.
struct MixedObj : tain::Object {
  TAIN_VIRTUAL(mixed)
  virtual double mixed_impl() const { return 1; }
  virtual ~MixedObj() = default;
};
struct UserObj : MixedObj {
  double call() const { return mixed(); }
  TAIN_OBJECT("mistaken.User", UserObj, tain::Object);
};
}  // namespace

template <>
inline constexpr bool tain::enum_as_int<Number> = true;

TAIN_REGISTER {
  using namespace tain::reflection;
  using tain::arg;
  ObjectDef<ShapeObj>()
      .def_rw("number", &ShapeObj::number)
      .def_rw("plain", &ShapeObj::plain)
      .def_virtual("listed", &ShapeObj::listed_impl)
      .def("as_method", &ShapeObj::as_method_impl)
      .def_virtual("area", &ShapeObj::area)
      .def_virtual_property("size", [](const ShapeObj&) { return 1; })
      .def_property("kind", [](const ShapeObj&) { return Plain::kOne; });
  ObjectDef<RoundObj>().def_virtual("listed", &RoundObj::listed_impl);
  ObjectDef<AbstractObj>().def("call", &AbstractObj::call);
  ObjectDef<ConcreteObj>().def_virtual("below", &ConcreteObj::below_impl);
  ObjectDef<UserObj>().def_virtual("mixed", &UserObj::mixed_impl).def("call", &UserObj::call);
  GlobalDef()
      .def("mistaken.number", [](Number x) { return x; })
      .def("mistaken.takes", [](tain::Array<Plain>) {}, arg("kinds"))
      .def("mistaken.takes_unnamed", [](int, tain::Optional<Plain>) {})
      .def("mistaken.gives", [] { return tain::Map<tain::String, Late>(); });
  EnumDef<Late>("mistaken.Late").value("ONE", Late::kOne);
}
"""


def not_virtual(name: str) -> str:
    return (
        f"mistaken.Shape.{name}: expected TAIN_VIRTUAL({name}) in the class for def_virtual, got "
        "none: C++ would never call an override"
    )


def not_listed(key: str, name: str) -> str:
    return (
        f'mistaken.{key}.{name}: expected def_virtual("{name}", ...) for the TAIN_VIRTUAL({name}) '
        "that C++ calls, got none: no override would ever be called"
    )


def not_described(where: str, name: str) -> str:
    return (
        f"mistaken.{where}: expected an enum that is registered, got {name}: describe it with "
        f"EnumDef<{name}> before, declare that of another library with "
        f"tain::declare_enum<{name}>(key), or set tain::enum_as_int<{name}> to true to pass its "
        "number"
    )


def size_of_section(file: Path, name: bytes) -> int:
    """Return the size of a section of an ELF file of 64 bits."""
    data = file.read_bytes()
    (offset,) = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + 64 * i) for i in range(count)]
    for header in headers:
        at = headers[names][4] + header[0]
        if data[at : data.index(b"\0", at)] == name:
            return int(header[5])
    raise AssertionError(f"no section {name!r} in {file}")


@pytest.mark.only_if(sys.platform == "linux", reason="records are sections of ELF files")
def test_a_called_method_leaves_a_record_of_eight_bytes() -> None:
    file = Path(str(tain.libinfo.find_bundled("tain_testing")))
    called = {
        *("Figure.area", "Figure.name", "Shape.area", "Shape.label", "Shape.grow", "Std.scaled"),
        *("Actor.greet", "Actor.grow", "Actor.secret", "Actor.fixed", "Actor.meet", "Actor.rest"),
        *("Actor.walk", "Actor.many", "Actor.__add__", "Actor.__call__", "Actor.__len__"),
        *("Actor.weight", "Actor.mood", "Actor.descend", "Actor.pick"),
    }
    records, rest = divmod(size_of_section(file, b"tain_virtuals"), 8)
    assert rest == 0
    # One for each function that a call compiles to (const or not, by its arguments), and an empty
    # one, which may stand once in each file.
    assert len(called) < records <= 3 * len(called)


def test_faults_of_a_load() -> None:
    with pytest.raises(ImportError) as caught:
        tain.cpp.load_inline("mistaken", cpp_sources=FAULTY)
    lines = str(caught.value).replace("(anonymous namespace)::", "").replace("{anonymous}::", "")
    faults = [line[4:] for line in lines.splitlines() if line.startswith("  - ")]
    assert sorted(faults) == sorted(
        [
            not_virtual("area"),
            not_virtual("size"),
            not_listed("Shape", "called"),
            not_listed("Shape", "__add__"),
            not_listed("Shape", "as_method"),
            not_listed("Abstract", "nowhere"),
            not_described("Shape.plain", "Plain"),
            not_described("Shape.kind", "Plain"),
            not_described("takes: argument kinds", "Plain"),
            not_described("takes_unnamed: argument 1", "Plain"),
            not_described("gives: result", "Late")
            + "; <inline> does so further down: move that up",
        ]
    )
    assert tain.type_keys("mistaken.") == []
