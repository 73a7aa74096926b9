# SPDX-License-Identifier: Apache-2.0
"""load_library: how a library is found, what is refused, what loading again means."""

from __future__ import annotations

import copy
import ctypes
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from errors import raises

import tain
from tain import _core, libinfo

# A library for each test that needs one: keys under a namespace of its own.
SOURCE = """
struct ThingObj : tain::Object {{
  int64_t n = {value};
  TAIN_OBJECT("{namespace}.Thing", ThingObj, tain::Object);
}};
TAIN_REGISTER {{
  tain::reflection::ObjectDef<ThingObj>().def_ro("n", &ThingObj::n).def_init<>();
  tain::reflection::GlobalDef().def("{namespace}.f", [] {{ return {value}; }});
}}
"""


def build(namespace: str, value: int = 1, **options) -> str:
    return build_source(namespace, SOURCE.format(namespace=namespace, value=value), **options)


def build_source(name: str, source: str, **options) -> str:
    return tain.cpp.build_inline(name, cpp_sources=source, **options)


def library_file(name: str) -> str:
    return {"win32": f"{name}.dll", "darwin": f"lib{name}.dylib"}.get(sys.platform, f"lib{name}.so")


@pytest.fixture(scope="module")
def library() -> str:
    return build("loaded")


def test_a_path_of_any_kind(library: str, monkeypatch) -> None:
    expected = tain.Library(library, ("loaded.Thing",), ("loaded.f",), ())
    assert tain.load_library(library) == expected
    assert tain.load_library(Path(library)) == expected
    assert tain.load_library(os.fsencode(library)) == expected
    assert tain.load_library(expected) == expected
    monkeypatch.chdir(Path(library).parent)
    assert tain.load_library(Path(library).name) == expected
    assert tain.load_library(os.path.join(os.curdir, Path(library).name)) == expected
    assert tain.types.loaded.Thing().n == tain.get_global_func("loaded.f")() == 1


def test_what_a_library_registered(tmp_path: Path) -> None:
    source = """
        enum class Kind { kOne };
        TAIN_REGISTER {
          tain::reflection::EnumDef<Kind>("whole.Kind").value("ONE", Kind::kOne);
          tain::reflection::GlobalDef().def("whole.g", [](int x) { return x; })
                                       .def("whole.g", [](const std::string& x) { return x; });
        }
    """
    path = build_source("whole", SOURCE.format(namespace="whole", value=1) + source)
    library = tain.load_library(path)
    assert library.path == str(library) == os.fspath(library) == path
    assert library.types == ("whole.Thing",)
    assert library.functions == ("whole.f", "whole.g")
    assert library.enums == ("whole.Kind",)
    assert repr(library) == (
        f"tain.Library(path={path!r}, types=('whole.Thing',), functions=('whole.f', 'whole.g'), "
        "enums=('whole.Kind',), errors=(), skipped=(), constants=())"
    )
    assert Path(library).is_file()
    link = tmp_path / "link.so"
    link.symlink_to(path)
    assert tain.load_library(link) == library
    for same in (copy.copy(library), pickle.loads(pickle.dumps(library))):
        assert (same, hash(same)) == (library, hash(library))
    assert library != path
    for act in (lambda: setattr(library, "path", "x"), lambda: delattr(library, "path")):
        with raises(AttributeError, "tain.Library: path is read-only"):
            act()


def test_what_was_replaced_or_removed_is_not_listed(tmp_path: Path) -> None:
    def load(value: int, extra: str = "") -> tain.Library:
        source = SOURCE.format(namespace="anew", value=value) + extra
        return tain.load_library(build_source("anew", source, build_directory=tmp_path))

    extra = 'TAIN_REGISTER { tain::reflection::GlobalDef().def("anew.extra", [] {}); }'
    old = load(1, extra)
    assert (old.types, old.functions) == (("anew.Thing",), ("anew.extra", "anew.f"))
    new = load(2)
    assert new == tain.Library(old.path, ("anew.Thing",), ("anew.f",), ())
    tain.remove_global_func("anew.f")
    assert tain.load_library(new).functions == ()


