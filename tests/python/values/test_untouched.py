# SPDX-License-Identifier: Apache-2.0
"""tain::PythonObject: Python objects that C++ holds as they are."""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import pickle
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from errors import raises
from tain.types.testing import ObjectBox, ObjectHolder, Point

import tain


def get(name: str) -> tain.Function:
    return tain.get_global_func("testing.object_" + name)


class Text(str):
    """A text of a class of its own."""


class Number(int):
    """An int of a class of its own."""


class Plain:
    """A class of Python."""


def function(x: int) -> int:
    return x


OBJECTS: dict[str, Any] = {
    "list": [1, [2]],
    "tuple": (1, "a"),
    "dict": {"a": [1]},
    "set": {1},
    "int": 10**6,
    "large int": 10**30,
    "float": 2.5,
    "str": "some text " * 3,
    "short str": Text("ab"),
    "int of a class": Number(5),
    "bytes": b"some bytes",
    "bytearray": bytearray(b"abc"),
    "bool": True,
    "array": np.arange(3.0),
    "scalar of numpy": np.float64(1.5),
    "function": function,
    "class": Plain,
    "object": Plain(),
    "exception": ValueError("x"),
    "partial": functools.partial(function, 1),
    "object of C++": Point(1, 2),
    "container of C++": tain.List([1]),
    "device": tain.device("cpu"),
    "module": sys,
    "iterator": iter([1]),
    "type": int,
    "None": None,
}


@pytest.fixture(name="given", params=OBJECTS)
def given_fixture(request: pytest.FixtureRequest) -> Any:
    return OBJECTS[request.param]


def test_an_object_comes_back_as_itself(given: Any) -> None:
    assert get("same")(given) is given
    assert get("same")(x=given) is given
    assert get("with_default")(given) is given
    assert get("with_default")(n=2, x=given) is given
    assert get("or_none")(given) is given
    assert get("unlocked")(given) is None
    assert get("is")(given, given)


def test_a_field_a_property_and_a_method(given: Any) -> None:
    holder = ObjectHolder(given)
    assert holder.value is holder.asked is given
    holder.value = None
    assert holder.value is None
    holder.value = given
    assert holder.value is given
    holder.asked = [given]
    assert holder.value[0] is given
    other = object()
    assert holder.swap(other)[0] is given
    assert holder.swap(given) is other
    assert ObjectHolder(value=given).value is given
    holder.maybe = given
    assert holder.maybe is given
    box = ObjectBox()
    assert box.value is None
    box.value = given
    assert box.value is given


def test_elements_of_containers(given: Any) -> None:
    made = get("list")([given, [given]])
    assert isinstance(made, tain.Array)
    assert made[0] is given
    assert type(made[1]) is list and made[1][0] is given
    assert get("at")((1, given), 1) is given
    first, second = get("vector")([given, "x"])
    assert (first, second) == ("x", given) and second is given
    assert get("of_key")({"a": given}, "a") is given
    number, same = get("pair")((given, 3))
    assert number == 3 and same is given
    assert get("nested")([{"a": [given]}]) is given
    holder = ObjectHolder()
    holder.many, holder.elements = [given], (given,)
    assert holder.many[0] is holder.elements[0] is given


def test_keys_and_values_of_maps() -> None:
    key, value = Plain(), [1]
    made = get("map")({key: value, "text": key})
    assert made[key] is value
    assert set(made) == {key, "text"}
    assert dict(made.items()) == {key: value, "text": key}
    holder = ObjectHolder()
    holder.entries = {key: value}
    assert next(iter(holder.entries)) is key
    assert holder.entries[key] is value


def test_a_list_is_no_copy() -> None:
    items: list[Any] = [1]
    holder = ObjectHolder(items)
    items.append(2)
    holder.value.append(3)
    assert items == [1, 2, 3]


def test_none() -> None:
    assert get("is_none")(None)
    assert not get("is_none")([None])
    assert get("or_none")(None) is None
    assert ObjectHolder().value is None
    assert get("list")([None])[0] is None


def test_callbacks() -> None:
    items = [1, 2]
    seen: list[Any] = []
    get("through")(seen.append, items)
    assert seen[0] is items
    assert get("typed")(lambda x: x, items) is items
    assert get("typed")(lambda x: [x], items)[0] is items
    assert get("typed")(lambda x: None, items) is None
    assert get("typed")(get("same"), items) is items
    assert get("typed")(lambda x: 5, items) == 5
    assert get("lenient")(lambda x: x, items) is items
    assert get("by_keywords")(lambda x: x, items) is items
    assert get("by_keywords")(lambda **given: given["x"], items) is items


