# SPDX-License-Identifier: Apache-2.0
"""What test_registry leaves of register_object: bases rebuilt, derived keys, live classes."""

from __future__ import annotations

import textwrap

import pytest
from refused_class import REFUSED_CLASS

SETUP = """
    import gc, tain
    from tain.types import testing as t
    echo = tain.get_global_func("testing.echo")
    """

CASES = {
    "re-parented in place: the same class under its C++ parent": """
        class Mine(tain.Object):
            def hello(self): return "hello"
        identity = id(Mine)
        generated = t.Point
        made = tain.register_object("testing.Point")(Mine)
        assert made is Mine and id(made) == identity
        assert issubclass(Mine, generated)
        assert Mine(3, 4).norm() == 5.0 and Mine(1, 2).hello() == "hello"
        """,
    "a class that derives from the generated one": """
        @tain.register_object("testing.Point")
        class Mine(t.Point):
            def __init__(self, x, y=0.0):
                super().__init__(x, y)
            def norm(self):
                return -super().norm()
        assert Mine(3, 4).norm() == -5.0
        assert type(tain.get_global_func("testing.centroid")([Mine(1, 2)])) is Mine
        """,
    "__class__ cells of nested functions and lambdas": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            def cell(self):
                def inner():
                    return (lambda: __class__)()
                return inner()
            @classmethod
            def made(cls): return __class__
            @staticmethod
            def static(): return __class__
            @property
            def prop(self): return __class__
        assert Mine(1, 2).cell() is Mine.made() is Mine.static() is Mine(1, 2).prop is Mine
        """,
    "a GC type and a class with slots": """
        @tain.register_object("testing.Node")
        class Mine(tain.Object):
            __slots__ = ("note",)
            def __init__(self, value=0):
                super().__init__(value)
                self.note = __class__
        node = Mine(5)
        assert node.note is Mine and node.value == 5
        node.next = node
        del node
        gc.collect()
        assert not tain.testing.live_objects().get("testing.Node")
        """,
    "objects that C++ makes": """
        @tain.register_object("testing.Node")
        class Mine(tain.Object):
            def twice(self): return 2 * self.value
        chain = tain.get_global_func("testing.make_chain")(3)
        assert type(chain) is Mine and chain.next.next.twice() == 4
        assert t.Node is tain.get_class("testing.Node") is Mine
        """,
    "derived keys that have a class already": """
        old = t.Bare()
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            def hello(self): return f"hello {self.x}"
        assert Mine in t.Bare.__mro__
        assert t.Bare().hello() == "hello 3.0"
        assert old.norm() == 5.0 and echo(old) is old
        """,
    "derived classes that exist already stay the classes of their keys": """
        from tain.types.testing import Bare
        class Before(Bare):
            pass
        old = Bare()
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        new = t.Bare()
        assert isinstance(new, Bare) and isinstance(Bare(), Mine)
        assert isinstance(Before(), Bare) and type(Before()) is Before
        assert t.Bare.__mro__.count(Mine) == 1 and issubclass(t.Bare, Bare)
        assert t.Bare() != 5 and t.Bare().x == 3.0
        @tain.register_object("testing.Point")
        class Again(tain.Object):
            pass
        assert t.Bare.__mro__.count(Again) == 1 and Mine not in t.Bare.__mro__
        assert isinstance(t.Bare(), Bare) and tain.type_info(t.Bare).key == "testing.Bare"
        assert tain.type_info(Bare).key == "testing.Bare"
        """,
    "derived keys that have a registered class keep it": """
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            pass
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert t.Bare is MyBare and type(MyBare()) is MyBare
        assert type(tain.get_global_func("testing.echo")(MyBare())) is MyBare
        @tain.register_object("testing.Bare")
        class Another(tain.Object):
            pass
        assert t.Bare is Another and Mine in Another.__mro__
        assert Another().norm() == 5.0
        """,
    "derived keys have it whose class was registered before": """
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            pass
        class Child(MyBare):
            pass
        old, child = MyBare(), Child()
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            def hello(self): return f"hello {self.x}"
        assert t.Bare is MyBare and isinstance(MyBare(), Mine) and issubclass(MyBare, t.Point)
        assert MyBare().hello() == old.hello() == child.hello() == Child().hello() == "hello 3.0"
        assert MyBare.__mro__.index(Mine) > 1 and old.norm() == 5.0 and MyBare().y == 4.0
        @tain.register_object("testing.Point")
        class Again(tain.Object):
            def hello(self): return "again"
        assert Mine not in MyBare.__mro__ and MyBare().hello() == Child().hello() == "again"
        assert type(echo(MyBare())) is MyBare and tain.type_info(MyBare).key == "testing.Bare"
        """,
    "a chain of derived keys, registered in any order": """
        @tain.register_object("testing.Depth1")
        class D1(tain.Object):
            def one(self): return 1
        @tain.register_object("testing.Depth4")
        class D4(tain.Object):
            def four(self): return 4
        assert t.Depth8().four() == 4
        class Child(t.Depth8):
            pass
        @tain.register_object("testing.Depth2")
        class D2(tain.Object):
            def two(self): return self.one() + 1
        for cls in (D4, t.Depth4, t.Depth8, Child):
            order = [base for base in cls.__mro__ if base in (D1, D2, D4)]
            assert order == [D4, D2, D1], cls.__mro__
            assert cls().two() == 2 and cls().four() == 4
        assert [base for base in t.Depth3.__mro__ if base in (D1, D2)] == [D2, D1]
        @tain.register_object("testing.Depth3")
        class D3(tain.Object):
            pass
        for cls in (D4, t.Depth8, Child):
            assert [base for base in cls.__mro__ if base in (D1, D2, D3, D4)] == [D4, D3, D2, D1]
            assert type(echo(cls())) is cls
        """,
    "an __init__ of a parent key's class": """
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            def __init__(self):
                super().__init__()
                self.note = "bare"
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            def __init__(self, x, y):
                super().__init__(x, y)
                self.note = "point"
        assert MyBare().note == "bare" and Mine(1, 2).note == "point"
        """,
    "an ABC above a class that stands already": """
        import abc
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            pass
        @tain.register_object("testing.Point")
        class Mine(tain.Object, abc.ABC):
            def hello(self): return "hello"
        assert isinstance(MyBare(), Mine) and MyBare().hello() == "hello"
        """,
    "a __dict__ above a class without one": REFUSED_CLASS
    + """
        except TypeError as error:
            assert str(error) == (
                "MyBare stands for testing.Bare already and cannot derive from Mine any more; "
                "register Mine first"
            )
            assert str(error.__cause__) == (
                "objects of Mine have a __dict__, those of MyBare have none"
            )
        else:
            raise AssertionError
        class Child(MyBare):
            __slots__ = ()
        assert not hasattr(Child(), "__dict__")
        @tain.register_object("testing.Point")
        class Slotted(tain.Object):
            __slots__ = ()
        assert isinstance(Child(), Slotted) and not hasattr(Child(), "__dict__")
        """,
    "slots above a class that stands already": """
        @tain.register_object("testing.Bare")
        class MyBare(tain.Object):
            pass
        point = t.Point
        try:
            @tain.register_object("testing.Point")
            class Mine(tain.Object):
                __slots__ = ("note",)
        except TypeError as error:
            assert str(error) == (
                "MyBare stands for testing.Bare already and cannot derive from Mine any more; "
                "register Mine first"
            )
            assert isinstance(error.__cause__, TypeError)
        else:
            raise AssertionError
        assert t.Point is point and type(t.Point(1, 2)) is point and MyBare().y == 4.0
        @tain.register_object("testing.Point")
        class Other(tain.Object):
            pass
        assert isinstance(MyBare(), Other)
        """,
    "an AttributeError while a class is made is no missing name": """
        @tain.register_object("testing.Depth1")
        class Mine(tain.Object):
            def __init_subclass__(cls):
                cls.nothing
        for code in ("t.Depth2", "from tain.types.testing import Depth2"):
            try:
                exec(code)
            except TypeError as error:
                cause = error.__cause__
                assert isinstance(cause, AttributeError)
                assert str(error) == f"testing.Depth2: its Python class cannot be made: {cause}"
            else:
                raise AssertionError
        """,
    "derived keys that get their class later": """
        @tain.register_object("testing.Depth1")
        class Mine(tain.Object):
            def hello(self): return f"hello {self.a}"
        assert Mine in t.Depth8.__mro__
        assert t.Depth8().hello() == "hello 1"
        """,
    "derived keys of a class that is registered twice": """
        @tain.register_object("testing.Depth1")
        class First(tain.Object):
            def first(self): return 1
        assert First in t.Depth8.__mro__
        @tain.register_object("testing.Depth1")
        class Second(tain.Object):
            def second(self): return 2
        assert Second in t.Depth8.__mro__
        assert t.Depth8().second() == 2
        """,
    "live objects keep their class, new ones have the new one": """
        old = t.Point(1, 2)
        kept = tain.convert([old])
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        assert kept[0] is old and type(old) is not Mine
        assert type(t.Point(1, 2)) is Mine
        del old
        assert type(kept[0]) is Mine
        """,
    "it can be subclassed, and its subclasses come back": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        class Child(Mine):
            pass
        child = Child(1, 2)
        child.note = "own"
        array = tain.convert([child])
        del child
        assert type(array[0]) is Child and array[0].note == "own"
        """,
    "fields, methods and documentation are inherited": """
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            "My documentation."
        assert Mine.__doc__ == "My documentation."
        assert Mine.x.__doc__ == "abscissa"
        assert Mine.origin().x == 0.0 and type(Mine.origin()) is Mine
        assert tain.type_info(Mine).key == "testing.Point"
        """,
    "it can be pickled by its own name": """
        import pickle
        @tain.register_object("testing.Point")
        class Mine(tain.Object):
            pass
        made = pickle.loads(pickle.dumps(Mine(1, 2)))
        assert type(made) is Mine and made.y == 2.0
        """,
}


