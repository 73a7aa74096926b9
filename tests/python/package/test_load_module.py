# SPDX-License-Identifier: Apache-2.0
"""Modules: libraries that are loaded, classes written in Python, imports, saving, closing."""

from __future__ import annotations

import contextlib
import gc
import inspect
import pickle
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from errors import raises

import tain

# A library that uses no header of tain, and calls what the loader writes into its variables.
PLAIN_C = r"""
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; union { int64_t number; void* object; }; } Any;
void* __tvm_ffi__library_ctx;
void (*__TVMFFIErrorSetRaisedFromCStr)(const char*, const char*);
int (*__TVMFFIEnvModLookupFromImports)(void*, const char*, void**);
int (*__TVMFFIFunctionCall)(void*, const Any*, int32_t, Any*);
int __tvm_ffi_increment(void* self, const Any* args, int32_t num_args, Any* result) {
  if (self != 0 || num_args != 1 || args[0].type_index != 1) {
    __TVMFFIErrorSetRaisedFromCStr("TypeError", "increment: expected one int");
    return -1;
  }
  result->type_index = 1;
  result->number = args[0].number + 1;
  return 0;
}
int __tvm_ffi_ask_import(void* self, const Any* args, int32_t num_args, Any* result) {
  void* found = 0;
  if (__TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "imported", &found) != 0) return -1;
  return __TVMFFIFunctionCall(found, args, num_args, result);
}
int __tvm_ffi_number = 3;
int __tvm_ffi_main(void* self, const Any* args, int32_t num_args, Any* result) {
  result->type_index = 1;
  result->number = num_args;
  return 0;
}
"""
EXPORTS = """
    int add(int a, int b) { return a + b; }
    TAIN_EXPORT(add, add, tain::arg("a"), tain::arg("b") = 1, "Adds two numbers.");
    TAIN_EXPORT(twice, [](double x) { return 2 * x; });
    TAIN_EXPORT(count, [](tain::Args args) -> tain::Any { return tain::Any(args.size()); });
    TAIN_EXPORT(fail, [](std::string text) -> void { TAIN_THROW(ValueError) << text; });
    TAIN_EXPORT(release, [] { return 1; }, tain::release_gil());
"""


def compile_c(folder: Path, source: str, name: str = "plain") -> Path:
    """Compile C text to a library without anything of tain."""
    (folder / f"{name}.c").write_text(source)
    library = folder / f"{name}.so"
    command = ["cc", "-shared", "-fPIC", "-O1", f"{name}.c", "-o", str(library)]
    subprocess.run(command, cwd=folder, check=True)
    return library


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(tmp_path_factory.mktemp("plain"), PLAIN_C)


@pytest.fixture(scope="session")
def exports() -> str:
    return tain.cpp.build_inline("module_exports", cpp_sources=EXPORTS)


