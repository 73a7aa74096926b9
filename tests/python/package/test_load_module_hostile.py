# SPDX-License-Identifier: Apache-2.0
"""Modules whose libraries are damaged, and whose methods change modules while these are in use."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from errors import raises

import tain

CODE = """
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; int64_t number; } Any;
int __tvm_ffi_one(void* self, const Any* args, int32_t num_args, Any* result) {
  result->type_index = 1;
  result->number = 1;
  return 0;
}
"""
ASKS = """
void* __tvm_ffi__library_ctx;
int (*__TVMFFIEnvModLookupFromImports)(void*, const char*, void**);
int (*__TVMFFIFunctionCall)(void*, const Any*, int32_t, Any*);
int __tvm_ffi_NAME(void* self, const Any* args, int32_t num_args, Any* result) {
  void* found = 0;
  if (__TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "asked", &found) != 0) return -1;
  return __TVMFFIFunctionCall(found, args, 0, result);
}
"""


def compile_c(folder: Path, source: str) -> Path:
    (folder / "lib.c").write_text(source)
    library = folder / "lib.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "lib.c", "-o", str(library)]
    subprocess.run(command, cwd=folder, check=True)
    return library


class Scripted(tain.Module):
    """A module that does something when it is asked or saved."""

    kind = "testing_scripted"

    def __init__(self, action: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self.action = action

    def get_function(self, name: str) -> None:
        self.action()

    def save_to_bytes(self) -> bytes:
        self.action()
        return b""


tain.register_module_loader(
    "testing_scripted", load_from_bytes=lambda data: Scripted(), override=True
)

DAMAGED = {
    "const unsigned char __tvm_ffi__library_bin[] = {0, 0, 0, 0, 1, 0, 0, 0};": (
        "the modules that it contains are damaged"
    ),
    "const unsigned char __tvm_ffi__library_bin[] = {1};": (
        "the modules that it contains are damaged"
    ),
    "void* const __tvm_ffi__library_ctx = 0;": (
        "expected a pointer that can be written as the symbol __tvm_ffi__library_ctx"
    ),
    "char __TVMFFIFunctionCall = 0;": (
        "expected a pointer that can be written as the symbol __TVMFFIFunctionCall"
    ),
}


@pytest.mark.bad_input
@pytest.mark.parametrize(("source", "text"), DAMAGED.items())
def test_damaged_variables(source: str, text: str, tmp_path: Path) -> None:
    library = compile_c(tmp_path, source)
    with pytest.raises(ImportError) as caught:
        tain.load_module(library)
    assert str(caught.value) == f"{library}: {text}"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "source", ["const char __tain_export_f = 3;", "int __tain_export_f(void) { return 1; }"]
)
def test_damaged_records(source: str, tmp_path: Path) -> None:
    library = compile_c(tmp_path, source)
    with pytest.raises(ImportError) as caught:
        _ = tain.load_module(library).f
    assert str(caught.value) == (
        f"{library}: the symbol __tain_export_f is not what TAIN_EXPORT wrote"
    )


def test_a_file_with_two_names(tmp_path: Path) -> None:
    library = compile_c(tmp_path, CODE)
    os.link(library, tmp_path / "other.so")
    for _ in range(3):
        first, second = tain.load_module(library), tain.load_module(tmp_path / "other.so")
        first.close()
        assert second.one() == 1
        first = tain.load_module(library)
        second.close()
        assert first.one() == 1
        first.close()


def test_an_import_that_loads_the_library_when_it_dies(tmp_path: Path) -> None:
    library = compile_c(tmp_path, CODE)
    loaded = []

    class Last(tain.Module):
        def __del__(self) -> None:
            loaded.append(tain.load_module(library))

    module = tain.load_module(library)
    module.import_module(Last())
    module.close()
    assert loaded[0] is not module
    assert loaded[0].one() == 1


def test_closing_a_library_whose_code_runs(tmp_path: Path) -> None:
    """The call goes on, with what it has found; what it asks next is refused."""
    library = compile_c(tmp_path, CODE + ASKS.replace("NAME", "ask"))
    module = tain.load_module(library)
    ask = module.ask

    class Closer(tain.Module):
        def get_function(self, name: str) -> Callable[[], str]:
            return lambda: loaded.pop().close() or "text"

    loaded = [module]
    module.import_module(Closer())
    assert ask() == "text"
    for use in (ask, lambda: module.ask):
        with raises(ValueError, f"the module is closed: {library}"):
            use()
    assert not module.imports


def call_until_refused(module: tain.Module, started: threading.Barrier, refused: list[str]) -> None:
    call = module.one
    started.wait()
    try:
        while True:
            assert call() == 1
            assert module.one() == 1
    except ValueError as error:
        refused.append(str(error))


def test_closing_in_one_thread_while_others_call(tmp_path: Path) -> None:
    library = compile_c(tmp_path, CODE)
    for _ in range(50):
        module = tain.load_module(library)
        started = threading.Barrier(3)
        refused: list[str] = []
        threads = [
            threading.Thread(target=call_until_refused, args=(module, started, refused))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        started.wait()
        module.close()
        for thread in threads:
            thread.join()
        assert refused == [f"the module is closed: {library}"] * 2


def test_an_import_that_clears_the_imports_while_it_is_asked(tmp_path: Path) -> None:
    module = tain.load_module(compile_c(tmp_path, CODE + ASKS.replace("NAME", "ask")))
    asked = []

    def clear() -> None:
        asked.append(1)
        module.clear_imports()

    for _ in range(4):
        module.import_module(Scripted(clear))
    with pytest.raises(ValueError, match="calls the function 'asked', which neither"):
        module.ask()
    assert len(asked) == 4
    assert list(module.imports) == []


def test_saving_a_module_that_changes_its_imports() -> None:
    child = Scripted()
    root = Scripted(lambda: [child.import_module(Scripted()) for _ in range(9)])
    root.import_module(child)
    copy = pickle.loads(pickle.dumps(root))
    assert [len(one.imports) for one in (copy, *copy.imports)] == [1, 0]
    assert len(child.imports) == 9


def test_chains_of_ten_thousands_of_imports() -> None:
    last = chain = Scripted()
    for _ in range(20000):
        module = tain.Module()
        module.import_module(chain)
        chain = module
    with pytest.raises(ValueError, match="the given module imports it"):
        last.import_module(chain)
    assert chain.find_function("missing") is None


def test_names_that_are_not_text(tmp_path: Path) -> None:
    source = r"""
        int odd(void* a, void* b, int c, void* d) __asm__("__tvm_ffi_\xff\xfe");
        int odd(void* a, void* b, int c, void* d) { return 0; }
        int __tvm_ffi_plain(void* a, void* b, int c, void* d) { return 0; }
        int __tvm_ffi_data = 1;
    """
    module = tain.load_module(compile_c(tmp_path, source))
    assert list(module.get_function_list()) == ["plain"]
    assert not module.implements_function("data")
    assert "plain" in dir(module)
    with raises(AttributeError, "module of kind 'library' has no function 'x' (it has plain)."):
        _ = module.x


def test_cycles_through_imports_are_collected() -> None:
    class Holder(tain.Module):
        pass

    before = tain.testing.live_objects().get("ffi.Module", 0)
    for _ in range(20):
        first, second = Holder(), Holder()
        first.import_module(second)
        second.back = first
    del first, second
    gc.collect()
    assert tain.testing.live_objects().get("ffi.Module", 0) == before


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.so")
    with raises(ImportError, f"cannot load {tmp_path / 'pipe.so'}: expected a regular file"):
        tain.load_module(tmp_path / "pipe.so")


def test_imports_change_while_threads_without_the_gil_look_them_up(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    asking = tain.load_module(compile_c(tmp_path, CODE + ASKS.replace("NAME", "ask")))
    other = tain.load_module(compile_c(tmp_path / "one", CODE.replace("one", "asked")))
    asking.import_module(other)
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            with contextlib.suppress(Exception):
                asking.ask()

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(5_000):
        asking.clear_imports()
        asking.import_module(other)
    stop.set()
    for thread in threads:
        thread.join()


MAKES = """
#include <stdlib.h>
typedef struct {
  uint64_t counts;
  int32_t type_index;
  uint32_t reserved;
  void (*deleter)(void* self, int flags);
  int (*safe_call)(void* self, const Any* args, int32_t num_args, Any* result);
  void* cpp_call;
} Function;
static void destroy(void* self, int flags) {
  if (flags & 2) free(self);
}
int __tvm_ffi_make(void* self, const Any* args, int32_t num_args, Any* result) {
  Function* made = calloc(1, sizeof(Function));
  made->counts = ((uint64_t)1 << 32) + 1;
  made->type_index = 68;
  made->deleter = &destroy;
  made->safe_call = &__tvm_ffi_one;
  result->type_index = 68;
  result->pad = 0;
  result->number = (int64_t)(intptr_t)made;
  return 0;
}
"""


def test_objects_whose_deleter_is_in_the_library_outlive_it(tmp_path: Path) -> None:
    library = compile_c(tmp_path, CODE + MAKES)
    module = tain.load_module(library)
    functions = [module.make(), module.make()]
    module.close()
    del module
    gc.collect()
    assert [function() for function in functions] == [1, 1]
    assert str(library) in Path("/proc/self/maps").read_text()


def test_a_closed_module_that_others_import(tmp_path: Path) -> None:
    module = tain.load_module(compile_c(tmp_path, CODE))
    importer = tain.Module()
    importer.import_module(module)
    assert importer.find_function("one")() == 1
    module.close()
    with raises(ValueError, f"the module is closed: {module.file}"):
        importer.find_function("one")
    importer.clear_imports()
    assert importer.find_function("one") is None


def test_saving_a_library_over_its_own_file(tmp_path: Path) -> None:
    """The process has mapped the file: writing into it would change or end the code that runs."""
    library = compile_c(tmp_path, CODE)
    module = tain.load_module(library)
    inode = library.stat().st_ino
    module.save(str(library))
    assert library.stat().st_ino != inode
    assert sorted(os.listdir(tmp_path)) == ["lib.c", "lib.so"]
    assert module.one() == 1
    missing = tmp_path / "none" / "lib.so"
    with raises(FileNotFoundError, f"[Errno 2] No such file or directory: '{missing}'"):
        module.save(str(missing))


def test_exceptions_of_a_library_are_no_functions() -> None:
    path = tain.cpp.build_inline(
        "has_error",
        cpp_sources="""
            struct Trouble : std::runtime_error { using runtime_error::runtime_error; };
            TAIN_REGISTER {
              tain::reflection::ErrorDef<Trouble>("has_error.Trouble");
              tain::reflection::GlobalDef().def("has_error.f", [] { throw Trouble("now"); });
            }
        """,
    )
    module = tain.load_module(path)
    assert (list(module.errors), list(module.functions)) == (
        ["has_error.Trouble"],
        ["has_error.f"],
    )
    assert tain.load_library(path).errors == ("has_error.Trouble",)
    assert "Trouble" in dir(module)
    assert issubclass(module.Trouble, RuntimeError)
    with pytest.raises(module.Trouble, match=r"^now$"):
        module.f()
    assert repr(module).endswith(", the functions has_error.f, the exceptions has_error.Trouble>")
