# SPDX-License-Identifier: Apache-2.0
"""What tests of threads compile, once for all of them, in a cache of their own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import crowd
import interpreter
import pytest

import tain

interpreter.keep_mortal()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests compile goes to a folder of their own, also in the processes they start."""
    os.environ.setdefault("TAIN_CACHE_DIR", str(tmp_path_factory.mktemp("tain-cache")))


@pytest.fixture(scope="session")
def next_build(own_cache: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The paths of ever more builds of the library `crowd`; the first has the number 1."""
    folder = tmp_path_factory.mktemp("crowd")
    built = crowd.library()
    return (crowd.copy_of(built, number, folder) for number in itertools.count(1))


@pytest.fixture
def load_crowd(next_build: Iterator[Path]) -> Callable[[], int]:
    """Loads a new build of `crowd`, none of whose types has been used; returns its number."""

    def load() -> int:
        tain.load_library(next(next_build))
        number: int = tain.get_global_func("crowd.build")()
        return number

    return load
