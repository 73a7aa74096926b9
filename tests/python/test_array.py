# SPDX-License-Identifier: Apache-2.0
"""tain.Array and tain.Shape: immutable sequences that behave as tuples."""

# ruff: noqa: RUF005  (concatenation is what is tested)

from __future__ import annotations

import collections
import collections.abc
import copy
import itertools
import operator
import pickle
import types
from typing import Any

import pytest
from tain.types.testing import Point

import tain
from tain import Array, List, Shape

VALUES: list[list[object]] = [
    [],
    [1],
    [1, 2, 3, 4, 5],
    [None, True, False, 0, -1, 2**62, -(2**62), 2**200, 1.5, "a", "long enough", b"b", b"\0" * 9],
    ["é", "\ud800", "nul\0nul\0nul"],
    [[1, [2, [3]]], {"a": 1}],
]


@pytest.mark.parametrize("values", VALUES)
def test_construction_and_reading(values: list[object]) -> None:
    for source in (list, tuple, iter, collections.deque, Array, List):
        array = Array(source(values))
        assert len(array) == len(values)
        assert list(array) == values
        assert tuple(reversed(array)) == tuple(reversed(values))
        assert [array[i] for i in range(-len(values), len(values))] == values * 2
        assert bool(array) == bool(values)


def test_elements_keep_their_types() -> None:
    values = [1, True, 1.0, "1", b"1", None, 2**70]
    assert [type(x) for x in Array(values)] == [type(x) for x in values]


def test_no_arguments_make_an_empty_one() -> None:
    assert len(Array()) == 0
    assert not Array()
    assert Array() == ()


def test_an_array_of_an_array_is_itself() -> None:
    array = Array([1])
    assert Array(array) is array
    assert Array(List([1])) == array


@pytest.mark.parametrize("step", [None, 1, 2, -1, -3, 100])
def test_slices_are_of_the_same_kind(step: int | None) -> None:
    values = [0, 1, 2, 3, 4]
    for start, stop in itertools.product([None, 0, 2, -2, 7, -7], [None, 0, 3, -1, 7, -7]):
        for kind in (Array, List, Shape):
            part = kind(values)[start:stop:step]
            assert type(part) is kind
            assert list(part) == values[start:stop:step]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([], []),
        ([1], [1]),
        ([1], [1, 2]),
        ([1, 2], [1, 3]),
        ([1, 2], [1.0, True]),
        (["a"], ["b"]),
        ([[1, 2]], [[1, 2]]),
        ([None], [None]),
        ([2**70], [2**70]),
    ],
)
def test_comparison_is_that_of_tuples(left: list[object], right: list[object]) -> None:
    for kind in (Array, List, tuple, list):
        array, other = Array(left), kind(right)
        assert (array == other) == (left == right)
        assert (array != other) == (left != right)
        assert (other == array) == (right == left)
        for op in (operator.lt, operator.le, operator.gt, operator.ge):
            if left != [None]:
                assert op(array, other) == op(left, right)
                assert op(other, array) == op(right, left)


@pytest.mark.parametrize("other", ["ab", {"a": 1}, {"a", "b"}, 1, None, iter("ab"), range(2)])
def test_other_types_are_not_equal(other: object) -> None:
    assert Array(["a", "b"]) != other
    assert other != Array([0, 1])
    with pytest.raises(TypeError, match="not supported between instances"):
        Array(["a", "b"]) < other  # noqa: B015


@pytest.mark.parametrize("values", [(), (1,), (1, 2), ("a", None, 2**80), (1, (2, (3,)))])
def test_equal_tuples_have_equal_hashes(values: tuple[object, ...]) -> None:
    array = Array(values)
    assert array == values
    assert hash(array) == hash(values)
    assert {array: 1}[values] == 1  # type: ignore[index]


@pytest.mark.bad_input
@pytest.mark.parametrize("value", [List([1]), tain.Dict(), [List()]])
def test_unhashable_content(value: object) -> None:
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Array([1, value]))


def test_search() -> None:
    array = Array([1, "a", 2.5, None, 1, (1, 2)])
    assert 1 in array
    assert True in array
    assert 2.5 in array
    assert (1, 2) in array
    assert "b" not in array
    assert array.count(1) == 2
    assert array.count(True) == 2
    assert array.index(1) == 0
    assert array.index(1, 1) == 4
    assert array.index(1.0, -3, 100) == 4
    assert array.index(None) == 3
    with pytest.raises(ValueError, match=r"^1 is not in Array$"):
        array.index(1, 1, 4)
    with pytest.raises(ValueError, match=r"^'b' is not in Array$"):
        array.index("b")


