# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tain new`` writes works as it is, and so does examples/geometry.

TAIN_WHEELS is the folder of the wheel of tain that is tested. Projects are installed in isolation,
from a folder of wheels and nothing else, by the commands that their READMEs print.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("scikit-build-core>=0.11", "cmake>=3.24", "ninja>=1.10", "mypy", "pytest")
# What a user of the wheel does, in a process that knows nothing of the project.
USE = """
import pickle
from tain.types.shapes import Point, distance
import shapes
assert Point is shapes.Point and Point.__module__ == "shapes"
assert pickle.loads(pickle.dumps(Point(3, y=4))).norm() == 5
print(shapes.__file__, distance(Point(0), Point(1)))
"""
TYPED = """
import shapes
from tain.types.shapes import Point, distance
point: shapes.Point = Point(1.0)
length: float = distance(point, Point(2.0, y=3.0))
"""
IN_WHEEL = {"__init__.py", "libshapes.so"}
DIST_INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt"}


def run(*command: str, cwd: Path, env: dict[str, str]) -> str:
    """Run a command; its output is the message of a failure."""
    done = subprocess.run(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheels of tain and of all that a project needs."""
    folder = tmp_path_factory.mktemp("index")
    wheels = list(Path(os.environ["TAIN_WHEELS"]).glob(f"tain-*-cp3{sys.version_info[1]}-*.whl"))
    assert len(wheels) == 1, f"expected one wheel of tain for this Python, got {wheels}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--only-binary", ":all:"]
    run(*command, "--dest", str(folder), str(wheels[0]), *NEEDED, cwd=folder, env={**os.environ})
    return folder


@pytest.fixture
def venv(index: Path, tmp_path: Path) -> dict[str, str]:
    """Return the variables of a new environment, where pip knows the folder of wheels only."""
    folder = tmp_path / "venv"
    run(sys.executable, "-m", "venv", str(folder), cwd=tmp_path, env={**os.environ})
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    kept.pop("PYTHONPATH", None)
    return {
        **kept,
        "VIRTUAL_ENV": str(folder),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
    }


def new(folder: Path, *options: str) -> Path:
    """Write the project `shapes` as a user does."""
    command = (sys.executable, "-m", "tain", "new", "shapes", *options)
    run(*command, cwd=folder, env={**os.environ})
    return folder / "shapes"


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def check_wheel(project: Path, tmp_path: Path, env: dict[str, str], expected: set[str]) -> None:
    """Look at the files of the built wheel, and use it in an environment with nothing but it."""
    (wheel,) = (project / "dist").iterdir()
    assert re.fullmatch(r"shapes-0\.1\.0-py3-none-\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    about = {f"shapes-0.1.0.dist-info/{name}" for name in DIST_INFO}
    stub = {"tain/types/shapes/__init__.pyi"}  # where type checkers look for tain.types.shapes
    assert names == {f"shapes/{name}" for name in expected} | about | stub
    other = tmp_path / "other"
    run(sys.executable, "-m", "venv", str(other), cwd=tmp_path, env={**os.environ})
    python = str(other / "bin" / "python")
    run(python, "-m", "pip", "install", "-q", str(wheel), cwd=tmp_path, env=env)
    bare = {"PATH": str(other / "bin")}  # no compiler, no CMake
    place, _, distance = run(python, "-c", USE, cwd=tmp_path, env=bare).strip().rpartition(" ")
    assert Path(place).is_relative_to(other) and distance == "1.0"


@pytest.mark.timeout(600)
def test_a_complete_project(tmp_path: Path, venv: dict[str, str]) -> None:
    """From `pip install tain` to a wheel that is installed elsewhere, as docs/projects.md says."""
    block = blocks(ROOT / "docs" / "projects.md", "sh")[0]
    printed = run("bash", "-euo", "pipefail", "-c", block, cwd=tmp_path, env=venv)
    assert re.search(r"=+ 8 passed in ", printed), printed
    project = tmp_path / "shapes"
    (python,) = blocks(project / "README.md", "python")
    assert run("python", "-c", python, cwd=tmp_path, env=venv) == "5.0 1.0\n"
    check_wheel(project, tmp_path, venv, IN_WHEEL | {"__init__.pyi", "py.typed"})
    installed = ("--python-executable", str(tmp_path / "other" / "bin" / "python"))
    run("python", "-m", "mypy", "--strict", *installed, "-c", TYPED, cwd=tmp_path, env=venv)

    # The project's own README and CI have the same commands.
    commands = "".join(blocks(project / "README.md", "sh")).splitlines()
    assert commands == block.splitlines()[3:]
    ci = yaml.safe_load((project / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    steps = [step for job in ci["jobs"].values() for step in job["steps"]]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs == ['pip install ".[test]"', *commands[1:]]


EDIT = ("return std::hypot(x, y)", "return 1 + std::hypot(x, y)")
NORM = "from shapes import Point; print(Point(3, 4).norm())"


def import_it(project: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = ["python", "-c", NORM]
    return subprocess.run(command, cwd=project.parent, env=env, capture_output=True, text=True)


@pytest.mark.timeout(600)
def test_an_edit_is_in_python_at_the_next_import(
    index: Path, tmp_path: Path, venv: dict[str, str]
) -> None:
    run("pip", "install", "-q", "tain", cwd=tmp_path, env=venv)
    run("python", "-m", "tain", "new", "shapes", cwd=tmp_path, env=venv)
    project = tmp_path / "shapes"
    printed = run("python", "-m", "tain", "develop", cwd=project, env=venv)
    assert (
        "pip install --quiet --no-build-isolation -Ceditable.rebuild=true -e '.[test]'" in printed
    )
    done = import_it(project, venv)
    assert (done.stdout, done.stderr) == ("5.0\n", "")

    source = project / "src" / "shapes.cc"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace(*EDIT), encoding="utf-8")
    done = import_it(project, venv)
    assert done.stdout == "6.0\n"
    assert re.fullmatch(r"shapes: compiled what has changed, in \d+\.\d s\n", done.stderr)
    done = import_it(project, venv)
    assert (done.stdout, done.stderr) == ("6.0\n", "")

    # A mistake: the last line is the compiler's first error, with the line of the user.
    source.write_text(text.replace("std::hypot(x", "std::hypo(x"), encoding="utf-8")
    done = import_it(project, venv)
    assert done.returncode == 1
    place = rf"{re.escape(str(source))}:11:\d+"
    assert re.match(rf"{place}: error: .*hypo", done.stderr.splitlines()[-1]), done.stderr
    assert f"ImportError: shapes does not build ({project}/):\n" in done.stderr

    # A faulty registration fails the build, and so does the import.
    source.write_text(text.replace('.def_rw("y"', '.def_rw("x"'), encoding="utf-8")
    done = import_it(project, venv)
    assert done.returncode == 1
    assert "ImportError: shapes does not build" in done.stderr
    assert "python -m tain stubgen: " in done.stderr and "shapes.Point" in done.stderr

    # The stub follows what is registered.
    source.write_text(text.replace('"norm", &', '"length", &'), encoding="utf-8")
    done = import_it(project, venv)
    assert "has no attribute 'norm'" in done.stderr
    stub = (project / "python" / "shapes" / "__init__.pyi").read_text(encoding="utf-8")
    assert "def length(self) -> float:" in stub and "norm" not in stub


@pytest.mark.timeout(600)
def test_the_build_mends_a_wrong_stub(tmp_path: Path, venv: dict[str, str]) -> None:
    project = new(tmp_path)
    stub = project / "python" / "shapes" / "__init__.pyi"
    text = stub.read_text(encoding="utf-8")
    stub.write_text(text.replace("def norm(", "def length("))
    run("pip", "install", "-q", ".", cwd=project, env=venv)
    assert stub.read_text(encoding="utf-8") == text
    installed = run("python", "-c", "import shapes; print(shapes.__file__)", cwd=tmp_path, env=venv)
    assert Path(installed.strip()).with_suffix(".pyi").read_text(encoding="utf-8") == text


@pytest.mark.timeout(600)
def test_a_minimal_project(tmp_path: Path, venv: dict[str, str]) -> None:
    project = new(tmp_path, "--minimal")
    command = ("pip", "wheel", "-q", "--no-deps", "--wheel-dir", "dist", ".")
    run(*command, cwd=project, env=venv)
    check_wheel(project, tmp_path, venv, IN_WHEEL | {"__init__.pyi", "py.typed"})


@pytest.mark.timeout(600)
def test_the_readme_of_the_example(index: Path, venv: dict[str, str]) -> None:
    """The commands of examples/geometry, with the wheel of tain that is there already."""
    (block,) = blocks(ROOT / "examples" / "geometry" / "README.md", "sh")
    build = "pip wheel --no-deps --wheel-dir dist .\n"
    assert block.startswith(build) and block.count("--find-links dist") == 1
    block = block.removeprefix(build).replace("--find-links dist", f"--find-links '{index}'")
    printed = run("bash", "-euo", "pipefail", "-c", block, cwd=ROOT, env=venv)
    assert printed.endswith("\n5.0\n")
