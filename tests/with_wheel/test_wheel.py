# SPDX-License-Identifier: Apache-2.0
"""The wheel of tain: its files, its platform, and that it works wherever it is unpacked.

TAIN_WHEELS is the folder of the wheel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path, PurePosixPath

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

from tain import libinfo

ROOT = Path(__file__).resolve().parents[2]
# What a build makes. All other files are those of include and python/tain, as they are there.
BUILT = {
    f"tain/_core.cpython-3{sys.version_info[1]}{{abi}}-x86_64-linux-gnu.so",
    "tain/_core.pyi",
    "tain/py.typed",
    "tain/lib/libtain.so",
    "tain/lib/libtain_names.so",
    "tain/lib/libtain_testing.so",
    "tain/lib/cmake/tain/tainConfig.cmake",
    "tain/lib/cmake/tain/tainConfigVersion.cmake",
    "tain/lib/cmake/tain/tainTargets.cmake",
    "tain/lib/cmake/tain/tainTargets-release.cmake",
    "tain/lib/cmake/tain/tain_add_library.cmake",
    "tain/lib/pkgconfig/tain.pc",
    *(f"{{info}}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")),
    "{info}/licenses/LICENSE",
    "{info}/licenses/THIRD_PARTY_NOTICES",
}


def the_wheel() -> Path:
    """Return the wheel for this interpreter."""
    found = list(Path(os.environ["TAIN_WHEELS"]).glob(f"tain-*-cp3{sys.version_info[1]}-*.whl"))
    assert len(found) == 1, f"expected one wheel of tain for this Python, got {found}"
    return found[0]


WHEEL = the_wheel()
INFO = f"tain-{libinfo.version()}.dist-info"


def of_sources(folder: str, inside: str) -> set[str]:
    """Return the files of a folder as they are called in the wheel."""
    return {
        str(PurePosixPath(inside, path.relative_to(ROOT / folder)))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder, of a name that nobody expects, with the files of the wheel."""
    folder = tmp_path_factory.mktemp("moved") / "a moved place"
    with zipfile.ZipFile(WHEEL) as archive:
        archive.extractall(folder)
    return folder


def test_the_files() -> None:
    abi = "d" if hasattr(sys, "gettotalrefcount") else ""
    built = {name.format(abi=abi, info=INFO) for name in BUILT}
    with zipfile.ZipFile(WHEEL) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    assert names == built | of_sources("include", "tain/include") | of_sources(
        "python/tain", "tain"
    )


def test_the_metadata() -> None:
    with zipfile.ZipFile(WHEEL) as archive:
        text = archive.read(f"{INFO}/METADATA").decode()
        tags = archive.read(f"{INFO}/WHEEL").decode()
    metadata = Parser().parsestr(text)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE", "THIRD_PARTY_NOTICES"]
    required = metadata.get_all("Requires-Dist") or []
    plain = {line for line in required if "extra ==" not in line}
    assert plain == {"numpy", "filelock", "platformdirs"}
    # One wheel for each Python: no abi3, and none that would fit another interpreter.
    python = f"cp3{sys.version_info[1]}"
    assert re.findall(r"^Tag: (.*)$", tags, re.MULTILINE) == [f"{python}-{python}-linux_x86_64"]


