# SPDX-License-Identifier: Apache-2.0
"""Registration by other libraries, above all in static initializers, where nobody catches."""

from __future__ import annotations

import foreign_lib
import pytest

import tain


@pytest.fixture(autouse=True, scope="module")
def library() -> None:
    foreign_lib.load("objects")


def test_a_second_method_of_one_name_takes_the_place_of_the_first() -> None:
    point = tain.get_class("foreign_c.Point")
    assert point.which() == 2
    names = [method.name for method in tain.type_info(point).own_methods]
    assert names == ["hidden", "which"]


def test_a_second_constructor_takes_the_place_of_the_first() -> None:
    made = tain.get_class("foreign_c.Written")(3, 4)
    assert (made.x, made.y) == (3, 4)


LOADS = {
    "load_library": "tain.load_library(path)",
    "ctypes": "ctypes.CDLL(path)",
    "ctypes, before anything": "ctypes.CDLL(path, ctypes.RTLD_GLOBAL)",
}


@pytest.mark.bad_input
@pytest.mark.parametrize("how", LOADS)
def test_mistakes_in_a_static_initializer_end_in_one_import_error(run, how: str) -> None:
    path = foreign_lib.compiled("mistakes")
    printed = run(
        f"""
        import ctypes
        import tain
        path = {path!r}
        try:
            {LOADS[how]}
            tain.types.nothing
        except ImportError as error:
            print(error)
        try:
            tain.types.nothing
        except AttributeError:
            print("once")
        """
    )
    for fault in (
        "foreign_mistakes.Type.x: the name is already that of a field",
        "foreign_mistakes.Type: its metadata is registered twice",
        "foreign_mistakes.Type: the attribute __mine__ is already set",
        "foreign_mistakes.Type: the name is empty",
        "type index 987654 is not that of a registered type",
        "global function foreign_mistakes.f is already registered",
        "type index request: expected a key, got null",
    ):
        assert fault in printed, printed
    assert "libmistakes.so" in printed
    assert printed.endswith("once\n")


def test_a_call_outside_of_an_initializer_says_so_at_once() -> None:
    from c_calls import LIB, raised

    assert LIB.TainTypeRegisterMethod(987654, None) == -1
    assert raised() == "TypeError: TainTypeRegisterMethod: expected a method, got null"
