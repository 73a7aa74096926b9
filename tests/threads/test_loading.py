# SPDX-License-Identifier: Apache-2.0
"""Libraries are loaded while others import what they register, faulty libraries among them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from racing import race

import tain
import tain.types
from tain import _core, _discovery

NUM_LIBRARIES = 60

# The name of the namespace is a text of one length, so that a copy can have another one.
_MARK = b"loaded000"
_SOURCE = r"""
#include <string>

namespace {
namespace refl = tain::reflection;

struct ThingObj : tain::Object {
  int64_t n = 7;
  TAIN_OBJECT("loaded000.Thing", ThingObj, tain::Object);
};
enum class Kind : int32_t { kOne = 1 };
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TAIN_REGISTER {
  refl::ObjectDef<ThingObj>().def_init<>().def_ro("n", &ThingObj::n);
  refl::EnumDef<Kind>("loaded000.Kind").value("ONE", Kind::kOne);
  refl::ErrorDef<Failure>("loaded000.Failure", "KeyError");
  refl::GlobalDef()
      .def("loaded000.kind", [] { return Kind::kOne; })
      .def("loaded000.deep.f", [](int64_t x) { return x + 1; })
      .def_constant("loaded000.limit", 3);
@FAULT@
}
}  // namespace
"""
_FAULT = """
  refl::GlobalDef().def("loaded000.kind", [] { return 2; });
