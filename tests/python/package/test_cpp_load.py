# SPDX-License-Identifier: Apache-2.0
"""tain.cpp: what is compiled when, what errors show, what a change does at run time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from errors import raises

import tain
from tain.cpp import CompileError

ADD = "int64_t add_one(int64_t x) { return x + 1; }\nint64_t add_two(int64_t x) { return x + 2; }\n"


@pytest.fixture
def compilations(monkeypatch) -> list[list[str]]:
    """Record the command lines that are run."""
    from tain.cpp import _run

    commands: list[list[str]] = []
    start = _run.start

    def record(command: list[str]) -> subprocess.Popen[bytes]:
        commands.append(command)
        return start(command)

    monkeypatch.setattr(_run, "start", record)
    return commands


@pytest.mark.parametrize(
    ("functions", "names"),
    [
        ("add_one", ["add_one"]),
        (["add_one", "add_two"], ["add_one", "add_two"]),
        ({"add_two": 'Adds "2"; \\ ?\n\tüber'}, ["add_two"]),
        (None, []),
    ],
)
def test_functions_become_attributes(functions, names: list[str]) -> None:
    module = tain.cpp.load_inline(name="attributes", cpp_sources=ADD, functions=functions)
    assert isinstance(module, tain.Module)
    assert [name for name in ("add_one", "add_two") if hasattr(module, name)] == names
    assert [name for name in dir(module) if name.startswith("add_")] == names
    assert list(module.get_function_list()) == names
    assert repr(module) == f"<module {module.file}>"
    for name in names:
        assert isinstance(getattr(module, name), tain.Function)
        assert module[name](1) == module.get_function(name)(1) == getattr(module, name)(1)
    if isinstance(functions, dict):
        assert module.add_two.__doc__.endswith('Adds "2"; \\ ?\n\tüber')


def test_functions_with_the_names_of_other_things() -> None:
    names = ["get_function", "name", "class_", "_private"]
    source = "".join(f"int {name}() {{ return {i}; }}\n" for i, name in enumerate(names))
    module = tain.cpp.load_inline(name="named_alike", cpp_sources=source, functions=names)
    assert [module[name]() for name in names] == [0, 1, 2, 3]
    assert [getattr(module, name)() for name in names[1:]] == [1, 2, 3]
    assert module.get_function("get_function")() == 0  # a member of Module comes first


@pytest.mark.bad_input
def test_functions_that_are_not_there() -> None:
    module = tain.cpp.load_inline(name="attributes", cpp_sources=ADD, functions="add_one")
    text = "module of kind 'library' has no function 'add_two' (it has add_one)."
    assert module.get_function("add_two") is None
    with raises(AttributeError, text):
        _ = module.add_two
    with raises(AttributeError, text):
        module["add_two"]
    with raises(TypeError, "add_one: argument arg0: expected int, got str ('x')"):
        module.add_one("x")


def test_several_texts_are_one_source() -> None:
    module = tain.cpp.load_inline(
        "joined",
        cpp_sources=["static int base() { return 1; }", "int both() { return base() + 1; }"],
        functions="both",
    )
    assert module.both() == 2


POINT = """
struct PointObj : tain::Object {{
  {type} x = 0;
  TAIN_OBJECT("redefined.Point", PointObj, tain::Object);
}};
TAIN_REGISTER {{
  tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::x).def_init_fields();
}}
{type} twice({type} x) {{ return 2 * x; }}
{type} x_of(const PointObj& point) {{ return point.x; }}
{type} x_of_handle(tain::Optional<tain::Ref<PointObj>> point) {{ return (*point)->x; }}
{type} x_of_first(tain::Array<tain::Ref<PointObj>> points) {{ return points[0]->x; }}
"""


def load_point(kind: str) -> tuple[type, tain.Module]:
    source = POINT.format(type=kind)
    functions = ["twice", "x_of", "x_of_handle", "x_of_first"]
    module = tain.cpp.load_inline("redefined", cpp_sources=source, functions=functions)
    from tain.types.redefined import Point

    return Point, module


def test_a_changed_source_redefines_its_types() -> None:
    """The loop of a notebook: edit, load, go on; also back to what was there before."""
    first, first_module = load_point("int64_t")
    point = first(x=1)
    assert tain.types.redefined.Point is first
    second, second_module = load_point("double")
    assert second is not first
    assert second(x=0.5).x == second_module.twice(0.25) == 0.5
    assert type(point) is first
    with pytest.raises(TypeError):
        point.x = 0.5
    with pytest.raises(TypeError):
        first_module.twice(0.5)
    third, third_module = load_point("int64_t")
    assert third not in (first, second)
    assert third(x=3).x == third_module.twice(1) + 1
    assert tain.types.redefined.Point is third
    again, _ = load_point("int64_t")
    assert again is third


@pytest.mark.bad_input
def test_an_object_of_another_build_is_told_apart_by_its_build() -> None:
    old, old_module = load_point("int32_t")
    new, new_module = load_point("float")
    builds = [tain.type_info(cls).build for cls in (old, new)]
    names = [f"redefined.Point (build {build})" for build in builds]
    assert old_module.x_of(old(x=3)) == 3
    for module, given, (want, got) in (
        (new_module, old(x=1), reversed(names)),
        (old_module, new(x=1), names),
    ):
        for name in ("x_of", "x_of_handle", "x_of_first"):
            with pytest.raises(TypeError) as caught:
                module[name]([given] if name == "x_of_first" else given)
            text = str(caught.value).replace(" | None", "")
            assert text.startswith(f"{name}: argument ")
            assert text.endswith(f": expected {want}, got {got}")


def test_a_second_load_compiles_nothing(compilations, run) -> None:
    source = "int once() { return 1; }"
    tain.cpp.load_inline("once", cpp_sources=source, functions="once")
    assert len(compilations) == 2  # compiled and linked
    tain.cpp.load_inline("once", cpp_sources=source, functions="once")
    assert len(compilations) == 2
    # Nor in another process, nor are the slow imports done there.
    run(f"""
        import sys
        import tain.cpp
        from tain.cpp import _run
        _run.start = None
        module = tain.cpp.load_inline("once", cpp_sources={source!r}, functions="once")
        assert module.once() == 1
        assert "filelock" not in sys.modules
        """)


@pytest.mark.parametrize(
    "change",
    [
        {"cpp_sources": "int f() { return 2; }"},
        {"extra_cflags": ["-DSOMETHING"]},
        {"extra_ldflags": ["-Wl,-O1"]},
        {"extra_include_paths": ["."]},
        {"functions": "f"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_makes_another_library(change, tmp_path: Path) -> None:
    def path(**options) -> str:
        return tain.cpp.build_inline("keyed", **{"cpp_sources": "int f() { return 1; }"} | options)

    assert path() == path()
    assert path(**change) != path()


def test_a_changed_header_is_seen(tmp_path: Path, compilations) -> None:
    header = tmp_path / "with blank $ # dir" / "value.h"
    header.parent.mkdir()
    source = tmp_path / "source.cc"
    source.write_text(
        '#include <tain/tain.h>\n#include "value.h"\n'
        'TAIN_REGISTER { tain::reflection::GlobalDef().def("header.value", [] { return VALUE; }); }'
    )
    for value, commands in ((1, 2), (1, 2), (2, 4)):
        header.write_text(f"#define VALUE {value}\n")
        tain.cpp.load("header", sources=source, extra_include_paths=[header.parent])
        assert tain.get_global_func("header.value")() == value
        assert len(compilations) == commands


@pytest.mark.parametrize("way", ["-isystem", "-idirafter", "CPLUS_INCLUDE_PATH"])
def test_a_changed_header_of_a_system_folder_is_seen(tmp_path: Path, monkeypatch, way) -> None:
    source = '#include "system_value.h"\nint value() { return SYSTEM_VALUE; }'
    if way.isupper():
        monkeypatch.setenv(way, str(tmp_path))
    options = [] if way.isupper() else [way, str(tmp_path)]
    for value in (1, 2):
        (tmp_path / "system_value.h").write_text(f"#define SYSTEM_VALUE {value}\n")
        module = tain.cpp.load_inline(
            "of_system", cpp_sources=source, functions="value", extra_cflags=options
        )
        assert module.value() == value


def test_a_changed_archive_is_seen(tmp_path: Path) -> None:
    for value in (1, 2):
        (tmp_path / "part.c").write_text(f"int part(void) {{ return {value}; }}\n")
        for command in ("cc -fPIC -c part.c", "ar rcs libpart.a part.o"):
            subprocess.run(command.split(), cwd=tmp_path, check=True)
        module = tain.cpp.load_inline(
            "of_archive",
            cpp_sources='extern "C" int part();\nint value() { return part(); }',
            functions="value",
            extra_ldflags=[f"-L{tmp_path}", "-lpart"],
        )
        assert module.value() == value


def test_several_files(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a.cc").write_text("int value() { return 5; }\n")
    (tmp_path / "b.cc").write_text(
        "#include <tain/tain.h>\nint value();\n"
        'TAIN_REGISTER { tain::reflection::GlobalDef().def("files.value", value); }\n'
    )
    monkeypatch.chdir(tmp_path)
    module = tain.cpp.load(name="files", sources=["a.cc", Path("b.cc")])
    assert tain.get_global_func("files.value")() == 5
    assert [name for name in dir(module) if name == "value"] == ["value"]
    assert not module.get_function_list()
    assert tain.load_library(tain.cpp.build("files", sources=["a.cc", "b.cc"])).path == module.file


def test_a_build_directory(tmp_path: Path, compilations) -> None:
    folder = tmp_path / "out"
    for source in ("int f() { return 1; }", "int f() { return 1; }", "int f() { return 2; }"):
        path = tain.cpp.build_inline("placed", cpp_sources=source, build_directory=folder)
        assert Path(path).parent == folder
    assert len(compilations) == 4
    names = {"libplaced.so", "placed.json", "placed.build"}
    assert {file.name for file in folder.iterdir()} == names
    record = json.loads((folder / "placed.json").read_text())
    (folder / "placed.json").write_text("[")
    assert tain.cpp.build_inline("placed", cpp_sources=source, build_directory=folder) == path
    assert json.loads((folder / "placed.json").read_text()) == record


@pytest.mark.bad_input
def test_an_error_has_the_command_and_the_whole_output() -> None:
    source = "int fine() { return 1; }\nint broken() { return undeclared_name; }\n"
    with pytest.raises(CompileError) as caught:
        tain.cpp.load_inline(name="broken", cpp_sources=source, functions="fine")
    error = caught.value
    assert isinstance(error, RuntimeError)
    text = str(error)
    first, _, rest = text.partition("\n")
    output = error.output.rstrip("\n")
    assert rest.startswith(f"tain.cpp: cannot build 'broken'\n$ {error.command}\n{output}")
    assert rest.endswith(first)
    # The traceback ends at the line of the user.
    names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
    assert names[0] == "test_an_error_has_the_command_and_the_whole_output"
    assert names[1:] == ([] if sys.version_info >= (3, 11) else ["call"])
    assert "-std=c++20" in error.command
    # The line of the text that was given.
    assert first.startswith("<inline>:2:23: error: ")
    assert "undeclared_name" in first
    assert first in error.output


@pytest.mark.bad_input
def test_an_error_of_the_linker_comes_first() -> None:
    with pytest.raises(CompileError) as caught:
        tain.cpp.load_inline(
            "unlinked", cpp_sources="int gone(int); int f() { return gone(3); }", functions="f"
        )
    assert "undefined reference to `gone(int)'" in str(caught.value).splitlines()[0]


@pytest.mark.bad_input
def test_a_type_that_cannot_cross() -> None:
    with pytest.raises(CompileError, match="whose parameters and result are types that Python"):
        tain.cpp.load_inline(
            "uncrossing", cpp_sources="struct Q {}; Q f(Q q) { return q; }", functions="f"
        )


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("source", "functions", "text"),
    [
        ("int f() { return 1; }", "missing", "functions:1:"),
        ("int missing(); int f() { return missing(); }", "f", "missing"),
        ("#include <no/such/header.h>", None, "no/such/header.h"),
    ],
)
def test_other_errors_of_the_compiler(source: str, functions, text: str) -> None:
    with pytest.raises(CompileError, match=text):
        tain.cpp.load_inline(name="broken", cpp_sources=source, functions=functions)


@pytest.mark.bad_input
def test_faulty_registrations_are_an_import_error() -> None:
    source = """TAIN_REGISTER {
        tain::reflection::GlobalDef().def("faulty_cpp.f", [] {}).def("faulty_cpp.f", [] {});
    }"""
    text = (
        " (faulty_cpp) cannot be used, and what was registered with it is withdrawn (faulty_cpp.f):"
        "\n  - faulty_cpp.f: an overload with the same parameters is registered already: f() "
        "-> None"
    )
    for _ in range(2):
        with pytest.raises(ImportError) as caught:
            tain.cpp.load_inline("faulty_cpp", cpp_sources=source)
        file = Path(str(caught.value).removesuffix(text))
        assert file.name == "libfaulty_cpp.so"
        assert file.is_relative_to(os.environ["TAIN_CACHE_DIR"])


NO_NAME = "name: expected an identifier of ASCII letters, digits and _"
TEXTS = "expected a text or a sequence of texts"
A_PATH = "expected a path (str, bytes or os.PathLike)"
OPTIONS = "expected a sequence of options of the compiler"
NO_FUNCTION = "functions: expected names of C++ functions"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        *(
            ({"name": name}, ValueError, f"{NO_NAME}, got {name!r}")
            for name in (
                "a b",
                "../up",
                "",
                "7up",
                "a-b",
                "a.b",
                "größe",
                "a\n",
                "a\0",
                "$(x)",
                "٣",
            )
        ),
        ({"name": 5}, TypeError, "name: expected str, got int (5)"),
        ({"name": b"x"}, TypeError, "name: expected str, got bytes (b'x')"),
        ({"name": "a" * 201}, ValueError, "name: expected at most 200 characters, got 201"),
        ({"functions": "a::b"}, ValueError, f"{NO_FUNCTION}, got 'a::b'"),
        ({"functions": ["f", "g()"]}, ValueError, f"{NO_FUNCTION}, got 'g()'"),
        ({"cpp_sources": 5}, TypeError, f"cpp_sources: {TEXTS}, got int (5)"),
        ({"cpp_sources": [5]}, TypeError, f"cpp_sources: {TEXTS}, got int (5)"),
        ({"c_sources": b"x"}, TypeError, f"c_sources: {TEXTS}, got bytes (b'x')"),
        ({"cuda_sources": 5}, TypeError, f"cuda_sources: {TEXTS}, got int (5)"),
        (
            {"functions": 5},
            TypeError,
            "functions: expected the names of C++ functions, got int (5)",
        ),
        (
            {"functions": b"f"},
            TypeError,
            "functions: expected the names of C++ functions, got bytes (b'f')",
        ),
        ({"functions": ["f", 5]}, TypeError, "functions: expected str, got int (5)"),
        ({"functions": {5: ""}}, TypeError, "functions: expected str, got int (5)"),
        ({"functions": {"f": None}}, TypeError, "functions['f']: expected str, got None"),
        ({"build_directory": 5}, TypeError, f"build_directory: {A_PATH}, got int (5)"),
        (
            {"build_directory": "a\0"},
            ValueError,
            "build_directory: expected a path without NUL, got 'a\\x00'",
        ),
        (
            {"extra_include_paths": None},
            TypeError,
            "extra_include_paths: expected a sequence of paths, got None",
        ),
        ({"extra_include_paths": [5]}, TypeError, f"extra_include_paths: {A_PATH}, got int (5)"),
        (
            {"cpp_sources": None},
            ValueError,
            "expected cpp_sources, c_sources or cuda_sources, got none of them",
        ),
        (
            {"cpp_sources": None, "c_sources": "", "functions": "f"},
            ValueError,
            "functions: expected functions of C++ or CUDA, got only c_sources",
        ),
        ({"extra_cflags": "-O3"}, TypeError, f"extra_cflags: {OPTIONS}, got str ('-O3')"),
        (
            {"extra_cflags": [3]},
            TypeError,
            "extra_cflags: expected options of the compiler, got int (3)",
        ),
        (
            {"extra_ldflags": ["\0"]},
            TypeError,
            "extra_ldflags: expected options of the compiler, got str ('\\x00')",
        ),
        ({"timeout": 0}, ValueError, "timeout: expected a number of seconds above 0, got 0"),
        (
            {"timeout": float("nan")},
            ValueError,
            "timeout: expected a number of seconds above 0, got nan",
        ),
        (
            {"timeout": "5"},
            TypeError,
            "timeout: expected a number of seconds or None, got str ('5')",
        ),
    ],
)
def test_wrong_arguments(options, error, text: str) -> None:
    with raises(error, text):
        tain.cpp.load_inline(**{"name": "wrong", "cpp_sources": "int f() { return 1; }"} | options)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"sources": None}, TypeError, "sources: expected a sequence of paths, got None"),
        ({"sources": 5}, TypeError, "sources: expected a sequence of paths, got int (5)"),
        ({"sources": ["a.cc", 5]}, TypeError, f"sources: {A_PATH}, got int (5)"),
        (
            {"sources": "a\0.cc"},
            ValueError,
            "sources: expected a path without NUL, got 'a\\x00.cc'",
        ),
    ],
)
def test_wrong_paths(options, error, text: str) -> None:
    with raises(error, text):
        tain.cpp.load("wrong", **options)


@pytest.mark.bad_input
def test_sources_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.cc"):
        tain.cpp.load("missing", sources=[tmp_path / "nothing.cc"])
    for sources, text in (
        ([], "sources: expected at least one file, got none"),
        (["a.txt"], r"sources: expected files that end in .cc, .*, got '.*a\.txt'"),
        (["a.cc", "./a.cc"], r"sources: expected each file once, got '.*a\.cc' twice"),
    ):
        with pytest.raises(ValueError, match=text):
            tain.cpp.load("missing", sources=sources)


@pytest.mark.bad_input
def test_no_compiler(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -x")
    with raises(
        RuntimeError,
        "tain.cpp: cannot find the compiler 'no-such-compiler -x' that CXX names on "
        "PATH: install a C++20 compiler (on Debian: apt install g++), or set CXX to one",
    ):
        tain.cpp.load_inline("uncompiled", cpp_sources="")
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", str(tmp_path))
    with raises(
        RuntimeError,
        "tain.cpp: cannot find c++ or g++ or clang++ on PATH: install a C++20 compiler "
        "(on Debian: apt install g++), or set CXX to one",
    ):
        tain.cpp.load_inline("uncompiled", cpp_sources="")


def test_the_compiler_of_the_environment(monkeypatch, compilations) -> None:
    monkeypatch.setenv("CXX", "g++ -DCHOSEN=7")
    module = tain.cpp.load_inline("chosen", cpp_sources="int f() { return CHOSEN; }", functions="f")
    assert module.f() == 7
    assert [command[1] for command in compilations] == ["-DCHOSEN=7"] * 2


def test_many_processes_compile_once(tmp_path: Path) -> None:
    code = """
