# SPDX-License-Identifier: Apache-2.0
"""One list of supported Pythons: metadata, scripts and pages agree."""

from __future__ import annotations

import re

from lint_sources import ROOT, text

MINORS = [f"3.{minor}" for minor in range(10, 16)]
OLDEST, NEWEST = MINORS[0], MINORS[-1]
# Those of which there are wheels without a GIL, too; that of 3.13 was an experiment of CPython's.
WITHOUT_GIL = MINORS[4:]


def test_metadata_names_them() -> None:
    project = text(ROOT / "pyproject.toml")
    assert f'requires-python = ">={OLDEST}"' in project
    assert re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project) == MINORS


def test_scripts_test_and_build_them() -> None:
    stages = text(ROOT / "tools" / "stages.sh")
    found = re.search(r"^HOST_VERSIONS=\((.*)\) NEWEST_VERSIONS=\((.*)\)$", stages, re.MULTILINE)
    assert found and f"{found[1]} {found[2]}".split() == MINORS
    for name in ("matrix.sh", "release.sh"):
        script = text(ROOT / "tools" / name)
        assert '"${HOST_VERSIONS[@]}"' in script and '"${NEWEST_VERSIONS[@]}"' in script, name
    installed = text(ROOT / "tools" / "unstable.sh")
    for version in found[2].split():
        assert f"python{version} python{version}-dev python{version}-venv" in installed


def test_pages_name_them() -> None:
    assert f"CPython {OLDEST} to {NEWEST}" in text(ROOT / "README.md")
    assert f"Python {OLDEST} to {NEWEST}, " in text(ROOT / "CONTRIBUTING.md")
    assert f"of Python {OLDEST} to {NEWEST} " in text(ROOT / "examples" / "pyast" / "README.md")


def test_builds_ask_for_the_oldest() -> None:
    minor = OLDEST.replace("3.", "3")
    project = text(ROOT / "pyproject.toml")
    assert f'target-version = "py{minor}"' in project
    wheels = re.search(r'^build = "(.*)"$', project, re.MULTILINE)
    names = [
        f"cp{v.replace('.', '')}{build}-*"
        for v in MINORS
        for build in (["", "t"] if v in WITHOUT_GIL else [""])
    ]
    assert wheels and wheels[1].split() == names
    assert '"Programming Language :: Python :: Free Threading ::' in project
    template = ROOT / "python" / "tain" / "_project" / "template"
    asking = [
        ROOT / "CMakeLists.txt",
        ROOT / "cmake" / "tain_add_library.cmake",
        template / "minimal" / "pyproject.toml.in",
        *ROOT.glob("examples/*/pyproject.toml"),
        *ROOT.glob("examples/*/CMakeLists.txt"),
    ]
    for path in asking:
        found = re.findall(r"find_package\(Python (\S+)|requires-python = \">=(.*)\"", text(path))
        assert {*map("".join, found)} <= {OLDEST}, path
    for path in asking[:3]:
        assert f"Python {OLDEST} " in text(path) or f'">={OLDEST}"' in text(path), path
    workflow = text(template / "complete" / "dot_github" / "workflows" / "ci.yml.in")
    tested = re.search(r"python-version: (\[.*\])", workflow)
    assert tested
    versions = re.findall(r'"(3\.\d+)"', tested[1])
    assert versions == MINORS[: len(versions)]
    assert re.findall(r'"(3\.\d+)t"', tested[1]) == [v for v in versions if v in WITHOUT_GIL]


def test_the_matrix_has_a_row_for_each() -> None:
    rows = re.findall(r"^\| (3\.\d+) \|", text(ROOT / "docs" / "matrix.md"), re.MULTILINE)
    assert sorted({*rows}, key=MINORS.index) == MINORS
