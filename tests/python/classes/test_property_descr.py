# SPDX-License-Identifier: Apache-2.0
"""Properties: functions that release the GIL, functions chosen by overload_cast."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from errors import raises

from tain.types import testing as t


def while_another_thread_takes_turns(ported: t.Ported, call: Callable[[], object]) -> object:
    """Return what `call` returns while a thread increments the turns of the object."""
    done = threading.Event()
    started = threading.Event()

    def turns() -> None:
        while not done.is_set():
            ported.take_turn()
            started.set()

    thread = threading.Thread(target=turns)
    thread.start()
    try:
        assert started.wait(10)
        return call()
    finally:
        done.set()
        thread.join()


def test_a_getter_releases_the_gil() -> None:
    ported = t.Ported()
    assert while_another_thread_takes_turns(ported, lambda: ported.awaited) is True
    assert ported.awaited is False  # nobody takes a turn


def test_a_setter_releases_the_gil() -> None:
    ported = t.Ported()
    while_another_thread_takes_turns(ported, lambda: setattr(ported, "settled", True))
    assert ported.note == "as wanted"
    assert ported.settled is True
    assert t.Ported.settled.__doc__ == "bool: Waits when it is set."
    assert t.Ported.awaited.__doc__ == "bool: Waits."


@pytest.mark.bad_input
def test_a_property_without_setter_is_read_only() -> None:
    with raises(AttributeError, "Ported.awaited is read-only: the property has no setter"):
        t.Ported().awaited = True
    text = "Ported.settled cannot be deleted: it is a property of a C++ object"
    with raises(AttributeError, text):
        del t.Ported().settled
    with raises(TypeError, "testing.Ported.settled: expected bool, got int (1)"):
        t.Ported().settled = 1


def test_overload_cast_selects_one_function() -> None:
    ported = t.Ported()
    assert ported.at(1) == "at int"
    assert ported.at_const(1) == "at int const"
    assert (ported.at_any("x"), ported.at_any(1)) == ("at str", "at int const")
    assert ported.quiet(1) == "quiet float"
    assert t.Ported.of("x") == "of str"
    with raises(TypeError, "testing.Ported.at: argument arg0: expected int, got str ('x')"):
        ported.at("x")