"""


class Libraries:
    """Copies of a library that register other keys."""

    def __init__(self, name: str, fault: str, folder: Path) -> None:
        source = _SOURCE.replace("@FAULT@", fault)
        self._built = Path(tain.cpp.build_inline(name, cpp_sources=source, extra_cflags=["-O0"]))
        self._unit = name.encode()
        self._folder = folder
        assert len(name) == len(_MARK)

    def path(self, namespace: str) -> Path:
        """Return the path of the library with a namespace."""
        made = self._folder / f"{namespace}{self._built.suffix}"
        text = self._built.read_bytes().replace(_MARK, namespace.encode())
        made.write_bytes(text.replace(self._unit, namespace.encode()))
        return made


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    return Libraries("sound_one", "", tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    return Libraries("fault_one", _FAULT, tmp_path_factory.mktemp("faulty"))


@pytest.fixture(scope="module")
def names() -> Iterator[str]:
    """Names of namespaces, each of which is free."""
    return (f"loaded{number:03}" for number in itertools.count(1))


def check(namespace: str) -> None:
    """Check all that a sound library registers."""
    module = import_module(f"tain.types.{namespace}")
    assert module.__all__ == ["Failure", "Kind", "Thing", "kind", "limit"]
    assert module.Thing().n == 7 and module.Thing.__module__ == module.__name__
    assert module.kind() is module.Kind.ONE and module.limit == 3
    assert issubclass(module.Failure, KeyError)
    assert import_module(f"tain.types.{namespace}.deep").f(1) == 2


@pytest.mark.parametrize("threads", [2, 16])
def test_libraries_are_loaded_at_the_same_time(
    sound: Libraries, names: Iterator[str], threads: int
) -> None:
    mine = [next(names) for _ in range(NUM_LIBRARIES)]
    free = [(name, sound.path(name)) for name in mine]

    def load() -> None:
        for _ in range(NUM_LIBRARIES // threads):
            name, path = free.pop()
            library = tain.load_library(path)
            assert library.types == (f"{name}.Thing",)
            assert library.functions == (f"{name}.deep.f", f"{name}.kind")
            check(name)

    race(load, threads=threads, turns=1)
    loaded = mine[len(free) :]
    for name in loaded:
        check(name)
    assert len([unit for unit in _core.list_units() if unit[1] in loaded]) == len(loaded)


def test_one_library_is_loaded_by_all(sound: Libraries, names: Iterator[str]) -> None:
    def load() -> None:
        libraries.append(tain.load_library(path))
        check(name)

    for _ in range(10):
        name = next(names)
        path = sound.path(name)
        libraries: list[tain.Library] = []
        before = _core.registry_generation()
        race(load, threads=8, turns=1)
        assert len(libraries) == 8 and len(set(libraries)) == 1
        assert len([unit for unit in _core.list_units() if unit[1] == name]) == 1
        generation = _core.registry_generation()
        tain.load_library(path)
        assert generation == _core.registry_generation() > before


def test_imports_see_a_library_whole_or_not_at_all(sound: Libraries, names: Iterator[str]) -> None:
    early: list[str] = []
    late: list[str] = []

    def look() -> None:
        try:
            module = import_module(f"tain.types.{name}")
        except ModuleNotFoundError:
            early.append(name)
            return
        assert module.Thing().n == 7 and module.limit == 3
        assert tain.get_global_func(f"{name}.kind")() is module.Kind.ONE
        late.append(name)

    def load() -> None:
        tain.load_library(path)

    for _ in range(20):
        name = next(names)
        path = sound.path(name)
        race(load, look, look, look, turns=5)
        check(name)
    assert len(early) + len(late) == 20 * 3 * 5 and late


def test_faulty_libraries_among_others(
    sound: Libraries, faulty: Libraries, names: Iterator[str]
) -> None:
    """A fault is raised by its own load, and by no other; nothing of the library stays."""
    good = [(name, sound.path(name)) for name in itertools.islice(names, 40)]
    bad = [(name, faulty.path(name)) for name in itertools.islice(names, 40)]
    refused = [name for name, _ in bad]
    loaded: list[str] = []

    def load() -> None:
        name, path = good.pop()
        tain.load_library(path)
        check(name)
        loaded.append(name)

    def fail() -> None:
        name, path = bad.pop()
        with pytest.raises(ImportError) as caught:
            tain.load_library(path)
        assert f"{name}.kind" in str(caught.value)
        assert str(path) in str(caught.value)
        with pytest.raises(ModuleNotFoundError):
            import_module(f"tain.types.{name}")
        assert tain.get_global_func(f"{name}.deep.f", allow_missing=True) is None

    def look() -> None:
        from tain.types.testing import Point

        assert Point(3, 4).norm() == 5
        for name in loaded[-2:]:
            check(name)

    race(load, fail, look, fail, load, threads=5, turns=20)
    assert (len(good), len(bad), len(loaded)) == (0, 0, 40)
    for name in loaded:
        check(name)
    present = {key.partition(".")[0] for key in _discovery.registered("")}
    assert {*loaded} <= present and not present & {*refused}


def test_a_faulty_library_is_loaded_by_all(faulty: Libraries, names: Iterator[str]) -> None:
    texts: list[str] = []

    def fail() -> None:
        with pytest.raises(ImportError) as caught:
            tain.load_library(path)
        texts.append(str(caught.value))

    for _ in range(5):
        name = next(names)
        path = faulty.path(name)
        race(fail, threads=8, turns=2)
        assert len(texts) == 16 and all(f"{name}.kind" in text for text in texts), texts
        assert not _core.type_keys(f"{name}.")
        texts.clear()


@pytest.mark.parametrize(
    "find",
    [
        lambda name: tain.get_global_func(f"{name}.kind"),
        lambda name: tain.get_class(f"{name}.Thing"),
        lambda name: tain.type_info(f"{name}.Thing"),
        lambda name: getattr(tain.types, name),
        lambda name: import_module(f"tain.types.{name}"),
        lambda name: import_module(f"tain.types.{name}.deep"),
    ],
    ids=["function", "class", "info", "namespace", "import", "deeper import"],
)
def test_a_library_that_another_thread_loads_before_this_one_asks(
    find: Callable[[str], Any],
    sound: Libraries,
    names: Iterator[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was unknown is registered before the search for its library begins."""
    name = next(names)
    load = partial(tain.load_library, sound.path(name))
    provide = _discovery.provide

    def load_before(kind: str, asked: str) -> bool:
        race(load, threads=1, turns=1)
        return provide(kind, asked)

    monkeypatch.setattr(_discovery, "provide", load_before)
    assert find(name) is not None
    check(name)
