# SPDX-License-Identifier: Apache-2.0
"""`tvm_ffi.utils.embed_cubin`: any file in an object file, which a program then reads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
import tain_tvm_ffi

CONTENT = b'a "kernel"\0\xff\n' * 1000
USER = """
#include <stdio.h>
extern const unsigned char __tvm_ffi__cubin_NAME[], __tvm_ffi__cubin_NAME_end[];
void write_NAME(void) {
  const unsigned char* begin = __tvm_ffi__cubin_NAME;
  fwrite(begin, 1, (size_t)(__tvm_ffi__cubin_NAME_end - begin), stdout);
}
"""
MAIN = "void write_one(void), write_two(void); int main(void) { write_one(); write_two(); }"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    path = Path(tain_tvm_ffi.provided_dir()) / "tvm_ffi" / "utils" / "embed_cubin.py"
    spec = spec_from_file_location("embed_cubin", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compiled_user(tmp_path: Path) -> Callable[[str], Path]:
    def compile(name: str) -> Path:
        source, made = tmp_path / f"{name}.c", tmp_path / f"{name}.o"
        source.write_text(USER.replace("NAME", name), encoding="utf-8")
        subprocess.run(["cc", "-fPIC", "-c", str(source), "-o", str(made)], check=True)
        return made

    return compile


def test_a_program_reads_what_was_embedded(
    tool: ModuleType, compiled_user: Callable[[str], Path], tmp_path: Path
) -> None:
    """Two object files, of which one is written over itself by the command line."""
    folder = tmp_path / 'a "folder" \\ of its own'
    folder.mkdir()
    cubin, empty = folder / "a kernel.cubin", folder / "empty.cubin"
    cubin.write_bytes(CONTENT)
    empty.write_bytes(b"end")
    one, two = compiled_user("one"), compiled_user("two")
    tool.embed_cubin(cubin, one, tmp_path / "one_more.o", "one", verbose=True)
    module = ["-m", "tain_tvm_ffi", "run", "-m", "tvm_ffi.utils.embed_cubin"]
    options = ["--cubin", str(empty), "--input-obj", str(two), "--output-obj", str(two)]
    subprocess.run([sys.executable, *module, *options, "--name", "two"], check=True)
    (tmp_path / "main.c").write_text(MAIN, encoding="utf-8")
    objects = [str(tmp_path / name) for name in ("main.c", "one_more.o", "two.o")]
    subprocess.run(["cc", *objects, "-o", str(tmp_path / "main")], check=True)
    done = subprocess.run([str(tmp_path / "main")], check=True, capture_output=True)
    assert done.stdout == CONTENT + b"end"
    symbols = subprocess.run(["nm", str(two)], check=True, capture_output=True, text=True).stdout
    assert " r __tvm_ffi__cubin_two\n" in symbols  # local
    assert sorted(path.name for path in tmp_path.glob("embed-cubin-*")) == []


@pytest.mark.bad_input
def test_what_is_wrong_is_said_and_nothing_is_written(
    tool: ModuleType, compiled_user: Callable[[str], Path], tmp_path: Path
) -> None:
    user, cubin, output = compiled_user("one"), tmp_path / "k.cubin", tmp_path / "out.o"
    with pytest.raises(FileNotFoundError, match=r"k\.cubin"):
        tool.embed_cubin(cubin, user, output, "one")
    cubin.write_bytes(b"k")
    with pytest.raises(FileNotFoundError, match=r"no\.o"):
        tool.embed_cubin(cubin, tmp_path / "no.o", output, "one")
    for name in ("", "a b", "1", "a\n.globl x", "\N{LATIN SMALL LETTER A WITH DIAERESIS}"):
        with pytest.raises(ValueError, match="expected an identifier"):
            tool.embed_cubin(cubin, user, output, name)
    with pytest.raises(RuntimeError, match="ld -r"):
        tool.embed_cubin(cubin, cubin, output, "one")
    module = ["-m", "tain_tvm_ffi", "run", "-m", "tvm_ffi.utils.embed_cubin"]
    options = ["--cubin", "none", "--input-obj", "none", "--output-obj", str(output), "--name", "a"]
    done = subprocess.run(
        [sys.executable, *module, *options], check=False, capture_output=True, text=True
    )
    assert (done.returncode, "there is no file" in done.stderr) == (1, True)
    assert not output.exists()
