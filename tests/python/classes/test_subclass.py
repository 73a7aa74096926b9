# SPDX-License-Identifier: Apache-2.0
"""A subclass of a C++ type is an ordinary Python class, and comes back from C++ as itself."""

from __future__ import annotations

import abc
import contextlib
import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final, runtime_checkable

import pytest
from errors import in_use_text, raises
from tain.types.testing import Node, Point, Square, Vector
from testing_functions import DROP, KEEP, KEPT, get

import tain

T = TypeVar("T")


pytestmark = pytest.mark.usefixtures("nothing_kept")


def through_a_field(made: Any) -> Callable[[], Any]:
    node = Node()
    node.payload = made
    return lambda: node.payload


def through_a_list(made: Any) -> Callable[[], Any]:
    items = tain.List([made])
    return lambda: items[0]


def through_a_map(made: Any) -> Callable[[], Any]:
    items = tain.convert({"a": [made]})
    return lambda: items["a"][0]


def through_cpp(made: Any) -> Callable[[], Any]:
    KEEP(made)
    return lambda: KEPT(0)


def through_a_callback(made: Any) -> Callable[[], Any]:
    seen: list[Any] = []
    node = Node()
    node.payload = made

    def call() -> Any:
        get("apply")(seen.append, node.payload)
        return seen.pop()

    return call


PLACES = [through_a_field, through_a_list, through_a_map, through_cpp, through_a_callback]


# ---------------------------------------------------------------- classes of every kind


class Attributes(Point):
    """__dict__, properties, class attributes, cached_property."""

    unit: ClassVar[str] = "m"

    @property
    def double(self) -> float:
        return 2 * self.x

    @double.setter
    def double(self, value: float) -> None:
        self.x = value / 2

    @functools.cached_property
    def computed(self) -> list[float]:
        return [self.x, self.y]

    @classmethod
    def unit_of(cls) -> str:
        return cls.unit

    @staticmethod
    def zero() -> float:
        return 0.0


class Slots(Point):
    __slots__ = ("computed", "left")

    def __init__(self, x: float, y: float = 0) -> None:
        super().__init__(x, y)
        self.computed = [x, y]


class MoreSlots(Slots):
    __slots__ = ("__dict__", "right")


class Mixin:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.computed = [self.x, self.y]  # type: ignore[attr-defined]


class WithMixin(Mixin, Point):
    pass


class WithGeneric(Point, Generic[T]):
    computed: list[T]

    def __init__(self, x: float, y: float = 0) -> None:
        super().__init__(x, y)
        self.computed = [x, y]  # type: ignore[list-item]


class Abstract(Point, abc.ABC):
    @abc.abstractmethod
    def compute(self) -> list[float]: ...

    @property
    def computed(self) -> list[float]:
        if "_computed" not in self.__dict__:
            self._computed = self.compute()
        return self._computed


class Concrete(Abstract):
    def compute(self) -> list[float]:
        return [self.x, self.y]


@final
class Final(Attributes):
    pass


class Meta(type):
    """A metaclass with keywords."""

    def __new__(mcs, name: str, bases: tuple, body: dict, *, tag: str = "", **rest: Any) -> Meta:
        cls = super().__new__(mcs, name, bases, body, **rest)
        cls.tag = tag  # type: ignore[attr-defined]
        return cls

    def __init__(cls, name: str, bases: tuple, body: dict, *, tag: str = "", **rest: Any) -> None:
        super().__init__(name, bases, body)


class WithMeta(Attributes, metaclass=Meta, tag="tagged"):
    pass


class Registered(Attributes):
    registry: ClassVar[list[type]] = []

    def __init_subclass__(cls, /, suffix: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.suffix = suffix
        Registered.registry.append(cls)


class Suffixed(Registered, suffix="s"):
    pass


class Getattr(Point):
    def __getattr__(self, name: str) -> Any:
        if name != "computed":
            raise AttributeError(name)
        self.computed = [self.x, self.y]
        return self.computed

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)


def with_method(cls: type[T]) -> type[T]:
    """Decorate a class in place."""
    cls.decorated = True  # type: ignore[attr-defined]
    return cls


@with_method
class Decorated(Attributes):
    pass


CLASSES = [Attributes, Slots, MoreSlots, WithMixin, WithGeneric, WithGeneric[float], Concrete,
           Final, WithMeta, Suffixed, Getattr, Decorated]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("cls", CLASSES)
def test_what_python_dropped_comes_back_as_itself(cls: Any, place: Any) -> None:
    made = cls(1, 2)
    computed, identity = made.computed, id(made)
    computed.append("mark")
    origin = type(made)
    fetch = place(made)
    del made
    for _ in range(2):
        gc.collect()
        back = fetch()
        assert id(back) == identity
        assert type(back) is origin
        assert back.computed is computed
        assert (back.x, back.y, back.norm()) == (1.0, 2.0, 5**0.5)
        assert weakref.ref(back)() is back
        del back
    del fetch


