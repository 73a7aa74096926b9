# SPDX-License-Identifier: Apache-2.0
"""Overloads: which candidate takes a call, what the error says, what documentation shows."""

from __future__ import annotations

import copy
import inspect
import pickle
import threading

import pytest
from errors import kind_text, raises
from tain.types.testing import Length, Side, Tag
from testing_functions import get

import tain

KIND = get("kind")


class Index:
    """An int by protocol."""

    def __index__(self) -> int:
        return 3


CALLS = [  # (arguments, keywords, result)
    ((1,), {}, "int"),
    ((1.0,), {}, "float"),
    ((True,), {}, "float"),
    ((Index(),), {}, "float"),
    (("a",), {}, "str"),
    (([1, 2],), {}, "ints2"),
    (((x for x in (1, 2, 3)),), {}, "ints3"),
    ((), {"x": 1}, "int"),
    ((), {"x": "a"}, "str"),
    ((), {"x": (x for x in (1, 2, 3))}, "ints3"),
    ((Length(1.0),), {}, "length"),
    ((Length(1.0),), {"loud": True}, "LENGTH"),
    ((1, "km"), {}, "float in km"),
    ((1.5,), {"unit": "km"}, "float in km"),
    ((), {"unit": "km", "x": 1.5}, "float in km"),
]


@pytest.mark.parametrize(("args", "keywords", "result"), CALLS)
def test_the_first_that_fits(args: tuple, keywords: dict, result: str) -> None:
    if any(inspect.isgenerator(x) for x in (*args, *keywords.values())):
        args = tuple((y for y in (1, 2, 3)) for _ in args)
        keywords = {key: (y for y in (1, 2, 3)) for key in keywords}
    assert KIND(*args, **keywords) == result


def test_the_same_from_cpp() -> None:
    apply = get("apply")
    for args, keywords, result in CALLS:
        if not keywords and not any(inspect.isgenerator(x) for x in args):
            assert apply(KIND, *args) == result


def test_ranges_and_unnamed_parameters() -> None:
    assert [get("small_or_large")(x) for x in (127, 128, -128, -129)] == [
        "small", "large", "small", "large",
    ]  # fmt: skip
    assert [get("kind_unnamed")(*args) for args in ((1,), ("a",), (1, None))] == [
        "int", "str", "two",
    ]  # fmt: skip


@pytest.mark.bad_input
def test_the_error_lists_every_candidate() -> None:
    with raises(TypeError, kind_text("None", "None")):
        KIND(None)
    with raises(TypeError, kind_text("None", "None")):
        get("apply")(KIND, None)
    with raises(
        TypeError,
        "testing.kind_unnamed: no overload takes ()\n"
        "  kind_unnamed(arg0: int, /) -> str: takes 1 argument but 0 were given\n"
        "  kind_unnamed(arg0: str, /) -> str: takes 1 argument but 0 were given\n"
        "  kind_unnamed(arg0: Any, arg1: Any, /) -> str: takes 2 arguments but 0 were given",
    ):
        get("kind_unnamed")()


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("args", "keywords", "given"),
    [
        ((1, 2, 3), {}, "(int, int, int)"),
        (("a",), {"unit": 3}, "(str, unit=int)"),
        ((), {}, "()"),
        ((1,), {"x": 2}, "(int, x=int)"),
        ((object(),), {}, "(object)"),
        (([1, "a"],), {}, "(list)"),
        ((Length(1.0)._move(), 3), {}, "(testing.Length, int)"),
    ],
)
def test_what_was_given(args: tuple, keywords: dict, given: str) -> None:
    with pytest.raises(TypeError) as caught:
        KIND(*args, **keywords)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"testing.kind: no overload takes {given}"
    assert len(lines) == 7


@pytest.mark.bad_input
def test_reasons_with_keywords() -> None:
    parameters = (
        *("x: float", "x: int", "x: str", "x: Array[int]"),
        *("x: testing.Length, *, loud: bool = ...", "x: float, unit: str"),
    )
    reasons = [
        f"kind({each}) -> str: got an unexpected keyword argument 'uint'" for each in parameters
    ]
    text = "\n  ".join(["testing.kind: no overload takes (int, uint=str)", *reasons])
    with raises(TypeError, f"{text}. Did you mean 'unit'?"):
        KIND(1, uint="km")