def error(kind: type[Exception], call: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


class Constant(tain.Module):
    """A module written in Python."""

    kind = "testing_constant"

    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value

    def get_function(self, name: str) -> Callable[..., object] | None:
        return {"main": lambda: self.value, "imported": lambda x: self.value + x}.get(name)

    def save_to_bytes(self) -> bytes:
        return str(self.value).encode()


tain.register_module_loader(
    "testing_constant", load_from_bytes=lambda data: Constant(int(data)), override=True
)


# ---------------------------------------------------------------- functions


def test_exported_functions_have_names_defaults_and_documentation(exports: str) -> None:
    module = tain.load_module(exports)
    assert list(module.get_function_list()) == ["add", "count", "fail", "release", "twice"]
    assert module.add(1) == module["add"](a=1) == 2
    assert module.add(1, b=5) == 6
    assert module.twice(1.5) == 3.0
    assert module.count(1, "a", None) == 3
    assert str(module.add.__signature__) == "(a: int, b: int = 1) -> int"
    assert module.add.__doc__.endswith("Adds two numbers.")
    assert module.get_function_doc("add") == "Adds two numbers."
    assert module.get_function_doc("twice") is None
    assert '\\"type\\":\\"int\\"' in module.get_function_metadata("add")
    assert module.add is module.add
    assert [module.add.release_gil, module.release.release_gil] == [False, True]
    assert {"add", "kind", "imports"} <= set(dir(module))
    assert "add" not in tain.list_global_func_names()


def test_errors_of_exported_functions(exports: str) -> None:
    module = tain.load_module(exports)
    assert error(ValueError, lambda: module.fail("text")) == "text"
    assert (
        error(TypeError, lambda: module.add("x")) == "add: argument a: expected int, got str ('x')"
    )
    assert error(TypeError, lambda: module.add(1, c=2)) == (
        "add() got an unexpected keyword argument 'c'"
    )


def test_a_library_that_knows_nothing_of_tain(plain: Path) -> None:
    module = tain.load_module(plain)
    assert list(module.get_function_list()) == ["ask_import", "increment", "main"]
    assert module.increment(41) == 42
    assert module.increment.release_gil is True
    assert module(1, 2, 3) == 3
    assert error(TypeError, lambda: module.increment("x")) == "increment: expected one int"
    assert error(TypeError, lambda: module.number) == (
        f"{plain}: expected a function as the symbol __tvm_ffi_number, got data"
    )


def test_what_a_module_says_of_itself(plain: Path) -> None:
    module = tain.load_module(plain)
    assert (module.kind, module.type_key, module.format) == ("library", "library", "so")
    assert (module.entry_name, module.is_binary, module.is_device_module) == ("main", True, False)
    assert (module.get_property_mask(), module.is_runnable) == (3, True)
    assert not module.is_compilation_exportable
    assert module.get_source() == module.inspect_source() == ""
    assert repr(module) == f"<module {plain}>"
    assert isinstance(module, tain.Module)
    assert type(module).__name__ == "LibraryModule"


def test_functions_that_are_not_there(plain: Path) -> None:
    module = tain.load_module(plain)
    text = (
        "module of kind 'library' has no function 'incremet' (it has ask_import, increment, main)."
        " Did you mean 'increment'?"
    )
    assert error(AttributeError, lambda: module.incremet) == text
    assert error(AttributeError, lambda: module["incremet"]) == text
    assert error(AttributeError, lambda: module.__incremet__) == (
        "module of kind 'library' has no attribute '__incremet__'"
    )
    assert module.get_function("incremet") is None
    assert module.implements_function("increment")
    assert not module.implements_function("incremet")


def test_one_content_is_one_module(plain: Path, tmp_path: Path) -> None:
    library = Path(shutil.copy(plain, tmp_path / "own.so"))
    module = tain.load_module(library)
    assert tain.load_module(library) is module
    increment = module.increment
    changed = compile_c(tmp_path, PLAIN_C.replace("number + 1", "number + 2"), "changed")
    changed.replace(library)  # writing into the file would change the loaded code
    again = tain.load_module(library)
    assert again is not module
    assert (increment(1), module.increment(1), again.increment(1)) == (2, 2, 3)


def test_functions_keep_their_module(plain: Path, tmp_path: Path) -> None:
    library = shutil.copy(plain, tmp_path / "kept.so")
    increment = tain.load_module(library).increment
    gc.collect()
    assert increment(1) == 2
    assert tain.testing.live_objects()["ffi.LibraryModule"] >= 1


# ---------------------------------------------------------------- imports


def test_functions_of_imports() -> None:
    first, second, third = Constant(1), Constant(2), tain.Module()
    third.import_module(first)
    third.import_module(second)
    assert list(third.imports) == [first, second]
    assert third() == 1
    assert third.get_function("main") is None
    assert third.find_function("main")() == 1
    third.clear_imports()
    assert list(third.imports) == []
    assert third.find_function("main") is None


def test_compiled_code_calls_its_imports(plain: Path, tmp_path: Path) -> None:
    module = tain.load_module(shutil.copy(plain, tmp_path / "asks.so"))
    assert error(ValueError, lambda: module.ask_import(1)) == (
        f"{module.file} calls the function 'imported', which neither its imports nor the global "
        "functions have"
    )
    module.import_module(Constant(40))
    assert module.ask_import(2) == 42


@pytest.mark.bad_input
def test_a_module_cannot_import_itself() -> None:
    first, second, third = tain.Module(), tain.Module(), tain.Module()
    text = "import_module: a module cannot import itself, but "
    assert error(ValueError, lambda: first.import_module(first)) == text + "was given itself"
    first.import_module(second)
    second.import_module(third)
    assert error(ValueError, lambda: third.import_module(first)) == (
        text + "the given module imports it"
    )
    assert error(TypeError, lambda: first.import_module(3)) == (
        "ffi.Module.import_module: argument module: expected ffi.Module | None, got int (3)"
    )
    assert error(ValueError, lambda: first.import_module(None)) == (
        "import_module: expected a module, got None"
    )


def test_a_long_chain_of_imports() -> None:
    chain = [Constant(7)]
    for _ in range(3000):
        module = tain.Module()
        module.import_module(chain[-1])
        chain.append(module)
    assert chain[-1]() == 7
    while chain:
        chain.pop()


# ---------------------------------------------------------------- saving


def test_pickling_modules_with_their_imports(plain: Path) -> None:
    module = tain.load_module(plain)
    constant = Constant(7)
    constant.import_module(module)
    copy = pickle.loads(pickle.dumps(constant))
    assert type(copy) is Constant
    assert (copy(), copy.increment(1), len(copy.imports)) == (7, 2, 1)
    # The same content is the same module.
    assert pickle.loads(pickle.dumps(copy)).imports[0] is copy.imports[0]


def test_an_import_that_two_modules_share_is_saved_once() -> None:
    shared, left, right, root = Constant(1), Constant(2), Constant(3), Constant(4)
    for parent, child in ((left, shared), (right, shared), (root, left), (root, right)):
        parent.import_module(child)
    copy = pickle.loads(pickle.dumps(root))
    assert [one.value for one in copy.imports] == [2, 3]
    assert copy.imports[0].imports[0] is copy.imports[1].imports[0]


def test_another_process_loads_what_was_saved(run, plain: Path, tmp_path: Path) -> None:
    constant = Constant(5)
    constant.import_module(tain.load_module(plain))
    saved = tmp_path / "saved"
    saved.write_bytes(tain.get_global_func("ffi.ModuleSaveTree")(constant))
    source = f"""
        import pathlib, tain
        saved = pathlib.Path({str(saved)!r}).read_bytes()
        load = tain.get_global_func("ffi.ModuleLoadFromTree")
        try:
            load(saved)
        except ValueError as error:
            print(error)
        class Constant(tain.Module):
            kind = "testing_constant"
            def get_function(self, name):
                return (lambda: self.value) if name == "main" else None
        def made(data):
            constant = Constant()
            constant.value = int(data)
            return constant
        tain.register_module_loader("testing_constant", load_from_bytes=made)
        print(load(saved)(), load(saved).increment(1))
    """
    assert run(source) == (
        "no loader for modules of the kind 'testing_constant' is registered: import the package "
        "or load the library that defines them, or register a loader with "
        "tain.register_module_loader\n5 2\n"
    )


def test_saving_to_a_file(plain: Path, tmp_path: Path) -> None:
    module = tain.load_module(plain)
    saved = tmp_path / "saved.so"
    module.save(str(saved))
    assert saved.read_bytes() == plain.read_bytes() == module.save_to_bytes()
    assert tain.load_module(saved).increment(2) == 3
    assert error(ValueError, lambda: module.save(str(saved), "ptx")) == (
        'write_to_file: a library is written as "so", not as "ptx"'
    )
    missing = tmp_path / "none" / "x.so"
    with raises(FileNotFoundError, f"[Errno 2] No such file or directory: '{missing}'"):
        module.save(str(missing))
    assert error(NotImplementedError, lambda: tain.Module().save("x")) == (
        "a module of kind 'ffi.Module' cannot be written to a file"
    )
    assert error(NotImplementedError, lambda: pickle.dumps(tain.Module())) == (
        "a module of kind 'ffi.Module' cannot be saved to bytes"
    )


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:7],
        lambda data: data[:-1],
        lambda data: data[:8],
        lambda data: b"\xff" * len(data),
        lambda data: data[:8] + b"\xff" * 8 + data[16:],
        lambda data: data[:16] + b"\x05" + data[17:],
        lambda data: data[:24] + b"\x05" + data[25:],
        lambda data: data[:40] + b"\x09" + data[41:],
    ],
)
def test_damaged_bytes(change: Callable[[bytes], bytes]) -> None:
    root = Constant(1)
    root.import_module(Constant(2))
    data = tain.get_global_func("ffi.ModuleSaveTree")(root)
    load = tain.get_global_func("ffi.ModuleLoadFromTree")
    assert load(data)() == 1
    text = error(ValueError, lambda: load(change(data)))
    assert text.startswith(("load_module: the ", "no loader for modules of the kind"))


