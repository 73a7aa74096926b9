# SPDX-License-Identifier: Apache-2.0
"""Modules of other libraries: they have the index of tain's modules, but another virtual table."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import foreign_lib
import pytest
from errors import raises

import tain

pytestmark = pytest.mark.bad_input
foreign_lib.load("module")

MAKERS = {"module": "theirs.make_module", "child": "theirs.make_child"}
NAMES = {"module": "Module", "child": "theirs.Module"}
FOREIGN = "of another library, whose C++ class is not tain's"


@pytest.fixture(params=MAKERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# Each uses the C++ class of tain's modules; the text is that of the receiver.
OPERATIONS: dict[str, Callable[[Any], object]] = {
    "ffi.Module.is_runnable": lambda m: m.is_runnable,
    "ffi.Module.is_binary": lambda m: m.is_binary,
    "ffi.Module.is_device_module": lambda m: m.is_device_module,
    "ffi.Module.kind": lambda m: m.kind,
    "ffi.Module.type_key": lambda m: m.type_key,
    "ffi.Module.format": lambda m: m.format,
    "ffi.Module.get_function()": lambda m: m.get_function("x"),
    "ffi.Module.implements_function()": lambda m: m.implements_function("x"),
    "ffi.Module.get_function_list()": lambda m: m.get_function_list(),
    "ffi.Module.get_property_mask()": lambda m: m.get_property_mask(),
    "ffi.Module.get_source()": lambda m: m.get_source(),
    "ffi.Module.save_to_bytes()": lambda m: m.save_to_bytes(),
    "ffi.Module.write_to_file()": lambda m: m.write_to_file("x.so"),
    "ffi.Module.save()": lambda m: m.save("x.so"),
    "ffi.Module.find_function()": lambda m: m.find_function("x"),
    "ffi.Module.import_module()": lambda m: m.import_module(tain.Module()),
    "ffi.Module.imports": lambda m: m.imports,
    "ffi.Module.clear_imports()": lambda m: m.clear_imports(),
    "ffi.Module.time_evaluator()": lambda m: m.time_evaluator("x"),
    "ffi.Module.__call__()": lambda m: m(),
    "ffi.Module.__getitem__()": lambda m: m["x"],
    "ffi.Module.__getattr__()": lambda m: m.anything,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_members_refuse_the_module(name: str, kind: str) -> None:
    module = tain.get_global_func(MAKERS[kind])()
    with pytest.raises(TypeError) as caught:
        OPERATIONS[name](module)
    assert str(caught.value).endswith(f", got a {NAMES[kind]} {FOREIGN}")


@pytest.mark.parametrize(
    "use",
    [
        pickle.dumps,
        copy.copy,
        copy.deepcopy,
        lambda m: tain.Module().import_module(m),
        lambda m: tain.save_json(m),
        lambda m: tain.convert([m]),
        repr,
        str,
        hash,
        lambda m: m == m,
        dir,
        lambda m: tain.structural_hash(m),
        lambda m: tain.structural_equal(m, m),
        lambda m: m.export_library("x.so"),
        lambda m: tain.show(m),
        lambda m: list(tain.visit(m, lambda each: None) or ()),
        gc.get_referents,
    ],
)
def test_nothing_else_crashes(use: Callable[[Any], object], kind: str) -> None:
    module = tain.get_global_func(MAKERS[kind])()
    with contextlib.suppress(TypeError, ValueError):
        use(module)
    gc.collect()
    del module
    gc.collect()


def test_it_is_a_module_all_the_same(kind: str) -> None:
    """It can be passed on to functions that take any object, and back to its library."""
    module = tain.get_global_func(MAKERS[kind])()
    assert isinstance(module, tain.Module)
    assert tain.get_global_func("testing.echo")(module).same_as(module)
    place = "ffi.ModuleSaveTree: argument module"
    with raises(TypeError, f"{place}: expected ffi.Module | None, got a {NAMES[kind]} {FOREIGN}"):
        tain.get_global_func("ffi.ModuleSaveTree")(module)