def test_objects_are_found_by_their_own_eq() -> None:
    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    thing = Anything()
    array = Array([thing])
    assert array[0] is thing
    assert 5 in array
    assert thing in Array([1, 2])


@pytest.mark.parametrize("other", [(3, 4), [3, 4], Array([3, 4]), List([3, 4])])
def test_concatenation(other: object) -> None:
    joined = Array([1, 2]) + other
    assert type(joined) is Array
    assert joined == (1, 2, 3, 4)
    assert other + Array([1, 2]) == (3, 4, 1, 2)


def test_concatenation_with_builtins_gives_an_array() -> None:
    assert type((1,) + Array([2])) is Array
    assert type([1] + List([2])) is List
    assert type(List([1]) + Array([2])) is List
    array = before = Array([1])
    array += (2,)
    assert array == (1, 2)
    assert before == (1,)


def test_repetition() -> None:
    assert Array([1, "a"]) * 2 == (1, "a", 1, "a")
    assert 2 * Array([1]) == (1, 1)
    assert Array([1]) * 0 == Array([1]) * -1 == ()
    assert type(Array([1]) * 2) is Array


def test_iteration_in_other_shapes() -> None:
    array = Array(range(5))
    first, *rest = array
    assert (first, rest) == (0, [1, 2, 3, 4])
    assert sum(array) == 10
    assert sorted(array, reverse=True) == [4, 3, 2, 1, 0]
    assert "".join(Array("abc")) == "abc"
    assert max(*array) == 4
    iterator = iter(array)
    assert iter(iterator) is iterator
    assert next(iterator) == 0
    assert iterator.__length_hint__() == 4
    assert list(iterator) == [1, 2, 3, 4]
    assert iterator.__length_hint__() == 0
    assert list(iterator) == []
    assert reversed(array).__length_hint__() == 5
    assert isinstance(iterator, collections.abc.Iterator)


@pytest.mark.parametrize("value", [Array([1, 2, 3]), List([1, 2, 3]), Shape([1, 2, 3])])
def test_pattern_matching(value: object) -> None:
    match value:
        case [1, *rest]:
            assert rest == [2, 3]
        case _:
            pytest.fail("not a sequence pattern")


def test_abstract_base_classes() -> None:
    abc = collections.abc
    assert isinstance(Array(), abc.Sequence)
    assert not isinstance(Array(), abc.MutableSequence)
    assert isinstance(Shape(), abc.Sequence)
    assert isinstance(List(), abc.MutableSequence)


def test_subscription_is_for_annotations() -> None:
    for cls in (Array, List, tain.Map, tain.Dict):
        alias = cls[int]
        assert isinstance(alias, types.GenericAlias)
        assert alias.__origin__ is cls
        assert alias.__args__ == (int,)
    assert Array[int]([1, 2]) == (1, 2)


@pytest.mark.parametrize("values", VALUES)
def test_copies_and_pickles(values: list[object]) -> None:
    array = Array(values)
    assert copy.copy(array) is array
    assert copy.deepcopy(array) == array
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(array, protocol))
        assert type(back) is Array
        assert back == array


def test_deepcopy_keeps_structure() -> None:
    inner = List([1])
    array = Array([inner, inner, "text"])
    copied = copy.deepcopy(array)
    assert copied == array
    assert copied[0] is copied[1]
    assert copied[0] is not inner
    atoms = Array([1, ("a", None)])
    assert copy.deepcopy(atoms) is atoms


