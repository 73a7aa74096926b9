# SPDX-License-Identifier: Apache-2.0
"""The fields of exception classes: types, conversion by the constructor, defaults."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from errors import check_passes_through, raises, raising
from tain.types.testing import (
    CycleError,
    ParseError,
    SheetError,
    Tint,
    TypedError,
    UnmadeError,
)
from testing_functions import get

import tain
from tain import _core
from tain.stubgen import namespace_stubs


def test_a_field_knows_its_type() -> None:
    field = CycleError.cells
    assert isinstance(field, _core.ErrorFieldInfo)
    assert (field.name, field.type) == ("cells", "Array[str]")
    assert field.doc == "The cells of the cycle."
    assert field.annotation == tain.Array[str]
    assert repr(field) == "ErrorFieldInfo(cells: Array[str])"
    assert repr(CycleError._tain_record) == "ErrorInfo(testing.CycleError)"
    assert (field.has_default, ParseError.line.has_default) == (True, True)
    assert TypedError.color.annotation is Tint
    assert TypedError.small.annotation == int | None
    assert CycleError.row is SheetError.row
    assert CycleError.row == SheetError.row != CycleError.cells
    assert hash(CycleError.row) == hash(SheetError.row)


REFUSED: list[tuple[type[BaseException], dict[str, Any], type[BaseException], str]] = [
    (SheetError, {"row": "3"}, TypeError, "SheetError.row: expected int, got str ('3')"),
    (CycleError, {"row": None}, TypeError, "SheetError.row: expected int, got None"),
    (CycleError, {"cells": ["a", 3]}, TypeError, "CycleError.cells[1]: expected str, got int (3)"),
    (CycleError, {"cells": 5}, TypeError, "CycleError.cells: expected Array[str], got int (5)"),
    (
        SheetError,
        {"row": 2**70},
        OverflowError,
        "SheetError.row: expected int in -9223372036854775808..9223372036854775807, "
        "got 1180591620717411303424",
    ),
    (
        TypedError,
        {"place": (1,)},
        TypeError,
        "TypedError.place: expected tuple[int, str] of 2 elements, got 1",
    ),
    (
        TypedError,
        {"color": "RED"},
        TypeError,
        "TypedError.color: expected testing.Tint (RED, GREEN, BLUE), got str ('RED')",
    ),
    (
        TypedError,
        {"colour": 1},
        TypeError,
        "TypedError() got an unexpected keyword argument 'colour'. Did you mean 'color'?",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("cls", "values", "kind", "text"), REFUSED)
def test_the_constructor_refuses(cls, values, kind, text) -> None:
    with raises(kind, text):
        cls("message", **values)


@pytest.mark.bad_input
def test_nothing_is_set_if_one_value_is_refused() -> None:
    error = CycleError("first", row=1)
    with pytest.raises(TypeError):
        error.__init__("second", row=2, cells=3)  # type: ignore[misc]
    assert (error.row, list(error.cells)) == (1, [])


def test_the_constructor_converts() -> None:
    made = TypedError("x", color=4, place=[3, "C"], marks=(5, 6), small=None, anything=Tint.RED)
    assert made.color is Tint.BLUE
    assert made.place == (3, "C")
    assert isinstance(made.place, tuple)
    assert isinstance(made.marks, tain.List)
    assert made.small is None
    assert made.anything is Tint.RED
    assert get("catch_made")(raising(made)) == "TypedError x 4 3C none 5 6 a view 1"
    check_passes_through(made)


def test_fields_from_cpp_have_their_types() -> None:
    with raises(TypedError, "typed") as caught:
        get("throw_typed")()
    error = caught.value
    assert (error.color, error.place, error.small) == (Tint.GREEN, (1, "A"), 7)
    assert isinstance(error.color, Tint)
    assert isinstance(error.place, tuple)
    assert (list(error.marks), error.view, error.length) == ([1, 2], "a view", 5)


def test_a_field_that_is_not_given_has_the_value_of_a_new_cpp_exception() -> None:
    error = TypedError("four")
    assert vars(error) == {}
    assert (error.color, error.place, error.small, error.length) == (Tint.GREEN, (1, "A"), 7, 4)
    assert error.marks is error.marks
    error.marks.append(9)
    assert list(TypedError("four").marks) == [1, 2]

    def fail() -> None:
        raise error

    assert get("catch_made")(fail) == "TypedError four 2 1A 7 1 2 9 a view 4"
    error.__traceback__ = None


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
def test_copies(again) -> None:
    made = again(TypedError("x", color=Tint.RED, place=(2, "B")))
    assert (made.args, made.color, made.place) == (("x",), Tint.RED, (2, "B"))
    assert list(made.marks) == [1, 2]


def test_a_factory_makes_what_no_message_makes() -> None:
    def raising(error: BaseException):
        def fail() -> None:
            raise error

        return fail

    catch = get("catch_made")
    assert ParseError("x").line == 1
    assert catch(raising(ParseError("x", line=5))) == "ParseError x 5"
    assert catch(raising(ParseError("x"))) == "ParseError x 1"
    assert catch(raising(ParseError("refused", line=5))) == "Error testing.ParseError refused"
    assert ParseError("refused").line is None
    with raises(ParseError, "parsed") as caught:
        get("throw_parse")()
    assert caught.value.line == 12


def test_a_class_that_cannot_be_made_is_still_caught_in_python() -> None:
    with raises(UnmadeError, "unmade") as caught:
        get("throw_unmade")()
    assert isinstance(caught.value, ParseError)
    assert caught.value.line == 13
    made = UnmadeError("mine", line=3)
    assert get("catch_made")(raising(made)) == "Error testing.UnmadeError mine"
    check_passes_through(made)


@pytest.mark.bad_input
def test_the_descriptor_refuses_what_is_no_exception() -> None:
    field = CycleError.cells
    with raises(TypeError, "CycleError.cells: expected an exception as self"):
        field.__get__(3)
    assert list(field.__get__(ValueError())) == []

    class Hidden(CycleError):
        @property
        def __dict__(self) -> int:  # type: ignore[override]
            return 5

    assert list(Hidden("x").cells) == []
    with pytest.raises(TypeError):
        _core.ErrorFieldInfo()
    with pytest.raises(TypeError):
        _core.ErrorInfo()

    class Own(ValueError):
        _tain_record = "no record"

    tain.register_error("testing.own_record", Own)
    assert isinstance(Own(), ValueError)


def test_fields_of_a_class_that_cannot_be_made_have_no_default() -> None:
    source = """
    #include <stdexcept>
    #include <tain/reflection/error_def.h>
    struct Own : std::runtime_error {
      explicit Own(int64_t at) : std::runtime_error("own"), line(at) {}
      int64_t line;
    };
    TAIN_REGISTER {
      tain::reflection::ErrorDef<Own>("unmade_error.Own").def_ro("line", &Own::line);
      tain::reflection::GlobalDef().def("unmade_error.fail", []() { throw Own(4); });
    }
    """
    tain.cpp.load_inline("unmade_error", cpp_sources=source)
    from tain.types.unmade_error import Own, fail

    assert not Own.line.has_default
    assert (Own("mine").line, Own("mine", line=3).line) == (None, 3)
    with raises(Own, "own") as caught:
        fail()
    assert caught.value.line == 4
    stub = namespace_stubs("unmade_error")["tain.types.unmade_error"]
    assert "def line(self) -> int | None: ...\n" in stub
    assert "line: int = ..." in stub
