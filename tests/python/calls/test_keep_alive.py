# SPDX-License-Identifier: Apache-2.0
"""keep_alive: one object of a call keeps another one alive as long as it lives itself."""

from __future__ import annotations

import copy
import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from errors import raises
from tain.types.testing import keeping
from tain.types.testing.keeping import BoxedKeeper, BoxedSource, Keeper, Source

import tain

VALUE, DEAD = 7, -1


def pointed(keeper: Any, how: Callable[[Any], Any]) -> Any:
    how(keeper)
    return keeper


@pytest.mark.parametrize(
    "make",
    [
        lambda: Keeper(Source()),
        lambda: Keeper(Source(), True),
        lambda: Keeper(source=Source()),
        lambda: BoxedKeeper(Source()),
        lambda: keeping.made(Source()),
        lambda: keeping.made_plain(Source()),
        lambda: keeping.made_with_default(),
        lambda: keeping.made_with_short_form(1, Source()),
        lambda: keeping.packed(Source()),
        lambda: keeping.many(Source())[1],
        lambda: pointed(Keeper(), lambda k: k.point(Source())),
        lambda: pointed(Keeper(), lambda k: k.point_boxed(BoxedSource())),
        lambda: pointed(Keeper(), lambda k: k.point_of_many([Source()])),
        lambda: pointed(Keeper(), lambda k: k.point_either(Source())),
        lambda: pointed(Keeper(), lambda k: k.point_either(BoxedSource())),
        lambda: pointed(Keeper(), lambda k: setattr(k, "source", Source())),
        lambda: pointed(BoxedKeeper(None), lambda k: k.point(Source())),
        lambda: pointed(BoxedKeeper(None), lambda k: k.point_boxed(BoxedSource())),
    ],
)
def test_the_keeper_reads_a_living_object(make: Callable[[], Any]) -> None:
    keeper = make()
    gc.collect()
    assert keeper.read() == VALUE
    del keeper
    gc.collect()
    assert keeping.last_read() == VALUE  # the destructor of the keeper ran first


def test_what_is_kept_dies_with_the_keeper_at_once() -> None:
    source = Source()
    alive = weakref.ref(source)
    for make in (Keeper, BoxedKeeper, keeping.made, keeping.made_plain):
        keeper = make(source)
        before = tain.testing.object_use_count(source)
        del keeper
        assert tain.testing.object_use_count(source) == before - 1
    keeper = Keeper(source)
    del source
    assert alive() is not None
    del keeper
    assert alive() is None


def test_a_python_half_is_kept_too() -> None:
    class Named(Source):
        pass

    source = Named(3)
    source.name = "mine"
    again = weakref.ref(source)
    keeper = Keeper(source)
    del source
    gc.collect()
    assert again() is not None
    assert again().name == "mine"
    assert keeper.read() == 3


def test_a_python_subclass_of_the_keeper_keeps_too() -> None:
    class Mine(Keeper):
        def __init__(self, source: Source) -> None:
            super().__init__(source)
            self.note = "x"

    keeper = Mine(Source(5))
    gc.collect()
    assert (keeper.read(), keeper.note) == (5, "x")


def test_an_argument_keeps_the_result() -> None:
    keeper = Keeper()
    made = weakref.ref(keeping.kept_by_first(keeper))
    gc.collect()
    assert keeper.read() == 11
    del keeper
    gc.collect()
    assert made() is None


def test_a_tensor_keeps_the_owner_of_its_memory() -> None:
    tensor = keeping.tensor(Source(4))
    array = keeping.array(Source(5))
    view = tensor.numpy()[1:]
    row = array[1:]
    del tensor, array
    gc.collect()
    assert view.tolist() == [4]
    assert row.tolist() == [5]


def test_none_and_values_keep_nothing() -> None:
    assert keeping.made_or_none() is None
    assert keeping.made_or_none(Source()).read() == VALUE
    assert keeping.made(None).read() == 0
    for value in (1, "a long enough text to be an object", b"bytes", None, [1, 2], 2**80):
        assert keeping.anything(value, Source()) == value
    keeping.any_first(3, Source())
    assert keeping.text_after(Keeper(), Source()) == "a text"  # as the host's string


@pytest.mark.bad_input
def test_a_python_object_can_keep_nothing() -> None:
    class Anything:
        def __repr__(self) -> str:
            return "anything"

    why = "expected an object of C++, which can keep another one alive, got Anything (anything)"
    with raises(TypeError, f"testing.keeping.any_first: argument keeper: {why}"):
        keeping.any_first(Anything(), Source())
    with raises(TypeError, f"testing.keeping.anything: keep_alive<0, 2>: {why}"):
        keeping.anything(Anything(), Source())


