# SPDX-License-Identifier: Apache-2.0
"""tain.cpp.load_inline: the lines of errors, the precompiled header, C and CUDA, odd paths."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import pytest
from errors import raises
from fake_compiler import FakeCompiler, wait_until
from sanitized import SANITIZED

import tain
from tain.cpp import CompileError, _cuda, _precompiled, _recipe


def has_nvcc() -> bool:
    """Whether CUDA can be compiled here."""
    try:
        _cuda.find_cuda()
    except RuntimeError:
        return False
    return True


def precompiled(*flags: str) -> _precompiled.Precompiled | None:
    """Return the header that an inline source with these options uses."""
    source = _recipe.Source("c++", text="")
    recipe = _recipe.Recipe("any", (source,), cflags=flags)
    return _precompiled.find(recipe.command(source, recipe.find_tools()), flags)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"cpp_sources": "\nint f() { return nope; }"}, "<inline>:2:18: error: "),
        ({"cpp_sources": ["int a;", "\n\nint b = nope;"]}, "<inline 2>:3:9: error: "),
        ({"cpp_sources": "\n\nint f() { return 1 }"}, "<inline>:3:19: error: "),
        ({"c_sources": "\nint f(void) { return nope; }"}, "<inline C>:2:22: error: "),
        ({"c_sources": ["", "int f(void) { return nope; }"]}, "<inline C 2>:1:22: error: "),
    ],
)
def test_errors_have_the_lines_of_the_text(options, first: str) -> None:
    with pytest.raises(CompileError) as caught:
        tain.cpp.build_inline("lines", **options)
    assert str(caught.value).startswith(first)
    assert str(caught.value).partition("\n")[0] in caught.value.output


@pytest.mark.slow
def test_a_precompiled_header_is_used() -> None:
    """It is made by the command that a build starts in the background."""
    flags = ("-DPRECOMPILED=3",)
    header = precompiled(*flags)
    assert header is not None
    assert not header.is_ready()
    source = "int f() { return PRECOMPILED + %d; }"
    built = [
        tain.cpp.build_inline("headed", cpp_sources=source % value, extra_cflags=flags)
        for value in (0, 1)  # options of the user must come twice
    ]
    wait_until((header.folder / "record.json").exists, seconds=240)
    assert header.is_ready()

    commands = subprocess.run(
        [*header.command, "-H", "-include", header.header, "-fsyntax-only", "-x", "c++", "-"],
        input=b"",
        capture_output=True,
        check=True,
    )
    listed = commands.stderr.decode()
    assert header.command[0].endswith("clang++") or f"! {header.header}.gch" in listed
    built.append(tain.cpp.build_inline("headed", cpp_sources=source % 2, extra_cflags=flags))
    assert len(set(built)) == 3
    module = tain.cpp.load_inline(
        "headed", cpp_sources=source % 5, functions="f", extra_cflags=flags
    )
    assert module.f() == 8

    # The compiler refuses it: the build does without.
    result = header.folder / _precompiled.RESULT
    result.write_bytes(b"gpch" + bytes(result.stat().st_size - 4))
    module = tain.cpp.load_inline(
        "headed", cpp_sources=source % 6, functions="f", extra_cflags=flags
    )
    assert module.f() == 9


@pytest.mark.parametrize(
    ("flags", "is_there"),
    [
        ((), True),
        (("-O0", "-g", "-Wall", "-std=c++23", "-pthread"), True),
        (("-include", "x.h"), False),
        (("-D", "X"), False),
        (("-isystem", "x"), False),
        (("@file",), False),
        (("-x", "c"), False),
    ],
)
def test_which_options_have_a_precompiled_header(flags, is_there: bool, monkeypatch) -> None:
    found = precompiled(*flags)
    assert (found is not None) == is_there
    if found:
        assert found.folder != precompiled(*flags, "-DX").folder
        assert found.is_usual == (not flags)
    monkeypatch.setenv("TAIN_PRECOMPILED_HEADER", "0")
    assert precompiled(*flags) is None


def test_options_that_come_once_have_no_precompiled_header(tmp_path: Path, monkeypatch) -> None:
    fake = FakeCompiler(tmp_path)
    monkeypatch.setenv("CXX", str(fake.path))
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    for flags, builds in (((), 1), (("-DX",), 2)):
        header = precompiled(*flags)
        assert header is not None
        for number in range(builds):
            assert not (header.folder / _precompiled.NAME).exists()
            tain.cpp.build_inline("once", cpp_sources=f"{number}", extra_cflags=flags)
        wait_until((header.folder / "record.json").exists)
        assert header.is_ready()


@pytest.mark.parametrize(("act", "is_ready"), [("", True), ("exit 1", False)])
def test_a_header_is_precompiled_once(act, is_ready: bool, tmp_path: Path, monkeypatch) -> None:
    """Also if the compiler cannot do it."""
    fake = FakeCompiler(tmp_path)
    monkeypatch.setenv("CXX", str(fake.path))
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    header = precompiled()
    assert header is not None
    header.folder.mkdir()
    (header.folder / _precompiled.NAME).write_text(_precompiled.HEADER)
    fake.act(act)
    for expected in (1, 0):
        subprocess.run(header.worker("--wait"), check=True)
        header.make_in_background()
        commands = fake.log.read_text().splitlines() if fake.log.exists() else []
        assert len(commands) == expected
        fake.log.unlink(missing_ok=True)
        assert header.is_ready() == is_ready


def test_c_and_cpp_in_one_library() -> None:
    module = tain.cpp.load_inline(
        "mixed",
        cpp_sources='extern "C" int twice(int x); int f(int x) { return twice(x) + 1; }',
        c_sources=["static int two = 2;", "int twice(int x) { int new = two; return new * x; }"],
        functions="f",
    )
    assert module.f(4) == 9
    assert ctypes.CDLL(module.file).twice(5) == 10  # what C defines is visible


def test_c_files_have_a_compiler_of_their_own(tmp_path: Path, monkeypatch) -> None:
    fake = FakeCompiler(tmp_path)
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", str(fake.path))
    monkeypatch.setenv("CC", f"{fake.path} -DOF_C")
    for name in ("a.c", "b.cc"):
        (tmp_path / name).write_text("")
    tain.cpp.build("two", sources=[tmp_path / "a.c", tmp_path / "b.cc"])
    commands = fake.log.read_text().splitlines()[:2]
    of_c, of_cpp = sorted(commands, key=lambda line: "b.cc" in line)
    assert of_c.startswith("-DOF_C ")
    assert "-DOF_C" not in of_cpp
    assert "-std=c++20" in of_cpp
    assert "-std" not in of_c
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(RuntimeError, match="cannot find the compiler 'no-such-compiler' that CC"):
        tain.cpp.build("two", sources=tmp_path / "a.c")


@pytest.mark.bad_input
def test_paths_with_odd_characters(tmp_path: Path, monkeypatch) -> None:
    folder = os.fsencode(tmp_path) + b"/a 'b\" $x #\xff;`\\ c: (d)"
    os.mkdir(folder)
    with open(folder + b"/value.h", "w") as file:
        file.write("#define VALUE 7\n")
    monkeypatch.setenv("TAIN_CACHE_DIR", os.fsdecode(folder) + "/cache")
    source = folder + b"/odd.cc"
    with open(source, "w") as file:
        file.write('#include "value.h"\nextern "C" int odd() { return VALUE; }\n')
    options = {"sources": [source], "extra_cflags": ["-fvisibility=default"]}
    for value in (7, 8):
        with open(folder + b"/value.h", "w") as file:
            file.write(f"#define VALUE {value}\n")
        path = tain.cpp.build("odd", **options, build_directory=folder + b"/out")
        assert os.fsencode(path) == folder + b"/out/libodd.so"
        # Not by its own path: the loader would give the first one again.
        copy = tmp_path / f"{value}.so"
        copy.write_bytes(Path(path).read_bytes())
        assert ctypes.CDLL(str(copy)).odd() == value
    assert tain.cpp.build("odd", **options, extra_include_paths=[folder]).endswith("/libodd.so")
    with open(source, "w") as file:
        file.write("nope")
    with pytest.raises(CompileError, match=r"odd\.cc:1:1: error: .*nope"):
        tain.cpp.build("odd", **options)


KERNEL = """
__global__ void scale(double* values, double by) { values[threadIdx.x] *= by; }
int devices() {
  int count = -1;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
int64_t count(tain::TensorRef<float, 1, tain::OnDevice<kDLCUDA>> x) { return x.numel(); }
tain::String kernel() { return reinterpret_cast<void*>(&scale) != nullptr ? "scale" : ""; }
"""


@pytest.mark.slow
@pytest.mark.only_if(has_nvcc(), reason="nvcc is not installed")
@pytest.mark.only_if(not SANITIZED, reason="nvcc does not run under the sanitizer")
def test_cuda(tmp_path: Path) -> None:
    folder = tmp_path / "with 'blank' (and) more"
    module = tain.cpp.load_inline(
        "kernels",
        cuda_sources=KERNEL,
        functions=["devices", "kernel", "count"],
        build_directory=folder,
    )
    assert module.kernel() == "scale"
    text = (
        "count: argument arg0: expected Tensor of float32 with 1 dimension on cuda, got Tensor "
        "(float32, shape (2,))"
    )
    with raises(TypeError, text):
        module.count(tain.empty(2))
    assert module.devices() >= 0
    with pytest.raises(CompileError, match=r"^<inline CUDA>\(2\): error: identifier \"nope\""):
        tain.cpp.build_inline("kernels", cuda_sources="\nint f() { return nope; }")


@pytest.mark.bad_input
@pytest.mark.only_if(has_nvcc(), reason="nvcc is not installed")
def test_paths_that_nvcc_would_give_to_a_shell(tmp_path: Path) -> None:
    for name in ("`touch x`", "$(touch x)", 'a"b', "a\\b", "a\nb"):
        text = "expected a path without .* and line breaks, as nvcc uses a shell, got '.*'$"
        with pytest.raises(ValueError, match=text):
            tain.cpp.build_inline("shell", cuda_sources="", build_directory=tmp_path / name)


@pytest.mark.bad_input
def test_a_comma_in_the_folder_of_temporary_files(tmp_path: Path, monkeypatch) -> None:
    folder = tmp_path / "a,b"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    with pytest.raises(ValueError, match=r"^tain\.cpp: expected a folder for temporary files "):
        tain.cpp.build_inline("commas", cuda_sources="")
    made = tain.cpp.load_inline("commas", cpp_sources="int one() { return 1; }", functions="one")
    assert made.one() == 1


@pytest.mark.bad_input
def test_cuda_without_nvcc(tmp_path: Path, monkeypatch) -> None:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", str(FakeCompiler(tmp_path).path))
    monkeypatch.setattr(_cuda, "_of_packages", lambda: iter(()))
    (tmp_path / "a.cu").write_text("")
    text = (
        "tain.cpp: cannot find nvcc, which compiles CUDA, in CUDA_HOME or on PATH: install CUDA, "
        "or the Python packages nvidia-cuda-nvcc, nvidia-cuda-runtime and nvidia-cuda-cccl"
    )
    for build in (
        lambda: tain.cpp.build("cuda", sources=tmp_path / "a.cu"),
        lambda: tain.cpp.load_inline("cuda", cuda_sources=""),
    ):
        with pytest.raises(RuntimeError) as caught:
            build()
        assert str(caught.value) == text
