# SPDX-License-Identifier: Apache-2.0
"""A class registered for a key is the only one a user sees; what tain made stands behind it."""

from __future__ import annotations

import textwrap

import pytest
from refused_class import REFUSED_CLASS

SETUP = """
    import copy, gc, inspect, pickle, pydoc, sys, types, tain
    from tain.types import testing as t
    echo = tain.get_global_func("testing.echo")
    Before, live = t.Point, t.Point(1, 2)
    kept = tain.convert([live])
    BareBefore = t.Bare
    """

MINE = """
    @tain.register_object("testing.Point")
    class Mine(tain.Object):
        pass
    """

# What makes an object of testing.Point, whoever does it.
MAKERS = {
    "the class": "Mine(1, 2)",
    "the class by its key": "t.Point(1, 2)",
    "the class that was imported before": "Before(1, 2)",
    "its __new__": "Before.__new__(Before)",
    "type.__call__": "type.__call__(Before, 1, 2)",
    "C++": "tain.testing.centroid([live])",
    "a static method": "Before.origin()",
    "copy": "copy.copy(live)",
    "deepcopy": "copy.deepcopy(live)",
    "replace": "live.__replace__(x=5)",
    "pickle": "pickle.loads(pickle.dumps(live))",
    "a container": "tain.convert([tain.testing.centroid([live])])[0]",
}


@pytest.mark.parametrize("maker", MAKERS)
def test_every_new_object_is_an_instance(run, maker: str) -> None:
    code = f"""
        made = {MAKERS[maker]}
        assert type(made) is Mine is t.Point is tain.get_class("testing.Point"), type(made)
        assert type(live) is Before and kept[0] is live
        """
    run(textwrap.dedent(SETUP) + textwrap.dedent(MINE) + textwrap.dedent(code))


# The same for a key whose parent's class is registered too, twice, so that tain has made a class
# that derives from it.
DERIVED = """
    @tain.register_object("testing.Point")
    class First(tain.Object):
        pass
    between = t.Bare
    assert between is not BareBefore and First in between.__mro__
    assert between.__qualname__ == "Bare" and between.__module__ == "tain.types.testing"
    assert repr(between()) == "testing.Bare(x=3.0, y=4.0)"
    @tain.register_object("testing.Point")
    class Meta(tain.Object, metaclass=type("M", (type,), {})):
        pass
    again = t.Bare
    assert again is not between and Meta in again.__mro__ and First not in again.__mro__
    """
DERIVED_MAKERS = ["Bare()", "BareBefore()", "between()", "again()", "type.__call__(between)"]


@pytest.mark.parametrize("maker", DERIVED_MAKERS)
def test_objects_of_derived_keys(run, maker: str) -> None:
    code = f"""
        Bare = again
        assert type({maker}) is again
        @tain.register_object("testing.Bare")
        class Bare(tain.Object):
            pass
        assert type({maker}) is Bare is t.Bare and Meta in Bare.__mro__
        names = [f"{{c.__module__}}.{{c.__qualname__}}" for c in Bare.__mro__]
        assert set(names) == {{"__main__.Bare", "__main__.Meta", "tain.Object", "builtins.object"}}
        """
    run(textwrap.dedent(SETUP) + textwrap.dedent(DERIVED) + textwrap.dedent(code))


