# SPDX-License-Identifier: Apache-2.0
"""Boxed objects of the testing library that point into each other, and when they are destroyed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tain.types.testing.boxed import Listener, Model
from testing_functions import get

USE = 3.0  # what a living Model answers


def call(name: str, *args: Any) -> Any:
    """Call a function of the tests' boxes."""
    return get("boxed." + name)(*args)


@pytest.fixture(autouse=True)
def all_destroyed() -> Iterator[None]:
    """Each foreign object that a test makes is destroyed."""
    gc.collect()
    before = list(call("kept_alive"))
    yield
    gc.collect()
    assert list(call("kept_alive")) == before


def reuse_memory() -> None:
    """Collect, and make objects where dead ones were."""
    gc.collect()
    for _ in range(20):
        Model().first = -50.0


def attached(how: Callable[[Any], Any]) -> Any:
    """Return a Listener that was given a Model which nothing else refers to."""
    listener = Listener()
    how(listener)
    return listener
