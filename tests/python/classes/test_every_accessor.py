# SPDX-License-Identifier: Apache-2.0
"""Every accessor of every class of the testing library: read, written or refused, and shown."""

from __future__ import annotations

import enum
import importlib
import inspect
import keyword

import pytest
from errors import empty_text, raises

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
    "testing.Bead": (1,),
    "testing.WideBead": (1,),
    "testing.Pin": (1,),
    "testing.Etched": (1,),
    "testing.Stuck": (1,),
    "testing.Term": ("f", []),
    "testing.Window": (2,),
    "testing.Exhibit": ("e",),
    "testing.Worker": (print,),
    "testing.ChildWorker": (print,),
    "testing.boxed.Joiner": (print,),
    "testing.boxed.Handle": (1,),
    "testing.boxed.Matrix": (2, 3),
    "testing.boxed.Node": (1,),
    "testing.boxed.Pooled": (1,),
    "testing.boxed.Solver": (t.boxed.Model(),),
    "testing.boxed.Square": (1.5,),
    "testing.boxed.Target": (t.boxed.Model(),),
    "testing.copied.Oven": (200,),
    "testing.copied.Stove": (200,),
    "testing.graph.Add": (t.graph.Var("x"), t.graph.Var("y")),
    "testing.graph.Mul": (t.graph.Var("x"), t.graph.Var("y")),
    "testing.graph.Hooked": (t.graph.Var("x"), t.graph.Var("y")),
    "testing.graph.Square": (t.graph.Var("x"),),
    "testing.graph.Call": ("f",),
    "testing.graph.Constant": (1.5,),
    "testing.graph.Var": ("x",),
    "testing.keeping.BoxedKeeper": (None,),
    "testing.overridden.TimedTask": (1,),
    "testing.save.Const": (1,),
    "testing.save.OnlyPair": ([], t.save.Link()),
    "testing.save.Pair": (1, t.save.Link()),
}
NONE = "has no constructor"
UNMADE = {  # classes that Python cannot make an instance of, and what it says
    "testing.NoConstructor": f"testing.NoConstructor {NONE}",
    "testing.boxed.Managed": f"testing.boxed.Managed {NONE}",
    "testing.boxed.Shape": f"testing.boxed.Shape is abstract and {NONE}",
    "testing.boxed.Tagged": f"testing.boxed.Tagged {NONE}",
    "testing.graph.Binary": f"testing.graph.Binary {NONE}",
    "testing.graph.Expr": f"testing.graph.Expr {NONE}",
    "testing.keeping.PlainKeeper": f"testing.keeping.PlainKeeper {NONE}",
    "testing.overridden.Codec": (
        "testing.overridden.Codec is abstract: make an object of a subclass, which overrides its "
        "abstract methods"
    ),
    "testing.save.Abstract": f"testing.save.Abstract is abstract and {NONE}",
    "testing.CreatesNull": (
        "testing.CreatesNull: the constructor returned None, expected testing.CreatesNull"
    ),
    "testing.CreatesOther": (
        "testing.CreatesOther: the constructor returned testing.Point, expected "
        "testing.CreatesOther"
    ),
    "testing.CreatesText": (
        "testing.CreatesText: the constructor returned str, expected testing.CreatesText"
    ),
    "testing.ChildWithoutConstructor": f"testing.ChildWithoutConstructor {NONE}",
    "testing.Shape": f"testing.Shape is abstract and {NONE}",
    "testing.Depth1": f"testing.Depth1 {NONE}",
    "testing.Figure": (
        "Can't instantiate abstract class tain.types.testing.Figure without an implementation for "
        "abstract method 'area'"
    ),
    "testing.QuickTuningOptions": f"testing.QuickTuningOptions {NONE}",
    "testing.Undescribed": (f"testing.Undescribed {NONE}: no ObjectDef describes its C++ class"),
}
FROZEN = "its type is frozen"
READ_ONLY = "register it with def_rw to make it assignable"
t.CreatesShared()  # C++ makes the one object now, and keeps it