def test_deepcopy_and_pickle_of_a_cycle() -> None:
    inner = List()
    array = Array([inner])
    inner.append(array)
    for copied in (copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
        assert copied is not array
        assert copied[0][0] is copied
    inner.clear()
    copied[0].clear()
    copy.deepcopy(array)


def test_identity_of_objects_is_kept() -> None:
    inner = Array([1])
    outer = Array([inner, inner])
    assert outer[0] is inner
    assert outer[1] is inner
    assert [x is inner for x in outer] == [True, True]


def test_values_cross_as_containers() -> None:
    echo = tain.get_global_func("testing.echo")
    assert type(echo([1, 2])) is Array
    assert type(echo((1, [2]))[1]) is Array
    array = Array([1])
    assert echo(array) is array
    Pair = collections.namedtuple("Pair", "a b")
    assert echo(Pair(1, 2)) == (1, 2)


def test_subclasses_keep_their_state() -> None:
    class Named(Array):
        def __init__(self, name: str, values: object) -> None:
            super().__init__(values)
            self.name = name

    named = Named("n", [1, 2])
    assert named == (1, 2)
    assert named.name == "n"
    assert type(named[:1]) is Array
    assert List([named])[0] is named

    class Plain(Array):
        pass

    plain = Plain([1, 2])
    plain.note = "x"
    for copied in (copy.copy(plain), copy.deepcopy(plain)):
        assert type(copied) is Plain
        assert copied == plain
        assert copied is not plain
        assert copied.note == "x"


# ---------------------------------------------------------------- Shape


def test_shape_is_a_tuple_of_ints() -> None:
    shape = Shape([2, 3, 4])
    assert shape == (2, 3, 4)
    assert hash(shape) == hash((2, 3, 4))
    assert shape[-1] == 4
    assert 3 in shape
    assert shape.index(4) == 2
    assert shape.count(2) == 1
    assert shape + (5,) == (2, 3, 4, 5)
    assert type(shape + (5,)) is Shape
    assert shape * 2 == (2, 3, 4, 2, 3, 4)
    assert list(reversed(shape)) == [4, 3, 2]
    assert shape > (2, 3)
    assert Shape() == ()
    assert Shape(shape) is shape
    assert copy.deepcopy(shape) is shape
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert Shape(range(2)) == Array([0, 1])


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ([1, "a"], TypeError, "Shape[1]: expected int, got str"),
        ([1.0], TypeError, "Shape[0]: expected int, got float"),
        ([2**63], OverflowError, f"Shape[0]: expected int in -2**63..2**63-1, got {2**63}"),
        (5, TypeError, "'int' object is not iterable"),
    ],
)
def test_bad_extents(value: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        Shape(value)
    assert str(caught.value) == text


# ---------------------------------------------------------------- bad input


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda a: a[3], IndexError, "Array index 3 out of range for size 3"),
        (lambda a: a[-4], IndexError, "Array index -4 out of range for size 3"),
        (lambda a: a[2**70], IndexError, "cannot fit 'int' into an index-sized integer"),
        (lambda a: a["x"], TypeError, "Array index: expected int or slice, got str"),
        (lambda a: a[1.0], TypeError, "Array index: expected int or slice, got float"),
        (lambda a: a[::0], ValueError, "slice step cannot be zero"),
        (lambda a: a.index(), TypeError, "index expected at least 1 argument, got 0"),
        (
            lambda a: a.index(1, "x"),
            TypeError,
            "slice indices must be integers or have an __index__ method",
        ),
        (lambda a: Array(1), TypeError, "'int' object is not iterable"),
        (lambda a: Array([1], [2]), TypeError, "Array expected at most 1 argument, got 2"),
        (lambda a: Array(values=[1]), TypeError, "Array() takes no keyword arguments"),
        (
            lambda a: a.__init__([1]),
            TypeError,
            "Array is immutable: __init__ must not be called again",
        ),
        (lambda a: a * 2**62, MemoryError, ""),
    ],
)
def test_bad_use(act, error: type[Exception], text: str) -> None:
    array = Array([1, 2, 3])
    with pytest.raises(error) as caught:
        act(array)
    assert str(caught.value) == text
    assert array == (1, 2, 3)


@pytest.mark.bad_input
def test_arrays_do_not_change() -> None:
    array = Array([1])
    with pytest.raises(TypeError, match="does not support item assignment"):
        array[0] = 2  # type: ignore[index]
    with pytest.raises(TypeError, match=r"does(n't| not) support item deletion"):
        del array[0]  # type: ignore[attr-defined]
    assert not hasattr(array, "append")


@pytest.mark.bad_input
def test_lists_that_contain_themselves() -> None:
    values: list[object] = []
    values.append(values)
    with pytest.raises(RecursionError, match="while converting a sequence"):
        Array(values)
    mapping: dict[str, object] = {}
    mapping["self"] = [mapping]
    with pytest.raises(RecursionError, match="while converting"):
        tain.get_global_func("testing.echo")(mapping)


