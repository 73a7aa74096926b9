# SPDX-License-Identifier: Apache-2.0
"""Texts between Python and C++: names that are no str, surrogates, NULs."""

from __future__ import annotations

import pytest
from errors import no_device_text, no_dtype_text, raises

import tain


def add_one(x: int) -> int:
    return x + 1


NAMED = [  # (call, its name in errors)
    (tain.get_global_func, "get_global_func"),
    (tain.get_class, "get_class"),
    (tain.type_keys, "type_keys"),
    (tain.remove_global_func, "remove_global_func"),
    (tain.init_ffi_api, "init_ffi_api: argument namespace"),
    (lambda name: tain.register_global_func(name, add_one), "register_global_func"),
    (lambda name: tain.register_error(name, KeyError), "register_error"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("call", "where"), NAMED, ids=[where for _, where in NAMED])
def test_names_that_are_no_str(call, where: str) -> None:
    for name, given in ((3, "int (3)"), (b"x", "bytes (b'x')"), ([1], "list ([1])")):
        with raises(TypeError, f"{where}: expected str, got {given}"):
            call(name)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["\ud800", "acc\0x", "test\udcff.x"])
def test_names_that_cpp_cannot_say(name: str) -> None:
    for look_up in (tain.get_global_func, tain.remove_global_func):
        with raises(ValueError, f"Cannot find global function {name}."):
            look_up(name)
    assert tain.get_global_func(name, allow_missing=True) is None
    for look_up in (tain.get_class, tain.type_info):
        with raises(ValueError, f"no type is registered under the key '{name}'."):
            look_up(name)
    assert tain.type_keys(name) == []
    for where, register in (
        ("register_global_func", lambda: tain.register_global_func(name, add_one)),
        ("register_error", lambda: tain.register_error(name, KeyError)),
        ("py_class", lambda: tain.py_class(name)(type("Mine", (), {}))),
    ):
        with raises(ValueError, f"{where}: the name {name!r} is not UTF-8 text without NUL"):
            register()
    with raises(ValueError, no_dtype_text(name)):
        tain.dtype(name)
    with raises(ValueError, no_device_text(name)):
        tain.Device(name)
