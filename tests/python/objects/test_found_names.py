# SPDX-License-Identifier: Apache-2.0
"""Names of a loaded library that were found: they are kept, and keep nothing alive or open."""

from __future__ import annotations

import gc
import shutil
import weakref
from pathlib import Path

import pytest
from c_keys import register_key
from python_calls import python_calls

import tain

SOURCE = """
struct P : tain::Object { TAIN_OBJECT("found_names.P", P, tain::Object); };
enum class E { A };
int g(int x) { return x; }
TAIN_REGISTER {
  tain::reflection::ObjectDef<P>().def_init<>();
  tain::reflection::EnumDef<E>("found_names.E").value("A", E::A);
  tain::reflection::GlobalDef().def("found_names.f", [] { return 1; });
}"""


@pytest.fixture(scope="module")
def library() -> str:
    return tain.cpp.build_inline("found_names", cpp_sources=SOURCE, functions=["g"])


@pytest.fixture(scope="module")
def plain() -> str:
    """Return a library that registers nothing."""
    return tain.cpp.build_inline(
        "found_plain", cpp_sources="int g(int x) { return x; }", functions=["g"]
    )


@pytest.mark.parametrize("name", ["g", "f", "P", "E"])
def test_the_second_access_looks_nothing_up(library: str, name: str) -> None:
    module = tain.load_module(library)
    first = getattr(module, name)
    before = tain.testing.live_objects()
    assert python_calls(lambda: getattr(module, name)) == 0
    assert getattr(module, name) is first
    assert tain.testing.live_objects() == before


def test_a_registered_class_is_seen(library: str) -> None:
    module = tain.load_module(library)
    before = module.P

    @tain.register_object("found_names.P")
    class P(tain.Object):
        pass

    assert module.P is P is not before
    register_key("found_names.Later")
    assert module.P is P


def test_a_function_that_is_replaced_is_no_longer_the_librarys(library: str) -> None:
    module = tain.load_module(library)
    function = module.f
    tain.register_global_func("found_names.f", lambda: 2, override=True)
    assert not hasattr(module, "f")
    tain.register_global_func("found_names.f", function, override=True)


def modules() -> int:
    return tain.testing.live_objects().get("ffi.LibraryModule", 0)


@pytest.mark.parametrize("watched", [False, True])
def test_a_module_dies_with_what_was_found(plain: str, tmp_path: Path, watched: bool) -> None:
    before = modules()
    module = tain.load_module(shutil.copy(plain, tmp_path / f"dying{watched}.so"))
    alive = weakref.ref(module) if watched else None
    assert module.g(3) == 3
    assert modules() == before + 1
    del module
    assert modules() == before
    assert alive is None or alive() is None


def test_a_function_that_python_holds_keeps_its_module(plain: str, tmp_path: Path) -> None:
    before = modules()
    module = tain.load_module(shutil.copy(plain, tmp_path / "held.so"))
    function, other = module.g, module.get_function("g")
    assert function is other
    del module, other
    gc.collect()
    assert modules() == before + 1
    assert function(4) == 4
    del function
    assert modules() == before


def test_code_that_runs_as_a_module_dies(plain: str, tmp_path: Path) -> None:
    """A callback of a function's death reaches the module again."""
    before = modules()
    module = tain.load_module(shutil.copy(plain, tmp_path / "revived.so"))
    find = weakref.ref(module)
    revived = []

    def on_death(_: object) -> None:
        revived.append(find())

    watch = weakref.ref(module.g, on_death)
    del module
    assert watch() is None
    survivors = [each for each in revived if each is not None]
    assert all(each.g(5) == 5 for each in survivors)
    revived.clear()
    survivors.clear()
    gc.collect()
    assert modules() == before


def test_names_change_while_many_modules_are_used(plain: str, tmp_path: Path) -> None:
    loaded = [tain.load_module(shutil.copy(plain, tmp_path / f"many{i}.so")) for i in range(3)]
    for i in range(20):
        assert [module.g(i) for module in loaded] == [i, i, i]
        if i % 5 == 0:
            register_key(f"found_names.Later{i}")