@pytest.mark.bad_input
def test_every_byte_of_a_saved_module_may_be_wrong() -> None:
    root = Constant(1)
    root.import_module(Constant(2))
    data = bytearray(tain.get_global_func("ffi.ModuleSaveTree")(root))
    load = tain.get_global_func("ffi.ModuleLoadFromTree")
    for at in range(len(data)):
        for value in (0, 1, 0x7F, 0x80, 0xFF):
            changed = data[:at] + bytes([value]) + data[at + 1 :]
            with contextlib.suppress(ValueError):
                load(bytes(changed))


# ---------------------------------------------------------------- closing


def test_close(plain: Path, tmp_path: Path) -> None:
    library = shutil.copy(plain, tmp_path / "closed.so")
    module = tain.load_module(library)
    increment = module.increment
    module.close()
    module.close()
    assert module.closed
    text = f"the module is closed: {library}"
    for call in (
        lambda: increment(1),
        lambda: module.increment,
        lambda: module["increment"],
        lambda: module(1),
        lambda: module.get_function_list(),
        lambda: module.implements_function("increment"),
        lambda: module.save_to_bytes(),
        lambda: module.get_function_doc("increment"),
    ):
        assert error(ValueError, call) == text
    assert repr(module) == f"<module {library}, closed>"
    assert {"close", "increment"} & set(dir(module)) == {"close"}
    again = tain.load_module(library)
    assert again is not module
    assert again.increment(1) == 2
    assert error(ValueError, lambda: increment(1)) == text


