# SPDX-License-Identifier: Apache-2.0
"""The package as such: what importing it does, its names, its command line, and odd lives."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from collections import abc
from pathlib import Path

import pytest
from errors import raises

import tain
from tain import _core, libinfo

ROOT = Path(__file__).resolve().parents[3]
MODULES = [
    "tain",
    "tain.cpp",
    "tain.libinfo",
    "tain.library",
    "tain.module",
    "tain.registry",
    "tain.testing",
]


def test_importing_tain_imports_nothing_else(run) -> None:
    """Nothing beyond its own libraries: these all cost more than tain itself, or do something."""
    loaded = run("""
        import sys
        before = set(sys.modules)
        import tain
        print(*sorted(set(sys.modules) - before))
        """).split()
    own = {name for name in loaded if name.partition(".")[0] == "tain"}
    assert own == {"tain", "tain._core"}
    unwanted = {"numpy", "subprocess", "filelock", "platformdirs", "typing", "re", "difflib"}
    unwanted |= {"importlib.metadata", "inspect", "pathlib", "dataclasses", "asyncio", "threading"}
    unwanted |= {"__future__", "copy", "copyreg", "operator", "warnings"}
    assert not unwanted & {name for name in loaded if name not in own}


def test_loading_a_library_imports_little(run) -> None:
    """What builds, searches and warns is imported only if there is something to do."""
    loaded = run("""
        import sys, tain
        path = tain.libinfo.find_bundled("tain_testing")
        before = set(sys.modules)
        tain.load_library(path)
        print(*sorted(set(sys.modules) - before))
        """).split()
    assert set(loaded) == {"tain._checks", "tain._editable", "tain.library"}


def test_importing_a_type_imports_little(run) -> None:
    loaded = run("""
        import sys, tain
        tain.load_library(tain.libinfo.find_bundled("tain_testing"))
        before = set(sys.modules)
        from tain.types.testing import Point
        print(*sorted(set(sys.modules) - before))
        """).split()
    assert set(loaded) == {
        *("tain._discovery", "tain.types", "tain.types._finder", "tain.types.testing"),
    }


def test_a_build_that_runs_is_not_begun_again(run) -> None:
    """SKBUILD_EDITABLE_SKIP is scikit-build-core's name, by which a build tells its processes."""
    run("""
        import os, sys
        from tain import _editable
        class Finder:
            def __init__(self):
                self.path, self.install_dir, self.rebuild_flag = "/nowhere/build", "/nowhere", True
                self.known_source_files, self.known_wheel_files = {"package": "x"}, {}
            def find_spec(self, name, path=None, target=None):
                return None
        sys.meta_path.append(Finder())
        caller = {"__name__": "package"}
        os.environ["SKBUILD_EDITABLE_SKIP"] = os.pathsep.join(["/other", "/nowhere/build"])
        assert _editable.current("library", caller) == "library"
        assert "tain._rebuild" not in sys.modules
        os.environ["SKBUILD_EDITABLE_SKIP"] = "/other"
        try:
            _editable.current("library", caller)
        except UserWarning as error:
            assert "is not compiled again after an edit" in str(error), error
        else:
            raise AssertionError("no build")
        """)


def test_built_libraries_are_loaded_in_place_of_installed_ones(run) -> None:
    """TAIN_BUILT names files, as after a build with a sanitizer."""
    run("""
        import os, shutil, tain
        installed = tain.libinfo.find_bundled("tain_testing")
        built = os.path.realpath(shutil.copy(installed, "."))
        os.environ["TAIN_BUILT"] = os.pathsep.join(["/nowhere/libother.so", built])
        assert tain.load_library(installed).path == built
        assert tain.load_library("tain_testing").path == built
        from tain.types.testing import Point
        assert Point(3, y=4).norm() == 5
        """)


# Each is the first use of something that the bridge defines later.
FIRST_USES = (
    "tain.type_info('ffi.Module').key",
    "tain.Array([1])[0]",
    "list(tain.Map({1: 2}).keys())",
    "isinstance(tain.Map({}).items(), collections.abc.ItemsView)",
    "isinstance(tain.List([]), collections.abc.MutableSequence)",
    "tain.structural_equal([1], [1])",
    "tain.types.testing.SheetError.__base__",
    "tain.empty((2, 3)).shape",
    "str(tain.cuda(1))",
    "len(dir(tain._core)) > 60",
    "tain.convert({'a': [1]})",
)


@pytest.mark.parametrize("use", FIRST_USES)
def test_what_the_bridge_defines_later(run, use: str) -> None:
    alone = run(f"import collections.abc, tain; print({use})")
    after = run(f"import collections.abc, tain; dir(tain._core); print({use})")
    assert alone == after


