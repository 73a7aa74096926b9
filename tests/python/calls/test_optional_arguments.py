# SPDX-License-Identifier: Apache-2.0
"""Defaults that only the callee knows: a call with fewer arguments reaches its shorter form."""

from __future__ import annotations

import pytest
from errors import raises
from testing_functions import get

SCALED, UNNAMED, BY_SPEC = get("scaled"), get("scaled_unnamed"), get("scaled_by_spec")


def test_positional_arguments_choose_the_form() -> None:
    assert [SCALED(5), SCALED(5, 3), SCALED(5, 3, 10)] == [10, 15, 150]
    assert [UNNAMED(5, 3), UNNAMED(5, 3, 10)] == [15, 150]


def test_keywords_choose_the_form() -> None:
    assert SCALED(x=5, by=3, times=10) == 150
    assert SCALED(5, times=10, by=3) == 150
    assert BY_SPEC(5, by=3, times=10) == 150


def test_keywords_leave_out_the_last_ones() -> None:
    assert SCALED(x=5) == 10
    assert SCALED(5, by=3) == 15


def test_what_is_keyword_only_may_be_left_out() -> None:
    assert BY_SPEC(5, by=3) == 15


@pytest.mark.bad_input
def test_one_cannot_be_left_out_before_another() -> None:
    with pytest.raises(TypeError) as caught:
        SCALED(5, times=10)
    expected = "testing.scaled() missing argument 'by': it has no default if 'times' is given"
    assert str(caught.value) == expected


@pytest.mark.bad_input
def test_the_number_of_arguments_is_told_with_the_optional_ones() -> None:
    with raises(TypeError, "testing.scaled() takes 1 to 3 arguments but 4 were given"):
        SCALED(1, 2, 3, 4)


@pytest.mark.bad_input
def test_a_value_that_does_not_fit_a_shorter_form() -> None:
    with raises(TypeError, "testing.scaled: argument x: expected int, got str ('five')"):
        SCALED("five")


def test_the_repr_shows_what_nobody_can_spell() -> None:
    assert "scaled(x: int, by: int = ..., times: int = ...) -> int" in repr(SCALED)
    assert "scaled_by_spec(x: int, by: int, *, times: int = ...) -> int" in repr(BY_SPEC)
    assert (SCALED.__doc__, BY_SPEC.__doc__) == (None, "Scales.")
