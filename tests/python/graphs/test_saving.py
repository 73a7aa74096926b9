# SPDX-License-Identifier: Apache-2.0
"""save_json, load_json, save_binary, load_binary: what they keep, and how they stream."""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tain.types.testing.save import Const, Grown, Kinds, Link, Mood, OnlyPair, Pair

import tain
import tain.testing

BOTH = {
    "json": (tain.save_json, tain.load_json),
    "binary": (tain.save_binary, tain.load_binary),
}


@pytest.fixture(params=BOTH)
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Return a function that saves and loads a value in one of the two forms."""
    save, load = BOTH[request.param]
    return lambda value: load(save(value))


VALUES = [
    *(None, True, False, 0, 1, -1, 191, 192, 2**63 - 1, -(2**63), 2**63, 2**64, -(2**100), 3**2000),
    *(0.0, -0.0, 1.5, 1e300, 5e-324, 0.1, math.inf, -math.inf, math.nan),
    *("", "a", "seven77", "eight888", 'é\n\t"\\/\x00\x1f\x7f', "\U0001f600", "x" * 1000),
    *(b"", b"\x00\xff", b"x" * 1000),
    *(tain.dtype("float32"), tain.dtype("int4"), tain.dtype("bfloat16x4")),
    *(tain.cpu(0), tain.cuda(3), tain.Shape(()), tain.Shape((1, 2, 2**40))),
    *(Mood.GOOD, Mood.BAD),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:30])
def test_values(again: Callable[[Any], Any], value: object) -> None:
    loaded = again(value)
    assert type(loaded) is type(value)
    assert repr(loaded) == repr(value)
    inside = tain.List([value, value])  # members of enums are plain values there
    assert repr(list(again(inside))) == repr(list(inside))


def test_a_text_with_a_lone_surrogate(again: Callable[[Any], Any]) -> None:
    assert again("a\ud800b") == "a\ud800b"


def all_kinds() -> Any:
    return Kinds(
        flag=True,
        i8=-128,
        i16=-(2**15),
        i32=-(2**31),
        i64=-(2**63),
        u8=255,
        u16=2**16 - 1,
        u32=2**32 - 1,
        u64=2**64 - 1,
        f32=0.1,
        f64=0.1,
        text="text",
        data=b"\x00\x01",
        mood=Mood.BAD,
        maybe=None,
        links=[Link("a", None, 1)],
    )


def test_every_kind_of_field(again: Callable[[Any], Any]) -> None:
    kinds = all_kinds()
    loaded = again(kinds)
    assert type(loaded) is Kinds
    for name in tain.type_info(Kinds).fields:
        field = getattr(name, "name", name)
        if field != "links":
            assert repr(getattr(loaded, field)) == repr(getattr(kinds, field))
    assert [link.name for link in loaded.links] == ["a"]


def test_containers_of_all_kinds(again: Callable[[Any], Any]) -> None:
    value = tain.Array(
        [
            tain.Array([]),
            tain.List([1, tain.List([])]),
            tain.Map({}),
            tain.Map({1: "one", "two": 2, 2.5: None, None: True}),
            tain.Dict({(1, 2): tain.Dict({"x": tain.Array([3])})}),
        ]
    )
    loaded = again(value)
    assert loaded == value
    assert [type(part) for part in loaded] == [type(part) for part in value]
    assert list(loaded[3].items()) == list(value[3].items())


def test_what_is_shared_stays_shared(again: Callable[[Any], Any]) -> None:
    link = Link("shared", None, None)
    items = tain.List([link, link])
    loaded = again(tain.Array([items, items, Pair(link, link)]))
    assert loaded[0].same_as(loaded[1])
    assert loaded[0][0] is loaded[0][1] is loaded[2].first is loaded[2].link


def test_cycles(again: Callable[[Any], Any]) -> None:
    first, second = Link("first", None, None), Link("second", None, None)
    first.next, second.next = second, first
    first.value = tain.List([first, tain.Dict({"me": first, first: 1})])
    loaded = again(first)
    assert loaded.next.next is loaded
    assert loaded.value[0] is loaded
    assert loaded.value[1]["me"] is loaded
    assert loaded.value[1][loaded] == 1
    from_second = again(second)
    assert from_second.next.next is from_second
    assert list(from_second.next.value[1]) == ["me", from_second.next]


def test_a_list_and_a_dict_in_themselves(again: Callable[[Any], Any]) -> None:
    items, entries = tain.List([1]), tain.Dict({"a": 1})
    items.append(items)
    entries["b"] = entries
    entries["c"] = 3
    loaded, other = again(items), again(entries)
    assert loaded[1].same_as(loaded)
    assert other["b"].same_as(other)
    assert list(other) == ["a", "b", "c"]
    for container in (items, entries, loaded, other):
        container.clear()  # cycles of containers alone are not collected


def test_a_cycle_through_a_type_that_must_be_made_last(again: Callable[[Any], Any]) -> None:
    """The other part of the cycle has a default constructor."""
    link = Link("link", None, None)
    pair = Pair("first", link)
    link.value = pair
    loaded = again(link)
    assert loaded.value.link is loaded
    items = tain.List([])
    pair = Pair(items, Link("", None, None))
    items.append(pair)
    loaded = again(pair)
    assert loaded.first[0] is loaded


def test_a_cycle_through_such_types_alone(again: Callable[[Any], Any]) -> None:
    first = OnlyPair([], Link("", None, None))
    first.other = OnlyPair([], first)
    with pytest.raises(ValueError, match="such a cycle needs a type with a default constructor"):
        again(first)


def test_const_members_and_read_only_fields(again: Callable[[Any], Any]) -> None:
    assert again(Const(5)).number == 5
    assert again(Pair(1, Link("x", None, None))).link.name == "x"


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype="float32").reshape(3, 4),
        np.arange(12, dtype="int64").reshape(3, 4)[::-1, ::2],
        np.zeros((0, 3)),
        np.array(7, dtype="uint8"),
        np.arange(100_000, dtype="complex128"),
    ],
    ids=["dense", "gaps", "empty", "scalar", "large"],
)
def test_tensors(again: Callable[[Any], Any], array: Any) -> None:
    tensor = tain.tensor(array)
    loaded = again(tain.Array([tensor, tensor, 1]))
    assert loaded[0] is loaded[1]
    back = np.from_dlpack(loaded[0])
    assert back.dtype == array.dtype
    assert np.array_equal(back, array)


def test_a_tensor_in_a_field_at_every_depth(again: Callable[[Any], Any]) -> None:
    """It is a node that ends at once, between the fields of the nodes around it."""
    value: Any = 0
    for depth in range(1, 70):
        value = tain.types.testing.SPair(first=np.full(2, depth), second=value)
        made = again(value)
        for expected in range(depth, 0, -1):
            assert np.array_equal(made.first, np.full(2, expected))
            made = made.second
        assert made == 0


def test_tensors_of_a_file_are_views_of_it(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    array = np.arange(100_000, dtype="float64")
    tain.save_binary(tain.Array(["a", tain.tensor(array), tain.tensor(array[:5])]), path)
    loaded = tain.load_binary(path)
    view = np.from_dlpack(loaded[1])
    assert view.ctypes.data % 64 == 0
    with open("/proc/self/maps", errors="surrogateescape") as maps:
        spans = [line.split()[0].split("-") for line in maps if str(path) in line]
    assert any(int(a, 16) <= view.ctypes.data < int(b, 16) for a, b in spans)
    view[0] = 99  # is private
    assert np.from_dlpack(tain.load_binary(path)[1])[0] == 0
    assert np.array_equal(np.from_dlpack(loaded[2]), array[:5])
    path.unlink()
    del loaded
    assert view[-1] == 99_999
    del view
    with open("/proc/self/maps", errors="surrogateescape") as maps:
        assert str(path) not in maps.read()


def test_without_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    tain.save_binary(tain.tensor(np.arange(100_000)), path)
    loaded = tain.load_binary(str(path), mmap=False)
    with open("/proc/self/maps", errors="surrogateescape") as maps:
        assert str(path) not in maps.read()
    assert np.from_dlpack(loaded)[-1] == 99_999


@pytest.mark.parametrize("form", BOTH)
def test_a_chain_of_a_million(form: str) -> None:
    save, load = BOTH[form]
    chain = tain.testing.make_chain(1_000_000) if hasattr(tain.testing, "make_chain") else None
    if chain is None:
        for i in range(1_000_000):
            chain = Link("", chain, i)
    saved = save(chain)
    loaded = load(saved)
    assert save(loaded) == saved


@pytest.mark.parametrize("form", BOTH)
def test_nested_lists_of_a_million(form: str) -> None:
    save, load = BOTH[form]
    items = tain.List([])
    for _ in range(1_000_000):
        items = tain.List([items])
    assert save(load(save(items))) == save(items)


@pytest.mark.parametrize("form", BOTH)
def test_the_same_graph_gives_the_same_bytes(form: str) -> None:
    """Whether Python has wrappers of the nodes makes no difference."""
    save, load = BOTH[form]
    loaded = load(save(all_kinds()))
    without = save(loaded)
    kept = [loaded.links, *loaded.links]
    assert save(loaded) == without == save(all_kinds())
    del kept


def test_the_text() -> None:
    link = Link("a", None, 1.5)
    assert tain.save_json(tain.Array([link, link, {"k": b"ab"}])) == (
        '{"tain_graph":1,"nodes":['
        '{"$type":"testing.save.Link","name":"a","next":null,"value":1.5},'
        '{"$type":"ffi.Map","items":[["k",{"$bytes":"YWI="}]]},'
        '{"$type":"ffi.Array","items":[{"$node":0},{"$node":0},{"$node":1}]}],'
        '"root":{"$node":2}}'
    )


def test_indent() -> None:
    text = tain.save_json(tain.Map({1: tain.List([])}), indent=2)
    assert text == textwrap.dedent(
        """\
        {
          "tain_graph": 1,
          "nodes": [
            {
              "$type": "ffi.List",
              "items": []
            },
            {
              "$type": "ffi.Map",
              "items": [
                [1, {"$node": 0}]
              ]
            }
          ],
          "root": {"$node": 1}
        }"""
    )
    kinds = all_kinds()
    for indent in (0, 1, 4):
        text = tain.save_json(kinds, indent=indent)
        assert json.loads(text) == json.loads(tain.save_json(kinds))
        assert tain.save_json(tain.load_json(text)) == tain.save_json(kinds)


def test_text_that_another_tool_wrote() -> None:
    """Names in another order, blanks, escapes: what a program that sorts names writes."""
    array = tain.Array([all_kinds(), tain.tensor(np.arange(3)), {"x": 1}])
    parsed = json.loads(tain.save_json(array))
    for options in ({"sort_keys": True}, {"indent": 3}, {"separators": (" ,\n ", "\t:\r\n")}):
        loaded = tain.load_json(json.dumps(parsed, **options))
        assert json.loads(tain.save_json(loaded)) == parsed


class Part(io.RawIOBase):
    """A file that gives and takes few bytes at a time."""

    def __init__(self, data: bytes = b"", size: int = 1) -> None:
        self.data, self.size, self.taken = data, size, b""

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        part, self.data = self.data[: self.size], self.data[self.size :]
        return part

    def write(self, part: Any) -> int:
        self.taken += bytes(part[:1000])
        return min(len(part), 1000)


GRAPH = tain.Array(
    [
        all_kinds(),
        tain.tensor(np.arange(1000)),
        "é" * 70_000,
        -(2**200),
        1e-7,
        {"key": [1, 2.5, None]},
    ]
)


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("size", [1, 7, 65_536])
def test_files_that_give_few_bytes(form: str, size: int) -> None:
    save, load = BOTH[form]
    saved = save(GRAPH)
    data = saved.encode() if isinstance(saved, str) else saved
    if size == 1:
        data = data if len(data) < 10_000 else save(GRAPH[5])
        data = data.encode() if isinstance(data, str) else data
    loaded = load(Part(data, size))
    assert save(loaded).encode() == data if isinstance(saved, str) else save(loaded) == data


@pytest.mark.parametrize("form", BOTH)
def test_files_that_take_few_bytes(form: str) -> None:
    save, _ = BOTH[form]
    saved = save(GRAPH)
    file = Part()
    assert save(GRAPH, file) is None
    assert file.taken == (saved.encode() if isinstance(saved, str) else saved)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "graph.tain"
    tain.save_binary(tain.Dict({"w": np.ones(100_000)}), path)
    path.chmod(0o640)
    mapped = tain.load_binary(path)
    mapped["step"] = 2
    tain.save_binary(mapped, path)  # whose memory it reads
    assert tain.load_binary(path)["step"] == 2
    assert mapped["w"].tolist() == [1.0] * 100_000
    assert path.stat().st_mode & 0o777 == 0o640
    for save, load in ((tain.save_json, tain.load_json), (tain.save_binary, tain.load_binary)):
        save(tain.Array([1]), path)
        with pytest.raises(TypeError):
            save(tain.Array([1, len]), path)
        assert load(path) == tain.Array([1])
    link = tmp_path / "link"
    link.symlink_to(path)
    tain.save_json(tain.Array([2]), link)
    assert link.is_symlink()
    assert tain.load_json(path) == tain.Array([2])
    assert sorted(os.listdir(tmp_path)) == ["graph.tain", "link"]
    with pytest.raises(FileNotFoundError):
        tain.save_json(1, tmp_path / "none" / "file")
    tain.save_binary(1, os.devnull)


def test_files_of_text_and_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    text = tain.save_json(GRAPH)
    assert tain.save_json(GRAPH, path) is None
    assert path.read_text("utf-8") == text
    assert tain.save_json(tain.load_json(path)) == text
    with open(path, "w", encoding="utf-8") as file:
        tain.save_json(GRAPH, file)
    with open(path, encoding="utf-8") as file:
        assert tain.save_json(tain.load_json(file)) == text
    with open(path, "rb") as file:
        assert tain.save_json(tain.load_json(file)) == text
    memory = io.StringIO()
    tain.save_json(GRAPH, memory)
    assert memory.getvalue() == text
    for kind in (bytes, bytearray, memoryview):
        assert tain.save_json(tain.load_json(kind(text.encode()))) == text


def test_the_text_is_never_in_memory_as_a_whole() -> None:
    largest = 0

    class Measure:
        def write(self, part: Any) -> int:
            nonlocal largest
            largest = max(largest, len(part))
            return len(part)

    links = tain.Array([Link("x" * 100, None, i) for i in range(50_000)])
    tain.save_json(links, Measure())
    assert largest < 2_000_000 < len(tain.save_json(links))


def test_an_error_of_a_file_comes_out_as_itself() -> None:
    class Full:
        def write(self, part: object) -> int:
            raise OSError(28, "full")

        def read(self, size: int) -> bytes:
            raise OSError(5, "broken")

    for save, load in BOTH.values():
        with pytest.raises(OSError, match="full"):
            save(GRAPH, Full())
        with pytest.raises(OSError, match="broken"):
            load(Full())


def test_arguments(tmp_path: Path) -> None:
    cases: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tain.save_json(1, indent="2"), TypeError, "save_json: indent: expected int, got"),
        (lambda: tain.save_json(1, indent=-1), ValueError, "save_json: indent: expected 0 to 100"),
        (lambda: tain.save_json(1, 5), TypeError, "save_json: expected a path or a file, got int"),
        (lambda: tain.load_json(5), TypeError, "load_json: expected a path or a file, got int"),
        (lambda: tain.load_binary(None), TypeError, "load_binary: expected a path or a file, got"),
        (lambda: tain.save_binary(1, io.StringIO()), TypeError, "save_binary: expected a file for"),
        (lambda: tain.load_json("", allow=[5]), TypeError, "load_json: allow: expected keys or"),
        (lambda: tain.load_binary(tmp_path / "none"), FileNotFoundError, "none"),
        (lambda: tain.load_binary(tmp_path), IsADirectoryError, "Is a directory"),
        (lambda: tain.load_json(io.BytesIO(b"")), ValueError, "load_json: byte 0: expected '{'"),
    ]
    for call, kind, text in cases:
        with pytest.raises(kind, match=text):
            call()


def test_the_registered_text_of_a_pickle_is_not_changed() -> None:
    assert pickle.loads(pickle.dumps(Link("a", None, 1))).name == "a"


def test_fields_with_defaults_load_old_data() -> None:
    old = tain.load_json(
        '{"tain_graph":1,"nodes":[{"$type":"testing.save.Grown","old":3}],"root":{"$node":0}}'
    )
    assert (old.old, old.added, list(old.made)) == (3, 7, [1, 2])
    assert type(old) is Grown


def test_importing_tain_does_not_import_the_module() -> None:
    code = "import sys, tain; sys.exit(any(m in sys.modules for m in ('tain._saving', 'json')))"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))