@pytest.mark.bad_input
def test_a_keyword_that_is_no_text() -> None:
    with raises(
        TypeError,
        "testing.kind: no overload takes (int, \udc80=int)\n"
        "  kind(x: float) -> str: got an unexpected keyword argument '\udc80'\n"
        "  kind(x: int) -> str: got an unexpected keyword argument '\udc80'\n"
        "  kind(x: str) -> str: got an unexpected keyword argument '\udc80'\n"
        "  kind(x: Array[int]) -> str: got an unexpected keyword argument '\udc80'\n"
        "  kind(x: testing.Length, *, loud: bool = ...) -> str: got an unexpected "
        "keyword argument '\udc80'\n"
        "  kind(x: float, unit: str) -> str: got an unexpected keyword argument '\udc80'",
    ):
        KIND(1, **{"\udc80": 2})


@pytest.mark.bad_input
def test_errors_of_the_body_are_not_refusals() -> None:
    with raises(TypeError, "from the body"):
        get("fails_inside")(-1)
    with raises(
        TypeError, "testing.add_one: argument x: expected int, got str ('no number')"
    ):  # a call made by the body is refused
        get("fails_inside")(1)
    with raises(
        ValueError,
        'Check failed: (unit == "km" || unit == "m") is false: unit: expected \'km\' or '
        "'m', got 'mile'",
    ):
        Length(1.0, "mile")


def test_a_conversion_that_raises_is_raised() -> None:
    def fails():
        yield 1
        raise KeyError("of the generator")

    with raises(KeyError, "'of the generator'"):
        KIND(fails())


def test_overloads_may_call_each_other() -> None:
    assert get("nested")([3]) == "outer inner 3"
    with raises(
        TypeError,
        "testing.nested: no overload takes (str)\n"
        "  nested(x: int) -> str: argument x: expected int, got str ('a')\n"
        "  nested(x: Array[Any]) -> str: argument x: expected Array[Any], got str ('a')",
    ):
        get("nested")(["a"])


def test_moved_arguments() -> None:
    take = get("take")
    x = tain.Array([1, 2])
    assert take(x._move(), 1) == 1  # exactly what the first takes: moved
    assert x.__chandle__() == 0
    x = tain.Array([1, 2])
    assert take(x._move(), "a") == -1
    assert x.__chandle__() == 0
    x = tain.Array([1, 2])
    carrier = x._move()
    with raises(
        TypeError,
        "testing.take: no overload takes (Array, None)\n"
        "  take(arg0: Array[int], arg1: int, /) -> int: argument arg1: expected int, got "
        "None\n"
        "  take(arg0: Array[int], arg1: str, /) -> int: argument arg1: expected str, got "
        "None",
    ):
        take(carrier, None)
    assert take(carrier, 1) == 1  # nobody had taken it


def test_flags_are_those_of_the_candidate() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.set)
    spin = get("loop_or_say")
    assert spin("text") == "text"
    thread.start()
    assert spin(0.05, False) > 0
    assert done.wait(60)
    thread.join()
    assert get("side_of")(-1) is Side.LEFT
    assert type(get("side_of")("a")) is str


def test_methods_and_operators() -> None:
    length = Length(2.0)
    assert length.show(3) == 6.0
    assert length.show(name="n") == "n: 2.000000"
    assert length.show(factor=2) == 4.0
    assert Length.show(length, 2) == 4.0
    assert ((length + length).meters, (length + 1).meters, (length + 0.5).meters) == (4, 3, 2.5)
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+"):
        length + "a"
    with raises(
        TypeError,
        "testing.Length.show: no overload takes (list)\n"
        "  show(factor: int) -> float: argument factor: expected int, got list ([])\n"
        "  show(name: str) -> str: argument name: expected str, got list ([])",
    ):
        length.show([])
    with raises(
        TypeError,
        "testing.Length.show: no overload takes (int)\n"
        "  show(factor: int) -> float: expected testing.Length as self, got int\n"
        "  show(name: str) -> str: expected testing.Length as self, got int",
    ):
        Length.show(3, 3)
    with raises(TypeError, "testing.Length.show() needs an object as its first argument"):
        Length.show()
    assert (Length.parse("2.5").meters, Length.parse(3, "km").meters) == (2.5, 3000)

    class Adds:
        def __radd__(self, other: object) -> str:
            return "mine"

    assert length + Adds() == "mine"


