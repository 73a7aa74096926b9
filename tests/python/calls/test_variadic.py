# SPDX-License-Identifier: Apache-2.0
"""Functions with tain::Args and tain::Kwargs: *args and **kwargs in both directions."""

from __future__ import annotations

import inspect

import pytest
from errors import raises
from tain.types.testing import Length
from testing_functions import get

PARTS = get("parts")
CALLS = [  # (arguments, keywords, what arrives)
    ((1,), {}, (1, (), {})),
    ((1, 2, "a"), {}, (1, (2, "a"), {})),
    ((1,), {"a": 1, "b": None}, (1, (), {"a": 1, "b": None})),
    ((1, *range(20)), {"z": [1], "a": 2.5}, (1, tuple(range(20)), {"z": [1], "a": 2.5})),
    ((1, {"a": 1}), {}, (1, ({"a": 1},), {})),
    ((), {"first": 5, "b": 3}, (5, (), {"b": 3})),
    ((1,), {"args": 1, "kwargs": 2}, (1, (), {"args": 1, "kwargs": 2})),
    ((1,), {"ä": 1, "class": 2}, (1, (), {"ä": 1, "class": 2})),
    ((1,), {"\udc80": 1, "": 2}, (1, (), {"\udc80": 1, "": 2})),
]


@pytest.mark.parametrize(("args", "keywords", "parts"), CALLS)
def test_what_arrives(args: tuple, keywords: dict, parts: tuple) -> None:
    first, rest, named = PARTS(*args, **keywords)
    assert (first, tuple(rest), dict(named)) == parts
    assert list(named) == list(parts[2])  # in the order given


def test_defaults_and_names() -> None:
    assert get("parts_named")() == [7, [], {}]
    assert get("parts_named")(more=1) == [7, [], {"more": 1}]
    assert get("only_keywords")(b=1, a=2) == {"b": 1, "a": 2}
    assert get("only_keywords")() == {}
    assert get("keyword")(name=3) == 3


def test_signatures() -> None:
    shown = {
        "parts": "(first: int, *args: Any, **kwargs: Any) -> tain.Array[Any]",
        "parts_named": "(first: int = 7, *more: Any, **options: Any) -> tain.Array[Any]",
        "only_keywords": "(**kwargs: Any) -> tain.Map[str, Any]",
        "call_with": "(f: collections.abc.Callable[..., Any] | None, *args: Any, **kwargs: Any) "
        "-> Any",
    }
    for name, text in shown.items():
        # Whether Any is qualified inside of another type depends on the version of Python.
        assert str(inspect.signature(get(name))).replace("typing.", "") == text
    assert "parts(first: int, *args: Any, **kwargs: Any) -> " in repr(PARTS)
    assert PARTS.__doc__ == "Its arguments."


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "args", "keywords", "text"),
    [
        ("parts", (), {}, "testing.parts() missing argument 'first'"),
        ("parts", (), {"a": 1}, "testing.parts() missing argument 'first'"),
        ("parts", (1,), {"first": 2}, "testing.parts() got multiple values for argument 'first'"),
        ("parts", ("a",), {"b": 2}, "testing.parts: argument first: expected int, got str ('a')"),
        ("only_keywords", (1,), {}, "testing.only_keywords() takes 0 arguments but 1 was given"),
        (
            "only_keywords",
            (1,),
            {"a": 1},
            "testing.only_keywords() takes 0 arguments but 1 was given",
        ),
    ],
)
def test_wrong_calls(name: str, args: tuple, keywords: dict, text: str) -> None:
    with raises(TypeError, text):
        get(name)(*args, **keywords)


@pytest.mark.bad_input
def test_a_keyword_that_was_not_given() -> None:
    with pytest.raises(KeyError) as caught:
        get("keyword")(other=3)
    assert caught.value.args == ("name",)


def test_keywords_from_cpp_to_python() -> None:
    def record(*args: object, **keywords: object) -> list:
        return [list(args), keywords]

    call = get("call_with")
    assert call(record, 1, 2, a=3) == [[1, 2], {"a": 3}]
    assert call(record) == [[], {}]
    assert get("call_greet")(record) == [["you"], {"greeting": "hi", "end": 1}]
    assert call(PARTS, 1, 2, a=3) == [1, [2], {"a": 3}]
    assert Length(1.0).call(record, 1, a=2) == [[1], {"a": 2}]
    with pytest.raises(TypeError, match="unexpected keyword argument 'a'"):
        call(lambda x: x, 1, a=2)


@pytest.mark.bad_input
def test_keywords_to_a_function_that_takes_none() -> None:
    call = get("call_with")
    for name, args, keywords, text in [
        (
            "add_one",
            (1,),
            {"a": 2},
            "testing.add_one() got an unexpected keyword argument 'a'",
        ),
        ("add_one", (1,), {"x": 2}, "testing.add_one() got multiple values for argument 'x'"),
        ("greet", (), {"greeting": 2}, "testing.greet() missing argument 'name'"),
        ("packed_count", (1,), {"a": 2}, "testing.packed_count() takes no keyword arguments"),
        (
            "small_or_large",
            (1,),
            {"a": 2},
            "testing.small_or_large: no overload takes (int, a=int)"
            + 2 * "\n  small_or_large(x: int) -> str: got an unexpected keyword argument 'a'",
        ),
    ]:
        with raises(TypeError, text):
            call(get(name), *args, **keywords)
    with raises(TypeError, "this function takes no keyword arguments"):
        call(get("make_adder")(1), a=2)


def test_keywords_from_cpp_to_cpp() -> None:
    call = get("call_with")
    assert call(get("add_one"), x=1) == 2
    assert call(get("greet"), "a", punctuation="?") == "hello, a?"
    assert call(get("greet"), punctuation="?", name="b", greeting="hi") == "hi, b?"
    assert call(get("scale"), 3, negate=True) == -6
    assert call(PARTS, first=3, other=4) == [3, [], {"other": 4}]
    assert call(PARTS, 1, 2, 3, other=4) == [1, [2, 3], {"other": 4}]
    assert call(get("serial"), value=-5) == -5


def test_objects_keep_their_identity() -> None:
    length = Length(1.0)
    assert PARTS(1, length, key=length)[1][0] is length
    assert PARTS(1, length, key=length)[2]["key"] is length
