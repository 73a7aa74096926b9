# SPDX-License-Identifier: Apache-2.0
"""A made-up built-in type is one row: whatever reads the table in Python has it."""

from __future__ import annotations

import collections
import copy
import decimal
import gc
import inspect
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from errors import raises

import tain
from tain import _core

ADDS_A_TYPE = r"""
#include <tain/internal/builtin_types.h>

namespace {
using namespace tain::internal;
constexpr ValueLeaf kNever = {[](const TainAny*) { return false; },
                              [](const TainAny*, tain::Any*) { return false; },
                              [](const TainAny*) { return tain::Mismatch("Made"); }};
}  // namespace

bool add_types() {
  return AddBuiltinType({120, "test.Made", "Made", "Made", "decimal", "Decimal",
                         BuiltinForm::kLeaf, BuiltinRefs::kNone, &kNever}) &&
         AddBuiltinType({121, "test.Rope", "Rope", "Rope", "collections", "deque",
                         BuiltinForm::kSequence, BuiltinRefs::kOfParts, &kNever});
}
"""

USES_IT = f"""
import collections, decimal, tain

added = tain.cpp.load_inline("made_up", cpp_sources={ADDS_A_TYPE!r}, functions="add_types")
assert added.add_types()

@tain.py_class("made_up.Holder")
class Holder(tain.Object):
    number: decimal.Decimal | None = None
    rope: collections.deque[decimal.Decimal] | None = None

fields = tain.type_info(Holder).fields
print([field.type for field in fields])
print([field.annotation for field in fields])

from tain.stubgen._annotations import Place, annotation_text
from tain.stubgen._names import Names

for place in Place:
    print(annotation_text(collections.deque[decimal.Decimal], place, Names("m", [], [])))
"""


def test_a_new_row_is_read_everywhere(run: Callable[[str], str]) -> None:
    assert run(USES_IT).splitlines() == [
        "['Made | None', 'Rope[Made] | None']",
        "[decimal.Decimal | None, collections.deque[decimal.Decimal] | None]",
        "tain.deque[decimal.Decimal]",
        "collections.abc.Iterable[decimal.Decimal]",
    ]


def test_rows_are_names_of_classes() -> None:
    assert tain.Module.__name__ == "Module"  # used, so that its row has the class
    rows = {name: (cls, parts) for name, cls, parts in _core.builtin_types()}
    assert rows["int"] == (int, 0)
    assert rows["Array"] == (tain.Array, 1)
    assert rows["Dict"] == (tain.Dict, 2)
    assert rows["None"] == (None, 0)
    assert rows["Module"][0] is tain.Module
    assert all(
        cls is None or inspect.isclass(cls) or name == "Any" for name, (cls, _) in rows.items()
    )
    assert decimal.Decimal not in {cls for cls, _ in rows.values()}
    assert collections.deque not in {cls for cls, _ in rows.values()}


def test_fields_of_python_classes_take_what_parameters_take() -> None:
    @tain.py_class("built_in_types.Holder")
    class Holder(tain.Object):
        tensor: tain.Tensor
        error: tain.Error | None = None

    array = numpy.arange(3.0)
    holder = Holder(array)  # a Tensor for C++; an array comes back as what it was
    assert holder.tensor.base is array or holder.tensor is array
    assert [field.type for field in tain.type_info(Holder).fields] == ["Tensor", "Error | None"]
    with raises(
        TypeError, "built_in_types.Holder: argument tensor: expected Tensor, got str ('x')"
    ):
        Holder("x")


def _samples() -> dict[str, Any]:
    """A value of each built-in type, new each time: what a new row needs here."""
    return {
        "Any": 1,
        "object": object(),
        "None": None,
        "int": 2**40,
        "bool": True,
        "float": 0.5,
        "dtype": tain.dtype("int8"),
        "Device": tain.Device("cpu", 0),
        "Object": tain.Object,
        "str": "a text that is not short",
        "bytes": b"bytes that are not short",
        "Error": ValueError("message"),
        "Callable": len,
        "Function": tain.get_global_func("testing.add_one"),
        "Shape": tain.Shape([2, 3]),
        "Tensor": tain.empty((2, 3), "float32"),
        "Array": tain.Array([1, "two"]),
        "Map": tain.Map({"a": 1}),
        "Module": tain.Module,
        "List": tain.List([1, "two"]),
        "Dict": tain.Dict({"a": 1}),
    }


# Those that have no value here, whose values live in this process only, or that are mutable.
_NO_VALUES = {"Object", "Module"}
_NOT_SAVED = {"object", "Callable", "Function"}
_UNHASHABLE = {"List", "Dict", "Tensor"}


@pytest.mark.parametrize("name", [row[0] for row in _core.builtin_types()])
def test_each_row_works_everywhere(name: str) -> None:
    value = _samples()[name]
    if name in _NO_VALUES:
        assert isinstance(value, type)
        return
    (held,) = tain.Array([value])
    one, other = tain.Array([held]), tain.Array([held])
    assert repr(held) in repr(one)
    if name == "Error":  # which Python knows as the exception, equal to nothing else
        return
    assert one == other
    assert tain.structural_equal(one, other) and not tain.diff(one, other)
    assert tain.structural_hash(one) == tain.structural_hash(other)
    if name in _UNHASHABLE:
        with pytest.raises(TypeError, match=name):
            hash(one)
    else:
        assert hash(one) == hash(other)
        assert tain.Dict({held: 1})[held] == 1
    if name in _NOT_SAVED:
        return
    for made in (
        copy.copy(held),
        copy.deepcopy(held),
        pickle.loads(pickle.dumps(held)),
        tain.load_json(tain.save_json(tain.Array([value])))[0],
        tain.load_binary(tain.save_binary(tain.Array([value])))[0],
    ):
        assert type(made) is type(held)
        assert tain.structural_equal(tain.Array([made]), tain.Array([held]))


@pytest.mark.parametrize(
    ("name", "parts"), [(name, parts) for name, _, parts in _core.builtin_types() if parts > 0]
)
def test_a_container_of_each_row_is_collected_in_a_cycle(name: str, parts: int) -> None:
    @tain.py_class(f"built_in_types.HolderOf{name}")
    class Holder(tain.Object):
        held: Any = None

    holder = Holder()
    holder.held = type(_samples()[name])({"key": holder} if parts == 2 else [holder])
    dead = weakref.ref(holder)
    del holder
    gc.collect()
    assert dead() is None
