# SPDX-License-Identifier: Apache-2.0
"""Text and bytes that are malformed or hostile: each is an error, and none costs much."""

from __future__ import annotations

import base64
import json
import random
import resource
import struct
import time
from typing import Any

import numpy as np
import pytest
from errors import raises
from tain.types.testing.save import Hooked, Kinds, Link, Mood, Pair

import tain

pytestmark = pytest.mark.bad_input

LINK = "testing.save.Link"


def nodes(*texts: str, root: str = '{"$node":0}') -> str:
    return f'{{"tain_graph":1,"nodes":[{",".join(texts)}],"root":{root}}}'


def link(**fields: str) -> str:
    known = {"name": '"a"', "next": "null", "value": "1", **fields}
    return "".join(
        (f'{{"$type":"{LINK}"', *(f',"{name}":{text}' for name, text in known.items()), "}")
    )


def items(text: str, kind: str = "List") -> str:
    return f'{{"$type":"ffi.{kind}","items":[{text}]}}'


JSON = [
    ("", "byte 0: expected '{', got the end"),
    ("[]", "byte 0: expected '{', got '['"),
    ("{}", 'expected "tain_graph", "nodes" and "root"'),
    ('{"tain_graph":2,"nodes":[],"root":1}', "this version of the format is not known"),
    ('{"tain_graph":1,"nodes":[],"root":1} x', "expected the end"),
    ('{"tain_graph":1,"nodes":[],"root":1}\x00', "expected the end"),
    ('{"tain_graph":1,"tain_graph":1,"nodes":[],"root":1}', "unexpected name 'tain_graph'"),
    ('{"tain_graph":1,"nodes":[],"root":1,"more":2}', "unexpected name 'more'"),
    ('{"tain_graph":1,"nodes":[],"root":{"$node":0}}', "does not stand before it"),
    ('{"root":{"$node":7},"tain_graph":1,"nodes":[]}', "a node that does not exist"),
    (nodes(items("1"), root='{"$node":-1}'), "expected an integer of 0 or more"),
    (nodes(items("1"), root='{"$node":99999999999999999999}'), "expected an integer of 0 or more"),
    (nodes(items('{"$node":0}')), "does not stand before it"),
    (nodes(items('{"$node":1}'), items("")), "does not stand before it"),
    (nodes(items('{"$type":"ffi.List","$yet":4}')), "the label 4, which no node has"),
    (nodes(items('{"$type":"ffi.None","$yet":4}')), "the type 'ffi.None' is not registered"),
    (nodes(items('{"$type":"ffi.Function","$yet":4}')), "no objects that can be loaded"),
    (nodes('{"$type":"ffi.List","$yet":1,"$yet":2,"items":[]}'), "two labels"),
    (nodes(*['{"$type":"ffi.List","$yet":1,"items":[]}'] * 2), "a label of another node"),
    (nodes(items('{"$type":"ffi.Map","$yet":1}'), '{"$type":"ffi.List","$yet":1}'), "of another"),
    (nodes(items('{"$type":"ffi.Map","$yet":1},{"$type":"ffi.List","$yet":1}')), "of two types"),
    (nodes('{"$type":"no.Such"}'), "node 0: the type 'no.Such' is not registered"),
    (nodes('{"$type":"ffi.Object"}'), "no objects that can be loaded"),
    (nodes('{"$type":"ffi.Error"}'), "no objects that can be loaded"),
    (nodes('{"$type":"testing.save.Abstract"}'), "no objects that can be loaded"),
    (nodes('{"$type":""}'), "the type '' is not registered"),
    (nodes("{}"), "expected a name in quotes"),
    (nodes('{"name":1}'), 'expected "$type" as the first name'),
    (nodes(link(other="1")), f"({LINK}): the type has no field 'other'"),
    (nodes(link(name='"a","name":"b"')), "unexpected name 'name', or it occurs twice"),
    (nodes(link(other='1,"other":2')), "unexpected name 'other', or it occurs twice"),
    (nodes(f'{{"$type":"{LINK}","$value":1}}'), "the type has no __data_from_json__"),
    (nodes(f'{{"$type":"{LINK}","$value":1,"$value":2}}'), "unexpected name '$value'"),
    (nodes(f'{{"$type":"{LINK}","$other":1}}'), "unexpected name '$other'"),
    (nodes(f'{{"$type":"{LINK}","$version":-1}}'), "expected an integer of 0 or more"),
    (nodes(items("nan")), "expected a value"),
    (nodes(items("NaN")), "expected a value"),
    (nodes(items("Infinity")), "expected a value"),
    (nodes(items("1e999")), "beyond the range of a float"),
    (nodes(items("01")), "expected a value"),
    (nodes(items("-")), "expected a value"),
    (nodes(items("1.")), "expected a value"),
    (nodes(items(".5")), "expected a value"),
    (nodes(items("1e")), "expected a value"),
    (nodes(items("+1")), "expected a value"),
    (nodes(items("9" * 5000)), "a number of too many digits"),
    (nodes(items("[]")), "expected a value"),
    (nodes(items("{}")), "expected a name in quotes"),
    (nodes(items("trux")), "expected a value"),
    (nodes(items('{"a":1}')), "unexpected name 'a'"),
    (nodes(items('"\x01"')), "a control character in a string must be escaped"),
    (nodes(items('"\\x"')), "an unknown escape"),
    (nodes(items('"\\ud800"')), "a surrogate in a string is not one of a pair"),
    (nodes(items('"\\udc00"')), "a surrogate in a string is not one of a pair"),
    (nodes(items('"\\u12g4"')), "expected four hexadecimal digits"),
    ('{"tain_graph":1,"nodes":[],"root":"a', "the text ends within a string"),
    (nodes(items('{"$bytes":"a"}')), "expected base64"),
    (nodes(items('{"$bytes":"YW=="}')), "expected base64"),
    (nodes(items('{"$bytes":"=AAA"}')), "expected base64"),
    (nodes(items('{"$float":"x"}')), "expected nan, inf or -inf"),
    (nodes(items('{"$dtype":"float33x"}')), "'float33x' is no data type"),
    (nodes(items('{"$device":["none",0]}')), "a device of an unknown kind"),
    (nodes(items('{"$device":["cuda",99999999999]}')), "a device of an unknown kind"),
    (nodes(items('{"$enum":"no.Such","$value":1}')), "the enum 'no.Such' is not registered"),
    (nodes(items('{"$enum":"testing.save.Mood","$value":9}')), "has no such member"),
    (nodes(items('{"$enum":"testing.save.Mood","$value":"x"}')), "has no such member"),
    (nodes(items('{"$shape":[1,"a"]}')), "expected a value"),
    (nodes(items("[1]", "Dict")), "expected ','"),
    (nodes(items("[1,2,3]", "Dict")), "expected ']'"),
    (nodes('{"$type":"ffi.Tensor"}'), 'a tensor needs "dtype", "shape" and "data"'),
]