def test_a_library_that_ctypes_loaded_is_described_too(run) -> None:
    path = build("by_ctypes")
    link = f"{path}.link.so"
    if not os.path.lexists(link):
        os.symlink(path, link)
    run(f"""
        import ctypes, tain
        ctypes.CDLL({link!r})
        expected = tain.Library({path!r}, ("by_ctypes.Thing",), ("by_ctypes.f",), ())
        assert tain.load_library({path!r}) == expected, tain.load_library({path!r})
        """)


def test_loading_a_file_twice_does_nothing(library: str) -> None:
    tain.load_library(library)
    before = tain.types.loaded.Thing
    generation = _core.registry_generation()
    tain.load_library(library)
    assert _core.registry_generation() == generation
    assert tain.types.loaded.Thing is before
    units = [unit for unit in _core.list_units() if unit[1] == "loaded"]
    assert units == [(library, "loaded", 1)]


def test_a_file_that_was_rebuilt_is_loaded_anew(tmp_path: Path) -> None:
    path = build("rebuilt", 1, build_directory=tmp_path)
    tain.load_library(path)
    old_class, old_function = tain.types.rebuilt.Thing, tain.get_global_func("rebuilt.f")
    old = old_class()
    assert build("rebuilt", 2, build_directory=tmp_path) == path
    tain.load_library(path)
    new_class = tain.types.rebuilt.Thing
    assert new_class is not old_class
    assert (new_class().n, tain.get_global_func("rebuilt.f")()) == (2, 2)
    assert type(old) is old_class
    assert (old.n, old_function()) == (1, 1)


NO_PATH = "load_library: argument path: expected a path (str, bytes or os.PathLike)"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("path", "error", "text"),
    [
        ("./nothing.so", FileNotFoundError, "there is no file ./nothing.so"),
        ("/", OSError, "/ is a folder, not a library"),
        ("", ValueError, "load_library: the path is empty"),
        (
            "a\0b/c.so",
            ValueError,
            "load_library: argument path: expected a path without NUL, got 'a\\x00b/c.so'",
        ),
        (5, TypeError, f"{NO_PATH}, got int (5)"),
        (None, TypeError, f"{NO_PATH}, got None"),
    ],
)
def test_what_is_no_path(path, error, text: str) -> None:
    with raises(error, text):
        tain.load_library(path)


@pytest.mark.bad_input
def test_what_is_no_library(tmp_path: Path) -> None:
    file = tmp_path / "text.so"
    file.write_text("not a library")
    with raises(ImportError, f"cannot load {file}: it is not a shared library"):
        tain.load_library(file)


@pytest.mark.bad_input
@pytest.mark.only_if(sys.platform == "linux", reason="ELF files")
@pytest.mark.parametrize(("place", "value"), [(4, 1), (5, 2), (18, 0xF3)])
def test_a_library_of_another_machine(tmp_path: Path, place: int, value: int) -> None:
    """The word size, the byte order and the instruction set stand in the header of the file."""
    content = bytearray(Path(libinfo.find_bundled("tain_testing")).read_bytes())
    content[place] = value
    file = tmp_path / "other.so"
    file.write_bytes(content)
    with raises(ImportError, f"cannot load {file}: it was built for another kind of machine"):
        tain.load_library(file)