import tain
from tain.cpp import _run
start = _run.start
_run.start = lambda command: (print("ran"), start(command))[1]
module = tain.cpp.load_inline(
    "contended", cpp_sources="int f() { return 3; }", functions="f", build_directory="out"
)
assert module.f() == 3
"""
    command = [sys.executable, "-W", "error", "-c", code]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, env=os.environ)
        for _ in range(4)
    ]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert b"".join(outputs).count(b"ran") == 2


def test_what_a_source_registers_is_everywhere() -> None:
    tain.cpp.load_inline(
        "everywhere",
        cpp_sources="""
        enum class Kind { kA, kB };
        struct NodeObj : tain::Object {
          tain::Array<int64_t> values;
          TAIN_OBJECT("everywhere.Node", NodeObj, tain::Object);
        };
        TAIN_REGISTER {
          using namespace tain::reflection;
          EnumDef<Kind>("everywhere.Kind").value("A", Kind::kA).value("B", Kind::kB);
          ObjectDef<NodeObj>().def_rw("values", &NodeObj::values).def_init_fields();
          GlobalDef().def("everywhere.other", [](Kind k) { return k == Kind::kA ? Kind::kB : k; });
        }
        """,
    )
    from tain.types.everywhere import Kind, Node

    assert list(Node(values=[1, 2]).values) == [1, 2]
    assert tain.get_global_func("everywhere.other")(Kind.A) is Kind.B
    assert tain.type_keys("everywhere.") == ["everywhere.Kind", "everywhere.Node"]
