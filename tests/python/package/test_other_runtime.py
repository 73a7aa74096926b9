# SPDX-License-Identifier: Apache-2.0
"""Libraries of another runtime of the binary contract, and tain's modules in another runtime."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import pytest
from errors import raises

import tain

pytestmark = pytest.mark.bad_input

RUNTIME = "int TVMFFIFunctionCall(void) { return 7; }\n"
NEEDY = """
int TVMFFIFunctionCall(void) WEAK;
static int* loaded;
__attribute__((constructor)) static void Load(void) { __builtin_trap(); }
int __tvm_ffi_f(void* self, const void* args, int n, void* result) {
  return loaded ? 0 : TVMFFIFunctionCall() + (self && args && n && result);
}
"""
MODULE = """
int fail(int64_t x) { if (x < 0) TAIN_THROW(KeyError) << "below zero: " << x; return 1; }
int std_fail(int64_t) { throw std::out_of_range("far out"); }
TAIN_EXPORT(fail, fail);
TAIN_EXPORT(std_fail, std_fail);
"""


def compiled(folder: Path, name: str, source: str, *further: str) -> Path:
    (folder / f"{name}.c").write_text(source)
    made = folder / f"lib{name}.so"
    command = ["cc", "-shared", "-fPIC", str(folder / f"{name}.c"), "-o", str(made), *further]
    subprocess.run(command, check=True)
    return made


def refused(library: Path, provider: str) -> str:
    return (
        f"cannot load {library}: it needs TVMFFIFunctionCall, which {provider}: it belongs to "
        "another runtime, so tain would not see what it registers and raises. Run it with "
        "tain_tvm_ffi (python -m tain_tvm_ffi), compile it with tain's headers "
        "(include/tain_compat), or load it with that runtime"
    )


@pytest.mark.parametrize("load", [tain.load_library, tain.load_module])
def test_a_library_of_another_runtime_is_refused(tmp_path: Path, load: Any) -> None:
    """Before it is loaded: its initializers do not run."""
    runtime = compiled(tmp_path, "runtime", RUNTIME)
    needy = compiled(
        tmp_path, "needy", NEEDY.replace("WEAK", ""), str(runtime), f"-Wl,-rpath,{tmp_path}"
    )
    with raises(ImportError, refused(needy, "a library that it is linked with provides")):
        load(str(needy))
    held = ctypes.CDLL(str(runtime))  # RTLD_LOCAL, under a name that the library needs
    try:
        with raises(ImportError, refused(needy, f"{runtime}, already in this process, provides")):
            load(str(needy))
    finally:
        ctypes.CDLL(None).dlclose(ctypes.c_void_p(held._handle))


def test_weak_symbols_that_nobody_has_do_not_count(tmp_path: Path) -> None:
    source = NEEDY.replace("WEAK", "__attribute__((weak))").replace("__builtin_trap()", "(void)0")
    needy = compiled(tmp_path, "weak", source)
    assert tain.load_module(str(needy)).get_function_list() == ["f"]


class Value(ctypes.Structure):
    _fields_ = (("type_index", ctypes.c_int32), ("zero", ctypes.c_uint32), ("i", ctypes.c_int64))


def test_another_runtime_gets_the_errors_of_a_module() -> None:
    """It fills the variable of the contract, and has no access to libtain's raised error."""
    library = ctypes.CDLL(tain.cpp.build_inline("raising", cpp_sources=MODULE, functions={}))
    raised: list[tuple[bytes, bytes]] = []
    signature = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)
    callback = signature(lambda kind, message: raised.append((kind, message)))
    slot = ctypes.c_void_p.in_dll(library, "__TVMFFIErrorSetRaisedFromCStr")
    assert slot.value is None
    slot.value = ctypes.cast(callback, ctypes.c_void_p).value
    args, result = (Value * 1)(Value(1, 0, -3)), Value()
    for name in ("fail", "std_fail"):
        call = getattr(library, f"__tvm_ffi_{name}")
        assert call(None, args, 1, ctypes.byref(result)) == -1
    args[0].i = 3
    assert library.__getattr__("__tvm_ffi_fail")(None, args, 1, ctypes.byref(result)) == 0
    assert raised == [(b"KeyError", b"below zero: -3"), (b"IndexError", b"far out")]
    slot.value = None


RAISING_RUNTIME = """
#include <stdio.h>
char raised[200];
void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  snprintf(raised, sizeof raised, "%s: %s", kind, message);
}
"""


def test_a_runtime_that_fills_no_variable_gets_the_errors_too(tmp_path: Path, run: Any) -> None:
    """It has the function in the global scope. With tain as the loader, errors stay tain's."""
    runtime = compiled(tmp_path, "raises", RAISING_RUNTIME)
    module = tain.cpp.build_inline("raising", cpp_sources=MODULE, functions={})
    said = run(f"""
        import ctypes
        runtime = ctypes.CDLL({str(runtime)!r}, ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL({module!r})
        args, result = (ctypes.c_int64 * 2)(1, -3), (ctypes.c_int64 * 2)()
        assert library.__tvm_ffi_fail(None, args, 1, result) == -1
        print(ctypes.c_char_p(ctypes.addressof(ctypes.c_char.in_dll(runtime, "raised"))).value)
        import tain
        try:
            tain.load_module({module!r}).fail(-4)
        except KeyError as error:
            print(error)
        """)
    assert said.splitlines() == ["b'KeyError: below zero: -3'", "'below zero: -4'"]
