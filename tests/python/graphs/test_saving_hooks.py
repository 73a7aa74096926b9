# SPDX-License-Identifier: Apache-2.0
"""What Python classes say about saving: hooks, state of Python's, enums; and upgrades of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tain.types.testing.save import Grown, Hooked, Link, Renamed

import tain

BOTH = {
    "json": (tain.save_json, tain.load_json),
    "binary": (tain.save_binary, tain.load_binary),
}


@pytest.fixture(params=BOTH)
def save(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return BOTH[request.param][0]


@pytest.fixture
def load(save: Callable[[Any], Any]) -> Callable[..., Any]:
    return next(load for known, load in BOTH.values() if known is save)


def text_of(*nodes: str, root: str = "") -> str:
    last = root or f'{{"$node":{len(nodes) - 1}}}'
    return f'{{"tain_graph":1,"nodes":[{",".join(nodes)}],"root":{last}}}'


def test_hooks_of_cpp(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    loaded = load(save(tain.Array([Hooked(5), Hooked(7)])))
    assert [part.count for part in loaded] == [5, 7]
    assert '"$type":"testing.save.Hooked","$value":"count 5"' in tain.save_json(Hooked(5))


@tain.py_class("testing_saving.Point")
class Point:
    x: int
    y: int = 2

    def __data_to_json__(self) -> object:
        return [self.x, self.y]

    @classmethod
    def __data_from_json__(cls, data: Any) -> Point:
        return cls(data[0], data[1])


@tain.py_class("testing_saving.Plain")
class Plain:
    name: str
    parts: tain.List = tain.field(default_factory=tain.List)


def test_hooks_of_python(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    link = Link("l", None, Point(1, 5))
    loaded = load(save(link))
    assert type(loaded.value) is Point
    assert (loaded.value.x, loaded.value.y) == (1, 5)
    del link


def test_types_of_python(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    plain = Plain("a", tain.List([1, Plain("b")]))
    loaded = load(save(plain))
    assert type(loaded) is Plain
    assert loaded.name == "a"
    assert type(loaded.parts[1]) is Plain


class Labelled(Link):
    """A subclass of Python's, of which only the fields can be saved."""


class Hooky(Link):
    def __data_to_json__(self) -> object:
        return self.label


HINT = (
    "cannot be saved: give the class __data_to_json__ and __data_from_json__, or save it as its "
    'parent with subclasses="as_parent"'
)


def test_a_python_subclass_is_saved_as_its_parent_if_that_is_said(
    save: Callable[..., Any], load: Callable[..., Any], tmp_path: Any
) -> None:
    labelled = Labelled("a", None, 1)
    message = f"{save.__name__}: <root>.value: its Python class Labelled {HINT}"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        save(Link("", None, labelled))
    with pytest.raises(TypeError, match=re.escape(HINT)):
        save(labelled, tmp_path / "file")
    labelled.colour = "red"
    loaded = load(save(labelled, subclasses="as_parent"))
    assert type(loaded) is Link
    assert loaded.name == "a"
    save(labelled, tmp_path / "file", subclasses="as_parent")
    assert load(tmp_path / "file").name == "a"


@pytest.mark.bad_input
def test_other_words_for_subclasses(save: Callable[..., Any]) -> None:
    message = f"{save.__name__}: subclasses: expected None or 'as_parent', got 'drop'"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        save(1, subclasses="drop")


def test_python_attributes_cannot_be_saved(save: Callable[[Any], Any]) -> None:
    labelled = Labelled("a", None, 1)
    labelled.colour = "red"
    message = f"{save.__name__}: <root>[1].value: its Python attribute colour {HINT}"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        save(tain.Array([0, Link("", None, labelled)]))


def test_a_hook_without_its_other_half(
    save: Callable[[Any], Any], load: Callable[..., Any]
) -> None:
    hooky = Hooky("a", None, 1)
    hooky.label = "text"
    with pytest.raises(ValueError, match=r"testing.save.Link\): the data was made by a hook, but"):
        load(save(hooky))


def test_hooks_that_raise_or_return_junk(save: Callable[[Any], Any]) -> None:
    class Raises(Link):
        def __data_to_json__(self) -> object:
            raise ZeroDivisionError("in the hook")

    class Junk(Link):
        def __data_to_json__(self) -> object:
            return [1, {"f": lambda: 1}]

    with pytest.raises(ZeroDivisionError, match="in the hook"):
        save(Raises("a", None, 1))
    where = re.escape('<root>.__data_to_json__()[1]["f"]: a function cannot be saved')
    with pytest.raises(TypeError, match=where):
        save(Junk("a", None, 1))