def test_the_licences_are_those_of_the_repository(unpacked: Path) -> None:
    for name in ("LICENSE", "THIRD_PARTY_NOTICES"):
        assert (unpacked / INFO / "licenses" / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_tag_of_manylinux_fits() -> None:
    """The libraries need nothing that such a Linux lacks; `auditwheel repair` only renames."""
    command = [sys.executable, "-m", "auditwheel", "show", str(WHEEL)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    found = re.search(r'following platform tag: "manylinux_2_(\d+)_x86_64"', said)
    assert found, said
    # The oldest Linux that has what g++ 12 of Debian 12 compiles for is that of glibc 2.34.
    assert int(found[1]) <= 36
    assert "external shared libraries" not in said or "requires no external" in said, said


def test_no_library_names_a_place_of_the_build(unpacked: Path) -> None:
    libraries = sorted(unpacked.rglob("*.so"))
    assert len(libraries) == 4
    for path in libraries:
        with path.open("rb") as file:
            section = ELFFile(file).get_section_by_name(".dynamic")
            assert isinstance(section, DynamicSection)
            tags = list(section.iter_tags())
        paths = [
            part
            for tag in tags
            if tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH")
            for part in (getattr(tag, "runpath", None) or tag.rpath).split(":")
        ]
        assert [part for part in paths if not re.match(r"\$ORIGIN(/|$)", part)] == [], path
        needed = {tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"}
        assert not {name for name in needed if "/" in name or "python" in name}, path
        # __FILE__ in errors and asserts
        assert re.search(rb"\0/[^\0]*/(src|tests)/[^\0]*\.(cc|h)\0", path.read_bytes()) is None, (
            path
        )


def test_no_text_names_a_place_of_the_build(unpacked: Path) -> None:
    texts = [path for path in unpacked.rglob("*") if path.suffix in (".cmake", ".pc", ".pyi")]
    assert len(texts) > 6
    assert [path for path in texts if str(ROOT) in path.read_text(encoding="utf-8")] == []


USE = """
import tain
from tain.types.testing import Point
assert Point(3, y=4).norm() == 5
print(tain.__file__, tain.libinfo.find_libtain(), sep="\\n")
"""


def run_there(unpacked: Path, *command: str) -> str:
    """Run Python with what was unpacked and nothing else: no numpy, no package of the user."""
    env = {"PYTHONPATH": str(unpacked), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-S", *command], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_works_where_it_is_unpacked(unpacked: Path) -> None:
    lines = run_there(unpacked, "-c", USE).splitlines()
    assert [Path(line).is_relative_to(unpacked) for line in lines] == [True, True]


def test_others_link_with_it_where_it_is_unpacked(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "one.cc").write_text(
        '#include <tain/tain.h>\nTAIN_REGISTER { tain::reflection::GlobalDef().def("moved.one", '
        "[] { return 1; }); }\n"
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23...4.0)\nproject(moved LANGUAGES CXX)\n"
        "find_package(tain CONFIG REQUIRED)\ntain_add_library(moved one.cc)\n"
    )
    build = tmp_path / "build"
    configure = ["cmake", "-S", str(tmp_path), "-B", str(build), f"-Dtain_ROOT={unpacked / 'tain'}"]
    for command in (configure, ["cmake", "--build", str(build)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    load = f"tain.load_library({str(build / 'libmoved.so')!r})"
    code = f"import tain; {load}; print(tain.get_global_func('moved.one')())"
    assert run_there(unpacked, "-c", code) == "1\n"


STATIC = r"""
#include <tain/tain.h>
#include <stdexcept>
TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def("fixed.at", [](int64_t i) { if (i > 2) throw std::out_of_range("too far"); return i; })
      .def("fixed.call", [](tain::Function f) { return f(); });
}
"""
USE_STATIC = """
import tain
tain.load_library(LIBRARY)
from tain.types.fixed import at, call
assert at(1) == 1
try: at(3)
except IndexError as error: print(error)
key = KeyError("k")
def fail(): raise key
try: call(fail)
except KeyError as error: print(error is key)
"""


def test_a_library_with_a_static_runtime(unpacked: Path, tmp_path: Path) -> None:
    """Wheels of others may bring the C++ runtime that they were built with."""
    source, made = tmp_path / "fixed.cc", tmp_path / "libfixed.so"
    source.write_text(STATIC)
    package = unpacked / "tain"
    command = ["g++", "-std=c++20", "-shared", "-fPIC", f"-I{package / 'include'}", str(source)]
    command += ["-static-libstdc++", "-static-libgcc", "-o", str(made)]
    done = subprocess.run(
        [*command, f"-L{package / 'lib'}", "-ltain"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with made.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".dynamic")
        assert isinstance(section, DynamicSection)
        needed = {tag.needed for tag in section.iter_tags() if tag.entry.d_tag == "DT_NEEDED"}
    assert "libstdc++.so.6" not in needed
    use = USE_STATIC.replace("LIBRARY", repr(str(made)))
    assert run_there(unpacked, "-c", use) == "too far\nTrue\n"
