# SPDX-License-Identifier: Apache-2.0
"""What the documents that tain follows show, each capability under its own id.

docs/source_documents.md says in words what is tested here, row by row.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tain.types.testing import Point
from testing_functions import get

import tain

PAGE = Path(__file__).resolve().parents[2] / "docs" / "source_documents.md"
ROWS: dict[str, Callable[[], None]] = {}


def row(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Give a check the id of its row."""

    def add(check: Callable[[], None]) -> Callable[[], None]:
        ROWS[name] = check
        return check

    return add


@row("guide-03")
def _() -> None:
    assert get("echo")(1) == 1
    assert get("apply")(lambda x: x + 1, 2) == 3
    assert (get("nop")(), get("add_one")(1)) == (None, 2)
    with pytest.raises(ValueError, match=r"^message$"):
        get("test_raise_error")("ValueError", "message")


@row("guide-04")
def _() -> None:
    @tain.register_global_func("source_documents.add_one")
    def add_one(x: int) -> int:
        return x + 1

    assert isinstance(add_one, types.FunctionType)
    assert tain.get_global_func("source_documents.add_one")(1) == add_one(1) == 2
    tain.remove_global_func("source_documents.add_one")


@row("guide-05")
def _() -> None:
    array, mapping = tain.convert([1, 2, 3, 4]), tain.convert({"a": 1})
    assert (type(array), type(mapping)) == (tain.Array, tain.Map)
    assert (array, mapping) == ([1, 2, 3, 4], {"a": 1})
    assert get("describe")([1], {"a": 1}) == "Array, Map"
    assert (type(get("echo")([1])), type(get("echo")({"a": 1}))) == (tain.Array, tain.Map)


@row("guide-08")
def _() -> None:
    @tain.register_error("SourceDocumentsError")
    class SourceDocumentsError(ValueError):
        pass

    for kind, cls in (("IndexError", IndexError), ("SourceDocumentsError", SourceDocumentsError)):
        with pytest.raises(cls, match="message") as caught:
            get("test_raise_error")(kind, "message")
        assert type(caught.value) is cls

    def fail() -> None:
        raise SourceDocumentsError("from Python")

    assert get("caught")(fail) == "SourceDocumentsError: from Python"


@row("packedfunc-12")
def _() -> None:
    @tain.register_func
    def source_documents_bare(*args: object) -> int:
        return len(args)

    @tain.register_func("source_documents.named")
    def named(*args: object) -> list:
        return list(args)

    for name in ("source_documents_bare", "source_documents.named"):
        assert isinstance(tain.get_global_func(name), tain.PackedFunc)
    assert tain.PackedFunc is tain.Function
    assert tain.get_global_func("source_documents.named")(10, 10.0, "hello") == [10, 10.0, "hello"]
    assert tain.get_global_func("source_documents_bare")(10, 10.0, "hello") == 3
    for name in ("source_documents_bare", "source_documents.named"):
        tain.remove_global_func(name)


@row("packedfunc-16")
def _() -> None:
    array = tain.convert([1, 2, 3, 4])
    assert (array[1:3], array[-1], array[-3:-1]) == ([2, 3], 4, [2, 3])
    assert isinstance(array[1:3], tain.Array)
    point = Point(1, 2)
    pair = tain.convert([point, point])
    assert pair[0] is point
    assert pair[1] is point


@row("packedfunc-17")
def _() -> None:
    seen = []
    get("apply")(seen.append, bytearray(b"hello"))
    assert seen == [b"hello"]
    assert get("echo")(()) == ()
    for value in (np.int64(2**63 - 1), np.int64(-(2**63)), np.uint8(255)):
        back = get("echo")(value)
        assert (type(back), back) == (int, int(value))


@row("packedfunc-18")
def _() -> None:
    assert get("make_adder")(2)(3) == 5
    table = get("echo")({"add": lambda x: x + 1, "adder": get("make_adder")})
    assert (table["add"](1), table["adder"](2)(3)) == (2, 5)
    point = Point(1, 2)
    assert get("apply")(lambda x: x is point, point) is True


@row("packedfunc-19")
def _() -> None:
    for device, text in (
        (tain.cuda(7), "cuda:7"),
        (tain.cpu(0), "cpu:0"),
        (tain.opencl(10), "opencl:10"),
    ):
        assert device == tain.device(text)
        back = get("device_test")(device, device.device_type, device.device_id)
        assert back == device
        assert get("apply")(lambda d: d, device) == device


@row("packedfunc-20")
def _() -> None:
    count, apply = get("object_use_count"), get("apply")
    point = Point(1, 2)
    name = point
    assert count(point) == 1  # one, however many names it has
    assert apply(lambda x: (count(x), x is point)[0], point) == 1
    assert apply(lambda x: x is name, point) is True
    assert get("echo")(point) is point
    array = tain.convert([point])
    assert count(point) == 2  # one more for the container
    del array
    assert apply(count, point._move()) == 1
    assert point.__chandle__() == 0
    assert "empty" in repr(point)
    with pytest.raises(ValueError, match="moved away"):
        _ = point.x


@row("implementation-23")
def _() -> None:
    palette = get("add_one")
    assert str(palette.__signature__) == "(x: int) -> int"
    typed = get("echo_typed_function")(lambda x: x + 1)
    assert typed(5) == 6
    shapes = {
        "geometry": Point.norm.__doc__,  # a const member function
        "lambda": get("echo").__doc__,
        "free function": get("sum_from").__doc__,
    }
    assert shapes["geometry"].startswith("norm(self) -> float")
    assert shapes["lambda"].startswith("echo(x: Any) -> Any")
    assert shapes["free function"].startswith("sum_from(start: int, *rest: Any) -> int")


@row("bindings-24")
def _() -> None:
    module = types.ModuleType("source_documents_module")
    sys.modules[module.__name__] = module
    try:
        tain.register_global_func("source_documents_api.twice", lambda x: 2 * x)
        tain._init_api("tvm.source_documents_api", module.__name__)
        assert module.twice(4) == 8
        tain.register_global_func("source_documents_api.later", lambda: "later")
        assert module.later() == "later"
        names = tain.list_global_func_names()
        assert {"source_documents_api.twice", "source_documents_api.later"} <= set(names)
    finally:
        for name in ("twice", "later"):
            tain.remove_global_func(f"source_documents_api.{name}")
        del sys.modules[module.__name__]
    assert tain.get_global_func("source_documents.none", allow_missing=True) is None
    with pytest.raises(ValueError, match=r"^Cannot find global function source_documents\.none"):
        tain.get_global_func("source_documents.none")


@pytest.mark.parametrize("check", ROWS.values(), ids=ROWS.keys())
def test_source_document(check: Callable[[], None]) -> None:
    check()


def table(heading: str) -> list[str]:
    """Return the ids that the first column of a section's table names."""
    page = PAGE.read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([a-z]+-\d\d)` \|", section, re.MULTILINE)


def test_the_page_says_what_is_tested() -> None:
    assert table("What works") == list(ROWS)


def test_what_is_not_there_yet_is_not_tested() -> None:
    assert not set(table("What tain does not do yet")) & set(ROWS)
