# SPDX-License-Identifier: Apache-2.0
"""The settings of `python -m tain describe`: patterns, keys, files, compile_commands.json."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tain.describe._settings import (
    Patterns,
    PropertyRule,
    Settings,
    SettingsError,
    flags_of_compile_commands,
    from_mapping,
    read,
)

HERE = Path("/nowhere")


def made(**data: object) -> Settings:
    return from_mapping(data, "d.toml", HERE)


# ---- patterns

MATCHES = [
    ("lib::f", "lib::f", True),
    ("lib::f", "lib::f(int)", True),
    ("lib::f", "lib::g", False),
    ("lib::f", "lib::ff", False),
    ("::lib::f", "lib::f", True),
    ("lib::*", "lib::a::b", True),
    ("lib::*", "library::a", False),
    ("pugi::xml_*", "pugi::xml_node", True),
    ("*", "anything", True),
    ("*::operator<<", "lib::operator<<", True),
    ("*::operator<<", "lib::operator<<(int)", True),
    ("*::operator<<", "lib::operator<", False),
    ("*::operator()", "lib::A::operator()", True),
    ("*::operator()", "lib::A::operator()(int) const", True),
    ("lib::A::operator()(int)", "lib::A::operator()(int) const", True),
    ("lib::A::operator()(int)", "lib::A::operator()", False),
    ("lib::f(int, double)", "lib::f(int,double)", True),
    ("lib::f( int ,double )", "lib::f(int, double)", True),
    ("lib::f(int, double)", "lib::f(int)", False),
    ("lib::f(int, double)", "lib::f", False),
    ("lib::f(unsigned  int)", "lib::f(unsigned int)", True),
    ("lib::f(unsignedint)", "lib::f(unsigned int)", False),
    ("lib::f(const T &)", "lib::f(const T&)", True),
    ("lib::f()", "lib::f() const", True),
    ("lib::f() const", "lib::f() const", True),
    ("lib::f() const", "lib::f()", False),
    ("lib::f(*)", "lib::f(int, double)", True),
    ("lib::f(*)", "lib::f()", True),
    ("lib::f(int, *)", "lib::f(int, A::B)", True),
    ("lib::f(const lib::*)", "lib::f(const lib::A &)", True),
    ("lib::f(const char *)", "lib::f(const char*)", True),
    ("lib::f(const char *)", "lib::f(const char*, int)", False),
    ("lib::f(T)", "lib::f(T*)", False),
    ("*(int)", "lib::A::f(int)", True),
    ("lib::A<int, 3>", "lib::A<int,3>", True),
    ("lib::A<void (int)>::f", "lib::A<void(int)>::f(int)", True),
    ("lib::a[b]", "lib::ab", False),
    ("lib::a[b]", "lib::a[b]", True),
    ("lib::a?", "lib::ab", False),
    ("a*b*c", "aXbYc", True),
    ("a*a", "a", False),
    ("a*a", "aa", True),
    ("*ab*ab", "ab", False),
    ("*ab*ab", "xabab", True),
    ("(anonymous namespace)::f", "(anonymous namespace)::f(int)", True),
]


@pytest.mark.parametrize(("pattern", "name", "expected"), MATCHES)
def test_what_a_pattern_matches(pattern: str, name: str, expected: bool) -> None:
    patterns = Patterns([(pattern, True)])
    assert (patterns.get(name) is True) == expected
    assert patterns.unused() == ([] if expected else [pattern])


def test_the_first_pattern_wins_and_all_that_match_are_used() -> None:
    patterns = Patterns({"lib::f(int)": 1, "lib::*": 2, "lib::f": 3, "x": 4})
    assert patterns.get("lib::f", "lib::f(int)") == 1
    assert patterns.unused() == ["x"]
    assert patterns.get("lib::f(double)", "lib::f") == 2
    assert patterns.get("other") is None
    assert patterns and not Patterns[bool]() and len(patterns) == 4
    assert list(patterns.items())[-1] == ("x", 4)


def test_a_false_value_is_found() -> None:
    assert Patterns({"a": 0, "*": 1}).get("a") == 0


def test_many_wildcards_take_no_long_time() -> None:
    begin = time.perf_counter()
    assert Patterns({"*a" * 200 + "b": 1}).get("a" * 5000) is None
    assert time.perf_counter() - begin < 2


@given(st.text(alphabet="ab*:()<>& ,constoperator~[]", max_size=30), st.text(max_size=30))
def test_no_text_is_an_error_for_patterns(pattern: str, name: str) -> None:
    patterns = Patterns({pattern: 1})
    patterns.get(name, pattern)
    plain = pattern.replace("*", "")
    assert Patterns({plain: 1}).get(plain) == 1 or not plain.strip()


def test_renames() -> None:
    settings = made(rename={"pugi::xml_*": "*", "pugi::xml_node::child": "get_x"})
    assert settings.rename.get("pugi::xml_node") == "node"
    assert settings.rename.get("pugi::xml_node::child") == "get_x"  # `*` is one name
    assert settings.rename.get("pugi::xml_") is None
    assert made(rename={"lib::get*": "read_*"}).rename.get("lib::getX(int)") == "read_X"


PROPERTIES = [
    ({"get*": "set*"}, "lib::A::getX", ("X", "setX")),
    ({"get*": "set*"}, "lib::A::getX() const", ("X", "setX")),
    ({"get*": "set*"}, "lib::A::get_x", ("x", "set_x")),
    ({"get_*": "set_*"}, "lib::A::get_x", ("x", "set_x")),
    ({"get*": "set*"}, "lib::A::get", None),
    ({"get*": "set*"}, "lib::A::getter", None),
    ({"is*": "set*"}, "lib::A::isOpen", ("Open", "setOpen")),
    ({"is*": "set*"}, "lib::A::isolate", None),
    ({"Get*": ""}, "b2Body::GetMass", ("Mass", None)),
    ({"lib::A::size": ""}, "lib::A::size", ("size", None)),
    ({"lib::A::size": ""}, "lib::B::size", None),
    ({"lib::A::size": "resize"}, "lib::A::size() const", ("size", "resize")),
    ({"size": ""}, "lib::B::size", ("size", None)),
    ({"lib::*::get*": "set*"}, "lib::getters::A::getX", ("X", "setX")),
    ({"lib::*::get*": "set*"}, "other::A::getX", None),
    ({"*Value": "set*"}, "lib::maxValue", ("max", "setmax")),
]


@pytest.mark.parametrize(("table", "name", "expected"), PROPERTIES)
def test_properties(
    table: dict[str, str], name: str, expected: tuple[str, str | None] | None
) -> None:
    settings = made(property=table)
    assert settings.property_of(name) == expected
    assert settings.unused() == (
        [] if expected else [f"property: no declaration matches '{next(iter(table))}'"]
    )


# ---- keys

ALL: dict[str, Any] = {
    "headers": ["a.h"],
    "include_dirs": ["include", "/usr/x"],
    "flags": ["-DA", "-DA"],
    "std": "gnu++23",
    "compiler": "g++-12",
    "compile_commands": "build/compile_commands.json",
    "namespaces": ["a::b", ""],
    "module": "a.b",
    "include": ["a::*"],
    "exclude": ["a::c"],
    "rename": {"a::f": "g"},
    "snake_case": True,
    "property": {"get*": "set*", "size": ""},
    "returns": {"a::f": "take", "a::g": "reference", "a::h": "copy"},
    "keep_alive": {"a::f": [[0, 1], [1, 2]], "a::g": [1, 2]},
    "no_keep_alive": ["a::x"],
    "release_gil": ["a::x"],
    "not_none": ["a::x"],
    "no_copy": ["a::x"],
    "thread_safe": ["a::x"],
    "iterable": ["a::x"],
    "not_iterable": ["a::y"],
    "overrides": ["a::Shape"],
    "exceptions": {"a::Error": "ValueError"},
    "instances": {"Eigen::Matrix<double, 4, 4>": "Matrix4d", "Y::as<std::string>": "as_str"},
    "members": {"a::A": '.def("f", &f)'},
    "functions": '.def("g", &g)',
    "preamble": "#include <a>",
    "macros": ["A_*"],
    "strict": True,
    "ordinary_comments": True,
    "outputs": {"A::q": "out"},
}


def test_every_key() -> None:
    settings = made(**ALL)
    assert set(ALL) == set(Settings.__dataclass_fields__)
    assert settings.headers == ("a.h",)
    assert settings.include_dirs == ("/nowhere/include", "/usr/x")
    assert settings.flags == ("-DA", "-DA")
    assert settings.compile_commands == HERE / "build/compile_commands.json"
    assert settings.namespaces == ("a::b", "")
    assert settings.property == (PropertyRule("get*", "set*"), PropertyRule("size", None))
    assert settings.returns.get("a::f") == "take"
    assert settings.keep_alive.get("a::f") == ((0, 1), (1, 2))
    assert settings.keep_alive.get("a::g") == ((1, 2),)
    assert settings.instances == ALL["instances"] and settings.members == ALL["members"]
    assert settings.overridable("a::Shape") and not settings.overridable("a::Other")
    assert settings.include == Patterns({"a::*": True}) and settings.strict


def test_defaults() -> None:
    settings = made()
    assert settings == Settings()
    assert (settings.std, settings.compiler, settings.module) == ("c++20", "", "")
    assert settings.overridable("a") and not made(overrides=False).overridable("a")
    assert settings.unused() == [] and settings.complaints(["a"]) == []


ERRORS: list[tuple[dict[str, object], str]] = [
    ({"retruns": {}}, "unknown key 'retruns' (did you mean 'returns'?)"),
    ({"keep-alive": {}}, "unknown key 'keep-alive' (did you mean 'keep_alive'?)"),
    ({"qqq": 1}, "unknown key 'qqq'"),
    ({"strict": "yes"}, "strict: expected true or false, got 'yes'"),
    ({"std": 20}, "std: expected a standard such as 'c++20', got 20: write 'c++20'"),
    ({"std": "c20"}, "std: expected a standard such as 'c++20', got 'c20': write 'c++20'"),
    ({"headers": "a.h"}, "headers: expected an array of strings, got 'a.h': write [\"a.h\"]"),
    ({"headers": [1]}, "headers: expected an array of strings that are not empty, got 1"),
    ({"headers": ["a", "a"]}, "headers: 'a' is there twice: leave one out"),
    (
        {"include": ["f(int, int)", "f(int,int)"]},
        "include: 'f(int,int)' is there twice, also as 'f(int, int)': leave one out",
    ),
    (
        {"rename": {"f(a, b)": "x", "f(a,b)": "y"}},
        "rename: 'f(a,b)' is there twice, also as 'f(a, b)': leave one out",
    ),
    ({"include": ["a"], "exclude": ["a"]}, "include: 'a' is in exclude too: leave one out"),
    ({"include": [" "]}, "include: expected an array of strings that are not empty, got ' '"),
    ({"include": ["a.b"]}, "include: 'a.b' is no C++ name: write 'a::b'"),
    ({"include": ["f(int"]}, "include: 'f(int' has a parenthesis without its partner"),
    (
        {"release_gil": True},
        'release_gil: expected an array of patterns, got true: write ["*"] for all',
    ),
    ({"macros": False}, "macros: expected an array of patterns, got false: leave the key out"),
    ({"overrides": 1}, "overrides: expected an array of strings, got 1"),
    (
        {"namespaces": ["a.b"]},
        "namespaces: expected the name of a namespace, got 'a.b': write 'a::b'",
    ),
    ({"namespaces": "a"}, "namespaces: expected an array of strings, got 'a': write [\"a\"]"),
    ({"module": "a::b"}, "module: expected the name of a Python module, got 'a::b': write 'a.b'"),
    ({"rename": ["a"]}, 'rename: expected a table, as in "lib::f" = "g", got an array'),
    ({"rename": {"a": 1}}, "rename: 'a': expected a string, got 1"),
    ({"rename": {"a": "b c"}}, "rename: 'a': expected a name in Python, got 'b c'"),
    ({"rename": {"a": "b*"}}, "rename: 'a': 'b*' needs one '*', and the pattern too"),
    ({"rename": {"*::a*": "*"}}, "rename: '*::a*': '*' needs one '*', and the pattern too"),
    (
        {"returns": {"a": "coppy"}},
        "returns: 'a': expected 'reference', 'copy' or 'take', got 'coppy' (did you mean 'copy'?)",
    ),
    (
        {"keep_alive": {"a": [[0, 0]]}},
        "keep_alive: 'a': expected pairs of indices such as [[0, 1]], got [[0, 0]]",
    ),
    (
        {"keep_alive": {"a": [True, 2]}},
        "keep_alive: 'a': expected pairs of indices such as [[0, 1]], got [True, 2]",
    ),
    (
        {"exceptions": {"a": "Value Error"}},
        "exceptions: 'a': expected an exception of Python, got 'Value Error'",
    ),
    ({"instances": {"a::A": "A"}}, "instances: 'a::A' has no arguments: write 'a::A<int>' or such"),
    ({"instances": {"A<int>": "a b"}}, "instances: 'A<int>': expected a name in Python, got 'a b'"),
    (
        {"property": ["get*"]},
        'property: expected a table, as in { "get*" = "set*", "lib::A::size" = "" }, got an array',
    ),
    ({"property": {"size": "set*"}}, "property: 'size': 'set*' needs one '*', and the pattern too"),
    ({"property": {"size": "a b"}}, "property: 'size': expected the name of a setter, got 'a b'"),
]


@pytest.mark.parametrize(("data", "text"), ERRORS)
def test_errors(data: dict[str, object], text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        made(**data)
    assert str(caught.value) == f"d.toml: {text}"


def test_complaints_name_what_is_near() -> None:
    settings = made(
        rename={"pugi::xml_nod": "n"},
        returns={"xml_node": "copy", "pugi::xml_node::f(int)": "copy"},
        include=["zzz"],
        property={"gte*": ""},
    )
    names = ["pugi::xml_node", "pugi::xml_node::f", "pugi::xml_node::f(double)", "pugi::other"]
    assert settings.complaints(names) == [
        "include: no declaration matches 'zzz'",
        "rename: no declaration matches 'pugi::xml_nod' (near: pugi::xml_node)",
        "returns: no declaration matches 'xml_node' (near: pugi::xml_node)",
        "returns: no declaration matches 'pugi::xml_node::f(int)' (near: pugi::xml_node::f(double),"
        " pugi::xml_node::f)",
        "property: no declaration matches 'gte*'",
    ]
    assert [message.partition(" (")[0] for message in settings.complaints(names)] == (
        settings.unused()
    )


# ---- files


def test_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.h").touch()
    (tmp_path / "build").mkdir()
    file = tmp_path / "describe.toml"
    file.write_text(
        'headers = ["a.h", "pugixml.hpp"]\ninclude_dirs = ["inc"]\ncompile_commands = "build"\n'
        'strict = true\n[rename]\n"lib::f" = "größe"\n',
        encoding="utf-8",
    )
    settings = read(file, overrides={})
    assert settings.headers == (str(tmp_path / "a.h"), "pugixml.hpp")
    assert settings.include_dirs == (str(tmp_path / "inc"),)
    assert settings.compile_commands == tmp_path / "build" / "compile_commands.json"
    assert settings.rename.get("lib::f") == "größe"
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    given = {"include_dirs": ["inc"], "strict": False, "module": None, "namespaces": ["a"]}
    settings = read("../describe.toml", overrides=given)
    assert settings.include_dirs == (str(other / "inc"),)  # relative to the current folder
    assert not settings.strict and settings.namespaces == ("a",)
    assert settings.compile_commands is not None and settings.compile_commands.parent.is_dir()
    with pytest.raises(SettingsError) as caught:
        read(file, overrides={"std": "x"})
    assert str(caught.value) == (
        "the command line: std: expected a standard such as 'c++20', got 'x'"
    )


def test_a_table_of_pyproject(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nname = "a"\n[tool.tain.describe]\nnamespaces = ["lib"]\n')
    assert read(file).namespaces == ("lib",)
    file.write_text("[tool.tain.describe]\nnamspaces = []\n")
    text = "[tool.tain.describe]: unknown key 'namspaces' (did you mean 'namespaces'?)"
    with pytest.raises(SettingsError) as caught:
        read(file)
    assert str(caught.value) == f"{file}: {text}"


FILES = [
    (
        "pyproject.toml",
        b"[tool.tain.descibe]\n",
        "no table [tool.tain.describe] (did you mean 'descibe'?)",
    ),
    ("pyproject.toml", b"[project]\n", "no table [tool.tain.describe]"),
    ("pyproject.toml", b"tool = 1\n", "no table [tool.tain.describe]"),
    ("d.toml", b"[tool.tain.describe]\n", "the keys stand at the top of this file"),
    ("d.toml", b"a = 1\nb = \n", "line 2"),
    ("d.toml", b"a = 1\na = 2\n", "line 2"),
    ("d.toml", b"a = '\xff'\n", "utf-8"),
    ("d.toml", b"x = " + b"[" * 5000, "d.toml: "),
]


@pytest.mark.parametrize(("name", "content", "part"), FILES)
def test_files_that_are_wrong(tmp_path: Path, name: str, content: bytes, part: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}: ") and part in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        read(tmp_path / "none.toml")
    assert str(caught.value) == f"{tmp_path / 'none.toml'}: No such file or directory"
    with pytest.raises(SettingsError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{tmp_path}: Is a directory"


# ---- compile_commands.json


def database(folder: Path, *entries: dict[str, object]) -> Path:
    file = folder / "compile_commands.json"
    file.write_text(json.dumps(entries))
    return file


def test_flags_of_compile_commands(tmp_path: Path) -> None:
    (tmp_path / "pre.h").touch()
    (tmp_path / "inc.rsp").write_text('-I"from rsp"')
    file = database(
        tmp_path,
        {
            "directory": str(tmp_path),
            "file": "a.cc",
            "command": 'c++ -Iinc -I ../up -isystem /sys -DA=\\"x\\" -D B -UC -std=c++17 -O2 -Wall '
            "-include pre.h -include config.h -MF a.d @inc.rsp -o a.o -c a.cc",
        },
        {
            "directory": str(tmp_path),
            "file": "b.cc",
            "arguments": ["c++", "-Iinc", "-isystemrel", "-DA", "-std=gnu++2a", "b.cc"],
        },
        {"directory": str(tmp_path), "file": "c.c", "command": "cc -std=c11 -DONLY_C c.c"},
    )
    assert flags_of_compile_commands(file, None) == [
        "-std=gnu++2a",
        f"-I{tmp_path}/inc",
        f"-I{tmp_path.parent}/up",
        "-isystem",
        "/sys",
        '-DA="x"',
        "-DB",
        "-UC",
        "-include",
        f"{tmp_path}/pre.h",
        "-include",
        "config.h",
        f"-I{tmp_path}/from rsp",
        "-isystem",
        f"{tmp_path}/rel",
        "-DA",
    ]


def test_the_entries_of_a_header(tmp_path: Path) -> None:
    file = database(
        tmp_path,
        {"directory": str(tmp_path), "file": "a.cc", "command": "c++ -DA a.cc"},
        {"directory": str(tmp_path), "file": "a.h", "command": "c++ -DH a.h -D"},
    )
    assert flags_of_compile_commands(file, str(tmp_path / "a.h")) == ["-DH"]
    assert flags_of_compile_commands(file, str(tmp_path / "b.h")) == ["-DA", "-DH"]


DATABASES = [
    ("{", "line 1"),
    ("{}", "expected a compilation database: an array of entries"),
    ("[1]", "entry 0: expected a table with 'file'"),
    ('[{"file": "a"}]', "entry 0: expected 'command' or 'arguments'"),
    ('[{"file": "a.cc", "command": "c++ \'"}]', "a.cc: No closing quotation"),
]


@pytest.mark.parametrize(("content", "part"), DATABASES)
def test_databases_that_are_wrong(tmp_path: Path, content: str, part: str) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_text(content)
    with pytest.raises(SettingsError) as caught:
        flags_of_compile_commands(file, None)
    assert str(caught.value).startswith(f"{file}: ") and part in str(caught.value)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        flags_of_compile_commands(tmp_path / "x.json", None)
    assert str(caught.value) == f"{tmp_path}/x.json: No such file or directory"
