# SPDX-License-Identifier: Apache-2.0
"""Functions around Python callables take, copy, pickle and compare as what they are."""

from __future__ import annotations

import copy
import functools
import pickle

import pytest
from errors import raises
from testing_functions import get

import tain


def python_function(a: int, b: int = 2, *, c: int = 3) -> tuple[int, int, int]:
    return a, b, c


def test_python_functions_take_keywords() -> None:
    made = [
        tain.Function(python_function),
        tain.List([python_function])[0],
        tain.Dict({"f": python_function})["f"],
        tain.Function(functools.partial(python_function)),
    ]
    for function in made:
        for _ in range(2):
            assert tuple(function(1, c=4)) == (1, 2, 4)
            assert tuple(function(a=1, b=5)) == (1, 5, 3)
        with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
            function(1, d=4)
        with pytest.raises(TypeError, match="missing 1 required positional argument"):
            function(c=4)
    assert list(made[0]([1], c={"k": 1})[0]) == [1]  # as arguments by position


@pytest.mark.bad_input
def test_a_function_gets_no_other_object() -> None:
    echo, other = get("echo"), get("make_array")
    text = (
        "Function.__init_handle_by_constructor__(): a function stays what it is: a call of it may "
        "be under way"
    )
    for make in (lambda: other, lambda: tain.Array([1]), lambda: tain.Function(len), lambda: 5):
        with raises(TypeError, text):
            tain.Object.__init_handle_by_constructor__(echo, make)
    with raises(TypeError, text):
        echo.__init_handle_by_constructor__(lambda: other)
    with raises(TypeError, "ffi.Function has no constructor"):
        tain.Object.__init__(echo)
    echo.__init__(other)
    assert (echo.__name__, echo(5), echo is get("echo")) == ("echo", 5, True)


def test_functions_are_copied_pickled_and_compared_as_their_callables() -> None:
    function, same = tain.convert(python_function), tain.convert(python_function)
    assert function == same == python_function == function
    assert hash(function) == hash(same) == hash(python_function)
    assert function != tain.convert(len)
    assert function != 3
    echo = get("echo")
    assert echo == echo
    assert echo != get("apply")
    assert len({echo, function, same, python_function}) == 2
    for container in (tain.List([len]), tain.Dict({1: len}), tain.Array([len])):
        assert copy.copy(container) == container
        assert copy.deepcopy(container) == container
        assert pickle.loads(pickle.dumps(container)) == container
    assert copy.deepcopy(echo) is echo
    assert pickle.loads(pickle.dumps(function)) == python_function
    tain.register_global_func("test_calls.python_function", python_function)
    try:
        named = tain.get_global_func("test_calls.python_function")
        assert pickle.loads(pickle.dumps(named)) is named
    finally:
        tain.remove_global_func("test_calls.python_function")


@pytest.mark.bad_input
@pytest.mark.parametrize("name", [5, None, b"__module__", 1.5, ("a",)], ids=repr)
@pytest.mark.parametrize("owner", [tain.get_global_func("testing.echo"), tain.Object._move])
def test_names_of_attributes_are_texts(owner: object, name: object) -> None:
    told = f"attribute name must be string, not '{type(name).__name__}'"
    with pytest.raises(TypeError, match=told):
        owner.__getattribute__(name)
    with pytest.raises(TypeError, match=told):
        owner.__setattr__(name, 1)