@pytest.mark.parametrize(("text", "message"), JSON, ids=range(len(JSON)))
def test_json(text: str, message: str) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)) as caught:
        tain.load_json(text)
    assert str(caught.value).startswith("load_json: ")
    assert message in str(caught.value)


def tensor(dtype: str = "float32", shape: str = "[2]", data: str = "AAAAAAAAAAA=") -> str:
    return f'{{"$type":"ffi.Tensor","dtype":"{dtype}","shape":{shape},"data":"{data}"}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (tensor(shape="[3]"), "a tensor needs 12 bytes, but the data has 8"),
        (tensor(shape="[-1]"), "expected extents of at least 0"),
        (tensor(shape="[4611686018427387904,4]"), ""),
        (tensor(shape="[9223372036854775807,0]"), ""),
        (tensor(shape=f"[{','.join('1' * 65)}]"), "too many dimensions"),
        (tensor(data="!"), "the data of a tensor is not base64"),
    ],
)
def test_tensors_in_json(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        tain.load_json(nodes(text))
    assert message in str(caught.value)


def binary_tensor(code: int, bits: int, lanes: int, shape: tuple[int, ...], size: int) -> bytes:
    """Return a saved tensor; its bytes follow a gap of none."""
    head = bytes([11, code, bits]) + lanes.to_bytes(2, "little")
    extents = b"".join(map(number, shape))
    return MAGIC + head + number(len(shape)) + extents + number(size) + b"\x00" + b"\x01" * size


HANDLE = "a tensor of handles (code 3, {} bits, {} lanes) can be neither saved nor loaded: "
SCALABLE = "a tensor of scalable vectors ("


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("handle", HANDLE.format(64, 1)),
        ("handle64", HANDLE.format(64, 1)),
        ("handle8", HANDLE.format(8, 1)),
        ("handlex2", HANDLE.format(64, 2)),
        ("handlexvscalex2", HANDLE.format(64, 65534)),
        ("void", HANDLE.format(0, 0)),
        ("float32xvscalex4", SCALABLE + "code 2, 32 bits, 65532 lanes)"),
        ("object", "'object' is no data type"),
        ("opaque", "'opaque' is no data type"),
        ("pointer", "'pointer' is no data type"),
        ("O", "'O' is no data type"),
    ],
)
def test_tensors_of_addresses_in_json(name: str, message: str) -> None:
    for shape, data in (("[1]", "AAAAAAAAAAA="), ("[2]", "AAAAAAAAAAAAAAAAAAAAAA=="), ("[0]", "")):
        with pytest.raises(ValueError) as caught:
            tain.load_json(nodes(tensor(name, shape, data)))
        assert str(caught.value).startswith("load_json: ")
        assert message in str(caught.value)