def test_what_classes_have() -> None:
    made = Attributes(3, 4)
    made.double = 10
    assert (made.x, made.double, made.unit_of(), Attributes.zero()) == (5.0, 10.0, "m", 0.0)
    assert made.computed is made.computed
    assert vars(made) == {"computed": [5.0, 4.0]}
    assert not hasattr(Slots(1), "__dict__")
    with pytest.raises(AttributeError):
        Slots(1).other = 1
    more = MoreSlots(1)
    more.right, more.other = 2, 3
    assert (more.right, more.other, more.__dict__) == (2, 3, {"other": 3})
    assert WithMeta.tag == "tagged"
    assert Suffixed.suffix == "s"
    assert Suffixed in Registered.registry
    assert Decorated.decorated
    assert isinstance(WithMixin(1), Mixin)
    assert isinstance(WithMixin(1), Point)
    assert WithGeneric[int].__origin__ is WithGeneric
    assert getattr(Final, "__final__", True)  # since Python 3.11


def test_protocols_and_abc() -> None:
    @runtime_checkable
    class HasNorm(Protocol):
        def norm(self) -> float: ...

    class Named(abc.ABC):  # noqa: B024 -- what registers with it is it
        pass

    Named.register(Point)
    assert isinstance(Point(1), HasNorm)
    assert isinstance(Attributes(1), HasNorm)
    assert isinstance(Attributes(1), Named)
    assert issubclass(Slots, Named)
    gc.collect()


def test_singledispatch_and_context_managers() -> None:
    @functools.singledispatch
    def describe(value: object) -> str:
        return "object"

    describe.register(Point, lambda value: "point")
    describe.register(Attributes, lambda value: "attributes")
    assert [describe(v) for v in (Vector(1, 2), Slots(1), WithMeta(1))] == [
        "object",
        "point",
        "attributes",
    ]

    class Managed(Point, contextlib.ContextDecorator):
        def __enter__(self) -> Managed:
            return self

        def __exit__(self, *args: object) -> None:
            self.x = -1

    with Managed(1) as managed:
        assert managed.x == 1.0
    assert managed.x == -1.0


def test_attributes_are_deleted_like_any() -> None:
    made = Attributes(1)
    made.note = 1
    del made.note, made.__dict__
    assert vars(made) == {}
    with pytest.raises(AttributeError, match=r"note"):
        del made.note
    slots = Slots(1)
    del slots.computed
    with pytest.raises(AttributeError):
        _ = slots.computed
    with raises(AttributeError, "Point.x cannot be deleted: it is a field of a C++ object"):
        del made.x
    assert made.x == 1.0


def test_a_dict_that_is_replaced() -> None:
    made = Attributes(1)
    mine = {"note": [made]}
    made.__dict__ = mine
    fetch = through_cpp(made)
    del made
    gc.collect()
    assert fetch().note[0] is fetch()
    assert vars(fetch()) is mine
    mine.clear()


def test_attributes_that_go_away_while_they_are_read() -> None:
    class Drops:
        def __del__(self) -> None:
            seen.append(holder[0].x)
            vars(holder[0]).clear()
            vars(holder[0])["again"] = 1

    seen: list[float] = []
    holder = [Attributes(4)]
    holder[0].drops = Drops()
    del holder[0].drops
    assert seen == [4.0]
    assert vars(holder[0]) == {"again": 1}
    holder.clear()


# ---------------------------------------------------------------- bases


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("bases", "names"),
    [
        ((Point, Vector), ("Point", "Vector")),
        ((Attributes, Square), ("Point", "Square")),
        ((Mixin, Slots, type("Other", (Vector,), {})), ("Point", "Vector")),
    ],
)
def test_two_unrelated_parents(bases: tuple[type, ...], names: tuple[str, str]) -> None:
    with raises(
        TypeError,
        f"Both: the C++ types tain.types.testing.{names[0]} and tain.types.testing.{names[1]} are "
        "unrelated, so one object cannot be both; derive from one and hold the other in an "
        "attribute",
    ):
        type("Both", bases, {})
    gc.collect()


@pytest.mark.bad_input
def test_layouts_that_do_not_go_together() -> None:
    for other in (int, str, dict, type, BaseException, type("S", (), {"__slots__": ("a",)})):
        with pytest.raises(TypeError, match=r"lay-?out conflict|metaclass conflict"):
            type("Both", (Slots, other), {})
    gc.collect()


# ---------------------------------------------------------------- construction


@pytest.fixture
def live() -> Callable[[], int]:
    """Return a function that counts the points made since."""
    key = "testing.Point"
    before = tain.testing.live_objects().get(key, 0)
    return lambda: tain.testing.live_objects().get(key, 0) - before


def test_the_constructor_runs_once(live) -> None:
    made = get("echo")(Attributes(1, 2))
    assert live() == 1
    assert made.x == 1.0

    class Deep(WithMixin):
        def __init__(self, x: float) -> None:
            super().__init__(x, y=5)

    deep = Deep(3)
    assert (live(), deep.y, deep.computed) == (2, 5.0, [3.0, 5.0])


