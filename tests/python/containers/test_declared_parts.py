# SPDX-License-Identifier: Apache-2.0
"""A List or a Dict that C++ declares refuses at once what its type does not take."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Cell, Sheet

import tain

REFUSED = "List[int]: expected int, got str ('x')"


def new_sheet() -> Any:
    sheet = Sheet()
    sheet.numbers, sheet.rows = [1, 2, 3], {0: [1.5]}
    return sheet


@pytest.mark.bad_input
def test_elements_of_a_list() -> None:
    sheet = new_sheet()
    numbers = sheet.numbers
    with raises(TypeError, REFUSED):
        numbers.append("x")
    with raises(TypeError, REFUSED):
        numbers.insert(0, "x")
    with raises(TypeError, REFUSED):
        numbers[0] = "x"
    with raises(TypeError, "List[int]: expected int, got float (0.5)"):
        numbers.append(0.5)
    assert list(numbers) == [1, 2, 3]
    numbers.append(4)
    numbers.insert(0, 0)
    numbers[1] = True
    assert list(numbers) == [0, 1, 2, 3, 4]
    assert sheet.sum() == 10


@pytest.mark.bad_input
def test_several_elements_are_all_taken_or_none() -> None:
    sheet = new_sheet()
    numbers = sheet.numbers
    at_1 = "List[int][1]: expected int, got str ('x')"
    for iterable in ([4, "x"], (4, "x"), iter([4, "x"]), tain.Array([4, "x"])):
        with raises(TypeError, at_1):
            numbers.extend(iterable)
    with raises(TypeError, at_1):
        numbers += [4, "x"]
    with raises(TypeError, at_1):
        numbers[1:] = [4, "x"]
    with raises(TypeError, at_1):
        numbers[::2] = [4, "x"]
    assert list(numbers) == [1, 2, 3]
    numbers += (4,)
    numbers.extend(iter([5]))
    numbers[1:3] = [7]
    numbers[::2] = [8, 9]
    assert list(numbers) == [8, 7, 9, 5]


@pytest.mark.bad_input
def test_entries_of_a_dict() -> None:
    sheet = new_sheet()
    cells = sheet.cells
    cell = Cell(value=1.0)
    with raises(TypeError, 'Dict[str, testing.Cell]["a"]: expected testing.Cell, got int (1)'):
        cells["a"] = 1
    with raises(TypeError, "Dict[str, testing.Cell]: key: expected str, got int (1)"):
        cells[1] = cell
    with raises(TypeError, 'Dict[str, testing.Cell]["a"]: expected testing.Cell, got None'):
        cells.setdefault("a")
    with raises(TypeError, 'Dict[str, testing.Cell]["b"]: expected testing.Cell, got int (1)'):
        cells.update(b=1)
    with raises(TypeError, 'Dict[str, testing.Cell]["b"]: expected testing.Cell, got int (1)'):
        cells |= tain.Map({"b": 1})
    assert not cells
    cells["a"] = cell
    assert cells.setdefault("b", cell) is cell
    cells.update({"c": cell})
    assert sheet.total() == 3


@pytest.mark.bad_input
def test_parts_of_parts() -> None:
    sheet = new_sheet()
    sheet.rows[1] = [1, 2]
    assert repr(sheet.rows[1]) == "[1.0, 2.0]"
    with raises(TypeError, "Dict[int, List[float]][2][1]: expected float, got str ('x')"):
        sheet.rows[2] = [1, "x"]
    with raises(TypeError, "List[float]: expected float, got str ('x')"):
        sheet.rows[0].append("x")
    assert sheet.row(1, 1) == 2


def test_what_python_makes_of_them_takes_anything() -> None:
    sheet = new_sheet()
    numbers = sheet.numbers
    more = ["x"]
    assert numbers + more == [1, 2, 3, "x"]
    assert sheet.cells | {"a": 1} == {"a": 1}
    for made in (numbers.copy(), copy.copy(numbers), numbers[:], numbers * 1, tain.List(numbers)):
        made.append("x")
        assert made == [1, 2, 3, "x"]
    with raises(TypeError, REFUSED):
        numbers.append("x")


def test_other_lists_take_anything() -> None:
    anything = tain.List([1])
    anything.append("x")
    assert list(anything) == [1, "x"]


@pytest.mark.bad_input
def test_a_conversion_that_changes_the_list() -> None:
    sheet = new_sheet()

    class Number:
        def __index__(self) -> int:
            sheet.numbers.clear()
            return 5

    numbers = sheet.numbers
    numbers.append(Number())
    assert list(numbers) == [5]
    numbers.insert(1, Number())
    assert list(numbers) == [5]
    numbers[:] = [1, 2]
    with raises(IndexError, "List index 1 out of range for size 0"):
        numbers[1] = Number()
    numbers[:] = [1, 2]
    numbers[1:] = [Number()]
    assert list(numbers) == [5]


def define(key: str, **fields: Any) -> Any:
    return tain.py_class(key)(
        type(key.partition(".")[2], (tain.Object,), {"__annotations__": fields})
    )


@pytest.mark.bad_input
def test_lists_of_classes_that_python_defines() -> None:
    item = define("declared_parts.Item", x=int)
    box = define("declared_parts.Box", items=list[item])([item(1)])
    text = "List[declared_parts.Item]: expected declared_parts.Item, got int (2)"
    with raises(TypeError, text):
        box.items.append(2)
    again = define("declared_parts.Item", x=int)
    box.items.append(again(2))  # which of the two is meant, only who reads it knows
    assert [one.x for one in box.items] == [1, 2]


@pytest.mark.bad_input
def test_a_class_that_is_not_registered_yet() -> None:
    box = define("declared_parts.Early", items="list[Late]")([])
    box.items.append(1)
    define("declared_parts.Late", x=int)
    text = "List[declared_parts.Late]: expected declared_parts.Late, got int (2)"
    with raises(TypeError, text):
        box.items.append(2)