@pytest.mark.parametrize(
    ("args", "keywords", "meters"),
    [
        ((), {}, 0),
        ((2,), {}, 2),
        ((), {"meters": 3}, 3),
        ((2, "km"), {}, 2000),
        ((2,), {"unit": "m"}, 2),
        ((), {"unit": "km", "value": 1}, 1000),
    ],
)
def test_constructors(args: tuple, keywords: dict, meters: float) -> None:
    assert Length(*args, **keywords).meters == meters

    class Mine(Length):
        pass

    mine = Mine(*args, **keywords)
    assert (type(mine), mine.meters) == (Mine, meters)


def test_constructors_by_static_methods() -> None:
    assert (Tag(3).text, Tag("a").text, Tag(number=4).text, Tag(text="b").text) == (
        "3", "a", "4", "b",
    )  # fmt: skip
    with raises(
        TypeError,
        "testing.Tag: no overload takes (float)\n"
        "  Tag(number: int) -> testing.Tag | None: argument number: expected int, got float (1.5)\n"
        "  Tag(text: str) -> testing.Tag | None: argument text: expected str, got float (1.5)",
    ):
        Tag(1.5)
    assert Tag.__create__("c").text == "c"


def test_copies_and_pickles() -> None:
    length = Length(2.0)
    for made in (copy.copy(length), copy.deepcopy(length), pickle.loads(pickle.dumps(length))):
        assert made.meters == 2.0
    assert pickle.loads(pickle.dumps(Tag("a"))).text == "a"
    assert pickle.loads(pickle.dumps(KIND)) is KIND


def test_documentation() -> None:
    assert KIND.__doc__ == (
        "``kind(x: float) -> str``\n    Of a number.\n\n"
        "``kind(x: int) -> str``\n    Of a whole number.\n\n"
        "``kind(x: str) -> str``\n\n"
        "``kind(x: Array[int]) -> str``\n\n"
        "``kind(x: testing.Length, *, loud: bool = False) -> str``\n\n"
        "``kind(x: float, unit: str) -> str``"
    )
    assert str(inspect.signature(KIND)) == "(*args, **kwargs) -> str"
    assert KIND.__annotations__ == {"return": str}
    assert Length.show.__doc__ == (
        "``show(self, factor: int) -> float``\n    Times a factor.\n\n"
        "``show(self, name: str) -> str``"
    )
    assert str(inspect.signature(Length.show)) == "(self, *args, **kwargs) -> float | str"
    assert str(inspect.signature(Length(1).show)) == "(*args, **kwargs) -> float | str"
    assert str(inspect.signature(Length)) == "(*args, **kwargs)"
    assert Length.parse.__name__ == "parse"


def test_type_info() -> None:
    show = next(method for method in tain.type_info(Length).methods if method.name == "show")
    assert [str(each.signature) for each in show.function.overloads] == [
        "(self, factor: int) -> float",
        "(self, name: str) -> str",
    ]
    assert [each.doc for each in show.function.overloads] == ["Times a factor.", ""]
    constructor = tain.type_info(Length).constructor
    assert constructor is not None
    assert [len(each.args) for each in constructor.overloads] == [0, 1, 2]
    assert constructor.overloads[0].overloads == ()


def test_leaves_nothing_behind() -> None:
    before = tain.testing.live_objects()
    for _ in range(100):
        with pytest.raises(TypeError):
            KIND([1, "a"], unit=[2])
        KIND(x=[1, 2])
    assert tain.testing.live_objects() == before
