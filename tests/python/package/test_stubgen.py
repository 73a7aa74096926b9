# SPDX-License-Identifier: Apache-2.0
"""``python -m tain stubgen``: stubs of registered types and functions, and their checks."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
import venv
from importlib import import_module
from pathlib import Path

import pytest

import tain
from tain.stubgen import _files, namespace_stubs, write_stubs
from tain.stubgen._values import doc_lines

HERE = Path(__file__).parent / "stubs"
USER = (HERE / "user.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def stubbed() -> dict[str, str]:
    """Compile stubs/stubbed.cc and return the stubs of its namespaces."""
    tain.cpp.load("stubbed", sources=[HERE / "stubbed.cc"], extra_cflags=["-O0"])
    return namespace_stubs("stubbed")


def typings(folder: Path, stubs: dict[str, str]) -> Path:
    """Write stubs so that mypy finds them with MYPYPATH."""
    for module, text in stubs.items():
        file = folder.joinpath(*module.split("."), "__init__.pyi")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def run(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **env},
    )


def mypy(folder: Path, *arguments: str) -> str:
    result = run("mypy", "--strict", *arguments, cwd=folder, MYPYPATH=str(folder))
    return result.stdout + result.stderr


# ---------------------------------------------------------------- texts


@pytest.mark.slow
@pytest.mark.parametrize("module", ["tain.types.stubbed", "tain.types.stubbed.Tree"])
def test_golden(stubbed: dict[str, str], module: str) -> None:
    """To accept a change: TAIN_ACCEPT=1 pytest tests/python/package/test_stubgen.py."""
    golden = HERE / f"{module.removeprefix('tain.types.')}.pyi"
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
        declared = {
            node.name
            for node in ast.parse(text).body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        }
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


# ---------------------------------------------------------------- checkers


@pytest.mark.slow
def test_user_code_and_stubs_pass_mypy(stubbed: dict[str, str], tmp_path: Path) -> None:
    typings(tmp_path, stubbed)
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    assert "Success" in mypy(tmp_path, "user.py")
    assert "Success" in mypy(tmp_path, "-p", "tain.types.stubbed")


MISTAKES = {
    "Shape(1, 2)": "No overload variant",
    "Shape()": "Cannot instantiate abstract class",
    "Scale()": "Missing named argument",
    "circle.count = 'a'": "Incompatible types in assignment",
    "circle.name = 'a'": 'Property "name" defined in "Shape" is read-only',
    "circle.nothing": 'has no attribute "nothing"',
    "class A(Square): ...": "final",
    "by_width('a')": "incompatible type",
}


@pytest.mark.slow
def test_mistakes_are_found(stubbed: dict[str, str], tmp_path: Path) -> None:
    typings(tmp_path, stubbed)
    (tmp_path / "user.py").write_text("\n".join([USER, *MISTAKES]), encoding="utf-8")
    first = len(USER.splitlines()) + 2
    found = mypy(tmp_path, "user.py")
    for line, (code, message) in enumerate(MISTAKES.items(), first):
        errors = [e for e in found.splitlines() if e.startswith(f"user.py:{line}: ")]
        assert any(message in error for error in errors), f"{code}: {found}"


# What no stub can say: names that no Python code spells, and a default that the signature shows as
# an Array though its type is a tuple. The descriptor of an abstract method that C++ code of a child
# defines says that it is abstract, though the child can be constructed. How copy.copy copies a box.
ALLOWED = r"""
tain\.types\.testing\.OddMembers\.(class|lambda|a-b)
tain\.types\.testing\.(Blob|Tile)\.area
tain\.types\.testing\.StlFields\.__init__
tain\.types\.testing\.x\.(__all__|class|import)
tain\.types\.testing\.boxed\.\w+\.__(deep)?copy__
"""


@pytest.mark.slow
def test_stubtest_agrees_on_the_testing_library(tmp_path: Path) -> None:
    stubs = namespace_stubs("testing")
    typings(tmp_path, stubs)
    (tmp_path / "allowed").write_text(ALLOWED)
    result = run(
        "mypy.stubtest",
        "--concise",
        "--allowlist",
        "allowed",
        "tain.types.testing",
        cwd=tmp_path,
        MYPYPATH=str(tmp_path),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Success" in mypy(tmp_path, "-p", "tain.types.testing")


@pytest.mark.slow
def test_a_partial_stub_package_is_found_by_mypy(tmp_path: Path) -> None:
    """Partial stub packages count in the environment's site-packages."""
    venv.create(tmp_path / "venv", with_pip=False)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    folder = Path(str(tain.__file__)).parent.parent
    import typing_extensions

    others = Path(typing_extensions.__file__).parent
    (site / "others.pth").write_text(f"{folder}\n{others}\n")
    write_stubs(["testing"], types=True, output=site)
    assert (site / "tain-stubs" / "py.typed").read_text() == "partial\n"
    (tmp_path / "user.py").write_text(
        "import tain\n"
        "from tain.types import other\n"
        "from tain.types.testing import Point\n"
        "reveal_type(Point(1).norm())\n"
        "reveal_type(tain.Array([1]))\n"
        "reveal_type(other.Name)\n"
    )
    python = tmp_path / "venv" / "bin" / "python"
    result = run("mypy", "--strict", "--python-executable", str(python), "user.py", cwd=tmp_path)
    revealed = [line.split('"')[1] for line in result.stdout.splitlines() if "Revealed" in line]
    assert revealed == ["float", "tain._values.Array[int]", "Any"], result.stdout


