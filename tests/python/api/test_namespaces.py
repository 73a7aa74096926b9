# SPDX-License-Identifier: Apache-2.0
"""Attributes of tain.types: found once, and looked up again after anything was registered."""

from __future__ import annotations

import gc
import importlib
import sys
import types
import weakref
from pathlib import Path
from unittest import mock

import pytest
from c_keys import register_key, set_function
from errors import raises
from python_calls import python_calls

import tain
from tain import _core


@pytest.mark.parametrize("name", ["echo", "Point", "Color", "x"])
def test_the_second_access_runs_no_python_code(name: str) -> None:
    namespace = tain.types.testing
    assert python_calls(lambda: getattr(namespace, name)) == 0


def test_a_namespace_of_functions_only(free_name: str) -> None:
    tain.register_global_func(free_name, lambda x: x)
    space, _, name = free_name.rpartition(".")
    namespace = importlib.import_module(f"tain.types.{space}")
    assert python_calls(lambda: getattr(namespace, name)) == 0
    assert python_calls(lambda: getattr(tain.types, space)) == 0


def test_a_function_of_one_underscore() -> None:
    tain.register_global_func("underscored._hidden", lambda: 1)
    try:
        import tain.types.underscored as namespace

        assert python_calls(lambda: namespace._hidden) == 0
    finally:
        tain.remove_global_func("underscored._hidden")
    assert not hasattr(namespace, "_hidden")


def test_functions_that_change_are_seen() -> None:
    tain.register_global_func("kept.f", lambda: 1)
    import tain.types.kept as kept

    try:
        assert (kept.f(), kept.f()) == (1, 1)
        tain.register_global_func("kept.f", lambda: 2, override=True)
        assert kept.f() == 2
        set_function("kept.f", lambda: 3)
        assert kept.f() == 3
        register_key("kept.f")
        assert kept.f is tain.get_class("kept.f")
    finally:
        tain.remove_global_func("kept.f")


def test_a_removed_function_is_gone() -> None:
    class Function:
        def __call__(self) -> int:
            return 1

    function = Function()
    alive = weakref.ref(function)
    tain.register_global_func("kept_removed.f", function)
    tain.register_global_func("kept_removed.g", lambda: 1)
    import tain.types.kept_removed as namespace

    assert namespace.f() == 1
    tain.remove_global_func("kept_removed.f")
    del function
    gc.collect()
    assert alive() is None
    with raises(AttributeError, "module 'tain.types.kept_removed' has no attribute 'f'"):
        _ = namespace.f
    tain.remove_global_func("kept_removed.g")


def test_a_registered_class_is_seen() -> None:
    register_key("kept_classes.Thing")
    import tain.types.kept_classes as namespace

    before = namespace.Thing
    for _ in range(2):

        @tain.register_object("kept_classes.Thing")
        class Thing(tain.Object):
            pass

        assert namespace.Thing is Thing is not before
        before = namespace.Thing


def test_a_class_of_python_is_seen(run) -> None:
    run("""
        import enum, tain
        tain.types.testing.echo
        namespace = tain.types.testing
        before = namespace.Color

        @tain.py_class("testing.Color")
        class Color(enum.IntEnum):
            RED, GREEN, BLUE = before.RED.value, before.GREEN.value, before.BLUE.value

        assert namespace.Color is Color is not before
        """)


def test_a_redefined_type_is_seen() -> None:
    source = """
        struct P : tain::Object { TAIN_OBJECT("kept_builds.P", P, tain::Object); };
        int f() { return NUMBER; }
        TAIN_REGISTER {
          tain::reflection::ObjectDef<P>().def_init<>().def_attr("BUILD", NUMBER);
          tain::reflection::GlobalDef().def("kept_builds.f", f);
        }"""
    for number in ("1", "2", "1"):
        tain.cpp.load_inline("kept_builds", cpp_sources=source.replace("NUMBER", number))
        import tain.types.kept_builds as namespace

        for _ in range(2):
            assert (namespace.P.BUILD, namespace.f()) == (int(number), int(number))


def test_what_is_set_by_hand_hides_and_is_taken_back() -> None:
    namespace = tain.types.testing
    echo = namespace.echo
    with mock.patch.object(namespace, "echo", 5):
        assert namespace.echo == 5
    assert "echo" not in vars(namespace)
    assert namespace.echo is echo
    namespace.echo = 6
    try:
        register_key("kept.Later")
        assert namespace.echo == 6
    finally:
        del namespace.echo
    assert namespace.echo is echo


def test_names_of_str_subclasses_and_no_str() -> None:
    class Name(str):
        def __hash__(self) -> int:
            raise RuntimeError("hashed")

    assert tain.types.testing.echo is tain.types.testing.echo
    with pytest.raises(RuntimeError, match="hashed"):
        getattr(tain.types.testing, Name("echo"))
    with pytest.raises(TypeError):
        getattr(tain.types.testing, 5)  # type: ignore[arg-type]


def test_a_registration_during_the_look_up() -> None:
    """What a look-up finds is not kept if the registry changed meanwhile."""
    tain.register_global_func("kept_racing.f", lambda: 1)
    import tain.types.kept_racing as namespace

    find = _core.get_global_func

    def find_and_register(name: str, allow_missing: bool = False) -> object:
        found = find(name, allow_missing)
        tain.register_global_func("kept_racing.f", lambda: 2, override=True)
        return found

    with mock.patch.object(_core, "get_global_func", find_and_register):
        assert namespace.f() == 1
    assert namespace.f() == 2
    tain.remove_global_func("kept_racing.f")


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [int, 5, type("Own", (types.ModuleType,), {"__getattr__": None})])
def test_keep_names_takes_classes_of_modules(cls: object) -> None:
    with pytest.raises(TypeError, match=r"^keep_names: expected a class of modules that looks "):
        _core.keep_names(cls)


def test_packages_are_searched_when_one_was_installed(monkeypatch, tmp_path: Path) -> None:
    """Reading the metadata of all installed packages is slow."""
    import importlib.metadata

    scans = []
    scan = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda **k: scans.append(k["name"]) or scan(**k)
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    tain.register_global_func("scanned.f", lambda: 1)
    try:
        import tain.types.scanned as namespace

        assert namespace.f() == 1
        assert scans == []
        for _ in range(3):
            assert not hasattr(namespace, "Thing")
        assert scans == ["scanned"]
        (tmp_path / "scanned_package.py").write_text(
            "from c_keys import register_key\nregister_key('scanned.Thing')\n"
        )
        info = tmp_path / "scanned_package-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scanned_package\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[tain.types]\nscanned = scanned_package\n")
        assert namespace.Thing is tain.get_class("scanned.Thing")
        assert scans == ["scanned", "scanned"]
    finally:
        tain.remove_global_func("scanned.f")