@pytest.mark.bad_input
def test_a_view_of_a_tensor_cannot_be_kept() -> None:
    keeper = Keeper()
    array = np.arange(3.0)
    keeping.view_first(keeper, array)  # the array itself is kept
    assert weakref.ref(array)() is array
    alive = weakref.ref(array)
    del array
    gc.collect()
    assert alive() is not None
    del keeper
    gc.collect()
    assert alive() is None
    with raises(
        TypeError,
        "testing.keeping.view_first: keep_alive<1, 2>: expected an object that owns its memory, "
        "got a view of a tensor for the length of the call: declare the parameter as tain::Tensor",
    ):
        keeping.call_with_view(keeping.view_first, Keeper())


@pytest.mark.bad_input
def test_a_refused_call_keeps_nothing_and_a_failed_one_does() -> None:
    keeper, source = Keeper(), Source()
    count = tain.testing.object_use_count(source)
    with pytest.raises(TypeError):
        Keeper(source, "no truth")
    with pytest.raises(TypeError):
        keeper.point(source, source)
    assert tain.testing.object_use_count(source) == count
    with raises(RuntimeError, "after it was stored"):
        keeper.point_and_throw(source)
    assert tain.testing.object_use_count(source) == count + 1
    del source
    gc.collect()
    assert keeper.read() == VALUE


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda k: copy.copy(copy.copy(k))])
@pytest.mark.parametrize("cls", [Keeper, BoxedKeeper])
def test_a_copy_keeps_what_its_original_keeps(cls: Any, copied: Callable[[Any], Any]) -> None:
    source = Source()
    died = weakref.finalize(source, lambda: None)
    keeper = cls(source)
    copies = [copied(keeper), copied(keeper)]
    del source, keeper
    gc.collect()
    assert [each.read() for each in copies] == [VALUE, VALUE]
    del copies[0]
    gc.collect()
    assert copies[0].read() == VALUE
    del copies[0]
    gc.collect()
    assert not died.alive


@pytest.mark.bad_input
def test_what_is_lent_for_a_call_cannot_be_kept() -> None:
    keepers = [Keeper(), BoxedKeeper(None)]
    errors: list[str] = []

    def callback(source: BoxedSource) -> None:
        for keeper in keepers:
            with pytest.raises(TypeError) as caught:
                keeper.point_boxed(source)
            errors.append(str(caught.value))

    keeping.lend(callback)
    why = (
        "argument source: expected testing.keeping.BoxedSource, got one that C++ lent for the "
        "length of a call, so nothing can keep it alive: give a copy"
    )
    assert errors == [
        f"testing.keeping.Keeper.point_boxed: {why}",
        f"testing.keeping.BoxedKeeper.point_boxed: {why}",
    ]
    assert [keeper.read() for keeper in keepers] == [0, 0]


def test_a_cycle_through_a_box_is_collected() -> None:
    class Named(Source):
        pass

    source = Named()
    source.keeper = BoxedKeeper(source)
    alive = weakref.ref(source)
    del source
    gc.collect()
    assert alive() is None


def test_a_cycle_through_an_object_of_an_own_class_stays_as_documented() -> None:
    class Named(Source):
        pass

    source = Named()
    source.keeper = Keeper(source)
    alive = weakref.ref(source)
    del source
    gc.collect()
    left = alive()
    assert left is not None
    del left.keeper, left
    gc.collect()
    assert alive() is None


def test_a_cycle_of_cpp_alone_is_collected() -> None:
    for _ in range(3):
        source = Source()
        source.link = Keeper(source)
    del source
    gc.collect()
    gc.collect()


def test_a_thousand_calls_keep_an_object_once() -> None:
    keeper, source = Keeper(), Source()
    count = tain.testing.object_use_count(source)
    for _ in range(1000):
        keeper.point(source)
    assert tain.testing.object_use_count(source) == count + 1
    for _ in range(100):
        keeper.point(Source())
    del source
    gc.collect()
    assert keeper.read() == VALUE


def test_a_keeper_keeps_itself_without_a_cycle() -> None:
    source = Source()
    keeping.any_first(source, source)
    alive = weakref.ref(source)
    del source
    assert alive() is None


def test_containers_keep_by_their_objects() -> None:
    keepers = [Keeper(), Keeper()]
    source = Source()
    count = tain.testing.object_use_count(source)
    keeping.any_first(keepers, source)
    assert tain.testing.object_use_count(source) == count + 2
    endless = tain.List([Keeper()])
    endless.append(endless)
    keeping.any_first(endless, source)
    assert tain.testing.object_use_count(source) == count + 3
    endless.clear()


def test_threads_keep_and_drop() -> None:
    shared = Keeper()

    def run() -> None:
        for _ in range(300):
            shared.point(Source())
            keeping.made(Source()).read()
            Keeper(Source()).point(shared.point(Source()) or Source())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.read() == VALUE


def test_type_info_says_what_is_kept() -> None:
    info = tain.type_info(Keeper)
    pairs = {method.name: method.function.keeps_alive for method in info.methods}
    assert pairs["point"] == ((1, 2),)
    assert pairs["read"] == ()
    assert [one.keeps_alive for one in info.constructor.overloads] == [(), ((0, 1),), ((0, 1),)]
    source = next(one for one in info.properties if one.name == "source")
    assert source.keeps_alive == ((1, 2),)
