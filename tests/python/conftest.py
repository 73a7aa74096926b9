# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all Python tests: nothing may leak, code runs in new interpreters."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import interpreter
import pytest

import tain
from tain import _core

# A comparison in this helper shows both sides when it fails, as it does in a test.
pytest.register_assert_rewrite("errors")

interpreter.keep_mortal()

# Machines are shared: how long one example takes says nothing.
hypothesis.settings.register_profile("tain", deadline=None)
hypothesis.settings.load_profile("tain")


# greenlet switches the GIL on when it is imported.
collect_ignore = [] if interpreter.HAS_GIL else ["calls/test_greenlets.py"]


@pytest.fixture(autouse=True)
def gil_stays_off() -> Iterator[None]:
    """No import of a test switches the GIL on."""
    yield
    if not interpreter.HAS_GIL:
        assert not sys._is_gil_enabled(), "something has switched the GIL on"


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests compile goes to a folder of their own, also in the processes they start."""
    os.environ.setdefault("TAIN_CACHE_DIR", str(tmp_path_factory.mktemp("tain-cache")))


@pytest.fixture(autouse=True)
def no_leaks() -> Iterator[None]:
    """Objects of every key are as many after a test as before it.

    What a test registers lives on; then objects of tain's own types, of which records hold some,
    do not count. What is alive after a test, above all pytest's own records, is frozen: no
    collection of the next tests, which make very many, looks at it again.
    """
    gc.collect()
    generation, before = _core.registry_generation(), Counter(_core.live_objects())
    yield
    gc.collect()
    gc.freeze()
    after = Counter(_core.live_objects())
    after.subtract(before)
    registered = _core.registry_generation() != generation
    changes = {
        key: count
        for key, count in after.items()
        if count and not (registered and key.startswith(("ffi.", "tain.")))
    }
    assert not changes, f"live objects after the test, compared with before: {changes}"


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """C++ lets go of what a test gave it to keep."""
    yield
    tain.get_global_func("testing.drop_kept")()


@pytest.fixture
def free_name(request: pytest.FixtureRequest) -> Iterator[str]:
    """A name for a global function, which is removed after the test."""
    name = f"{request.module.__name__}.{request.node.name}"
    yield name
    if name in tain.list_global_func_names():
        tain.remove_global_func(name)


Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run code in a new interpreter, warnings being errors, and return what it prints.

    Its current folder is empty; modules are found in `path` and among the helpers of the tests.
    """

    def run_code(code: str, *options: str, path: str = "", status: int = 0) -> str:
        helpers = str(Path(__file__).parent / "helpers")
        result = subprocess.run(
            [sys.executable, "-W", "error", *options, "-c", textwrap.dedent(code)],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [path, helpers]))},
        )
        assert result.returncode == status, f"status {result.returncode}:\n{result.stderr}"
        return result.stdout

    return run_code