def test_what_registered_something_stays_loaded(tmp_path: Path) -> None:
    source = """
        struct KeptObj : tain::Object {
          TAIN_OBJECT("load_module_kept.Kept", KeptObj, tain::Object);
        };
        TAIN_REGISTER { tain::reflection::ObjectDef<KeptObj>().def_init<>(); }
    """
    module = tain.cpp.load_inline("load_module_kept", cpp_sources=source)
    assert error(RuntimeError, module.close) == (
        f"cannot close {module.file}: it registered types or functions, so it stays loaded until "
        "the process ends"
    )
    assert not module.closed


def test_objects_of_a_closed_module() -> None:
    source = """
        TAIN_EXPORT(maker, [](int by) { return tain::Function([by](int x) { return x + by; }); });
    """
    module = tain.cpp.load_inline("closing_maker", cpp_sources=source)
    maker, made = module.maker, module.maker(2)
    signature = inspect.signature(maker)
    module.close()
    assert made(3) == 5
    assert error(ValueError, lambda: maker(2)) == f"the module is closed: {module.file}"
    assert inspect.signature(maker) == signature


# ---------------------------------------------------------------- loading


@pytest.mark.bad_input
def test_files_that_are_no_modules(tmp_path: Path, plain: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no library")
    short = tmp_path / "short.so"
    short.write_bytes(plain.read_bytes()[: plain.stat().st_size // 2])
    assert "it is not a shared library" in error(ImportError, lambda: tain.load_module(text))
    assert "it is not whole" in error(ImportError, lambda: tain.load_module(short))
    assert error(FileNotFoundError, lambda: tain.load_module(tmp_path / "none.so")) == (
        f"there is no file {tmp_path}/none.so"
    )
    assert error(ValueError, lambda: tain.load_module(tmp_path / "x.ptx")) == (
        "no loader for modules of the format 'ptx' is registered: import the package or load the "
        "library that defines them, or register a loader with tain.register_module_loader"
    )
    name = "g" * 5000
    shown = f"no function '{'g' * 200}...' (it has ask_import, increment, main)."
    missing = error(AttributeError, lambda: getattr(tain.load_module(plain), name))
    assert missing == f"module of kind 'library' has {shown}"
    assert error(ValueError, lambda: tain.load_module(tmp_path / "bare")) == (
        f"{tmp_path}/bare has no extension that says its format: name the format"
    )


@pytest.mark.bad_input
def test_slots_that_are_functions(tmp_path: Path) -> None:
    source = "int __tvm_ffi__library_ctx(void) { return 1; }"
    library = compile_c(tmp_path, source, "slot")
    assert error(ImportError, lambda: tain.load_module(library)) == (
        f"{library}: expected a variable as the symbol __tvm_ffi__library_ctx, got a function"
    )


def test_a_library_contains_the_modules_that_it_imports(tmp_path: Path) -> None:
    constant = Constant(40)
    data = bytearray(tain.get_global_func("ffi.ModuleSaveTree")(constant))
    # The tree (library -> constant): where the lists of imports begin, and the lists.
    number = lambda n: n.to_bytes(8, "little")  # noqa: E731
    tree = b"".join(map(number, (3, 0, 1, 1, 1, 1)))
    own = bytes(data[8 + 8 * 4 :])  # kind and bytes of the constant
    body = tree + number(4) + b"_lib" + own
    blob = ", ".join(map(str, number(len(body)) + body))
    source = PLAIN_C + f"\nconst unsigned char __tvm_ffi__library_bin[] = {{{blob}}};\n"
    module = tain.load_module(compile_c(tmp_path, source, "whole"))
    assert module.kind == "library"
    assert [one.value for one in module.imports] == [40]
    assert module.ask_import(2) == 42


def test_export_library(plain: Path, tmp_path: Path, run) -> None:
    root = tain.load_module(plain)
    parent = tain.load_module(shutil.copy(plain, tmp_path / "parent.so"))
    parent.import_module(Constant(40))
    whole = tmp_path / "with space" / "whole.so"
    whole.parent.mkdir()
    parent.export_library(str(whole))
    loaded = tain.load_module(whole)
    assert (loaded.increment(1), loaded.ask_import(2)) == (2, 42)
    assert loaded.kind == root.kind
    with raises(NotImplementedError, "a module of kind 'ffi.Module' cannot be saved to bytes"):
        tain.Module().export_library(str(whole))
    with pytest.raises(FileNotFoundError):
        root.export_library(str(tmp_path / "none" / "x.so"))


def test_a_loader_of_another_format(tmp_path: Path) -> None:
    tain.register_module_loader(
        "constant_text", load_from_file=lambda path, fmt: Constant(int(Path(path).read_text()))
    )
    (tmp_path / "five.constant_text").write_text("5")
    (tmp_path / "six.txt").write_text("6")
    assert tain.load_module(tmp_path / "five.constant_text")() == 5
    assert tain.load_module(tmp_path / "six.txt", "constant_text")() == 6
    assert "is already registered" in error(
        ValueError,
        lambda: tain.register_module_loader("constant_text", load_from_file=lambda p, f: None),
    )
    tain.register_module_loader("constant_text", load_from_file=lambda p, f: 3, override=True)
    assert error(TypeError, lambda: tain.load_module(tmp_path / "five.constant_text")) == (
        "the loader ffi.Module.load_from_file.constant_text returned no module"
    )
    assert error(ValueError, lambda: tain.register_module_loader("nothing")) == (
        "register_module_loader: expected a loader for 'nothing', got none"
    )
    tain.remove_global_func("ffi.Module.load_from_file.constant_text")


def test_system_lib(run, plain: Path) -> None:
    source = f"""
        import ctypes, gc, tain
        from tain import libinfo
        core = ctypes.CDLL(libinfo.find_bundled("tain"))
        plain = ctypes.CDLL({str(plain)!r})
        address = ctypes.cast(plain.__tvm_ffi_increment, ctypes.c_void_p)
        register = core.TainEnvModRegisterSystemLibSymbol
        name = b"__tvm_ffi_mine_increment"
        print(register(name, address), register(name, address))
        print(register(name, ctypes.c_void_p(8)))
        module = tain.system_lib("mine_")
        print(list(module.get_function_list()), module is tain.system_lib("mine_"), module)
        print(module.increment(1), list(tain.system_lib("other").get_function_list()))
        try:
            module.close()
        except RuntimeError as error:
            print(error)
        """
    assert run(source).splitlines() == [
        "0 0",
        "-1",
        "['increment'] True <module of the program>",
        "2 []",
        "cannot close the module of the program: it is a part of the program, so it stays loaded "
        "until the process ends",
    ]


# ---------------------------------------------------------------- measuring


def test_time_evaluator(exports: str) -> None:
    module = tain.load_module(exports)
    timed = module.time_evaluator("add", dev=tain.cpu(0), number=100, repeat=3)(1, 2)
    mean, results = timed
    assert mean == timed.mean > 0
    assert list(results) == list(timed.results)
    assert len(results) == 3
    assert abs(sum(results) / 3 - mean) < 1e-12
    calls = []

    class Counting(tain.Module):
        def get_function(self, name: str) -> Callable[..., object] | None:
            return calls.append if name == "f" else None

    Counting().time_evaluator("f", number=4, repeat=2)(5)
    assert calls == [5] * 9  # one call before the rounds
    texts = {
        "number": "time_evaluator: number: expected at least 1, got 0",
        "repeat": "time_evaluator: repeat: expected at least 1, got 0",
    }
    for name, text in texts.items():
        assert (
            error(ValueError, lambda name=name: module.time_evaluator("add", **{name: 0})) == text
        )
    with pytest.raises(AttributeError):
        module.time_evaluator("missing")
    with pytest.raises(ValueError, match=r"^text$"):
        module.time_evaluator("fail")("text")


@pytest.mark.bad_input
def test_hostile_classes() -> None:
    class Hostile(tain.Module):
        def __init__(self, result: object) -> None:
            super().__init__()
            self.result = result

        def get_function(self, name: str) -> object:
            return self.result() if callable(self.result) else self.result

    assert "expected" in error(TypeError, lambda: Hostile(3)["f"])

    def fail() -> object:
        raise KeyError("own")

    assert error(KeyError, lambda: Hostile(fail)["f"]) == "'own'"
    assert error(AttributeError, lambda: Hostile(None)["f"]) == (
        "module of kind 'ffi.Module' has no function 'f'."
    )
    nested = Hostile(lambda: nested["f"])
    with pytest.raises(RecursionError):
        nested["f"]
    nested.result = None