@pytest.mark.bad_input
@pytest.mark.only_if(sys.platform == "linux", reason="ELF files")
def test_a_file_that_is_cut_short(run, tmp_path: Path) -> None:
    """The loader would map what is not there, and the process would end with SIGBUS."""
    whole = libinfo.find_bundled("tain_testing")
    size = os.path.getsize(whole)
    lengths = [0, 1, 15, 16, 63, 64, 100, 400, 832, 4096, 9000, *range(size // 9, size, size // 9)]
    printed = run(
        f"""
        import tain
        whole = open({str(whole)!r}, "rb").read()
        for length in {lengths}:
            file = {str(tmp_path)!r} + f"/{{length}}.so"
            open(file, "wb").write(whole[:length])
            try:
                tain.load_library(file)
            except ImportError as error:
                assert file in str(error), error
                print(error)
        """
    )
    found = re.search(
        r"cannot load .*/4096.so: it is not whole \(4096 bytes of at least (\d+)\)",
        printed,
    )
    assert found, printed
    # What follows the segments are the names of symbols, which nobody maps.
    assert len(printed.splitlines()) == sum(length < int(found[1]) for length in lengths)


@pytest.mark.only_if(sys.platform == "linux", reason="names of files are text elsewhere")
def test_a_path_that_is_no_utf8(run, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.so"
    shutil.copy(build("bytes_path"), path)
    run(
        f"""
        import os, tain
        assert os.fsencode(tain.load_library({path!r})) == {path!r}
        assert tain.types.bytes_path.Thing().n == 1
        """
    )


@pytest.mark.bad_input
def test_a_library_for_another_tain(tmp_path: Path) -> None:
    """The record that every library brings is compared; both versions and the fix are named."""
    source = """
        #include <tain/c_api_ext.h>
        static const TainUnit unit = {TAIN_LAYOUT_VERSION, 99, 0, 16, 24, "a compiler", "foreign"};
        __attribute__((constructor)) static void enter() {
          TainUnitEnter(&unit);
          TainUnitLeave(&unit);
        }
        """
    path = tain.cpp.build_inline("foreign", cpp_sources=source)
    major, minor = _core.abi_version()
    text = (
        f"{path} (foreign) cannot be used:\n"
        "  - it was compiled for tain's binary interface 99.0 (layout 5), but the installed tain "
        f"{tain.__version__} has {major}.{minor} (layout 5): rebuild the library against the "
        "installed tain"
    )
    with raises(ImportError, text):
        tain.load_library(path)


FAULTY = """
struct OneObj : tain::Object {
  int64_t n = 0;
  TAIN_OBJECT("faulty.One", OneObj, tain::Object);
};
struct TwoObj : tain::Object {
  TAIN_OBJECT("faulty.Two", TwoObj, tain::Object);
};
TAIN_REGISTER {
  using namespace tain::reflection;
  ObjectDef<OneObj>().def_ro("n", &OneObj::n).def_ro("n", &OneObj::n);
  ObjectDef<TwoObj>();
  GlobalDef().def("faulty.f", [] { return 1; }).def("faulty.f", [] { return 2; });
}
"""


FAULTS = """\
 (faulty) cannot be used, and what was registered with it is withdrawn (faulty.One, faulty.Two, \
faulty.f):
  - faulty.One.n: the name is already that of a field
  - faulty.f: an overload with the same parameters is registered already: f() -> int"""


@pytest.mark.bad_input
def test_a_load_is_all_or_nothing() -> None:
    path = tain.cpp.build_inline("faulty", cpp_sources=FAULTY)
    with raises(ImportError, path + FAULTS):
        tain.load_library(path)
    assert tain.type_keys("faulty.") == []
    assert tain.get_global_func("faulty.f", allow_missing=True) is None
    assert not hasattr(tain.types, "faulty")
    with raises(ImportError, path + FAULTS):  # again, and not: it is there already
        tain.load_library(path)


@pytest.mark.bad_input
def test_faults_of_a_library_that_ctypes_loaded(run) -> None:
    """They wait for the next look-up, which raises them once."""
    path = tain.cpp.build_inline("faulty", cpp_sources=FAULTY)
    for look in (
        "tain.types.testing",
        "from tain.types.testing import Point",
        "tain.get_global_func('testing.echo')",
        "tain.init_ffi_api('testing', '__main__')",
        f"tain.load_library({path!r})",
    ):
        run(f"""
            import ctypes
            import tain
            ctypes.CDLL({path!r})
            try:
                {look}
            except ImportError as error:
                assert str(error) == {path + FAULTS!r}, error
            else:
                raise AssertionError("nothing was raised")
            from tain.types.testing import Point
            assert not tain.type_keys("faulty.")
            """)


def test_a_good_library_that_ctypes_loaded(run, library: str) -> None:
    run(f"""
        import ctypes
        import tain
        ctypes.CDLL({library!r}, ctypes.RTLD_GLOBAL)
        assert tain.get_global_func("loaded.f")() == 1
        from tain.types.loaded import Thing
        assert Thing().n == 1
        """)


@pytest.fixture
def nowhere(monkeypatch, tmp_path: Path) -> Path:
    """Work in an empty folder, with no variable that names others."""
    monkeypatch.delenv("TAIN_LIBRARY_PATH", raising=False)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.delenv("TAIN_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder: Path, name: str = "wanted") -> str:
    """Make something that looks like a library."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / library_file(name)
    path.touch()
    return str(path)


CALLER = """
from tain import libinfo, load_library
def find(): return libinfo.find_lib_path("wanted")
def load(): return load_library("wanted")
"""


@pytest.fixture
def caller(tmp_path: Path, monkeypatch):
    """Import the module project/python/outer_package/inner.py, which searches for a library."""
    package = tmp_path / "project" / "python" / "outer_package"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "inner.py").write_text(CALLER)
    (tmp_path / "project" / "pyproject.toml").touch()
    monkeypatch.syspath_prepend(str(package.parent))
    yield __import__("outer_package.inner").inner
    for name in ("outer_package", "outer_package.inner"):
        del sys.modules[name]


def test_the_order_of_the_search(nowhere: Path, caller, monkeypatch) -> None:
    package = Path(caller.__file__).parent
    monkeypatch.setenv("TAIN_LIBRARY_PATH", os.pathsep.join([str(nowhere / "a"), ""]))
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{nowhere / 'b'}{os.pathsep}{nowhere / 'c'}")
    monkeypatch.setenv("PATH", f"{nowhere / 'd'}{os.pathsep}")
    home = nowhere / "home"
    monkeypatch.setenv("TAIN_HOME", str(home))
    project = nowhere / "project"
    order = [
        package,
        package / "lib",
        nowhere / "a",
        nowhere / "b",
        nowhere / "c",
        project / "build",
        project / "build" / "Release",
        nowhere / "build",
        nowhere / "build" / "Release",
        nowhere / "d",
        home,
        home / "lib",
        home / "build",
        home / "build" / "Release",
    ]
    for folder in reversed(order):
        expected = put(folder)
        assert caller.find() == expected
    assert libinfo.find_lib_path(library_file("wanted")) != put(package)  # not this package


def test_the_error_lists_what_was_tried(nowhere: Path, caller, monkeypatch) -> None:
    monkeypatch.setenv("TAIN_LIBRARY_PATH", str(nowhere / "a"))
    monkeypatch.setenv("PATH", str(nowhere / "b"))
    file = library_file("wanted")
    package = Path(caller.__file__).parent
    project = nowhere / "project"
    expected = f"there is no library 'wanted': expected {file} or wanted.so in one of" + "".join(
        f"\n  {folder}"
        for folder in (
            package,
            package / "lib",
            nowhere / "a",
            project / "build",
            project / "build" / "Release",
            nowhere / "build",
            nowhere / "build" / "Release",
            nowhere / "b",
        )
    )
    for search in (caller.find, caller.load):
        with raises(FileNotFoundError, expected):
            search()


def test_a_bare_name_is_loaded(nowhere: Path, library: str) -> None:
    (nowhere / "build").mkdir()
    copy = str(shutil.copy(library, nowhere / "build" / library_file("by_name")))
    tain.load_library("by_name")
    assert copy in {unit[0] for unit in _core.list_units()}


def test_the_parts_of_tain() -> None:
    assert Path(libinfo.include_dir(), "tain", "tain.h").is_file()
    assert Path(libinfo.compat_dir(), "tvm", "ffi", "tvm_ffi.h").is_file()
    assert Path(libinfo.cmake_dir(), "tainConfig.cmake").is_file()
    assert Path(libinfo.find_libtain()).parent == Path(libinfo.lib_dir())
    assert ctypes.CDLL(libinfo.find_libtain()).TainGetVersion
    assert f"-I{libinfo.include_dir()}" in libinfo.cxxflags()
    assert f"-L{libinfo.lib_dir()}" in libinfo.ldflags()


def test_a_compiler_and_the_options_are_enough(tmp_path: Path) -> None:
    """What a Makefile of five lines does."""
    (tmp_path / "made.cc").write_text(
        "#include <tain/tain.h>\n" + SOURCE.format(namespace="made", value=3)
    )
    library = tmp_path / library_file("made")
    config = [sys.executable, "-m", "tain", "config", "--cflags", "--libs"]
    flags = subprocess.run(config, capture_output=True, text=True, check=True).stdout.split()
    command = [os.environ.get("CXX", "c++"), str(tmp_path / "made.cc"), "-shared", *flags]
    subprocess.run([*command, "-o", str(library)], check=True)
    tain.load_library(library)
    assert tain.types.made.Thing().n == 3


@pytest.mark.bad_input
@pytest.mark.only_if(sys.platform != "win32", reason="dlclose is POSIX")
def test_functions_of_a_library_that_was_closed(run) -> None:
    """Whoever opened a library may close it: what it registered stays callable."""
    path = build("closed")
    code = f"""
        import _ctypes
        import ctypes
        import tain

        handle = ctypes.CDLL({path!r}, ctypes.RTLD_GLOBAL)._handle
        function = tain.get_global_func("closed.f")
        thing = tain.types.closed.Thing()
        for _ in range(3):
            _ctypes.dlclose(handle)
            assert (function(), tain.get_global_func("closed.f")(), thing.n) == (1, 1, 1)
            try:
                _ctypes.dlopen({path!r} + ".none")
            except OSError:
                pass
        tain.load_library({path!r})
        tain.remove_global_func("closed.f")
        print(function(), tain.types.closed.Thing().n)
    """
    assert run(code) == "1 1\n"


def test_cpp_loads_with_the_gil_while_a_load_calls_python(run) -> None:
    """The load holds the lock of all loads and waits for the GIL; the other one has the GIL."""
    slow = build_source(
        "slow_load", 'TAIN_REGISTER { tain::Function::GetGlobal("slow_load.wait").value()(); }'
    )
    other = build("other_load")
    printed = run(
        f"""
        import threading, time, tain
        begun = threading.Event()

        @tain.register_global_func("slow_load.wait")
        def wait():
            begun.set()
            time.sleep(0.3)  # releases the GIL, and needs it again

        thread = threading.Thread(target=tain.load_library, args=({slow!r},))
        thread.start()
        begun.wait()
        load = tain.get_global_func("ffi.ModuleLoadFromFile")
        module = tain.testing.apply(load, {other!r}, "so")  # called by C++, which has the GIL
        thread.join()
        print(module.kind, tain.types.other_load.Thing().n)
        """
    )
    assert printed == "library 1\n"


def test_a_static_initializer_finds_what_its_library_registers(run) -> None:
    """Registrations run after the loader, but not after a look-up of the library itself."""
    path = build_source(
        "early",
        """
        TAIN_REGISTER { tain::reflection::GlobalDef().def("early.one", [] { return 1; }); }
        const auto seen =
            tain::Function::GetGlobal("early.one").value()().cast<int64_t>();
        TAIN_REGISTER {
          tain::reflection::GlobalDef()
              .def("early.two", [] { return 2; })
              .def("early.seen", [] { return seen; });
        }
        """,
    )
    printed = run(
        f"""
        import tain
        tain.load_library({path!r})
        print(*(tain.get_global_func(f"early.{{name}}")() for name in ("seen", "one", "two")))
        """
    )
    assert printed == "1 1 2\n"
