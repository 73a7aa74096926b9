# SPDX-License-Identifier: Apache-2.0
"""The classes of tain._core: none of them has a __new__ that makes something unusable."""

from __future__ import annotations

from typing import Any

import pytest
from errors import raises

import tain
from tain import _core

CLASSES = sorted(
    {value for name in dir(_core) if isinstance(value := getattr(_core, name), type)},
    key=lambda c: c.__name__,
)
FIXED = [cls for cls in CLASSES if type(cls).__name__ == "nb_type"]
MADE = [tain.Array, tain.Dict, tain.Error, tain.InternalError, tain.List, tain.Map, tain.Object,
        tain.Shape, tain.Tensor]  # fmt: skip


def test_there_are_some() -> None:
    assert _core.MovedReference in FIXED
    assert {_core.Device, _core.dtype, _core.TypeInfo, _core.KeysView} <= set(FIXED)
    assert {*MADE, tain.Function} == set(CLASSES) - set(FIXED)


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", FIXED, ids=lambda cls: cls.__name__)
def test_new_of_fixed_classes(cls: Any) -> None:
    for make in (lambda: cls.__new__(cls), lambda: cls.__new__(cls, 1, a=2)):
        with raises(TypeError, f"{cls.__name__}.__new__() makes no objects"):
            make()
    with pytest.raises(
        TypeError, match=r"no constructor defined!$|incompatible function arguments"
    ):
        type.__call__(cls)
    with pytest.raises(TypeError, match=r"object\.__new__\(.*\) is not safe"):
        object.__new__(cls)


@pytest.mark.bad_input
def test_new_of_a_function_takes_a_callable() -> None:
    with pytest.raises(TypeError, match=r"^Function expected 1 argument, got 0$"):
        tain.Function.__new__(tain.Function)


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", MADE, ids=lambda cls: cls.__name__)
def test_what_new_makes_can_be_used(cls: Any) -> None:
    """Nothing that is done with it is a crash."""
    made = cls.__new__(cls)
    assert type(made) is cls
    for name in dir(made):
        try:
            value = getattr(made, name)
            if name not in ("__class__", "__init_subclass__", "__subclasshook__"):
                value()
        except Exception:  # anything but a crash
            continue
    assert cls.__name__ in repr(made) or repr(made) in ("[]", "{}", "()")
    for function in ("echo", "take_count"):
        try:
            tain.get_global_func("testing." + function)(made)
        except (TypeError, ValueError):
            continue


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["structural_equal", "method", "bound"])
def test_the_types_of_functions_make_no_objects(name: str) -> None:
    """An empty function crashed when it died."""
    info = tain.type_info("testing.Point")
    of = {
        "structural_equal": tain.structural_equal,
        "method": type(info).__dict__["__repr__"],
        "bound": info.__repr__,
    }
    made = type(of[name])
    with pytest.raises(TypeError, match=r"^cannot create 'nanobind\.nb_\w+' instances$"):
        made()
    with pytest.raises(TypeError, match=r"is not safe|^cannot create"):
        object.__new__(made)