CASES = {
    "those behind have its name and place": """
        def local():
            @tain.register_object("testing.Point")
            class Local(tain.Object):
                def norm(self):
                    return -super().norm()
            return Local
        Local = local()
        for cls in Local.__mro__[:-2]:
            assert cls.__name__ == "Local" and cls.__module__ == "__main__"
            assert cls.__qualname__ == "local.<locals>.Local"
        assert Before in Local.__mro__ and Local(3, 4).norm() == -5.0
        assert repr(live) == "local.<locals>.Local(x=1.0, y=2.0)"
        """,
    "help, dir and type_info show no other": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        text = pydoc.plain(pydoc.render_doc(Mine))
        assert "tain.types" not in text and "norm(self) -> float" in text
        assert tain.type_info(Mine).cls is tain.type_info(Before).cls is Mine
        assert [v for v in map(t.__getattribute__, dir(t)) if v is Before] == []
        assert inspect.signature(Mine) == inspect.signature(Before)
        assert str(inspect.signature(Mine)) == "(x: float, y: float = 0.0)"
        """,
    "the lists of bases have the class behind, under the same name": """
        # type.__mro__ and type.__bases__ are data descriptors of `type`: no class without a
        # metaclass of its own can answer otherwise, and super() needs the entry.
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert Mine.__mro__ == (Mine, Before, tain.Object, object)
        text = pydoc.plain(pydoc.render_doc(Mine))
        order = text.partition("Method resolution order:")[2].partition("Data")[0]
        assert order.replace("|", "").split()[:4] == [
            "Mine", "Mine", "tain.Object", "builtins.object"
        ]
        """,
    "a class without a docstring gets that of the type": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert Mine.__doc__ == inspect.getdoc(Mine) == "A point in the plane."
        @tain.register_object("testing.Point")
        class Described(tain.Object):
            "My own."
        assert Described.__doc__ == "My own."
        @tain.register_object("testing.Bare")
        class Silent(tain.Object):
            pass
        assert Silent.__doc__ == tain.type_info("testing.Bare").doc or Silent.__doc__ is None
        """,
    "a second registration names them anew": """
        @tain.register_object("testing.Point")
        class First(tain.Object):
            pass
        one = First(1, 2)
        @tain.register_object("testing.Point")
        class Second(tain.Object):
            pass
        assert Before.__name__ == Before.__qualname__ == "Second"
        assert type(Before(1, 2)) is type(t.Point(1, 2)) is Second
        assert type(one) is type(First(1, 2)) is First  # a subclass like any other by now
        assert pickle.loads(pickle.dumps(First(1, 2))).y == 2.0
        """,
    "registering what tain made takes a registration back": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert tain.register_object("testing.Point")(Before) is Before is t.Point
        assert type(Before(1, 2)) is Before and Mine not in t.Bare.__mro__
        assert (Before.__module__, Before.__qualname__) == ("tain.types.testing", "Point")
        assert repr(Before(1, 2)) == "testing.Point(x=1.0, y=2.0)"
        """,
    "a registration that fails changes no name": REFUSED_CLASS
    + """
        except TypeError:
            pass
        assert t.Point is Before and Before.__qualname__ == "Point"
        assert Before.__module__ == "tain.types.testing"
        """,
    "a class that is made a second time": """
        Node = t.Node
        @tain.register_object("testing.Node")
        class Mine(tain.Object):
            __slots__ = ()
        assert type(Node(1)) is type(Node(1).__class__(2)) is t.Node is Mine
        assert Node.__name__ == "Mine"
        """,
    "a metaclass, an ABC and an odd __setattr__": """
        import abc
        class Meta(abc.ABCMeta):
            def __setattr__(cls, name, value):
                if name[:2] == "__" and name not in ("__bases__", "__abstractmethods__"):
                    raise AttributeError(name)
                super().__setattr__(name, value)
        @tain.register_object("testing.Point")
        class Mine(tain.Object, metaclass=Meta):
            pass
        assert Before.__name__ == "Mine" and Mine.__doc__ == "A point in the plane."
        assert type(Before(1, 2)) is Mine and isinstance(t.Bare(), Mine)
        """,
    "a module that adopted the namespace has the new classes of derived keys": """
        module = sys.modules["adopting"] = types.ModuleType("adopting")
        tain.init_ffi_api("testing", "adopting")
        assert Before.__module__ == BareBefore.__module__ == "adopting"
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert module.Point is Mine and module.Bare is t.Bare and Mine in module.Bare.__mro__
        assert module.Bare.__module__ == "adopting" and Before.__module__ == "__main__"
        """,
    "a module that adopts later leaves the class where it is": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        bare = t.Bare
        module = sys.modules["adopting"] = types.ModuleType("adopting")
        tain.init_ffi_api("testing", "adopting")
        assert Mine.__module__ == Before.__module__ == "__main__"
        assert t.Bare is bare and bare.__module__ == "adopting"
        assert BareBefore.__module__ == "adopting"
        """,
    "it is pickled by its own name": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert pickle.loads(pickle.dumps(Mine)) is Mine
        assert b"tain.types" not in pickle.dumps(live) and b"Mine" in pickle.dumps(live)
        """,
    "a class for a type defined in Python": """
        class Pair(tain.Object):
            a: int
        Pair = tain.py_class("visible_class.Pair")(Pair)
        assert [c.__qualname__ for c in Pair.__mro__] == ["Pair", "Pair", "Object", "object"]
        assert {c.__module__ for c in Pair.__mro__[:-2]} == {"__main__"}
        assert type(Pair.__mro__[1](a=1)) is Pair is tain.types.visible_class.Pair
        """,
}


@pytest.mark.parametrize("case", CASES)
def test_visible_class(run, case: str) -> None:
    run(textwrap.dedent(SETUP) + textwrap.dedent(CASES[case]))


@pytest.mark.bad_input
@pytest.mark.parametrize("key", ["testing.Bare", "testing.Depth1"])
def test_one_class_stands_for_one_key(run, key: str) -> None:
    code = f"""
        try:
            tain.register_object({key!r})(Mine)
        except TypeError as error:
            print(error)
        assert t.Point is Mine and type(t.Bare()) is t.Bare
        try:
            tain.register_object({key!r})(Before)
        except TypeError as error:
            print(error)
        """
    printed = run(textwrap.dedent(SETUP) + textwrap.dedent(MINE) + textwrap.dedent(code))
    assert f"register_object('{key}'): the class Mine " in printed
    assert len(printed.splitlines()) == 2
