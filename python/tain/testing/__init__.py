# SPDX-License-Identifier: Apache-2.0
"""For tests of code that uses tain: what is alive, and whether a block of code left something.

The bundled testing library (keys and functions that begin with ``testing.``) needs no import: it
is loaded when one of its names is asked for.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tain._core import live_objects

__all__ = ["live_objects", "no_leaks"]


@contextmanager
def no_leaks() -> Iterator[None]:
    """Check that the objects made in a block are gone at its end.

    Garbage is collected before the counts are taken. Nothing is checked if the block raises.

    Raises
    ------
    AssertionError
        More or fewer objects live than before; the text lists the difference by key.

    Examples
    --------
    >>> with tain.testing.no_leaks():
    ...     tain.types.testing.TestIntPair(1, 2)
    testing.TestIntPair(a=1, b=2)
    """
    gc.collect()
    before = Counter(live_objects())
    yield
    gc.collect()
    after = Counter(live_objects())
    after.subtract(before)
    changes = [f"{key}: {count:+d}" for key, count in sorted(after.items()) if count]
    if changes:
        raise AssertionError("no_leaks: live objects changed: " + ", ".join(changes))
