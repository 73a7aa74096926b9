# SPDX-License-Identifier: Apache-2.0
"""What tests ask about the interpreter that runs them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig

import pytest

# configured with --with-pydebug: assertions of CPython's own are checked
DEBUG = hasattr(sys, "gettotalrefcount")
# configured with --disable-gil
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

# Whether only one thread at a time runs Python code: always, or because PYTHON_GIL=1 says so
HAS_GIL = not FREE_THREADED or os.environ.get("PYTHON_GIL") == "1"

# Only with a GIL can the code of an element change the list or dict of which it is a part: without
# one a copy is read.
reads_the_original = pytest.mark.only_if(not FREE_THREADED, reason="a copy is read")

# some distributions install CPython without the modules of its own tests
HAS_TESTCAPI = importlib.util.find_spec("_testcapi") is not None
needs_testcapi = pytest.mark.only_if(HAS_TESTCAPI, reason="the interpreter has no _testcapi")


def keep_mortal() -> None:
    """Let classes and functions die in this process.

    From the first thread on, CPython 3.13 without a GIL makes them immortal, with what they hold.
    CPython's own tests of lifetimes switch that off in the same way.
    """
    if FREE_THREADED and sys.version_info < (3, 14) and HAS_TESTCAPI:
        from _testinternalcapi import suppress_immortalization

        suppress_immortalization(True)


# Calls make() again and again, another allocation failing each time. Nothing of tain's is loaded.
_WITHOUT_MEMORY = """
import gc, sys
from _testcapi import remove_mem_hooks, set_nomemory
{prepare}
for start in range({tries}):
    try:
        set_nomemory(start, start + 1)
        try:
            make()
        finally:
            remove_mem_hooks()
    except MemoryError:
        pass
print({good})
"""


def _survives(prepare: str, tries: int, good: str) -> bool:
    """Whether the interpreter lives on without memory, and `good` is true afterwards."""
    code = _WITHOUT_MEMORY.format(prepare=prepare, tries=tries, good=good)
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return made.stdout.strip() == "True"


_MAKE_FUNCTION = """
def make():
    return lambda: None
name = make().__code__.co_qualname
held = [name] * 100
before = sys.getrefcount(name)
"""
# Whether a function that cannot be allocated leaves its code's name alone. CPython 3.12.1 and
# 3.13.0 release a reference to it that they never took.
FUNCTION_SURVIVES = (
    DEBUG
    or not (3, 12) <= sys.version_info < (3, 14)
    or not HAS_TESTCAPI
    or _survives(_MAKE_FUNCTION, 10, "sys.getrefcount(name) == before")
)

_MAKE_LIST = """
class Holder: pass
holder = Holder()
holder.items = [2, 3]
def held():
    return holder
def make():
    return [held(), held().items, *held().items]
make()
gc.disable()
"""
# Whether a list that cannot be allocated leaves the process alive. In CPython 3.13 without a GIL,
# PyList_New frees elements that were never allocated.
LISTS_SURVIVE = (
    not FREE_THREADED
    or not HAS_TESTCAPI
    or _survives(_MAKE_LIST, 400, "gc.collect() >= 0 and make() == [holder, [2, 3], 2, 3]")
)