# ---------------------------------------------------------------- packages, the command


PACKAGE = '''
"""A package with Python code of its own."""

import os
from collections.abc import Sequence

import tain

LIMIT = 5
NAMES: list[str] = []
_private = {}


def first(items: Sequence[str], *, strict: bool = True) -> str:
    """Return the first."""
    return items[0]


class Own:
    """A class of Python."""

    size: int = 3

    def grow(self, by: int = 1) -> None:
        self.size += by


tain.init_ffi_api("testing.save", __name__)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import tain.types.testing  # noqa: F401 -- loads the library

    folder = tmp_path / "stub_package"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


COMMAND = (
    "import tain, tain.types.testing, sys; from tain.__main__ import main; "
    "sys.exit(main(['stubgen', *sys.argv[1:]]))"
)


def stubgen(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=package.parent,
    )


@pytest.mark.slow
def test_a_package(package: Path) -> None:
    result = stubgen(package, "stub_package")
    assert result.returncode == 0, result.stderr
    assert (package / "py.typed").read_text() == ""
    text = (package / "__init__.pyi").read_text()
    tree = ast.parse(text)
    assert '"""A package with Python code of its own."""' in text
    assert "LIMIT: int" in text and "return items[0]" not in text
    names = {n.name for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert {"Link", "Mood", "Own", "first"} <= names
    assert "Success" in mypy(package.parent, "-p", "stub_package")

    assert stubgen(package, "stub_package", "--check").returncode == 0
    (package / "__init__.pyi").write_text(text.replace("class Link", "class Knot"))
    result = stubgen(package, "stub_package", "--check")
    assert result.returncode == 1
    assert "-class Knot" in result.stdout and "+class Link" in result.stdout
    assert "class Knot" in (package / "__init__.pyi").read_text()  # --check writes nothing

    result = stubgen(package, "stub_package", "--output", "out")
    assert result.returncode == 0
    assert (package.parent / "out" / "stub_package" / "__init__.pyi").read_text() == text


@pytest.mark.slow
def test_types_of_a_package_that_has_a_stub_are_imported_from_it(package: Path) -> None:
    arguments = ("--import", "stub_package", "--types", "testing.save", "--output", "out")
    file = package.parent / "out" / "tain-stubs" / "types" / "testing" / "save" / "__init__.pyi"
    assert stubgen(package, *arguments).returncode == 0
    assert "class Link(" in file.read_text()
    assert stubgen(package, "stub_package").returncode == 0
    assert stubgen(package, *arguments).returncode == 0
    assert "from stub_package import Link as Link" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_package"], "No module named 'no_such_package'"),
        (["json"], "json has no module that calls tain.init_ffi_api"),
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
