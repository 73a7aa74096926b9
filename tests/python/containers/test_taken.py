# SPDX-License-Identifier: Apache-2.0
"""What cannot become a Python object is not lost when it is taken out of a container."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

BAD = b"\xff\xfe"
TAKE: dict[str, Callable[[Any], Any]] = {
    "List.pop": lambda made: made.pop(),
    "List.pop of an index": lambda made: made.pop(0),
}
TAKE_ENTRY: dict[str, Callable[[Any, Any], Any]] = {
    "popitem": lambda made, key: made.popitem(),
    "pop": lambda made, key: made.pop(key),
    "pop with a default": lambda made, key: made.pop(key, None),
}


@pytest.mark.parametrize("take", TAKE)
def test_elements(take: str) -> None:
    made = get("text_of_bytes")(BAD)
    for _ in range(2):
        with pytest.raises(UnicodeDecodeError):
            TAKE[take](made)
        assert len(made) == 1
    made.append(5)
    assert made.pop() == 5
    made[0] = "good"
    assert TAKE[take](made) == "good" and len(made) == 0


@pytest.mark.parametrize("take", TAKE_ENTRY)
@pytest.mark.parametrize("key", ["key", 7, tain.Array([1, "x"])], ids=repr)
def test_entries(take: str, key: Any) -> None:
    made = get("entry_of_bytes")(key, BAD)
    for _ in range(2):
        with pytest.raises(UnicodeDecodeError):
            TAKE_ENTRY[take](made, key)
        assert list(made) == [1, key]
    made[key] = "good"
    taken = TAKE_ENTRY[take](made, key)
    assert taken == ((key, "good") if take == "popitem" else "good")
    assert list(made) == [1]
