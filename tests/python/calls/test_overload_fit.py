# SPDX-License-Identifier: Apache-2.0
"""The overload, and the alternative of a variant, that fits best is taken, in every order."""

from __future__ import annotations

import datetime
import enum
import sys

import enum_lib  # noqa: F401 -- compiles and loads the library
import numpy as np
import pytest

from tain.types import bounds as b

Color, Mode = b.Color, b.Mode
ONE_SECOND = datetime.timedelta(seconds=1)
OTHER = enum.IntEnum("OTHER", {"ONE": 1})
TEXT = (enum.StrEnum if sys.version_info >= (3, 11) else enum.Enum)("TEXT", {"FAST": "fast"})
FITS = [  # (names of the function in both orders, value, the overload)
    (("enum_int", "int_enum"), Color.Green, "enum"),
    *((("enum_int", "int_enum"), n, "int") for n in (0, 1, 5, np.int8(1), OTHER.ONE)),
    (("enum_double", "double_enum"), Color.Green, "enum"),
    *((("enum_double", "double_enum"), n, "double") for n in (1, 5, 1.0, np.float32(1))),
    (("enum_str", "str_enum"), Mode.Fast, "enum"),
    *((("enum_str", "str_enum"), t, "str") for t in ("fast", "slow", np.str_("fast"))),
    *((("int_bool",), n, "bool") for n in (True, np.bool_(True))), (("int_bool",), 1, "int"),
    *((("float_double", "double_float"), n, "double") for n in (0.1, np.float32(0.1))),
    *((("duration_double", "double_duration"), n, "double") for n in (1, 1.5, np.float64(1))),
    (("duration_double", "double_duration"), ONE_SECOND, "duration"),
    (("any_enum", "enum_any"), Color.Green, "enum"),
    *((("any_enum", "enum_any"), n, "any") for n in (1, 5, "x", None)),
]  # fmt: skip


@pytest.mark.parametrize(("names", "value", "wanted"), FITS)
def test_the_best_fit_is_called(names: tuple[str, ...], value: object, wanted: str) -> None:
    assert {getattr(b, name)(value) for name in names} == {wanted}


@pytest.mark.only_if(sys.version_info >= (3, 11), reason="enum.StrEnum is new in 3.11")
def test_an_enum_of_texts_that_nobody_registered_is_a_text() -> None:
    assert b.enum_str(TEXT.FAST) == b.str_enum(TEXT.FAST) == "str"


ALTERNATIVES = [  # (function, value, index of the alternative)
    ("which", Color.Green, 0), ("which", 1, 1), ("which", 5, 1),
    ("which_reversed", Color.Green, 1), ("which_reversed", 1, 0),
    ("which_double", Color.Green, 0), ("which_double", 1, 1), ("which_double", 1.0, 1),
    ("which_text", Mode.Fast, 1), ("which_text", "fast", 0),
    ("which_float", 0.1, 1), ("which_float", 1, 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "index"), ALTERNATIVES)
def test_the_best_alternative_is_held(name: str, value: object, index: int) -> None:
    assert getattr(b, name)(value) == index