@pytest.mark.parametrize("case", CASES)
def test_register_object(run, case: str) -> None:
    run(textwrap.dedent(SETUP) + textwrap.dedent(CASES[case]))


REFUSED = [  # (key, class, error, text)
    ("testing.Piont", "type('Mine', (tain.Object,), {})", "ValueError", "testing.Point"),
    ("testing.Point", "5", "TypeError", "class"),
    ("testing.Point", "int", "TypeError", "tain.Object"),
    ("testing.Point", "t.Vector", "TypeError", "testing.Point"),
    ("testing.Point", "type('Mine', (t.Vector,), {})", "TypeError", "testing.Point"),
    ("testing.Bare", "type('Mine', (t.Vector,), {})", "TypeError", "testing.Bare"),
    ("ffi.Object", "type('Mine', (tain.Object,), {})", "Exception", "Object"),
    ("testing.Color", "type('Mine', (tain.Object,), {})", "ValueError", "testing.Color is an enum"),
    ("testing.\ud800", "type('Mine', (tain.Object,), {})", "ValueError", r"testing.\ud800"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("key", "cls", "error", "text"), REFUSED)
def test_refused(run, key: str, cls: str, error: str, text: str) -> None:
    code = f"""
        point = t.Point
        try:
            tain.register_object({key!r})({cls})
        except {error} as caught:
            print(ascii(f"{{type(caught).__name__}} {{caught}}"))
        assert t.Point is point and t.Point(1, 2).y == 2.0
        """
    printed = run(textwrap.dedent(SETUP) + textwrap.dedent(code))
    assert text in printed


# What a metaclass makes when the class is rebuilt or combined with another.
METACLASSES = {
    "an int": "return 5",
    "another class": "return int",
    "a class of another type": "return t.Vector",
    "a class without the base": "return type(name, (), {})",
}


@pytest.mark.bad_input
@pytest.mark.parametrize("made", METACLASSES)
def test_metaclasses_that_make_something_else(run, made: str) -> None:
    code = f"""
        class Meta(type(tain.Object)):
            lie = False
            def __new__(meta, name, bases, body, **keywords):
                if Meta.lie:
                    {METACLASSES[made]}
                return super().__new__(meta, name, bases, body)
            def __setattr__(cls, name, value):
                if name != "__bases__":
                    super().__setattr__(name, value)
        class Plain(tain.Object, metaclass=Meta):
            pass
        Meta.lie = True
        try:
            tain.register_object("testing.Point")(Plain)
        except TypeError as caught:
            print(caught)
        assert type(t.Point(1, 2)).__mro__[-2] is tain.Object
        assert t.Point(1, 2).y == 2.0
        """
    assert "expected a subclass of" in run(textwrap.dedent(SETUP) + textwrap.dedent(code))


def test_the_class_wins_over_the_prefix(run) -> None:
    run(
        textwrap.dedent(SETUP)
        + textwrap.dedent(
            """
            assert isinstance(t.Expr, type)
            assert tain.get_class("testing.Expr.Kind").__name__ == "Kind"
            assert tain.types.TestingPlain().value == 1
            assert tain.types.ffi.Array is tain.Array
            assert tain.get_class("testing.a-b.2D")().value == 1
            """
        )
    )
