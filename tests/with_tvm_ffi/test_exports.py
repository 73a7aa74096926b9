# SPDX-License-Identifier: Apache-2.0
"""Which names the library has, and which it must not have."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import tain_tvm_ffi

import tain

# What libraries that are compiled with the ecosystem's headers take from it beside C functions.
CXX_NAMES = {
    "tvm::ffi::Module::LoadFromFile(tvm::ffi::String const&)",
    "tvm::ffi::Module::VisitContextSymbols(tvm::ffi::TypedFunction<void (tvm::ffi::String, void*)>"
    " const&)",
    "tvm::ffi::ModuleObj::ClearImports()",
    "tvm::ffi::ModuleObj::GetFunction(tvm::ffi::String const&, bool)",
    "tvm::ffi::ModuleObj::GetFunctionDoc(tvm::ffi::String const&, bool)",
    "tvm::ffi::ModuleObj::GetFunctionMetadata(tvm::ffi::String const&, bool)",
    "tvm::ffi::ModuleObj::ImplementsFunction(tvm::ffi::String const&, bool)",
    "tvm::ffi::ModuleObj::ImportModule(tvm::ffi::Module const&)",
    "vtable for tvm::ffi::ModuleObj",
    "typeinfo for tvm::ffi::ModuleObj",
}


def exported(*options: str) -> set[str]:
    command = ["nm", "-D", "--defined-only", "--format=posix", *options]
    listed = subprocess.run(
        [*command, str(tain_tvm_ffi.library_path())], check=True, capture_output=True, text=True
    )
    rows = listed.stdout.splitlines()
    return {re.sub(r" [A-Za-z] [0-9a-f]+ ?[0-9a-f]*$", "", row) for row in rows}


def abi_functions() -> set[str]:
    """The C functions of the binary contract, from tain's header."""
    text = (Path(tain.libinfo.include_dir()) / "tain" / "c_api.h").read_text()
    return set(re.findall(r"^TAIN_DLL [^;(]*?\bTain(\w+)\(", text, re.MULTILINE))


def test_each_function_of_the_contract_has_its_name() -> None:
    names = {name.removeprefix("TVMFFI") for name in exported() if name.startswith("TVMFFI")}
    assert names == abi_functions() | {"EnvCheckSignals", "EnvRegisterCAPI"}


def test_the_names_of_cxx() -> None:
    assert exported("-C") >= CXX_NAMES


def test_no_other_c_names() -> None:
    others = {name for name in exported() if not name.startswith(("_Z", "TVMFFI"))}
    assert others == {"TainForwardsTVMFFI"}


@pytest.mark.parametrize("library", ["libtain.so", "_core"])
def test_tain_itself_has_none_of_these_names(library: str) -> None:
    path = tain._core.__file__ if library == "_core" else tain.libinfo.find_libtain()
    listed = subprocess.run(
        ["nm", "-D", str(path)], check=True, capture_output=True, text=True
    ).stdout
    assert "TVMFFI" not in listed
    assert "3tvm3ffi" not in listed
