# SPDX-License-Identifier: Apache-2.0
"""Every accessor of every class of the testing library: read, written or refused, and shown."""

from __future__ import annotations

import enum
import importlib
import inspect
import re

import pytest

import tain
from tain.types import testing as t

CLASSES = {
    key: cls
    for key in tain.type_keys("testing.")
    if not issubclass(cls := tain.get_class(key), enum.Enum)
}
ARGUMENTS = {
    "testing.Point": (1, 2),
    "testing.TestIntPair": (1, 2),
    "testing.Vector": (1, 2),
    "testing.Throws": (3,),
    "testing.Holder": (t.Point(1, 2),),
    "testing.Mixed": (1.5,),
    "testing.Private": (4,),
    "testing.Aligned": (2.5,),
    "testing.Countdown": (3,),
    "testing.Counted": (3,),
    "testing.Frozen": (5,),
    "testing.Tag": (6,),
    "testing.Clock": (7,),
    "testing.Coin": (1.5,),
    "testing.Draft": (8,),
    "testing.Medal": (2.5,),
    "testing.TuningOptions": (9,),
}
UNMADE = {  # classes that Python cannot make an instance of
    "testing.NoConstructor", "testing.CreatesNull", "testing.CreatesOther", "testing.CreatesText",
    "testing.ChildWithoutConstructor", "testing.Shape", "testing.Depth1", "testing.Figure",
    "testing.QuickTuningOptions", "testing.Undescribed",
}  # fmt: skip
t.CreatesShared()  # C++ makes the one object now, and keeps it


def make(key: str) -> tain.Object:
    return CLASSES[key](*ARGUMENTS.get(key, ()))


@pytest.mark.parametrize("key", CLASSES)
def test_the_class(key: str) -> None:
    cls, info = CLASSES[key], tain.type_info(key)
    namespace, _, name = key.rpartition(".")
    assert cls.__name__ == cls.__qualname__ == (name or "_")
    assert cls.__module__ == f"tain.types.{namespace}"
    assert (cls.__doc__ or "").startswith(info.doc)
    assert repr(cls) == f"<class '{cls.__module__}.{cls.__name__}'>"
    assert tain.get_class(key) is cls
    assert info.key == key
    annotations = inspect.get_annotations(cls)  # its own, wherever the version keeps them
    assert set(annotations) <= {field.name for field in info.fields}
    for annotated in annotations:
        assert annotated in vars(cls)
    if all(part.isidentifier() for part in key.split(".")) and key != "testing.Expr.Kind":
        module = importlib.import_module(f"tain.types.{namespace}")
        assert getattr(module, name) is cls


@pytest.mark.parametrize("key", CLASSES)
def test_the_constructor(key: str) -> None:
    cls, info = CLASSES[key], tain.type_info(key)
    if key in UNMADE:
        with pytest.raises(TypeError, match=re.escape(key)):
            cls()
        return
    made = make(key)
    assert type(made) is cls
    assert made.__chandle__()
    shown = repr(made)
    assert shown.startswith(key)
    if cls.__repr__ is tain.Object.__repr__:
        assert shown.startswith(f"{key}(")
    assert info.constructor is not None
    parameters = inspect.signature(cls).parameters
    names = [arg.name for arg in info.constructor.args]
    assert list(parameters) == (["args", "kwargs"] if info.constructor.overloads else names)
    assert tuple(cls.__match_args__) <= tuple(parameters)


@pytest.mark.parametrize("key", sorted(set(CLASSES) - UNMADE))
def test_the_fields(key: str) -> None:
    made, checked = make(key), 0
    for cls in type(made).__mro__:
        if cls is tain.Object:
            break
        info = tain.type_info(cls)
        for field in info.fields:
            value = getattr(made, field.name)
            text = f".{field.name} is read-only: "
            if field.writable and not info.is_frozen:
                setattr(made, field.name, value)
                read = getattr(made, field.name)
                assert read == value or read is value or repr(read) == repr(value)
            else:
                with pytest.raises(AttributeError) as caught:
                    setattr(made, field.name, value)
                assert text in str(caught.value)
            with pytest.raises(AttributeError, match=re.escape(f"{field.name} cannot be deleted")):
                delattr(made, field.name)
            checked += 1
        for name in (method.name for method in info.methods):
            assert callable(getattr(made, name))
    assert checked or key in ("testing.Bare", "testing.Blob")
    made_again = type(made).__new__(type(made))
    with pytest.raises(ValueError, match=r" object is empty: "):
        made_again._move()
