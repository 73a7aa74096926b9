# SPDX-License-Identifier: Apache-2.0
"""What tests ask about the interpreter that runs them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig

import pytest

# configured with --with-pydebug: assertions of CPython's own are checked
DEBUG = hasattr(sys, "gettotalrefcount")
# configured with --disable-gil: importing tain switches the GIL on
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

# some distributions install CPython without the modules of its own tests
HAS_TESTCAPI = importlib.util.find_spec("_testcapi") is not None
needs_testcapi = pytest.mark.only_if(HAS_TESTCAPI, reason="the interpreter has no _testcapi")


def keep_mortal() -> None:
    """Let classes and functions die in this process.

    From the first thread on, CPython 3.13 without a GIL makes them immortal, with what they hold.
    CPython's own tests of lifetimes switch that off in the same way.
    """
    if FREE_THREADED and sys.version_info < (3, 14):
        from _testinternalcapi import suppress_immortalization

        suppress_immortalization(True)


# Makes a function again and again, another allocation failing each time.
_MAKE_FUNCTIONS = """
import sys
from _testcapi import remove_mem_hooks, set_nomemory
def make():
    return lambda: None
name = make().__code__.co_qualname
held = [name] * 100
before = sys.getrefcount(name)
for start in range(10):
    try:
        set_nomemory(start, start + 1)
        try:
            make()
        finally:
            remove_mem_hooks()
    except MemoryError:
        pass
print(sys.getrefcount(name) == before)
"""


def _function_survives() -> bool:
    """Whether a function that cannot be allocated leaves its code's name alone.

    CPython 3.12.1 and 3.13.0 release a reference to it that they never took.
    """
    if DEBUG or not (3, 12) <= sys.version_info < (3, 14) or not HAS_TESTCAPI:
        return True
    made = subprocess.run(
        [sys.executable, "-c", _MAKE_FUNCTIONS], capture_output=True, text=True, check=False
    )
    return made.stdout.strip() == "True"


FUNCTION_SURVIVES = _function_survives()


# Makes lists, another allocation failing each time. Nothing of tain's is loaded.
_MAKE_LISTS = """
import gc
from _testcapi import remove_mem_hooks, set_nomemory
class Holder: pass
holder = Holder()
holder.items = [2, 3]
def held():
    return holder
def make():
    return [held(), held().items, *held().items]
make()
gc.disable()
for start in range(400):
    try:
        set_nomemory(start, start + 1)
        try:
            make()
        finally:
            remove_mem_hooks()
    except MemoryError:
        pass
gc.collect()
print(make() == [holder, [2, 3], 2, 3])
"""


def _lists_survive() -> bool:
    """Whether the process survives a list that cannot be allocated.

    In CPython 3.13 without a GIL, PyList_New frees a list whose elements were never allocated.
    """
    if not FREE_THREADED or not HAS_TESTCAPI:
        return True
    made = subprocess.run(
        [sys.executable, "-c", _MAKE_LISTS], capture_output=True, text=True, check=False
    )
    return made.stdout.strip() == "True"


LISTS_SURVIVE = _lists_survive()
