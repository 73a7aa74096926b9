# SPDX-License-Identifier: Apache-2.0
"""``python -m tain stubgen``: stubs of registered types and functions.

What a type checker makes of them is in tests/typing/test_stubs.py.
"""

from __future__ import annotations

import ast
import inspect
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import stub_files

import tain
from tain.stubgen import _classes, _files, _modules, namespace_stubs
from tain.stubgen._values import doc_lines


@pytest.fixture(scope="module")
def stubbed() -> dict[str, str]:
    return stub_files.stubbed()


# ---------------------------------------------------------------- texts


@pytest.mark.slow
@pytest.mark.parametrize("module", ["tain.types.stubbed", "tain.types.stubbed.Tree"])
def test_golden(stubbed: dict[str, str], module: str) -> None:
    """To accept a change: TAIN_ACCEPT=1 pytest tests/python/package/test_stubgen.py."""
    golden = stub_files.FOLDER / f"{module.removeprefix('tain.types.')}.pyi"
    if os.environ.get("TAIN_ACCEPT"):
        golden.write_text(stubbed[module], encoding="utf-8")
    assert stubbed[module] == golden.read_text(encoding="utf-8")


@pytest.mark.slow
def test_texts_are_deterministic(stubbed: dict[str, str]) -> None:
    assert namespace_stubs("stubbed") == stubbed
    assert list(stubbed) == ["tain.types.stubbed", "tain.types.stubbed.Tree"]


@pytest.mark.slow
def test_every_name_is_declared(stubbed: dict[str, str]) -> None:
    for module, text in stubbed.items():
        body = ast.parse(text).body
        declared = {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        # Nested classes are declared in the other one; `Leaf = Tree.Leaf` is their other name.
        targets = [
            target for node in body if isinstance(node, ast.Assign) for target in node.targets
        ]
        declared |= {t.id for t in targets if isinstance(t, ast.Name) and t.id[0] != "_"}
        assert declared == set(import_module(module).__all__)


DOCS = [
    "plain",
    'a "quoted" word',
    'ends in a "quote"',
    '"',
    '""""',
    '"""starts and ends"""',
    "a back\\slash\\",
    '\\"""\\',
    "äöü 中",
    "two\n\n    lines\n",
    "a bell \x07 rings\nbelow",
    "a\rreturn",
]


@pytest.mark.parametrize("doc", DOCS)
def test_documentation_is_kept(doc: str) -> None:
    code = "\n".join(["def f():", *doc_lines(doc, "    ")])
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function) == inspect.cleandoc(doc)


def test_documentation_that_is_no_text_can_be_written() -> None:
    (line,) = doc_lines("half \udcff", "")
    assert ast.literal_eval(line) == "half \udcff"
    line.encode()
    assert doc_lines("", "") == doc_lines(" \n", "") == doc_lines(None, "") == []


