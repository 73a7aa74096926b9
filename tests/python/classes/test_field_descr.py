# SPDX-License-Identifier: Apache-2.0
"""Fields: every kind read and written, ranges, wrong types, receivers, identity."""

from __future__ import annotations

import gc
import math
import re

import pytest
from errors import empty_text, raises
from tain.types.testing import (
    Access,
    AllKinds,
    ChildConfig,
    Color,
    Config,
    Depth8,
    Frozen,
    Gadget,
    Mixed,
    Mode,
    Node,
    OddMembers,
    Point,
    Private,
    Vector,
)

import tain

INTS = {
    "i8": (-(2**7), 2**7 - 1),
    "i16": (-(2**15), 2**15 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u8": (0, 2**8 - 1),
    "u16": (0, 2**16 - 1),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
}


@pytest.mark.parametrize("name", INTS)
def test_integers_of_every_width(name: str) -> None:
    object_ = AllKinds()
    low, high = INTS[name]
    for value in (low, low + 1, 0, 1, high - 1, high):
        setattr(object_, name, value)
        assert getattr(object_, name) == value
        assert type(getattr(object_, name)) is int
    for other in INTS:
        if other != name:
            assert getattr(object_, other) == getattr(AllKinds(), other), "a neighbour changed"


@pytest.mark.bad_input
@pytest.mark.parametrize("name", INTS)
def test_integers_out_of_range(name: str) -> None:
    object_ = AllKinds()
    before = getattr(object_, name)
    low, high = INTS[name]
    for value in (low - 1, high + 1, 2**200, -(2**200)):
        shown = str(value) if len(str(value)) <= 60 else f"{str(value)[:60]}..."
        with raises(OverflowError, f"AllKinds.{name}: expected int in {low}..{high}, got {shown}"):
            setattr(object_, name, value)
    assert getattr(object_, name) == before


POINT = Point(1, 2)
WRITTEN = [  # (field, value, what is read back)
    ("flag", False, False),
    ("i8", True, 1),
    ("f32", 0.1, 0.10000000149011612),
    ("f32", math.inf, math.inf),
    ("f64", 0.1, 0.1),
    ("f64", 3, 3.0),
    ("f64", -0.0, -0.0),
    ("f64", 2**70, float(2**70)),
    ("text", "", ""),
    ("text", "seven77", "seven77"),
    ("text", "eight888", "eight888"),
    ("text", "ä" * 1000, "ä" * 1000),
    ("text", "a\0b", "a\0b"),
    ("text", "\udc80", "\udc80"),
    ("std_text", "a\0b" * 10, "a\0b" * 10),
    ("data", b"\0\xff" * 20, b"\0\xff" * 20),
    ("data", bytearray(b"abc"), b"abc"),
    ("data", memoryview(b"abc"), b"abc"),
    ("any", None, None),
    ("any", 2**100, 2**100),
    ("any", "text", "text"),
    ("any", 1.5, 1.5),
    ("point", POINT, POINT),
    ("maybe_point", POINT, POINT),
    ("maybe_point", None, None),
    ("object", POINT, POINT),
    ("object", None, None),
    ("ints", [4, 5], [4, 5]),
    ("ints", (4, 5), [4, 5]),
    ("ints", [], []),
    ("list", [1, "two", None], [1, "two", None]),
    ("map", {"a": [1]}, {"a": [1]}),
    ("dict", {"a": 1}, {"a": 1}),
    ("maybe_int", 5, 5),
    ("maybe_int", None, None),
    ("function", None, None),
    ("dtype", tain.dtype("int8"), tain.dtype("int8")),
    ("dtype", "int8", tain.dtype("int8")),
    ("pointer", None, None),
    ("color", Color.BLUE, Color.BLUE),
    ("color", 2, Color.GREEN),
    ("access", Access.READ | Access.WRITE, Access.READ | Access.WRITE),
    ("mode", Mode.SAFE, Mode.SAFE),
    ("mode", "safe", Mode.SAFE),
]


@pytest.mark.parametrize(("name", "value", "expected"), WRITTEN)
def test_written_values_are_read_back(name: str, value: object, expected: object) -> None:
    object_ = AllKinds()
    setattr(object_, name, value)
    read = getattr(object_, name)
    assert read == expected
    assert isinstance(read, type(expected)) or isinstance(expected, (list, dict, type(read)))


def test_what_the_fields_hold_at_first() -> None:
    object_ = AllKinds()
    assert (object_.flag, object_.f32, object_.f64) == (True, 0.5, 0.25)
    assert [getattr(object_, name) for name in INTS] == [-8, -16, -32, -64, 8, 16, 32, 64]
    assert (object_.text, object_.std_text, object_.data) == (
        "a text that is not small",
        "std",
        b"",
    )
    assert (object_.point.x, object_.point.y) == (1.0, 2.0)
    assert (object_.ints, object_.list, object_.map, object_.dict) == ([1, 2, 3], [], {}, {})
    assert (object_.color, object_.access, object_.mode) == (Color.RED, Access.READ, Mode.FAST)
    for name in ("any", "maybe_point", "object", "maybe_int", "function", "pointer"):
        assert getattr(object_, name) is None, name


WRONG = [None, 1, True, 1.5, "x", b"x", [1], {"a": 1}, POINT, Vector(1, 2), object(), len, {1}]
EXPECTED = {  # what is expected, and the types of WRONG that fit
    "flag": ("bool", bool),
    "i8": ("int", (bool, int)),
    "u64": ("int", (bool, int)),
    "f32": ("float", (bool, int, float)),
    "f64": ("float", (bool, int, float)),
    "text": ("str", str),
    "std_text": ("str", str),
    "data": ("bytes", bytes),
    "point": ("testing.Point", Point),
    "maybe_point": ("testing.Point | None", (Point, type(None))),
    "ints": ("Array[int]", list),
    "list": ("List[Any]", list),
    "map": ("Map[str, Any]", dict),
    "dict": ("Dict[str, int]", dict),
    "maybe_int": ("int | None", (bool, int, type(None))),
    "device": ("Device", ()),
    "dtype": ("dtype", ()),
    "pointer": ("ctypes.c_void_p | None", type(None)),
    "color": ("testing.Color (RED, GREEN, BLUE)", (bool, int)),
    "access": ("testing.Access (READ, WRITE, EXECUTE)", (bool, int)),
    "mode": ("testing.Mode (FAST, SAFE)", ()),
}
GOT = {  # how the error names what it got
    type(None): "None",
    int: "int (1)",
    bool: "bool (True)",
    float: "float (1.5)",
    str: "str ('x')",
    bytes: "bytes (b'x')",
    Point: "testing.Point",
    Vector: "testing.Vector",
}


NAME_OF_DTYPE = "dtype (a name such as float32 or int8x4)"


@pytest.mark.bad_input
@pytest.mark.parametrize("name", EXPECTED)
def test_wrong_types(name: str) -> None:
    object_ = AllKinds()
    expected, fits = EXPECTED[name]
    before = repr(getattr(object_, name))
    for value in WRONG:
        if isinstance(value, fits):
            continue
        what = NAME_OF_DTYPE if name == "dtype" and isinstance(value, str) else expected
        text = f"AllKinds.{name}: expected {what}, got {GOT.get(type(value), '')}"
        with pytest.raises(TypeError) as caught:
            setattr(object_, name, value)
        assert str(caught.value).startswith(text), value
        if type(value) in GOT:
            assert str(caught.value) == text
    assert repr(getattr(object_, name)) == before


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("ints", [1, "x"], "AllKinds.ints[1]: expected int, got str ('x')"),
        ("ints", [1, None], "AllKinds.ints[1]: expected int, got None"),
        ("dict", {"a": "x"}, "AllKinds.dict[\"a\"]: expected int, got str ('x')"),
        ("dict", {1: 1}, "AllKinds.dict: key: expected str, got int (1)"),
    ],
)
def test_wrong_elements(name: str, value: object, text: str) -> None:
    with raises(TypeError, text):
        setattr(AllKinds(), name, value)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("object_", "name", "text"),
    [
        (AllKinds, "constant", "AllKinds.constant is read-only"),
        (Gadget, "name", "Gadget.name is read-only"),
        (lambda: Vector(1, 2), "x", "Vector.x is read-only"),
    ],
)
def test_read_only_fields(object_, name: str, text: str) -> None:
    made = object_()
    before = getattr(made, name)
    for value in (before, 1, "x", None):
        with raises(AttributeError, text + ": register it with def_rw to make it assignable"):
            setattr(made, name, value)
    assert getattr(made, name) == before


