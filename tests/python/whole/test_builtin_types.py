# SPDX-License-Identifier: Apache-2.0
"""A made-up built-in type is one row: whatever reads the table in Python has it."""

from __future__ import annotations

import collections
import decimal
import inspect
from collections.abc import Callable

import numpy
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