def test_init_twice_leaks_nothing(live) -> None:
    made = Attributes(1)
    for i in range(100):
        made.__init__(i)
    assert (live(), made.x) == (1, 99.0)
    KEEP(made)
    made.__init__(7)
    assert (live(), KEPT(0).x, made.x) == (2, 99.0, 7.0)
    assert KEPT(0) is not made  # what C++ holds is the object before
    DROP()
    assert live() == 1
    watched = weakref.ref(made)
    made.__init__(8)
    assert watched() is made


def test_init_while_cpp_calls() -> None:
    made = Attributes(1)

    def again(given: Point) -> float:
        given.__init__(5)
        return given.x

    with raises(TypeError, in_use_text("Attributes.__init__()")):
        get("apply")(again, made)
    assert made.x == 1.0
    assert again(made) == 5.0


@pytest.mark.bad_input
def test_an_init_that_forgets_or_hurries() -> None:
    text = (
        "{} object is empty: its __init__ was not called (a subclass must call "
        "super().__init__(...))"
    )

    class Forgets(Point):
        def __init__(self) -> None:
            self.note = "mine"

    class Hurries(Point):
        def __init__(self) -> None:
            self.x = 5.0
            super().__init__(1)

    class Asks(Point):
        def __init__(self) -> None:
            self.early = self.norm()
            super().__init__(1)

    for make, name in [
        (lambda: Forgets().x, "Forgets"),
        (lambda: Forgets().norm(), "Forgets"),
        (lambda: get("echo")(Forgets()), "Forgets"),
        (lambda: tain.List([Forgets()]), "Forgets"),
        (lambda: KEEP(Forgets()), "Forgets"),
        (Hurries, "Hurries"),
        (Asks, "Asks"),
    ]:
        with raises(ValueError, text.format(name)):
            make()
    assert Forgets().note == "mine"


@pytest.mark.bad_input
def test_an_init_that_raises(live) -> None:
    class Raises(Point):
        def __init__(self, when: str) -> None:
            if when == "before":
                raise ValueError(when)
            super().__init__(1)
            self.me = self
            if when == "after":
                raise ValueError(when)

    for when in ("before", "after"):
        with raises(ValueError, when):
            Raises(when)
    gc.collect()
    assert live() == 0


def test_custom_new() -> None:
    class Cached(Point):
        made: ClassVar[dict[float, Any]] = {}

        def __new__(cls, x: float) -> Any:
            if x not in cls.made:
                cls.made[x] = super().__new__(cls)
            return cls.made[x]

    class Other(Point):
        def __new__(cls, x: float) -> Any:
            return [x]

    class Early(Point):
        def __new__(cls, x: float) -> Any:
            self = super().__new__(cls, x)
            Point.__init__(self, x + 100)
            self.early = self.x
            return self

        def __init__(self, x: float) -> None:
            pass

    one = Cached(1)
    one.note = "kept"
    assert Cached(1) is one
    assert Cached(1).note == "kept"
    assert Other(5) == [5]
    assert (Early(1).x, Early(1).early) == (101.0, 101.0)
    Cached.made.clear()
    del one
    gc.collect()


def test_the_factory_way_in_subclasses() -> None:
    class Mean(Point):
        def __init__(self, *points: Point) -> None:
            self.__init_handle_by_constructor__(get("centroid"), list(points))
            self.count = len(points)

    class Weighted(Mean):
        def __init__(self, *points: Point) -> None:
            super().__init__(*points)
            self.weight = 2 * self.count

    made = Weighted(Point(0, 0), Point(2, 2))
    assert (made.x, made.count, made.weight) == (1.0, 2, 4)
    assert tain.List([made])[0] is made


# ---------------------------------------------------------------- __class__


WRONG = "__class__ assignment: Attributes and"


@pytest.mark.bad_input
def test_class_assignment() -> None:
    made, slots = Attributes(1), Slots(1)
    for cls, text in [
        (Vector, f"{WRONG} tain.types.testing.Vector do not stand for the same C++ type"),
        (int, f"{WRONG} int do not stand for the same C++ type"),
        (5, "__class__ must be set to a class"),
    ]:
        with raises(TypeError, text):
            made.__class__ = cls
    for cls in (Slots, Point):  # CPython's words
        with pytest.raises(TypeError, match=r"deallocator differs|object layout differs"):
            made.__class__ = cls
    with pytest.raises(TypeError):
        slots.__class__ = MoreSlots
    made.note = "mine"
    made.__class__ = WithMeta
    assert (made.note, made.tag, made.x, type(made)) == ("mine", "tagged", 1.0, WithMeta)
    KEEP(made)
    del made
    gc.collect()
    assert type(KEPT(0)) is WithMeta
    with pytest.raises(TypeError):
        del slots.__class__