@pytest.mark.bad_input
def test_fields_of_a_frozen_type() -> None:
    frozen = Frozen(1)
    with raises(AttributeError, "Frozen.value is read-only: its type is frozen"):
        frozen.value = 2
    with raises(AttributeError, "Frozen.value cannot be deleted: it is a field of a C++ object"):
        del frozen.value
    assert frozen.value == 1


@pytest.mark.bad_input
def test_fields_cannot_be_deleted() -> None:
    object_ = AllKinds()
    for field in tain.type_info(AllKinds).fields:
        with pytest.raises(AttributeError) as caught:
            delattr(object_, field.name)
        text = f"AllKinds.{field.name} cannot be deleted: it is a field of a C++ object"
        assert str(caught.value) == text


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["z", "X", "norn", "__x", ""])
def test_unknown_attributes(name: str) -> None:
    point = Point(1, 2)
    for access in (
        lambda: getattr(point, name),
        lambda: setattr(point, name, 1),
        lambda: delattr(point, name),
    ):
        with pytest.raises(AttributeError, match=re.escape(f"has no attribute '{name}'")):
            access()


@pytest.mark.bad_input
@pytest.mark.parametrize("other", [Vector(1, 2), tain.convert([1]), 5, None, "x", Node(), Point])
def test_an_extracted_descriptor_on_another_object(other: object) -> None:
    for access in (
        lambda: Point.x.__get__(other, None),
        lambda: Point.x.__set__(other, 1.0),
        lambda: Point.x.__delete__(other),
    ):
        with pytest.raises(TypeError, match=r"descriptor 'x' for .*Point' objects doesn't apply|"
                           r"__get__\(None, None\) is invalid"):  # fmt: skip
            access()


