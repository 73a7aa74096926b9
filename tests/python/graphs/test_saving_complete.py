# SPDX-License-Identifier: Apache-2.0
"""Hooks of loading and upgrade functions get complete values, or an error names what is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from errors import raises
from tain.types.testing.save import Link, Pair

import tain

BOTH = {
    "json": (tain.save_json, tain.load_json),
    "binary": (tain.save_binary, tain.load_binary),
}


@pytest.fixture(params=BOTH)
def form(request: pytest.FixtureRequest) -> str:
    return request.param


seen: list[str] = []


@tain.py_class("testing_complete.Hooked")
class Hooked:
    """Saves its payload, and remembers how it looked when it was loaded."""

    payload: Any = None

    def __data_to_json__(self) -> Any:
        return self.payload

    @classmethod
    def __data_from_json__(cls, data: Any) -> Hooked:
        seen.append(tain.to_text(data))
        return cls(data)


@pytest.fixture(autouse=True)
def nothing_seen() -> None:
    seen.clear()


def in_list(hooked: Hooked) -> Any:
    around = tain.List([1, hooked, 2])
    hooked.payload = around
    return around


def deep_in_list(hooked: Hooked) -> Any:
    around = tain.List([hooked])
    hooked.payload = tain.Array([0, tain.Dict({"x": tain.List([around])})])
    return around


def in_dict(hooked: Hooked) -> Any:
    around = tain.Dict({"before": 1, "h": hooked, "after": 2})
    hooked.payload = tain.Array([around])
    return around


def in_object(hooked: Hooked) -> Any:
    around = Link("around", value=hooked)
    hooked.payload = Link("inner", value=tain.Array([around]))
    return around


def in_field_of_object(hooked: Hooked) -> Any:
    around = tain.List([])
    around.append(Link("holder", value=hooked))
    hooked.payload = Link("inner", value=around)
    return around


CYCLES: dict[str, tuple[Callable[[Hooked], Any], str]] = {
    "list": (in_list, "List"),
    "list, deep": (deep_in_list, "List"),
    "dict": (in_dict, "Dict"),
    "object": (in_object, "testing.save.Link"),
    "field of an object": (in_field_of_object, "List"),
}


def break_cycle(hooked: Hooked) -> None:
    hooked.payload = None


@pytest.mark.bad_input
@pytest.mark.parametrize("cycle", CYCLES)
def test_a_cycle_through_a_hook(form: str, cycle: str) -> None:
    save, load = BOTH[form]
    make, found = CYCLES[cycle]
    hooked = Hooked()
    data = save(make(hooked))
    break_cycle(hooked)
    with pytest.raises(ValueError) as caught:
        load(data)
    head, _, text = str(caught.value).partition(" (")
    assert head.startswith(f"load_{form}: node ")
    assert text == (
        f"testing_complete.Hooked): the value for __data_from_json__ leads to the {found} that "
        "contains this node, and is not complete yet: a cycle cannot pass through it"
    )
    assert seen == []


def shared_payload(payload: Any) -> Any:
    return tain.Array([Hooked(payload), payload, Hooked(tain.Array([payload]))])


def cycle_of_links() -> Any:
    first = Link("first")
    first.next = Link("second", first)
    return first


def cycle_through_a_type_that_is_made_last() -> Any:
    link = Link("link")
    link.value = tain.Array([Pair(tain.List([7]), link)])
    return link


def cycle_of_containers_through_such_a_type() -> Any:
    """The list waits for the pair, which is made when its parts are complete."""
    inner = tain.List([])
    inner.append(Pair(tain.Dict({"list": inner}), Link("end")))
    return inner


COMPLETE = {
    "shared": lambda: tain.List([1, tain.Dict({"a": 2})]),
    "cycle of links": cycle_of_links,
    "cycle through a pair": cycle_through_a_type_that_is_made_last,
    "cycle of containers": cycle_of_containers_through_such_a_type,
}


def clear(payload: Any) -> None:
    if isinstance(payload, Link):
        payload.next = payload.value = None
    else:
        payload.clear()


@pytest.mark.parametrize("payload", COMPLETE)
def test_what_is_complete(form: str, payload: str) -> None:
    """Also a cycle, if it has ended before the hook runs."""
    save, load = BOTH[form]
    made = COMPLETE[payload]()
    graph = shared_payload(made)
    # The cycle ends first, and the hooks get it afterwards.
    data = save(tain.Array([made, graph]))
    expected = [tain.to_text(made), tain.to_text(tain.Array([made]))]
    loaded = load(data)
    assert seen == expected
    assert loaded[1][0].payload.same_as(loaded[0])
    clear(loaded[0])
    clear(made)


# ---------------------------------------------------------------- upgrades


@tain.py_class("testing_complete.Grown")
class Grown:
    parts: Any = None
    other: Any = None


@pytest.fixture(scope="module")
def old_data() -> dict[str, dict[str, Any]]:
    """Data of version 1, before the upgrade is registered."""
    made: dict[str, dict[str, Any]] = {}
    for form, (save, _) in BOTH.items():
        around = tain.List([])
        grown = Grown(tain.Array([around]))
        around.append(grown)
        itself = Grown()
        itself.other = itself
        shared = tain.List([1, 2])
        made[form] = {
            "list": save(around),
            "itself": save(itself),
            "complete": save(tain.Array([Grown(shared), Grown(tain.Array([shared]))])),
        }
        around.clear()
        itself.other = None

    @tain.register_upgrade("testing_complete.Grown", version=2)
    def upgrade(fields: dict[str, Any], version: int) -> Mapping[str, Any]:
        seen.append(tain.to_text(fields["parts"]))
        return fields

    return made


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("which", "field", "found"),
    [("list", "parts", "List"), ("itself", "other", "testing_complete.Grown")],
)
def test_a_cycle_through_an_upgrade(
    form: str, which: str, field: str, found: str, old_data: Any
) -> None:
    node = {"json": {"list": 0, "itself": 0}, "binary": {"list": 1, "itself": 0}}[form][which]
    if form == "json" and which == "list":
        node = 1
    text = (
        f"load_{form}: node {node} (testing_complete.Grown): the field '{field}' for the upgrade "
        f"function leads to the {found} that contains this node, and is not complete yet: a cycle "
        "cannot pass through it"
    )
    with raises(ValueError, text):
        BOTH[form][1](old_data[form][which])
    assert seen == []


def test_an_upgrade_gets_complete_containers(form: str, old_data: Any) -> None:
    loaded = BOTH[form][1](old_data[form]["complete"])
    assert [list(loaded[0].parts), list(loaded[1].parts[0])] == [[1, 2], [1, 2]]
    assert len(seen) == 2