# ---------------------------------------------------------------- packages, the command


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = stub_files.make_package(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


@pytest.mark.slow
def test_a_package(package: Path) -> None:
    result = stub_files.stubgen(package, "stub_package")
    assert result.returncode == 0, result.stderr
    assert (package / "py.typed").read_text() == ""
    text = (package / "__init__.pyi").read_text()
    tree = ast.parse(text)
    assert '"""A package with Python code of its own."""' in text
    assert "LIMIT: int" in text and "return items[0]" not in text
    names = {n.name for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert {"Link", "Mood", "Own", "first"} <= names

    assert stub_files.stubgen(package, "stub_package", "--check").returncode == 0
    (package / "__init__.pyi").write_text(text.replace("class Link", "class Knot"))
    result = stub_files.stubgen(package, "stub_package", "--check")
    assert result.returncode == 1
    assert "-class Knot" in result.stdout and "+class Link" in result.stdout
    assert "class Knot" in (package / "__init__.pyi").read_text()  # --check writes nothing

    result = stub_files.stubgen(package, "stub_package", "--output", "out")
    assert result.returncode == 0
    assert (package.parent / "out" / "stub_package" / "__init__.pyi").read_text() == text


@pytest.mark.slow
def test_a_name_that_the_module_imports_too(package: Path) -> None:
    (package / "__init__.py").write_text(
        "import tain\n"
        "from tain.types.testing import Actor, Point\n"
        "from tain.types.testing import Blob as Bytes\n"
        "tain.init_ffi_api('testing', __name__)\n"
        "def nowhere() -> Point: ...\n"
    )
    result = stub_files.stubgen(package, "stub_package")
    assert result.returncode == 0, result.stderr
    stub = (package / "__init__.pyi").read_text()
    assert stub.count("class Point(") == 1 and stub.count("def nowhere() -> Point") == 1
    lines = stub.splitlines()
    assert not [line for line in lines if "import" in line and ("Point" in line or "Actor" in line)]
    assert "from tain.types.testing import Blob as Bytes" in lines


def test_types_of_a_package_that_has_a_stub_are_imported_from_it(package: Path) -> None:
    arguments = ("--import", "stub_package", "--types", "testing.save", "--output", "out")
    file = package.parent / "out" / "tain-stubs" / "types" / "testing" / "save" / "__init__.pyi"
    assert stub_files.stubgen(package, *arguments).returncode == 0
    assert "class Link(" in file.read_text()
    assert stub_files.stubgen(package, "stub_package").returncode == 0
    assert stub_files.stubgen(package, *arguments).returncode == 0
    assert "from stub_package import Link as Link" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_package"], "No module named 'no_such_package'"),
        (["json"], "json has no module that calls tain.init_ffi_api"),
        (["../x"], "expected the name of a module, such as 'geometry', got '../x'"),
        (["--types", "../x"], "expected the name of a namespace, such as 'geometry', got '../x'"),
        (["json", "--import", "../x"], "expected the name of a module, such as 'geometry', got"),
        (["--types", "no_such_namespace"], "No module named 'tain.types.no_such_namespace'"),
        (["--types", "testing", "--load", "./none.so"], "none.so"),
    ],
)
def test_errors_of_the_command(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from tain.__main__ import main

    assert main(["stubgen", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_check_reports_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tain.__main__ import main

    arguments = ["stubgen", "--types", "testing", "--output", str(tmp_path)]
    assert main([*arguments, "--check"]) == 1
    assert "+class Point(" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert main(arguments) == 0
    written = capsys.readouterr().out.split()
    assert str(tmp_path / "tain-stubs" / "types" / "testing" / "__init__.pyi") in written
    assert main([*arguments, "--check"]) == 0


def test_the_default_place_of_namespaces_is_the_installed_package() -> None:
    files = _files.files_of(["testing"], types=True)
    folder = Path(str(tain.__file__)).parent / "types"
    assert folder / "testing" / "__init__.pyi" in files


def test_a_module_without_a_file(run) -> None:
    run("""
        import sys, tain, types
        import tain.types.testing
        from tain.stubgen import _files
        from tain.stubgen import package_stubs
        module = sys.modules["stub_memory"] = types.ModuleType("stub_memory")
        tain.init_ffi_api("testing.graph", "stub_memory")
        assert "def " in package_stubs("stub_memory")["stub_memory"]
        try:
            _files.files_of(["stub_memory"])
        except ValueError as error:
            assert "the module stub_memory has no file: give the option" in str(error)
        else:
            raise AssertionError("no error")
    """)


def test_flags_without_a_name_are_defaults() -> None:
    import_module("enum_lib")
    lines = namespace_stubs("bounds")["tain.types.bounds"].splitlines()
    found = {line.split("(")[0][4:]: line for line in lines if line.startswith("def ")}
    assert found["open_file"] == "def open_file(how: Open | builtins.int = Open(0)) -> Open: ..."
    both = "def both(how: Open | builtins.int = Open.Read | Open.Write) -> Open: ..."
    assert found["both"] == both
    assert found["beyond"] == "def beyond(how: Open | builtins.int = Open(65)) -> Open: ..."
    assert f"    Owner = {2**63}" in lines and "    All = -1" in lines


def test_a_member_that_cannot_be_written_is_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("enum_lib")
    whole = namespace_stubs("bounds")["tain.types.bounds"].splitlines()
    write = _classes._attribute

    def fail(member: Any, names: Any) -> list[str]:
        if member.name == "either":
            raise KeyError("no such\ntype")
        return write(member, names)

    monkeypatch.setattr(_classes, "_attribute", fail)
    monkeypatch.setattr(_modules, "_function", lambda *args: 1 / 0)
    lines = namespace_stubs("bounds")["tain.types.bounds"].splitlines()
    assert r"    # either: not written: KeyError: 'no such\\ntype'" in lines
    assert "# maybe: not written: ZeroDivisionError: division by zero" in lines
    assert [line for line in whole if line.startswith("    rights")] == [
        line for line in lines if line.startswith("    rights")
    ]
    ast.parse("\n".join(lines))
