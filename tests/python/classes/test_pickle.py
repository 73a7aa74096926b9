# SPDX-License-Identifier: Apache-2.0
"""Copies and pickles of registered objects: equal, as deep as asked, refused where nothing fits."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
from typing import Any

import pytest
from errors import empty_text, raises
from tain.types.testing import Holder, Node, Point
from testing_functions import get

import tain
from tain.types import testing as t


class Labelled(t.Point):
    """A subclass that can be pickled."""


MADE = {
    "Point": lambda: t.Point(1.5, -0.0),
    "TestIntPair": lambda: t.TestIntPair(1, 2),
    "Config": lambda: t.Config("n", items=[1, "two", [3]], rate=2.5),
    "ChildConfig": lambda: t.ChildConfig("n", verbose=True),
    "AllKinds": lambda: t.AllKinds(),
    "Mixed": lambda: t.Mixed(1.5),
    "Aligned": lambda: t.Aligned(1.5),
    "Depth8": lambda: t.Depth8(),
    "Private": lambda: t.Private(9),
    "Vector": lambda: t.Vector(3, 4),
    "Holder": lambda: t.Holder(t.Point(1, 2)),
    "Tree": lambda: t.Tree(t.Tree(), None, 5),
    "NoConstructor": lambda: get("make_no_constructor")(4),
    "Uncopyable": lambda: t.Uncopyable(),
    "Frozen": lambda: t.Frozen(5),
    "Bare": lambda: t.Bare(),
    "OddMembers": lambda: t.OddMembers(),
    "Array": lambda: tain.convert([1, t.Point(1, 2), {"a": None}]),
}
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    **{
        f"pickle {protocol}": lambda x, protocol=protocol: pickle.loads(pickle.dumps(x, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL)
    },
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["structural_equal", "get_class", "_rebuild"])
def test_functions_of_the_bridge_cross_by_name(name: str, way: str) -> None:
    function = getattr(tain._core, name)
    assert WAYS[way](function) is function


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MADE)
def test_copies_look_the_same(name: str, way: str) -> None:
    made = MADE[name]()
    made_again = WAYS[way](made)
    assert repr(made_again) == repr(made)
    assert type(made_again) is type(made)
    assert made_again is not made or way == "copy"


@pytest.mark.parametrize("way", WAYS)
def test_subclasses_are_copied_with_their_state(way: str) -> None:
    made = Labelled(1, 2)
    made.note = ["own"]
    made_again = WAYS[way](made)
    assert type(made_again) is Labelled
    assert (made_again.x, made_again.note) == (1.0, ["own"])
    assert (made_again.note is made.note) is (way == "copy")


def test_shallow_and_deep() -> None:
    holder = t.Holder(t.Point(1, 2))
    assert copy.copy(holder).point is holder.point
    deep = copy.deepcopy(holder)
    assert deep.point is not holder.point
    assert deep.point.x == 1.0
    node = t.Node()
    node.items.append(node.items)
    assert copy.copy(node).items is node.items
    node.items.clear()


@pytest.mark.bad_input
def test_what_cannot_be_pickled() -> None:
    with raises(
        TypeError,
        "cannot pickle a tain.Function that is no global function: register it "
        "(GlobalDef().def in C++, tain.register_global_func in Python)",
    ):
        pickle.dumps(get("make_adder")(3))
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(tain.Function(lambda: 1))
    with raises(ValueError, empty_text("tain.types.testing.Point")):
        pickle.dumps(t.Point.__new__(t.Point))
    with raises(
        TypeError,
        "cannot pickle testing.Countdown: its constructor needs 'start', which is no field",
    ):
        pickle.dumps(t.Countdown(3))


NO_CLASS = "_rebuild(): expected a class of a registered type"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("args", "text"),
    [
        ((int, {}), f"{NO_CLASS}, got type (<class 'int'>)"),
        ((5, {}), f"{NO_CLASS}, got int (5)"),
        ((tain.Object, {}), f"{NO_CLASS}, got type (<class 'tain.Object'>)"),
        ((t.Point, {"z": 1, "x": 1.0}), "testing.Point has no field 'z' that the pickle holds"),
        ((t.Point, {"y": 1.0}), "testing.Point() missing argument 'x'"),
        ((t.Point, {"x": "a"}), "testing.Point: argument x: expected float, got str ('a')"),
    ],
)
def test_pickles_that_do_not_fit(args: tuple, text: str) -> None:
    rebuild = t.Point(1, 2).__reduce__()[0]
    with raises(TypeError, text):
        rebuild(*args)


def test_another_process_reads_a_pickle(run, tmp_path) -> None:
    (tmp_path / "pickle").write_bytes(pickle.dumps([t.Point(3, 4), t.Color.RED, get("echo")]))
    printed = run("import pickle; print(pickle.load(open('pickle', 'rb'))[0].norm())")
    assert printed == "5.0\n"


def test_multiprocessing_passes_objects() -> None:
    queue = multiprocessing.get_context("spawn").SimpleQueue()
    queue.put(t.Point(1, 2))
    assert queue.get().y == 2.0
    queue.close()


class Noted(Node):
    """Keeps Python state beside its C++ fields."""


@pytest.mark.bad_input
@pytest.mark.parametrize("protocol", range(6))
def test_truncated_pickles(protocol: int) -> None:
    node = Noted(1)
    node.next, node.note = Node(2), "note"
    node.items.append(Holder(Point(1, 2)))
    for made in (node, get("make_chain")(30)):
        whole = pickle.dumps(made, protocol)
        for size in range(len(whole)):
            with pytest.raises((pickle.UnpicklingError, EOFError, ValueError, IndexError)):
                pickle.loads(whole[:size])


# Without LONG_BINPUT, for which CPython allocates as much as its index says: up to 64 GiB.
VALUES = sorted({*range(256)} - {*pickle.LONG_BINPUT})


@pytest.mark.bad_input
def test_pickles_with_wrong_bytes() -> None:
    """Whatever is read, it is a value or an exception."""
    node = Noted(1)
    node.next, node.payload = Node(2), Holder(Point(1, 2))
    whole = pickle.dumps(node)
    pick, read, refused = random.Random(1), 0, 0
    for _ in range(2000):
        bad = bytearray(whole)
        bad[pick.randrange(len(bad))] = pick.choice(VALUES)
        if b"tain" in bad and len(bad) == len(whole):
            try:
                repr(pickle.loads(bytes(bad)))
            except Exception:
                refused += 1
            else:
                read += 1
    assert read > 100 and refused > 100, (read, refused)


FIRST = """
struct ConfigObj : tain::Object {
  int64_t kept = 1;
  tain::String gone = "gone";
  int64_t retyped = 3;
  TAIN_OBJECT("versions.Config", ConfigObj, tain::Object);
};
TAIN_REGISTER {
  tain::reflection::ObjectDef<ConfigObj>().def_init<>().def_rw("kept", &ConfigObj::kept)
      .def_rw("gone", &ConfigObj::gone).def_rw("retyped", &ConfigObj::retyped);
}
"""
SECOND = (
    FIRST.replace('.def_rw("gone", &ConfigObj::gone)', '.def_rw("added", &ConfigObj::added)')
    .replace('tain::String gone = "gone"', "int64_t added = 7")
    .replace("int64_t retyped = 3", 'tain::String retyped = "three"')
)


@pytest.mark.slow
@pytest.mark.bad_input
def test_a_pickle_of_another_version() -> None:
    tain.cpp.load_inline("versions", cpp_sources=FIRST, functions=None)
    first = tain.types.versions.Config
    made = first()
    made.kept = 5
    function, args, (fields, state) = made.__reduce__()
    whole = pickle.dumps(made)
    tain.cpp.load_inline("versions", cpp_sources=SECOND, functions=None)
    second = tain.types.versions.Config
    assert second is not first
    with raises(TypeError, "Config.retyped: expected str, got int (3)"):
        pickle.loads(whole)

    def read(fields: dict[str, object]) -> Any:
        read = function(second, *args[1:])
        read.__setstate__((fields, state))
        return read

    with raises(TypeError, "Config.retyped: expected str, got int (3)"):
        read(fields)
    del fields["retyped"]
    with raises(TypeError, "versions.Config has no field 'gone' that the pickle holds"):
        read(fields)
    del fields["gone"]
    again = read(fields)
    assert (again.kept, again.added, again.retyped) == (5, 7, "three")
    del made, again
