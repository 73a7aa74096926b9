# SPDX-License-Identifier: Apache-2.0
"""The Python package: builds, adopted namespaces, stubs and shown graphs, from many threads."""

from __future__ import annotations

import io
import itertools
import sys
import types
from collections.abc import Iterator

import pytest
from racing import race

import tain
from tain import _adoption
from tain.stubgen import namespace_stubs
from tain.testing import Holder, Node, Point


@pytest.fixture
def module(request: pytest.FixtureRequest) -> Iterator[types.ModuleType]:
    """A new module that can be found by name."""
    made = types.ModuleType(f"module_of_{request.node.name}")
    sys.modules[made.__name__] = made
    yield made
    del sys.modules[made.__name__]
    _adoption._adopters.pop(made.__name__, None)


def test_a_source_is_compiled_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAIN_PRECOMPILED_HEADER", "0")
    numbers = itertools.count()
    same: set[str] = set()

    def build_same() -> None:
        module = tain.cpp.load_inline(
            "built_by_all", c_sources="int __tvm_unused(void) { return 1; }"
        )
        same.add(str(module))

    def build_other() -> None:
        number = next(numbers)
        path = tain.cpp.build_inline(
            f"built_{number % 3}", c_sources=f"int f(void) {{ return {number}; }}"
        )
        paths.append(path)

    def fail() -> None:
        with pytest.raises(tain.cpp.CompileError) as caught:
            tain.cpp.build_inline("built_in_vain", c_sources="\nint f(void) { return nope; }")
        assert str(caught.value).startswith("<inline C>:2:22: error: ")

    paths: list[str] = []
    race(build_same, build_other, build_same, fail, build_other, build_same, threads=6, turns=2)
    assert len(set(paths)) == len(paths) == 4
    assert len(same) == 1


def test_the_last_build_of_a_name_is_present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAIN_PRECOMPILED_HEADER", "0")
    source = (
        'TAIN_REGISTER {{ tain::reflection::GlobalDef().def("turns.f", [] {{ return {}; }}); }}'
    )
    numbers = itertools.count()

    def load() -> None:
        number = next(numbers) % 2
        tain.cpp.load_inline("turns", cpp_sources=source.format(number), extra_cflags=["-O0"])
        assert tain.get_global_func("turns.f")() in (0, 1)

    for number in (0, 1):
        tain.cpp.load_inline("turns", cpp_sources=source.format(number), extra_cflags=["-O0"])
    race(load, threads=4, turns=8)
    for number in (0, 1, 1, 0):
        tain.cpp.load_inline("turns", cpp_sources=source.format(number), extra_cflags=["-O0"])
        assert tain.get_global_func("turns.f")() == number


@pytest.mark.parametrize("threads", [2, 16])
def test_a_module_is_adopted_by_many_threads(module: types.ModuleType, threads: int) -> None:
    tain.register_global_func("adopted_by_many.f", lambda: 1, override=True)
    try:
        for _ in range(50):
            for name in [name for name in vars(module) if name != "__name__"]:
                del vars(module)[name]
            _adoption._adopters.pop(module.__name__, None)

            def adopt() -> None:
                tain.init_ffi_api("adopted_by_many", module.__name__)
                assert module.f() == 1
                assert not hasattr(module, "missing")

            race(adopt, threads=threads, turns=1)
            adopter = _adoption._adopters[module.__name__]
            assert vars(module)["__getattr__"].__self__ is adopter
            assert adopter.namespaces == ["adopted_by_many"]
    finally:
        tain.remove_global_func("adopted_by_many.f")


def test_adopted_names_follow_the_last_registration(module: types.ModuleType) -> None:
    names = [f"f{i}" for i in range(4)]
    for name in names:
        tain.register_global_func(f"adopted_now.{name}", lambda: -1, override=True)
    tain.init_ffi_api("adopted_now", module.__name__)
    counter = itertools.count()
    free = iter(names)

    def register() -> None:
        number = next(counter)
        name = names[number % 4]
        tain.register_global_func(f"adopted_now.{name}", lambda: number, override=True)
        assert getattr(module, name)() >= -1

    def refresh() -> None:
        _adoption.refresh()
        _adoption.refresh_classes()

    try:
        race(register, refresh, register, refresh, turns=50)
        for name in free:
            assert vars(module)[name] is tain.get_global_func(f"adopted_now.{name}")
    finally:
        for name in names:
            tain.remove_global_func(f"adopted_now.{name}")
    assert not hasattr(module, "f0")


def test_stubs_are_the_same_for_all() -> None:
    expected = namespace_stubs("testing.threads")
    counter = itertools.count()

    def write() -> None:
        assert namespace_stubs("testing.threads") == expected

    def register() -> None:
        name = f"stubbed_meanwhile.f{next(counter)}"
        tain.register_global_func(name, lambda: 1)
        tain.remove_global_func(name)

    race(write, register, write, turns=3)


def test_graphs_are_shown_to_all() -> None:
    node = Node(1)
    node.next = Node(2)
    node.payload = Holder(Point(1, 2))
    graph = tain.convert({"node": node, "points": [Point(i, i) for i in range(5)]})
    text, html, other = tain.to_text(graph), tain.to_html(graph), tain.convert({"node": 1})
    change = str(tain.diff(graph, other))

    def show() -> None:
        file = io.StringIO()
        tain.show(graph, file=file)
        assert file.getvalue() == f"{text}\n"
        assert tain.to_html(graph) == html

    def compare() -> None:
        assert str(tain.diff(graph, other)) == change
        assert tain.to_builtins(graph)["node"]["payload"]["point"] == {"x": 1.0, "y": 2.0}

    race(show, compare, threads=8, turns=8)
