# SPDX-License-Identifier: Apache-2.0
"""``python -m tain new``: which files it writes, and which names and folders it refuses.

What the files are worth is tested by tests/with_project, which builds them.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tain import libinfo
from tain.__main__ import main
from tain._project import Described, create
from tain.describe._settings import from_mapping

MINIMAL = {
    "CMakeLists.txt",
    "pyproject.toml",
    "python/shapes/__init__.py",
    "src/CMakeLists.txt",
    "src/shapes.cc",
}
DESCRIBED = (MINIMAL - {"src/shapes.cc"}) | {"tests/test_shapes.py"}
COMPLETE = MINIMAL | {
    ".github/workflows/ci.yml",
    ".gitignore",
    "CMakePresets.json",
    "README.md",
    "python/shapes/__init__.pyi",
    "python/shapes/py.typed",
    "tests/test_shapes.py",
    "tests/test_stubs.py",
}


def written(folder: Path) -> set[str]:
    """Return the files below a folder, by their paths in it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which must refuse; return what it prints."""
    assert main(["new", *arguments]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("python -m tain new: ")
    return printed.err.removeprefix("python -m tain new: ")


@pytest.mark.parametrize(("minimal", "files"), [(False, COMPLETE), (True, MINIMAL)])
def test_the_files(tmp_path: Path, minimal: bool, files: set[str]) -> None:
    made = create("shapes", tmp_path / "project", minimal=minimal)
    assert written(tmp_path / "project") == files
    assert {path.relative_to(tmp_path / "project").as_posix() for path in made} == files
    for path in made:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@[A-Z_]+@", text), path
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n")), path
        if path.suffix in (".py", ".pyi"):
            ast.parse(text)


def test_a_project_of_a_library(tmp_path: Path) -> None:
    described = Described("lib/shapes.h", "lib::shapes", "shapes")
    made = create("shapes", tmp_path / "project", described=described)
    assert written(tmp_path / "project") == DESCRIBED
    for path in made:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@[A-Z_]+@", text), path
    project = (tmp_path / "project/pyproject.toml").read_text(encoding="utf-8")
    settings = from_mapping(_table(project), "pyproject.toml", tmp_path)
    assert settings.headers == ("lib/shapes.h",) and settings.module == "shapes"
    assert settings.namespaces == ("lib::shapes",)
    assert f'"tain[describe]~={libinfo.version()}"' in project
    builds = (tmp_path / "project/src/CMakeLists.txt").read_text(encoding="utf-8")
    assert "\ntarget_link_libraries(shapes PRIVATE shapes)\n" in builds


def _table(project: str) -> dict[str, object]:
    """Return the keys of [tool.tain.describe], which have values that Python reads too."""
    table = project.split("[tool.tain.describe]\n")[1].split("\n\n")[0]
    return {
        key: ast.literal_eval(value)
        for key, value in (line.split(" = ") for line in table.splitlines())
    }


def test_a_header_is_named_from_the_new_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/a.h").touch()
    monkeypatch.chdir(tmp_path)
    assert main(["new", "shapes", "--describe", "include/a.h", "--namespace", "::"]) == 0
    project = Path("shapes/pyproject.toml").read_text(encoding="utf-8")
    assert 'headers = ["../include/a.h"]' in project and 'namespaces = ["::"]' in project


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--namespace", "a"), "--namespace and --link belong to --describe HEADER"),
        (("--describe", 'a".h'), "expected the name of a header"),
        (("--describe", "a.h", "--namespace", "a.b"), "expected the name of a namespace"),
        (("--describe", "a.h", "--link", "a)"), "expected libraries to link"),
    ],
)
def test_wrong_descriptions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], text: str
) -> None:
    assert text in refused(capsys, "shapes", "--dir", str(tmp_path / "new"), *arguments)
    assert not (tmp_path / "new").exists()


def test_the_project_requires_this_tain(tmp_path: Path) -> None:
    create("shapes", tmp_path)
    project = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    assert project.count(f'"tain~={libinfo.version()}"') == 2
    # The template sets tain::as_numpy for its library.
    assert "LibraryDef().set(tain::as_numpy())" in (tmp_path / "src/shapes.cc").read_text("utf-8")
    assert f'\ndependencies = ["numpy", "tain~={libinfo.version()}"]\n' in project


def test_a_new_folder_in_the_current_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tain", "new", "shapes"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert written(tmp_path / "shapes") == COMPLETE
    *lines, last = done.stdout.splitlines()
    assert {line.removeprefix(f"wrote shapes{os.sep}") for line in lines} == COMPLETE
    assert last == "next: cd shapes && python -m tain develop && python -m pytest"


def test_a_chosen_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "some where" / "deep"
    assert main(["new", "shapes", "--minimal", "--dir", str(folder)]) == 0
    assert written(folder) == MINIMAL
    assert capsys.readouterr().out.endswith(f"next: cd '{folder}' && python -m tain develop\n")


def test_an_empty_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "shapes", "--minimal", "--dir", "."]) == 0
    assert written(tmp_path) == MINIMAL


@pytest.mark.parametrize("minimal", [False, True])
def test_projects_are_the_same_each_time(tmp_path: Path, minimal: bool) -> None:
    first = create("shapes", tmp_path / "a", minimal=minimal)
    second = create("shapes", tmp_path / "b", minimal=minimal)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("class", "it is a keyword of Python; my_class would do"),
        ("None", "it is a keyword of Python; my_None would do"),
        ("my-shapes", "it is not an identifier; my_shapes would do"),
        ("2d", "it is not an identifier; my_2d would do"),
        ("", "it is not an identifier; choose another name"),
        ("../up", "it is not an identifier; up would do"),
        ("a.b", "it is not an identifier; a_b would do"),
        ("formé", "names of distributions have letters, digits and _ of ASCII only; form would do"),
        ("_shapes", "names of distributions begin and end with a letter or digit; shapes would do"),
        ("___", "names of distributions begin and end with a letter or digit; choose another name"),
        ("json", "a module of the standard library has this name; my_json would do"),
        ("Queue", "a module of the standard library has this name; my_Queue would do"),
        ("tain", "tain itself has this name; my_tain would do"),
        ("testing", "tain itself has this name; my_testing would do"),
        ("numpy", "a package that the project needs has this name; my_numpy would do"),
        ("tests", "a folder of the project has this name; my_tests would do"),
        ("install", "CMake reserves this name; my_install would do"),
        ("a\nb", "it is not an identifier; a_b would do"),
    ],
)
def test_bad_names(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = f"{name!r} cannot be the name of a package: {reason}\n"
    assert refused(capsys, name) == expected
    assert refused(capsys, name, "--minimal", "--dir", "new") == expected
    assert list(tmp_path.iterdir()) == []


@pytest.mark.bad_input
def test_folders_that_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    expected = f"expected a new or empty folder, got {str(tmp_path)!r}, which has something in it"
    assert refused(capsys, "shapes", "--dir", str(tmp_path)).startswith(expected)
    for name in ("file", "link"):
        folder = str(tmp_path / name)
        expected = f"expected a new or empty folder, got {folder!r}, which is no folder"
        assert refused(capsys, "shapes", "--dir", folder).startswith(expected)
    inside = str(tmp_path / "file" / "inside")
    assert refused(capsys, "shapes", "--dir", inside).startswith("[Errno 20] Not a directory: ")
    assert written(tmp_path) == {"file"}


# Root may write anywhere else; this folder of the kernel's takes no new ones.
READ_ONLY = Path("/proc/self/fdinfo")


@pytest.mark.bad_input
@pytest.mark.only_if(READ_ONLY.is_dir(), reason="there is no /proc")
def test_a_folder_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    text = refused(capsys, "shapes", "--dir", str(READ_ONLY / "shapes"))
    assert re.match(r"\[Errno \d+\] [\w ]+: '/proc/self/fdinfo/shapes'$", text), text


@pytest.mark.bad_input
def test_a_disk_that_gets_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written before the error is removed, and nothing else."""
    write = Path.write_text

    def write_some(path: Path, text: str, **options: str) -> int:
        if path.name == "py.typed":
            raise OSError(28, "No space left on device", str(path))
        return write(path, text, **options)

    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(Path, "write_text", write_some)
    for folder in ("empty", "new/deep"):
        with pytest.raises(OSError, match="No space left on device"):
            create("shapes", tmp_path / folder)
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("text", "extra", "reason"),
    [
        ("", (), "/pyproject.toml: expected the build-backend 'scikit_build_core.build', got None"),
        (
            "[build-system]\nbuild-backend = 'setuptools.build_meta'",
            (),
            "/pyproject.toml: expected the build-backend 'scikit_build_core.build', "
            "got 'setuptools.build_meta'",
        ),
        ("[build-system", (), "/pyproject.toml: "),
        (
            "[build-system]\nbuild-backend = 'scikit_build_core.build'",
            ("--extra", "tests"),
            "/pyproject.toml has no extra 'tests': it has none",
        ),
        (
            "[build-system]\nbuild-backend = 'scikit_build_core.build'\n"
            "[project.optional-dependencies]\nplots = []\ntest = []",
            ("--extra", "test", "--extra", "tests"),
            "/pyproject.toml has no extra 'tests': it has plots, test",
        ),
    ],
)
def test_develop_refuses(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    extra: tuple[str, ...],
    reason: str,
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert main(["develop", str(tmp_path), *extra]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"python -m tain develop: {tmp_path}{reason}")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("given", "options", "package"),
    [
        ([], [], "'.[test]'"),
        (["--debug"], ["-Ccmake.build-type=Debug"], "'.[test]'"),
    ],
)
def test_develop_says_what_it_runs(
    given: list[str],
    options: list[str],
    package: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create("shapes", tmp_path)
    ran: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        return subprocess.CompletedProcess(command, 0, stdout='["ninja>=1.5"]\n')

    monkeypatch.setattr("tain._project._develop.subprocess.run", run)
    assert main(["develop", str(tmp_path), *given]) == 0
    *_, last, _ = capsys.readouterr().out.splitlines()
    expected = ["--no-build-isolation", "-Ceditable.rebuild=true", *options, "-e", package]
    assert last == f"$ python -m pip install --quiet {' '.join(expected)}"
    assert ran[-1][1:5] == ["-m", "pip", "install", "--quiet"]
    assert any("ninja>=1.5" in command for command in ran)


def test_develop_needs_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["develop", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        "python -m tain develop: expected the folder of a project, with a pyproject.toml, got "
        f"{str(tmp_path)!r}: give another, or make a project with `python -m tain new`\n"
    )
