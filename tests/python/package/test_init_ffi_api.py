# SPDX-License-Identifier: Apache-2.0
"""Modules that adopt a namespace: what they have, when it changes, and where pickles look."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from c_keys import register_key
from errors import raises

import tain


@pytest.fixture
def module(request) -> Iterator[types.ModuleType]:
    """Return a new module that can be found by name."""
    module = types.ModuleType(f"module_of_{request.node.name}")
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


@pytest.fixture
def namespace(request) -> Iterator[str]:
    """Return a namespace of its own, whose functions are removed after the test."""
    namespace = f"adopted_{request.node.name}"
    yield namespace
    for name in tain.list_global_func_names():
        if name.startswith(f"{namespace}."):
            tain.remove_global_func(name)


def public(module: types.ModuleType) -> list[str]:
    return sorted(name for name in vars(module) if not name.startswith("__"))


def test_functions_and_types_become_attributes(module, namespace) -> None:
    tain.register_global_func(f"{namespace}.twice", lambda x: 2 * x)
    tain.register_global_func(f"{namespace}.deeper.not_here", lambda: None)
    tain.register_global_func(f"{namespace}_other.not_here", lambda: None)
    register_key(f"{namespace}.Thing")
    tain.init_ffi_api(namespace, module.__name__)
    assert public(module) == ["Thing", "twice"]
    assert module.twice(4) == 8
    assert module.Thing is tain.get_class(f"{namespace}.Thing")
    assert module.Thing is getattr(tain.types, namespace).Thing
    assert module.Thing.__module__ == module.__name__
    tain.remove_global_func(f"{namespace}_other.not_here")


def test_exceptions_become_attributes(run) -> None:
    run("""
        import sys, tain, types
        adopter = sys.modules["adopter"] = types.ModuleType("adopter")
        tain.init_ffi_api("testing", "adopter")
        assert adopter.SheetError.__module__ == "adopter"
        assert "CycleError" in dir(adopter) and "CycleError" in vars(adopter)
        assert issubclass(adopter.CycleError, adopter.SheetError)
        assert tain.types.testing.CycleError is adopter.CycleError
    """)


def test_deeper_namespaces_stay_where_they_are(module, namespace) -> None:
    """The module has no submodule that a pickle could import."""
    for key in (f"{namespace}.Thing", f"{namespace}.deeper.Thing"):
        register_key(key)
    before = tain.get_class(f"{namespace}.deeper.Thing")
    tain.init_ffi_api(namespace, module.__name__)
    register_key(f"{namespace}.deeper.Later")
    assert before.__module__ == f"tain.types.{namespace}.deeper"
    assert tain.get_class(f"{namespace}.deeper.Later").__module__ == before.__module__


def test_its_old_name() -> None:
    assert tain._init_api is tain.init_ffi_api


@pytest.mark.parametrize("prefix", ["tvm.", "tain."])
def test_a_leading_name_of_the_project_does_not_count(module, namespace, prefix: str) -> None:
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    tain.init_ffi_api(prefix + namespace, module.__name__)
    assert module.f() == 1


def test_the_module_is_by_default_named_like_the_namespace(namespace) -> None:
    name = f"tvm.{namespace}"
    sys.modules[name] = module = types.ModuleType(name)
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    tain.init_ffi_api(name)
    assert module.f() == 1
    del sys.modules[name]


@pytest.mark.bad_input
def test_the_module_must_be_there() -> None:
    with raises(
        ValueError, "init_ffi_api: expected the name of an imported module, got 'no_such_module'"
    ):
        tain.init_ffi_api("testing", "no_such_module")


def test_what_comes_later_appears(module, namespace) -> None:
    tain.init_ffi_api(namespace, module.__name__)
    assert public(module) == []
    register_key(f"{namespace}.Thing")
    assert module.Thing is tain.get_class(f"{namespace}.Thing")
    assert "Thing" in dir(module)
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    assert module.f() == 1
    assert vars(module)["f"]() == 1


def test_what_changes_changes_here_too(module, namespace) -> None:
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    tain.init_ffi_api(namespace, module.__name__)
    tain.register_global_func(f"{namespace}.f", lambda: 2, override=True)
    assert module.f() == 2
    tain.remove_global_func(f"{namespace}.f")
    assert not hasattr(module, "f")
    assert "f" not in dir(module)


def test_what_the_module_defines_itself_stays(module, namespace) -> None:
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    tain.init_ffi_api(namespace, module.__name__)
    module.f = 5
    tain.register_global_func(f"{namespace}.f", lambda: 2, override=True)
    assert module.f == 5


def test_a_registered_class_takes_its_place(run) -> None:
    run("""
        import sys, types, tain
        module = sys.modules["adopting"] = types.ModuleType("adopting")
        tain.types.testing
        tain.init_ffi_api("testing", "adopting")
        assert module.TestIntPair(1, 2).a == 1 and module.echo(1) == 1

        @tain.register_object("testing.TestIntPair")
        class TestIntPair(tain.Object):
            pass

        assert module.TestIntPair is TestIntPair
        """)


def test_twice_and_two_namespaces(module, namespace) -> None:
    other = f"{namespace}_more"
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    tain.register_global_func(f"{other}.g", lambda: 2)
    for _ in range(2):
        tain.init_ffi_api(namespace, module.__name__)
        tain.init_ffi_api(other, module.__name__)
    assert (module.f(), module.g()) == (1, 2)
    with raises(AttributeError, f"module '{module.__name__}' has no attribute 'h'"):
        _ = module.h
    tain.remove_global_func(f"{other}.g")


def test_the_module_keeps_its_own_getattr(module, namespace) -> None:
    module.__getattr__ = lambda name: f"own {name}"
    tain.init_ffi_api(namespace, module.__name__)
    tain.register_global_func(f"{namespace}.f", lambda: 1)
    assert module.f() == 1
    assert module.other == "own other"


def test_names_of_pythons_own_are_left_alone(module, namespace) -> None:
    name = module.__name__
    tain.register_global_func(f"{namespace}.__name__", lambda: 1)
    tain.register_global_func(f"{namespace}.odd-name", lambda: 1)
    tain.init_ffi_api(namespace, name)
    assert module.__name__ == name
    assert not hasattr(module, "odd-name")
    tain.remove_global_func(f"{namespace}.__name__")


def test_functions_alone_search_no_packages(run) -> None:
    text = run("""
        import sys, types
        import tain
        module = sys.modules["adopting"] = types.ModuleType("adopting")
        tain.register_global_func("functions_only.f", lambda: 1)
        tain.init_ffi_api("functions_only", "adopting")
        assert module.f() == 1 and not hasattr(module, "g")
        tain.register_global_func("functions_only.h", lambda: 1)
        assert module.h() == 1
        print("importlib.metadata" in sys.modules)
        """)
    assert text.strip() == "False"


def test_a_script_is_no_home(run) -> None:
    """No other process could import a type from `__main__`."""
    code = """
        import tain
        from c_keys import register_key
        register_key("scripted.Thing")
        tain.init_ffi_api("scripted", __name__)
        print(Thing.__module__)
        """
    assert run(code).strip() == "tain.types.scripted"


PACKAGE = "import tain\n\ntain.init_ffi_api('pack', __name__, library='pack')\n"


def test_a_package_in_one_line(run, tmp_path: Path) -> None:
    """Library beside the module or in its lib folder; reload; import anew; pickle."""
    code = """
        import importlib, pickle, sys
        import tain
        tain.cpp.build_inline("pack", build_directory="pack/lib", cpp_sources='''
            struct ThingObj : tain::Object {
              int64_t n;
              explicit ThingObj(int64_t n) : n(n) {}
              TAIN_OBJECT("pack.Thing", ThingObj, tain::Object);
            };
            TAIN_REGISTER {
              tain::reflection::ObjectDef<ThingObj>().def_ro("n", &ThingObj::n)
                  .def_init<int64_t>(tain::arg("n"));
              tain::reflection::GlobalDef().def("pack.f", [](int64_t x) { return x; });
            }
        ''')
        import pack
        assert pack.Thing(1).n == 1 and pack.f(2) == 2
        assert pack.Thing.__module__ == "pack"
        assert pickle.loads(pickle.dumps(pack.Thing)) is pack.Thing
        thing = pack.Thing
        assert importlib.reload(pack).Thing is thing
        del sys.modules["pack"]
        import pack as again
        assert again is not pack and again.Thing is thing is tain.types.pack.Thing
        """
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text(PACKAGE)
    run(code, path=str(tmp_path))


@pytest.mark.bad_input
def test_a_package_without_its_library(run, tmp_path: Path) -> None:
    (tmp_path / "pack.py").write_text(PACKAGE)
    code = """
        try:
            import pack
        except ImportError as error:
            print(error)
        """
    text = run(code, path=str(tmp_path))
    assert text.startswith("pack: there is no library 'pack': expected libpack")
    assert f"\n  {tmp_path}\n  {tmp_path}/lib\n" in text