def make(key: str) -> tain.Object:
    return CLASSES[key](*ARGUMENTS.get(key, ()))


@pytest.mark.parametrize("key", CLASSES)
def test_the_class(key: str) -> None:
    cls, info = CLASSES[key], tain.type_info(key)
    namespace, _, name = key.rpartition(".")
    assert cls.__name__ == (name or "_")
    nested = namespace in CLASSES and name.isidentifier()
    outer = namespace.rpartition(".")[2]
    assert cls.__qualname__ == (f"{outer}.{name}" if nested else cls.__name__)
    assert (
        cls.__module__
        == f"tain.types.{namespace.removesuffix(f'.{outer}') if nested else namespace}"
    )
    assert (cls.__doc__ or "").startswith(info.doc)
    assert repr(cls) == f"<class '{cls.__module__}.{cls.__qualname__}'>"
    assert tain.get_class(key) is cls
    assert info.key == key
    annotations = inspect.get_annotations(cls)  # its own, wherever the version keeps them
    assert set(annotations) <= {field.name for field in info.fields}
    for annotated in annotations:
        assert annotated in vars(cls)
    if nested:
        assert getattr(CLASSES[namespace], name) is cls
    elif all(part.isidentifier() for part in key.split(".")):
        module = importlib.import_module(f"tain.types.{namespace}")
        assert getattr(module, name) is cls


@pytest.mark.parametrize("key", CLASSES)
def test_the_constructor(key: str) -> None:
    cls, info = CLASSES[key], tain.type_info(key)
    if key in UNMADE:
        with raises(TypeError, UNMADE[key]):
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
    # A name that is a keyword of Python is spelt with an underscore.
    names = [arg.name + "_" * keyword.iskeyword(arg.name) for arg in info.constructor.args]
    assert list(parameters) == (["args", "kwargs"] if info.constructor.overloads else names)
    assert tuple(cls.__match_args__) <= tuple(parameters)


WITHOUT_FIELDS = (
    *("testing.Bare", "testing.Blob", "testing.Scaled", "testing.Scaler", "testing.Window"),
    *("testing.boxed.Angry", "testing.boxed.Wide", "testing.boxed.Listener"),
    *("testing.boxed.Solver", "testing.boxed.Watcher", "testing.boxed.Joiner"),
    *("testing.Worker", "testing.ChildWorker", "testing.boxed.Workshop"),
    "testing.boxed.Target",
    *("testing.overload.Base", "testing.overload.Middle", "testing.overload.Leaf"),
    *("testing.keeping.BoxedKeeper", "testing.keeping.BoxedSource", "testing.keeping.Keeper"),
    *("testing.overridden.Crew", "testing.overridden.Probe", "testing.overridden.TimedTask"),
)


@pytest.mark.parametrize("key", sorted(set(CLASSES) - set(UNMADE)))
def test_the_fields(key: str) -> None:
    made, checked = make(key), 0
    for cls in type(made).__mro__:
        if cls is tain.Object:
            break
        info = tain.type_info(cls)
        for field in info.fields:
            value = getattr(made, field.name)
            owner = next(each for each in type(made).__mro__ if field.name in vars(each))
            where = f"{tain.type_info(owner).key.rpartition('.')[2]}.{field.name}"
            if field.writable and not info.is_frozen:
                setattr(made, field.name, value)
                read = getattr(made, field.name)
                assert read is value or repr(read) == repr(value) or read == value
            else:
                why = FROZEN if info.is_frozen else READ_ONLY
                with raises(AttributeError, f"{where} is read-only: {why}"):
                    setattr(made, field.name, value)
            with raises(
                AttributeError, f"{where} cannot be deleted: it is a field of a C++ object"
            ):
                delattr(made, field.name)
            checked += 1
        for name in (method.name for method in info.methods):
            assert callable(getattr(made, name))
    assert checked or key in WITHOUT_FIELDS
    made_again = type(made).__new__(type(made))
    with raises(ValueError, empty_text(f"{type(made).__module__}.{type(made).__name__}")):
        made_again._move()