def test_values_of_cpp() -> None:
    assert get("value")(5) == 5
    made = get("value")([1, [2]])
    assert isinstance(made, tain.Array)
    assert get("sum")([1, 2, 3]) == 6
    with pytest.raises(TypeError):
        get("sum")(5)
    assert isinstance(get("from")(tain.Array([1])), tain.Array)
    assert get("from")(7) == 7
    assert get("from")(None) is None


def test_repr_and_signature() -> None:
    assert get("repr")([1, "a"]) == "[1, 'a']"
    assert get("repr")(None) == "None"
    signature = inspect.signature(get("same"))
    assert signature.parameters["x"].annotation is object
    assert signature.return_annotation is object
    assert repr(ObjectHolder([1])).startswith("testing.ObjectHolder(value=[1], ")
    fields = {field.name: field.type for field in tain.type_info(ObjectHolder).fields}
    assert fields["value"] == "object"


def test_overloads() -> None:
    assert get("overload")(5) == "int"
    items = [1]
    assert get("overload")(items, True) is items
    assert get("overload")(x=items, other=False) is items


def test_references_are_counted() -> None:
    thing = Plain()
    before = sys.getrefcount(thing)
    get("same")(thing)
    get("list")([thing])
    holder = ObjectHolder(thing)
    assert sys.getrefcount(thing) == before + 1
    del holder
    assert sys.getrefcount(thing) == before


def test_the_garbage_collector_sees_it() -> None:
    def cycle(make: Callable[[Plain], Any]) -> weakref.ref[Plain]:
        thing = Plain()
        thing.held = make(thing)  # type: ignore[attr-defined]
        return weakref.ref(thing)

    def holder(**values: Any) -> ObjectHolder:
        made = ObjectHolder()
        for name, value in values.items():
            setattr(made, name, value)
        return made

    makers: list[Callable[[Plain], Any]] = [
        lambda thing: ObjectHolder(thing),
        lambda thing: holder(many=[thing]),
        lambda thing: holder(entries={"a": thing}),
        lambda thing: holder(elements=[[thing]]),
        lambda thing: get("list")([thing]),
    ]
    for make in makers:
        dead = cycle(make)
        gc.collect()
        assert dead() is None
    own = ObjectHolder()
    own.value = own
    itself = weakref.ref(own)
    del own
    gc.collect()
    assert itself() is None


def test_the_last_reference_may_go_on_any_thread() -> None:
    thing = Plain()
    dead = weakref.ref(thing)
    get("keep")(thing)
    del thing
    gc.collect()
    assert get("kept")() is dead()
    thread = threading.Thread(target=lambda: get("keep")(None))
    thread.start()
    thread.join()
    gc.collect()
    assert dead() is None


def test_copies() -> None:
    holder = ObjectHolder([1, [2]])
    shallow = copy.copy(holder)
    assert shallow.value is holder.value
    deep = copy.deepcopy(holder)
    assert deep.value == [1, [2]]
    assert deep.value is not holder.value
    again = pickle.loads(pickle.dumps(holder))
    assert again.value == [1, [2]]
    assert type(again.value) is list


@pytest.mark.bad_input
def test_saving_refuses_what_only_python_knows() -> None:
    holder = ObjectHolder(Plain())
    with pytest.raises(TypeError, match=r"^save_json: <root>\.value: "):
        tain.save_json(holder)
    with pytest.raises(TypeError, match=r"^save_binary: <root>\.value: "):
        tain.save_binary(holder)


def test_structural_comparison_is_identity() -> None:
    items = [1]
    assert tain.structural_equal(ObjectHolder(items), ObjectHolder(items))
    assert not tain.structural_equal(ObjectHolder([1]), ObjectHolder([1]))


@pytest.mark.bad_input
def test_conversions_that_fail() -> None:
    with raises(TypeError, "testing.object_same() missing argument 'x'"):
        get("same")()
    with pytest.raises(TypeError):
        get("list")(5)
    with pytest.raises(TypeError):
        get("of_key")({5: 1}, "a")

    class Changing(dict[str, Any]):
        def items(self) -> Any:
            raise AssertionError

    assert get("of_key")(Changing(a=[1]), "a") == [1]


def test_at_exit(run: Any) -> None:
    run(
        "import tain\n"
        "class Plain:\n"
        "    def __del__(self): print('never', flush=True)\n"
        "tain.get_global_func('testing.object_keep')([1, 2])\n"
        "from tain.types.testing import ObjectHolder\n"
        "kept = ObjectHolder({'a': [1]})\n"
    )


def elements() -> Iterator[list[int]]:
    yield [1]


def test_iterables() -> None:
    """What is no list, tuple or dict is read as for any container: its elements are values."""
    made = get("list")(elements())
    assert list(made[0]) == [1]
