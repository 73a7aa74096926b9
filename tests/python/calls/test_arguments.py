# SPDX-License-Identifier: Apache-2.0
"""Arguments by position and keyword, defaults, their factories, and what is wrong with a call."""

from __future__ import annotations

import pytest
from errors import raises
from tain.types.testing import Vector
from testing_functions import get

GREET, SCALE, SUM_FROM = get("greet"), get("scale"), get("sum_from")
CALLS = [  # (function, arguments, keywords, result)
    (GREET, ("a",), {}, "hello, a!"),
    (GREET, ("a", "hi"), {}, "hi, a!"),
    (GREET, ("a",), {"punctuation": "?"}, "hello, a?"),
    (GREET, (), {"punctuation": "?", "name": "b", "greeting": "hi"}, "hi, b?"),
    (SCALE, (3,), {}, 6),
    (SCALE, (3, 4), {}, 12),
    (SCALE, (3,), {"negate": True}, -6),
    (SCALE, (), {"negate": True, "factor": 5, "x": 1}, -5),
    (SUM_FROM, (1,), {}, 1),
    (SUM_FROM, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), {}, 55),
    (SUM_FROM, (), {"start": 4}, 4),
    (get("positional"), (1, 2), {}, 3),
    (get("optional_text"), (), {}, None),
    (get("optional_text"), ("x",), {}, "x"),
    (get("default_any"), (), {}, 1.5),
    (get("default_any"), (None,), {}, None),
    (get("packed_count"), (), {}, 0),
    (get("packed_count"), tuple(range(100)), {}, 100),
    (get("packed_last"), (1, "two", None, 4.0), {}, 4.0),
    (get("packed_last"), (), {}, None),
    (get("apply"), (lambda *a: len(a), *range(20)), {}, 20),
]


@pytest.mark.parametrize(("function", "args", "keywords", "result"), CALLS)
def test_arguments(function, args: tuple, keywords: dict, result: object) -> None:
    assert function(*args, **keywords) == result


UNNAMED = (
    "takes no keyword arguments: its parameters have no names; the C++ author gives them with "
    'tain::arg("name")'
)
WRONG_CALLS = [
    ("greet", (), {}, "testing.greet() missing argument 'name'"),
    ("greet", (), {"greeting": "b"}, "testing.greet() missing argument 'name'"),
    ("greet", (1, 2, 3, 4), {}, "testing.greet() takes 1 to 3 arguments but 4 were given"),
    ("greet", (5,), {}, "testing.greet: argument name: expected str, got int (5)"),
    ("greet", ("a",), {"name": "b"}, "testing.greet() got multiple values for argument 'name'"),
    (
        "greet",
        ("a",),
        {"puncuation": "?"},
        "testing.greet() got an unexpected keyword argument 'puncuation'. "
        "Did you mean 'punctuation'?",
    ),
    (
        "greet",
        ("a",),
        {"something else": 1},
        "testing.greet() got an unexpected keyword argument 'something else'",
    ),
    (
        "greet",
        ("a",),
        {"\udc80": 1},
        "testing.greet() got an unexpected keyword argument '\udc80'",
    ),
    (
        "scale",
        (3, 4, True),
        {},
        "testing.scale() takes 1 to 2 positional arguments but 3 were given",
    ),
    ("default_any", (1, 2), {}, "testing.default_any() takes 0 to 1 arguments but 2 were given"),
    ("scale", (3,), {"negate": 3}, "testing.scale: argument negate: expected bool, got int (3)"),
    ("scale", (), {"negate": True}, "testing.scale() missing argument 'x'"),
    ("sum_from", (), {}, "testing.sum_from() missing argument 'start'"),
    (
        "sum_from",
        (1,),
        {"rest": 3},
        "testing.sum_from() got an unexpected keyword argument 'rest'",
    ),
    (
        "sum_from",
        (1, 2, 3),
        {"start": 3},
        "testing.sum_from() got multiple values for argument 'start'",
    ),
    ("positional", (), {"a": 1}, "testing.positional() " + UNNAMED),
    ("positional", (1,), {"arg1": 1}, "testing.positional() " + UNNAMED),
    ("positional", (1,), {}, "testing.positional() takes 2 arguments but 1 was given"),
    ("packed_count", (1,), {"a": 1}, "testing.packed_count() takes no keyword arguments"),
    ("nop", (1,), {}, "testing.nop() takes 0 arguments but 1 was given"),
    ("nop", (), {"a": 1}, "testing.nop() got an unexpected keyword argument 'a'"),
    ("sum2", (1, None), {}, "testing.sum2: argument b: expected int, got None"),
    ("sum2", (1,), {"b": "x"}, "testing.sum2: argument b: expected int, got str ('x')"),
    (
        "apply",
        (5,),
        {},
        "testing.apply: argument f: expected Callable[..., Any] | None, got int (5)",
    ),
    ("echo_bool", (1,), {}, "testing.echo_bool: argument x: expected bool, got int (1)"),
    (
        "echo_array_int",
        ([1, "x"],),
        {},
        "testing.echo_array_int: argument x[1]: expected int, got str ('x')",
    ),
    (
        "echo_array_array_int",
        ([[1], [2, "x"]],),
        {},
        "testing.echo_array_array_int: argument x[1][1]: expected int, got str ('x')",
    ),
    (
        "echo_map_str_int",
        ({"a": "b"},),
        {},
        "testing.echo_map_str_int: argument x[\"a\"]: expected int, got str ('b')",
    ),
    (
        "echo_map_str_int",
        ({1: 1},),
        {},
        "testing.echo_map_str_int: argument x: key: expected str, got int (1)",
    ),
    (
        "echo_tuple_int_str",
        ((1,),),
        {},
        "testing.echo_tuple_int_str: argument x: expected tuple[int, str] of 2 elements, got 1",
    ),
    (
        "echo_variant_int_str",
        (1.5,),
        {},
        "testing.echo_variant_int_str: argument x: expected int | str, got float (1.5)",
    ),
    (
        "echo_point",
        (Vector(1, 2),),
        {},
        "testing.echo_point: argument x: expected testing.Point, got testing.Vector",
    ),
    (
        "echo_point_ref",
        (None,),
        {},
        "testing.echo_point_ref: argument x: expected testing.Point, got None",
    ),
    (
        "echo_object",
        (5,),
        {},
        "testing.echo_object: argument x: expected Object | None, got int (5)",
    ),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "args", "keywords", "text"), WRONG_CALLS)
def test_wrong_arguments(name: str, args: tuple, keywords: dict, text: str) -> None:
    with raises(TypeError, text):
        get(name)(*args, **keywords)


def test_default_factories_run_for_each_call() -> None:
    serial = get("serial")
    first = serial()
    assert (serial(), serial(), serial(5), serial()) == (first + 1, first + 2, 5, first + 3)
