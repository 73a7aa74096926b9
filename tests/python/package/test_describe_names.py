# SPDX-License-Identifier: Apache-2.0
"""The Python spelling of C++ names."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tain.describe._names import python_name, snake_case

NAMES = [
    ("getX", "get_x"),
    ("HTTPServer", "http_server"),
    ("Matrix4d", "matrix4d"),
    ("already_snake", "already_snake"),
    ("kRed", "k_red"),
    ("_getX_", "_get_x_"),
    ("__Max__", "__max__"),
    ("b2World", "b2_world"),
    ("getIDs", "get_ids"),
    ("getIDList", "get_id_list"),
    ("readAs", "read_as"),
    ("readJSONAs", "read_json_as"),
    ("is2D", "is2d"),
    ("get3DPoint", "get3d_point"),
    ("utf8Text", "utf8_text"),
    ("MAX_SIZE", "max_size"),
    ("Get_X", "get_x"),
    ("getB2Body", "get_b2_body"),
    ("X", "x"),
    ("größeÄndern", "größe_ändern"),
    ("", ""),
    ("_", "_"),
]


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_snake_case(name: str, expected: str) -> None:
    assert snake_case(name) == expected


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True))
def test_snake_case_is_a_name_and_stays_as_it_is(name: str) -> None:
    snake = snake_case(name)
    assert snake.isidentifier() and snake == snake.lower()
    assert snake_case(snake) == snake
    assert snake.replace("_", "") == name.replace("_", "").lower()


@pytest.mark.parametrize("name", keyword.kwlist)
def test_a_keyword_gets_an_underscore(name: str) -> None:
    assert python_name(name) == f"{name}_"


@pytest.mark.parametrize("name", ["match", "case", "type", "_", "print", "x", "true"])
def test_other_names_stay(name: str) -> None:
    assert python_name(name) == name