@pytest.mark.parametrize("code", range(256))
def test_element_types_in_binary_data(code: int) -> None:
    """Handles of every width, and codes and widths that no name has, are refused."""
    names = {
        0: ("int", 1),
        1: ("uint", 1),
        2: ("float", 9),
        4: ("bfloat", 9),
        5: ("complex", 18),
        6: ("bool", 1),
    }
    fixed = {**dict.fromkeys(range(7, 15), 8), 15: 6, 16: 6, 17: 4}
    loaded = 0
    for bits in (*range(20), 31, 32, 63, 64, 127, 128, 255):
        for lanes in (0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF):
            size = (bits * lanes + 7) // 8
            data = binary_tensor(code, bits, lanes, (1,), size)
            known = code in names and bits >= names[code][1]
            if 0 < lanes < 0x8000 and (known or fixed.get(code) == bits):
                made = tain.load_binary(data)
                assert isinstance(made, tain.Tensor) and made.shape == (1,)
                assert tain.save_binary(made) != b""
                loaded += 1
                continue
            with pytest.raises(ValueError) as caught:
                tain.load_binary(data)
            message = str(caught.value)
            assert message.startswith("load_binary: ")
            if code == 3:
                assert HANDLE.format(bits, lanes) in message
            else:
                assert "a tensor of an unknown data type (" in message or SCALABLE in message
    assert (loaded > 0) == (code in names or code in fixed)


def test_data_types_of_unknown_codes_in_binary_data() -> None:
    for code in range(18, 256):
        with pytest.raises(ValueError, match=r"^load_binary: .*a data type of an unknown code"):
            tain.load_binary(MAGIC + bytes([8, code, 32, 1, 0]))
    assert tain.load_binary(MAGIC + bytes([8, 3, 64, 1, 0])) == tain.dtype("handle")


