# SPDX-License-Identifier: Apache-2.0
"""Modules of libraries that were saved: with their own imports, their own content, and paths."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from errors import raises

import tain

# Its function asks the imports of the library for `imported`, once.
SOURCE = r"""
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; int64_t number; } Any;
void* __tvm_ffi__library_ctx;
int (*__TVMFFIEnvModLookupFromImports)(void*, const char*, void**);
int (*__TVMFFIFunctionCall)(void*, const Any*, int32_t, Any*);
int __tvm_ffi_ask(void* self, const Any* args, int32_t num_args, Any* result) {
  static void* found = 0;
  if (!found && __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "imported", &found)) {
    return -1;
  }
  return __TVMFFIFunctionCall(found, args, num_args, result);
}
int __tvm_ffi_version(void* self, const Any* args, int32_t num_args, Any* result) {
  result->type_index = 1;
  result->pad = 0;
  result->number = VERSION;
  return 0;
}
"""


class Answer(tain.Module):
    """A module written in Python, of which each load makes another."""

    kind = "testing_answer"

    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value

    def get_function(self, name: str) -> Callable[..., object] | None:
        return (lambda: self.value) if name == "imported" else None

    def save_to_bytes(self) -> bytes:
        return str(self.value).encode()


tain.register_module_loader(
    "testing_answer", load_from_bytes=lambda data: Answer(int(data)), override=True
)


def compile_c(library: Path, version: int = 1) -> Path:
    source = library.with_suffix(".c")
    source.write_text(SOURCE)
    made = library.with_suffix(".new")
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-O1",
        f"-DVERSION={version}",
        str(source),
        "-o",
        str(made),
    ]
    subprocess.run(command, check=True)
    os.replace(made, library)
    return library


def with_import(library: Path, value: int) -> tain.Module:
    module = tain.load_module(library)
    module.clear_imports()
    module.import_module(Answer(value))
    return module


def test_copies_with_other_imports_are_apart(tmp_path: Path) -> None:
    library = compile_c(tmp_path / "apart.so")
    saved = [pickle.dumps(with_import(library, value)) for value in (5, 9)]
    first, second = map(pickle.loads, saved)
    assert [first.ask(), second.ask()] == [5, 9]
    assert [[one.value for one in module.imports] for module in (first, second)] == [[5], [9]]
    assert first.ask() == 5


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    saved = pickle.dumps(with_import(compile_c(tmp_path / "again.so"), 5))
    first = pickle.loads(saved)
    for _ in range(3):
        assert pickle.loads(saved) is first
    assert copy.deepcopy(first) is first
    assert len(first.imports) == 1


def test_a_copy_does_not_change_what_is_alive(tmp_path: Path) -> None:
    library = compile_c(tmp_path / "alive.so")
    bare = pickle.loads(pickle.dumps(tain.load_module(library)))
    assert len(bare.imports) == 0
    loaded = pickle.loads(pickle.dumps(with_import(library, 3)))
    assert loaded.ask() == 3
    assert len(bare.imports) == 0
    assert loaded is not bare


def test_the_code_of_a_module_that_is_gone_serves_again(tmp_path: Path) -> None:
    library = compile_c(tmp_path / "gone.so")
    files = set()
    for value in range(5):
        module = pickle.loads(pickle.dumps(with_import(library, value)))
        assert [one.value for one in module.imports] == [value]
        files.add(module.file)
        del module
    assert len(files) == 1


def test_exported_libraries_with_other_imports_are_apart(tmp_path: Path) -> None:
    library = compile_c(tmp_path / "exported.so")
    modules = []
    for value in (1, 2):
        path = tmp_path / f"export{value}.so"
        with_import(library, value).export_library(path)
        modules.append(tain.load_module(path))
    assert [module.ask() for module in modules] == [1, 2]
    again = pickle.loads(pickle.dumps(modules[1]))
    assert (again.ask(), len(again.imports)) == (2, 1)


@pytest.mark.bad_input
def test_what_was_loaded_is_saved_and_nothing_else(tmp_path: Path) -> None:
    library = compile_c(tmp_path / "changed.so", 1)
    module = tain.load_module(library)
    compile_c(library, 2)
    assert module.version() == 1
    text = (
        f"cannot save the module: its file {library} has changed since it was loaded. Load it "
        "again, and save that"
    )
    for save in (
        pickle.dumps,
        lambda one: one.save_to_bytes(),
        lambda one: one.save(str(tmp_path / "x.so")),
        lambda one: one.export_library(tmp_path / "x.so"),
    ):
        with raises(OSError, text):
            save(module)
    fresh = tain.load_module(library)
    assert pickle.loads(pickle.dumps(fresh)).version() == 2
    Path(fresh.file).unlink()
    with raises(OSError, f"cannot save the module: its file {fresh.file} cannot be read"):
        pickle.dumps(fresh)


def test_paths_of_files(tmp_path: Path) -> None:
    module = tain.load_module(compile_c(tmp_path / "paths.so"))
    names = ["plain.so", "with blank.so", "ü.so", os.fsdecode(b"\xff.so"), "\N{SNOWMAN}.so"]
    for number, name in enumerate(names):
        path = tmp_path / name
        if number % 2:
            module.save(path)
        else:
            module.write_to_file(str(path))
        assert path.is_file()
        assert tain.load_module(path).version() == 1
    module.save(os.fsencode(tmp_path / "bytes.so"))
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "bytes.so", "paths.so", "paths.c"])


@pytest.mark.bad_input
def test_paths_that_are_none(tmp_path: Path) -> None:
    module = tain.load_module(compile_c(tmp_path / "paths.so"))
    target = tmp_path / "a"
    with raises(ValueError, "write_to_file: the path contains a NUL"):
        module.write_to_file(f"{target}\0b")
    with pytest.raises(ValueError, match="without an embedded null character"):
        module.save(f"{target}\0b")
    with raises(ValueError, "write_to_file: the path is empty"):
        module.save("")
    with pytest.raises(IsADirectoryError):
        module.export_library(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["paths.c", "paths.so"]


def test_a_temporary_folder_with_a_comma(tmp_path: Path, monkeypatch) -> None:
    import tempfile

    folder = tmp_path / "a,b"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    module = with_import(compile_c(tmp_path / "comma.so"), 4)
    module.export_library(tmp_path / "whole.so")
    assert tain.load_module(tmp_path / "whole.so").ask() == 4