@pytest.mark.bad_input
def test_hooks_that_change_the_graph(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    items = tain.List(list(range(10)))
    entries = tain.Dict({i: i for i in range(10)})

    class Clears(Link):
        def __data_to_json__(self) -> object:
            target.clear()
            return save(tain.List([1])) and "data"

    for target in (items, entries):
        clears = Clears("a", None, None)
        if target is items:
            items[5] = clears
        else:
            entries[5] = clears
        with pytest.raises(RuntimeError, match="chang"):
            save(target)
    link = Link("a", None, None)

    class Drops(Link):
        def __data_to_json__(self) -> object:
            link.next = None  # the only reference to the object, but for the one of the walk
            link.value = None
            return None

    link.next = Drops("b", None, 5)
    link.value = "stays"
    save(link)


def test_junk_of_the_loading_hook() -> None:
    @tain.py_class("testing_saving.Liar")
    class Liar:
        x: int

        def __data_to_json__(self) -> object:
            return self.x

        @staticmethod
        def __data_from_json__(data: Any) -> object:
            if data == 1:
                raise KeyError("own")
            return "junk"

    with pytest.raises(KeyError, match="own"):
        tain.load_json(tain.save_json(Liar(1)))
    with pytest.raises(ValueError, match=r"__data_from_json__ returned str \('junk'\), expected"):
        tain.load_json(tain.save_json(Liar(2)))


OLD = '{"$type":"testing.save.Renamed","title":"t"}'


def test_upgrade_in_cpp(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    assert tain.load_json(text_of(OLD)).name == "t"
    assert '"$version":2' in tain.save_json(Renamed("x"))
    assert load(save(Renamed("x"))).name == "x"


def test_upgrade_in_python(save: Callable[[Any], Any], load: Callable[..., Any]) -> None:
    key = f"testing_saving.Evolves_{save.__name__}"

    @tain.py_class(key)
    class Evolves:
        first: int
        second: str

    saved = save(tain.Array([Evolves(3, "x"), Evolves(4, "y")]))
    calls: list[tuple[dict[str, Any], int]] = []

    @tain.py_class(key)
    class Evolves:  # type: ignore[no-redef]
        number: int
        added: str = "new"

    with pytest.raises(ValueError, match=rf"node [01] \({key}\): the type has no field 'first'"):
        load(saved)

    @tain.register_upgrade(key, version=3)
    def upgrade(fields: dict[str, Any], version: int) -> Mapping[str, Any]:
        calls.append((dict(fields), version))
        return {"number": fields["first"]}

    loaded = load(saved)
    assert [(part.number, part.added) for part in loaded] == [(3, "new"), (4, "new")]
    assert calls[0] == ({"first": 3, "second": "x"}, 1)
    later = save(Evolves(7))
    assert load(later).number == 7
    assert len(calls) == 2

    tain.register_upgrade(key, version=2)(upgrade)
    text = f"the data has version 3 of the type '{key}', which has version 2 here"
    with pytest.raises(ValueError, match=text):
        load(later)

    @tain.register_upgrade(Evolves, version=3)
    def bad(fields: dict[str, Any], version: int) -> Any:
        return {"wrong": 1} if fields["first"] == 3 else 5

    with pytest.raises(ValueError, match="the upgrade function returned 'wrong', which is no"):
        load(saved)


@pytest.mark.parametrize("load", [tain.load_json, tain.load_binary])
def test_what_allow_may_not_be(load: Callable[..., Any]) -> None:
    for wrong in (5, [5], int):
        with pytest.raises(TypeError, match=r"allow: expected keys or classes of registered types"):
            load(b"", allow=wrong)


def test_what_an_upgrade_may_not_be() -> None:
    with pytest.raises(ValueError, match="version: expected 1 or more, got 0"):
        tain.register_upgrade("testing_saving.None", version=0)(lambda fields, version: fields)
    with pytest.raises(TypeError, match="register_upgrade: expected keys or classes"):
        tain.register_upgrade(5)  # type: ignore[arg-type]


def test_a_field_that_is_missing() -> None:
    with pytest.raises(ValueError) as caught:
        tain.load_json(text_of('{"$type":"testing_saving.Plain","parts":null}'))
    assert str(caught.value) == (
        "load_json: node 0 (testing_saving.Plain): field name is missing in the data and has no "
        "default; register_upgrade can supply it"
    )
    assert tain.load_json(text_of('{"$type":"testing.save.Grown","old":1}')).added == 7
    assert Grown is not None


def test_a_value_that_does_not_fit() -> None:
    text = text_of("1", '{"$type":"testing.save.Link","name":5,"next":null,"value":1}')
    text = text.replace("[1,", '[{"$type":"ffi.List","items":[]},')
    with pytest.raises(TypeError) as caught:
        tain.load_json(text)
    assert str(caught.value) == (
        "load_json: node 1, testing.save.Link.name: expected str, got int (5)"
    )


ALLOWED = [
    (None, True),
    (["testing.save.Link"], True),
    ([Link], True),
    (Link, True),
    ("testing", True),
    (["testing.save"], True),
    (["testing.save."], True),
    ([], False),
    (["testing.sa"], False),
    (["testing.save.Lin"], False),
    ([Hooked, "other"], False),
    ([""], False),
]


@pytest.mark.parametrize(("allow", "fits"), ALLOWED, ids=repr)
def test_allow(
    allow: Any, fits: bool, save: Callable[[Any], Any], load: Callable[..., Any]
) -> None:
    saved = save(Link("a", None, tain.List([1, "x"])))
    if fits:
        assert load(saved, allow=allow).name == "a"
        return
    with pytest.raises(ValueError, match=r"the type 'testing.save.Link' is not in allow="):
        load(saved, allow=allow)
    assert load(save(tain.List([1])), allow=allow)[0] == 1