@pytest.mark.bad_input
def test_a_descriptor_on_an_empty_object() -> None:
    empty = Point.__new__(Point)
    for access in (
        lambda: Point.x.__get__(empty),
        lambda: Point.x.__set__(empty, 1.0),
        lambda: Point.x.__set__(empty, "x"),
        lambda: empty.x,
    ):
        with raises(ValueError, empty_text("tain.types.testing.Point")):
            access()


def test_an_extracted_descriptor_outlives_what_it_came_from() -> None:
    class Child(Point):
        pass

    descriptor = Child.x
    del Child
    gc.collect()
    assert descriptor is Point.x
    assert descriptor.__get__(Point(3, 4)) == 3.0
    assert (descriptor.__name__, descriptor.__doc__) == ("x", "abscissa")
    assert descriptor.__objclass__ is Point


def test_inherited_fields() -> None:
    deep = Depth8()
    assert [getattr(deep, name) for name in "abcdefgh"] == [1, 2, 3, 4, 5, 6, 7, 8]
    for value, name in enumerate("abcdefgh"):
        setattr(deep, name, 10 * value)
    assert [getattr(deep, name) for name in "abcdefgh"] == [0, 10, 20, 30, 40, 50, 60, 70]
    assert "a" not in vars(Depth8)
    child = ChildConfig("n", verbose=True)
    assert Config.name.__get__(child) == "n"
    with pytest.raises(TypeError, match="doesn't apply to a"):
        ChildConfig.verbose.__get__(Config())


def test_fields_behind_words_before_the_header() -> None:
    mixed = Mixed(1.5)
    mixed.value, mixed.tag = 2.5, 7
    assert (mixed.value, mixed.tag, mixed.get_tag()) == (2.5, 7, 7)


def test_private_fields_and_odd_names() -> None:
    private = Private(4)
    private.secret += 1
    assert (private.secret, private.guarded, private.double()) == (5, 5, 10)
    odd = OddMembers()
    setattr(odd, "class", 9)
    assert getattr(odd, "lambda")() == 9
    assert (getattr(odd, "a-b"), odd._hidden) == (2, 3)


def test_objects_keep_their_identity() -> None:
    holder, child = Node(), Node(5)
    holder.next = child
    assert holder.next is child
    assert holder.next is holder.next
    holder.payload = child
    assert holder.payload is child
    del child
    assert holder.next is holder.payload
    assert holder.next.value == 5
    assert AllKinds().point is not AllKinds().point


def test_assigning_an_object_drops_the_one_before() -> None:
    object_, first = AllKinds(), Point(1, 2)
    count = tain.get_global_func("testing.object_use_count")
    object_.maybe_point = first
    assert count(first) == 2
    object_.maybe_point = object_.maybe_point
    assert count(first) == 2
    object_.maybe_point = None
    assert count(first) == 1


def test_containers_are_shared() -> None:
    object_ = AllKinds()
    object_.list.append(1)
    object_.list.append("two")
    assert object_.list == [1, "two"]
    assert object_.list is object_.list
    kept = object_.dict
    kept["a"] = 1
    assert object_.dict == {"a": 1}
    object_.dict = {}
    assert (kept, object_.dict) == ({"a": 1}, {})
    mine = tain.List([1])
    object_.list = mine
    assert object_.list is mine
    mine.append(2)
    assert object_.list == [1, 2]


def test_functions_in_fields() -> None:
    object_ = AllKinds()
    object_.function = lambda x: x + 1
    assert object_.function(1) == 2
    object_.typed_function = lambda x: 2 * x
    assert object_.typed_function(4) == 8
    with raises(TypeError, "AllKinds.function: expected Callable[..., Any] | None, got int (5)"):
        object_.function = 5


def test_a_property_calls_its_functions() -> None:
    gadget = Gadget()
    assert (gadget.twice, gadget.half) == (6, 1.5)
    gadget.half = 4
    assert gadget.size == 8
    with raises(AttributeError, "Gadget.twice is read-only: the property has no setter"):
        gadget.twice = 1
    with raises(AttributeError, "Gadget.half cannot be deleted: it is a property of a C++ object"):
        del gadget.half
    with raises(TypeError, "testing.Gadget.half: expected float, got str ('x')"):
        gadget.half = "x"


def test_annotations_say_the_types() -> None:
    annotations = AllKinds.__annotations__
    for name, type_ in (("flag", bool), ("u64", int), ("f32", float), ("text", str)):
        assert annotations[name] is type_
    assert list(annotations) == [field.name for field in tain.type_info(AllKinds).fields]