@pytest.mark.parametrize("save", [tain.save_json, tain.save_binary])
def test_a_tensor_of_addresses_is_not_saved(save: Any) -> None:
    made = tain.empty((2,), "handle")
    with pytest.raises(TypeError) as caught:
        save([1, made])
    assert "<root>[1]" in str(caught.value) and HANDLE.format(64, 1) in str(caught.value)


def test_bytes_that_are_not_utf8() -> None:
    surrogate, long, large = b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf5\x80\x80\x80"
    for bad in (b"\xff", b"\xc0\x80", surrogate, long, large, b"\xc3"):
        text = nodes(items('"?"')).encode().replace(b"?", bad)
        with pytest.raises(ValueError, match="a string is not UTF-8"):
            tain.load_json(text)


def graph() -> Any:
    shared = Link("shared", None, 2.5)
    return tain.Array(
        [
            shared,
            Pair(tain.Dict({"a": [1, 2], 3: b"bytes"}), shared),
            Kinds(**KINDS),
            tain.tensor(np.arange(6, dtype="int16").reshape(2, 3)),
            Hooked(3),
            tain.Shape((1, 2)),
            2**70,
            tain.dtype("float16"),
            tain.cpu(0),
        ]
    )


KINDS: dict[str, Any] = {
    **dict.fromkeys(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"), 1),
    "flag": True,
    "f32": 1.5,
    "f64": 2.5,
    "text": "t",
    "data": b"d",
    "mood": Mood.BAD,
    "maybe": 3,
    "links": [],
}
ERRORS = (ValueError, TypeError, OverflowError, KeyError, RuntimeError, MemoryError, IndexError)


@pytest.mark.parametrize("form", ["json", "binary"])
def test_every_truncation(form: str) -> None:
    if form == "json":
        text = tain.save_json(graph())
        for size in range(len(text)):
            with pytest.raises(ValueError):
                tain.load_json(text[:size])
        return
    data = tain.save_binary(graph())
    for size in range(len(data)):
        with pytest.raises(ValueError):
            tain.load_binary(data[:size])
    with pytest.raises(ValueError, match="bytes follow after the end"):
        tain.load_binary(data + b"x")


@pytest.mark.parametrize("form", ["json", "binary"])
def test_changed_bytes(form: str) -> None:
    saved = tain.save_json(graph()).encode() if form == "json" else tain.save_binary(graph())
    load: Any = tain.load_json if form == "json" else tain.load_binary
    rng = random.Random(17)
    for _ in range(3000):
        changed = bytearray(saved)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        try:
            load(bytes(changed))
        except ERRORS:
            continue


@pytest.mark.parametrize("form", ["json", "binary"])
def test_a_load_that_fails_frees_cycles(form: str) -> None:
    """The fixture of all tests checks that no object is left."""
    ring = Link("ring", None, tain.List([1]))
    ring.next = Link("other", ring, None)
    ring.value.append(ring.value)
    saved = tain.save_json(ring) if form == "json" else tain.save_binary(ring)
    load: Any = tain.load_json if form == "json" else tain.load_binary
    for size in range(len(saved)):
        with pytest.raises(ValueError):
            load(saved[:size])
    ring.value.clear()


MAGIC = tain.save_binary(None)[:-1]


def number(value: int) -> bytes:
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


HUGE = [0x7F, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1]


@pytest.mark.parametrize("tag", range(256))
def test_huge_counts(tag: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for count in HUGE:
        for tail in (b"", b"\x00" * 64, number(count) * 3):
            try:
                tain.load_binary(MAGIC + bytes([tag]) + number(count) + tail)
            except ERRORS:
                continue
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_nested_containers_that_announce_all_bytes() -> None:
    """Each could ask for memory for as many elements as bytes follow."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = 300_000
    for tag in (12, 13, 14, 15):
        data = MAGIC + (bytes([tag]) + number(size // 8)) * (size // 4)
        with pytest.raises(ValueError):
            tain.load_binary(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_depth_bombs() -> None:
    assert tain.load_binary(MAGIC + b"\x0d\x01" * 500_000 + b"\x00") is not None
    with pytest.raises(ValueError, match="more elements than there are bytes"):
        tain.load_binary(MAGIC + b"\x0d\x01" * 500_000)
    member = '{"$enum":"","$value":'
    for bomb in ("[" * 1_000_000, '{"a":' * 1_000_000, '{"$type":' * 1_000_000, member * 100_000):
        with pytest.raises(ValueError):
            tain.load_json(bomb)
        with pytest.raises(ValueError):
            tain.load_json(nodes(bomb))


def test_many_unknown_fields() -> None:
    fields = ",".join(f'"u{i}":1' for i in range(10_001))
    with pytest.raises(ValueError, match="node 0: more unknown fields than a type can have"):
        tain.load_json(nodes(f'{{"$type":"{LINK}",{fields}}}'))


def test_labels_that_meet_in_a_table() -> None:
    """Of std::unordered_map, if the number itself were its hash."""
    labels = [f'{{"$type":"ffi.List","$yet":{i * 85_229}}}' for i in range(85_000)]
    assert len(tain.load_json(nodes(*labels))) == 0


def test_an_array_that_stands_in_a_key_many_times() -> None:
    """Each Array is hashed and compared once, although 2**300 paths lead to the innermost."""
    depth = 300
    pairs = [items(f'{{"$node":{i}}},{{"$node":{i}}}', "Array") for i in range(depth)]
    entry = items(f'[{{"$node":{depth}}},1]', "Map")
    text = nodes(items("1", "Array"), *pairs, entry, root=f'{{"$node":{depth + 1}}}')
    made = tain.load_json(text)
    assert len(made) == 1
    assert tain.save_json(made) == text
    assert tain.save_json(tain.load_binary(tain.save_binary(made))) == text


def test_a_leaf_that_its_holder_drops_while_it_is_written() -> None:
    for leaf in ("ab" * 2_000_000, b"ab" * 2_000_000):
        data = tain.List([leaf, 1])
        parts: list[bytes] = []

        class File:
            def write(self, part: memoryview, data: Any = data, parts: Any = parts) -> int:
                parts.append(bytes(part))
                if len(parts) == 1:
                    data.clear()
                    data.extend(["x" * 4_000_000] * 3)
                return len(part)

        with pytest.raises(RuntimeError, match="the container changed while it was saved"):
            tain.save_binary(data, File())  # type: ignore[arg-type]
        assert set(b"".join(parts)[100:-100]) <= set(b"ab")


def test_a_file_that_takes_nothing() -> None:
    class File:
        def write(self, part: memoryview) -> int:
            return 0

    with pytest.raises(OSError, match=r"write\(\) of File has written 0 bytes"):
        tain.save_binary(tain.Array([1]), File())  # type: ignore[call-overload]


@tain.py_class("test_saving_bad_input.Upgraded")
class Upgraded(tain.Object):
    part: Any


kept: list[Any] = []


@tain.register_upgrade(Upgraded, version=2)
def upgrade(fields: dict[str, Any], version: int) -> dict[str, Any]:
    kept.append(fields["part"])
    return {"part": None}


def test_a_load_that_fails_leaves_what_hooks_have_kept() -> None:
    with pytest.raises(ValueError):
        tain.load_json(
            nodes(
                items("1,2", "Array"),
                '{"$type":"test_saving_bad_input.Upgraded","part":{"$node":0}}',
                "]",
            )
        )
    assert list(kept.pop()) == [1, 2]


BINARY = [
    (b"", "the data was not made by save_binary"),
    (b"\x80\x04", "the data was not made by save_binary"),
    (MAGIC[:-1] + b"\x02\x00", "this version of the format is not known"),
    (MAGIC, "the data ends too early"),
    (MAGIC + b"\x10\x00", "a reference to a node that does not stand before it"),
    (MAGIC + b"\x20", "a type that was not described"),
    (MAGIC + b"\x12\x05", "a type that was not described"),
    (MAGIC + b"\x06\x05", "a text that is not in the table"),
    (MAGIC + b"\x18", "an unknown kind of value"),
    (MAGIC + b"\x03" + b"\xff" * 10, "a number is beyond 64 bits"),
    (MAGIC + b"\x11\x00\x07no.Such\x01\x00", "node 0: the type 'no.Such' is not registered"),
    (MAGIC + b"\x11\x00\x0affi.Object\x01\x00", "no objects that can be loaded"),
    (MAGIC + b"\x11\x00\x11testing.save.Link\x01\x01\x00\x04name\x09", "an unknown kind"),
    (
        MAGIC + b"\x11\x00\x11testing.save.Link\x01\x02\x00\x04name\x05\x02\x05",
        "a field that occurs twice",
    ),
    (MAGIC + b"\x11\x00\x11testing.save.Link\x01" + number(10**9), "a type of too many fields"),
    (MAGIC + b"\x09\x7f\x01", "a device of an unknown kind"),
    (MAGIC + b"\x15\x00\x01x\x00", "the enum 'x' is not registered"),
    (MAGIC + b"\x0b\x02\x20\x01\x00" + number(100), "a tensor of too many dimensions"),
    (MAGIC + b"\x0b\x02\x20\x01\x00\x01\x02\x09\x00", "does not fit its shape"),
]


@pytest.mark.parametrize(("data", "message"), BINARY, ids=range(len(BINARY)))
def test_binary(data: bytes, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        tain.load_binary(data)
    assert message in str(caught.value)


def test_values_of_the_wrong_type_in_binary() -> None:
    """The kind of a field is what the file says; the type has the last word."""
    head = MAGIC + b"\x11\x00\x13testing.save.Hooked\x01\x01\x00\x05count"
    assert tain.load_binary(head + b"\x01\x06").count == 3
    assert tain.load_binary(head + b"\x02\x01").count == 1  # a bool is an int
    for wire, value in ((0, b"\x00"), (3, struct.pack("<d", 1.5)), (5, b"\x00\x01x")):
        with pytest.raises(
            TypeError, match=r"node 0, testing.save.Hooked.count: expected int, got"
        ):
            tain.load_binary(head + bytes([wire]) + value)


def test_integers_out_of_range() -> None:
    fields = json.loads(tain.save_json(Kinds(**KINDS)))
    for name, value in (("i8", 128), ("u8", -1), ("u32", 2**32), ("i64", 2**63), ("u64", 2**64)):
        changed = json.loads(json.dumps(fields))
        changed["nodes"][-1][name] = value
        with pytest.raises(OverflowError, match=rf"testing.save.Kinds.{name}: "):
            tain.load_json(json.dumps(changed))


def test_containers_as_keys() -> None:
    text = nodes(items(""), items('[{"$node":0},1]', "Dict"), root='{"$node":1}')
    assert list(tain.load_json(text).values()) == [1]


REFUSED = [
    (lambda: lambda: None, "<root>: a function cannot be saved"),
    (lambda: {"a": [0, {1, 2}]}, '<root>["a"][1]: a value of type'),
    (lambda: tain.get_global_func("testing.echo", allow_missing=True) or len, "cannot be saved"),
    (lambda: tain.Dict({Link("k", None, len): 1}), "<root>.keys()[0].value: a function cannot"),
    (lambda: tain.List([[1, len]]), "<root>[0][1]: a function cannot be saved"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
@pytest.mark.parametrize("save", [tain.save_json, tain.save_binary])
def test_what_cannot_be_saved(make: Any, message: str, save: Any) -> None:
    with pytest.raises(TypeError) as caught:
        save(make())
    assert message in str(caught.value)


def test_the_path_in_a_deep_graph_is_short() -> None:
    chain = Link("", None, len)
    for _ in range(100_000):
        chain = Link("", chain, None)
    with pytest.raises(TypeError) as caught:
        tain.save_json(chain)
    assert len(str(caught.value)) < 500
    assert str(caught.value).endswith(".next.value: a function cannot be saved")


def types_with_unknown_fields(count: int) -> bytes:
    """A list of objects whose types have 10,000 fields each that nobody knows."""
    parts = [MAGIC, b"\x0d", number(count)]
    for i in range(count):
        parts.append(b"\x14" + (b"\x00\x13testing.save.Hooked" if i == 0 else b"\x01") + b"\x01")
        parts.append(number(10_000))
        for field in range(10_000):
            name = b"\x00\x05" + b"%05d" % field if i == 0 else number(field + 2)
            parts.append(name + b"\x00")
        parts.append(b"\x06" + (b"\x00\x07count 5" if i == 0 else number(10_002)))
    return b"".join(parts)


def test_many_types_with_unknown_fields() -> None:
    """The time is that of the bytes, not of the pairs of names."""
    data = types_with_unknown_fields(40)
    assert len(data) > 1_200_000
    start = time.process_time()
    loaded = tain.load_binary(data)
    assert time.process_time() - start < 5
    assert [one.count for one in loaded] == [5] * 40
    twice = data.replace(b"\x00\x0500001\x00", b"\x00\x0500000\x00", 1)
    with pytest.raises(ValueError, match="a field that occurs twice"):
        tain.load_binary(twice)


# A str with a lone surrogate crosses as the three bytes of the surrogate.
TEXTS = [b"\xed\xa0\x80", b"a\xed\xb2\x80b", "ä😀".encode(), b"x" * 100 + b"\xed\xbf\xbf"]
NO_TEXTS = [
    *(b"\xff", b"\xc0\x80", b"\xe0\x80\x80", b"\xf5\x80\x80\x80", b"\xc3", b"a\x80b"),
    *(b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xed\xa0", b"\xe2\x82", b"x" * 100 + b"\xff"),
]


def binary_text(text: bytes) -> bytes:
    return MAGIC + b"\x06\x00" + number(len(text)) + text


def json_text(text: bytes) -> bytes:
    return nodes(root=f'{{"$text":"{base64.b64encode(text).decode()}"}}').encode()


@pytest.mark.parametrize("text", TEXTS)
def test_text_with_surrogates(text: bytes) -> None:
    expected = text.decode("utf-8", "surrogatepass")
    assert tain.load_binary(binary_text(text)) == expected
    assert tain.load_json(json_text(text)) == expected
    for save, load in ((tain.save_json, tain.load_json), (tain.save_binary, tain.load_binary)):
        assert load(save(expected)) == expected


@pytest.mark.parametrize("text", NO_TEXTS)
def test_text_that_is_none(text: bytes) -> None:
    """Nobody could read it afterwards."""
    for data in (binary_text(text), MAGIC + b"\x0d\x02\x01" + binary_text(text)[len(MAGIC) :]):
        with pytest.raises(ValueError) as caught:
            tain.load_binary(data)
        assert str(caught.value) == f"load_binary: byte {len(data)}: a text is not UTF-8"
    with pytest.raises(ValueError, match=r"^load_json: byte \d+: a text is not UTF-8$"):
        tain.load_json(json_text(text))
    made = tain.get_global_func("testing.text_of_bytes")(text)
    for save in (tain.save_json, tain.save_binary):
        where = save.__name__
        with raises(TypeError, f"{where}: <root>[0]: text that is not UTF-8 cannot be saved"):
            save(made)
    with pytest.raises(ValueError, match="a text is not UTF-8"):  # as the key of a type
        tain.load_binary(MAGIC + b"\x11\x00" + number(len(text)) + text + b"\x01\x00")
