# SPDX-License-Identifier: Apache-2.0
"""What a strict type checker makes of code that uses tain as it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

USER = """
import tain
import tain.types.geometry.solid
from tain.types import Plain
from tain.types.geometry import Point

point = Point(1, y=2)


class Labelled(Point):  # type: ignore[misc]
    label: str


@tain.register_object("geometry.Point")
class ByKey(tain.Object):
    x: float


@tain.register_object
class Bare(tain.Object): ...


@tain.register_global_func
def one(x: int) -> int:
    return x


@tain.register_global_func("example.two", override=True)
def two(x: str) -> str:
    return x


@tain.register_error
class OneError(RuntimeError): ...


@tain.register_error("Two")
class TwoError(RuntimeError): ...


module = tain.cpp.load_inline(name="inline", cpp_sources="", functions=["f"])
array = tain.Array([1, 2])
mapping = tain.Map({"a": 1})
"""

REVEALED = {
    "point": "Any",
    "ByKey(1).x": "float",
    "Bare": "def (*args: Any, **kwargs: Any) -> user.Bare",
    "one": "def (x: int) -> int",
    "two": "def (x: str) -> str",
    "OneError": "def (*args: object) -> user.OneError",
    "TwoError": "def (*args: object) -> user.TwoError",
    "module.f": "tain._values.Function",
    "array[0]": "int",
    "array[1:]": "tain._values.Array[int]",
    "mapping['a']": "int",
    "tain.load_library('x')": "tain.library.Library",
    "tain.get_class('x')": "type",
    "tain.type_keys()": "list[str]",
    "tain.types.anything.At.all": "Any",
}


@pytest.mark.slow
def test_revealed_types(tmp_path: Path) -> None:
    lines = [*USER.splitlines(), *(f"reveal_type({code})" for code in REVEALED)]
    (tmp_path / "user.py").write_text("\n".join(lines))
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "user.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    notes = [line.partition('Revealed type is "')[2] for line in result.stdout.splitlines()]
    assert [note.removesuffix('"').replace("builtins.", "") for note in notes] == list(
        REVEALED.values()
    ), result.stdout
