# SPDX-License-Identifier: Apache-2.0
"""A bar that grows while files are worked on, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

__all__ = ["progress"]

T = TypeVar("T")
_WIDTH = 40


def progress(items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield the items, with a bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    if total is None:
        assert isinstance(items, Sized)
        total = len(items)
    for done, item in enumerate(items):
        filled = _WIDTH * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * filled:{_WIDTH}}] {done}/{total}")
        yield item
    sys.stderr.write(f"\r{'':{_WIDTH + 20}}\r")