@pytest.mark.bad_input
def test_nesting_of_a_million_levels() -> None:
    values: list[object] = []
    for _ in range(1_000_000):
        values = [values]
    with pytest.raises(RecursionError, match="while converting a sequence"):
        Array(values)
    while values:
        values = values.pop()  # type: ignore[assignment]
    array = Array()
    for _ in range(1_000_000):
        array = Array((array,))
    for act in (hash, copy.deepcopy, lambda a: a == Array((a,))):
        with pytest.raises(RecursionError):
            act(array)
    assert repr(array).startswith("[[[")
    del array


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "wrap"),
    [("echo", lambda v: [v]), ("echo", lambda v: {"a": v}), ("kind", lambda v: (v,))],
)
def test_an_argument_of_a_million_levels(
    name: str, wrap: collections.abc.Callable[[object], object]
) -> None:
    values: object = []
    for _ in range(1_000_000):
        values = wrap(values)
    with pytest.raises(RecursionError, match="while converting"):
        tain.get_global_func("testing." + name)(values)


@pytest.mark.bad_input
def test_a_source_that_changes_while_it_is_read() -> None:
    class Shrinking:
        def __init__(self, values: list[object]) -> None:
            self.values = values

        def __index__(self) -> int:
            self.values.clear()
            return 1

    values: list[object] = []
    values.extend([Shrinking(values), 2, 3])
    with pytest.raises(TypeError):
        Shape([values[0], "x"])
    assert values == []

    def endless():
        while True:
            yield 1
            raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        Array(endless())


@pytest.mark.bad_input
def test_a_wrong_length_hint() -> None:
    class Liar:
        def __iter__(self):
            return iter([1, 2])

        def __length_hint__(self) -> int:
            return hint

    hint = 10**6
    assert Array(Liar()) == (1, 2)
    hint = 2**60
    for cls in (list, Array):
        with pytest.raises(MemoryError):
            cls(Liar())


@pytest.mark.bad_input
def test_moved_arrays() -> None:
    array = Array([1, 2])
    iterator = iter(array)
    carrier = array._move()
    for act in (len, list, hash, lambda a: a[0], lambda a: a == (1,), lambda a: 1 in a):
        with pytest.raises(ValueError, match="object is empty"):
            act(array)
    with pytest.raises(ValueError, match="object is empty"):
        next(iterator)
    del carrier


@pytest.mark.bad_input
def test_uninitialized_arrays() -> None:
    class Forgetful(Array):
        def __init__(self) -> None:
            pass

    for empty in (Array.__new__(Array), Forgetful()):
        for act in (len, iter, hash, lambda a: a[0], lambda a: a[:], lambda a: a + (1,)):
            with pytest.raises((ValueError, TypeError)):
                act(empty)
        assert "empty" in repr(empty)


@pytest.mark.parametrize("values", [[], [65, 66], [0, 255], [True, False]])
def test_bytes_are_those_of_a_list(values: list[int]) -> None:
    assert bytes(Array(values)) == bytes(values)
    assert bytes(List(values)) == bytes(values)


@pytest.mark.bad_input
@pytest.mark.parametrize("values", [[256], [-1], [1.5], ["a"], [65, None]])
def test_what_is_no_byte(values: list[object]) -> None:
    with pytest.raises((TypeError, ValueError)) as expected:
        bytes(values)  # type: ignore[arg-type]
    with pytest.raises(expected.type) as caught:
        bytes(Array(values))
    assert str(caught.value) == str(expected.value)


def test_the_memory_is_still_that_of_numbers() -> None:
    assert memoryview(Array([65, 66])).tolist() == [65, 66]
    assert memoryview(Array([1.5])).format == "d"


# ---------------------------------------------------------------- copies that Python makes for C++


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("copied", "got"),
    [
        (lambda: Point(1), "tain.types.testing.Point"),
        (lambda: tain.List([1]), "tain.List"),
        (lambda: tain.get_global_func("testing.echo"), "tain.Function"),
        (lambda: None, "NoneType"),
        (lambda: 5, "int"),
    ],
    ids=["Point", "List", "Function", "None", "int"],
)
def test_a_copy_of_another_type_is_refused(copied: Any, got: str) -> None:
    class Named(tain.Array):  # type: ignore[type-arg]
        def __copy__(self) -> Any:
            return copied()

    named = Named([1, 2])
    push = tain.get_global_func("testing.array_push")
    text = rf"^copying a Named gave no new object of its type: got {got}$"
    with pytest.raises(TypeError, match=text.replace("Named", "(.*[.])?Named")):
        push(named, 3)
    assert list(named) == [1, 2]
    assert list(push(tain.Array([1, 2]), 3)) == [1, 2, 3]