def test_threads_that_need_the_rest_at_once(run) -> None:
    run(f"""
        import collections.abc, sys, threading, tain
        sys.setswitchinterval(1e-6)
        uses = {FIRST_USES!r}
        start = threading.Barrier(2 * len(uses))
        failed = []
        def use(text):
            start.wait()
            try:
                eval(text)
            except BaseException as error:
                failed.append((text, error))
        threads = [threading.Thread(target=use, args=(text,)) for text in 2 * uses]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed, failed
        """)


@pytest.mark.bad_input
def test_a_name_that_the_bridge_does_not_have(run) -> None:
    run("""
        import tain
        from tain import _core
        for name in ("missing", "__missing__", "missing"):
            try:
                getattr(_core, name)
            except AttributeError as error:
                assert str(error) == f"module 'tain._core' has no attribute {name!r}", error
            else:
                raise AssertionError(name)
        """)


def test_modules_that_come_later_are_attributes(run) -> None:
    run("""
        import sys, tain
        assert "tain.module" not in sys.modules
        assert tain.module.load_module is tain.load_module
        """)


@pytest.mark.parametrize("name", MODULES)
def test_all_names_exist_and_are_documented(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isroutine(value) or inspect.isclass(value):
            assert value.__doc__, f"{name}.{public}"
    assert set(module.__all__) <= set(dir(module))
    assert len(set(module.__all__)) == len(module.__all__)


def test_names_that_users_rely_on() -> None:
    assert tain.PackedFunc is tain.Function
    assert tain.register_func is tain.register_global_func
    assert tain._init_api is tain.init_ffi_api
    assert tain.__version__ == _core.version()
    with raises(AttributeError, "module 'tain' has no attribute 'nothing'"):
        _ = tain.nothing


def test_the_package_is_typed() -> None:
    assert Path(tain.__file__).with_name("py.typed").exists()
    assert Path(_core.__file__).with_name("_core.pyi").exists()


def test_the_names_for_type_checkers_are_those_of_the_package() -> None:
    command = [sys.executable, str(ROOT / "tools" / "face.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


STUB = ast.parse((ROOT / "python" / "tain" / "_values.pyi").read_text())
ABCS = {"Sequence": abc.Sequence, "MutableSequence": abc.MutableSequence}
ABCS |= {"Mapping": abc.Mapping, "MutableMapping": abc.MutableMapping}


@pytest.mark.parametrize(
    "stub", [node for node in STUB.body if isinstance(node, ast.ClassDef)], ids=lambda n: n.name
)
def test_the_stub_of_a_value_class_is_what_the_class_is(stub: ast.ClassDef) -> None:
    cls = getattr(tain, stub.name)
    bases = {getattr(base, "value", base).id for base in stub.bases if base}
    inherited = {name for base in bases & ABCS.keys() for name in dir(ABCS[base]) if name[0] != "_"}
    stated = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in vars(cls) if not name.startswith("_")}
    assert public <= stated | inherited | {"kind"}
    assert [name for name in stated | inherited if not hasattr(cls, name)] == []
    for base in bases & ABCS.keys():
        assert issubclass(cls, ABCS[base])


FACTS = {
    "--version": _core.version,
    "--includedir": libinfo.include_dir,
    "--includes": lambda: f"-I{libinfo.include_dir()}",
    "--libdir": libinfo.lib_dir,
    "--cmakedir": libinfo.cmake_dir,
    "--pkgconfigdir": libinfo.pkgconfig_dir,
    "--debugger": libinfo.debugger_script,
    "--cflags": lambda: " ".join(libinfo.cxxflags()),
    "--ldflags": lambda: " ".join(libinfo.ldflags()),
    "--libs": lambda: " ".join(libinfo.libs()),
}


def config(*options: str) -> str:
    command = [sys.executable, "-m", "tain", "config", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_command_line() -> None:
    for option, fact in FACTS.items():
        assert config(option) == f"{fact()}\n"
    assert config() == "".join(f"{name[2:]}: {fact()}\n" for name, fact in FACTS.items())


def test_folders_of_the_command_line_exist() -> None:
    for option, file in {
        "--includedir": "tain/tain.h",
        "--libdir": Path(libinfo.find_libtain()).name,
        "--cmakedir": "tainConfig.cmake",
        "--pkgconfigdir": "tain.pc",
    }.items():
        assert Path(config(option).strip(), file).is_file()


@pytest.mark.parametrize("command", [["-m", "tain"], ["-mtain"], ["-I", "-m", "tain"]])
def test_the_command_line_does_not_load_the_core(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *command, "config", *FACTS],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "".join(f"{fact()}\n" for fact in FACTS.values())
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    own = {name for name in imported if name.partition(".")[0] == "tain"}
    assert own == {"tain", "tain.__main__", "tain.libinfo"}


def test_programs_of_others_may_be_given_the_same_word(tmp_path: Path) -> None:
    """Only `python -m tain config` ends in the package: not `python -m other config`."""
    (tmp_path / "other.py").write_text("import tain\nprint(tain.convert([1]))\n")
    command = [sys.executable, "-m", "other", "config"]
    printed = subprocess.run(command, capture_output=True, cwd=tmp_path, check=True).stdout
    assert printed == b"[1]\n"


@pytest.mark.bad_input
def test_the_command_line_refuses() -> None:
    result = subprocess.run([sys.executable, "-m", "tain"], capture_output=True, check=False)
    assert result.returncode == 2
    assert b"usage: python -m tain" in result.stderr


@pytest.mark.bad_input
def test_reloading(run) -> None:
    run("""
        import importlib, sys
        import tain
        from tain.types.testing import Point
        point = Point(1)
        for module in (tain, tain.registry, tain.types, tain.testing, tain.cpp):
            importlib.reload(module)
        assert tain.types.testing.Point is Point and type(point) is Point
        assert isinstance(point, tain.Object)
        assert tain.get_global_func("testing.echo")(point) is point
        """)


@pytest.mark.bad_input
@pytest.mark.parametrize("bridge_too", [False, True])
def test_deleting_and_importing_again(run, bridge_too: bool) -> None:
    run(f"""
        import gc, sys
        import tain
        from tain.types.testing import Point
        point = Point(1)
        for name in [name for name in sys.modules if name.partition(".")[0] == "tain"]:
            if {bridge_too} or name != "tain._core":
                del sys.modules[name]
        del tain
        gc.collect()
        import tain
        assert tain.types.testing.Point is Point
        assert tain.get_global_func("testing.echo")(point) is point
        assert isinstance(point, tain.Object)
        """)


@pytest.mark.only_if(hasattr(__import__("os"), "fork"), reason="needs fork")
@pytest.mark.bad_input
def test_fork_with_live_objects(run) -> None:
    text = run("""
        import gc, os
        import tain
        from tain.types.testing import Node, Point

        class Labelled(Point):
            pass

        point = Labelled(1)
        point.label = "kept"
        node = Node()
        node.payload = point
        node.callback = lambda: point.label
        child = os.fork()
        if not child:
            gc.collect()
            assert node.payload is point and node.callback() == "kept"
            del point, node
            gc.collect()
            Point(2)
            print("child", flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert node.payload is point and point.label == "kept"
        print("parent")
        """)
    assert text.split() == ["child", "parent"]


@pytest.mark.bad_input
def test_exit_with_live_objects(run) -> None:
    run("""
        import tain
        from tain.types.testing import Node, Point

        class Labelled(Point):
            pass

        class Keeper:
            node = Node()

        node = Keeper.node
        node.payload = Labelled(1)
        node.payload.back = node
        node.callback = lambda: node
        tain.get_global_func("testing.keep_until_exit")(lambda: node)
        tain.register_global_func("test_package.kept", lambda: node)
        """)


def test_counting_live_objects() -> None:
    from tain.types.testing import Point

    before = tain.testing.live_objects().get("testing.Point", 0)
    points = [Point(i) for i in range(3)]
    assert tain.testing.live_objects()["testing.Point"] == before + 3
    del points
    assert tain.testing.live_objects().get("testing.Point", 0) == before


def test_no_leaks_says_what_leaked() -> None:
    from tain.types.testing import Point

    kept = []
    with tain.testing.no_leaks():
        Point(1)
    text = "no_leaks: live objects changed: testing.Point: +1"
    with raises(AssertionError, text), tain.testing.no_leaks():
        kept.append(Point(1))
    with (
        raises(AssertionError, "no_leaks: live objects changed: testing.Point: -1"),
        tain.testing.no_leaks(),
    ):
        kept.clear()
    with pytest.raises(ZeroDivisionError), tain.testing.no_leaks():
        kept.append(Point(1 / len(kept)))


def test_errors_of_new_threads_while_a_library_is_loaded(run) -> None:
    """The first error of a thread does not wait for the loader while it has the registry's lock."""
    run("""
        import faulthandler, threading, tain
        faulthandler.dump_traceback_later(60, exit=True)
        path = tain.libinfo.find_bundled("tain_testing")
        loaded = threading.Event()
        def ask():
            try:
                tain.type_info("nowhere.Missing")
            except ValueError:
                pass
        def ask_in_new_threads():
            while not loaded.is_set():
                thread = threading.Thread(target=ask)
                thread.start()
                thread.join()
        asking = [threading.Thread(target=ask_in_new_threads) for _ in range(6)]
        for thread in asking:
            thread.start()
        tain.load_library(path)
        loaded.set()
        for thread in asking:
            thread.join()
        """)
