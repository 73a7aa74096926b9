# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of code that uses tain: they count living objects and find leaks.

The types and functions that the bundled testing library registers under ``testing.`` are attributes
of this module: ``tain.testing.echo``, ``tain.testing.TestIntPair``. The first use of one of them
loads the library.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tain import _core, _discovery
from tain._core import live_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["live_objects", "no_leaks"]

_PREFIX = "testing."


def __getattr__(name: str) -> Any:
    # The result is not cached, because a name can be registered again.
    if name.isidentifier() and not name.startswith("__"):
        full = _PREFIX + name
        found = _core.get_global_func(full, allow_missing=True)  # loads the library
        if full in _core.type_keys(full):
            return _core.get_class(full)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    _discovery.provide("key", _PREFIX)
    full = [*_core.type_keys(_PREFIX), *_core.list_global_func_names()]
    names = {name[len(_PREFIX) :] for name in full if name.startswith(_PREFIX)}
    return sorted({*globals(), *filter(str.isidentifier, names)})


@contextmanager
def no_leaks() -> Iterator[None]:
    """Check that objects made in a block are freed at its end.

    Garbage is collected before objects are counted. If the block raises, nothing is checked.

    Raises
    ------
    AssertionError
        There are more or fewer living objects than before the block. The text lists the
        difference for each key.

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
